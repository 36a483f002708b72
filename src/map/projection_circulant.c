/* The circulant projection: p = R D u with R = circ(r), R_ij = r_{(i-j) mod d}, D = diag(signs), for every block of d
 * features its own r and one D for all (paper, section 4). R is never formed: R D u = r (*) D u by the convolver.
 *
 * `diagonal`, present only after columns were scaled unequally, multiplies u beside the signs: circ(r) diag(signs * diagonal).
 * Gradient: d loss / d r = corr(D u, g), summed over rows in the transformed domain. Rows are cut into groups whose number
 * and size follow from the number of rows alone; each group has its own partial sum, and those are added by a fixed tree. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "map/kernel.h"
#include "map/projections.h"
#include "math/convolve.h"
#include "math/gemm.h"
#include "math/reduce.h"

enum { FILTERS, SIGNS, DIAGONAL, TENSORS };

enum {
    CHUNK_ROWS = 16,  /* rows held in scratch at a time: 16 d floats stay affordable for d in the millions */
    GROUP_ROWS = 64,  /* the least rows in one partial sum of the gradient */
    GROUPS_MOST = 16, /* partial sums at most */
    ALIGN_FLOATS = 16
};

typedef struct circulant_state {
    convolver *plan;
    float *spectrum; /* the transformed filters; zero for filters of zero */
    float *scratch;  /* for refresh, which must not fail */
} circulant_state;

static size_t describe(size_t columns, size_t features, map_tensor tensors[MAP_TENSORS]) {
    const size_t blocks = features / columns + (features % columns != 0);
    tensors[FILTERS] = (map_tensor){
        .name = "filters", .rows = blocks, .columns = columns, .learned = true, .step_scale = 1.0 / (double)columns};
    tensors[SIGNS] = (map_tensor){.name = "signs", .rows = 1, .columns = columns, .signs = true};
    tensors[DIAGONAL] = (map_tensor){.name = "diagonal", .rows = 1, .columns = columns, .optional = true};
    return TENSORS;
}

static void destroy(map *self) {
    circulant_state *state = self->state;
    if (state != NULL) {
        convolver_destroy(state->plan);
        memory_free(state->spectrum);
        memory_free(state->scratch);
        memory_free(state);
    }
    self->state = NULL;
}

static cnm_status create(map *self, cnm_error *err) {
    circulant_state *state;
    cnm_status status = memory_zeroed(&state, 1, sizeof *state, "circulant map", err);
    if (status != CNM_OK) {
        return status;
    }
    self->state = state;
    if ((status = convolver_create(&state->plan, self->columns, self->features, err)) != CNM_OK ||
        (status = memory_zeroed(&state->spectrum, convolver_spectrum_size(state->plan), sizeof *state->spectrum,
                                "transformed filters", err)) != CNM_OK ||
        (status = memory_take(&state->scratch, convolver_scratch_size(state->plan), sizeof *state->scratch,
                              "circulant map", err)) != CNM_OK) {
        destroy(self);
    }
    return status;
}

static void refresh(map *self) {
    circulant_state *state = self->state;
    convolver_transform_filters(state->plan, self->tensors[FILTERS].values, state->spectrum, state->scratch);
}

/* Entry (block, m) of the filters is variate m of stream part `block`; sign j is bit j of the words of stream RANDOM_SIGNS. */
static cnm_status draw(map *self, const map_spec *spec, cnm_error *err) {
    const cnm_status status = kernel_check(spec->kernel, spec->gamma, err);
    if (status != CNM_OK) {
        return status;
    }
    if (spec->init == INIT_ORTHOGONAL) {
        return error_set(err, CNM_UNSUPPORTED, "--init orthogonal needs --projection dense, not circulant");
    }
    const map_tensor *filters = &self->tensors[FILTERS];
    for (size_t block = 0; block < filters->rows; block++) {
        const random_stream stream = {spec->seed, RANDOM_THETA, (uint32_t)block};
        kernel_draw(spec->kernel, spec->gamma, stream, 0, self->columns, filters->values + block * self->columns);
    }
    const random_stream stream = {spec->seed, RANDOM_SIGNS, 0};
    uint32_t words[4] = {0};
    for (size_t j = 0; j < self->columns; j++) {
        if (j % 128 == 0) {
            random_words(stream, j / 128, words);
        }
        self->tensors[SIGNS].values[j] = (words[j % 128 / 32] >> (j % 32) & 1) != 0 ? -1.0f : 1.0f;
    }
    return CNM_OK;
}

/* target (rows, d) = D u of u's rows first .. first + rows. */
static void apply_diagonals(const map *self, const rows_view *u, size_t first, size_t rows, float *target) {
    const size_t d = self->columns;
    const float *signs = self->tensors[SIGNS].values, *diagonal = self->tensors[DIAGONAL].values;
    rows_gather(rows_slice(*u, first, rows), NULL, rows, target);
    for (size_t row = 0; row < rows; row++) {
        float *values = target + row * d;
        for (size_t j = 0; j < d; j++) {
            values[j] *= signs[j];
        }
        for (size_t j = 0; diagonal != NULL && j < d; j++) {
            values[j] *= diagonal[j];
        }
    }
}

static size_t aligned(size_t floats) { return (floats + ALIGN_FLOATS - 1) / ALIGN_FLOATS * ALIGN_FLOATS; }

/* One worker's scratch: CHUNK_ROWS rows of D u, then the convolver's. */
static size_t scratch_size(const map *self) {
    const circulant_state *state = self->state;
    return aligned(CHUNK_ROWS * self->columns) + aligned(convolver_scratch_size(state->plan));
}

