/* Measures the time of one prediction of one row by cnm_predictor_scores; the first case is d = 22,
 * k = 64 and two classes.
 *
 * Models are trained on generated rows, and all rows are predicted in turn, so that neither the
 * rows nor the branches are always the same. Checked first: a row alone has the bits of
 * cnm_predict_scores. Usage: one_row [--quick]. */
#include <cnm/cnm.h>

#include "floor.h"

enum { ROWS = 1000, PIECE = 100 };

typedef struct row_case {
    const char *name, *projection;
    size_t columns, features, classes;
} row_case;

static const row_case CASES[] = {{"one_row_binary", "dense", 22, 64, 2},
                                 {"one_row_digits", "dense", 256, 256, 10},
                                 {"one_row_circulant", "circulant", 784, 784, 10}};

static void set_option(cnm_options *options, const char *name, const char *value) {
    cnm_error error;
    check(cnm_options_set(options, name, value, &error), &error);
}

static cnm_model *train(const row_case *is, const cnm_data *data) {
    static const char *const FIXED[][2] = {
        {"method", "rff"}, {"gamma", "0.1"}, {"scale", "none"}, {"epochs", "1"}, {"dtype", "f32"}};
    cnm_options *options;
    cnm_model *model;
    cnm_error error;
    char features[32];
    check(cnm_options_create(&options, &error), &error);
    for (size_t i = 0; i < sizeof FIXED / sizeof FIXED[0]; i++) {
        set_option(options, FIXED[i][0], FIXED[i][1]);
    }
    snprintf(features, sizeof features, "%zu", is->features);
    set_option(options, "features", features);
    set_option(options, "projection", is->projection);
    check(cnm_train(&model, data, options, NULL, &error), &error);
    cnm_options_destroy(options);
    return model;
}

/* Returns seconds a row: the sum of the best times of chunks of PIECE rows over many rounds.
 * Scores, (rows, outputs), are those of the last round. */
static double time_rows(cnm_predictor *predictor, const float *values, size_t columns, size_t outputs, float *scores,
                        int rounds) {
    double best[ROWS / PIECE], sum = 0.0;
    for (int round = 0; round < rounds; round++) {
        for (size_t first = 0; first < ROWS; first += PIECE) {
            const double start = now();
            for (size_t row = first; row < first + PIECE; row++) {
                cnm_predictor_scores(predictor, values + row * columns, scores + row * outputs);
            }
            const double taken = now() - start;
            best[first / PIECE] = round == 0 ? taken : fmin(best[first / PIECE], taken);
        }
    }
    for (size_t i = 0; i < ROWS / PIECE; i++) {
        sum += best[i];
    }
    return sum / ROWS;
}

static void run(const row_case *is, int quick) {
    cnm_predictor *predictor;
    cnm_data *data;
    cnm_error error;
    double *targets = take(ROWS, sizeof *targets);
    float *values = take(ROWS * is->columns, sizeof *values);
    fill_uniform(values, ROWS * is->columns, 3);
    for (size_t i = 0; i < ROWS; i++) {
        targets[i] = (double)(i % is->classes);
    }
    check(cnm_data_view_dense(&data, values, ROWS, is->columns, is->columns, &error), &error);
    check(cnm_data_set_targets(data, targets, &error), &error);
    cnm_model *model = train(is, data);
    const size_t outputs = cnm_model_outputs(model);
    float *scores = take(ROWS * outputs, sizeof *scores), *alone = take(ROWS * outputs, sizeof *alone);
    check(cnm_predict_scores(model, data, 1, scores, &error), &error);
    check(cnm_predictor_create(&predictor, model, &error), &error);
    const double seconds = time_rows(predictor, values, is->columns, outputs, alone, quick ? 300 : 1000);
    if (memcmp(scores, alone, ROWS * outputs * sizeof *scores) != 0) {
        fail("a row alone has other scores than in a batch");
    }
    figure(is->name, seconds);
    printf("%-9s d %3zu, k %3zu, %2zu classes: %.3f us a row\n", is->projection, is->columns, is->features, is->classes,
           1e6 * seconds);
    cnm_predictor_destroy(predictor);
    cnm_model_destroy(model);
    cnm_data_destroy(data);
    free(targets);
    free(values);
    free(scores);
    free(alone);
}

int main(int count, char **arguments) {
    const int quick = count == 2 && strcmp(arguments[1], "--quick") == 0;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        run(&CASES[i], quick);
    }
    return 0;
}
