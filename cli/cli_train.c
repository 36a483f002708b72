/* cnm train: data in, model out. */
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "report_error.h"
#include "cli_grow.h"
#include "command_lookup.h"
#include "column_names.h"
#include "output_file.h"
#include "cli_progress.h"
#include "train_summary.h"

/* What --from takes from its model: to set it again would be ignored. */
static const char *const OF_THE_MODEL[] = {
    "method",     "recipe", "projection", "init",       "phase",      "kernel",    "gamma",
    "activation", "task",   "scale",      "iterations", "head-steps", "map-steps", "positive",
};

static int check_from(const arguments *line) {
    for (size_t i = 0; i < sizeof OF_THE_MODEL / sizeof OF_THE_MODEL[0]; i++) {
        if (arguments_given(line, OF_THE_MODEL[i])) {
            return complain_usage(line->command, "--%s does not go with --from: the model's own stays",
                                  OF_THE_MODEL[i]);
        }
    }
    return STATUS_OK;
}

/* The checkpoint's name: one file for one training, and nobody else's. */
static int check_checkpoint(const arguments *line, const char *model) {
    const char *path = cnm_options_get(line->options, "checkpoint"), *data = line->operands[0];
    cnm_error error;
    if (*path == '\0') {
        return STATUS_OK;
    }
    if (arguments_own(line, "grow") != NULL) {
        return complain_usage(line->command, "--checkpoint does not go with --grow, which writes one model after the "
                                             "other: --from goes on from the last");
    }
    if (strcmp(path, model) == 0 || output_same_file(path, model) || output_same_file(path, data)) {
        return complain_usage(line->command, "the checkpoint %s would overwrite the %s: give it another name", path,
                              output_same_file(path, data) ? "data" : "model");
    }
    return output_check(path, &error) == CNM_OK ? STATUS_OK : complain_error(line->command, &error);
}

/* All that can be wrong about a line before any file is read. */
static int check_line(const arguments *line, size_t *most) {
    cnm_error error;
    *most = 0;
    if (arguments_own(line, "from") != NULL && check_from(line) != STATUS_OK) {
        return STATUS_USAGE;
    }
    if (cnm_options_check(line->options, &error) != CNM_OK) {
        return complain_usage(line->command, "%s", error.message);
    }
    return arguments_own(line, "grow") == NULL ? STATUS_OK : grow_check(line, most);
}

/* The model to go on from, and what the options must say for it: its features unless the line asks for more, and which labels it
 * takes together. */
static cnm_status load_start(const arguments *line, cnm_model **start, cnm_error *error) {
    const char *path = arguments_own(line, "from");
    if (path == NULL) {
        return CNM_OK;
    }
    cnm_status status = cnm_model_load(start, path, error);
    if (status != CNM_OK) {
        return status;
    }
    const char *known = model_value(*start, "features"), *wanted = cnm_options_get(line->options, "features");
    const char *positive = model_value(*start, "positive");
    if (!arguments_given(line, "features")) {
        status = cnm_options_set(line->options, "features", known, error);
    } else if (strtoul(wanted, NULL, 10) < cnm_model_features(*start)) {
        status =
            error_fill(error, CNM_BAD_ARGUMENT, "--features %s is less than the %s that %s has: a model can only grow",
                       wanted, known, path);
    }
    if (status == CNM_OK && positive != NULL) {
        status = cnm_options_set(line->options, "positive", positive, error);
    }
    return status;
}

/* Writes the model and says so. status: of the training. */
static cnm_status keep_model(const arguments *line, const cnm_model *model, const cnm_data *data, const char *path,
                             double seconds, cnm_status status, cnm_error *error) {
    const bool quiet = arguments_own(line, "quiet") != NULL, json = arguments_own(line, "json") != NULL;
    if (model == NULL) {
        return status == CNM_CANCELLED ? error_fill(error, status, "interrupted; no model was written") : status;
    }
    const cnm_status saved = cnm_model_save(model, path, error);
    if (saved != CNM_OK) {
        return saved;
    }
    if (json || !quiet) { /* results go to standard output, unless the model itself went there */
        summary_print(strcmp(path, "-") == 0 ? stderr : stdout, json, model, data, threads_wanted(line->options), path,
                      seconds);
    }
    const char *checkpoint = cnm_options_get(line->options, "checkpoint");
    if (status == CNM_CANCELLED && *checkpoint != '\0') {
        return error_fill(error, status, "interrupted; the model so far is in %s, and --resume goes on from %s", path,
                          checkpoint);
    }
    return status == CNM_CANCELLED ? error_fill(error, status, "interrupted; the model so far is in %s", path) : status;
}

