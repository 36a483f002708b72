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
    float *work; /* worker_size floats for each worker */
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

/* One column while its gradient is summed, with each array of M numbers in one piece. */
typedef struct column_gradient {
    size_t cosines;
    float *mix, *for_mix;             /* (MIXED, M) */
    float *for_phase, *for_frequency; /* (M) */
} column_gradient;

/* Adds one row's share, from the slope (MIXED) of its mixed numbers. */
static void add_row(const column_gradient *self, float u, const float *restrict slope, const float *restrict cosine,
                    const float *restrict sine) {
    const size_t count = self->cosines;
    const float *restrict mix = self->mix;
    float *restrict phase = self->for_phase;
    float *restrict frequency = self->for_frequency;
    for (size_t i = 0; i < MIXED; i++) {
        float *restrict sum = self->for_mix + i * count;
        for (size_t m = 0; m < count; m++) {
            sum[m] += slope[i] * cosine[m];
        }
    }
    for (size_t m = 0; m < count; m++) {
        const float outer = slope[0] * mix[m] + slope[1] * mix[count + m] + slope[2] * mix[2 * count + m] +
                            slope[3] * mix[3 * count + m];
        const float inner = -sine[m] * outer;
        phase[m] += inner;
        frequency[m] += inner * u;
    }
}

/* Copies a mix (M, MIXED) to (MIXED, M), or back. */
static void turn_mix(const float *from, size_t cosines, bool back, float *to) {
    for (size_t m = 0; m < cosines; m++) {
        for (size_t i = 0; i < MIXED; i++) {
            const size_t apart = m * MIXED + i, together = i * cosines + m;
            to[back ? apart : together] = from[back ? together : apart];
        }
    }
}

/* Returns the floats of work for one worker. */
static size_t worker_size(size_t cosines) { return 2 * (ROWS + MIXED) * cosines; }

static void gradient_column(void *context, size_t column, size_t worker) {
    const gradient_job *self = context;
    const layer *own = self->layer;
    const rows_view *u = self->u;
    const size_t d = own->columns, cosines = cosines_of(own), at = column * cosines;
    float *cosine = self->work + worker * worker_size(cosines), *sine = cosine + ROWS * cosines;
    const column_gradient sums = {cosines, sine + ROWS * cosines, sine + (ROWS + MIXED) * cosines,
                                  self->gradients[PHASE] + at, self->gradients[FREQUENCY] + at};
    memset(sums.for_mix, 0, MIXED * cosines * sizeof *sums.for_mix);
    memset(sums.for_phase, 0, cosines * sizeof *sums.for_phase);
    memset(sums.for_frequency, 0, cosines * sizeof *sums.for_frequency);
    turn_mix(own->tensors[MIX].values + at * MIXED, cosines, false, sums.mix);
    for (size_t first = 0; first < u->rows; first += ROWS) {
        const size_t rows = u->rows - first < ROWS ? u->rows - first : ROWS;
        column_cosines(self, column, first, rows, cosine, sine);
        for (size_t i = 0; i < rows; i++) {
            add_row(&sums, u->values[(first + i) * u->stride + column],
                    self->g + (first + i) * own->features + d + column * MIXED, cosine + i * cosines,
                    sine + i * cosines);
        }
    }
    turn_mix(sums.for_mix, cosines, true, self->gradients[MIX] + at * MIXED);
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
    return threads * worker_size(cosines_of(self));
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
