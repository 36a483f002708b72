/* From what was trained to what is kept: scales and constant factors are folded in, so that prediction does not pay for them. */
#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "learn/compress/weight_precision.h"
#include "learn/evaluate/decision_thresholds.h"
#include "learn/fit/frozen_map.h"
#include "learn/fit/fit_session.h"
#include "model/probability.h"

/* Column scales go into the map, or into the head where the map passes columns through; asinh keeps them in the input stage. */
static cnm_status fold_scales(training *self, cnm_error *err) {
    input_stage *input = &self->problem.input;
    const double *scale = self->problem.scaling.scale;
    if (input->scale == NULL || input->asinh) {
        return CNM_OK;
    }
    cnm_status status = CNM_OK;
    if (self->map->projection->scale_columns != NULL) {
        status = self->map->projection->scale_columns(self->map, scale, err);
        map_refresh(self->map);
    } else {
        const size_t outputs = self->head.outputs;
        for (size_t i = 0; i < self->head.features * outputs; i++) {
            self->head.weights[i] = (float)((double)self->head.weights[i] * scale[i / outputs]);
        }
    }
    if (status == CNM_OK) {
        memory_free(input->scale);
        input->scale = NULL;
    }
    return status;
}

/* Two outputs for two classes: a model keeps their difference. */
static bool is_pair(const training *self) {
    return self->problem.task == TASK_CLASSIFY && self->problem.classes.count == 2 && self->head.outputs == 2;
}

/* What the metric adds to the scores, as floats, becomes part of the bias, unless the training put it there. */
static cnm_status fold_shift(const training *self, cnm_model *model, cnm_error *err) {
    if (self->shift == NULL) {
        return CNM_OK;
    }
    const cnm_status status = memory_take(&model->shift, model->outputs, sizeof *model->shift, "shifts", err);
    for (size_t j = 0; status == CNM_OK && j < model->outputs; j++) {
        model->shift[j] = (float)(is_pair(self) ? self->shift[1] - self->shift[0] : self->shift[j]);
        if (!shift_is_learned(&self->problem)) {
            model->bias[j] = (float)((double)model->bias[j] + (double)model->shift[j]);
        }
    }
    return status;
}

/* weights (features, outputs) and bias from the head: two outputs for two classes become their difference; regression goes back to
 * the targets' own unit. */
static cnm_status fold_head(const training *self, cnm_model *model, cnm_error *err) {
    const problem *task = &self->problem;
    const size_t given = self->head.outputs, rows = self->head.features + 1;
    const bool pair = is_pair(self);
    const double unit = task->target_scale;
    model->outputs = pair ? 1 : given;
    cnm_status status =
        memory_take(&model->weights, self->head.features * model->outputs, sizeof(float), "a head", err);
    if (status == CNM_OK) {
        status = memory_take(&model->bias, model->outputs, sizeof(float), "a head", err);
    }
    for (size_t i = 0; status == CNM_OK && i < rows; i++) {
        const bool intercept = i == self->head.features;
        const double factor = unit * (intercept ? 1.0 : self->feature_scale);
        float *out = intercept ? model->bias : model->weights + i * model->outputs;
        const float *in = self->head.weights + i * given;
        for (size_t j = 0; j < model->outputs; j++) {
            const double value = pair ? (double)in[1] - (double)in[0] : (double)in[j];
            out[j] = (float)(factor * value + (intercept ? task->target_mean : 0.0));
        }
    }
    return status;
}

