/* One training of a cross-validation: select rows, train, score the others, and time the prediction. */
#include "tune/tune_fold.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report_error.h"
#include "cli_format.h"
#include "command_lookup.h"

enum { TIMED_ROWS = 2048, TIMED_RUNS = 20 };
static const double TIMED_SECONDS = 0.1;

cnm_status set_map(cnm_options *options, const char *projection, size_t features, cnm_error *error) {
    char text[32];
    (void)snprintf(text, sizeof text, "%zu", features);
    const cnm_status status = cnm_options_set(options, "features", text, error);
    return status == CNM_OK ? cnm_options_set(options, "projection", projection, error) : status;
}

/* *train = the rows of the other parts, *held = those of this one. */
static cnm_status split(const tune_rows *rows, size_t part, cnm_data **train, cnm_data **held, cnm_error *error) {
    const size_t count = cnm_data_rows(rows->data);
    size_t *order = malloc((count + 1) * sizeof *order), held_count = 0, first = 0;
    if (order == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: a split of %zu rows", count);
    }
    for (size_t i = 0; i < count; i++) {
        held_count += rows->part[i] == part;
    }
    for (size_t i = 0, last = held_count; i < count;
         i++) { /* held rows first, the others behind, both in their order */
        order[rows->part[i] == part ? first++ : last++] = i;
    }
    cnm_status status = cnm_data_select(held, rows->data, order, held_count, error);
    if (status == CNM_OK) {
        status = cnm_data_select(train, rows->data, order + held_count, count - held_count, error);
    }
    free(order);
    return status;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Microseconds a row with one thread, rows in memory: the best of several runs. scores has room for all held rows. */
static cnm_status time_rows(const cnm_model *model, const cnm_data *held, float *scores, double *out,
                            cnm_error *error) {
    size_t order[TIMED_ROWS];
    const size_t rows = cnm_data_rows(held), count = rows < TIMED_ROWS ? rows : TIMED_ROWS;
    cnm_data *some;
    double best = INFINITY, spent = 0.0;
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    cnm_status status = cnm_data_select(&some, held, order, count, error);
    for (int run = 0; status == CNM_OK && run < TIMED_RUNS && spent < TIMED_SECONDS; run++) {
        const double start = now();
        status = cnm_predict_scores(model, some, 1, scores, error);
        const double seconds = now() - start;
        best = fmin(best, seconds);
        spent += seconds;
    }
    *out = 1e6 * best / (double)count;
    cnm_data_destroy(some);
    return status;
}

static cnm_status judge(const cnm_model *model, const cnm_data *held, size_t threads, const tune_metric *metric,
                        tune_result *result, cnm_error *error) {
    cnm_evaluation *evaluation = NULL;
    float *scores = calloc(cnm_data_rows(held) * cnm_model_outputs(model) + 1, sizeof *scores);
    cnm_status status = scores != NULL ? CNM_OK : error_fill(error, CNM_NO_MEMORY, "out of memory: scores");
    if (status == CNM_OK) {
        status = cnm_evaluation_create(&evaluation, model, strcmp(metric->name, "auc") == 0, error);
    }
    if (status == CNM_OK) {
        status = cnm_predict_scores(model, held, threads, scores, error);
    }
    if (status == CNM_OK) {
        status = cnm_evaluation_add(evaluation, held, scores, error);
    }
    if (status == CNM_OK) {
        result->score = cnm_evaluation_get(evaluation, metric->name);
        result->bytes = number_read(model_value(model, "bytes"));
        status = time_rows(model, held, scores, &result->microseconds, error);
    }
    if (status == CNM_OK && !isfinite(result->score)) {
        status = error_fill(error, CNM_BAD_DATA,
                            "part %zu of the rows has no %s: all its labels are alike, or there are more than two "
                            "classes; try another --metric, or --shuffle the rows",
                            result->part + 1, metric->name);
    }
    cnm_evaluation_destroy(evaluation);
    free(scores);
    return status;
}

cnm_status fold_run(const tune_rows *rows, cnm_options *options, const tune_metric *metric, tune_result *result,
                    const cnm_callbacks *callbacks, cnm_error *error) {
    cnm_data *train = NULL, *held = NULL;
    cnm_model *model = NULL;
    cnm_status status = set_map(options, result->projection, result->features, error);
    if (status == CNM_OK) {
        status = split(rows, result->part, &train, &held, error);
    }
    if (status == CNM_OK) {
        status = cnm_train(&model, train, options, callbacks, error);
    }
    if (status == CNM_OK) {
        status = judge(model, held, threads_wanted(options), metric, result, error);
    }
    cnm_model_destroy(model);
    cnm_data_destroy(train);
    cnm_data_destroy(held);
    return status;
}