static void forward(const map *self, const rows_view *u, float *out, float *scratch) {
    const circulant_state *state = self->state;
    const size_t d = self->columns, k = self->features;
    for (size_t first = 0; first < u->rows; first += CHUNK_ROWS) {
        const size_t rows = u->rows - first < CHUNK_ROWS ? u->rows - first : CHUNK_ROWS;
        apply_diagonals(self, u, first, rows, scratch);
        convolver_forward(state->plan, state->spectrum, scratch, d, rows, out + first * k, k,
                          scratch + aligned(CHUNK_ROWS * d));
    }
    memset(out + u->rows * k, 0, (GEMM_ROWS - u->rows) * k * sizeof *out);
}

/* How a gradient's rows are cut. */
typedef struct gradient_groups {
    size_t count, rows; /* the last group may hold fewer rows */
} gradient_groups;

static gradient_groups cut_rows(size_t rows) {
    const size_t wanted = rows / GROUP_ROWS + (rows % GROUP_ROWS != 0);
    const size_t most = wanted < GROUPS_MOST ? wanted : GROUPS_MOST;
    const size_t each = most == 0 ? 0 : rows / most + (rows % most != 0);
    return (gradient_groups){each == 0 ? 0 : rows / each + (rows % each != 0), each};
}

typedef struct gradient_job {
    const map *self;
    const rows_view *u;
    const float *g; /* (rows, features) */
    float *sums;    /* (groups, sum_size) */
    float *scratch; /* (workers, scratch_size) */
    size_t group_rows, sum_size;
} gradient_job;

static void gradient_group(void *context, size_t index, size_t worker) {
    const gradient_job *job = context;
    const map *self = job->self;
    const circulant_state *state = self->state;
    const size_t d = self->columns, k = self->features, start = index * job->group_rows;
    const size_t end = job->u->rows - start < job->group_rows ? job->u->rows : start + job->group_rows;
    float *sum = job->sums + index * job->sum_size;
    float *scratch = job->scratch + worker * scratch_size(self);
    memset(sum, 0, job->sum_size * sizeof *sum);
    for (size_t first = start; first < end; first += CHUNK_ROWS) {
        const size_t rows = end - first < CHUNK_ROWS ? end - first : CHUNK_ROWS;
        apply_diagonals(self, job->u, first, rows, scratch);
        convolver_accumulate(state->plan, scratch, d, job->g + first * k, k, rows, sum,
                             scratch + aligned(CHUNK_ROWS * d));
    }
}

static size_t gradient_work_size(const map *self, size_t rows, size_t threads) {
    const circulant_state *state = self->state;
    const size_t groups = cut_rows(rows).count;
    const size_t wanted = threads == 0 ? threads_available() : threads;
    const size_t workers = wanted < groups ? wanted : groups;
    return groups * aligned(convolver_spectrum_size(state->plan)) + (workers == 0 ? 1 : workers) * scratch_size(self);
}

static void gradient(const map *self, const rows_view *u, const float *g, float *const gradients[MAP_TENSORS],
                     thread_pool *threads, float *work) {
    const circulant_state *state = self->state;
    const gradient_groups groups = cut_rows(u->rows);
    const size_t sum_size = aligned(convolver_spectrum_size(state->plan));
    float *scratch = work + groups.count * sum_size;
    gradient_job job = {self, u, g, work, scratch, groups.rows, sum_size};
    if (gradients[FILTERS] == NULL) {
        return;
    }
    if (groups.count == 0) {
        const map_tensor *filters = &self->tensors[FILTERS];
        memset(gradients[FILTERS], 0, filters->rows * filters->columns * sizeof(float));
        return;
    }
    threads_for(threads, groups.count, gradient_group, &job);
    reduce_rows(work, groups.count, sum_size);
    convolver_finish(state->plan, work, gradients[FILTERS], scratch);
}

static cnm_status to_dense(const map *self, float *theta, cnm_error *err) {
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

/* Equal factors go into the filters, so that most models need no diagonal; others into the diagonal, since a circulant
 * block has no room for them. */
static cnm_status scale_columns(map *self, const double *factor, cnm_error *err) {
    map_tensor *diagonal = &self->tensors[DIAGONAL];
    bool equal = true;
    for (size_t j = 1; j < self->columns; j++) {
        equal = equal && factor[j] == factor[0];
    }
    if (equal) {
        const cnm_status status = scale_tensor(&self->tensors[FILTERS], factor, 0, 0, err);
        if (status == CNM_OK) {
            refresh(self);
        }
        return status;
    }
    const bool fresh = diagonal->values == NULL;
    if (fresh) {
        const cnm_status status =
            memory_take(&diagonal->values, self->columns, sizeof *diagonal->values, "column scales", err);
        if (status != CNM_OK) {
            return status;
        }
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

/* Filters of the blocks that are there already, and D with its scales, which all blocks share. */
static cnm_status adopt(map *self, const map *smaller, cnm_error *err) {
    const size_t d = self->columns;
    const float *diagonal = smaller->tensors[DIAGONAL].values;
    if (diagonal != NULL && self->tensors[DIAGONAL].values == NULL) {
        const cnm_status status =
            memory_take(&self->tensors[DIAGONAL].values, d, sizeof *diagonal, "column scales", err);
        if (status != CNM_OK) {
            return status;
        }
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
    .describe = describe,
    .create = create,
    .destroy = destroy,
    .draw = draw,
    .refresh = refresh,
    .forward = forward,
    .scratch_size = scratch_size,
    .gradient = gradient,
    .gradient_work_size = gradient_work_size,
    .to_dense = to_dense,
    .scale_columns = scale_columns,
    .adopt = adopt,
    .sparse = true,
};
