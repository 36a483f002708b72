/* cnm tune: cross-validates models of many sizes and writes the one at the knee of score against
 * size. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "described_values.h"
#include "file_names.h"
#include "output_file.h"
#include "report_error.h"
#include "tune/tune_finish.h"

enum { WIDE = 64 }; /* from so many columns on, circulant maps are tried too */

/* ---- The line ---- */

/* Reads a whole number from `least` to `most`, or takes `usual` where the option is absent. */
static int read_count(const arguments *line, const char *name, double least, double most, double usual, double *out) {
    const char *text = arguments_own(line, name);
    const size_t digits = text == NULL ? 0 : strspn(text, "0123456789");
    const bool good = digits > 0 && digits < 16 && text[digits] == '\0';
    *out = text == NULL ? usual : good ? (double)strtoull(text, NULL, 10) : -1.0;
    return text == NULL || (*out >= least && *out <= most)
               ? STATUS_OK
               : usage_error(line->command, "--%s cannot be \"%s\": expected a whole number from %.0f to %.0f", name,
                             text, least, most);
}

/* Refuses options of the library that leave nothing to tune. */
static int check_options(const arguments *line) {
    cnm_error error;
    if (arguments_given(line, "features")) {
        return usage_error(line->command, "-k does not go with tune, which tries 8, 16, 32 ... up to --max-k");
    }
    if (arguments_given(line, "layers")) {
        return usage_error(line->command, "--layers does not go with tune, which tries 16,8; 32,16 ... itself");
    }
    if (arguments_given(line, "checkpoint")) {
        return usage_error(line->command, "--checkpoint does not go with tune, which keeps its results in MODEL.tune "
                                          "and goes on from there");
    }
    if (arguments_given(line, "prune")) {
        return usage_error(line->command, "--prune does not go with tune, whose sizes are those that are trained");
    }
    if (strcmp(option_text(line->options, "estimate"), "yes") == 0) {
        return usage_error(line->command,
                           "--estimate yes does not go with tune, which evaluates each size on rows that did not "
                           "train it");
    }
    if (strcmp(option_text(line->options, "method"), "linear") == 0) {
        return usage_error(line->command,
                           "--method linear has no map whose size could be chosen: use cnm train for it");
    }
    if (strcmp(option_text(line->options, "task"), "map") == 0) {
        return usage_error(line->command, "--task map predicts nothing that could be evaluated: use cnm train for it");
    }
    return cnm_options_check(line->options, &error) == CNM_OK ? STATUS_OK
                                                              : usage_error(line->command, "%s", error.message);
}

static int check_line(const arguments *line, tune_request *out) {
    double folds, most;
    const char *pick = arguments_own(line, "pick"), *plot = arguments_own(line, "plot");
    *out = (tune_request){.pick = pick == NULL ? "knee" : pick, .plot = plot};
    if (check_options(line) != STATUS_OK || read_count(line, "cv", 2, 1000, 5, &folds) != STATUS_OK ||
        read_count(line, "max-k", FEWEST_FEATURES, 999999999, 512, &most) != STATUS_OK ||
        read_count(line, "max-bytes", 1, 999999999999999, INFINITY, &out->most_bytes) != STATUS_OK) {
        return STATUS_USAGE;
    }
    if (strcmp(out->pick, "best") != 0 && strcmp(out->pick, "knee") != 0) {
        return usage_error(line->command, "--pick cannot be \"%s\": expected best or knee", pick);
    }
    if (plot != NULL && (strlen(plot) < 5 || strcmp(plot + strlen(plot) - 4, ".svg") != 0)) {
        return usage_error(line->command, "--plot cannot be \"%s\": expected a name that ends in .svg", plot);
    }
    out->folds = (size_t)folds;
    out->most = (size_t)most;
    return STATUS_OK;
}

/* ---- Before the search ---- */

static const char *task_of(const tune_rows *rows) { return rows->classes > 0 ? "classify" : "regress"; }

