/* Folding, and the metadata. */
#include "learn/train/training.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/compress/weight_precision.h"
#include "learn/evaluate/decision_thresholds.h"
#include "learn/evaluate/metrics.h"
#include "learn/fit/frozen_map.h"
#include "model/model_columns.h"
#include "model/probability.h"

/* Folds column scales into the map, or into the head where the map passes columns through; asinh
 * keeps them in the preprocessing. */
static cnm_status fold_scales(training *self, cnm_error *err) {
    input_stage *input = &self->scaled.input;
    fit_session *fit = &self->fit;
    const double *scale = self->scaled.scaling.scale;
    if (input->scale == NULL || input->asinh) {
        return CNM_OK;
    }
    if (map_first(fit->map)->projection->scale_columns != NULL) {
        TRY(layer_scale_columns(map_first(fit->map), scale, err));
    } else {
        const size_t outputs = fit->head.outputs;
        for (size_t i = 0; i < fit->head.features * outputs; i++) {
            fit->head.weights[i] = (float)((double)fit->head.weights[i] * scale[i / outputs]);
        }
    }
    memory_free(input->scale);
    input->scale = NULL;
    return CNM_OK;
}

/* Returns whether there are two outputs for two classes: a model keeps their difference. */
static bool is_pair(const training *self) {
    return self->data.task == TASK_CLASSIFY && self->data.classes.count == 2 && self->fit.head.outputs == 2;
}

/* Adds the decision offsets, as floats, to the bias, unless the training put them there. */
static cnm_status fold_offsets(const training *self, cnm_model *model, cnm_error *err) {
    const double *offsets = self->calibration.offsets;
    if (offsets == NULL) {
        return CNM_OK;
    }
    TRY(memory_take(&model->decision_offset, model->outputs, sizeof *model->decision_offset, "decision offsets", err));
    for (size_t j = 0; j < model->outputs; j++) {
        model->decision_offset[j] = (float)(is_pair(self) ? offsets[1] - offsets[0] : offsets[j]);
        if (!thresholds_are_learned(&self->data)) {
            model->bias[j] = (float)((double)model->bias[j] + (double)model->decision_offset[j]);
        }
    }
    return CNM_OK;
}

/* Fills weights (features, outputs) and bias from the head: two outputs for two classes become
 * their difference; regression goes back to the targets' own unit. */
static cnm_status fold_head(const training *self, cnm_model *model, cnm_error *err) {
    const dataset *data = &self->data;
    const linear_head *head = &self->fit.head;
    const size_t given = head->outputs, rows = head->features + 1;
    const bool pair = is_pair(self);
    const double unit = data->target_scale;
    model->outputs = pair ? 1 : given;
    TRY(memory_take(&model->weights, head->features * model->outputs, sizeof(float), "a head", err));
    TRY(memory_take(&model->bias, model->outputs, sizeof(float), "a head", err));
    for (size_t i = 0; i < rows; i++) {
        const bool intercept = i == head->features;
        const double factor = unit * (intercept ? 1.0 : self->fit.feature_scale);
        float *out = intercept ? model->bias : model->weights + i * model->outputs;
        const float *in = head->weights + i * given;
        for (size_t j = 0; j < model->outputs; j++) {
            const double value = pair ? (double)in[1] - (double)in[0] : (double)in[j];
            out[j] = (float)(factor * value + (intercept ? data->target_mean : 0.0));
        }
    }
    return CNM_OK;
}

static bool all_finite(const float *values, size_t count) {
    for (size_t i = 0; values != NULL && i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

/* Fails where columns near the largest float, or steps that diverged, leave infinite values or
 * NaN. */
static cnm_status check_finite(const training *self, const cnm_model *model, cnm_error *err) {
    const map *own = self->fit.map;
    bool finite = all_finite(model->weights, own->features * model->outputs) && all_finite(model->bias, model->outputs);
    map_array arrays[MAP_ARRAYS];
    const size_t count = map_list(own, arrays);
    for (size_t i = 0; i < count; i++) {
        finite = finite && all_finite(*arrays[i].values, arrays[i].rows * arrays[i].columns);
    }
    return finite ? CNM_OK
                  : error_set(err, CNM_BAD_DATA,
                              "the training ran out of the range of numbers: scale the columns (--scale standard) or "
                              "raise --lambda");
}

/* ---- The metadata ---- */

/* Writes which stages have run: "dataset, detect, fit, assemble". */
static cnm_status record_stages(const training *self, record *out, cnm_error *err) {
    char text[128] = "";
    size_t count, used = 0;
    const stage *stages = stage_table(&count);
    for (size_t i = 0; i < count; i++) {
        if ((self->ran >> i & 1U) != 0) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used == 0 ? "" : ", ", stages[i].name);
        }
    }
    return record_set(out, "stages", text, err);
}

