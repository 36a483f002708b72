/* Training, model files, prediction and evaluation: arguments checked, then the modules called. */
#include <math.h>
#include <string.h>

#include "api/api_objects.h"
#include "api/options.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/file.h"
#include "learn/evaluate/holdout_score.h"
#include "learn/train/train.h"
#include "math/simd/simd_dispatch.h"
#include "model/evaluate.h"
#include "model/model_columns.h"
#include "model/probability.h"

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *cnm_version(void) { return VERSION_TEXT(CNM_VERSION_MAJOR, CNM_VERSION_MINOR, CNM_VERSION_PATCH); }

int cnm_version_number(void) { return CNM_VERSION; }

const char *cnm_status_text(cnm_status status) {
    static const char *const TEXTS[] = {
        "success",           "bad argument",  "out of memory",       "input or output failed",
        "not in its format", "unusable data", "not in this version", "stopped as asked"};
    return (size_t)status < sizeof TEXTS / sizeof TEXTS[0] ? TEXTS[status] : "unknown status";
}

/* ---- Training ---- */

/* Records that files for a model of zero-based rows count from 0 too, even where index 0 does not
 * occur. */
static cnm_status keep_index_base(cnm_model *model, cnm_error *err) {
    TRY(record_set(&model->record, "index_base", "0", err));
    return model_describe(model, 0, err);
}

/* Calls learn_train, with what a checkpoint needs to know of the options. A training that was
 * stopped and has a model has succeeded: its reason goes nowhere. */
static cnm_status train(cnm_model **out, const cnm_data *data, const cnm_data *validation, const label_origin *origin,
                        const cnm_options *options, settings wanted, const cnm_model *start,
                        const cnm_callbacks *callbacks, cnm_error *err) {
    const table *held = validation != NULL ? validation->table : NULL;
    record said = {0};
    cnm_error failure;
    cnm_status status = CNM_OK;
    if (wanted.checkpoint != NULL) {
        TRY_DONE(options_said(options, &said, err));
    }
    wanted.given = &said;
    status = learn_train_validated(out, data->table, held, origin, &wanted, start, callbacks, &failure);
    if (status == CNM_CANCELLED && *out != NULL) {
        status = CNM_OK;
    } else if (status != CNM_OK && err != NULL) {
        *err = failure;
    }
done:
    record_free(&said);
    return status;
}

