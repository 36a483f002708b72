/* Turns a table and settings into a data set, in steps: task, loss, rows, labels, weights. */
#include "learn/dataset/dataset.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "data/scale/scaling.h"
#include "learn/dataset/targets.h"
#include "learn/objective/class_weights.h"
#include "learn/objective/losses.h"

/* ---- Task and loss ---- */

static cnm_status choose_task(dataset *self, cnm_error *err) {
    const int wanted = self->settings->task;
    if (wanted == WANT_MAP) {
        self->task = TASK_MAP;
        return CNM_OK;
    }
    if (!self->table->labelled) {
        return error_set(
            err, CNM_BAD_DATA,
            "the rows have no labels: name their column with --label-column, give --labels FILE, or use --task map");
    }
    bool unsure;
    const task_kind guess = task_guess(&self->table->labels, &unsure);
    self->task = wanted == WANT_CLASSIFY ? TASK_CLASSIFY : wanted == WANT_REGRESS ? TASK_REGRESS : guess;
    if (wanted == WANT_AUTO && unsure) {
        notice_send(self->callbacks,
                    guess == TASK_CLASSIFY
                        ? "the labels are many whole numbers, taken for classes: --task regress takes them for numbers"
                        : "the labels are many whole numbers, some in one row only, taken for numbers: --task "
                          "classify takes them for classes");
    }
    if (self->task == TASK_REGRESS && self->table->labels.words.texts != NULL) {
        return error_set(err, CNM_BAD_DATA, "--task regress needs numbers as labels, found the word \"%.60s\"",
                         self->table->labels.words.texts[0]);
    }
    return CNM_OK;
}

/* Returns the loss for --loss auto: hinge for classification with a head trained alone, softmax
 * with joint training, squared for regression. */
static const char *default_loss(const dataset *self) {
    const bool joint = self->settings->method == METHOD_CNM && self->settings->recipe == RECIPE_JOINT;
    return self->task == TASK_REGRESS ? "squared" : joint ? "softmax" : "hinge";
}

static cnm_status choose_loss(dataset *self, cnm_error *err) {
    size_t count;
    const loss_ops *const *losses = loss_table(&count);
    if (self->task == TASK_MAP) {
        return CNM_OK;
    }
    self->loss = self->settings->loss > 0 ? losses[self->settings->loss - 1] : loss_find(default_loss(self));
    if (self->task == TASK_REGRESS && self->settings->method == METHOD_CNM &&
        self->settings->recipe == RECIPE_ALTERNATING) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "--recipe alternating is for classification, and these labels are numbers: use --recipe "
                         "joint, or --task classify");
    }
    if (self->loss->task != self->task) {
        return error_set(err, CNM_BAD_ARGUMENT, "--loss %s is for %s, but the task is %s", self->loss->name,
                         self->loss->task == TASK_CLASSIFY ? "classes" : "regression",
                         self->task == TASK_CLASSIFY ? "classification" : "regression");
    }
    return CNM_OK;
}

/* ---- Labels ---- */

/* Fails where labels are none of the classes. */
static cnm_status fail_unknown(const dataset *self, size_t unknown, cnm_error *err) {
    return error_set(err, CNM_BAD_DATA,
                     self->start == NULL ? "%zu validation rows have labels that no training row has"
                                         : "%zu rows have labels that the model does not know",
                     unknown);
}

static cnm_status take_classes(dataset *self, cnm_error *err) {
    const label_column *labels = &self->table->labels, training = dataset_labels(self);
    const bool known = self->start != NULL && self->start->classes.count > 0;
    size_t unknown = 0;
    TRY(known ? classes_copy(&self->classes, &self->start->classes, err)
              : classes_create(&self->classes, &training, err));
    if (self->classes.count < 2) {
        return error_set(err, CNM_BAD_DATA,
                         "all %zu rows have the same label \"%.60s\": at least two classes are needed", training.rows,
                         self->classes.count == 1 ? self->classes.labels[0] : "");
    }
    TRY(memory_take(&self->codes, labels->rows, sizeof *self->codes, "labels", err));
    TRY(classes_encode(&self->classes, labels, self->codes, &unknown, err));
    if (unknown > 0) {
        return fail_unknown(self, unknown, err);
    }
    self->outputs = self->loss->outputs(self->classes.count);
    return CNM_OK;
}

bool dataset_balances_classes(const dataset *self) {
    return self->task == TASK_CLASSIFY && self->settings->class_weight == NULL &&
           self->settings->metric == METRIC_BALANCED && loss_has_margins(self->loss);
}

/* Takes *out (classes) and fills it with the class weights, or leaves NULL where there are none. */
static cnm_status take_class_weights(const dataset *self, double **out, cnm_error *err) {
    const char *text = dataset_balances_classes(self) ? "balanced" : self->settings->class_weight;
    if (text == NULL || strcmp(text, "none") == 0) {
        return CNM_OK;
    }
    if (self->task != TASK_CLASSIFY) {
        return error_set(err, CNM_BAD_ARGUMENT, "--class-weight needs classes, and this task has none");
    }
    TRY(memory_take(out, self->classes.count, sizeof **out, "class weights", err));
    return class_weights_read(text, &self->classes, self->codes, self->rows.rows, *out, err);
}

