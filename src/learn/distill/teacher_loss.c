/* What a teacher adds to a loss.
 *
 *   classes   (1 - a) CE(label, softmax(s)) + a T^2 CE(p, softmax(s / T)),   p_j ~ (the teacher's probability of class j)^(1 / T)
 *   numbers   (1 - a) L(s, label) + a L(s, the teacher's number)
 *
 * CE is the cross-entropy; T^2 keeps the slopes of the second term as large as those of the first (Hinton, Vinyals and Dean 2015). */
#include "learn/distill/teacher_loss.h"

#include <string.h>

#include "base/core/error.h"
#include "base/file/file.h"
#include "base/core/memory.h"
#include "learn/distill/soft_labels.h"
#include "math/elementary/elementary.h"
#include "model/model.h"
#include "model/probability.h"

static const double SHARE = 0.5, TEMPERATURE = 2.0; /* a, T */

struct teacher {
    loss_hint hint;
    float *values; /* (rows, outputs): p, or scaled numbers */
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
        sum += entropy_row(batch->scores + i * outputs, self->values + positions[i] * outputs, outputs, TEMPERATURE,
                           share * row_weight(batch, i) * TEMPERATURE * TEMPERATURE, own);
    }
    return sum;
}

static double numbers_evaluate(const void *context, const loss_ops *loss, const loss_batch *batch,
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

static cnm_status check_names(const cnm_model *model, const problem *task, const char *path, cnm_error *err) {
    for (size_t j = 0; model->names != NULL && task->table->names != NULL && j < model->input.columns; j++) {
        if (strcmp(model->names[j], task->table->names[j]) != 0) {
            return error_set(
                err, CNM_BAD_DATA,
                "--teacher %s: its column %zu is \"%.60s\", that of the rows \"%.60s\": expected rows like "
                "those it was trained on",
                path, j + 1, model->names[j], task->table->names[j]);
        }
    }
    return CNM_OK;
}

static cnm_status check_classes(const cnm_model *model, const problem *task, const char *path, cnm_error *err) {
    bool same = model->classes.count == task->classes.count;
    for (size_t j = 0; same && j < task->classes.count; j++) {
        same = strcmp(model->classes.labels[j], task->classes.labels[j]) == 0;
    }
    return same ? CNM_OK
                : error_set(err, CNM_BAD_DATA,
                            "--teacher %s: its %zu classes are not the %zu of the rows: expected the same labels", path,
                            model->classes.count, task->classes.count);
}

static cnm_status check_teacher(const cnm_model *model, const problem *task, const char *path, cnm_error *err) {
    if (model->task != task->task || model->outputs == 0) {
        return error_set(err, CNM_BAD_DATA, "--teacher %s: it predicts %s, but here are %s to learn", path,
                         model->task == TASK_CLASSIFY  ? "classes"
                         : model->task == TASK_REGRESS ? "numbers"
                                                       : "nothing",
                         task->task == TASK_CLASSIFY ? "classes" : "numbers");
    }
    if (task->task == TASK_CLASSIFY && strcmp(task->loss->name, "softmax") != 0) {
        return error_set(err, CNM_BAD_ARGUMENT, "--teacher %s: its probabilities need --loss softmax, not %s", path,
                         task->loss->name);
    }
    if (model->input.columns != task->rows.columns) {
        return error_set(err, CNM_BAD_DATA, "--teacher %s: it expects %zu columns, the rows have %zu", path,
                         model->input.columns, task->rows.columns);
    }
    const cnm_status status = check_names(model, task, path, err);
    return status == CNM_OK && task->task == TASK_CLASSIFY ? check_classes(model, task, path, err) : status;
}

/* values (classes) = the teacher's probabilities at a temperature; they are overwritten. */
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

static cnm_status take_classes(teacher *self, const cnm_model *model, const problem *task, const float *scores,
                               cnm_error *err) {
    probability_rule rule;
    double *row = NULL;
    cnm_status status = probability_rule_create(&rule, model, err);
    status = status == CNM_OK ? memory_take(&row, task->classes.count, sizeof *row, "probabilities", err) : status;
    for (size_t i = 0; status == CNM_OK && i < task->rows.rows; i++) {
        probability_row(&rule, scores + i * rule.outputs, row);
        soften(row, task->classes.count, self->values + i * self->outputs);
    }
    memory_free(row);
    return status;
}

static void take_numbers(teacher *self, const problem *task, const float *scores) {
    for (size_t i = 0; i < task->rows.rows; i++) {
        self->values[i] = (float)(((double)scores[i] - task->target_mean) / task->target_scale);
    }
}

static cnm_status ask(teacher *self, const cnm_model *model, const problem *task, cnm_error *err) {
    const size_t rows = task->rows.rows;
    float *scores = NULL;
    self->outputs = task->outputs;
    self->features = model->map->features;
    cnm_status status = memory_take(&self->values, rows, self->outputs * sizeof *self->values, "a teacher", err);
    status = status == CNM_OK ? memory_take(&scores, rows, model->outputs * sizeof *scores, "scores", err) : status;
    status = status == CNM_OK ? model_scores(model, &task->rows, (size_t)task->settings->threads, scores, err) : status;
    if (status == CNM_OK && task->task == TASK_CLASSIFY) {
        status = take_classes(self, model, task, scores, err);
    } else if (status == CNM_OK) {
        take_numbers(self, task, scores);
    }
    self->hint = (loss_hint){task->task == TASK_CLASSIFY ? classes_evaluate : numbers_evaluate, self};
    memory_free(scores);
    return status;
}

static cnm_status load(const char *path, cnm_model **out, cnm_error *err) {
    unsigned char *bytes = NULL;
    size_t size;
    cnm_status status = file_read_all(path, 0, &bytes, &size, err);
    status = status == CNM_OK ? model_from_bytes(out, bytes, size, path, err) : status;
    memory_free(bytes);
    return status;
}

cnm_status teacher_create(teacher **out, problem *task, cnm_error *err) {
    const char *path = task->settings->teacher;
    cnm_model *model = NULL;
    *out = NULL;
    if (path == NULL) {
        return CNM_OK;
    }
    cnm_status status = load(path, &model, err);
    status = status == CNM_OK ? check_teacher(model, task, path, err) : status;
    status = status == CNM_OK ? memory_zeroed(out, 1, sizeof **out, "a teacher", err) : status;
    status = status == CNM_OK ? ask(*out, model, task, err) : status;
    model_destroy(model);
    if (status != CNM_OK) {
        teacher_destroy(*out);
        *out = NULL;
        return status;
    }
    task->hint = &(*out)->hint;
    return CNM_OK;
}

void teacher_destroy(teacher *self) {
    if (self != NULL) {
        memory_free(self->values);
        memory_free(self);
    }
}

size_t teacher_features(const teacher *self) { return self->features; }