/* Trains, and keeps what LIBSVM indices count from. */
static cnm_status train_based(cnm_model **out, const cnm_data *data, const cnm_data *validation,
                              const label_origin *origin, bool from_zero, const cnm_options *options,
                              const settings *wanted, const cnm_model *start, const cnm_callbacks *callbacks,
                              cnm_error *err) {
    TRY(train(out, data, validation, origin, options, *wanted, start, callbacks, err));
    const cnm_status status = from_zero ? keep_index_base(*out, err) : CNM_OK;
    if (status != CNM_OK) {
        model_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* Trains from the beginning; validation: NULL, or rows that only validate. */
static cnm_status train_anew(cnm_model **out, const cnm_data *data, const cnm_data *validation,
                             const cnm_options *options, const cnm_callbacks *callbacks, cnm_error *err) {
    TRY(options_check_together(options, validation != NULL, err));
    TRY(simd_check(err));
    const label_origin origin = {data->label_column, data->label_reason};
    return train_based(out, data, validation, &origin, data->index_base == INDEX_FROM_ZERO, options,
                       options_settings(options), NULL, callbacks, err);
}

/* Trains on from a model; validation: NULL, or rows that only validate. */
static cnm_status train_on(cnm_model **out, const cnm_model *model, const cnm_data *data, const cnm_data *validation,
                           const cnm_options *options, const cnm_callbacks *callbacks, cnm_error *err) {
    TRY(simd_check(err));
    settings wanted = *options_settings(options);
    if (!options_given(options, "features")) {
        wanted.features = 0; /* the model's own number, not the default */
    }
    const label_origin origin = {record_get(&model->record, "label_column"), NULL};
    return train_based(out, data, validation, &origin, api_index_base(model) == INDEX_FROM_ZERO, options, &wanted,
                       model, callbacks, err);
}

cnm_status cnm_train(cnm_model **out, const cnm_data *data, const cnm_options *options, const cnm_callbacks *callbacks,
                     cnm_error *err) {
    TRY(api_output(out, err));
    TRY(api_require(data, "data", err));
    TRY(api_check_callbacks(callbacks, err));
    return train_anew(out, data, NULL, options, callbacks, err);
}

cnm_status cnm_train_continue(cnm_model **out, const cnm_model *model, const cnm_data *data, const cnm_options *options,
                              const cnm_callbacks *callbacks, cnm_error *err) {
    TRY(api_output(out, err));
    TRY(api_require(model, "model", err));
    TRY(api_require(data, "data", err));
    TRY(api_check_callbacks(callbacks, err));
    return train_on(out, model, data, NULL, options, callbacks, err);
}

cnm_status cnm_train_validated(cnm_model **out, const cnm_model *model, const cnm_data *data,
                               const cnm_data *validation, const cnm_options *options, const cnm_callbacks *callbacks,
                               cnm_error *err) {
    TRY(api_output(out, err));
    TRY(api_require(data, "data", err));
    TRY(api_require(validation, "validation", err));
    TRY(api_check_callbacks(callbacks, err));
    if (options_given(options, "validation")) {
        return error_set(err, CNM_BAD_ARGUMENT, "--validation does not go with validation rows of their own");
    }
    return model != NULL ? train_on(out, model, data, validation, options, callbacks, err)
                         : train_anew(out, data, validation, options, callbacks, err);
}

int cnm_model_stopped(const cnm_model *model) { return record_get(&model->record, "stopped") != NULL; }

/* ---- Model files ---- */

cnm_status cnm_model_to_bytes(const cnm_model *model, void *bytes, size_t room, size_t *size, cnm_error *err) {
    unsigned char *made = NULL;
    TRY(api_require(model, "model", err));
    TRY(api_require(size, "size", err));
    if (room > 0) {
        TRY(api_require(bytes, "bytes", err));
    }
    TRY(model_to_bytes(model, &made, size, err));
    if (room >= *size && bytes != NULL) {
        memcpy(bytes, made, *size);
    }
    memory_free(made);
    return CNM_OK;
}

cnm_status cnm_model_from_bytes(cnm_model **out, const void *bytes, size_t size, cnm_error *err) {
    unsigned char *aligned = NULL;
    TRY(api_output(out, err));
    TRY(api_require(bytes, "bytes", err));
    TRY(simd_check(err));
    TRY(memory_take(&aligned, size, 1, "a model", err));
    memcpy(aligned, bytes, size);
    const cnm_status status = model_from_bytes(out, aligned, size, "the model", err);
    memory_free(aligned);
    return status;
}

cnm_status cnm_model_load(cnm_model **out, const char *path, cnm_error *err) {
    unsigned char *bytes = NULL;
    size_t size;
    TRY(api_output(out, err));
    TRY(api_require(path, "path", err));
    TRY(simd_check(err));
    TRY(file_read_all(path, 0, &bytes, &size, err));
    const cnm_status status = model_from_bytes(out, bytes, size, path, err);
    memory_free(bytes);
    return status;
}

static cnm_status write_bytes(const char *path, const unsigned char *bytes, size_t size, cnm_error *err) {
    file_writer *file;
    TRY(file_create(&file, path, err));
    const cnm_status status = file_write(file, bytes, size, err);
    if (status != CNM_OK) {
        file_abandon(file);
        return status;
    }
    return file_commit(file, err);
}

cnm_status cnm_model_save(const cnm_model *model, const char *path, cnm_error *err) {
    unsigned char *bytes = NULL;
    size_t size;
    TRY(api_require(model, "model", err));
    TRY(api_require(path, "path", err));
    TRY(model_to_bytes(model, &bytes, &size, err));
    const cnm_status status = write_bytes(path, bytes, size, err);
    memory_free(bytes);
    return status;
}

void cnm_model_destroy(cnm_model *model) { model_destroy(model); }

size_t cnm_model_features(const cnm_model *model) { return model->map->features; }
size_t cnm_model_outputs(const cnm_model *model) { return model->outputs; }
size_t cnm_model_classes(const cnm_model *model) { return model->classes.count; }
const char *cnm_model_label(const cnm_model *model, size_t i) {
    return i < model->classes.count ? model->classes.labels[i] : NULL;
}

int cnm_model_describe(const cnm_model *model, size_t i, const char **key, const char **value) {
    if (i >= model->description.count) {
        return 0;
    }
    *key = model->description.entries[i].key;
    *value = model->description.entries[i].value;
    return 1;
}

int cnm_model_history(const cnm_model *model, size_t i, const char **phase, uint64_t *step, uint64_t *total,
                      double *loss, double *validation) {
    if (i >= model->history.count) {
        return 0;
    }
    const history_point *point = &model->history.points[i];
    if (phase != NULL) {
        *phase = point->phase;
    }
    if (step != NULL) {
        *step = point->step;
    }
    if (total != NULL) {
        *total = point->total;
    }
    if (loss != NULL) {
        *loss = point->loss;
    }
    if (validation != NULL) {
        *validation = point->validation;
    }
    return 1;
}

int32_t cnm_model_decide(const cnm_model *model, const float *scores) { return model_decide(model, scores); }

/* ---- Prediction ---- */

static cnm_status check_prediction(const cnm_model *model, const cnm_data *data, const void *out, cnm_error *err) {
    TRY(api_require(model, "model", err));
    TRY(api_require(data, "data", err));
    return api_require(out, "the output array", err);
}

cnm_status cnm_predict_scores(const cnm_model *model, const cnm_data *data, size_t threads, float *scores,
                              cnm_error *err) {
    TRY(check_prediction(model, data, scores, err));
    return model_table_scores(model, data->table, threads, scores, err);
}

/* *scores = a new array (rows, outputs) with the scores. */
static cnm_status make_scores(const cnm_model *model, const cnm_data *data, size_t threads, float **scores,
                              cnm_error *err) {
    size_t cells;
    if (!size_multiply(data->table->rows, model->outputs, &cells)) {
        cells = SIZE_MAX;
    }
    TRY(memory_take(scores, cells, sizeof **scores, "scores", err));
    const cnm_status status = cnm_predict_scores(model, data, threads, *scores, err);
    if (status != CNM_OK) {
        memory_free(*scores);
        *scores = NULL;
    }
    return status;
}

cnm_status cnm_predict_classes(const cnm_model *model, const cnm_data *data, size_t threads, int32_t *classes,
                               cnm_error *err) {
    float *scores;
    TRY(check_prediction(model, data, classes, err));
    if (model->task != TASK_CLASSIFY) {
        return error_set(err, CNM_BAD_ARGUMENT, "this model does not predict classes: use cnm_predict_scores");
    }
    TRY(make_scores(model, data, threads, &scores, err));
    for (size_t i = 0; i < data->table->rows; i++) {
        classes[i] = model_decide(model, scores + i * model->outputs);
    }
    memory_free(scores);
    return CNM_OK;
}

cnm_status cnm_model_probabilities(const cnm_model *model, const float *scores, size_t rows, double *probabilities,
                                   cnm_error *err) {
    probability_rule rule;
    TRY(api_require(model, "model", err));
    TRY(api_require(scores, "scores", err));
    TRY(api_require(probabilities, "the output array", err));
    TRY(probability_rule_create(&rule, model, err));
    for (size_t i = 0; i < rows; i++) {
        probability_row(&rule, scores + i * rule.outputs, probabilities + i * rule.classes);
    }
    return CNM_OK;
}

cnm_status cnm_predict_probabilities(const cnm_model *model, const cnm_data *data, size_t threads,
                                     double *probabilities, cnm_error *err) {
    float *scores;
    probability_rule rule;
    TRY(check_prediction(model, data, probabilities, err));
    TRY(probability_rule_create(&rule, model, err));
    TRY(make_scores(model, data, threads, &scores, err));
    const cnm_status status = cnm_model_probabilities(model, scores, data->table->rows, probabilities, err);
    memory_free(scores);
    return status;
}

cnm_status cnm_transform(const cnm_model *model, const cnm_data *data, size_t threads, float *z, cnm_error *err) {
    TRY(check_prediction(model, data, z, err));
    return model_table_transform(model, data->table, threads, z, err);
}

/* ---- Evaluation ---- */

cnm_status cnm_evaluation_create(cnm_evaluation **out, const cnm_model *model, int keep_scores, cnm_error *err) {
    TRY(api_output(out, err));
    TRY(api_require(model, "model", err));
    return evaluation_create(out, model, keep_scores != 0, err);
}

cnm_status cnm_evaluation_add(cnm_evaluation *self, const cnm_data *data, const float *scores, cnm_error *err) {
    TRY(api_require(self, "evaluation", err));
    TRY(api_require(data, "data", err));
    TRY(api_require(scores, "scores", err));
    if (!data->table->labelled) {
        return error_set(err, CNM_BAD_ARGUMENT, "rows without labels cannot be evaluated");
    }
    return evaluation_add(self, &data->table->labels, scores, err);
}

cnm_status cnm_evaluation_get(const cnm_evaluation *self, const char *name, double *value, cnm_error *err) {
    TRY(api_require(self, "evaluation", err));
    TRY(api_require(name, "name", err));
    TRY(api_require(value, "value", err));
    if (!evaluation_knows(name)) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "no metric \"%.40s\": there are rows, correct, unknown, accuracy, balanced, auc, f1, logloss, "
                         "calibration, mse, rmse, mae and r2",
                         name);
    }
    *value = evaluation_get(self, name);
    return CNM_OK;
}

