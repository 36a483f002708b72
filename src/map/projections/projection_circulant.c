/* The circulant projection: p = R D u with R = circ(r), R_ij = r_{(i-j) mod d}, D = diag(signs),
 * for every block of d features its own r and one D for all (paper, section 4). R is never formed:
 * R D u = r (*) D u by the convolver.
 *
 * `diagonal`, present only after columns were scaled unequally, multiplies u beside the signs:
 * circ(r) diag(signs * diagonal). Gradient: d loss / d r = corr(D u, g), summed over rows in the
 * transformed domain (circulant.h). */
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "map/projections/circulant.h"
#include "map/projections/projections.h"
#include "math/fft/convolve.h"

enum { FILTERS, SIGNS, DIAGONAL, TENSORS };

typedef struct circulant_state {
    convolver *plan;
    float *spectrum;                 /* the transformed filters; zero for filters of zero */
    float *scratch;                  /* for refresh, which must not fail */
    circulant_transposes transposes; /* of a layer above the first; else empty */
} circulant_state;

static size_t describe(size_t columns, size_t features, layer_tensor tensors[LAYER_TENSORS]) {
    tensors[FILTERS] = (layer_tensor){.name = "filters",
                                      .rows = circulant_blocks(columns, features),
                                      .columns = columns,
                                      .learned = true,
                                      .step_scale = 1.0 / (double)columns,
                                      .rate_scale = 1.0};
    tensors[SIGNS] = (layer_tensor){.name = "signs", .rows = 1, .columns = columns, .signs = true};
    tensors[DIAGONAL] = (layer_tensor){.name = "diagonal", .rows = 1, .columns = columns, .optional = true};
    return TENSORS;
}

static void destroy(layer *self) {
    circulant_state *state = self->state;
    if (state != NULL) {
        convolver_destroy(state->plan);
        memory_free(state->spectrum);
        memory_free(state->scratch);
        circulant_transposes_free(&state->transposes);
        memory_free(state);
    }
    self->state = NULL;
}

static cnm_status create(layer *self, cnm_error *err) {
    circulant_state *state;
    TRY(memory_zeroed(&state, 1, sizeof *state, "circulant map", err));
    self->state = state; /* layer_destroy frees it, also after a failure */
    TRY(convolver_create(&state->plan, self->columns, self->features, err));
    if (self->number > 0) {
        TRY(circulant_transposes_create(&state->transposes, self->tensors[FILTERS].rows, self->columns, err));
    }
    TRY(memory_zeroed(&state->spectrum, convolver_spectrum_size(state->plan), sizeof *state->spectrum,
                      "transformed filters", err));
    return memory_take(&state->scratch, convolver_scratch_size(state->plan), sizeof *state->scratch, "circulant map",
                       err);
}

static void refresh(layer *self) {
    circulant_state *state = self->state;
    convolver_transform_filters(state->plan, self->tensors[FILTERS].values, state->spectrum, state->scratch);
    if (self->number > 0) {
        circulant_transposes_refresh(&state->transposes, self->tensors[FILTERS].values, self->columns);
    }
}

static cnm_status draw(layer *self, const layer_spec *spec, cnm_error *err) {
    const layer_tensor *filters = &self->tensors[FILTERS];
    circulant_draw_signs(spec, 0, self->tensors[SIGNS].values);
    return circulant_draw_filters(spec, filters->rows, filters->values, err);
}

/* Fills target (rows, d) with D u of u's rows first .. first + rows. */
static void apply_diagonals(const layer *self, const rows_view *u, size_t first, size_t rows, float *target) {
    const size_t d = self->columns;
    const float *signs = self->tensors[SIGNS].values, *diagonal = self->tensors[DIAGONAL].values;
    const bool sparse = rows_are_sparse(u);
    if (sparse) {
        rows_gather(rows_slice(*u, first, rows), NULL, rows, target);
    }
    for (size_t row = 0; row < rows; row++) {
        float *values = target + row * d;
        const float *from = sparse ? values : u->values + (first + row) * u->stride;
        for (size_t j = 0; j < d; j++) {
            values[j] = from[j] * signs[j];
        }
        for (size_t j = 0; diagonal != NULL && j < d; j++) {
            values[j] *= diagonal[j];
        }
    }
}

/* Returns the size of one worker's scratch: CIRCULANT_ROWS rows of D u, then the convolver's. */
static size_t scratch_size(const layer *self) {
    const circulant_state *state = self->state;
    const size_t forward =
        circulant_aligned(CIRCULANT_ROWS * self->columns) + circulant_aligned(convolver_scratch_size(state->plan));
    const size_t backward = self->number > 0 ? circulant_back_scratch(&state->transposes, self->columns) : 0;
    return forward > backward ? forward : backward;
}

