/* Training, model files, prediction and evaluation: arguments checked, then the rooms called. */
#include <math.h>
#include <string.h>

#include "api/api_objects.h"
#include "api/options.h"
#include "base/core/error.h"
#include "base/file/file.h"
#include "base/core/memory.h"
#include "learn/train/train.h"
#include "math/simd/simd_dispatch.h"
#include "model/evaluate.h"
#include "model/probability.h"

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *cnm_version(void) { return VERSION_TEXT(CNM_VERSION_MAJOR, CNM_VERSION_MINOR, CNM_VERSION_PATCH); }

const char *cnm_status_text(cnm_status status) {
    static const char *const TEXTS[] = {
        "success",           "bad argument",  "out of memory",       "input or output failed",
        "not in its format", "unusable data", "not in this version", "stopped as asked"};
    return (size_t)status < sizeof TEXTS / sizeof TEXTS[0] ? TEXTS[status] : "unknown status";
}

/* Files for a model of zero-based rows count from 0 too, even where index 0 does not occur. status: of the training. */
static cnm_status keep_index_base(cnm_model **model, bool from_zero, cnm_status status, cnm_error *err) {
    if (*model == NULL || !from_zero) {
        return status;
    }
    cnm_status kept = record_set(&(*model)->record, "index_base", "0", err);
    kept = kept == CNM_OK ? model_describe(*model, 0, err) : kept;
    if (kept != CNM_OK) {
        model_destroy(*model);
        *model = NULL;
        return kept;
    }
    return status;
}

/* learn_train, with what a checkpoint needs to know of the options. */
static cnm_status train(cnm_model **out, const cnm_data *data, const char *label_name, const cnm_options *options,
                        settings wanted, const cnm_model *start, const cnm_callbacks *callbacks, cnm_error *err) {
    record said = {0};
    cnm_status status = wanted.checkpoint == NULL ? CNM_OK : options_said(options, &said, err);
    wanted.said = &said;
    if (status == CNM_OK) {
        status = learn_train(out, data->table, label_name, &wanted, start, callbacks, err);
    }
    record_free(&said);
    return status;
}

cnm_status cnm_train(cnm_model **out, const cnm_data *data, const cnm_options *options, const cnm_callbacks *callbacks,
                     cnm_error *err) {
    if (out == NULL) {
        return api_require(out, "out", err);
    }
    *out = NULL;
    cnm_status status = api_require(data, "data", err);
    status = status == CNM_OK ? cnm_options_check(options, err) : status;
    status = status == CNM_OK ? kernels_check(err) : status;
    if (status != CNM_OK) {
        return status;
    }
    status = train(out, data, data->label_column, options, *options_settings(options), NULL, callbacks, err);
    return keep_index_base(out, data->index_base == INDEX_FROM_ZERO, status, err);
}

cnm_status cnm_train_more(cnm_model **out, const cnm_model *model, const cnm_data *data, const cnm_options *options,
                          const cnm_callbacks *callbacks, cnm_error *err) {
    if (out == NULL) {
        return api_require(out, "out", err);
    }
    *out = NULL;
    cnm_status status = api_require(model, "model", err);
    status = status == CNM_OK ? api_require(data, "data", err) : status;
    status = status == CNM_OK ? kernels_check(err) : status;
    if (status != CNM_OK) {
        return status;
    }
    const char *label_name = record_get(&model->record, "label_column");
    settings wanted = *options_settings(options);
    if (!options_given(options, "features")) {
        wanted.features = 0; /* the model's own number, not the default */
    }
    status = train(out, data, label_name, options, wanted, model, callbacks, err);
    return keep_index_base(out, api_index_base(model) == INDEX_FROM_ZERO, status, err);
}

cnm_status cnm_model_to_bytes(const cnm_model *model, void *bytes, size_t room, size_t *size, cnm_error *err) {
    unsigned char *made = NULL;
    cnm_status status = api_require(model, "model", err);
    status = status == CNM_OK ? api_require(size, "size", err) : status;
    status = status == CNM_OK && room > 0 ? api_require(bytes, "bytes", err) : status;
    status = status == CNM_OK ? model_to_bytes(model, &made, size, err) : status;
    if (status == CNM_OK && room >= *size && bytes != NULL) {
        memcpy(bytes, made, *size);
    }
    memory_free(made);
    return status;
}

