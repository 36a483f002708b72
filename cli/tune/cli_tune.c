/* cnm tune: the frontier of size against accuracy by cross-validation, and the model at its knee. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "report_error.h"
#include "column_names.h"
#include "output_file.h"
#include "tune/tune_finish.h"

enum { WIDE = 64 }; /* from so many columns on, circulant maps are tried too */

static const tune_metric METRICS[] = {
    {"accuracy", true, false}, {"r2", false, false},    {"balanced", true, false}, {"auc", true, false},
    {"f1", true, false},       {"logloss", true, true}, {"rmse", false, true},     {"mae", false, true},
};

/* ---- The line ---- */

/* A whole number from least to most, or the usual one where the option is absent; complains. */
static int read_count(const arguments *line, const char *name, double least, double most, double usual, double *out) {
    const char *text = arguments_own(line, name);
    const size_t digits = text == NULL ? 0 : strspn(text, "0123456789");
    const bool good = digits > 0 && digits < 16 && text[digits] == '\0';
    *out = text == NULL ? usual : good ? (double)strtoull(text, NULL, 10) : -1.0;
    return text == NULL || (*out >= least && *out <= most)
               ? STATUS_OK
               : complain_usage(line->command, "--%s cannot be \"%s\": expected a whole number from %.0f to %.0f", name,
                                text, least, most);
}

static const tune_metric *find_metric(const char *name) {
    for (size_t i = 0; i < sizeof METRICS / sizeof METRICS[0]; i++) {
        if (strcmp(METRICS[i].name, name) == 0) {
            return &METRICS[i];
        }
    }
    return NULL;
}

/* Library options that leave nothing to tune. */
static int check_options(const arguments *line) {
    cnm_error error;
    if (arguments_given(line, "features")) {
        return complain_usage(line->command, "-k does not go with tune, which tries 8, 16, 32 ... up to --max-k");
    }
    if (arguments_given(line, "checkpoint")) {
        return complain_usage(line->command,
                              "--checkpoint does not go with tune, which keeps its results in MODEL.tune "
                              "and goes on from there");
    }
    if (arguments_given(line, "prune")) {
        return complain_usage(line->command, "--prune does not go with tune, whose sizes are those that are trained");
    }
    if (strcmp(cnm_options_get(line->options, "method"), "linear") == 0) {
        return complain_usage(line->command,
                              "--method linear has no map whose size could be chosen: use cnm train for it");
    }
    if (strcmp(cnm_options_get(line->options, "task"), "map") == 0) {
        return complain_usage(line->command, "--task map predicts nothing that could be judged: use cnm train for it");
    }
    return cnm_options_check(line->options, &error) == CNM_OK ? STATUS_OK
                                                              : complain_usage(line->command, "%s", error.message);
}

static int check_line(const arguments *line, wishes *out) {
    double parts, most;
    const char *pick = arguments_own(line, "pick"), *plot = arguments_own(line, "plot");
    *out = (wishes){.pick = pick == NULL ? "knee" : pick, .plot = plot};
    int result = check_options(line);
    if (result == STATUS_OK) {
        result = read_count(line, "cv", 2, 1000, 5, &parts);
    }
    if (result == STATUS_OK) {
        result = read_count(line, "max-k", FEWEST_FEATURES, 999999999, 512, &most);
    }
    if (result == STATUS_OK) {
        result = read_count(line, "max-bytes", 1, 999999999999999, INFINITY, &out->most_bytes);
    }
    if (result != STATUS_OK) {
        return result;
    }
    if (strcmp(out->pick, "best") != 0 && strcmp(out->pick, "knee") != 0) {
        return complain_usage(line->command, "--pick cannot be \"%s\": expected best or knee", pick);
    }
    if (plot != NULL && (strlen(plot) < 5 || strcmp(plot + strlen(plot) - 4, ".svg") != 0)) {
        return complain_usage(line->command, "--plot cannot be \"%s\": expected a name that ends in .svg", plot);
    }
    out->parts = (size_t)parts;
    out->most = (size_t)most;
    return STATUS_OK;
}

/* ---- Before the search ---- */

/* The options of trainings on parts: quick unless the line says, and all parts with the same task. */
static cnm_status part_options(const arguments *line, const tune_rows *rows, cnm_options **out, cnm_error *error) {
    cnm_status status = cnm_options_copy(out, line->options, error);
    if (status == CNM_OK && !arguments_given(line, "effort")) {
        status = cnm_options_set(*out, "effort", "quick", error);
    }
    if (status == CNM_OK) {
        status = cnm_options_set(*out, "task", rows->classes > 0 ? "classify" : "regress", error);
    }
    return status == CNM_OK ? cnm_options_check(*out, error) : status;
}

