/* The circulant projection with learned diagonals: block b of d features is p_b = R_b (a_b .* u)
 * with R_b = circ(r_b) as in projection_circulant.c, and a real vector a_b of its own in place of
 * signs that all blocks share. Twice the parameters of a circulant map, O(k) still, and more like a
 * free matrix. At the start a_b holds random signs.
 *
 * Gradient: d loss / d r_b = corr(a_b .* u, g_b), summed in the transformed domain;
 * d loss / d a_b = sum over rows of u .* R_b^T g_b, where R^T is the circulant of r backwards:
 * R^T_ij = r_{(j-i) mod d}. A last block of fewer than d features is computed whole and cut; its g
 * is filled up with zeros. */
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "map/projections/circulant.h"
#include "map/projections/projections.h"
#include "math/fft/convolve.h"

enum { FILTERS, DIAGONAL, TENSORS };

typedef struct diagonal_state {
    convolver *plan; /* of one whole block: that of the transposes */
    size_t blocks, spectrum_size;
    float *spectra; /* (blocks, spectrum_size): the transformed filters */
    circulant_transposes transposes;
} diagonal_state;

static size_t describe(size_t columns, size_t features, layer_tensor tensors[LAYER_TENSORS]) {
    const layer_tensor common = {.rows = circulant_blocks(columns, features),
                                 .columns = columns,
                                 .learned = true,
                                 .step_scale = 1.0 / (double)columns,
                                 .rate_scale = 2.0};
    tensors[FILTERS] = tensors[DIAGONAL] = common;
    tensors[FILTERS].name = "filters";
    tensors[DIAGONAL].name = "diagonal";
    tensors[DIAGONAL].factor = true;
    return TENSORS;
}

static void destroy(layer *self) {
    diagonal_state *state = self->state;
    if (state != NULL) {
        memory_free(state->spectra);
        circulant_transposes_free(&state->transposes);
        memory_free(state);
    }
    self->state = NULL;
}

static cnm_status create(layer *self, cnm_error *err) {
    diagonal_state *state;
    size_t count;
    TRY(memory_zeroed(&state, 1, sizeof *state, "circulant map", err));
    self->state = state; /* layer_destroy frees it, also after a failure */
    state->blocks = self->tensors[FILTERS].rows;
    TRY(circulant_transposes_create(&state->transposes, state->blocks, self->columns, err));
    state->plan = state->transposes.plan;
    state->spectrum_size = state->transposes.spectrum_size;
    if (!size_multiply(state->blocks, state->spectrum_size, &count)) {
        count = SIZE_MAX; /* refused with a message */
    }
    return memory_zeroed(&state->spectra, count, sizeof(float), "transformed filters", err);
}

static void refresh(layer *self) {
    diagonal_state *state = self->state;
    const float *filters = self->tensors[FILTERS].values;
    for (size_t b = 0; b < state->blocks; b++) {
        convolver_transform_filters(state->plan, filters + b * self->columns, state->spectra + b * state->spectrum_size,
                                    state->transposes.scratch);
    }
    circulant_transposes_refresh(&state->transposes, filters, self->columns);
}

/* Draws the signs of block b from stream part b: the first block is that of a circulant map. */
static cnm_status draw(layer *self, const layer_spec *spec, cnm_error *err) {
    const layer_tensor *filters = &self->tensors[FILTERS], *diagonal = &self->tensors[DIAGONAL];
    for (size_t b = 0; b < diagonal->rows; b++) {
        circulant_draw_signs(spec, (uint32_t)b, diagonal->values + b * self->columns);
    }
    return circulant_draw_filters(spec, filters->rows, filters->values, err);
}

/* Fills out (rows, d) with x (rows, d) times a (d), column by column. */
static void multiply(const float *x, const float *a, size_t rows, size_t d, float *out) {
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < d; j++) {
            out[i * d + j] = x[i * d + j] * a[j];
        }
    }
}

/* One worker's scratch: three arrays of CIRCULANT_ROWS rows, then the convolver's. */
typedef struct parts {
    float *x;     /* rows of u */
    float *ax;    /* a .* x; then R^T g */
    float *whole; /* a block of features, all d of them */
    float *rest;
} parts;

static parts cut_scratch(const layer *self, float *scratch) {
    const size_t size = circulant_aligned(CIRCULANT_ROWS * self->columns);
    return (parts){scratch, scratch + size, scratch + 2 * size, scratch + 3 * size};
}

static size_t scratch_size(const layer *self) {
    const diagonal_state *state = self->state;
    return 3 * circulant_aligned(CIRCULANT_ROWS * self->columns) +
           circulant_aligned(convolver_scratch_size(state->plan));
}

