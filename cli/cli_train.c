/* cnm train: trains a model on labelled rows and writes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "cli_grow.h"
#include "cli_holdout.h"
#include "cli_progress.h"
#include "described_values.h"
#include "file_names.h"
#include "library_calls.h"
#include "output_file.h"
#include "report_error.h"
#include "train_summary.h"

/* Options whose values --from takes from its model: a value on the line would be ignored. */
static const char *const OF_THE_MODEL[] = {
    "method",     "recipe", "projection", "layers",     "init",       "phase",     "kernel",   "gamma",
    "activation", "task",   "scale",      "iterations", "head-steps", "map-steps", "positive",
};

static int check_from(const arguments *line) {
    for (size_t i = 0; i < sizeof OF_THE_MODEL / sizeof OF_THE_MODEL[0]; i++) {
        if (arguments_given(line, OF_THE_MODEL[i])) {
            return usage_error(line->command, "--%s does not go with --from: the model's own stays", OF_THE_MODEL[i]);
        }
    }
    return STATUS_OK;
}

/* Checks the checkpoint's name: it must not be that of the model or the data. */
static int check_checkpoint(const arguments *line, const char *model) {
    const char *path = option_text(line->options, "checkpoint"), *data = line->operands[0];
    cnm_error error;
    if (*path == '\0') {
        return STATUS_OK;
    }
    if (arguments_own(line, "grow") != NULL) {
        return usage_error(line->command, "--checkpoint does not go with --grow, which writes one model after the "
                                          "other: --from goes on from the last");
    }
    if (strcmp(path, model) == 0 || output_same_file(path, model) || output_same_file(path, data)) {
        return usage_error(line->command, "the checkpoint %s would overwrite the %s: give it another name", path,
                           output_same_file(path, data) ? "data" : "model");
    }
    return output_check(path, &error) == CNM_OK ? STATUS_OK : report_error(line->command, &error);
}

/* Checks all that can be wrong about a line before any file is read. */
static int check_line(const arguments *line, size_t *most) {
    cnm_error error;
    *most = 0;
    if (arguments_own(line, "from") != NULL && check_from(line) != STATUS_OK) {
        return STATUS_USAGE;
    }
    if (cnm_options_check(line->options, &error) != CNM_OK) {
        return usage_error(line->command, "%s", error.message);
    }
    return arguments_own(line, "grow") == NULL ? STATUS_OK : grow_check(line, most);
}

/* Loads the model of --from and sets the options that follow from it: its number of features unless
 * the line asks for more, and its positive label. */
static cnm_status load_start(const arguments *line, cnm_model **start, cnm_error *error) {
    const char *path = arguments_own(line, "from");
    if (path == NULL) {
        return CNM_OK;
    }
    TRY(cnm_model_load(start, path, error));
    const char *known = model_value(*start, "features"), *wanted = option_text(line->options, "features");
    const char *positive = model_value(*start, "positive");
    if (!arguments_given(line, "features")) {
        TRY(cnm_options_set(line->options, "features", known, error));
    } else if (strtoul(wanted, NULL, 10) < cnm_model_features(*start)) {
        return error_fill(error, CNM_BAD_ARGUMENT,
                          "--features %s is less than the %s that %s has: a model can only grow", wanted, known, path);
    }
    return positive != NULL ? cnm_options_set(line->options, "positive", positive, error) : CNM_OK;
}

/* Returns a status; that of an interruption with the sentence that there is no model. */
static cnm_status without_model(cnm_status status, cnm_error *error) {
    if (status == CNM_CANCELLED) {
        (void)error_fill(error, status, "interrupted; no model was written");
    }
    return status;
}

/* Prints the summary: to standard output, unless the model itself went there. */
static void print_summary(const arguments *line, const cnm_model *model, const cnm_data *data, const holdout *test,
                          const char *path, double seconds) {
    const bool quiet = arguments_own(line, "quiet") != NULL, json = arguments_own(line, "json") != NULL;
    if (json || !quiet) {
        summary_print(strcmp(path, "-") == 0 ? stderr : stdout, json,
                      &(summary){.model = model,
                                 .data = data,
                                 .test = &test->scored,
                                 .threads = threads_wanted(line->options),
                                 .path = path,
                                 .seconds = seconds});
    }
}

