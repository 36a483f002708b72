/* Prediction with two stacks of layers, rows in memory to scores, one thread: 54 columns, dense
 * layers of 256 and 128 features, one score; and 784 columns, a circulant layer of 784 and a dense
 * one of 64, ten scores.
 *
 * The floor has no cosines: multiply-adds of dense layers and head at the rate that our own product
 * of large matrices reaches, and the convolution of the circulant layer alone, both measured in
 * turn with the prediction. First checked: scores are those of plain sums in double, and a row
 * alone has the bits of a batch. Medians of five, each of several calls. Usage: stack [--quick].
 * Not through the public header: the maps are random. */
#include "../floor.h"
#include "base/core/memory.h"
#include "math/fft/convolve.h"
#include "math/gemm/gemm.h"
#include "model/predict_row.h"

enum { ROWS = 2048, CHECKED = 40, TRIES = 5, SIDE = 768, MOST_OUTPUTS = 10 };

typedef struct stack_case {
    const char *name, *key, *first; /* words; name of figures; projection of the first layer */
    size_t columns, inner, features, outputs;
} stack_case;

static const stack_case CASES[] = {
    {"54 -> 256 -> 128 -> 1", "dense", "dense", 54, 256, 128, 1},
    {"784 -> circulant 784 -> 64 -> 10", "circulant", "circulant", 784, 784, 64, 10},
};

/* ---- The model ---- */

/* Takes floats as the library does: aligned, to be freed with memory_free. */
static float *memory_or_fail(size_t count) {
    float *out;
    cnm_error error;
    check(memory_zeroed(&out, count, sizeof *out, "a measurement", &error), &error);
    return out;
}

static float *owned_uniform(size_t count, uint64_t seed) {
    float *out = memory_or_fail(count);
    fill_uniform(out, count, seed);
    return out;
}

/* Makes a random map with a random head. */
static cnm_model *make_model(const stack_case *is) {
    const map_spec spec = {.projection = "dense",
                           .activation = "cos",
                           .columns = is->columns,
                           .features = is->features,
                           .gamma = 1.0 / (double)is->columns,
                           .phases = true,
                           .seed = 1,
                           .inner_count = 1,
                           .inner = {{is->first, is->inner}}};
    cnm_model *out;
    cnm_error error;
    check(model_create(&out, &error), &error);
    out->task = is->outputs > 1 ? TASK_CLASSIFY : TASK_REGRESS;
    check(map_draw(&out->map, &spec, &error), &error);
    out->input.columns = is->columns;
    out->outputs = is->outputs;
    out->weights = owned_uniform(is->features * is->outputs, 2);
    out->bias = owned_uniform(is->outputs, 3);
    return out;
}

/* ---- What is checked ---- */

/* Replaces u by the features of one layer, in double. */
static void plain_layer(const layer *own, const float *theta, double *u) {
    double *z = take(own->features, sizeof *z);
    for (size_t i = 0; i < own->features; i++) {
        z[i] = (double)own->phase[i];
        for (size_t j = 0; j < own->columns; j++) {
            z[i] += u[j] * (double)theta[j * own->features + i];
        }
        z[i] = cos(z[i]);
    }
    memcpy(u, z, own->features * sizeof *u);
    free(z);
}

/* Compares scores with sums in double: within 1e-5 (1 + sum |W|), as exports are. */
static void check_scores(const cnm_model *model, const float *x, const float *scores) {
    const map *own = model->map;
    float *theta[MAP_LAYERS];
    double *u = take(own->columns + own->layers[0]->features, sizeof *u);
    cnm_error error;
    for (size_t i = 0; i < own->layer_count; i++) {
        theta[i] = take(own->layers[i]->columns * own->layers[i]->features, sizeof(float));
        check(own->layers[i]->projection->to_dense(own->layers[i], theta[i], &error), &error);
    }
    for (size_t row = 0; row < CHECKED; row++) {
        for (size_t j = 0; j < own->columns; j++) {
            u[j] = (double)x[row * own->columns + j];
        }
        for (size_t i = 0; i < own->layer_count; i++) {
            plain_layer(own->layers[i], theta[i], u);
        }
        for (size_t o = 0; o < model->outputs; o++) {
            double sum = (double)model->bias[o], size = 1.0;
            for (size_t i = 0; i < own->features; i++) {
                sum += u[i] * (double)model->weights[i * model->outputs + o];
                size += fabs((double)model->weights[i * model->outputs + o]);
            }
            if (!(fabs(sum - (double)scores[row * model->outputs + o]) <= 1e-5 * size)) {
                fail("a score is not that of plain sums");
            }
        }
    }
    for (size_t i = 0; i < own->layer_count; i++) {
        free(theta[i]);
    }
    free(u);
}

static void verify(const cnm_model *model, const rows_view *rows, float *scores) {
    row_predictor *alone;
    float score[MOST_OUTPUTS];
    cnm_error error;
    check(model_scores(model, rows, 1, scores, &error), &error);
    check_scores(model, rows->values, scores);
    check(row_predictor_create(&alone, model, &error), &error);
    for (size_t row = 0; row < rows->rows; row++) {
        row_predictor_scores(alone, rows->values + row * rows->columns, score);
        if (memcmp(score, scores + row * model->outputs, model->outputs * sizeof *score) != 0) {
            fail("a row alone has other scores than in a batch");
        }
    }
    row_predictor_destroy(alone);
}

