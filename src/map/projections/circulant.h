/* What the circulant projections share: drawing filters and signs, and sums over rows. Inside the
 * map module. */
#ifndef CNM_MAP_PROJECTIONS_CIRCULANT_H
#define CNM_MAP_PROJECTIONS_CIRCULANT_H

#include "map/layer.h"
#include "math/fft/convolve.h"

/* Rows that are held in scratch at a time: 16 d floats stay affordable for d in the millions. */
enum { CIRCULANT_ROWS = 16 };

/* Returns the number of blocks of up to d features: ceil(features / columns). */
size_t circulant_blocks(size_t columns, size_t features);

/* Rounds a number of floats up so that an array behind them is aligned. */
size_t circulant_aligned(size_t floats);

/* Draws filters (blocks, d) for spec's kernel: entry (block, m) is variate m of stream part
 * `block`. */
cnm_status circulant_draw_filters(const layer_spec *spec, size_t blocks, float *filters, cnm_error *err);

/* Draws signs (d): sign j is bit j of the words of stream RANDOM_SIGNS, part `part`. */
void circulant_draw_signs(const layer_spec *spec, uint32_t part, float *signs);

/* The transposes R_b^T of a circulant layer's blocks, transformed: for the slope of its input, and
 * for the gradient of diagonals. */
typedef struct circulant_transposes {
    convolver *plan; /* of one whole block */
    size_t blocks, spectrum_size;
    float *spectra; /* (blocks, spectrum_size) */
    float *filter;  /* (d), for refresh, which must not fail */
    float *scratch; /* for refresh, too */
} circulant_transposes;

cnm_status circulant_transposes_create(circulant_transposes *self, size_t blocks, size_t columns, cnm_error *err);
void circulant_transposes_free(circulant_transposes *self);
/* Transforms filters (blocks, d) backwards: R^T is the circulant of r_{-m}. */
void circulant_transposes_refresh(circulant_transposes *self, const float *filters, size_t columns);

/* Fills out (rows, d) with sum over b of factor_b .* R_b^T g_b, from g (rows, k); block b's factors
 * are at factor + b * factor_step. A last block of fewer than d features is filled up with zeros.
 * scratch: circulant_back_scratch floats. */
void circulant_back(const circulant_transposes *self, const layer *own, const float *factor, size_t factor_step,
                    const float *g, size_t rows, float *out, float *scratch);
size_t circulant_back_scratch(const circulant_transposes *self, size_t columns);

/* Copies rows of `width` floats. */
void circulant_copy_rows(size_t rows, size_t width, const float *from, size_t from_stride, float *to, size_t to_stride);
/* Returns the number of features of block b. */
size_t circulant_block_width(const layer *self, size_t b);

/* A sum over rows, the same bits for any number of threads: rows are cut into groups whose number
 * and size follow from the number of rows alone; each group has its own partial sum, and those are
 * added by a fixed tree. */
typedef struct row_sum {
    const layer *layer;
    const rows_view *u;
    const float *g;                /* (rows, features) */
    size_t sum_size, scratch_size; /* in floats, aligned */
    /* Adds rows first .. first + rows, at most CIRCULANT_ROWS, to sum. */
    void (*add)(const struct row_sum *job, size_t first, size_t rows, float *sum, float *scratch);
} row_sum;

/* Returns the floats of work that row_sum_run needs. */
size_t row_sum_work_size(size_t sum_size, size_t scratch_size, size_t rows, size_t threads);
/* Leaves the sum in the first sum_size floats of work; returns one worker's scratch, which is free
 * again. */
float *row_sum_run(const row_sum *job, thread_pool *threads, float *work);

#endif
