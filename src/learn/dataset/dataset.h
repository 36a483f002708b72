/* What is to be learned, made ready: rows with their scaling bound, labels as class numbers or scaled targets, weights. */
#ifndef CNM_LEARN_DATASET_DATASET_H
#define CNM_LEARN_DATASET_DATASET_H

#include "data/scale/scaling.h"
#include "data/table/table.h"
#include "engine/plan.h"
#include "learn/settings.h"
#include "model/model.h"

typedef struct problem {
    const settings *settings;
    const cnm_model *start; /* while it is created */
    const cnm_callbacks *callbacks;
    const struct table *table; /* borrowed, or `filled` */
    struct table *filled;      /* own copy with missing values filled in, or NULL */
    rows_view rows;
    task_kind task;
    const loss_ops *loss; /* NULL for TASK_MAP */
    size_t outputs;
    class_set classes;
    int32_t *codes; /* (rows) for classification */
    float *targets; /* (rows) for regression: (y - target_mean) / target_scale */
    double target_mean, target_scale;
    float *weights;         /* (rows) with mean 1, or NULL */
    const uint64_t *groups; /* (rows) of the table, or NULL */
    const loss_hint *hint;  /* of joint training, or NULL: see distill.h */
    scaling scaling;
    input_stage input; /* with its scale: see model/preprocess.h */
} problem;

/* The table must outlive the problem and is not changed. `start` (may be NULL): a model that is trained further; its classes count, and
 * a label that is not among them is an error, and so do its means for missing cells. */
cnm_status problem_create(problem *out, const table *rows, const settings *wanted, const cnm_model *start,
                          const cnm_callbacks *callbacks, cnm_error *err);
void problem_free(problem *self);

/* Fits a scaling to the rows and makes the input stage for it; what is there of an earlier one goes first. */
cnm_status problem_scale(problem *self, scaling_kind kind, cnm_error *err);
void problem_unscale(problem *self);

/* So few rows that chance decides between pilots: what they are judged by, and what has to win clearly, depend on it. */
static inline bool problem_is_small(const problem *self) { return self->rows.rows < 1500; }

#endif