static void forward(const layer *self, const rows_view *u, float *out, float *scratch) {
    const diagonal_state *state = self->state;
    const parts part = cut_scratch(self, scratch);
    const size_t d = self->columns, k = self->features;
    for (size_t first = 0; first < u->rows; first += CIRCULANT_ROWS) {
        const size_t rows = u->rows - first < CIRCULANT_ROWS ? u->rows - first : CIRCULANT_ROWS;
        rows_gather(rows_slice(*u, first, rows), NULL, rows, part.x);
        for (size_t b = 0; b < state->blocks; b++) {
            multiply(part.x, self->tensors[DIAGONAL].values + b * d, rows, d, part.ax);
            convolver_forward(state->plan, state->spectra + b * state->spectrum_size, part.ax, d, rows, part.whole, d,
                              part.rest);
            circulant_copy_rows(rows, circulant_block_width(self, b), part.whole, d, out + first * k + b * d, k);
        }
    }
}

/* Adds to sum: the filters' gradient, transformed (blocks, spectrum_size), then that of the
 * diagonals (blocks, d). */
static void add_rows(const row_sum *job, size_t first, size_t rows, float *sum, float *scratch) {
    const layer *self = job->layer;
    const diagonal_state *state = self->state;
    const parts part = cut_scratch(self, scratch);
    const size_t d = self->columns, k = self->features;
    float *diagonal = sum + state->blocks * state->spectrum_size;
    rows_gather(rows_slice(*job->u, first, rows), NULL, rows, part.x);
    for (size_t b = 0; b < state->blocks; b++) {
        memset(part.whole, 0, rows * d * sizeof *part.whole);
        circulant_copy_rows(rows, circulant_block_width(self, b), job->g + first * k + b * d, k, part.whole, d);
        multiply(part.x, self->tensors[DIAGONAL].values + b * d, rows, d, part.ax);
        convolver_accumulate(state->plan, part.ax, d, part.whole, d, rows, sum + b * state->spectrum_size, part.rest);
        convolver_forward(state->plan, state->transposes.spectra + b * state->spectrum_size, part.whole, d, rows,
                          part.ax, d, part.rest);
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < d; j++) {
                diagonal[b * d + j] += part.x[i * d + j] * part.ax[i * d + j];
            }
        }
    }
}

static size_t sum_size(const layer *self) {
    const diagonal_state *state = self->state;
    return circulant_aligned(state->blocks * (state->spectrum_size + self->columns));
}

static size_t gradient_work_size(const layer *self, size_t rows, size_t threads) {
    return row_sum_work_size(sum_size(self), scratch_size(self), rows, threads);
}

static void gradient(const layer *self, const rows_view *u, const float *g, float *const gradients[LAYER_TENSORS],
                     thread_pool *threads, float *work) {
    const diagonal_state *state = self->state;
    const size_t d = self->columns;
    const row_sum job = {self, u, g, sum_size(self), scratch_size(self), add_rows};
    float *scratch = row_sum_run(&job, threads, work);
    for (size_t b = 0; gradients[FILTERS] != NULL && b < state->blocks; b++) {
        convolver_finish(state->plan, work + b * state->spectrum_size, gradients[FILTERS] + b * d, scratch);
    }
    if (gradients[DIAGONAL] != NULL) {
        memcpy(gradients[DIAGONAL], work + state->blocks * state->spectrum_size, state->blocks * d * sizeof(float));
    }
}

static void back(const layer *self, const float *g, size_t rows, float *out, float *scratch) {
    const diagonal_state *state = self->state;
    circulant_back(&state->transposes, self, self->tensors[DIAGONAL].values, self->columns, g, rows, out, scratch);
}

static cnm_status to_dense(const layer *self, float *theta, cnm_error *err) {
    const size_t d = self->columns, k = self->features;
    const float *filters = self->tensors[FILTERS].values, *diagonal = self->tensors[DIAGONAL].values;
    (void)err;
    for (size_t j = 0; j < d; j++) {
        for (size_t feature = 0; feature < k; feature++) {
            const size_t first = feature / d * d, i = feature % d;
            theta[j * k + feature] = filters[first + (i + d - j) % d] * diagonal[first + j];
        }
    }
    return CNM_OK;
}

static cnm_status scale_columns(layer *self, const double *factor, cnm_error *err) {
    return scale_tensor(&self->tensors[DIAGONAL], factor, 0, 1, err);
}

static cnm_status adopt(layer *self, const layer *smaller, cnm_error *err) {
    (void)err;
    for (size_t i = 0; i < TENSORS; i++) {
        memcpy(self->tensors[i].values, smaller->tensors[i].values,
               smaller->tensors[i].rows * self->columns * sizeof(float));
    }
    return CNM_OK;
}

const projection_ops PROJECTION_CIRCULANT_DIAGONAL = {
    .name = "circulant-diagonal",
    .help = "as circulant, and a real diagonal is learned, too",
    .sparse = true,
    .gaussian_preferred = true,
    .describe = describe,
    .create = create,
    .destroy = destroy,
    .draw = draw,
    .refresh = refresh,
    .forward = forward,
    .scratch_size = scratch_size,
    .gradient = gradient,
    .gradient_work_size = gradient_work_size,
    .back = back,
    .to_dense = to_dense,
    .scale_columns = scale_columns,
    .adopt = adopt,
};