static cnm_status record_texts(const training *self, record *out, cnm_error *err) {
    const settings *wanted = &self->settings;
    const fit_session *fit = &self->fit;
    const bool identity = self->method->projection != NULL, solved = head_is_solved(fit);
    const char *const texts[][2] = {
        {"method", self->method->name},
        {"scale", scaling_name(self->scaled.scaling.kind)},
        {"kernel", identity ? NULL : kernel_name(fit->spec.kernel)},
        {"init", identity                            ? NULL
                 : fit->spec.init == INIT_ORTHOGONAL ? "orthogonal"
                                                     : "random"},
        {"recipe", wanted->method != METHOD_CNM     ? NULL
                   : wanted->recipe == RECIPE_JOINT ? "joint"
                                                    : "alternating"},
        {"head_solver", solved && !self->distilled ? "lbfgs" : NULL},
        {"distilled_from", self->distilled ? "kernel-ensemble" : NULL},
        {"loss", self->data.loss == NULL ? NULL : self->data.loss->name},
        {RECORD_PROBABILITY, self->data.loss == NULL ? NULL : probability_name(self->data.loss->probability)},
        {"metric", wanted->metric == METRIC_AUTO ? NULL : metric_name(wanted->metric)},
        {"time_limit", fit->time.shortened ? "trials or steps were left out to keep it: another run may differ" : NULL},
        {RECORD_MISSING, wanted->missing == FILL_ERROR ? MISSING_IS_ERROR : NULL},
        {"positive", wanted->positive},
        {"group_column", self->data.groups != NULL ? wanted->group_column : NULL},
        {"warm_start", fit->warm ? "from an earlier model" : NULL},
        {"stopped", fit->state == FIT_STOPPED ? "before the end" : NULL},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i][1] != NULL) {
            TRY(record_set(out, texts[i][0], texts[i][1], err));
        }
    }
    return record_stages(self, out, err);
}

static cnm_status record_augmentations(const hyperparameters *chosen, record *out, cnm_error *err) {
    for (augmentation_id id = AUGMENTATIONS; id-- > 0;) {
        if (chosen->image_width > 0 || !augmentation_get(id)->images) {
            TRY(record_set_double(out, augmentation_get(id)->name, chosen->augment[id], err));
        }
    }
    return CNM_OK;
}

static cnm_status record_numbers(const training *self, record *out, cnm_error *err) {
    const settings *wanted = &self->settings;
    const fit_session *fit = &self->fit;
    const hyperparameters *chosen = &fit->chosen;
    const bool joint = wanted->method == METHOD_CNM && wanted->recipe == RECIPE_JOINT;
    const bool mapped = self->method->projection == NULL, headed = self->data.task != TASK_MAP;
    const bool solved = head_is_solved(fit), stepped = joint && !solved;
    const size_t taught = self->teacher == NULL ? 0 : teacher_features(self->teacher);
    const bool approximates = fit->kernel_error[2] > 0.0;
    const struct {
        const char *key;
        double value;
        bool applies;
    } numbers[] = {
        {"gamma", fit->spec.gamma, mapped},
        {"sigma", fit->bandwidth.sigma, mapped && fit->bandwidth.sigma > 0.0},
        {"width", chosen->width, joint},
        {"map_rate", round(1e6 * chosen->map_rate) / 1e6, joint},
        {"decay", chosen->decay, stepped},
        {"lambda", fit->lambda, headed},
        {"training_rows", (double)self->data.rows.rows, true},
        {"batch", (double)fit->batch, headed && !solved},
        {"steps", (double)(fit->made_before + fit->made), headed && !solved},
        {"head_iterations", (double)fit->made, headed && solved && !self->distilled && fit->made > 0},
        {"best_step", (double)(fit->made_before + fit->best.step), fit->best.any && !solved},
        {"teacher_features", (double)taught, taught > 0},
        {"pruned_from", (double)self->pruned_from, self->pruned_from > 0},
        {"final_loss", fit->loss, headed},
        {"rate_divided_by", ldexp(1.0, RATE_BITS * (int)fit->guard.lowered), fit->guard.lowered > 0},
        {"validation_score", fit->best.score, fit->best.any},
        {RECORD_TEMPERATURE, self->calibration.temperature, self->calibration.temperature > 0.0},
        {"kernel_error", fit->kernel_error[0], approximates},
        {"kernel_error_random", fit->kernel_error[1], approximates},
        {"kernel_error_constant", fit->kernel_error[2], approximates},
    };
    TRY(record_set_count(out, "seed", fit->spec.seed, err));
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].applies) {
            TRY(record_set_double(out, numbers[i].key, numbers[i].value, err));
        }
    }
    return stepped ? record_augmentations(chosen, out, err) : CNM_OK;
}

static cnm_status keep_names(const training *self, cnm_model *model, cnm_error *err) {
    const table *rows = self->encoded != NULL ? self->encoded : self->rows;
    if (self->origin != NULL && self->origin->name != NULL) {
        TRY(record_set(&model->record, "label_column", self->origin->name, err));
    }
    if (rows->names == NULL) {
        return CNM_OK;
    }
    TRY(memory_zeroed(&model->names, rows->columns, sizeof *model->names, "names", err));
    for (size_t i = 0; i < rows->columns; i++) {
        TRY(memory_copy_text(&model->names[i], rows->names[i], err));
    }
    return CNM_OK;
}

/* ---- The model ---- */

/* Moves map, labels and preprocessing into the model. */
static void move_parts(training *self, cnm_model *model) {
    model->input = self->scaled.input;
    model->map = self->fit.map;
    model->classes = self->data.classes;
    model->history = self->history;
    self->scaled.input = (input_stage){0};
    self->data.classes = (class_set){0};
    self->fit.map = NULL;
    self->history = (history){0};
}

cnm_status assemble_model(training *self, cnm_error *err) {
    TRY(fold_scales(self, err));
    TRY(model_create(&self->model, err));
    cnm_model *model = self->model;
    model->task = self->data.task;
    if (model->task != TASK_MAP) {
        TRY(fold_head(self, model, err));
        TRY(fold_offsets(self, model, err));
    }
    TRY(check_finite(self, model, err));
    TRY(record_texts(self, &model->record, err));
    TRY(record_numbers(self, &model->record, err));
    move_parts(self, model);
    encoder *by = self->encoder;
    self->encoder = NULL;
    TRY(model_set_encoder(model, by, self->start != NULL && self->start->from_names, err));
    TRY(weight_precision_apply(model, &self->data.rows, &self->settings, err));
    TRY(keep_names(self, model, err));
    return model_describe(model, 0, err);
}
