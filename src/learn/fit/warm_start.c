/* Unfolds what assemble_model.c folded into a model.
 *
 * Scales are fitted to the new rows. They only set the unit of steps: theta is divided by them, so
 * the function of the model does not change. Offsets are those of the model, because its phases
 * depend on them. */
#include "learn/fit/warm_start.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "learn/evaluate/metrics.h"

/* Returns a text of the model's record, which nobody writes to, or NULL. */
static char *borrow(const cnm_model *model, const char *key) {
    return (char *)(uintptr_t)record_get(&model->record, key);
}

cnm_status warm_start_settings(settings *out, const cnm_model *model, const settings *wanted, cnm_error *err) {
    const char *gamma = record_get(&model->record, "gamma");
    const char *scale = record_get(&model->record, "scale"), *kernel = record_get(&model->record, "kernel");
    map_kernel kind;
    scaling_kind columns;
    double number;
    *out = *wanted;
    out->projection = projection_index(map_last(model->map)->projection);
    out->activation = activation_index(map_last(model->map)->activation);
    if (model->task == TASK_MAP || out->projection < 0 || out->activation < 0) {
        return error_set(err, CNM_UNSUPPORTED, "only a model with a map and a head can be trained further");
    }
    if (gamma == NULL || !text_is_double(gamma, gamma + strlen(gamma), &number) || !(number > 0.0) || kernel == NULL ||
        !kernel_find(kernel, &kind) || scale == NULL || !scaling_find(scale, &columns)) {
        return error_set(err, CNM_BAD_FORMAT,
                         "the model does not say how it was trained: gamma, kernel or scale is missing");
    }
    out->method = METHOD_CNM;
    out->recipe = RECIPE_JOINT;
    out->phase = map_last(model->map)->phase == NULL;
    out->kernel = (int)kind;
    out->gamma = GAMMA_NUMBER;
    out->gamma_number = number;
    out->scale = (int)columns + 1;
    out->missing = model->input.fill != NULL ? FILL_MEAN : wanted->missing;
    if (out->positive == NULL) {
        out->positive = borrow(model, "positive");
    }
    if (out->group_column == NULL) {
        out->group_column = borrow(model, "group_column");
    }
    out->metric = wanted->metric == METRIC_AUTO ? metric_find(record_get(&model->record, "metric")) : wanted->metric;
    out->task = model->task == TASK_CLASSIFY ? WANT_CLASSIFY : WANT_REGRESS;
    out->features = wanted->features > model->map->features ? wanted->features : model->map->features;
    return CNM_OK;
}

/* ---- The preprocessing ---- */

static cnm_status copy_array(void *out, const void *values, size_t count, size_t size, cnm_error *err) {
    void **pointer = out;
    *pointer = NULL;
    if (values == NULL) {
        return CNM_OK;
    }
    TRY(memory_take(out, count, size, "columns", err));
    memcpy(*pointer, values, count * size);
    return CNM_OK;
}

/* Gives columns that are constant in the new rows the largest scale, which makes their steps
 * small. */
static void fill_scales(scaled_rows *self) {
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

cnm_status warm_start_scaling(scaled_rows *self, const cnm_model *model, cnm_error *err) {
    const input_stage *known = &model->input;
    input_stage *input = &self->input;
    const size_t columns = known->columns;
    if (self->input.columns != columns) {
        return error_set(err, CNM_BAD_DATA, "the rows have %zu columns, the model expects %zu", self->input.columns,
                         columns);
    }
    memory_free(input->offset);
    memory_free(input->base);
    memory_free(input->fill);
    input->offset = input->base = input->fill = NULL;
    TRY(copy_array(&input->offset, known->offset, columns, sizeof(double), err));
    TRY(copy_array(&input->base, known->base, columns, sizeof(double), err));
    TRY(copy_array(&input->fill, known->fill, columns, sizeof(double), err));
    if (known->scale == NULL) {
        fill_scales(self);
        return CNM_OK;
    }
    memory_free(input->scale);
    return copy_array(&input->scale, known->scale, columns, sizeof(float), err);
}

/* ---- The parameters ---- */

static cnm_status start_map(fit_session *self, const cnm_model *model, cnm_error *err) {
    const bool scaled = self->scaled->input.scale != NULL && !self->scaled->input.asinh;
    const size_t columns = self->map->columns;
    double *inverse = NULL;
    map *unfolded = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(map_copy(&unfolded, model->map, err));
    if (scaled) {
        TRY_DONE(memory_take(&inverse, columns, sizeof *inverse, "scales", err));
        for (size_t j = 0; j < columns; j++) {
            inverse[j] = 1.0 / self->scaled->scaling.scale[j];
        }
        TRY_DONE(layer_scale_columns(map_first(unfolded), inverse, err));
    }
    if (unfolded->layer_count > 1) {
        map_assign(self->map, unfolded);
    } else {
        TRY_DONE(map_adopt(self->map, unfolded, err));
    }
done:
    memory_free(inverse);
    map_destroy(unfolded);
    return status;
}

/* Copies the head. A model of two classes has one output; a loss that takes two gets -w / 2 and w /
 * 2. */
static void start_head(fit_session *self, const cnm_model *model) {
    const dataset *data = self->data;
    const size_t outputs = self->head.outputs, known = model->map->features, stored = model->outputs;
    for (size_t i = 0; i <= known; i++) {
        const bool intercept = i == known;
        const float *in = intercept ? model->bias : model->weights + i * stored;
        float *out = self->head.weights + (intercept ? self->head.features : i) * outputs;
        const double factor = 1.0 / (data->target_scale * (intercept ? 1.0 : self->feature_scale));
        for (size_t j = 0; j < outputs; j++) {
            const size_t at = stored == outputs ? j : 0;
            const double offset = model->decision_offset == NULL ? 0.0 : (double)model->decision_offset[at];
            const double value = (double)in[at] - (intercept ? data->target_mean + offset : 0.0);
            const double share = stored == outputs ? 1.0 : j == 0 ? -0.5 : 0.5;
            out[j] = (float)(share * factor * value);
        }
    }
}

cnm_status warm_start_parameters(fit_session *self, const cnm_model *model, cnm_error *err) {
    TRY(start_map(self, model, err));
    start_head(self, model);
    return CNM_OK;
}