/* Returns whether the library trains by the line's options with this value of another one. */
static bool goes_with(const arguments *line, const char *name, const char *value) {
    cnm_options *options = NULL;
    const bool goes = cnm_options_copy(&options, line->options, NULL) == CNM_OK &&
                      cnm_options_set(options, name, value, NULL) == CNM_OK &&
                      cnm_options_check(options, NULL) == CNM_OK;
    cnm_options_destroy(options);
    return goes;
}

/* Makes the options of trainings on folds, which the caller destroys: --effort quick unless the
 * line has --effort or a method that searches for nothing, and the same task for all folds. */
static cnm_status fold_options(const arguments *line, const tune_rows *rows, cnm_options **out, cnm_error *error) {
    TRY(cnm_options_copy(out, line->options, error));
    if (!arguments_given(line, "effort") && goes_with(line, "effort", "quick")) {
        TRY(cnm_options_set(*out, "effort", "quick", error));
    }
    TRY(cnm_options_set(*out, "task", task_of(rows), error));
    return cnm_options_check(*out, error);
}

/* Sets *fits to whether the library takes a metric for the task. */
static cnm_status metric_fits(const char *metric, const char *task, bool *fits, cnm_error *error) {
    cnm_options *options = NULL;
    cnm_status status;
    TRY_DONE(cnm_options_create(&options, error));
    TRY_DONE(cnm_options_set(options, "metric", metric, error));
    TRY_DONE(cnm_options_set(options, "task", task, error));
    *fits = cnm_options_check(options, NULL) == CNM_OK;
done:
    cnm_options_destroy(options);
    return status;
}

/* Sets *predicts to whether the line's loss is that of a quantile: only then may one be named. */
static cnm_status predicts_quantile(const arguments *line, bool *predicts, cnm_error *error) {
    cnm_options *options = NULL;
    cnm_status status;
    TRY_DONE(cnm_options_create(&options, error));
    TRY_DONE(cnm_options_set(options, "loss", option_text(line->options, "loss"), error));
    TRY_DONE(cnm_options_set(options, "quantile", "0.5", error));
    *predicts = cnm_options_check(options, NULL) == CNM_OK;
done:
    cnm_options_destroy(options);
    return status;
}

static cnm_status choose_metric(const arguments *line, const tune_rows *rows, metric_traits *out, cnm_error *error) {
    const char *name = option_text(line->options, "metric");
    const bool classes = rows->classes > 0;
    bool fits, quantile;
    TRY(metric_fits(name, task_of(rows), &fits, error));
    TRY(predicts_quantile(line, &quantile, error));
    const char *usual = classes ? "accuracy" : quantile ? "pinball" : "r2";
    if (!fits) {
        return error_fill(error, CNM_BAD_ARGUMENT, "--metric %s is for %s", name,
                          classes ? "regression, but the labels are classes: if they are regression targets, say "
                                    "--task regress"
                                  : "classification, but the labels are regression targets: if they are classes, say "
                                    "--task classify");
    }
    *out = metric_traits_find(strcmp(name, "auto") != 0 ? name : usual);
    if (out->ranks && rows->classes != 2) {
        return error_fill(error, CNM_BAD_ARGUMENT, "--metric %s is for two classes, and there are %zu", name,
                          rows->classes);
    }
    return CNM_OK;
}

static cnm_status cut_rows(tune_rows *rows, const arguments *line, cnm_error *error) {
    rows->fold = malloc((cnm_data_rows(rows->data) + 1) * sizeof *rows->fold);
    return rows->fold == NULL
               ? error_fill(error, CNM_NO_MEMORY, "out of memory: folds")
               : cnm_data_folds(rows->data, line->options, rows->folds, rows->fold, &rows->classes, error);
}

/* Takes the second of the library's projections, which are listed from the most parameters to the
 * fewest: the circulant one. Returns false where there is none. */
static bool compact_projection(projection_name *out) {
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    size_t i = 0;
    while (cnm_options_describe(i, &info) && strcmp(info.name, "projection") != 0) {
        i++;
    }
    const char *bar = cnm_options_describe(i, &info) ? strchr(info.values, '|') : NULL;
    if (bar != NULL) {
        (void)snprintf(out->text, sizeof out->text, "%.*s", (int)strcspn(bar + 1, "|"), bar + 1);
    }
    return bar != NULL;
}

