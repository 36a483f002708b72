/* A kernel machine: the kernel itself in place of features that stand for it. Where rows are few it is cheap to find, and hundreds of
 * random features are still a poor likeness of it; but it keeps all its rows, so it is no model to ship: see imitate.h. */
#ifndef CNM_LEARN_KRR_KERNEL_MODEL_H
#define CNM_LEARN_KRR_KERNEL_MODEL_H

#include "base/threads/threads.h"
#include "data/scale/rescale.h"
#include "learn/fit/fit_session.h"

/* The kernel: smooth, or with a kink at each row, for what has edges. */
typedef enum machine_kind {
    MACHINE_GAUSSIAN,    /* exp(-gamma |x - c|^2) */
    MACHINE_EXPONENTIAL, /* exp(-sqrt(2 gamma) |x - c|) */
    MACHINE_KINDS
} machine_kind;

/* Rows that machines can have for centres, in a scaling of theirs: it need not be the map's. */
typedef struct machine_rows {
    size_t rows, columns;
    scaling_kind scale;
    rescale units;  /* from the training's scaling to theirs; without columns: it is the same */
    float *weights; /* (columns) that scaled columns are multiplied by; NULL: all are alike */
    float *centres; /* (rows, columns), scaled and weighed */
    float *squares; /* (rows) of their lengths */
} machine_rows;

/* These rows of the training, scaled in the way `kind`. */
cnm_status machine_rows_create(machine_rows *out, const training *self, scaling_kind kind, const size_t *positions,
                               size_t rows, cnm_error *err);
/* Multiplies columns by weights (columns); once. */
cnm_status machine_rows_weigh(machine_rows *self, const double *weights, cnm_error *err);
void machine_rows_free(machine_rows *self);
/* The mean square of the distance between two of them. */
double machine_rows_spread(const machine_rows *self);
/* kernel (rows, rows) between them. */
void machine_kernel(const machine_rows *self, machine_kind kind, double gamma, thread_pool *pool, float *kernel);

/* s(x) = offset + sum over rows i of weights_i kernel(x, centre_i); or votes of pairs of classes, see pairs.h */
typedef struct kernel_machine {
    const machine_rows *of; /* borrowed */
    size_t outputs;
    machine_kind kind;
    double gamma;
    int32_t *classes; /* (rows) of its rows, where it tells classes apart two by two; else NULL */
    float *weights;   /* (rows, outputs) */
    float *offset;    /* (outputs), or (outputs, outputs) of pairs */
} kernel_machine;

/* One with weights of zero; with `pairs` one of pairs of classes, all of whose rows are of class 0 so far. */
cnm_status machine_create(kernel_machine *out, const machine_rows *of, size_t outputs, bool pairs, cnm_error *err);
void machine_free(kernel_machine *self);

/* sums (outputs, outputs): what rows of each class say in its pair with each other one, kernel (rows) being that of a row with them. */
void machine_pair_sums(const kernel_machine *self, const float *kernel, double *sums);
/* scores (outputs) from such sums: the votes of pairs. */
void machine_vote(const double *sums, size_t outputs, float *scores);
enum { MACHINE_MOST_CLASSES = 32 }; /* of pairs */

/* scores (count, outputs) of rows (count, columns) in the training's scaling. */
cnm_status machine_scores(const kernel_machine *self, const float *rows, size_t count, size_t threads, float *scores,
                          cnm_error *err);

#endif
