/* Columns one by one: beside each column j, numbers that follow from it alone.
 *
 *   h_jm   = cos(w_jm u_j + b_jm)                m < M      frequencies w and phases b, (d, M) each
 *   y_ji   = sum over m of h_jm a_jmi            i < MIXED  mix a (d, M, MIXED)
 *   out    = (g_j u_j of all columns, then y_ji of all columns)
 *
 * Prepares rows for the layer above it: functions of single columns such as thresholds, as the
 * periodic embeddings of Gorishniy et al. (2022), but mixed for each column apart and put beside
 * it. It stands on rows alone. The gain g holds scales that were folded in; it is not learned.
 *
 * Gradient, with G the slope of y: d loss / d a_jmi = sum over rows of G_ji h_jm;
 * d loss / d b_jm = sum over rows of -sin(w_jm u_j + b_jm) sum over i of G_ji a_jmi, and times u_j
 * for w_jm. It runs over columns, each summing over the rows in order: the same bits for any number
 * of threads. */
#include "math/elementary/contraction.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "map/projections/projections.h"
#include "math/elementary/sincos.h"
#include "math/random/variates.h"

enum { FREQUENCY, PHASE, MIX, GAIN, TENSORS };
enum { MIXED = 4, ROWS = 16 }; /* rows whose cosines are in scratch at a time */

static const double TWO_PI = 6.28318530717958647692;

/* Deviation of frequencies at the start, for columns of deviation 1. */
#define FREQUENCY_UNIT 1.0

/* Returns the deviation of a mix at the start: MIXED numbers together vary as much as the
 * column. */
static double mix_unit(size_t cosines) { return sqrt(2.0 / ((double)MIXED * (double)cosines)); }

static size_t features_of(size_t columns, size_t cosines) {
    (void)cosines;
    return columns > SIZE_MAX / (MIXED + 1) ? SIZE_MAX : columns * (MIXED + 1);
}

static size_t cosines_of(const layer *self) { return self->tensors[FREQUENCY].columns; }

static size_t describe(size_t columns, size_t cosines, layer_tensor tensors[LAYER_TENSORS]) {
    const layer_tensor common = {
        .rows = columns, .columns = cosines, .learned = true, .step_scale = 1.0, .rate_scale = 1.0};
    tensors[FREQUENCY] = tensors[PHASE] = tensors[MIX] = common;
    tensors[FREQUENCY].name = "frequency";
    tensors[PHASE].name = "frequency_phase";
    tensors[PHASE].factor = true;
    tensors[MIX].name = "mix";
    tensors[MIX].columns = cosines > SIZE_MAX / MIXED ? SIZE_MAX : cosines * MIXED;
    tensors[MIX].rate_scale = mix_unit(cosines);
    tensors[MIX].factor = true;
    tensors[GAIN] = (layer_tensor){.name = "gain", .rows = 1, .columns = columns, .factor = true, .optional = true};
    return TENSORS;
}

/* Column j draws from part j of the streams, its mix from part columns + j. */
static cnm_status draw(layer *self, const layer_spec *spec, cnm_error *err) {
    const size_t d = self->columns, cosines = cosines_of(self);
    (void)err;
    for (size_t j = 0; j < d; j++) {
        const random_stream frequencies = {spec->seed, RANDOM_THETA, (uint32_t)j};
        const random_stream mixes = {spec->seed, RANDOM_THETA, (uint32_t)(d + j)};
        const random_stream phases = {spec->seed, RANDOM_PHASE, (uint32_t)j};
        variates_normal(frequencies, 0, cosines, sqrt(2.0 * spec->gamma),
                        self->tensors[FREQUENCY].values + j * cosines);
        variates_uniform(phases, 0, cosines, TWO_PI, self->tensors[PHASE].values + j * cosines);
        variates_normal(mixes, 0, cosines * MIXED, mix_unit(cosines), self->tensors[MIX].values + j * cosines * MIXED);
    }
    return CNM_OK;
}