/* Multiplies dense rows by their signs on the way into the transform. */
static void forward(const layer *self, const rows_view *u, float *out, float *scratch) {
    const circulant_state *state = self->state;
    const size_t d = self->columns, k = self->features;
    float *rest = scratch + circulant_aligned(CIRCULANT_ROWS * d);
    if (!rows_are_sparse(u) && self->tensors[DIAGONAL].values == NULL) {
        const convolve_input input = {u->values, u->stride, self->tensors[SIGNS].values};
        convolver_forward_scaled(state->plan, state->spectrum, &input, u->rows, out, k, rest);
        return;
    }
    for (size_t first = 0; first < u->rows; first += CIRCULANT_ROWS) {
        const size_t rows = u->rows - first < CIRCULANT_ROWS ? u->rows - first : CIRCULANT_ROWS;
        apply_diagonals(self, u, first, rows, scratch);
        convolver_forward(state->plan, state->spectrum, scratch, d, rows, out + first * k, k, rest);
    }
}

static void add_rows(const row_sum *job, size_t first, size_t rows, float *sum, float *scratch) {
    const circulant_state *state = job->layer->state;
    const size_t d = job->layer->columns, k = job->layer->features;
    apply_diagonals(job->layer, job->u, first, rows, scratch);
    convolver_accumulate(state->plan, scratch, d, job->g + first * k, k, rows, sum,
                         scratch + circulant_aligned(CIRCULANT_ROWS * d));
}

static size_t sum_size(const layer *self) {
    const circulant_state *state = self->state;
    return circulant_aligned(convolver_spectrum_size(state->plan));
}

static size_t gradient_work_size(const layer *self, size_t rows, size_t threads) {
    return row_sum_work_size(sum_size(self), scratch_size(self), rows, threads);
}

static void gradient(const layer *self, const rows_view *u, const float *g, float *const gradients[LAYER_TENSORS],
                     thread_pool *threads, float *work) {
    const circulant_state *state = self->state;
    if (gradients[FILTERS] != NULL) {
        const row_sum job = {self, u, g, sum_size(self), scratch_size(self), add_rows};
        float *scratch = row_sum_run(&job, threads, work);
        convolver_finish(state->plan, work, gradients[FILTERS], scratch);
    }
}

static void back(const layer *self, const float *g, size_t rows, float *out, float *scratch) {
    const circulant_state *state = self->state;
    circulant_back(&state->transposes, self, self->tensors[SIGNS].values, 0, g, rows, out, scratch);
}

static cnm_status to_dense(const layer *self, float *theta, cnm_error *err) {
    const size_t d = self->columns, k = self->features;
    const float *filters = self->tensors[FILTERS].values, *diagonal = self->tensors[DIAGONAL].values;
    (void)err;
    for (size_t j = 0; j < d; j++) {
        const float factor = self->tensors[SIGNS].values[j] * (diagonal == NULL ? 1 : diagonal[j]);
        for (size_t feature = 0; feature < k; feature++) {
            const size_t block = feature / d, i = feature % d;
            theta[j * k + feature] = filters[block * d + (i + d - j) % d] * factor;
        }
    }
    return CNM_OK;
}

/* Folds equal factors into the filters, so that most models need no diagonal; others into the
 * diagonal, since a circulant block has no parameters for them. */
static cnm_status scale_columns(layer *self, const double *factor, cnm_error *err) {
    layer_tensor *diagonal = &self->tensors[DIAGONAL];
    bool equal = true;
    for (size_t j = 1; j < self->columns; j++) {
        equal = equal && factor[j] == factor[0];
    }
    if (equal) {
        TRY(scale_tensor(&self->tensors[FILTERS], factor, 0, 0, err));
        refresh(self);
        return CNM_OK;
    }
    const bool fresh = diagonal->values == NULL;
    if (fresh) {
        TRY(memory_take(&diagonal->values, self->columns, sizeof *diagonal->values, "column scales", err));
        for (size_t j = 0; j < self->columns; j++) {
            diagonal->values[j] = 1;
        }
    }
    const cnm_status status = scale_tensor(diagonal, factor, 0, 1, err);
    if (status != CNM_OK && fresh) {
        memory_free(diagonal->values);
        diagonal->values = NULL;
    }
    return status;
}

/* Copies the filters of the smaller map's blocks, and D with its scales, which all blocks share. */
static cnm_status adopt(layer *self, const layer *smaller, cnm_error *err) {
    const size_t d = self->columns;
    const float *diagonal = smaller->tensors[DIAGONAL].values;
    if (diagonal != NULL && self->tensors[DIAGONAL].values == NULL) {
        TRY(memory_take(&self->tensors[DIAGONAL].values, d, sizeof *diagonal, "column scales", err));
    }
    if (diagonal != NULL) {
        memcpy(self->tensors[DIAGONAL].values, diagonal, d * sizeof *diagonal);
    }
    memcpy(self->tensors[SIGNS].values, smaller->tensors[SIGNS].values, d * sizeof(float));
    memcpy(self->tensors[FILTERS].values, smaller->tensors[FILTERS].values,
           smaller->tensors[FILTERS].rows * d * sizeof(float));
    return CNM_OK;
}

const projection_ops PROJECTION_CIRCULANT = {
    .name = "circulant",
    .help = "O(k log d) time and O(k) memory instead of O(k d)",
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