static bool all_finite(const float *values, size_t count) {
    for (size_t i = 0; values != NULL && i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

/* Columns near the largest float, or steps that ran away, leave numbers that no file would take back. */
static cnm_status check_finite(const training *self, const cnm_model *model, cnm_error *err) {
    bool finite = all_finite(model->weights, self->map->features * model->outputs) &&
                  all_finite(model->bias, model->outputs) && all_finite(self->map->phase, self->map->features);
    for (size_t i = 0; i < self->map->tensor_count; i++) {
        const map_tensor *tensor = &self->map->tensors[i];
        finite = finite && all_finite(tensor->values, tensor->rows * tensor->columns);
    }
    return finite ? CNM_OK
                  : error_set(err, CNM_BAD_DATA,
                              "the training ran out of the range of numbers: scale the columns (--scale standard) or "
                              "raise --lambda");
}

/* ---- The record ---- */

static cnm_status record_texts(const training *self, record *out, cnm_error *err) {
    static const char *const METRICS[] = {"auto", "accuracy", "balanced", "auc", "f1", "logloss", "rmse", "mae"};
    static const char *const METHOD_NAMES[] = {"cnm", "rff", "kernel", "linear"};
    const settings *wanted = self->problem.settings;
    const bool identity = strcmp(self->spec.projection, "identity") == 0, solved = head_is_solved(self);
    const char *const texts[][2] = {
        {"method", METHOD_NAMES[wanted->method]},
        {"scale", scaling_name(self->problem.scaling.kind)},
        {"kernel", identity ? NULL : kernel_name(self->spec.kernel)},
        {"init", identity                             ? NULL
                 : self->spec.init == INIT_ORTHOGONAL ? "orthogonal"
                                                      : "random"},
        {"recipe", wanted->method != METHOD_CNM     ? NULL
                   : wanted->recipe == RECIPE_JOINT ? "joint"
                                                    : "alternating"},
        {"head", solved && !self->imitated ? "solved for" : NULL},
        {"imitates", self->imitated ? "itself and kernel machines of all rows, on average" : NULL},
        {"loss", self->problem.loss == NULL ? NULL : self->problem.loss->name},
        {"metric", wanted->metric == METRIC_AUTO ? NULL : METRICS[wanted->metric]},
        {"time_limit", self->shortened ? "trials or steps were left out to keep it: another run may differ" : NULL},
        {"positive", wanted->positive},
        {"group_column", self->problem.groups != NULL ? wanted->group_column : NULL},
        {"continued", self->continues ? "from an earlier model" : NULL},
        {"stopped", self->stopped ? "before the end" : NULL},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const cnm_status status = texts[i][1] == NULL ? CNM_OK : record_set(out, texts[i][0], texts[i][1], err);
        if (status != CNM_OK) {
            return status;
        }
    }
    return CNM_OK;
}

static cnm_status record_numbers(const training *self, record *out, cnm_error *err) {
    const settings *wanted = self->problem.settings;
    const bool joint = wanted->method == METHOD_CNM && wanted->recipe == RECIPE_JOINT;
    const bool mapped = strcmp(self->spec.projection, "identity") != 0, headed = self->problem.task != TASK_MAP;
    const bool solved = head_is_solved(self), stepped = joint && !solved;
    const size_t taught = self->teacher == NULL ? 0 : teacher_features(self->teacher);
    const struct {
        const char *key;
        double value;
        bool applies;
    } numbers[] = {
        {"gamma", self->spec.gamma, mapped},
        {"sigma", self->bandwidth.sigma, mapped && self->measured},
        {"width", self->recipe.width, joint},
        {"hold", self->recipe.hold, joint},
        {"decay", self->recipe.decay, stepped},
        {"noise", self->recipe.noise, stepped},
        {"drift", self->recipe.drift, stepped},
        {"shift", self->recipe.shift, stepped && self->recipe.picture > 0},
        {"mirror", self->recipe.mirror ? 1.0 : 0.0, stepped && self->recipe.picture > 0},
        {"lambda", self->lambda, headed},
        {"training_rows", (double)self->problem.rows.rows, true},
        {"batch", (double)self->batch, headed && !solved},
        {"steps", (double)self->steps, headed && !solved},
        {"teacher_features", (double)taught, taught > 0},
        {"pruned_from", (double)self->pruned_from, self->pruned_from > 0},
        {"final_loss", self->loss, headed},
        {"rate_divided_by", ldexp(1.0, RATE_BITS * (int)self->safeguard.lowered), self->safeguard.lowered > 0},
        {"validation_score", self->best.score, self->best.any},
        {RECORD_TEMPERATURE, self->temperature, self->temperature > 0.0},
        {"kernel_error", self->kernel_error[0], self->kernel_error[2] > 0.0},
        {"kernel_error_random", self->kernel_error[1], self->kernel_error[2] > 0.0},
        {"kernel_error_constant", self->kernel_error[2], self->kernel_error[2] > 0.0},
    };
    cnm_status status = record_set_count(out, "seed", self->spec.seed, err);
    for (size_t i = 0; status == CNM_OK && i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].applies) {
            status = record_set_double(out, numbers[i].key, numbers[i].value, err);
        }
    }
    return status;
}

cnm_status training_finish(training *self, cnm_model **out, cnm_error *err) {
    cnm_status status = fold_scales(self, err);
    if (status == CNM_OK) {
        status = model_create(out, err);
    }
    if (status != CNM_OK) {
        return status;
    }
    cnm_model *model = *out;
    model->task = self->problem.task;
    if (model->task != TASK_MAP) {
        status = fold_head(self, model, err);
        status = status == CNM_OK ? fold_shift(self, model, err) : status;
    }
    if (status == CNM_OK) {
        status = check_finite(self, model, err);
    }
    if (status == CNM_OK) {
        status = record_texts(self, &model->record, err);
    }
    if (status == CNM_OK) {
        status = record_numbers(self, &model->record, err);
    }
    model->input = self->problem.input;
    model->map = self->map;
    model->classes = self->problem.classes;
    self->problem.input = (input_stage){0};
    self->problem.classes = (class_set){0};
    self->map = NULL;
    return status == CNM_OK ? rounding_apply(model, &self->problem.rows, self->problem.settings, err) : status;
}