static cnm_status choose_metric(const arguments *line, const tune_rows *rows, const tune_metric **out,
                                cnm_error *error) {
    const char *name = cnm_options_get(line->options, "metric");
    const bool classes = rows->classes > 0;
    *out = strcmp(name, "auto") == 0 ? find_metric(classes ? "accuracy" : "r2") : find_metric(name);
    if ((*out)->classes != classes) {
        return error_fill(error, CNM_BAD_ARGUMENT, "--metric %s is for %s", name,
                          classes
                              ? "numbers, but the labels are classes: if they are meant as numbers, say --task regress"
                              : "classes, but the labels are numbers: if they are meant as classes, say --task "
                                "classify");
    }
    if (strcmp(name, "auc") == 0 && rows->classes != 2) {
        return error_fill(error, CNM_BAD_ARGUMENT, "--metric auc is for two classes, and there are %zu", rows->classes);
    }
    return CNM_OK;
}

static cnm_status cut_rows(tune_rows *rows, const arguments *line, cnm_error *error) {
    rows->part = malloc((cnm_data_rows(rows->data) + 1) * sizeof *rows->part);
    return rows->part == NULL
               ? error_fill(error, CNM_NO_MEMORY, "out of memory: parts")
               : cnm_data_parts(rows->data, line->options, rows->parts, rows->part, &rows->classes, error);
}

static cnm_status make_frontier(frontier *out, const arguments *line, const tune_rows *rows, size_t most,
                                cnm_error *error) {
    const char *const own = cnm_options_get(line->options, "projection");
    const char *const both[] = {"dense", "circulant"}, *const one[] = {own};
    const bool given = arguments_given(line, "projection");
    const cnm_status status =
        given ? frontier_create(out, one, 1, most, error)
              : frontier_create(out, both, cnm_data_columns(rows->data) >= WIDE ? 2 : 1, most, error);
    return status == CNM_OK ? choose_metric(line, rows, &out->metric, error) : status;
}

/* ---- The command ---- */

static void tell_record(const tune_record *record, const arguments *line, bool quiet) {
    if (!quiet && record->other) {
        complain_note(line->command, "note: %s was made with other rows or options: starting afresh", record->path);
    } else if (!quiet && record->count > 0) {
        complain_note(line->command, "note: %zu results of an earlier run are in %s: going on from there",
                      record->count, record->path);
    }
}

static cnm_status search_and_finish(tune_search *search, const arguments *line, const wishes *wanted,
                                    cnm_error *error) {
    const cnm_status status = search_run(search, error);
    if (status == CNM_CANCELLED) {
        return error_fill(error, status, "interrupted; %zu results are in %s: the same line goes on from there",
                          search->record->count, search->record->path);
    }
    return status == CNM_OK ? tune_finish(search, line, wanted, error) : status;
}

static cnm_status tune_to(const arguments *line, const wishes *wanted, cnm_error *error) {
    const bool quiet = arguments_own(line, "quiet") != NULL, json = arguments_own(line, "json") != NULL;
    cnm_data *data = NULL;
    cnm_options *options = NULL;
    tune_rows rows = {.parts = wanted->parts};
    frontier points = {0};
    tune_record record = {0};
    progress bar;
    progress_start(&bar, line->command, quiet);
    const cnm_callbacks callbacks = progress_callbacks(&bar);
    cnm_status status = cnm_data_load(&data, line->operands[0], line->options, NULL, &callbacks, error);
    progress_end(&bar);
    rows.data = data;
    status = status == CNM_OK ? cut_rows(&rows, line, error) : status;
    status = status == CNM_OK ? make_frontier(&points, line, &rows, wanted->most, error) : status;
    status = status == CNM_OK ? part_options(line, &rows, &options, error) : status;
    if (status == CNM_OK) {
        status = record_open(&record, wanted->record, options, data, wanted->parts, points.metric->name, error);
    }
    if (status == CNM_OK) {
        tune_search search = {.rows = &rows,
                              .options = options,
                              .frontier = &points,
                              .record = &record,
                              .bar = &bar,
                              .most_bytes = wanted->most_bytes,
                              .shown = !quiet && !json};
        tell_record(&record, line, quiet);
        status = search_and_finish(&search, line, wanted, error);
    }
    record_close(&record);
    frontier_free(&points);
    cnm_options_destroy(options);
    free(rows.part);
    cnm_data_destroy(data);
    return status;
}

