/* Prints the results of a training. */
#include "train_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_format.h"
#include "cli_progress.h"
#include "described_values.h"
#include "metric_traits.h"
#include "print_facts.h"

/* The training rows are predicted where that takes fewer multiplications: about a second. */
static const double CHEAP = 2e10;

model_score score_on_validation(const cnm_model *model) {
    return (model_score){"validation", number_of_text(model_value(model, "validation_score"))};
}

model_score score_on_rows(const cnm_model *model, const cnm_data *data, size_t threads) {
    const size_t rows = cnm_data_rows(data), outputs = cnm_model_outputs(model);
    const double work = (double)cnm_data_cells(data) * (double)cnm_model_features(model);
    const char *metric = metric_usual(model);
    model_score score = {metric_traits_find(metric).training, NAN};
    if (outputs == 0 || work > CHEAP || (double)rows * (double)outputs > CHEAP / 100) {
        return score;
    }
    float *scores = calloc(rows * outputs, sizeof *scores);
    cnm_evaluation *evaluation = NULL;
    if (scores != NULL && cnm_evaluation_create(&evaluation, model, 0, NULL) == CNM_OK &&
        cnm_predict_scores(model, data, threads, scores, NULL) == CNM_OK &&
        cnm_evaluation_add(evaluation, data, scores, NULL) == CNM_OK) {
        score.value = metric_value(evaluation, metric);
    }
    cnm_evaluation_destroy(evaluation);
    free(scores);
    return score;
}

double file_bytes(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (double)status.st_size : NAN;
}

void summary_print(FILE *out, bool json, const cnm_model *model, const cnm_data *data, size_t threads, const char *path,
                   double seconds) {
    const bool piped = strcmp(path, "-") == 0;
    const size_t classes = cnm_model_classes(model);
    const model_score validation = score_on_validation(model), all = score_on_rows(model, data, threads);
    const fact facts[] = {
        {"label", model_value(model, "label_column"), NAN},
        {"task", model_value(model, "task"), NAN},
        {"model", piped ? "standard output" : path, 0},
        {"method", model_value(model, "method"), NAN},
        {"recipe", model_value(model, "recipe"), NAN},
        {"loss", model_value(model, "loss"), NAN},
        {"quantile", NULL, number_of_text(model_value(model, "quantile"))},
        {"rows", NULL, (double)cnm_data_rows(data)},
        {"columns", NULL, (double)cnm_data_columns(data)},
        {"classes", NULL, classes > 0 ? (double)classes : NAN},
        {"features", NULL, (double)cnm_model_features(model)},
        {"scale", model_value(model, "scale"), NAN},
        {"gamma", NULL, number_of_text(model_value(model, "gamma"))},
        {"width", NULL, number_of_text(model_value(model, "width"))},
        {"map-rate", NULL, number_of_text(model_value(model, "map_rate"))},
        {"decay", NULL, number_of_text(model_value(model, "decay"))},
        {"noise", NULL, number_of_text(model_value(model, "noise"))},
        {"metric", model_value(model, "metric"), NAN},
        {"decision-offset", model_value(model, "decision_offset"), NAN},
        {"steps", NULL, number_of_text(model_value(model, "steps"))},
        {"bytes", NULL, piped ? NAN : file_bytes(path)},
        {"kernel-error", NULL, number_of_text(model_value(model, "kernel_error"))},
        {"kernel-error-random", NULL, number_of_text(model_value(model, "kernel_error_random"))},
        {"kernel-error-constant", NULL, number_of_text(model_value(model, "kernel_error_constant"))},
        {validation.name, NULL, validation.value},
        {all.name, NULL, all.value},
        {"seconds", NULL, round(seconds * 1000) / 1000},
        {"interrupted", interrupted() ? "yes" : NULL, NAN},
    };
    facts_print(out, facts, sizeof facts / sizeof facts[0], json);
}
