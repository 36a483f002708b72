/* A training set: rows, labels as class codes or scaled regression targets, and row weights. */
#ifndef CNM_LEARN_DATASET_DATASET_H
#define CNM_LEARN_DATASET_DATASET_H

#include "data/table/table.h"
#include "engine/plan.h"
#include "learn/settings.h"
#include "learn/tuning.h"
#include "model/model.h"

typedef struct dataset {
    const settings *settings;
    const cnm_model *start; /* the model of a warm start, or NULL */
    const cnm_callbacks *callbacks;
    const struct table *columns; /* borrowed: the rows before they were encoded, or NULL: they were not */
    const struct table *table;   /* borrowed, or `filled` */
    struct table *filled;        /* own copy with missing values filled in, or NULL */
    size_t validating;           /* rows at the end of the table that only validate: validation_rows.h */
    rows_view rows;              /* those that train */
    double *fill;                /* (columns) replacements of missing cells, or NULL: no cell may be missing */
    task_kind task;
    const loss_ops *loss; /* NULL for TASK_MAP */
    size_t outputs;
    class_set classes;
    /* Of all rows of the table; what follows from several rows, follows from those that train. */
    int32_t *codes; /* (table->rows) for classification */
    float *targets; /* (table->rows) for regression: (y - target_mean) / target_scale */
    double target_mean, target_scale;
    float *weights;         /* (table->rows) with mean 1, or NULL */
    const uint64_t *groups; /* (rows) of the table, or NULL */
    const loss_hint *hint;  /* of joint training, or NULL: see teacher_loss.h */
} dataset;

/* Chooses task and loss from the labels' kind and the settings. The table must outlive the data
 * set and is not changed. `start` (may be NULL) is the model of a warm start: its classes count,
 * a label that is not among them is an error, and its means stand for missing cells. */
cnm_status dataset_begin(dataset *out, const table *rows, const settings *wanted, const cnm_model *start,
                         const cnm_callbacks *callbacks, cnm_error *err);

/* Checks the rows, and makes rows, labels and weights ready. */
cnm_status dataset_take(dataset *self, cnm_error *err);

/* Both, one after the other. */
cnm_status dataset_create(dataset *out, const table *rows, const settings *wanted, const cnm_model *start,
                          const cnm_callbacks *callbacks, cnm_error *err);

/* Frees what the data set owns, also after a failure. */
void dataset_free(dataset *self);

/* Returns whether training balances classes although there is no --class-weight: for --metric
 * balanced with a margin loss, whose scores depend little on how frequent classes are. */
bool dataset_balances_classes(const dataset *self);

/* Returns the parameter of the loss: that of --quantile, or the usual one. */
static inline double dataset_loss_parameter(const dataset *self) {
    const bool given = self->loss->takes_quantile && self->settings->quantile > 0.0;
    return given ? self->settings->quantile : self->loss->parameter;
}

/* Returns the labels of the rows that train; borrowed. */
static inline label_column dataset_labels(const dataset *self) {
    label_column labels = self->table->labels;
    labels.rows = self->rows.rows;
    return labels;
}

/* Return the class of a row and the number of classes: 0 and 1 without classes. */
static inline size_t dataset_class(const dataset *self, size_t row) {
    return self->codes == NULL ? 0 : (size_t)self->codes[row];
}
static inline size_t dataset_class_count(const dataset *self) { return self->codes == NULL ? 1 : self->classes.count; }

/* Returns whether the data set is so small that chance decides between trials: how trials are
 * evaluated and by how much one must win depends on the answer. */
static inline bool dataset_is_small(const dataset *self) { return self->rows.rows < TUNING.few_rows; }

#endif
