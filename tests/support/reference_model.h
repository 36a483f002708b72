/* A model in double precision with plain loops, and how far float arithmetic may be from it. */
#ifndef CNM_TESTS_SUPPORT_REFERENCE_MODEL_H
#define CNM_TESTS_SUPPORT_REFERENCE_MODEL_H

#include "support/checks.h"

#include "model/model.h"

/* ---- The parts ---- */

/* Returns the activation of this name at p. */
double reference_activation(const char *name, double p);

/* Fills u (columns) with one prepared row: v is what is stored, base what its column adds. */
void reference_input(const input_stage *stage, const float *v, const double *base, double *u);

/* ---- A whole model ---- */

/* The bound follows the arithmetic with eps = 6e-8. A projection sums d products of u and theta, or
 * goes through transforms, whose error is of the same size: (d + 16) eps |m| |theta_i| with m the
 * size of what u was computed from. Activations have derivatives up to 1 and err by 3e-7
 * themselves; a score sums k products. A layer above the first passes on what its inputs may be off
 * by, times |theta|. */
typedef struct reference_layer {
    float *theta;      /* (columns, features), explicit; NULL for a layer of single columns */
    double *z, *bound; /* (features) */
} reference_layer;

typedef struct reference_model {
    const cnm_model *model;
    reference_layer layers[MAP_LAYERS];
    double *u, *z, *z_bound; /* prepared columns; features of the last layer, without the map's scale */
} reference_model;

reference_model reference_make(const cnm_model *model);
void reference_free(reference_model *self);

/* Computes the features of one row and their bounds; the functions below are about that row. */
void reference_run(reference_model *self, const float *row, const double *base);

/* Returns output i in *value, and in *bound how far a correct float score may be from it (or
 * feature, where there is no head). */
void reference_output(const reference_model *self, size_t i, double *value, double *bound);

/* Checks all outputs `got` against their bounds. */
void check_reference_row(const reference_model *self, const float *got, const char *what, size_t row);

#endif
