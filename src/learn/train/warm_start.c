/* Starting from a model: what finish.c folded in is unfolded again.
 *
 * Scales are fitted anew to the rows at hand. They are but the unit in which steps are measured: theta is divided by them, so the
 * model's function does not change. Offsets are the model's own, because its phases depend on them. */
#include "learn/train/warm_start.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/text/text.h"
#include "learn/evaluate/metric_choice.h"

/* The index of `name` in names, or -1. */
static int index_of(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; name != NULL && i < count; i++) {
        if (strcmp(name, names[i]) == 0) {
            return (int)i;
        }
    }
    return -1;
}

cnm_status start_settings(settings *out, const cnm_model *model, const settings *wanted, cnm_error *err) {
    static const char *const PROJECTIONS[] = {"dense", "circulant", "circulant-diagonal"};
    static const char *const ACTIVATIONS[] = {"cos", "sigmoid", "relu"};
    const char *method = record_get(&model->record, "method"), *gamma = record_get(&model->record, "gamma");
    const char *scale = record_get(&model->record, "scale"), *kernel = record_get(&model->record, "kernel");
    map_kernel kind;
    scaling_kind way;
    double number;
    *out = *wanted;
    out->projection = index_of(model->map->projection->name, PROJECTIONS, 3);
    out->activation = index_of(model->map->activation->name, ACTIVATIONS, 3);
    if (model->task == TASK_MAP || method == NULL || strcmp(method, "linear") == 0 || out->projection < 0 ||
        out->activation < 0) {
        return error_set(err, CNM_UNSUPPORTED, "only a model with a map and a head can be trained further");
    }
    if (gamma == NULL || !text_is_double(gamma, gamma + strlen(gamma), &number) || !(number > 0.0) || kernel == NULL ||
        !kernel_find(kernel, &kind) || scale == NULL || !scaling_find(scale, &way)) {
        return error_set(err, CNM_BAD_FORMAT,
                         "the model does not say how it was trained: gamma, kernel or scale is missing");
    }
    out->method = METHOD_CNM;
    out->recipe = RECIPE_JOINT;
    out->phase = model->map->phase == NULL;
    out->kernel = (int)kind;
    out->gamma = GAMMA_NUMBER;
    out->gamma_number = number;
    out->scale = (int)way + 1;
    out->missing = model->input.fill != NULL || wanted->missing != 0;
    if (out->positive == NULL) {
        out->positive =
            (char *)(uintptr_t)record_get(&model->record, "positive"); /* for the record; never written to */
    }
    if (out->group_column == NULL) {
        out->group_column = (char *)(uintptr_t)record_get(&model->record, "group_column"); /* likewise */
    }
    out->metric = wanted->metric == METRIC_AUTO ? metric_find(record_get(&model->record, "metric")) : wanted->metric;
    out->task = model->task == TASK_CLASSIFY ? WANT_CLASSIFY : WANT_REGRESS;
    out->features = wanted->features > model->map->features ? wanted->features : model->map->features;
    return CNM_OK;
}

/* ---- The problem ---- */

static cnm_status copy_array(void *out, const void *values, size_t count, size_t size, cnm_error *err) {
    void **pointer = out;
    *pointer = NULL;
    if (values == NULL) {
        return CNM_OK;
    }
    const cnm_status status = memory_take(out, count, size, "columns", err);
    if (status == CNM_OK) {
        memcpy(*pointer, values, count * size);
    }
    return status;
}

/* A column that does not vary in these rows has no scale of its own: it gets the largest, which makes its steps small. */
static void fill_scales(problem *self) {
    double largest = 0.0;
    for (size_t j = 0; j < self->scaling.columns; j++) {
        largest = self->scaling.scale[j] > largest ? self->scaling.scale[j] : largest;
    }
    for (size_t j = 0; j < self->scaling.columns; j++) {
        if (!(self->scaling.scale[j] > 0.0)) {
            self->scaling.scale[j] = largest > 0.0 ? largest : 1.0;
        }
        if (self->input.scale != NULL) {
            self->input.scale[j] = (float)self->scaling.scale[j];
        }
    }
}

cnm_status start_problem(problem *self, const cnm_model *model, cnm_error *err) {
    const input_stage *known = &model->input;
    input_stage *input = &self->input;
    const size_t columns = known->columns;
    if (self->rows.columns != columns) {
        return error_set(err, CNM_BAD_DATA, "the rows have %zu columns, the model expects %zu", self->rows.columns,
                         columns);
    }
    memory_free(input->offset);
    memory_free(input->base);
    memory_free(input->fill);
    input->offset = input->base = input->fill = NULL;
    cnm_status status = copy_array(&input->offset, known->offset, columns, sizeof(double), err);
    status = status != CNM_OK ? status : copy_array(&input->base, known->base, columns, sizeof(double), err);
    status = status != CNM_OK ? status : copy_array(&input->fill, known->fill, columns, sizeof(double), err);
    if (status == CNM_OK && known->scale != NULL) {
        memory_free(input->scale);
        status = copy_array(&input->scale, known->scale, columns, sizeof(float), err);
    } else if (status == CNM_OK) {
        fill_scales(self);
    }
    return status;
}

/* ---- The parameters ---- */

static cnm_status start_map(training *self, const cnm_model *model, cnm_error *err) {
    const bool scaled = self->problem.input.scale != NULL && !self->problem.input.asinh;
    const size_t columns = self->map->columns;
    double *inverse = NULL;
    map *unfolded;
    cnm_status status = map_copy(&unfolded, model->map, err);
    if (status == CNM_OK && scaled) {
        status = memory_take(&inverse, columns, sizeof *inverse, "scales", err);
        for (size_t j = 0; status == CNM_OK && j < columns; j++) {
            inverse[j] = 1.0 / self->problem.scaling.scale[j];
        }
        status = status != CNM_OK ? status : unfolded->projection->scale_columns(unfolded, inverse, err);
    }
    if (status == CNM_OK) {
        status = map_adopt(self->map, unfolded, err);
    }
    memory_free(inverse);
    map_destroy(unfolded);
    return status;
}

/* Two classes have one stored output; a loss that wants two gets -w / 2 and w / 2. */
static void start_head(training *self, const cnm_model *model) {
    const problem *task = &self->problem;
    const size_t outputs = self->head.outputs, known = model->map->features, stored = model->outputs;
    for (size_t i = 0; i <= known; i++) {
        const bool intercept = i == known;
        const float *in = intercept ? model->bias : model->weights + i * stored;
        float *out = self->head.weights + (intercept ? self->head.features : i) * outputs;
        const double factor = 1.0 / (task->target_scale * (intercept ? 1.0 : self->feature_scale));
        for (size_t j = 0; j < outputs; j++) {
            const size_t at = stored == outputs ? j : 0;
            const double shift = model->shift == NULL ? 0.0 : (double)model->shift[at];
            const double value = (double)in[at] - (intercept ? task->target_mean + shift : 0.0);
            const double share = stored == outputs ? 1.0 : j == 0 ? -0.5 : 0.5;
            out[j] = (float)(share * factor * value);
        }
    }
}

cnm_status start_parameters(training *self, const cnm_model *model, cnm_error *err) {
    const cnm_status status = start_map(self, model, err);
    if (status == CNM_OK) {
        start_head(self, model);
    }
    return status;
}