/* Adds to out (MIXED) the mix (count, MIXED) of `count` numbers. */
static void add_mix(const float *numbers, const float *mix, size_t count, float out[MIXED]) {
    for (size_t m = 0; m < count; m++) {
        for (size_t i = 0; i < MIXED; i++) {
            out[i] += numbers[m] * mix[m * MIXED + i];
        }
    }
}

/* Fills the features of one row. scratch: all its cosines, (columns, M). */
static void forward_row(const layer *self, const float *u, float *out, float *scratch) {
    const size_t d = self->columns, cosines = cosines_of(self);
    const float *frequency = self->tensors[FREQUENCY].values, *phase = self->tensors[PHASE].values;
    const float *mix = self->tensors[MIX].values, *gain = self->tensors[GAIN].values;
    for (size_t j = 0; j < d; j++) {
        for (size_t m = 0; m < cosines; m++) {
            scratch[j * cosines + m] = frequency[j * cosines + m] * u[j] + phase[j * cosines + m];
        }
    }
    cos_array(scratch, d * cosines, scratch);
    memset(out + d, 0, d * MIXED * sizeof *out);
    for (size_t j = 0; j < d; j++) {
        out[j] = gain == NULL ? u[j] : gain[j] * u[j];
        add_mix(scratch + j * cosines, mix + j * cosines * MIXED, cosines, out + d + j * MIXED);
    }
}

static void forward(const layer *self, const rows_view *u, float *out, float *scratch) {
    for (size_t row = 0; row < u->rows; row++) {
        forward_row(self, u->values + row * u->stride, out + row * self->features, scratch);
    }
}

static size_t scratch_size(const layer *self) { return self->columns * cosines_of(self); }

/* ---- The gradient ---- */

typedef struct gradient_job {
    const layer *layer;
    const rows_view *u;
    const float *g; /* (rows, features) */
    float *const *gradients;
    float *work; /* (workers, 2, ROWS, M) */
} gradient_job;

/* Fills cosine and sine (rows, M) of one column of `rows` rows. */
static void column_cosines(const gradient_job *self, size_t column, size_t first, size_t rows, float *cosine,
                           float *sine) {
    const size_t cosines = cosines_of(self->layer);
    const float *frequency = self->layer->tensors[FREQUENCY].values + column * cosines;
    const float *phase = self->layer->tensors[PHASE].values + column * cosines;
    for (size_t i = 0; i < rows; i++) {
        const float u = self->u->values[(first + i) * self->u->stride + column];
        for (size_t m = 0; m < cosines; m++) {
            cosine[i * cosines + m] = frequency[m] * u + phase[m];
        }
    }
    sincos_array(cosine, rows * cosines, sine, cosine);
}

/* Adds one row's share to the gradients of one column, from the slope (MIXED) of its mixed
 * numbers. */
static void add_row(const gradient_job *self, size_t column, float u, const float *slope, const float *cosine,
                    const float *sine) {
    const size_t cosines = cosines_of(self->layer), at = column * cosines;
    const float *mix = self->layer->tensors[MIX].values + at * MIXED;
    float *for_mix = self->gradients[MIX] + at * MIXED;
    for (size_t m = 0; m < cosines; m++) {
        float sum = 0.0F;
        for (size_t i = 0; i < MIXED; i++) {
            for_mix[m * MIXED + i] += slope[i] * cosine[m];
            sum += slope[i] * mix[m * MIXED + i];
        }
        const float inner = -sine[m] * sum;
        self->gradients[PHASE][at + m] += inner;
        self->gradients[FREQUENCY][at + m] += inner * u;
    }
}

