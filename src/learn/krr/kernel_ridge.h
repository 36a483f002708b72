/* Kernel machines by least squares: one factor for all classes, which also tells what a machine would say of each of its rows if it had not seen
 * it. That judges a width and a penalty without any other rows. */
#ifndef CNM_LEARN_KRR_KERNEL_RIDGE_H
#define CNM_LEARN_KRR_KERNEL_RIDGE_H

#include "learn/krr/kernel_model.h"

typedef struct ridge {
    const training *of;
    thread_pool *pool;
    const size_t *positions; /* (rows) of the training: borrowed */
    kernel_machine machine;  /* the latest; its gamma is 0 before the first */
    double spread;           /* mean square of the distance between rows */
    float *kernel;           /* (rows, rows) of this gamma; not known before the first */
    double *factor;          /* (rows, rows) */
    double *targets;         /* (rows, outputs); of classes: 1 and -1; of pairs: what is said of a row without it */
    double *weights;         /* (rows, outputs) */
    double *diagonal;        /* (rows) of the inverse */
    size_t *members;         /* (rows) of a pair of classes; NULL where there are none */
    float *left_out;         /* (rows, outputs) what it would say of each row if it had not seen it */
} ridge;

/* Of rows at these positions of the training; with `pairs` one machine for each pair of classes. Rows, positions and pool stay the caller's. */
cnm_status ridge_create(ridge *out, const training *of, const machine_rows *rows, const size_t *positions, bool pairs,
                        thread_pool *pool, cnm_error *err);
void ridge_free(ridge *self);

/* Rows lie apart, and no farther than numbers go. */
bool ridge_is_possible(const ridge *self);

/* The machine for gamma = width / spread. *found is false where rounding leaves no factor. */
cnm_status ridge_solve(ridge *self, machine_kind kind, double width, double penalty, bool *found, cnm_error *err);

/* left_out, of the machine as it is. */
cnm_status ridge_leave_out(ridge *self, cnm_error *err);

/* Of the machine as it is, by rows left out: the loss by which pilots are judged, and what scores of classes are to be multiplied by to be
 * log-probabilities. */
cnm_status ridge_judge(ridge *self, double *loss, double *sharpness, cnm_error *err);

#endif