/* Fills weights with each row's weight times the weight of its class, scaled to mean 1. */
static cnm_status take_weights(dataset *self, cnm_error *err) {
    const float *given = self->table->weights;
    const size_t rows = self->rows.rows, all = self->table->rows;
    double *by_class = NULL, sum = 0.0;
    cnm_status status = CNM_OK;
    TRY_DONE(take_class_weights(self, &by_class, err));
    if (given == NULL && by_class == NULL) {
        return CNM_OK;
    }
    TRY_DONE(memory_take(&self->weights, all, sizeof *self->weights, "weights", err));
    for (size_t i = 0; i < all; i++) {
        self->weights[i] =
            (float)((given == NULL ? 1.0 : (double)given[i]) * (by_class == NULL ? 1.0 : by_class[self->codes[i]]));
        sum += i < rows ? (double)self->weights[i] : 0.0;
    }
    if (!(sum > 0.0) || !isfinite(sum)) {
        TRY_DONE(error_set(err, CNM_BAD_DATA, "the weights of all rows are 0, or too large"));
    }
    for (size_t i = 0; i < all; i++) {
        self->weights[i] = (float)((double)self->weights[i] * (double)rows / sum);
    }
done:
    memory_free(by_class);
    return status;
}

/* ---- Rows ---- */

/* Returns the rows that train. */
static rows_view training_rows(const dataset *self) {
    rows_view rows = table_view(self->table);
    rows.rows -= self->validating;
    return rows;
}

/* Fills `fill` with the means of the rows that train alone. */
static cnm_status find_means(dataset *self, cnm_error *err) {
    table training = *self->table, *copy;
    cnm_status status;
    training.rows -= self->validating;
    training.labelled = training.identified = false;
    TRY(table_create(&copy, err));
    TRY_DONE(table_append(copy, &training, err));
    TRY_DONE(table_fill_missing(copy, NULL, self->fill, err));
done:
    table_destroy(copy);
    return status;
}

/* Fills `fill` with the columns' means, which the model keeps for rows to predict, for --missing
 * mean, and for auto where cells are missing; where they are, also makes a copy of the table in
 * which they are filled in. */
static cnm_status fill_missing(dataset *self, cnm_error *err) {
    const rows_view rows = table_view(self->table), training = training_rows(self);
    const int wanted = self->settings->missing;
    if (wanted == FILL_ERROR || rows_are_sparse(&rows)) {
        return CNM_OK;
    }
    const bool missing = rows_have_nan(&rows);
    if (!missing && wanted == FILL_AUTO) {
        return CNM_OK;
    }
    if (!missing) {
        scaling standard;
        TRY(scaling_fit(&standard, SCALING_STANDARD, &training, err));
        self->fill = standard.offset; /* the means; self owns them now */
        standard.offset = NULL;
        scaling_free(&standard);
        return CNM_OK;
    }
    TRY(table_create(&self->filled, err));
    TRY(table_append(self->filled, self->table, err));
    TRY(memory_take(&self->fill, rows.columns, sizeof *self->fill, "means", err));
    const double *means = self->start == NULL ? NULL : self->start->input.fill;
    if (means == NULL && self->validating > 0) {
        TRY(find_means(self, err));
        means = self->fill;
    }
    TRY(table_fill_missing(self->filled, means, self->fill, err));
    self->table = self->filled;
    return CNM_OK;
}

static cnm_status check_finite(const rows_view *rows, cnm_error *err) {
    const bool sparse = rows_are_sparse(rows);
    for (size_t i = 0; i < rows->rows; i++) {
        const float *values = sparse ? rows->values + rows->starts[i] : rows->values + i * rows->stride;
        const size_t count = sparse ? rows->starts[i + 1] - rows->starts[i] : rows->columns;
        for (size_t j = 0; j < count; j++) {
            if (!isfinite(values[j])) {
                return error_set(err, CNM_BAD_DATA,
                                 "row %zu, column %zu: a value that is not a finite number in float32", i + 1,
                                 (sparse ? rows->index[rows->starts[i] + j] : j) + (size_t)1);
            }
        }
    }
    return CNM_OK;
}

static cnm_status take_rows(dataset *self, cnm_error *err) {
    if (self->table->rows == 0 || self->table->columns == 0) {
        return error_set(err, CNM_BAD_DATA, "there is nothing to learn from: %zu rows of %zu columns",
                         self->table->rows, self->table->columns);
    }
    TRY(fill_missing(self, err));
    self->rows = training_rows(self);
    self->groups = self->table->groups;
    columns_round(self->fill, self->rows.base, self->rows.columns);
    const rows_view all = table_view(self->table);
    return check_finite(&all, err);
}

static cnm_status take_labels(dataset *self, cnm_error *err) {
    return self->task == TASK_CLASSIFY  ? take_classes(self, err)
           : self->task == TASK_REGRESS ? targets_take(self, err)
                                        : CNM_OK;
}

cnm_status dataset_begin(dataset *out, const table *rows, const settings *wanted, const cnm_model *start,
                         const cnm_callbacks *callbacks, cnm_error *err) {
    *out = (dataset){.settings = wanted, .start = start, .callbacks = callbacks, .table = rows, .target_scale = 1.0};
    TRY(choose_task(out, err));
    return choose_loss(out, err);
}

cnm_status dataset_take(dataset *self, cnm_error *err) {
    TRY(take_rows(self, err));
    TRY(take_labels(self, err));
    return take_weights(self, err);
}

cnm_status dataset_create(dataset *out, const table *rows, const settings *wanted, const cnm_model *start,
                          const cnm_callbacks *callbacks, cnm_error *err) {
    TRY(dataset_begin(out, rows, wanted, start, callbacks, err));
    return dataset_take(out, err);
}

void dataset_free(dataset *self) {
    table_destroy(self->filled);
    classes_free(&self->classes);
    memory_free(self->codes);
    memory_free(self->targets);
    memory_free(self->weights);
    memory_free(self->fill);
    *self = (dataset){0};
}
