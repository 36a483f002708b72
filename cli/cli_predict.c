/* cnm predict: predicts labels or regression targets, and evaluates the predictions of labelled
 * rows. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "cli_progress.h"
#include "cli_report.h"
#include "described_values.h"
#include "metric_traits.h"
#include "output_file.h"
#include "prediction_output.h"
#include "report_error.h"
#include "row_batches.h"
#include "unseen_cells.h"

/* One run: what is open, and where predictions go. */
typedef struct prediction {
    const arguments *line;
    cnm_model *model;
    batches batches;
    cnm_evaluation *evaluation; /* NULL: the rows have no labels */
    output file;                /* of predictions; stream NULL: none are asked for */
    prediction_output written;
    float *scores;         /* (capacity, outputs) */
    double *probabilities; /* (capacity, classes) where --probability asks for them, else NULL */
    size_t capacity;       /* in rows */
    bool started;          /* the first batch was read */
    unseen_cells unseen;
} prediction;

static bool is_set(const prediction *self, const char *name) { return arguments_own(self->line, name) != NULL; }

/* Returns where predictions go: -o, or standard output when --id, --scores or --probability asks
 * for them or there is no metric to print; else NULL, nowhere. */
static const char *output_path(const prediction *self, bool labelled) {
    const char *path = arguments_own(self->line, "output");
    const bool wanted =
        !labelled || is_set(self, "scores") || is_set(self, "probability") || arguments_given(self->line, "id");
    return path != NULL ? path : wanted ? "-" : NULL;
}

/* Returns whether the model's metric compares all scores with each other, so that all are kept. */
static bool metric_ranks(const cnm_model *model) {
    const char *metric = model_value(model, "metric");
    return metric != NULL && metric_traits_find(metric).ranks;
}

/* Opens the output, unless path is NULL, and begins it: a table where the file's ending or --id
 * asks for one. */
static cnm_status open_output(prediction *self, const char *path, cnm_error *error) {
    if (path == NULL) {
        return CNM_OK;
    }
    const bool identified = arguments_given(self->line, "id");
    const char separator = prediction_separator(path);
    TRY(output_open(&self->file, path, error));
    self->written = (prediction_output){
        .stream = self->file.stream,
        .model = self->model,
        .separator = (char)(separator == 0 && identified ? ',' : separator),
        .id = identified ? option_text(self->line->options, "id") : NULL,
        .scores = is_set(self, "scores"),
        .probabilities = is_set(self, "probability"),
    };
    prediction_output_begin(&self->written);
    return CNM_OK;
}

/* Opens what the first batch needs: an evaluation where its rows have labels, and the output. */
static cnm_status start(prediction *self, const cnm_data *data, cnm_error *error) {
    const bool labelled = cnm_data_is_labelled(data) != 0;
    const bool keep_scores = is_set(self, "report") || metric_ranks(self->model);
    self->started = true;
    TRY(labelled ? cnm_evaluation_create(&self->evaluation, self->model, keep_scores, error) : CNM_OK);
    return open_output(self, output_path(self, labelled), error);
}

static cnm_status reserve_scores(prediction *self, size_t rows, cnm_error *error) {
    if (rows <= self->capacity) {
        return CNM_OK;
    }
    const bool probable = is_set(self, "probability");
    free(self->scores);
    free(self->probabilities);
    self->capacity = rows;
    self->scores = calloc(rows * cnm_model_outputs(self->model), sizeof *self->scores);
    self->probabilities = probable ? calloc(rows * cnm_model_classes(self->model), sizeof(double)) : NULL;
    if (self->scores == NULL || (probable && self->probabilities == NULL)) {
        self->capacity = 0;
        return error_fill(error, CNM_NO_MEMORY, "out of memory: the scores of %zu rows", rows);
    }
    return CNM_OK;
}

static cnm_status predict_batch(prediction *self, const cnm_data *data, cnm_error *error) {
    const size_t rows = cnm_data_rows(data);
    TRY(self->started ? CNM_OK : start(self, data, error));
    TRY(reserve_scores(self, rows, error));
    TRY(cnm_predict_scores(self->model, data, threads_wanted(self->line->options), self->scores, error));
    TRY(unseen_cells_add(&self->unseen, self->model, data, error));
    if (self->probabilities != NULL) {
        TRY(cnm_model_probabilities(self->model, self->scores, rows, self->probabilities, error));
    }
    if (self->evaluation != NULL) {
        TRY(cnm_evaluation_add(self->evaluation, data, self->scores, error));
    }
    if (self->file.stream != NULL) {
        const prediction_batch batch = {data, self->scores, self->probabilities};
        TRY(prediction_output_add(&self->written, &batch, error));
        if (ferror(self->file.stream)) { /* no use in going on; output_commit finds the reason */
            return output_commit(&self->file, error);
        }
    }
    return CNM_OK;
}

