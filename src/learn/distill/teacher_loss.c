/* The loss with a teacher (Hinton, Vinyals and Dean 2015):
 *
 *   classification   (1 - a) CE(label, softmax(s)) + a T^2 CE(p, softmax(s / T)),
 *                    p_j ~ (the teacher's probability of class j)^(1 / T)
 *   regression       (1 - a) L(s, target) + a L(s, the teacher's prediction)
 *
 * CE is the cross-entropy; T^2 makes the gradients of the second term as large as those of the
 * first. */
#include "learn/distill/teacher_loss.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/file.h"
#include "learn/distill/soft_labels.h"
#include "math/elementary/elementary.h"
#include "model/model.h"
#include "model/model_columns.h"
#include "model/probability.h"

static const double SHARE = 0.5, TEMPERATURE = 2.0; /* a, T */

struct teacher {
    loss_hint hint;
    float *values; /* (rows, outputs): p, or scaled predictions */
    size_t outputs, features;
};

/* ---- The loss ---- */

static double row_weight(const loss_batch *batch, size_t row) {
    return batch->weights == NULL ? 1.0 : (double)batch->weights[row];
}

static double classes_evaluate(const void *context, const loss_ops *loss, const loss_batch *batch,
                               const size_t *positions, float *slope) {
    const teacher *self = context;
    const size_t outputs = batch->outputs;
    const double share = SHARE;
    double sum = (1.0 - share) * loss->evaluate(batch, slope);
    for (size_t i = 0; i < batch->rows; i++) {
        float *own = slope + i * outputs;
        for (size_t j = 0; j < outputs; j++) {
            own[j] *= (float)(1.0 - share);
        }
        sum += soft_cross_entropy(batch->scores + i * outputs, self->values + positions[i] * outputs, outputs,
                                  TEMPERATURE, share * row_weight(batch, i) * TEMPERATURE * TEMPERATURE, own);
    }
    return sum;
}

static double regression_evaluate(const void *context, const loss_ops *loss, const loss_batch *batch,
                                  const size_t *positions, float *slope) {
    const teacher *self = context;
    const double share = SHARE;
    double sum = (1.0 - share) * loss->evaluate(batch, slope);
    for (size_t i = 0; i < batch->rows; i++) {
        loss_batch one = *batch;
        float other;
        one.rows = 1;
        one.scores += i;
        one.targets = self->values + positions[i];
        one.weights = batch->weights == NULL ? NULL : batch->weights + i;
        sum += share * loss->evaluate(&one, &other);
        slope[i] = (float)((1.0 - share) * (double)slope[i] + share * (double)other);
    }
    return sum;
}

/* ---- The teacher ---- */

/* Returns the rows as the teacher may know them. */
static const table *rows_of(const dataset *data) { return data->columns != NULL ? data->columns : data->table; }

static cnm_status check_classes(const cnm_model *model, const dataset *data, const char *path, cnm_error *err) {
    bool same = model->classes.count == data->classes.count;
    for (size_t j = 0; same && j < data->classes.count; j++) {
        same = strcmp(model->classes.labels[j], data->classes.labels[j]) == 0;
    }
    return same ? CNM_OK
                : error_set(err, CNM_BAD_DATA,
                            "--teacher %s: its %zu classes are not the %zu of the rows: expected the same labels", path,
                            model->classes.count, data->classes.count);
}

static cnm_status check_teacher(const cnm_model *model, const dataset *data, const char *path, cnm_error *err) {
    if (model->task != data->task || model->outputs == 0) {
        return error_set(err, CNM_BAD_DATA, "--teacher %s: it predicts %s, but here are %s to learn", path,
                         model->task == TASK_CLASSIFY  ? "classes"
                         : model->task == TASK_REGRESS ? "regression targets"
                                                       : "nothing",
                         data->task == TASK_CLASSIFY ? "classes" : "regression targets");
    }
    if (data->task == TASK_CLASSIFY && !data->loss->soft_targets) {
        return error_set(err, CNM_BAD_ARGUMENT, "--teacher %s: its probabilities need --loss softmax, not %s", path,
                         data->loss->name);
    }
    bool encode;
    const cnm_status fits = model_check_table(model, rows_of(data), &encode, err);
    if (fits != CNM_OK) {
        return error_prefix(err, fits == CNM_BAD_ARGUMENT ? CNM_BAD_DATA : fits, "--teacher %s", path);
    }
    return data->task == TASK_CLASSIFY ? check_classes(model, data, path, err) : CNM_OK;
}

