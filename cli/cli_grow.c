/* Models along k. */
#include "cli_grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_error.h"
#include "cli_format.h"
#include "command_lookup.h"
#include "train_summary.h"

enum { FEWEST = 8 };
static const char ENDING[] = ".cnm";

static size_t features_wanted(const arguments *line) {
    return (size_t)strtoul(cnm_options_get(line->options, "features"), NULL, 10);
}

static cnm_status set_features(const arguments *line, size_t features, cnm_error *error) {
    char text[32];
    (void)snprintf(text, sizeof text, "%zu", features);
    return cnm_options_set(line->options, "features", text, error);
}

int grow_check(const arguments *line, size_t *most) {
    const char *text = arguments_own(line, "grow");
    cnm_error error;
    if (arguments_own(line, "from") != NULL) {
        return complain_usage(line->command, "--grow does not go with --from, which grows the model to -k features");
    }
    if (strcmp(cnm_options_get(line->options, "method"), "cnm") != 0 ||
        strcmp(cnm_options_get(line->options, "recipe"), "joint") != 0) {
        return complain_usage(line->command, "--grow needs --method cnm --recipe joint");
    }
    if (arguments_given(line, "prune")) {
        return complain_usage(line->command,
                              "--prune does not go with --grow, which goes on from what it would take out");
    }
    if (!arguments_given(line, "features") && set_features(line, FEWEST, &error) != CNM_OK) {
        return complain_error(line->command, &error);
    }
    const size_t first = features_wanted(line), digits = strspn(text, "0123456789");
    *most = digits > 0 && digits < 10 && text[digits] == '\0' ? (size_t)strtoul(text, NULL, 10) : 0;
    return *most >= first ? STATUS_OK
                          : complain_usage(line->command,
                                           "--grow cannot be \"%s\": expected a whole number from %zu, the "
                                           "features to begin with, to 999999999",
                                           text, first);
}

/* NAME.cnm becomes NAME-k8.cnm. NULL when memory is short. */
static char *grown_name(const char *path, size_t features) {
    const size_t length = strlen(path), size = length + 40, ending = sizeof ENDING - 1;
    const bool ends = length > ending && strcmp(path + length - ending, ENDING) == 0;
    char *name = malloc(size);
    if (name != NULL) {
        (void)snprintf(name, size, "%.*s-k%zu%s", (int)(ends ? length - ending : length), path, features, ENDING);
    }
    return name;
}

/* The table: one row when a model is written. Nothing with -q alone. */
typedef struct listing {
    bool shown, json;
    bool held; /* the first model has a score on held rows, so all are compared by it */
    size_t rows;
} listing;

static void list_model(listing *self, const cnm_model *model, const model_score *score, const char *path) {
    const size_t features = cnm_model_features(model);
    if (self->json) {
        printf("%s{\"features\": %zu, \"bytes\": ", self->rows == 0 ? "{\"models\": [" : ", ", features);
        json_number(stdout, file_bytes(path));
        printf(", \"%s\": ", score->name);
        json_number(stdout, score->value);
        fputs(", \"model\": ", stdout);
        json_string(stdout, path);
        putchar('}');
    } else if (self->shown) {
        if (self->rows == 0) {
            printf("%8s %10s %18s  %s\n", "features", "bytes", score->name, "model");
        }
        printf("%8zu %10s %18s  %s\n", features, number_digits(file_bytes(path), 12).text,
               number_fixed(score->value, 4).text, path);
    }
    self->rows++;
    fflush(stdout);
}

/* Writes a model under its own name and lists it. */
static cnm_status keep_model(const arguments *line, listing *table, const cnm_model *model, const cnm_data *data,
                             const char *path, cnm_error *error) {
    char *name = grown_name(path, cnm_model_features(model));
    if (name == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: a name");
    }
    const cnm_status status = cnm_model_save(model, name, error);
    if (status == CNM_OK) {
        model_score score = score_on_held(model);
        table->held = table->held || (table->rows == 0 && !isnan(score.value));
        if (!table->held) {
            score = score_on_rows(model, data, threads_wanted(line->options));
        }
        list_model(table, model, &score, name);
    }
    free(name);
    return status;
}

cnm_status grow_models(const arguments *line, const cnm_data *data, const char *path, size_t most, progress *bar,
                       cnm_error *error) {
    const cnm_callbacks callbacks = progress_callbacks(bar);
    listing table = {.shown = arguments_own(line, "quiet") == NULL, .json = arguments_own(line, "json") != NULL};
    cnm_model *last = NULL;
    cnm_status status = CNM_OK;
    for (size_t features = features_wanted(line); status == CNM_OK && features <= most; features *= 2) {
        cnm_model *model = NULL;
        bar->features = features;
        status = set_features(line, features, error);
        if (status == CNM_OK) {
            status = last == NULL ? cnm_train(&model, data, line->options, &callbacks, error)
                                  : cnm_train_more(&model, last, data, line->options, &callbacks, error);
        }
        progress_end(bar);
        if (model != NULL) {
            const cnm_status kept = keep_model(line, &table, model, data, path, error);
            status = kept == CNM_OK ? status : kept;
        }
        cnm_model_destroy(last);
        last = model;
    }
    cnm_model_destroy(last);
    fputs(table.json && table.rows > 0 ? "]}\n" : "", stdout);
    if (status == CNM_CANCELLED) {
        (void)error_fill(error, status, "interrupted; %zu models are written, the last as it stood", table.rows);
    }
    return status;
}