/* Writes the model, where there is one, tests it and prints the summary. `status` is that of the
 * training; returns it with a sentence where the training was interrupted. */
static cnm_status write_model(const arguments *line, const cnm_model *model, const cnm_data *data, holdout *test,
                              const char *path, progress *bar, cnm_status status, cnm_error *error) {
    const cnm_callbacks callbacks = progress_callbacks(bar);
    const double seconds = progress_seconds(bar);
    if (model == NULL) {
        return without_model(status, error);
    }
    TRY(cnm_model_save(model, path, error));
    const cnm_status tested = holdout_score_model(test, line, model, data, &callbacks, error);
    print_summary(line, model, data, test, path, seconds);
    TRY(tested);
    const char *checkpoint = option_text(line->options, "checkpoint");
    if (status != CNM_CANCELLED) {
        return status;
    }
    return *checkpoint == '\0'
               ? error_fill(error, status, "interrupted; the model so far is in %s", path)
               : error_fill(error, status, "interrupted; the model so far is in %s, and --resume goes on from %s", path,
                            checkpoint);
}

/* Prints a sentence about what was understood. */
static void print_understood(const char *sentence, void *user) {
    progress *bar = user;
    if (!bar->quiet) {
        progress_end(bar);
        fprintf(stderr, "%s\n", sentence);
    }
}

/* Trains one model, on new rows of `start` where that is given, and writes it. */
static cnm_status train_model(const arguments *line, const cnm_data *data, const cnm_model *start, holdout *test,
                              const char *path, progress *bar, cnm_error *error) {
    cnm_callbacks callbacks = progress_callbacks(bar);
    cnm_model *model = NULL;
    callbacks.info = print_understood;
    progress_part(bar, 1, "");
    cnm_status status = start == NULL ? library_train(&model, data, line->options, &callbacks, error)
                                      : library_continue(&model, start, data, line->options, &callbacks, error);
    progress_end(bar);
    status = write_model(line, model, data, test, path, bar, status, error);
    cnm_model_destroy(model);
    return status;
}

/* Reads the rows, trains and writes. After Ctrl-C a usable model is written too, and the status is
 * CNM_CANCELLED. */
static cnm_status train_to(const arguments *line, const char *path, size_t most, holdout *test, cnm_error *error) {
    cnm_data *data = NULL;
    const cnm_data *rows;
    cnm_model *start = NULL;
    cnm_status status;
    progress bar;
    progress_begin(&bar, line->command, arguments_own(line, "quiet") != NULL);
    progress_reading(&bar);
    const cnm_callbacks callbacks = progress_callbacks(&bar);
    TRY_DONE(load_start(line, &start, error));
    TRY_DONE(without_model(cnm_data_load(&data, line->operands[0], line->options, start, &callbacks, error), error));
    TRY_DONE(holdout_split(test, line, data, &rows, error));
    TRY_DONE(holdout_choose_estimate(test, line, rows, error));
    TRY_DONE(most > 0 ? grow_models(line, rows, path, most, &bar, error)
                      : train_model(line, rows, start, test, path, &bar, error));
done:
    progress_end(&bar);
    cnm_model_destroy(start);
    cnm_data_destroy(data);
    return status;
}

