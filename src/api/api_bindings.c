/* What other languages need to use the library without knowing how a C struct is laid out. Nothing here does any work of its own. */
#include <math.h>
#include <string.h>

#include "api/api_objects.h"
#include "base/core/memory.h"

cnm_error *cnm_error_create(void) {
    cnm_error *self;
    return memory_zeroed(&self, 1, sizeof *self, "an error", NULL) == CNM_OK ? self : NULL;
}

const char *cnm_error_message(const cnm_error *error) { return error == NULL ? "" : error->message; }

void cnm_error_destroy(cnm_error *error) { memory_free(error); }

cnm_callbacks *cnm_callbacks_create(int (*progress)(const cnm_progress *progress, void *user),
                                    void (*notice)(const char *sentence, void *user), void *user) {
    cnm_callbacks *self;
    if (memory_zeroed(&self, 1, sizeof *self, "callbacks", NULL) != CNM_OK) {
        return NULL;
    }
    *self = (cnm_callbacks){progress, notice, user};
    return self;
}

void cnm_callbacks_destroy(cnm_callbacks *callbacks) { memory_free(callbacks); }

const char *cnm_progress_phase(const cnm_progress *progress) { return progress->phase; }

double cnm_progress_get(const cnm_progress *progress, const char *field) {
    const struct {
        const char *name;
        double value;
    } fields[] = {
        {"done", (double)progress->done},
        {"total", (double)progress->total},
        {"loss", progress->loss},
        {"validation", progress->validation},
        {"rows_per_second", progress->rows_per_second},
        {"seconds", progress->seconds},
        {"seconds_left", progress->seconds_left},
    };
    for (size_t i = 0; field != NULL && i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(field, fields[i].name) == 0) {
            return fields[i].value;
        }
    }
    return NAN;
}

const char *cnm_options_text(size_t i, const char *field) {
    /* By the bits CNM_FOR_TRAIN, CNM_FOR_DATA, CNM_FOR_PREDICT. */
    static const char *const PURPOSES[] = {"",        "train",         "data",         "train data",
                                           "predict", "train predict", "data predict", "train data predict"};
    cnm_option_info info;
    if (field == NULL || !cnm_options_describe(i, &info)) {
        return NULL;
    }
    const char *const fields[][2] = {
        {"name", info.name},
        {"type", info.type},
        {"initial", info.initial},
        {"values", info.values},
        {"help", info.help},
        {"group", info.group},
        {"purpose", PURPOSES[info.purpose & 7U]},
    };
    for (size_t j = 0; j < sizeof fields / sizeof fields[0]; j++) {
        if (strcmp(field, fields[j][0]) == 0) {
            return fields[j][1];
        }
    }
    return NULL;
}
