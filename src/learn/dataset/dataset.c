/* From a table and settings to a problem: checks first, then labels, then scaling. */
#include "learn/dataset/dataset.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/text/text.h"
#include "learn/objective/class_weights.h"
#include "learn/objective/losses.h"
#include "learn/evaluate/metric_choice.h"
#include "learn/evaluate/decision_thresholds.h"
#include "learn/dataset/targets.h"

/* ---- Task and loss ---- */

static cnm_status choose_task(problem *self, cnm_error *err) {
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
    if (self->task == TASK_REGRESS && self->table->labels.words != NULL) {
        return error_set(err, CNM_BAD_DATA, "--task regress needs numbers as labels, found the word \"%.60s\"",
                         self->table->labels.words[0]);
    }
    return metric_check(self, err);
}

/* auto: the hinge for classes where the paper's own steps train the head, softmax where all is trained together; squares for
 * numbers. */
static const char *usual_loss(const problem *self) {
    const bool joint = self->settings->method == METHOD_CNM && self->settings->recipe == RECIPE_JOINT;
    return self->task == TASK_REGRESS ? "squared" : joint ? "softmax" : "hinge";
}

static cnm_status choose_loss(problem *self, cnm_error *err) {
    size_t count;
    const loss_ops *losses = loss_table(&count);
    if (self->task == TASK_MAP) {
        return CNM_OK;
    }
    self->loss = self->settings->loss > 0 ? &losses[self->settings->loss - 1] : loss_find(usual_loss(self));
    if (self->task == TASK_REGRESS && self->settings->method == METHOD_CNM &&
        self->settings->recipe == RECIPE_ALTERNATING) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "--recipe alternating tells classes apart, as the paper does, and these labels are "
                         "numbers: use --recipe joint, or --task classify");
    }
    if (self->loss->task != self->task) {
        return error_set(err, CNM_BAD_ARGUMENT, "--loss %s is for %s, but the task is %s", self->loss->name,
                         self->loss->task == TASK_CLASSIFY ? "classes" : "numbers",
                         self->task == TASK_CLASSIFY ? "to tell classes apart" : "to predict numbers");
    }
    return CNM_OK;
}

/* ---- Labels ---- */

static cnm_status take_classes(problem *self, cnm_error *err) {
    const label_column *labels = &self->table->labels;
    const bool known = self->start != NULL && self->start->classes.count > 0;
    size_t unknown = 0;
    cnm_status status =
        known ? classes_copy(&self->classes, &self->start->classes, err) : classes_create(&self->classes, labels, err);
    if (status != CNM_OK) {
        return status;
    }
    if (self->classes.count < 2) {
        return error_set(err, CNM_BAD_DATA,
                         "all %zu rows have the same label \"%.60s\": at least two classes are needed", labels->rows,
                         self->classes.count == 1 ? self->classes.labels[0] : "");
    }
    status = memory_take(&self->codes, labels->rows, sizeof *self->codes, "labels", err);
    if (status == CNM_OK) {
        status = classes_encode(&self->classes, labels, self->codes, &unknown, err);
    }
    if (status == CNM_OK && unknown > 0) {
        status = error_set(err, CNM_BAD_DATA, "%zu rows have labels that the model does not know", unknown);
    }
    self->outputs = self->loss->outputs(self->classes.count);
    return status;
}

static cnm_status class_weights(const problem *self, double **out, cnm_error *err) {
    const char *text = shift_is_learned(self) ? "balanced" : self->settings->class_weight;
    *out = NULL;
    if (text == NULL || strcmp(text, "none") == 0) {
        return CNM_OK;
    }
    if (self->task != TASK_CLASSIFY) {
        return error_set(err, CNM_BAD_ARGUMENT, "--class-weight needs classes, and this task has none");
    }
    const cnm_status status = memory_take(out, self->classes.count, sizeof **out, "class weights", err);
    return status != CNM_OK ? status
                            : class_weights_read(text, &self->classes, self->codes, self->rows.rows, *out, err);
}