uint64_t cnm_evaluation_count(const cnm_evaluation *self, size_t truth, size_t predicted) {
    const size_t classes = self->model->classes.count;
    return truth < classes && predicted < classes ? self->confusion[truth * classes + predicted] : 0;
}

/* Returns how many bytes of the caller's structure the library fills. */
static size_t filled_size(size_t callers, size_t own) { return callers < own ? callers : own; }

cnm_status cnm_holdout_score(const cnm_model *model, const cnm_data *train, const cnm_data *held, size_t threads,
                             cnm_holdout *out, cnm_error *err) {
    holdout_score found;
    TRY(api_require(model, "model", err));
    TRY(api_require(train, "train", err));
    TRY(api_require(held, "held", err));
    TRY(api_require(out, "out", err));
    if (model->task == TASK_MAP) {
        return error_set(err, CNM_BAD_ARGUMENT, "a map without a head predicts nothing that could be scored");
    }
    TRY(holdout_score_create(&found, model, train->table, held->table, NULL, threads, err));
    const cnm_holdout known = {out->struct_size, found.measure->name, found.rows,
                               found.value,      found.error,         found.baseline};
    memcpy(out, &known, filled_size(out->struct_size, sizeof known));
    holdout_score_free(&found);
    return CNM_OK;
}

void cnm_evaluation_destroy(cnm_evaluation *self) { evaluation_destroy(self); }
