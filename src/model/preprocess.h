/* From rows as they come to rows as a map takes them: the first stage of a model.
 *
 *   u_j = f((x_j - offset_j) * scale_j),   f = asinh or nothing;   fill_j replaces NaN cells first
 *
 * In a finished model the scale lives in the map (projection_ops.scale_columns) or the head, and is
 * kept here only where asinh needs it. While a model is trained it is here for every kind of
 * scaling. */
#ifndef CNM_MODEL_PREPROCESS_H
#define CNM_MODEL_PREPROCESS_H

#include "base/core/rows_view.h"
#include "map/map.h"

typedef struct input_stage {
    size_t columns;
    double *offset; /* (columns) or NULL: 0 */
    double *base;   /* (columns) or NULL: what readers subtract from dense columns; see rows_view */
    double *fill;   /* (columns) or NULL: what stands for a missing value, as true value */
    float *scale;   /* (columns) or NULL: 1 */
    bool asinh;
} input_stage;

void input_free(input_stage *self);

/* A stage bound to certain rows: ready to give blocks of them to a map. Immutable; blocks are taken
 * by many threads. */
typedef struct input_source {
    const input_stage *stage;
    rows_view rows;
    float *offset; /* (columns) or NULL: the stage's less the base of these rows */
    float *fill;   /* (columns) or NULL: the stage's less the base of these rows */
    /* Blocks are CSR, whatever the rows are: many columns, no offset, and a map that takes CSR. */
    bool sparse;
} input_source;

/* Binds a stage to rows of stage->columns columns. takes_sparse: the map takes CSR rows as they are
 * (projection_ops.sparse). */
cnm_status input_bind(input_source *out, const input_stage *stage, const rows_view *rows, bool takes_sparse,
                      cnm_error *err);
void input_unbind(input_source *self);

/* Gives a source whose stage has no fill one: each column's centre, which is its offset, or 0. */
cnm_status input_fill_centre(input_source *self, cnm_error *err);

/* Where a block of rows is put: dense (padded rows, columns), or CSR. One for each worker, or one
 * for a whole batch. */
typedef struct input_block {
    rows_view view; /* what the map takes */
    float *values;
    size_t *starts;
    uint32_t *index;
    size_t capacity; /* of values and index when sparse */
} input_block;

/* Takes memory for `rows` rows (rounded up to whole GEMM_ROWS blocks when dense). */
cnm_status input_block_create(input_block *out, const input_source *source, size_t rows, cnm_error *err);
void input_block_free(input_block *self);

/* Fills block with the rows order[0 .. count) (order NULL: first, first + 1, ...); dense blocks get
 * zero rows up to the next multiple of GEMM_ROWS. Fails only when a sparse block has to grow and
 * cannot. */
cnm_status input_take(const input_source *source, const size_t *order, size_t first, size_t count, input_block *block,
                      cnm_error *err);

/* Fills a block that can hold one row with that row, without zero rows behind it. */
void input_take_row(const input_source *source, size_t row, input_block *block);

/* Whether rows go to the map as they are: dense, and nothing to be done to them. Then a slice of
 * them does for a block. */
bool input_is_plain(const input_source *source);

/* Fills rows [from, to) of a dense block as input_take does: for one large block and many
 * workers. */
void input_take_dense(const input_source *source, const size_t *order, size_t first, size_t from, size_t to,
                      float *out);

#endif