cnm_status cnm_model_from_bytes(cnm_model **out, const void *bytes, size_t size, cnm_error *err) {
    unsigned char *aligned = NULL;
    if (out == NULL) {
        return api_require(out, "out", err);
    }
    *out = NULL;
    cnm_status status = api_require(bytes, "bytes", err);
    status = status == CNM_OK ? kernels_check(err) : status;
    status = status == CNM_OK ? memory_take(&aligned, size, 1, "a model", err) : status;
    if (status == CNM_OK) {
        memcpy(aligned, bytes, size);
        status = model_from_bytes(out, aligned, size, "the model", err);
    }
    memory_free(aligned);
    return status;
}

cnm_status cnm_model_load(cnm_model **out, const char *path, cnm_error *err) {
    unsigned char *bytes = NULL;
    size_t size;
    if (out == NULL) {
        return api_require(out, "out", err);
    }
    *out = NULL;
    cnm_status status = api_require(path, "path", err);
    status = status == CNM_OK ? kernels_check(err) : status;
    if (status == CNM_OK) {
        status = file_read_all(path, 0, &bytes, &size, err);
    }
    if (status == CNM_OK) {
        status = model_from_bytes(out, bytes, size, path, err);
    }
    memory_free(bytes);
    return status;
}

cnm_status cnm_model_save(const cnm_model *model, const char *path, cnm_error *err) {
    unsigned char *bytes = NULL;
    size_t size;
    file_writer *file;
    cnm_status status = api_require(model, "model", err);
    status = status == CNM_OK ? api_require(path, "path", err) : status;
    if (status == CNM_OK) {
        status = model_to_bytes(model, &bytes, &size, err);
    }
    if (status == CNM_OK) {
        status = file_create(&file, path, err);
    }
    if (status == CNM_OK) {
        status = file_write(file, bytes, size, err);
        if (status == CNM_OK) {
            status = file_commit(file, err);
        } else {
            file_abandon(file);
        }
    }
    memory_free(bytes);
    return status;
}

void cnm_model_destroy(cnm_model *model) { model_destroy(model); }

size_t cnm_model_columns(const cnm_model *model) { return model->input.columns; }
size_t cnm_model_features(const cnm_model *model) { return model->map->features; }
size_t cnm_model_outputs(const cnm_model *model) { return model->outputs; }
size_t cnm_model_classes(const cnm_model *model) { return model->classes.count; }
const char *cnm_model_label(const cnm_model *model, size_t i) {
    return i < model->classes.count ? model->classes.labels[i] : NULL;
}

const char *cnm_model_name(const cnm_model *model, size_t i) {
    return model->names != NULL && i < model->input.columns ? model->names[i] : NULL;
}

int cnm_model_describe(const cnm_model *model, size_t i, const char **key, const char **value) {
    if (i >= model->description.count) {
        return 0;
    }
    *key = model->description.entries[i].key;
    *value = model->description.entries[i].value;
    return 1;
}

int32_t cnm_model_decide(const cnm_model *model, const float *scores) { return model_decide(model, scores); }

/* ---- Prediction ---- */

static cnm_status check_prediction(const cnm_model *model, const cnm_data *data, const void *out, cnm_error *err) {
    cnm_status status = api_require(model, "model", err);
    status = status == CNM_OK ? api_require(data, "data", err) : status;
    return status == CNM_OK ? api_require(out, "the output array", err) : status;
}

cnm_status cnm_predict_scores(const cnm_model *model, const cnm_data *data, size_t threads, float *scores,
                              cnm_error *err) {
    const cnm_status status = check_prediction(model, data, scores, err);
    if (status != CNM_OK) {
        return status;
    }
    const rows_view rows = table_view(data->table);
    return model_scores(model, &rows, threads, scores, err);
}

