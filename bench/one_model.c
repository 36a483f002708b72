/* Measures predictions by a model from a file: one row alone by cnm_predictor_scores, and all rows
 * by cnm_predict_scores with one thread. Times are processor time, which a busy machine changes
 * little. Checked first: a row alone has the bits of a batch. For models of numeric columns.
 *
 * Usage: one_model MODEL ROWS, with rows as 32-bit numbers without a header, cnm_model_inputs each.
 * Prints two numbers: microseconds a row alone, and in the batch. */
#include <cnm/cnm.h>

#include <time.h>

#include "bench_support.h"

enum { ROUNDS = 20 };

static double processor_time(void) {
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Returns the numbers of a file, and their count. */
static float *read_numbers(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fail("cannot read the rows");
    }
    *count = (size_t)ftell(file) / sizeof(float);
    rewind(file);
    float *numbers = take(*count, sizeof *numbers);
    if (fread(numbers, sizeof *numbers, *count, file) != *count) {
        fail("cannot read the rows");
    }
    fclose(file);
    return numbers;
}

/* Returns seconds for all rows, the best of ROUNDS. */
static double time_alone(cnm_predictor *predictor, const float *values, size_t rows, size_t columns, size_t outputs,
                         float *scores) {
    double best = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = processor_time();
        for (size_t row = 0; row < rows; row++) {
            cnm_predictor_scores(predictor, values + row * columns, scores + row * outputs);
        }
        best = fmin(best, processor_time() - start);
    }
    return best;
}

static double time_batch(const cnm_model *model, const cnm_data *data, float *scores) {
    double best = INFINITY;
    cnm_error error;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = processor_time();
        check(cnm_predict_scores(model, data, 1, scores, &error), &error);
        best = fmin(best, processor_time() - start);
    }
    return best;
}

int main(int count, char **arguments) {
    cnm_model *model;
    cnm_data *data;
    cnm_predictor *predictor;
    cnm_error error;
    size_t numbers;
    if (count != 3) {
        fail("usage: one_model MODEL ROWS");
    }
    check(cnm_model_load(&model, arguments[1], &error), &error);
    float *values = read_numbers(arguments[2], &numbers);
    const size_t columns = cnm_model_inputs(model), rows = numbers / columns, outputs = cnm_model_outputs(model);
    float *scores = take(rows * outputs, sizeof *scores), *alone = take(rows * outputs, sizeof *alone);
    check(cnm_data_view_dense(&data, values, rows, columns, columns, &error), &error);
    check(cnm_predictor_create(&predictor, model, &error), &error);
    const double batch = time_batch(model, data, scores);
    const double single = time_alone(predictor, values, rows, columns, outputs, alone);
    if (memcmp(scores, alone, rows * outputs * sizeof *scores) != 0) {
        fail("a row alone has other scores than in a batch");
    }
    printf("%.4f %.4f\n", 1e6 * single / (double)rows, 1e6 * batch / (double)rows);
    cnm_predictor_destroy(predictor);
    cnm_data_destroy(data);
    cnm_model_destroy(model);
    free(values);
    free(scores);
    free(alone);
    return 0;
}
