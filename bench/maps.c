/* Measures rows a second through a dense and a circulant map, d = k, on one thread and two, against
 * the peak rate of multiply-adds.
 *
 * Random maps run through the public functions, cosine, phases and scale included, from rows in
 * memory to features in memory. Checked first: products of features approximate the kernel, threads
 * and batches change no bit. Usage: maps [--quick]. */
#include <cnm/cnm.h>

#include "floor.h"

/* One thread is timed on FEW rows at a time, too short for an interruption by other programs; two
 * threads, and one for comparison, on all rows. */
enum { SIDE = 784, ROWS = 2048, FEW = 256, PAIRS = 200, MOST_THREADS = 2, RUNS = 3 };
static const double GAMMA = 0.004;

static void set_option(cnm_options *options, const char *name, const char *value) {
    cnm_error error;
    check(cnm_options_set(options, name, value, &error), &error);
}

static cnm_model *draw_map(const cnm_data *data, const char *projection) {
    static const char *const FIXED[][2] = {{"method", "rff"},  {"task", "map"},   {"features", "784"},
                                           {"gamma", "0.004"}, {"scale", "none"}, {"dtype", "f32"}};
    cnm_options *options;
    cnm_model *model;
    cnm_error error;
    check(cnm_options_create(&options, &error), &error);
    for (size_t i = 0; i < sizeof FIXED / sizeof FIXED[0]; i++) {
        set_option(options, FIXED[i][0], FIXED[i][1]);
    }
    set_option(options, "projection", projection);
    check(cnm_train(&model, data, options, NULL, &error), &error);
    cnm_options_destroy(options);
    if (cnm_model_columns(model) != SIDE || cnm_model_features(model) != SIDE) {
        fail("a map has another shape than asked for");
    }
    return model;
}

static void transform(const cnm_model *model, const cnm_data *data, size_t threads, float *z) {
    cnm_error error;
    check(cnm_transform(model, data, threads, z, &error), &error);
}

/* Compares z z^T with exp(-gamma |x - y|^2) for some pairs: the mean square error is below 1 /
 * k. */
static void check_kernel(const float *x, const float *z) {
    double squares = 0.0;
    for (size_t i = 0; i < PAIRS; i++) {
        double distance = 0.0, product = 0.0;
        for (size_t j = 0; j < SIDE; j++) {
            const double apart = (double)x[i * SIDE + j] - (double)x[(i + 1) * SIDE + j];
            distance += apart * apart;
            product += (double)z[i * SIDE + j] * (double)z[(i + 1) * SIDE + j];
        }
        squares += (product - exp(-GAMMA * distance)) * (product - exp(-GAMMA * distance)) / PAIRS;
    }
    if (!(squares < 2.0 / SIDE)) {
        fail("the features do not approximate the kernel");
    }
}

static void verify(const cnm_model *model, const cnm_data *data, const float *x, float *z, float *again) {
    cnm_data *alone;
    cnm_error error;
    transform(model, data, 1, z);
    check_kernel(x, z);
    transform(model, data, MOST_THREADS, again);
    if (memcmp(z, again, sizeof(float) * ROWS * SIDE) != 0) {
        fail("one thread and two give different features");
    }
    check(cnm_data_view_dense(&alone, x + 77 * SIDE, 1, SIDE, SIDE, &error), &error);
    transform(model, alone, 1, again);
    if (memcmp(z + 77 * SIDE, again, sizeof(float) * SIDE) != 0) {
        fail("a row alone has other features than in a batch");
    }
    cnm_data_destroy(alone);
}

/* Returns rows a second of one call. */
static double rate_of(const cnm_model *model, const cnm_data *data, size_t threads, float *z) {
    const double start = now();
    transform(model, data, threads, z);
    return (double)cnm_data_rows(data) / (now() - start);
}

static const struct {
    const char *name;
    size_t threads, rows;
} TIMED[RUNS] = {{"rows_1", 1, FEW}, {"all_1", 1, ROWS}, {"all_2", 2, ROWS}};

static void report(const char *projection, size_t way, double rate, double peak) {
    const size_t threads = TIMED[way].threads;
    char name[64];
    snprintf(name, sizeof name, "%s_%s", projection, TIMED[way].name);
    figure(name, rate);
    printf(
        "%-9s d = k = %d, %zu thread%s  %9.0f rows/s, %6.3f us a row; a dense map's multiply-adds: %.3f of the peak\n",
        projection, SIDE, threads, threads > 1 ? "s" : " ", rate, 1e6 / rate,
        rate * SIDE * SIDE / (peak * (double)threads));
}

int main(int count, char **arguments) {
    static const char *const PROJECTIONS[] = {"dense", "circulant"};
    const int quick = count == 2 && strcmp(arguments[1], "--quick") == 0;
    double best[2][RUNS] = {{0.0}}, peak = 0.0;
    float *x = take(ROWS * SIDE, sizeof *x), *z = take(ROWS * SIDE, sizeof *z), *again = take(ROWS * SIDE, sizeof *z);
    cnm_model *models[2];
    cnm_data *data[MOST_THREADS];
    cnm_error error;
    fill_uniform(x, ROWS * SIDE, 1);
    check(cnm_data_view_dense(&data[0], x, FEW, SIDE, SIDE, &error), &error);
    check(cnm_data_view_dense(&data[1], x, ROWS, SIDE, SIDE, &error), &error);
    for (size_t i = 0; i < 2; i++) {
        models[i] = draw_map(data[1], PROJECTIONS[i]);
        verify(models[i], data[1], x, z, again);
    }
    for (int try = 0; try < (quick ? 50 : 200); try++) { /* in turn: a slow minute affects all */
        peak = fmax(peak, fma_peak(4));
        for (size_t i = 0; i < 2; i++) {
            for (size_t way = 0; way < (size_t)(try % 4 == 0 ? RUNS : 1); way++) {
                const cnm_data *rows = TIMED[way].rows == FEW ? data[0] : data[1];
                best[i][way] = fmax(best[i][way], rate_of(models[i], rows, TIMED[way].threads, z));
            }
        }
    }
    figure("peak", peak);
    for (size_t i = 0; i < 2; i++) {
        for (size_t way = 0; way < RUNS; way++) {
            report(PROJECTIONS[i], way, best[i][way], peak);
        }
        cnm_model_destroy(models[i]);
        cnm_data_destroy(data[i]);
    }
    free(x);
    free(z);
    free(again);
    return 0;
}