/* Reads, learns, writes. After Ctrl-C a usable model is written too, and the status is CNM_CANCELLED. */
static cnm_status train_to(const arguments *line, const char *path, size_t most, cnm_error *error) {
    cnm_data *data = NULL;
    cnm_model *start = NULL, *model = NULL;
    progress bar;
    progress_start(&bar, line->command, arguments_own(line, "quiet") != NULL);
    const cnm_callbacks callbacks = progress_callbacks(&bar);
    cnm_status status = load_start(line, &start, error);
    if (status == CNM_OK) {
        status = cnm_data_load(&data, line->operands[0], line->options, start, &callbacks, error);
    }
    if (status == CNM_OK && most > 0) {
        status = grow_models(line, data, path, most, &bar, error);
    } else if (status == CNM_OK) {
        status = start == NULL ? cnm_train(&model, data, line->options, &callbacks, error)
                               : cnm_train_more(&model, start, data, line->options, &callbacks, error);
    }
    progress_end(&bar);
    if (most == 0 || data == NULL) {
        status = keep_model(line, model, data, path, progress_seconds(&bar), status, error);
    }
    cnm_model_destroy(model);
    cnm_model_destroy(start);
    cnm_data_destroy(data);
    return status;
}

static int run(const arguments *line) {
    const char *data = line->operands[0], *path;
    char *named = NULL;
    size_t most;
    const int sense = check_line(line, &most);
    if (sense != STATUS_OK) {
        return sense;
    }
    if (line->operand_count == 2) {
        path = line->operands[1];
    } else if (strcmp(data, "-") == 0) {
        return complain_usage(line->command, "DATA is standard input and has no name: give MODEL one");
    } else {
        path = named = default_model(data);
    }
    int result = STATUS_OK;
    cnm_error error;
    if (path == NULL) {
        complain_note(line->command, "out of memory");
        result = STATUS_FAILED;
    } else if (most > 0 && strcmp(path, "-") == 0) {
        result = complain_usage(line->command, "--grow writes several models: give MODEL a name");
    } else if (output_same_file(path, data)) {
        result = complain_usage(line->command, "the model %s would overwrite the data: give MODEL a name", path);
    } else if (output_same_file(path, cnm_options_get(line->options, "teacher"))) {
        result = complain_usage(line->command, "the model %s would overwrite its teacher: give MODEL a name", path);
    } else if ((result = check_checkpoint(line, path)) != STATUS_OK) {
        /* said already */
    } else if (output_check(path, &error) != CNM_OK || train_to(line, path, most, &error) != CNM_OK) {
        result = complain_error(line->command, &error);
    }
    free(named);
    return result;
}

static const own_option OPTIONS[] = {
    {"grow", 0, "MAX",
     "train k, 2k, 4k ... features up to MAX (from -k, else 8), each from the last; writes MODEL-k8.cnm ...", NULL},
    {"from", 0, "MODEL", "go on with the joint training of this model on new rows; -k makes it larger", NULL},
    {"quiet", 'q', NULL, "no progress, no notes and no summary", NULL},
    {"json", 0, NULL, "the summary as one JSON object", NULL},
};

const command COMMAND_TRAIN = {
    .name = "train",
    .usage = "[options] DATA [MODEL]",
    .summary = "learn; MODEL defaults to DATA's base name + .cnm",
    .guide = "  cnm train digits.csv                        learn a map of 128 features, write digits.cnm\n"
             "  cnm train -k 16 digits.csv                  a compact one, of a few kilobytes\n"
             "  cnm train -p circulant -k 512 wide.libsvm.gz   many columns: O(k log d) time, O(k) memory\n"
             "  cnm train --validation 0.2 digits.csv       hold rows back, keep the best on them\n"
             "  cnm train --grow 256 digits.csv             8, 16 ... 256 features: accuracy against size\n"
             "  cnm train --from digits.cnm more.csv digits.cnm   go on with new rows\n"
             "  cnm train --checkpoint d.state --resume digits.csv   killed or stopped, the same line goes on\n"
             "  cnm train --validation 0.2 --group-column patient visits.csv   no patient on both sides\n"
             "  cnm train --prune 0.5 -k 64 digits.csv      64 features, then the 32 that matter, trained on\n"
             "  cnm train --teacher digits.cnm -k 16 digits.csv small.cnm   a small one from a large one's scores\n"
             "  cnm train --recipe alternating digits.csv   the paper's algorithm\n"
             "  cnm train -m rff -k 512 digits.csv          a random map, to compare with; -m linear: none\n"
             "  cnm train -m kernel --task map -k 64 digits.csv map.cnm   a map for a kernel, without labels;\n"
             "  cnm transform map.cnm digits.csv -o z.npy                 its features, for any linear method\n"
             "\n"
             "DATA is LIBSVM text, CSV or TSV, ARFF, NPY or IDX, gzipped or not; - is standard input. Ctrl-C writes\n"
             "the model as it stands, where it is usable, and exits with 130 (SIGTERM: 143). Options that would be\n"
             "ignored are refused.\n",
    .purpose = CNM_FOR_TRAIN | CNM_FOR_DATA,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .least = 1,
    .most = 2,
    .run = run,
};
