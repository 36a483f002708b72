/* What the circulant projections share: drawing filters and signs, and sums over rows. Inside the
 * map module. */
#ifndef CNM_MAP_PROJECTIONS_CIRCULANT_H
#define CNM_MAP_PROJECTIONS_CIRCULANT_H

#include "map/map.h"

/* Rows that are held in scratch at a time: 16 d floats stay affordable for d in the millions. */
enum { CIRCULANT_ROWS = 16 };

/* Returns the number of blocks of up to d features: ceil(features / columns). */
size_t circulant_blocks(size_t columns, size_t features);

/* Rounds a number of floats up so that an array behind them is aligned. */
size_t circulant_aligned(size_t floats);

/* Draws filters (blocks, d) for spec's kernel: entry (block, m) is variate m of stream part
 * `block`. */
cnm_status circulant_draw_filters(const map_spec *spec, size_t blocks, float *filters, cnm_error *err);

/* Draws signs (d): sign j is bit j of the words of stream RANDOM_SIGNS, part `part`. */
void circulant_draw_signs(const map_spec *spec, uint32_t part, float *signs);

/* A sum over rows, the same bits for any number of threads: rows are cut into groups whose number
 * and size follow from the number of rows alone; each group has its own partial sum, and those are
 * added by a fixed tree. */
typedef struct row_sum {
    const map *map;
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
