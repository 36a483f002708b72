/* The first stage of a model: offset, scale, asinh, missing values; block by block. */
#include "model/preprocess.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/scale/scaling.h"
#include "math/elementary/exp_log.h"
#include "math/gemm/gemm.h"
#include "math/linalg/vector_ops.h"

void input_free(input_stage *self) {
    memory_free(self->offset);
    memory_free(self->base);
    memory_free(self->fill);
    memory_free(self->scale);
    *self = (input_stage){0};
}

/* Fills out (columns) with what (true values, NULL: 0) less the rows' base; *out is NULL when all
 * are 0. */
static cnm_status relative(float **out, const double *what, const double *base, size_t columns, cnm_error *err) {
    *out = NULL;
    if (what == NULL && base == NULL) {
        return CNM_OK;
    }
    TRY(memory_take(out, columns, sizeof **out, "column offsets", err));
    for (size_t j = 0; j < columns; j++) {
        (*out)[j] = (float)((what == NULL ? 0.0 : what[j]) - (base == NULL ? 0.0 : base[j]));
    }
    return CNM_OK;
}

cnm_status input_bind(input_source *out, const input_stage *stage, const rows_view *rows, bool takes_sparse,
                      cnm_error *err) {
    *out = (input_source){.stage = stage, .rows = *rows};
    /* The choice depends on the model alone, never on these rows: a row's bits must not depend on
     * its neighbours. */
    out->sparse = stage->columns > SCALING_CENTRE_LIMIT && stage->offset == NULL && stage->fill == NULL &&
                  rows->base == NULL && takes_sparse;
    cnm_status status = CNM_OK;
    TRY_DONE(relative(&out->offset, stage->offset, rows->base, stage->columns, err));
    if (stage->fill != NULL) {
        TRY_DONE(relative(&out->fill, stage->fill, rows->base, stage->columns, err));
    }
    return CNM_OK;
done:
    input_unbind(out);
    return status;
}

cnm_status input_fill_centre(input_source *self, cnm_error *err) {
    const size_t columns = self->stage->columns;
    if (self->fill != NULL) {
        return CNM_OK;
    }
    TRY(memory_zeroed(&self->fill, columns, sizeof *self->fill, "column centres", err));
    if (self->offset != NULL) {
        memcpy(self->fill, self->offset, columns * sizeof *self->fill);
    }
    return CNM_OK;
}

void input_unbind(input_source *self) {
    memory_free(self->offset);
    memory_free(self->fill);
    *self = (input_source){0};
}

static size_t padded(size_t rows) { return (rows + GEMM_ROWS - 1) / GEMM_ROWS * GEMM_ROWS; }

cnm_status input_block_create(input_block *out, const input_source *source, size_t rows, cnm_error *err) {
    size_t cells;
    *out = (input_block){0};
    if (source->sparse) {
        return memory_take(&out->starts, rows + 1, sizeof *out->starts, "a block of rows", err);
    }
    if (!size_multiply(padded(rows), source->stage->columns, &cells)) {
        cells = SIZE_MAX;
    }
    return memory_zeroed(&out->values, cells, sizeof *out->values, "a block of rows", err);
}

void input_block_free(input_block *self) {
    memory_free(self->values);
    memory_free(self->starts);
    memory_free(self->index);
    *self = (input_block){0};
}

/* Fills one dense row: u_j = (fill(v_j) - offset_j) * scale_j. */
static void take_row(const input_source *source, size_t row, float *u) {
    const rows_view *rows = &source->rows;
    const size_t columns = source->stage->columns;
    const float *from = u;
    if (rows_are_sparse(rows) || source->fill != NULL) {
        rows_gather(*rows, &row, 1, u);
    } else {
        from = rows->values + row * rows->stride;
    }
    for (size_t j = 0; source->fill != NULL && j < columns; j++) {
        u[j] = isnan(u[j]) ? source->fill[j] : u[j];
    }
    vector_translate_scale(columns, from, source->offset, source->stage->scale, u);
}