static cnm_status make_frontier(frontier *out, const arguments *line, const tune_rows *rows, size_t most,
                                cnm_error *error) {
    const bool open = !arguments_given(line, "projection");
    frontier_plan plan = {.projection_count = 1,
                          .most = most,
                          .stacks = open && goes_with(line, "layers", "16,8"),
                          .columns = cnm_data_columns(rows->data),
                          .outputs = rows->classes > 2 ? rows->classes : 1};
    (void)snprintf(plan.projections[0].text, sizeof plan.projections[0].text, "%s",
                   option_text(line->options, "projection"));
    if (open && plan.columns >= WIDE && compact_projection(&plan.projections[1])) {
        plan.projection_count = 2;
    }
    TRY(frontier_create(out, &plan, error));
    return choose_metric(line, rows, &out->metric, error);
}

/* ---- The command ---- */

static void report_record(const tune_record *record, const arguments *line, bool quiet) {
    if (!quiet && record->other) {
        report_note(line->command, "note: %s was made with other rows or options: starting afresh", record->path);
    } else if (!quiet && record->count > 0) {
        report_note(line->command, "note: %zu results of an earlier run are in %s: going on from there", record->count,
                    record->path);
    }
}

static cnm_status search_and_finish(tune_search *search, const arguments *line, const tune_request *request,
                                    cnm_error *error) {
    const cnm_status status = search_run(search, error);
    if (status == CNM_CANCELLED) {
        return error_fill(error, status, "interrupted; %zu results are in %s: the same line goes on from there",
                          search->record->count, search->record->path);
    }
    TRY(status);
    return tune_finish(search, line, request, error);
}

static cnm_status tune_to(const arguments *line, const tune_request *request, cnm_error *error) {
    const bool quiet = arguments_own(line, "quiet") != NULL, json = arguments_own(line, "json") != NULL;
    cnm_data *data = NULL;
    cnm_options *options = NULL;
    tune_rows rows = {.folds = request->folds};
    frontier points = {0};
    tune_record record = {0};
    progress bar;
    progress_begin(&bar, line->command, quiet);
    progress_reading(&bar);
    const cnm_callbacks callbacks = progress_callbacks(&bar);
    cnm_status status;
    TRY_DONE(cnm_data_load(&data, line->operands[0], line->options, NULL, &callbacks, error));
    progress_end(&bar);
    rows.data = data;
    TRY_DONE(cut_rows(&rows, line, error));
    TRY_DONE(make_frontier(&points, line, &rows, request->most, error));
    TRY_DONE(fold_options(line, &rows, &options, error));
    TRY_DONE(tune_record_open(&record, request->record, options, data, request->folds, points.metric.name, error));
    report_record(&record, line, quiet);
    tune_search search = {.rows = &rows,
                          .options = options,
                          .frontier = &points,
                          .record = &record,
                          .bar = &bar,
                          .most_bytes = request->most_bytes,
                          .shown = !quiet && !json};
    TRY_DONE(search_and_finish(&search, line, request, error));
done:
    progress_end(&bar);
    tune_record_close(&record);
    frontier_free(&points);
    cnm_options_destroy(options);
    free(rows.fold);
    cnm_data_destroy(data);
    return status;
}

/* Checks all that can be wrong about the names of files before any is read. */
static int check_names(const arguments *line, const tune_request *request) {
    const char *data = line->operands[0];
    const char *const written[] = {request->model, request->record, request->plot};
    cnm_error error;
    if (strcmp(request->model, "-") == 0) {
        return usage_error(line->command, "standard output carries the table: give MODEL a name");
    }
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        if (written[i] != NULL && output_same_file(written[i], data)) {
            return usage_error(line->command, "%s would overwrite the data: give MODEL another name", written[i]);
        }
        if (written[i] != NULL && output_check(written[i], &error) != CNM_OK) {
            return report_error(line->command, &error);
        }
    }
    return STATUS_OK;
}

