/* A kernel model: scores from the exact kernel with training rows, in place of features that
 * approximate it. On few rows it is cheap to fit and better than hundreds of random features; but a
 * kernel model keeps all its rows, so a map is distilled from it (distill_ensemble.h). */
#ifndef CNM_LEARN_KRR_KERNEL_MODEL_H
#define CNM_LEARN_KRR_KERNEL_MODEL_H

#include "base/threads/threads.h"
#include "data/scale/rescale.h"
#include "learn/dataset/scaled_rows.h"

/* The kernel: smooth, or with a kink at each row, for functions with edges. */
typedef enum krr_kernel {
    KRR_GAUSSIAN,    /* exp(-gamma |x - c|^2) */
    KRR_EXPONENTIAL, /* exp(-sqrt(2 gamma) |x - c|) */
    KRR_KERNELS
} krr_kernel;

/* Rows as centres of kernel models, in a scaling that need not be the map's. */
typedef struct kernel_rows {
    size_t rows, columns;
    scaling_kind scale;
    rescale units;  /* from the source's scaling to `scale`; without columns: the same */
    float *weights; /* (columns) that scaled columns are multiplied by; NULL: none */
    float *centres; /* (rows, columns), scaled and weighted */
    float *squares; /* (rows) squared lengths of the centres */
} kernel_rows;

/* The source of rows for kernel models: a data set prepared under a scaling. All borrowed. */
typedef struct krr_source {
    const dataset *data;
    const scaling *scaling;
    const input_source *rows; /* under that scaling */
} krr_source;

/* Takes the rows at these positions of the source, in the scaling `kind`, which need not be the
 * source's. On failure `out` owns nothing. */
cnm_status kernel_rows_create(kernel_rows *out, const krr_source *from, scaling_kind kind, const size_t *positions,
                              size_t rows, cnm_error *err);
/* Multiplies the columns by weights (columns). May be called once. */
cnm_status kernel_rows_weight(kernel_rows *self, const double *weights, cnm_error *err);
void kernel_rows_free(kernel_rows *self);
/* Returns the mean squared distance between two rows. */
double kernel_rows_spread(const kernel_rows *self);
/* Fills kernel (rows, rows) with the kernel between the rows. */
void kernel_matrix_fill(const kernel_rows *self, krr_kernel kind, double gamma, thread_pool *pool, float *kernel);

/* s(x) = offset + sum over rows i of weights_i kernel(x, centre_i), or votes: see one_vs_one.h. */
typedef struct kernel_model {
    const kernel_rows *of; /* borrowed */
    size_t outputs;
    krr_kernel kind;
    double gamma;
    int32_t *classes; /* (rows) of one-vs-one models; else NULL */
    float *weights;   /* (rows, outputs) */
    float *offset;    /* (outputs); one-vs-one: (outputs, outputs) */
} kernel_model;

/* Creates a model with weights 0; one-vs-one rows are of class 0. On failure `out` owns nothing. */
cnm_status kernel_model_create(kernel_model *out, const kernel_rows *of, size_t outputs, bool one_vs_one,
                               cnm_error *err);
void kernel_model_free(kernel_model *self);

/* Fills sums (outputs, outputs) of a row: entry (c, j) is the part of the rows of class c in the
 * pair of classes c and j. kernel (rows): the row's, with the centres. */
void kernel_model_pair_sums(const kernel_model *self, const float *kernel, double *sums);
/* Fills scores (outputs) from such sums: the votes of the pairs. */
void kernel_model_vote(const double *sums, size_t outputs, float *scores);
enum { KERNEL_MODEL_MOST_CLASSES = 32 }; /* of one-vs-one models */

/* Computes scores (count, outputs) of rows (count, columns) in the scaling of the source. */
cnm_status kernel_model_scores(const kernel_model *self, const float *rows, size_t count, size_t threads, float *scores,
                               cnm_error *err);

#endif
