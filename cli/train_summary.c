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

/* ---- The summary ---- */

enum { MOST_FACTS = 48, SENTENCE = 256 };

/* Facts in their order, with the sentences that some of them are. */
typedef struct fact_list {
    fact facts[MOST_FACTS];
    size_t count;
    bool json;
    char metric_name[64], test_name[64], estimate[SENTENCE], test[SENTENCE], baseline[SENTENCE], linear[SENTENCE],
        test_baseline[SENTENCE];
} fact_list;

static void add_text(fact_list *self, const char *name, const char *text) {
    self->facts[self->count++] = (fact){name, text, NAN};
}

static void add_number(fact_list *self, const char *name, double number) {
    self->facts[self->count++] = (fact){name, NULL, number};
}

static void add_described(fact_list *self, const char *name, const cnm_model *model, const char *key) {
    add_number(self, name, number_of_text(model_value(model, key)));
}

/* Adds a score: as a sentence, or in JSON as its numbers. names: of score, standard error, rows. */
static void add_score(fact_list *self, const char *const names[3], const char *metric, double score, double error,
                      double rows, char sentence[SENTENCE]) {
    if (isnan(score)) {
        return;
    }
    (void)snprintf(sentence, SENTENCE, "%s +- %s (%.40s on %s rows that did not train it)", number_fixed(score, 3).text,
                   number_fixed(error, 3).text, metric, number_fixed(rows, 0).text);
    self->facts[self->count++] = (fact){names[0], self->json ? NULL : sentence, score};
    if (self->json) {
        add_number(self, names[1], error);
        add_number(self, names[2], rows);
    }
}

/* Adds the score of another model on the same rows: with what that is, or in JSON as a number. */
static void add_other(fact_list *self, const char *name, double score, const char *what, char sentence[SENTENCE]) {
    if (isnan(score)) {
        return;
    }
    (void)snprintf(sentence, SENTENCE, "%s (%s)", number_fixed(score, 3).text, what);
    self->facts[self->count++] = (fact){name, self->json ? NULL : sentence, score};
}

/* Adds what is known of rows that did not train the model. */
static void add_held_out(fact_list *self, const summary *of) {
    static const char *const ESTIMATE[] = {"estimate", "estimate_standard_error", "estimate_rows"};
    const cnm_model *model = of->model;
    const bool tested = of->test->metric != NULL;
    const char *metric = model_value(model, "estimate_metric");
    const char *constant = metric_constant(model);
    add_score(self, ESTIMATE, metric == NULL ? "" : metric, number_of_text(model_value(model, "estimate")),
              number_of_text(model_value(model, "estimate_standard_error")),
              number_of_text(model_value(model, "estimate_rows")), self->estimate);
    (void)snprintf(self->metric_name, sizeof self->metric_name, "estimate_%.40s",
                   model_value(model, "metric") == NULL ? "" : model_value(model, "metric"));
    add_described(self, self->metric_name, model, self->metric_name);
    add_other(self, "baseline", number_of_text(model_value(model, "baseline")), constant, self->baseline);
    add_other(self, "linear", number_of_text(model_value(model, "linear")), "a linear model", self->linear);
    (void)snprintf(self->test_name, sizeof self->test_name, "test-%.40s", tested ? of->test->metric : "");
    const char *const names[] = {self->test_name, "test_standard_error", "test_rows"};
    add_score(self, names, tested ? of->test->metric : "", tested ? of->test->score : NAN, of->test->standard_error,
              (double)of->test->rows, self->test);
    add_other(self, "test_baseline", tested ? of->test->baseline : NAN, constant, self->test_baseline);
}

static void add_model(fact_list *self, const summary *of) {
    const cnm_model *model = of->model;
    const bool piped = strcmp(of->path, "-") == 0;
    const size_t classes = cnm_model_classes(model);
    add_text(self, "model", piped ? "standard output" : of->path);
    add_text(self, "method", model_value(model, "method"));
    add_text(self, "recipe", model_value(model, "recipe"));
    add_text(self, "loss", model_value(model, "loss"));
    add_described(self, "quantile", model, "quantile");
    add_number(self, "rows", (double)cnm_data_rows(of->data));
    add_number(self, "columns", (double)cnm_data_columns(of->data));
    add_number(self, "classes", classes > 0 ? (double)classes : NAN);
    add_number(self, "features", (double)cnm_model_features(model));
    add_text(self, "scale", model_value(model, "scale"));
    add_described(self, "gamma", model, "gamma");
    add_described(self, "width", model, "width");
    add_described(self, "map-rate", model, "map_rate");
    add_described(self, "decay", model, "decay");
    add_described(self, "noise", model, "noise");
    add_text(self, "metric", model_value(model, "metric"));
    add_text(self, "decision-offset", model_value(model, "decision_offset"));
    add_described(self, "steps", model, "steps");
    add_number(self, "bytes", piped ? NAN : file_bytes(of->path));
    add_described(self, "kernel-error", model, "kernel_error");
    add_described(self, "kernel-error-random", model, "kernel_error_random");
    add_described(self, "kernel-error-constant", model, "kernel_error_constant");
}

void summary_print(FILE *out, bool json, const summary *of) {
    const model_score validation = score_on_validation(of->model);
    const model_score all = score_on_rows(of->model, of->data, of->threads);
    fact_list list = {.json = json};
    add_text(&list, "label", model_value(of->model, "label_column"));
    add_text(&list, "task", model_value(of->model, "task"));
    add_held_out(&list, of);
    add_model(&list, of);
    add_number(&list, "seconds", round(of->seconds * 1000) / 1000);
    add_text(&list, "interrupted", interrupted() ? "yes" : NULL);
    add_number(&list, validation.name, validation.value);
    add_number(&list, all.name, all.value);
    facts_print(out, list.facts, list.count, json);
}
