/* cnm train: data in, model out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arguments.h"
#include "complain.h"
#include "format.h"
#include "lookup.h"
#include "output.h"
#include "progress.h"

/* Predicting the training rows once more is done when it costs fewer multiplications than this: about a second. */
static const double CHEAP = 2e10;

/* One line of the summary. Numbers are written as given; JSON keeps texts in quotes. */
typedef struct fact {
    const char *name;
    const char *text; /* NULL: a number */
    double number;    /* NaN and text NULL: nothing to say */
} fact;

/* DATA's base name without .gz and its last ending, with .cnm. NULL when memory is short. */
static char *default_model(const char *data) {
    const char *slash = strrchr(data, '/');
    const char *base = slash == NULL ? data : slash + 1;
    size_t length = strlen(base);
    if (length > 3 && strcmp(base + length - 3, ".gz") == 0) {
        length -= 3;
    }
    for (size_t i = length; i-- > 1;) {
        if (base[i] == '.') {
            length = i;
            break;
        }
    }
    char *name = malloc(length + sizeof ".cnm");
    if (name != NULL) {
        memcpy(name, base, length);
        strcpy(name + length, ".cnm");
    }
    return name;
}

/* The fraction of training rows predicted right, or NaN: no classes, too costly, or too little memory for it. */
static double training_accuracy(const cnm_model *model, const cnm_data *data, size_t threads) {
    const size_t rows = cnm_data_rows(data), outputs = cnm_model_outputs(model);
    const double work = (double)cnm_data_cells(data) * (double)cnm_model_features(model);
    double accuracy = NAN;
    if (cnm_model_classes(model) == 0 || work > CHEAP || (double)rows * (double)outputs > CHEAP / 100) {
        return accuracy;
    }
    float *scores = calloc(rows * outputs, sizeof *scores);
    cnm_evaluation *evaluation = NULL;
    if (scores != NULL && cnm_evaluation_create(&evaluation, model, 0, NULL) == CNM_OK &&
        cnm_predict_scores(model, data, threads, scores, NULL) == CNM_OK &&
        cnm_evaluation_add(evaluation, data, scores, NULL) == CNM_OK) {
        accuracy = cnm_evaluation_get(evaluation, "accuracy");
    }
    cnm_evaluation_destroy(evaluation);
    free(scores);
    return accuracy;
}

static void print_facts(FILE *out, const fact *facts, size_t count, bool json) {
    const char *glue = "{";
    for (size_t i = 0; i < count; i++) {
        if (facts[i].text == NULL && isnan(facts[i].number)) {
            continue;
        }
        if (!json) {
            fprintf(out, "%-18s %s\n", facts[i].name,
                    facts[i].text != NULL ? facts[i].text : number_digits(facts[i].number, 6).text);
            continue;
        }
        fprintf(out, "%s\"%s\": ", glue, facts[i].name);
        glue = ", ";
        if (facts[i].text != NULL) {
            json_string(out, facts[i].text);
        } else {
            json_number(out, facts[i].number);
        }
    }
    fputs(json ? "}\n" : "", out);
}

static double file_bytes(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (double)status.st_size : NAN;
}

/* Results go to standard output, unless the model itself went there. */
static void print_summary(const arguments *line, const cnm_model *model, const cnm_data *data, const char *path,
                          double seconds) {
    const bool json = arguments_own(line, "json") != NULL, piped = strcmp(path, "-") == 0;
    const size_t classes = cnm_model_classes(model);
    const fact facts[] = {
        {"model", piped ? "standard output" : path, 0},
        {"method", model_value(model, "method"), NAN},
        {"rows", NULL, (double)cnm_data_rows(data)},
        {"columns", NULL, (double)cnm_data_columns(data)},
        {"classes", NULL, classes > 0 ? (double)classes : NAN},
        {"features", NULL, (double)cnm_model_features(model)},
        {"gamma", model_value(model, "gamma"), NAN},
        {"bytes", NULL, piped ? NAN : file_bytes(path)},
        {"training-accuracy", NULL, training_accuracy(model, data, threads_wanted(line->options))},
        {"seconds", NULL, round(seconds * 1000) / 1000},
        {"interrupted", interrupted() ? "yes" : NULL, NAN},
    };
    print_facts(piped ? stderr : stdout, facts, sizeof facts / sizeof facts[0], json);
}

/* Reads, learns, writes. After Ctrl-C a usable model is written too, and the status is CNM_CANCELLED. */
static cnm_status train_to(const arguments *line, const char *path, cnm_error *error) {
    const bool quiet = arguments_own(line, "quiet") != NULL;
    cnm_data *data = NULL;
    cnm_model *model = NULL;
    progress bar;
    progress_start(&bar, line->command, quiet);
    const cnm_callbacks callbacks = progress_callbacks(&bar);
    cnm_status status = cnm_data_load(&data, line->operands[0], line->options, NULL, &callbacks, error);
    if (status == CNM_OK) {
        status = cnm_train(&model, data, line->options, &callbacks, error);
    }
    progress_end(&bar);
    if (model != NULL) {
        const cnm_status saved = cnm_model_save(model, path, error);
        if (saved == CNM_OK && !(quiet && arguments_own(line, "json") == NULL)) {
            print_summary(line, model, data, path, progress_seconds(&bar));
        }
        if (saved == CNM_OK && status == CNM_CANCELLED) {
            (void)error_fill(error, status, "interrupted; the model so far is in %s", path);
        }
        status = saved == CNM_OK ? status : saved;
    } else if (status == CNM_CANCELLED) {
        (void)error_fill(error, status, "interrupted; no model was written");
    }
    cnm_model_destroy(model);
    cnm_data_destroy(data);
    return status;
}

static int run(const arguments *line) {
    const char *data = line->operands[0];
    char *named = NULL;
    const char *path;
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
    } else if (output_same_file(path, data)) {
        result = complain_usage(line->command, "the model %s would overwrite the data: give MODEL a name", path);
    } else if (output_check(path, &error) != CNM_OK || train_to(line, path, &error) != CNM_OK) {
        result = complain_error(line->command, &error);
    }
    free(named);
    return result;
}

static const own_option OPTIONS[] = {
    {"quiet", 'q', NULL, "no progress, no notes and no summary", NULL},
    {"json", 0, NULL, "the summary as one JSON object", NULL},
};

const command COMMAND_TRAIN = {
    .name = "train",
    .usage = "[options] DATA [MODEL]",
    .summary = "learn; MODEL defaults to DATA's base name + .cnm",
    .guide = "  cnm train digits.csv                     random features, writes digits.cnm\n"
             "  cnm train -k 512 --gamma knn digits.csv  more features, bandwidth from neighbours\n"
             "  cnm train -p circulant -k 4096 wide.libsvm.gz small.cnm\n"
             "  cnm train -m linear digits.csv base.cnm  no map: the baseline\n"
             "  cnm train --shuffle 1 --rows 1:8000 all.csv part.cnm   the rest is for cnm predict\n"
             "\n"
             "DATA is LIBSVM text, CSV or TSV, ARFF, NPY or IDX, gzipped or not; - is standard input. Ctrl-C writes\n"
             "the model as it stands, where it is usable, and exits with 130.\n",
    .purpose = CNM_FOR_TRAIN | CNM_FOR_DATA,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .least = 1,
    .most = 2,
    .run = run,
};