/* A row's weight times its class's, with mean 1. */
static cnm_status take_weights(problem *self, cnm_error *err) {
    const float *given = self->table->weights;
    const size_t rows = self->rows.rows;
    double *by_class, sum = 0.0;
    cnm_status status = class_weights(self, &by_class, err);
    if (status == CNM_OK && (given != NULL || by_class != NULL)) {
        status = memory_take(&self->weights, rows, sizeof *self->weights, "weights", err);
    }
    if (status == CNM_OK && self->weights != NULL) {
        for (size_t i = 0; i < rows; i++) {
            self->weights[i] =
                (float)((given == NULL ? 1.0 : (double)given[i]) * (by_class == NULL ? 1.0 : by_class[self->codes[i]]));
            sum += (double)self->weights[i];
        }
        if (!(sum > 0.0) || !isfinite(sum)) {
            status = error_set(err, CNM_BAD_DATA, "the weights of all rows are 0, or too large");
        }
        for (size_t i = 0; status == CNM_OK && i < rows; i++) {
            self->weights[i] = (float)((double)self->weights[i] * (double)rows / sum);
        }
    }
    memory_free(by_class);
    return status;
}

/* ---- Scaling ---- */

/* auto: one scale for all columns where they are many, most of them vary, and they share a range, as pixels do (at least three quarters of
 * the columns that vary have a range within a factor of four of the largest); else asinh where a map is learned with the task, and each its own deviation
 * elsewhere. A joint training starts its choice from here. */
static cnm_status guess_scaling(const problem *self, scaling_kind *out, cnm_error *err) {
    enum { MANY = 64, MOST = 48 }; /* of columns: those at the rim of a picture can be empty */
    const rows_view *rows = &self->rows;
    const bool joint = self->settings->method == METHOD_CNM && self->settings->recipe == RECIPE_JOINT;
    scaling ranges;
    double widest = 0.0;
    size_t vary = 0, alike = 0;
    const cnm_status status = scaling_fit(&ranges, SCALING_RANGE, rows, err);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t j = 0; j < ranges.columns; j++) {
        if (ranges.scale[j] > 0.0) {
            widest = 1.0 / ranges.scale[j] > widest ? 1.0 / ranges.scale[j] : widest;
            vary++;
        }
    }
    for (size_t j = 0; j < ranges.columns; j++) {
        alike += ranges.scale[j] > 0.0 && 1.0 / ranges.scale[j] >= widest / 4.0;
    }
    const bool shared = alike * 4 >= vary * 3, many = ranges.columns >= MANY && vary >= MOST;
    *out = shared && (many || !joint) ? SCALING_GLOBAL : joint ? SCALING_ASINH : SCALING_STANDARD;
    scaling_free(&ranges);
    return CNM_OK;
}

static cnm_status copy_doubles(double **out, const double *values, size_t count, cnm_error *err) {
    const cnm_status status = memory_take(out, count, sizeof **out, "columns", err);
    if (status == CNM_OK) {
        memcpy(*out, values, count * sizeof **out);
    }
    return status;
}

/* As float32 from the base (may be NULL), which is all that a prediction uses of them and what the model file keeps. */
static void round_columns(double *values, const double *base, size_t columns) {
    for (size_t j = 0; values != NULL && j < columns; j++) {
        const double origin = base == NULL ? 0.0 : base[j];
        values[j] = (double)(float)(values[j] - origin) + origin;
    }
}

/* The input stage from the fitted scaling; offsets that are all 0 are left out. */
static cnm_status fill_input(problem *self, cnm_error *err) {
    input_stage *input = &self->input;
    const size_t columns = self->rows.columns;
    bool shifted = false;
    cnm_status status = CNM_OK;
    input->columns = columns;
    input->asinh = scaling_bends(self->scaling.kind);
    if (self->rows.base != NULL) {
        status = copy_doubles(&input->base, self->rows.base, columns, err);
    }
    for (size_t j = 0; j < columns; j++) {
        shifted = shifted || self->scaling.offset[j] != 0.0;
    }
    if (status == CNM_OK && shifted) {
        status = copy_doubles(&input->offset, self->scaling.offset, columns, err);
    }
    if (status == CNM_OK) {
        round_columns(input->offset, input->base, columns);
        round_columns(input->fill, input->base, columns);
    }
    if (status == CNM_OK && self->scaling.kind != SCALING_NONE) {
        status = memory_take(&input->scale, columns, sizeof *input->scale, "scales", err);
        for (size_t j = 0; status == CNM_OK && j < columns; j++) {
            input->scale[j] = (float)self->scaling.scale[j];
        }
    }
    return status;
}

