/* Trains models of growing size, each warm-started from the last. */
#include "cli_grow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_format.h"
#include "described_values.h"
#include "library_calls.h"
#include "report_error.h"
#include "train_summary.h"

enum { FEWEST = 8 };
static const char ENDING[] = ".cnm";

/* Returns what precedes the features of the last layer in --layers: "64," of "64,32". */
static size_t before_last(const char *layers) {
    size_t length = strlen(layers);
    while (length > 0 && layers[length - 1] >= '0' && layers[length - 1] <= '9') {
        length--;
    }
    return length;
}

/* Returns the features of the map, or of the last layer of --layers. */
static size_t features_wanted(const arguments *line) {
    const bool stack = arguments_given(line, "layers");
    const char *text = option_text(line->options, stack ? "layers" : "features");
    return (size_t)strtoul(stack ? text + before_last(text) : text, NULL, 10);
}

static cnm_status set_features(const arguments *line, size_t features, cnm_error *error) {
    const bool stack = arguments_given(line, "layers");
    const char *layers = stack ? option_text(line->options, "layers") : "";
    const size_t kept = before_last(layers), size = kept + 32;
    char *text = malloc(size);
    if (text == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: layers");
    }
    (void)snprintf(text, size, "%.*s%zu", (int)kept, layers, features);
    const cnm_status status = cnm_options_set(line->options, stack ? "layers" : "features", text, error);
    free(text);
    return status;
}

int grow_check(const arguments *line, size_t *most) {
    const char *text = arguments_own(line, "grow");
    cnm_error error;
    if (arguments_own(line, "from") != NULL) {
        return usage_error(line->command, "--grow does not go with --from, which grows the model to -k features");
    }
    if (strcmp(option_text(line->options, "method"), "cnm") != 0 ||
        strcmp(option_text(line->options, "recipe"), "joint") != 0) {
        return usage_error(line->command, "--grow needs --method cnm --recipe joint");
    }
    if (arguments_given(line, "prune")) {
        return usage_error(line->command, "--prune does not go with --grow, which goes on from what it would take out");
    }
    if (!arguments_given(line, "features") && !arguments_given(line, "layers") &&
        set_features(line, FEWEST, &error) != CNM_OK) {
        return report_error(line->command, &error);
    }
    const size_t first = features_wanted(line), digits = strspn(text, "0123456789");
    *most = digits > 0 && digits < 10 && text[digits] == '\0' ? (size_t)strtoul(text, NULL, 10) : 0;
    return *most >= first ? STATUS_OK
                          : usage_error(line->command,
                                        "--grow cannot be \"%s\": expected a whole number from %zu, the "
                                        "features to begin with, to 999999999",
                                        text, first);
}

/* Returns NAME-k8.cnm for NAME.cnm, which the caller frees; NULL when memory is short. */
static char *grown_name(const char *path, size_t features) {
    const size_t length = strlen(path), size = length + 40, ending = sizeof ENDING - 1;
    const bool ends = length > ending && strcmp(path + length - ending, ENDING) == 0;
    char *name = malloc(size);
    if (name != NULL) {
        (void)snprintf(name, size, "%.*s-k%zu%s", (int)(ends ? length - ending : length), path, features, ENDING);
    }
    return name;
}

/* The table: one row for each model that is written; nothing with -q alone. */
typedef struct listing {
    bool shown, json;
    bool validated; /* the first model has a score on validation rows, so all are compared by it */
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
        print_json_string(stdout, path);
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
static cnm_status write_model(const arguments *line, listing *table, const cnm_model *model, const cnm_data *data,
                              const char *path, cnm_error *error) {
    char *name = grown_name(path, cnm_model_features(model));
    if (name == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: a name");
    }
    cnm_status status;
    TRY_DONE(cnm_model_save(model, name, error));
    model_score score = score_on_validation(model);
    table->validated = table->validated || (table->rows == 0 && !isnan(score.value));
    if (!table->validated) {
        score = score_on_rows(model, data, threads_wanted(line->options));
    }
    list_model(table, model, &score, name);
done:
    free(name);
    return status;
}

/* Returns the expected work of a training: a constant, and a part in proportion to its features. */
static double work_of(size_t features) { return 64.0 + (double)features; }

/* Begins the part of the command that trains the model of so many features. */
static void begin_part(progress *bar, size_t first, size_t features, size_t most) {
    char prefix[sizeof bar->prefix];
    double done = 0, all = 0;
    for (size_t k = first; k <= most; k *= 2) {
        done += k <= features ? work_of(k) : 0;
        all += work_of(k);
    }
    (void)snprintf(prefix, sizeof prefix, "%zu features", features);
    progress_part(bar, done / all, prefix);
}

/* Trains a model of so many features, from the last one where there is one, and writes it. After
 * Ctrl-C a usable model is written too. *last becomes the new model, or NULL. */
static cnm_status grow_to(const arguments *line, listing *table, size_t features, const cnm_data *data,
                          const char *path, cnm_model **last, progress *bar, cnm_error *error) {
    const cnm_callbacks callbacks = progress_callbacks(bar);
    cnm_model *model = NULL;
    TRY(set_features(line, features, error));
    const cnm_status status = *last == NULL ? library_train(&model, data, line->options, &callbacks, error)
                                            : library_continue(&model, *last, data, line->options, &callbacks, error);
    progress_end(bar);
    cnm_model_destroy(*last);
    *last = model;
    TRY(model != NULL ? write_model(line, table, model, data, path, error) : CNM_OK);
    return status;
}

cnm_status grow_models(const arguments *line, const cnm_data *data, const char *path, size_t most, progress *bar,
                       cnm_error *error) {
    listing table = {.shown = arguments_own(line, "quiet") == NULL, .json = arguments_own(line, "json") != NULL};
    cnm_model *last = NULL;
    cnm_status status = CNM_OK;
    const size_t first = features_wanted(line);
    for (size_t features = first; features <= most; features *= 2) {
        begin_part(bar, first, features, most);
        TRY_DONE(grow_to(line, &table, features, data, path, &last, bar, error));
    }
done:
    cnm_model_destroy(last);
    fputs(table.json && table.rows > 0 ? "]}\n" : "", stdout);
    if (status == CNM_CANCELLED) {
        (void)error_fill(error, status, "interrupted; %zu models are written, the last as it stood", table.rows);
    }
    return status;
}