static cnm_status predict_all(prediction *self, const cnm_callbacks *callbacks, cnm_error *error) {
    const char *const *operands = self->line->operands;
    TRY(cnm_model_load(&self->model, operands[0], error));
    if (cnm_model_outputs(self->model) == 0) {
        return error_fill(error, CNM_UNSUPPORTED, "%s is a map without a head and predicts nothing: use cnm transform",
                          operands[0]);
    }
    if (is_set(self, "probability") && cnm_model_classes(self->model) == 0) {
        return error_fill(error, CNM_UNSUPPORTED, "%s is a regression model: there are no probabilities", operands[0]);
    }
    TRY(batches_open(&self->batches, operands[1], self->line->options, self->model, callbacks, error));
    for (;;) {
        cnm_data *data;
        TRY(batches_next(&self->batches, &data, error));
        if (data == NULL) {
            return self->started ? CNM_OK : error_fill(error, CNM_BAD_DATA, "%s holds no rows", operands[1]);
        }
        const cnm_status status = predict_batch(self, data, error);
        cnm_data_destroy(data);
        TRY(status);
    }
}

/* Prints the metric: onto standard output, unless predictions are there. */
static void print_metric(const prediction *self, bool predictions_on_standard) {
    FILE *out = predictions_on_standard ? stderr : stdout;
    if (is_set(self, "json")) {
        report_json(out, self->model, self->evaluation, is_set(self, "report"));
        return;
    }
    report_metric(out, self->model, self->evaluation);
    if (is_set(self, "report") || is_set(self, "probability")) {
        report_probabilities(out, self->evaluation);
    }
    if (is_set(self, "report")) {
        report_details(out, self->model, self->evaluation);
    }
}

/* Predicts all rows, completes the output and prints the metric. */
static cnm_status predict_and_report(prediction *self, progress *bar, cnm_error *error) {
    const cnm_callbacks callbacks = progress_callbacks(bar);
    const cnm_status status = predict_all(self, &callbacks, error);
    const bool predictions_on_standard = self->file.stream == stdout;
    progress_end(bar);
    TRY(status);
    unseen_cells_report(&self->unseen, self->model, &callbacks);
    TRY(self->file.stream != NULL ? output_commit(&self->file, error) : CNM_OK);
    if (self->evaluation != NULL) {
        print_metric(self, predictions_on_standard);
    }
    return CNM_OK;
}

static int run(const arguments *line) {
    prediction self = {.line = line};
    progress bar;
    cnm_error error = {CNM_OK, ""};
    const char *path = arguments_own(line, "output");
    if (arguments_own(line, "scores") != NULL && arguments_own(line, "probability") != NULL) {
        return usage_error(line->command, "--scores and --probability do not go together: ask for one");
    }
    if (path != NULL && output_check(path, &error) != CNM_OK) {
        return report_error(line->command, &error);
    }
    progress_begin(&bar, line->command, arguments_own(line, "quiet") != NULL);
    const cnm_status status = predict_and_report(&self, &bar, &error);
    output_abandon(&self.file);
    prediction_output_free(&self.written);
    batches_close(&self.batches);
    cnm_evaluation_destroy(self.evaluation);
    cnm_model_destroy(self.model);
    unseen_cells_free(&self.unseen);
    free(self.scores);
    free(self.probabilities);
    return status == CNM_OK ? STATUS_OK : report_error(line->command, &error);
}

static const own_option OPTIONS[] = {
    {"output", 'o', "FILE",
     "write one prediction a line, or a table with a header where FILE ends in .csv or .tsv; - is standard output, "
     "the metric then goes to standard error",
     NULL},
    {"scores", 0, NULL, "behind each prediction, the row's scores", NULL},
    {"probability", 0, NULL, "behind each prediction, the probability of each class, in the order of the labels", NULL},
    {"report", 0, NULL, "add a confusion matrix, precision, recall, F1, AUC and calibration (keeps 8 bytes a row)",
     NULL},
    {"json", 0, NULL, "the metric as one JSON object", NULL},
    {"quiet", 'q', NULL, "no progress and no notes", NULL},
};

const command COMMAND_PREDICT = {
    .name = "predict",
    .usage = "[options] MODEL DATA",
    .summary = "predict; print the metric when DATA has labels",
    .guide = "  cnm predict digits.cnm test.csv               evaluate the model: Accuracy = ...\n"
             "  cnm predict digits.cnm test.csv --report      confusion matrix, precision, recall, AUC\n"
             "  cnm predict digits.cnm new.csv -o labels.txt  one label a line\n"
             "  cnm predict digits.cnm new.csv --id name --probability -o answers.csv\n"
             "                                                a table: name, prediction, probability_...\n"
             "  zcat big.csv.gz | cnm predict digits.cnm - -o -   from standard input to standard output\n"
             "\n"
             "DATA is read a batch at a time: memory does not grow with its rows. Without -o, rows without labels\n"
             "get their predictions printed.\n",
    .purpose = CNM_FOR_DATA | CNM_FOR_PREDICT | CNM_FOR_OUTPUT,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .least = 2,
    .most = 2,
    .run = run,
};