cnm_status cnm_predict_classes(const cnm_model *model, const cnm_data *data, size_t threads, int32_t *classes,
                               cnm_error *err) {
    cnm_status status = check_prediction(model, data, classes, err);
    if (status == CNM_OK && model->task != TASK_CLASSIFY) {
        status = error_set(err, CNM_BAD_ARGUMENT, "this model does not predict classes: use cnm_predict_scores");
    }
    if (status != CNM_OK) {
        return status;
    }
    float *scores;
    size_t cells;
    if (!size_multiply(data->table->rows, model->outputs, &cells)) {
        cells = SIZE_MAX;
    }
    status = memory_take(&scores, cells, sizeof *scores, "scores", err);
    if (status == CNM_OK) {
        status = cnm_predict_scores(model, data, threads, scores, err);
    }
    for (size_t i = 0; status == CNM_OK && i < data->table->rows; i++) {
        classes[i] = model_decide(model, scores + i * model->outputs);
    }
    memory_free(scores);
    return status;
}

cnm_status cnm_model_probabilities(const cnm_model *model, const float *scores, size_t rows, double *probabilities,
                                   cnm_error *err) {
    probability_rule rule;
    cnm_status status = api_require(model, "model", err);
    status = status == CNM_OK ? api_require(scores, "scores", err) : status;
    status = status == CNM_OK ? api_require(probabilities, "the output array", err) : status;
    status = status == CNM_OK ? probability_rule_create(&rule, model, err) : status;
    for (size_t i = 0; status == CNM_OK && i < rows; i++) {
        probability_row(&rule, scores + i * rule.outputs, probabilities + i * rule.classes);
    }
    return status;
}

cnm_status cnm_predict_probabilities(const cnm_model *model, const cnm_data *data, size_t threads,
                                     double *probabilities, cnm_error *err) {
    float *scores = NULL;
    size_t cells;
    probability_rule rule;
    cnm_status status = check_prediction(model, data, probabilities, err);
    status = status == CNM_OK ? probability_rule_create(&rule, model, err) : status;
    if (status != CNM_OK) {
        return status;
    }
    if (!size_multiply(data->table->rows, model->outputs, &cells)) {
        cells = SIZE_MAX;
    }
    status = memory_take(&scores, cells, sizeof *scores, "scores", err);
    if (status == CNM_OK) {
        status = cnm_predict_scores(model, data, threads, scores, err);
    }
    if (status == CNM_OK) {
        status = cnm_model_probabilities(model, scores, data->table->rows, probabilities, err);
    }
    memory_free(scores);
    return status;
}

cnm_status cnm_transform(const cnm_model *model, const cnm_data *data, size_t threads, float *z, cnm_error *err) {
    const cnm_status status = check_prediction(model, data, z, err);
    if (status != CNM_OK) {
        return status;
    }
    const rows_view rows = table_view(data->table);
    return model_transform(model, &rows, threads, z, err);
}

/* ---- Evaluation ---- */

cnm_status cnm_evaluation_create(cnm_evaluation **out, const cnm_model *model, int keep_scores, cnm_error *err) {
    if (out == NULL) {
        return api_require(out, "out", err);
    }
    *out = NULL;
    const cnm_status status = api_require(model, "model", err);
    return status == CNM_OK ? evaluation_create(out, model, keep_scores != 0, err) : status;
}

cnm_status cnm_evaluation_add(cnm_evaluation *self, const cnm_data *data, const float *scores, cnm_error *err) {
    cnm_status status = api_require(self, "evaluation", err);
    status = status == CNM_OK ? api_require(data, "data", err) : status;
    status = status == CNM_OK ? api_require(scores, "scores", err) : status;
    if (status == CNM_OK && !data->table->labelled) {
        status = error_set(err, CNM_BAD_ARGUMENT, "rows without labels cannot be evaluated");
    }
    return status == CNM_OK ? evaluation_add(self, &data->table->labels, scores, err) : status;
}

double cnm_evaluation_get(const cnm_evaluation *self, const char *name) { return evaluation_get(self, name); }

uint64_t cnm_evaluation_count(const cnm_evaluation *self, size_t truth, size_t predicted) {
    const size_t classes = self->model->classes.count;
    return truth < classes && predicted < classes ? self->confusion[truth * classes + predicted] : 0;
}

void cnm_evaluation_destroy(cnm_evaluation *self) { evaluation_destroy(self); }