void input_take_dense(const input_source *source, const size_t *order, size_t first, size_t from, size_t to,
                      float *out) {
    const size_t columns = source->stage->columns;
    for (size_t i = from; i < to; i++) {
        take_row(source, order == NULL ? first + i : order[i], out + i * columns);
    }
    if (source->stage->asinh) { /* all rows together: few columns would fill few vectors */
        asinh_array(out + from * columns, (to - from) * columns);
    }
}

/* Appends one row's cells that are not 0, or that are stored, to a block which has memory for
 * them; returns how many. Only they are transformed, because 0 stays 0. */
static size_t take_cells(const input_source *source, size_t row, float *values, uint32_t *index) {
    const rows_view *rows = &source->rows;
    const bool sparse = rows_are_sparse(rows);
    const float *scale = source->stage->scale, *from = rows->values + (sparse ? rows->starts[row] : row * rows->stride);
    const size_t cells = sparse ? rows->starts[row + 1] - rows->starts[row] : rows->columns;
    size_t used = 0;
    for (size_t j = 0; j < cells; j++) {
        const uint32_t column = sparse ? rows->index[rows->starts[row] + j] : (uint32_t)j;
        const float known = isnan(from[j]) && source->fill != NULL ? 0.0F : from[j];
        const float value = scale == NULL ? known : known * scale[column];
        if (sparse || known != 0.0F) {
            index[used] = column;
            values[used++] = value;
        }
    }
    if (source->stage->asinh) {
        asinh_array(values, used);
    }
    return used;
}

/* Takes a block as CSR; grows index together with values. */
static cnm_status take_sparse(const input_source *source, const size_t *order, size_t first, size_t count,
                              input_block *block, cnm_error *err) {
    const rows_view *rows = &source->rows;
    size_t used = 0;
    block->starts[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t row = order == NULL ? first + i : order[i];
        const size_t cells = rows_are_sparse(rows) ? rows->starts[row + 1] - rows->starts[row] : rows->columns;
        size_t capacity = block->capacity;
        TRY(memory_grow(&block->index, &capacity, used + cells, sizeof *block->index, "sparse rows", err));
        TRY(memory_grow(&block->values, &block->capacity, used + cells, sizeof *block->values, "sparse rows", err));
        used += take_cells(source, row, block->values + used, block->index + used);
        block->starts[i + 1] = used;
    }
    block->view = (rows_view){.rows = count,
                              .columns = source->stage->columns,
                              .values = block->values,
                              .starts = block->starts,
                              .index = block->index};
    return CNM_OK;
}

cnm_status input_take(const input_source *source, const size_t *order, size_t first, size_t count, input_block *block,
                      cnm_error *err) {
    if (source->sparse) {
        return take_sparse(source, order, first, count, block, err);
    }
    const size_t columns = source->stage->columns;
    input_take_dense(source, order, first, 0, count, block->values);
    memset(block->values + count * columns, 0, (padded(count) - count) * columns * sizeof(float));
    block->view = (rows_view){.rows = count, .columns = columns, .values = block->values, .stride = columns};
    return CNM_OK;
}

void input_take_row(const input_source *source, size_t row, input_block *block) {
    const size_t columns = source->stage->columns;
    block->view = (rows_view){.rows = 1, .columns = columns, .values = block->values};
    if (source->sparse) {
        block->starts[0] = 0;
        block->starts[1] = take_cells(source, row, block->values, block->index);
        block->view.starts = block->starts;
        block->view.index = block->index;
    } else {
        input_take_dense(source, NULL, row, 0, 1, block->values);
        block->view.stride = columns;
    }
}

bool input_is_plain(const input_source *source) {
    return !source->sparse && !rows_are_sparse(&source->rows) && source->offset == NULL && source->fill == NULL &&
           source->stage->scale == NULL && !source->stage->asinh;
}