/* Fills values (classes) with the teacher's probabilities at the temperature; overwrites the
 * probabilities. */
static void soften(double *probabilities, size_t classes, float *values) {
    double sum = 0.0;
    for (size_t j = 0; j < classes; j++) {
        const double given = probabilities[j];
        probabilities[j] = given > 0.0 ? elementary_exp(elementary_log(given) / TEMPERATURE) : 0.0;
        sum += probabilities[j];
    }
    for (size_t j = 0; j < classes; j++) {
        values[j] = (float)(probabilities[j] / sum);
    }
}

static cnm_status fill_probabilities(teacher *self, const cnm_model *model, const dataset *data, const float *scores,
                                     cnm_error *err) {
    probability_rule rule;
    double *row = NULL;
    TRY(probability_rule_create(&rule, model, err));
    TRY(memory_take(&row, data->classes.count, sizeof *row, "probabilities", err));
    for (size_t i = 0; i < data->rows.rows; i++) {
        probability_row(&rule, scores + i * rule.outputs, row);
        soften(row, data->classes.count, self->values + i * self->outputs);
    }
    memory_free(row);
    return CNM_OK;
}

static void fill_predictions(teacher *self, const dataset *data, const float *scores) {
    for (size_t i = 0; i < data->rows.rows; i++) {
        self->values[i] = (float)(((double)scores[i] - data->target_mean) / data->target_scale);
    }
}

/* Fills the teacher's predictions for all rows. */
static cnm_status predict_rows(teacher *self, const cnm_model *model, const dataset *data, cnm_error *err) {
    const size_t rows = data->rows.rows;
    const bool classes = data->task == TASK_CLASSIFY;
    float *scores = NULL;
    cnm_status status = CNM_OK;
    self->outputs = data->outputs;
    self->features = model->map->features;
    self->hint = (loss_hint){classes ? classes_evaluate : regression_evaluate, self};
    TRY_DONE(memory_take(&self->values, rows, self->outputs * sizeof *self->values, "a teacher", err));
    TRY_DONE(memory_take(&scores, rows, model->outputs * sizeof *scores, "scores", err));
    TRY_DONE(model_table_scores(model, rows_of(data), (size_t)data->settings->threads, scores, err));
    if (classes) {
        TRY_DONE(fill_probabilities(self, model, data, scores, err));
    } else {
        fill_predictions(self, data, scores);
    }
done:
    memory_free(scores);
    return status;
}

static cnm_status load(const char *path, cnm_model **out, cnm_error *err) {
    unsigned char *bytes;
    size_t size;
    TRY(file_read_all(path, 0, &bytes, &size, err));
    const cnm_status status = model_from_bytes(out, bytes, size, path, err);
    memory_free(bytes);
    return status;
}

cnm_status teacher_create(teacher **out, dataset *data, cnm_error *err) {
    const char *path = data->settings->teacher;
    cnm_model *model = NULL;
    cnm_status status = CNM_OK;
    *out = NULL;
    if (path == NULL) {
        return CNM_OK;
    }
    TRY_DONE(load(path, &model, err));
    TRY_DONE(check_teacher(model, data, path, err));
    TRY_DONE(memory_zeroed(out, 1, sizeof **out, "a teacher", err));
    TRY_DONE(predict_rows(*out, model, data, err));
    data->hint = &(*out)->hint;
done:
    model_destroy(model);
    if (status != CNM_OK) {
        teacher_destroy(*out);
        *out = NULL;
    }
    return status;
}

void teacher_destroy(teacher *self) {
    if (self != NULL) {
        memory_free(self->values);
        memory_free(self);
    }
}

size_t teacher_features(const teacher *self) { return self->features; }