static int run(const arguments *line) {
    tune_request request;
    char *named = NULL;
    cnm_error error;
    int result = check_line(line, &request);
    if (result != STATUS_OK) {
        return result;
    }
    if (line->operand_count < 2 && strcmp(line->operands[0], "-") == 0) {
        return usage_error(line->command, "DATA is standard input and has no name: give MODEL one");
    }
    request.model = line->operand_count == 2 ? line->operands[1] : (named = default_model_name(line->operands[0]));
    request.record = request.model == NULL ? NULL : name_with_ending(request.model, ".tune");
    if (request.record == NULL) {
        report_note(line->command, "out of memory");
        result = STATUS_FAILED;
    } else {
        result = check_names(line, &request);
    }
    if (result == STATUS_OK && tune_to(line, &request, &error) != CNM_OK) {
        result = report_error(line->command, &error);
    }
    free(request.record);
    free(named);
    return result;
}

static const own_option OPTIONS[] = {
    {"max-k", 0, "N", "the most features to try [512]", NULL},
    {"max-bytes", 0, "N", "the most bytes that a model may have; --max-k still holds", NULL},
    {"cv", 0, "N", "folds of the cross-validation, contiguous in each class [5]", NULL},
    {"pick", 0, "best|knee", "the model to write: the best, or the smallest within one standard error of it [knee]",
     NULL},
    {"plot", 0, "FILE.svg", "draw score against bytes", NULL},
    {"quiet", 'q', NULL, "no progress, no notes and no table", NULL},
    {"json", 0, NULL, "the table and the model as one JSON object", NULL},
};

/* check_options says why. */
static const char *const REFUSED[] = {"features", "layers", "checkpoint", "checkpoint-every", "resume", "prune", NULL};

const command COMMAND_TUNE = {
    .name = "tune",
    .usage = "[options] DATA [MODEL]",
    .summary = "cross-validate sizes; write the smallest good model",
    .guide = "  cnm tune digits.csv                     try 8, 16 ... 512 features\n"
             "  cnm tune --max-bytes 20000 digits.csv   the knee among models of at most 20 kB\n"
             "  cnm tune --max-k 128 --cv 3 digits.csv  fewer sizes and folds: faster\n"
             "  cnm tune --pick best digits.csv         accuracy first; knee: size first\n"
             "  cnm tune --plot digits.svg digits.csv   draw score against size\n"
             "  cnm tune -p dense digits.csv            one kind of map only, no stacks\n"
             "  cnm tune -m rff digits.csv              the sizes that random features need\n"
             "\n"
             "Each size is cross-validated: trained once for each fold of the rows, on the\n"
             "other folds, and evaluated on that one by accuracy (regression: R2) or --metric.\n"
             "Folds are contiguous in each class, so that rows recorded one after the other\n"
             "are in the same fold; --shuffle a file that is sorted.\n"
             "Dense maps are tried, from 64 columns on circulant ones too, and stacks of two\n"
             "layers (16,8; 32,16 ...) with at most the parameters of the largest dense map.\n"
             "-p leaves one kind. The knee is the smallest model whose score is within one\n"
             "standard error of the best; it is trained once more on all rows and written.\n"
             "us/row is the measured time of a prediction on one thread.\n"
             "\n"
             "Options of cnm train apply to every training. Trainings on folds search for\n"
             "hyperparameters with --effort quick unless the line has --effort; the last\n"
             "training searches as cnm train does.\n"
             "\n"
             "Results are kept in MODEL.tune as they come: after Ctrl-C (exit status 130) the\n"
             "same line goes on from there, and so does one with a larger --max-k. With other\n"
             "rows or options all results are computed anew, and replace those in the file.\n",
    .purpose = CNM_FOR_TRAIN | CNM_FOR_DATA,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .refused = REFUSED,
    .short_help = HELP_OWN,
    .least = 1,
    .most = 2,
    .run = run,
};