static int run(const arguments *line) {
    const char *data = line->operands[0], *path;
    char *named = NULL;
    size_t most;
    holdout test;
    int sense = check_line(line, &most);
    sense = sense == STATUS_OK ? holdout_begin(&test, line) : sense;
    if (sense != STATUS_OK) {
        return sense;
    }
    if (line->operand_count == 2) {
        path = line->operands[1];
    } else if (strcmp(data, "-") == 0) {
        return usage_error(line->command, "DATA is standard input and has no name: give MODEL one");
    } else {
        path = named = default_model_name(data);
    }
    int result = STATUS_OK;
    cnm_error error;
    if (path == NULL) {
        report_note(line->command, "out of memory");
        result = STATUS_FAILED;
    } else if (most > 0 && strcmp(path, "-") == 0) {
        result = usage_error(line->command, "--grow writes several models: give MODEL a name");
    } else if (output_same_file(path, data)) {
        result = usage_error(line->command, "the model %s would overwrite the data: give MODEL a name", path);
    } else if (output_same_file(path, option_text(line->options, "teacher"))) {
        result = usage_error(line->command, "the model %s would overwrite its teacher: give MODEL a name", path);
    } else if ((result = check_checkpoint(line, path)) != STATUS_OK) {
        /* reported already */
    } else if (output_check(path, &error) != CNM_OK || train_to(line, path, most, &test, &error) != CNM_OK) {
        result = report_error(line->command, &error);
    }
    holdout_end(&test);
    free(named);
    return result;
}

static const own_option OPTIONS[] = {
    {"grow", 0, "MAX",
     "train k, 2k, 4k ... features up to MAX (from -k, else 8), each from the last; writes MODEL-k8.cnm ...", NULL},
    {"from", 0, "MODEL", "train this model further on new rows, jointly; -k makes it larger", NULL},
    {"test", 0, "SHARE|FILE",
     "score the model on rows that did not train it: a random share of DATA's (0.2), or a file's", NULL},
    {"quiet", 'q', NULL, "no progress, no notes and no summary", NULL},
    {"json", 0, NULL, "the summary as one JSON object", NULL},
};

const command COMMAND_TRAIN = {
    .name = "train",
    .usage = "[options] DATA [MODEL]",
    .summary = "train a model; MODEL defaults to DATA's base name + .cnm",
    .guide = "  cnm train digits.csv              train with defaults, write digits.cnm\n"
             "  cnm train -k 16 digits.csv        16 features: a model of a few kilobytes\n"
             "  cnm train --test 0.2 digits.csv   score the model on a fifth of the rows\n"
             "  cnm train --grow 256 digits.csv   8, 16 ... 256 features: score against size\n"
             "  cnm train --validation 0.2 digits.csv   keep what is best on a fifth of them\n"
             "  cnm train --validation 0.2 --group-column patient visits.csv\n"
             "                                    no patient on both sides\n"
             "  cnm train -p circulant -k 512 wide.libsvm.gz\n"
             "                                    many columns: O(k log d) time, O(k) memory\n"
             "  cnm train --from digits.cnm more.csv digits.cnm   train further on new rows\n"
             "  cnm train --checkpoint d.state --resume digits.csv\n"
             "                                    killed or stopped, the same line goes on\n"
             "  cnm train --prune 0.5 -k 64 digits.csv   64 features, then the 32 that matter\n"
             "  cnm train --teacher digits.cnm -k 16 digits.csv small.cnm\n"
             "                                    a small student of a large model\n"
             "  cnm train --recipe alternating digits.csv   the paper's algorithm\n"
             "  cnm train -m rff -k 512 digits.csv   random features, to compare with;\n"
             "                                    -m linear: no map\n"
             "  cnm train -m kernel-approximation --task map -k 64 digits.csv map.cnm\n"
             "  cnm transform map.cnm digits.csv -o z.npy   features that approximate a kernel\n"
             "\n"
             "Without -k, a search chooses the number of features, from 64 to 512. DATA is\n"
             "LIBSVM text, CSV or TSV, ARFF, NPY or IDX, gzipped or not; - is standard input.\n"
             "Ctrl-C writes the model as it stands, where it is usable, and exits with 130\n"
             "(SIGTERM: 143). Options that would be ignored are refused.\n"
             "\n"
             "The estimate is the score of one more training, made first without a fifth of\n"
             "the rows, on these rows; --skip estimate saves that time.\n",
    .purpose = CNM_FOR_TRAIN | CNM_FOR_DATA,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .short_help = HELP_COMMON,
    .least = 1,
    .most = 2,
    .run = run,
};