/* All that can be wrong about the names of files before any is read. */
static int check_names(const arguments *line, const wishes *wanted) {
    const char *data = line->operands[0];
    const char *const written[] = {wanted->model, wanted->record, wanted->plot};
    cnm_error error;
    if (strcmp(wanted->model, "-") == 0) {
        return complain_usage(line->command, "standard output carries the table: give MODEL a name");
    }
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        if (written[i] != NULL && output_same_file(written[i], data)) {
            return complain_usage(line->command, "%s would overwrite the data: give MODEL another name", written[i]);
        }
        if (written[i] != NULL && output_check(written[i], &error) != CNM_OK) {
            return complain_error(line->command, &error);
        }
    }
    return STATUS_OK;
}

static int run(const arguments *line) {
    wishes wanted;
    char *named = NULL;
    cnm_error error;
    int result = check_line(line, &wanted);
    if (result != STATUS_OK) {
        return result;
    }
    if (line->operand_count < 2 && strcmp(line->operands[0], "-") == 0) {
        return complain_usage(line->command, "DATA is standard input and has no name: give MODEL one");
    }
    wanted.model = line->operand_count == 2 ? line->operands[1] : (named = default_model(line->operands[0]));
    wanted.record = wanted.model == NULL ? NULL : name_with(wanted.model, ".tune");
    if (wanted.record == NULL) {
        complain_note(line->command, "out of memory");
        result = STATUS_FAILED;
    } else {
        result = check_names(line, &wanted);
    }
    if (result == STATUS_OK && tune_to(line, &wanted, &error) != CNM_OK) {
        result = complain_error(line->command, &error);
    }
    free(wanted.record);
    free(named);
    return result;
}

static const own_option OPTIONS[] = {
    {"max-k", 0, "N", "the most features to try [512]", NULL},
    {"max-bytes", 0, "N", "the most bytes that a model may have; --max-k still holds", NULL},
    {"cv", 0, "N", "parts of the cross-validation, contiguous in each class [5]", NULL},
    {"pick", 0, "best|knee", "the model to write: the best, or the smallest within one standard error of it [knee]",
     NULL},
    {"plot", 0, "FILE.svg", "draw score against bytes", NULL},
    {"quiet", 'q', NULL, "no progress, no notes and no table", NULL},
    {"json", 0, NULL, "the table and the model as one JSON object", NULL},
};

const command COMMAND_TUNE = {
    .name = "tune",
    .usage = "[options] DATA [MODEL]",
    .summary = "how small can it be? accuracy against size, and the model at the knee",
    .guide =
        "  cnm tune digits.csv                         try 8, 16 ... 512 features, write digits.cnm\n"
        "  cnm tune --max-bytes 20000 digits.csv       the best trade that fits into 20 kB\n"
        "  cnm tune --max-k 128 --cv 3 digits.csv      a shorter look\n"
        "  cnm tune --pick best digits.csv             accuracy first; --pick knee: size first\n"
        "  cnm tune --plot digits.svg digits.csv       a picture of it\n"
        "  cnm tune -p circulant digits.csv            one kind of map only\n"
        "  cnm tune -m rff digits.csv                  what random maps would need\n"
        "\n"
        "Each size is trained once for each part of the rows, on the other parts, and judged on that one: accuracy,\n"
        "or R2 for numbers, or --metric. Rows of a class are cut into contiguous parts, so that rows which come in\n"
        "time are not told by their neighbours: --shuffle a sorted file. Dense maps are tried, and from 64 columns\n"
        "on circulant ones too. The knee is the smallest model whose score is within one standard error of the\n"
        "best; it is trained once more on all rows and written. us/row is measured: prediction by one thread.\n"
        "\n"
        "Options of cnm train are passed on to every training. The trainings on parts look for their settings with\n"
        "--effort quick unless the line has --effort; the last one as cnm train would.\n"
        "\n"
        "Results are kept in MODEL.tune as they come: after Ctrl-C (exit status 130) the same line goes on from\n"
        "there, and so does one with a larger --max-k. Other rows or options start afresh. The file stays.\n",
    .purpose = CNM_FOR_TRAIN | CNM_FOR_DATA,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .least = 1,
    .most = 2,
    .run = run,
};
