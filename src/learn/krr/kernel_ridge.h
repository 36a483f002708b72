/* Kernel ridge regression, on targets 1 and -1 for classes: one factor of the kernel matrix serves
 * all outputs and all leave-one-out scores, so a width and a penalty need no held-out rows. */
#ifndef CNM_LEARN_KRR_KERNEL_RIDGE_H
#define CNM_LEARN_KRR_KERNEL_RIDGE_H

#include "learn/krr/kernel_model.h"

typedef struct kernel_ridge {
    const dataset *data;
    thread_pool *pool;
    const size_t *positions; /* (rows) in the data set: borrowed */
    kernel_model model;      /* the one fitted last; its gamma is 0 before the first */
    double spread;           /* mean squared distance between rows */
    float *kernel;           /* (rows, rows) of this gamma; not set before the first fit */
    double *factor;          /* (rows, rows) */
    double *targets;         /* (rows, outputs); one-vs-one: leave-one-out scores in its pairs */
    double *weights;         /* (rows, outputs) */
    double *diagonal;        /* (rows) of the inverse */
    size_t *members;         /* (rows) of a pair of classes; NULL without one-vs-one */
    float *left_out;         /* (rows, outputs) leave-one-out scores */
} kernel_ridge;

/* Prepares models of the rows at these positions of the data set; with `one_vs_one`, one model for
 * each pair of classes. Rows, positions and pool are borrowed. On failure `out` owns nothing. */
cnm_status kernel_ridge_create(kernel_ridge *out, const dataset *data, const kernel_rows *rows, const size_t *positions,
                               bool one_vs_one, thread_pool *pool, cnm_error *err);
void kernel_ridge_free(kernel_ridge *self);

/* Returns whether the spread of the rows is positive and finite. */
bool kernel_ridge_is_possible(const kernel_ridge *self);

/* Computes the kernel between the rows for gamma = width / spread, unless it is there already. */
void kernel_ridge_set_kernel(kernel_ridge *self, krr_kernel kind, double width);

/* Fits the model for gamma = width / spread in O(rows^3). False where rounding leaves no factor. */
bool kernel_ridge_fit(kernel_ridge *self, krr_kernel kind, double width, double penalty);

/* Fills left_out of the fitted model. */
cnm_status kernel_ridge_leave_one_out(kernel_ridge *self, cnm_error *err);

/* Evaluates the fitted model by leave-one-out scores: the loss of the metric, and the inverse
 * temperature that makes scores of classes log-probabilities (1 for regression). Multiplies
 * left_out by it. */
cnm_status kernel_ridge_evaluate(kernel_ridge *self, double *loss, double *inverse_temperature, cnm_error *err);

#endif
