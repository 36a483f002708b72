/* Runs one training of a cross-validation: selects rows, trains, evaluates the validation rows and
 * measures the time of a prediction. */
#include "tune/tune_fold.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli_format.h"
#include "described_values.h"
#include "library_calls.h"
#include "report_error.h"

enum { TIMED_ROWS = 2048, TIMED_RUNS = 20 };
static const double TIMED_SECONDS = 0.1;

static cnm_status set_shape(cnm_options *options, const map_shape *shape, cnm_error *error) {
    if (shape->below > 0) {
        return cnm_options_set(options, "layers", shape_features(shape).text, error);
    }
    TRY(cnm_options_set(options, "features", shape_features(shape).text, error));
    return cnm_options_set(options, "projection", shape->projection.text, error);
}

cnm_status options_of_shape(cnm_options **out, const cnm_options *options, const map_shape *shape, cnm_error *error) {
    TRY(cnm_options_copy(out, options, error));
    const cnm_status status = set_shape(*out, shape, error);
    if (status != CNM_OK) {
        cnm_options_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* *train = the rows of the other folds, *validation = those of this one. */
static cnm_status split(const tune_rows *rows, size_t fold, cnm_data **train, cnm_data **validation, cnm_error *error) {
    const size_t count = cnm_data_rows(rows->data);
    size_t *order = malloc((count + 1) * sizeof *order), held_out = 0, first = 0;
    if (order == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: a split of %zu rows", count);
    }
    for (size_t i = 0; i < count; i++) {
        held_out += rows->fold[i] == fold;
    }
    for (size_t i = 0, last = held_out; i < count; i++) { /* validation rows first, each set in its order */
        order[rows->fold[i] == fold ? first++ : last++] = i;
    }
    cnm_status status;
    TRY_DONE(cnm_data_select(validation, rows->data, order, held_out, error));
    TRY_DONE(cnm_data_select(train, rows->data, order + held_out, count - held_out, error));
done:
    free(order);
    return status;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* *out = microseconds a row on one thread, rows in memory: the least of several runs. `scores` has
 * space for all rows. */
static cnm_status time_rows(const cnm_model *model, const cnm_data *data, float *scores, double *out,
                            cnm_error *error) {
    size_t order[TIMED_ROWS];
    const size_t rows = cnm_data_rows(data), count = rows < TIMED_ROWS ? rows : TIMED_ROWS;
    cnm_data *some = NULL;
    cnm_status status;
    double best = INFINITY, spent = 0.0;
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    TRY_DONE(cnm_data_select(&some, data, order, count, error));
    for (int run = 0; run < TIMED_RUNS && spent < TIMED_SECONDS; run++) {
        const double start = now();
        TRY_DONE(cnm_predict_scores(model, some, 1, scores, error));
        const double seconds = now() - start;
        best = fmin(best, seconds);
        spent += seconds;
    }
    *out = 1e6 * best / (double)count;
done:
    cnm_data_destroy(some);
    return status;
}

/* Fills score, bytes and microseconds of the result from the validation rows. */
static cnm_status evaluate(const cnm_model *model, const cnm_data *validation, size_t threads,
                           const metric_traits *metric, tune_result *result, cnm_error *error) {
    cnm_evaluation *evaluation = NULL;
    cnm_status status;
    float *scores = calloc(cnm_data_rows(validation) * cnm_model_outputs(model) + 1, sizeof *scores);
    TRY_DONE(scores != NULL ? CNM_OK : error_fill(error, CNM_NO_MEMORY, "out of memory: scores"));
    TRY_DONE(cnm_evaluation_create(&evaluation, model, metric->ranks, error));
    TRY_DONE(cnm_predict_scores(model, validation, threads, scores, error));
    TRY_DONE(cnm_evaluation_add(evaluation, validation, scores, error));
    result->score = metric_value(evaluation, metric->name);
    result->bytes = number_of_text(model_value(model, "bytes"));
    TRY_DONE(time_rows(model, validation, scores, &result->microseconds, error));
    if (!isfinite(result->score)) {
        status = error_fill(error, CNM_BAD_DATA,
                            "fold %zu of the rows has no %s: all its labels are the same, or there are more than two "
                            "classes; try another --metric, or --shuffle the rows",
                            result->fold + 1, metric->name);
    }
done:
    cnm_evaluation_destroy(evaluation);
    free(scores);
    return status;
}

cnm_status fold_run(const tune_rows *rows, const cnm_options *options, const metric_traits *metric, tune_result *result,
                    const cnm_callbacks *callbacks, cnm_error *error) {
    cnm_data *train = NULL, *validation = NULL;
    cnm_model *model = NULL;
    cnm_options *own = NULL;
    cnm_status status;
    TRY_DONE(options_of_shape(&own, options, &result->shape, error));
    TRY_DONE(split(rows, result->fold, &train, &validation, error));
    TRY_DONE(library_train(&model, train, own, callbacks, error));
    TRY_DONE(evaluate(model, validation, threads_wanted(options), metric, result, error));
done:
    cnm_options_destroy(own);
    cnm_model_destroy(model);
    cnm_data_destroy(train);
    cnm_data_destroy(validation);
    return status;
}