static void gradient_column(void *context, size_t column, size_t worker) {
    const gradient_job *self = context;
    const layer *own = self->layer;
    const rows_view *u = self->u;
    const size_t d = own->columns, cosines = cosines_of(own);
    float *cosine = self->work + worker * 2 * ROWS * cosines, *sine = cosine + ROWS * cosines;
    for (size_t i = FREQUENCY; i <= MIX; i++) {
        const size_t each = own->tensors[i].columns;
        memset(self->gradients[i] + column * each, 0, each * sizeof(float));
    }
    for (size_t first = 0; first < u->rows; first += ROWS) {
        const size_t rows = u->rows - first < ROWS ? u->rows - first : ROWS;
        column_cosines(self, column, first, rows, cosine, sine);
        for (size_t i = 0; i < rows; i++) {
            add_row(self, column, u->values[(first + i) * u->stride + column],
                    self->g + (first + i) * own->features + d + column * MIXED, cosine + i * cosines,
                    sine + i * cosines);
        }
    }
}

static void gradient(const layer *self, const rows_view *u, const float *g, float *const gradients[LAYER_TENSORS],
                     thread_pool *threads, float *work) {
    gradient_job job = {self, u, g, gradients, work};
    if (gradients[FREQUENCY] != NULL && gradients[PHASE] != NULL && gradients[MIX] != NULL) {
        threads_for(threads, self->columns, gradient_column, &job);
    }
}

static size_t gradient_work_size(const layer *self, size_t rows, size_t threads) {
    (void)rows;
    return threads * 2 * ROWS * cosines_of(self);
}

/* ---- Other ---- */

static cnm_status to_dense(const layer *self, float *theta, cnm_error *err) {
    (void)self, (void)theta;
    return error_set(err, CNM_UNSUPPORTED, "a layer of single columns is no matrix");
}

static cnm_status take_gain(layer *self, cnm_error *err) {
    float **gain = &self->tensors[GAIN].values;
    if (*gain != NULL) {
        return CNM_OK;
    }
    TRY(memory_take(gain, self->columns, sizeof **gain, "column scales", err));
    for (size_t j = 0; j < self->columns; j++) {
        (*gain)[j] = 1.0F;
    }
    return CNM_OK;
}

/* Returns whether all products are finite: then nothing fails half-way. */
static bool stays_finite(const layer *self, const double *factor) {
    const size_t cosines = cosines_of(self);
    for (size_t j = 0; j < self->columns; j++) {
        if (!isfinite((float)(factor[j] * (double)self->tensors[GAIN].values[j]))) {
            return false;
        }
        for (size_t m = 0; m < cosines; m++) {
            if (!isfinite((float)(factor[j] * (double)self->tensors[FREQUENCY].values[j * cosines + m]))) {
                return false;
            }
        }
    }
    return true;
}

static cnm_status scale_columns(layer *self, const double *factor, cnm_error *err) {
    TRY(take_gain(self, err));
    if (!stays_finite(self, factor)) {
        return error_set(err, CNM_BAD_ARGUMENT, "a column's scale is too large for the frequencies of its cosines");
    }
    TRY(scale_tensor(&self->tensors[FREQUENCY], factor, 1, 0, err));
    return scale_tensor(&self->tensors[GAIN], factor, 0, 1, err);
}

static cnm_status adopt(layer *self, const layer *smaller, cnm_error *err) {
    if (smaller->tensors[GAIN].values != NULL) {
        TRY(take_gain(self, err));
    }
    for (size_t i = 0; i < TENSORS; i++) {
        const layer_tensor *from = &smaller->tensors[i];
        if (from->values != NULL) {
            memcpy(self->tensors[i].values, from->values, from->rows * from->columns * sizeof(float));
        }
    }
    return CNM_OK;
}

const projection_ops PROJECTION_COLUMNS = {
    .name = "columns",
    .help = "cosines of single columns, for a layer above",
    .prepares = true,
    .unit = FREQUENCY_UNIT,
    .features = features_of,
    .describe = describe,
    .draw = draw,
    .forward = forward,
    .scratch_size = scratch_size,
    .gradient = gradient,
    .gradient_work_size = gradient_work_size,
    .to_dense = to_dense,
    .scale_columns = scale_columns,
    .adopt = adopt,
};