/* ---- What is timed: each returns seconds of one call ---- */

static double predict_seconds(const cnm_model *model, const rows_view *rows, float *scores) {
    cnm_error error;
    const double start = now();
    check(model_scores(model, rows, 1, scores, &error), &error);
    return now() - start;
}

/* Returns seconds of one multiply-add in a product of large matrices. */
static double product_seconds(const float *a, const float *b, float *c) {
    const double start = now();
    for (size_t row = 0; row < SIDE; row += GEMM_ROWS) {
        gemm(&(gemm_call){.m = GEMM_ROWS,
                          .n = SIDE,
                          .k = SIDE,
                          .a = a + row * SIDE,
                          .lda = SIDE,
                          .b = b,
                          .ldb = SIDE,
                          .c = c + row * SIDE,
                          .ldc = SIDE});
    }
    return (now() - start) / ((double)SIDE * SIDE * SIDE);
}

/* The convolution of the first layer alone, for all rows; 0 where that is dense. */
typedef struct convolution {
    convolver *plan;
    float *spectrum, *scratch, *out;
} convolution;

static convolution make_convolution(const stack_case *is, const layer *own) {
    convolution self = {0};
    cnm_error error;
    if (own->projection->forward_part == NULL) { /* circulant */
        check(convolver_create(&self.plan, is->columns, is->inner, &error), &error);
        self.spectrum = memory_or_fail(convolver_spectrum_size(self.plan));
        self.scratch = memory_or_fail(convolver_scratch_size(self.plan));
        self.out = memory_or_fail(GEMM_ROWS * is->inner);
        convolver_transform_filters(self.plan, own->tensors[0].values, self.spectrum, self.scratch);
    }
    return self;
}

static void free_convolution(convolution *self) {
    convolver_destroy(self->plan);
    memory_free(self->spectrum);
    memory_free(self->scratch);
    memory_free(self->out);
}

static double convolution_seconds(const convolution *self, const stack_case *is, const rows_view *rows) {
    const double start = now();
    for (size_t row = 0; self->plan != NULL && row < rows->rows; row += GEMM_ROWS) {
        convolver_forward(self->plan, self->spectrum, rows->values + row * is->columns, is->columns, GEMM_ROWS,
                          self->out, is->inner, self->scratch);
    }
    return now() - start;
}

/* ---- One stack ---- */

static double dense_products(const stack_case *is, bool circulant) {
    return (double)is->features * (double)(is->inner + is->outputs) +
           (circulant ? 0.0 : (double)is->columns * (double)is->inner);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double times[TRIES]) {
    qsort(times, TRIES, sizeof *times, by_size);
    return times[TRIES / 2];
}

static void measure(const stack_case *is, size_t calls) {
    cnm_model *model = make_model(is);
    float *x = owned_uniform(ROWS * is->columns, 4), *scores = memory_or_fail(ROWS * is->outputs);
    float *a = owned_uniform(SIDE * SIDE, 5), *b = owned_uniform(SIDE * SIDE, 6), *c = memory_or_fail(SIDE * SIDE);
    const rows_view rows = {.rows = ROWS, .columns = is->columns, .values = x, .stride = is->columns};
    convolution own = make_convolution(is, map_first(model->map));
    double predicted[TRIES], product[TRIES], convolved[TRIES];
    verify(model, &rows, scores);
    for (size_t i = 0; i < TRIES; i++) { /* in turn: a slow minute affects all; the least of several calls */
        predicted[i] = product[i] = convolved[i] = INFINITY;
        for (size_t call = 0; call < calls; call++) {
            predicted[i] = fmin(predicted[i], predict_seconds(model, &rows, scores) / ROWS);
            product[i] = fmin(product[i], product_seconds(a, b, c));
            convolved[i] = fmin(convolved[i], convolution_seconds(&own, is, &rows) / ROWS);
        }
    }
    const double ours = median(predicted), alone = median(convolved);
    const double floor = dense_products(is, own.plan != NULL) * median(product) + alone;
    char name[64];
    (void)snprintf(name, sizeof name, "%s_seconds", is->key);
    figure(name, ours);
    (void)snprintf(name, sizeof name, "%s_floor", is->key);
    figure(name, floor);
    printf("%-34s %7.3f us a row, floor %7.3f us (convolution %.3f): %.2f times the floor\n", is->name, 1e6 * ours,
           1e6 * floor, 1e6 * alone, ours / floor);
    free_convolution(&own);
    memory_free(x);
    memory_free(scores);
    memory_free(a);
    memory_free(b);
    memory_free(c);
    model_destroy(model);
}

int main(int count, char **arguments) {
    const bool quick = count == 2 && strcmp(arguments[1], "--quick") == 0;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        measure(&CASES[i], quick ? 3 : 20);
    }
    return 0;
}