void problem_unscale(problem *self) {
    scaling_free(&self->scaling);
    memory_free(self->input.offset);
    memory_free(self->input.base);
    memory_free(self->input.scale);
    self->input = (input_stage){.fill = self->input.fill};
}

cnm_status problem_scale(problem *self, scaling_kind kind, cnm_error *err) {
    problem_unscale(self);
    const cnm_status status = scaling_fit(&self->scaling, kind, &self->rows, err);
    return status == CNM_OK ? fill_input(self, err) : status;
}

static cnm_status scale_rows(problem *self, cnm_error *err) {
    scaling_kind kind = (scaling_kind)(self->settings->scale - 1);
    cnm_status status = CNM_OK;
    if (self->settings->scale == 0) {
        status = guess_scaling(self, &kind, err);
    }
    return status == CNM_OK ? problem_scale(self, kind, err) : status;
}

/* ---- Rows ---- */

static bool any_missing(const rows_view *rows) {
    for (size_t i = 0; !rows_are_sparse(rows) && i < rows->rows; i++) {
        for (size_t j = 0; j < rows->columns; j++) {
            if (isnan(rows->values[i * rows->stride + j])) {
                return true;
            }
        }
    }
    return false;
}

/* --missing mean: the model keeps the columns' means for rows to come; where cells are missing here, an own copy of the rows is filled
 * with them. */
static cnm_status fill_missing(problem *self, cnm_error *err) {
    const rows_view rows = table_view(self->table);
    if (self->settings->missing == 0 || rows_are_sparse(&rows)) {
        return CNM_OK;
    }
    cnm_status status = CNM_OK;
    if (!any_missing(&rows)) {
        scaling means;
        status = scaling_fit(&means, SCALING_STANDARD, &rows, err);
        if (status == CNM_OK) {
            self->input.fill = means.offset;
            means.offset = NULL;
            scaling_free(&means);
        }
        return status;
    }
    status = table_create(&self->filled, err);
    if (status == CNM_OK) {
        status = table_append(self->filled, self->table, err);
    }
    if (status == CNM_OK) {
        status = memory_take(&self->input.fill, rows.columns, sizeof *self->input.fill, "means", err);
    }
    if (status == CNM_OK) {
        const double *means = self->start == NULL ? NULL : self->start->input.fill;
        status = table_fill_missing(self->filled, means, self->input.fill, err);
        self->table = self->filled;
    }
    return status;
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

static cnm_status take_rows(problem *self, cnm_error *err) {
    if (self->table->rows == 0 || self->table->columns == 0) {
        return error_set(err, CNM_BAD_DATA, "there is nothing to learn from: %zu rows of %zu columns",
                         self->table->rows, self->table->columns);
    }
    const cnm_status status = fill_missing(self, err);
    if (status != CNM_OK) {
        return status;
    }
    self->rows = table_view(self->table);
    self->groups = self->table->groups;
    return check_finite(&self->rows, err);
}

static cnm_status take_labels(problem *self, cnm_error *err) {
    return self->task == TASK_CLASSIFY  ? take_classes(self, err)
           : self->task == TASK_REGRESS ? targets_take(self, err)
                                        : CNM_OK;
}

cnm_status problem_create(problem *out, const table *rows, const settings *wanted, const cnm_model *start,
                          const cnm_callbacks *callbacks, cnm_error *err) {
    static cnm_status (*const STEPS[])(problem *, cnm_error *) = {choose_task, choose_loss,  take_rows,
                                                                  take_labels, take_weights, scale_rows};
    *out = (problem){.settings = wanted, .start = start, .callbacks = callbacks, .table = rows, .target_scale = 1.0};
    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0]; i++) {
        const cnm_status status = STEPS[i](out, err);
        if (status != CNM_OK) {
            problem_free(out);
            return status;
        }
    }
    return CNM_OK;
}

void problem_free(problem *self) {
    table_destroy(self->filled);
    classes_free(&self->classes);
    memory_free(self->codes);
    memory_free(self->targets);
    memory_free(self->weights);
    scaling_free(&self->scaling);
    input_free(&self->input);
    *self = (problem){0};
}
