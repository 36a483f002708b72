/* What bindings of other languages need to use the library without knowing how a C struct is laid
 * out. */
#include "cnm/bindings.h"

#include <string.h>

#include "api/api_objects.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"

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
    *self = (cnm_callbacks){.struct_size = sizeof *self, .progress = progress, .notice = notice, .user = user};
    return self;
}

void cnm_callbacks_set_info(cnm_callbacks *callbacks, void (*info)(const char *sentence, void *user)) {
    callbacks->info = info;
}

void cnm_callbacks_destroy(cnm_callbacks *callbacks) { memory_free(callbacks); }

const char *cnm_progress_phase(const cnm_progress *progress) { return progress->phase; }

cnm_status cnm_progress_get(const cnm_progress *progress, const char *field, double *value, cnm_error *err) {
    TRY(api_require(progress, "progress", err));
    TRY(api_require(field, "field", err));
    TRY(api_require(value, "value", err));
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
        {"fraction", progress->fraction},
        {"stage", (double)progress->stage},
        {"stages", (double)progress->stages},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(field, fields[i].name) == 0) {
            *value = fields[i].value;
            return CNM_OK;
        }
    }
    return error_set(err, CNM_BAD_ARGUMENT,
                     "progress has no field \"%.40s\": there are done, total, loss, validation, rows_per_second, "
                     "seconds, seconds_left, fraction, stage and stages",
                     field);
}

/* *text = a field of an option. */
static cnm_status find_text(const cnm_option_info *info, const char *field, const char **text, cnm_error *err) {
    /* By the bits CNM_FOR_TRAIN, CNM_FOR_DATA, CNM_FOR_PREDICT; CNM_FOR_OUTPUT stands alone. */
    static const char *const PURPOSES[] = {"",        "train",         "data",         "train data",
                                           "predict", "train predict", "data predict", "train data predict"};
    const char *const fields[][2] = {
        {"name", info->name},
        {"type", info->type},
        {"default", info->default_value},
        {"values", info->values},
        {"help", info->help},
        {"group", info->group},
        {"purpose", info->purpose == CNM_FOR_OUTPUT ? "output" : PURPOSES[info->purpose & 7U]},
    };
    for (size_t j = 0; j < sizeof fields / sizeof fields[0]; j++) {
        if (strcmp(field, fields[j][0]) == 0) {
            *text = fields[j][1];
            return CNM_OK;
        }
    }
    return error_set(err, CNM_BAD_ARGUMENT,
                     "options have no field \"%.40s\": there are name, type, default, values, help, group and purpose",
                     field);
}

cnm_status cnm_options_text(size_t i, const char *field, char *out, size_t size, cnm_error *err) {
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    const char *text = NULL;
    TRY(api_require(field, "field", err));
    TRY(api_require(out, "out", err));
    if (!cnm_options_describe(i, &info)) {
        return error_set(err, CNM_BAD_ARGUMENT, "there is no option %zu: there are %zu", i, cnm_options_count());
    }
    TRY(find_text(&info, field, &text, err));
    if (strlen(text) >= size) {
        return error_set(err, CNM_BAD_ARGUMENT, "%zu bytes are too few for this text of an option: %zu are needed",
                         size, strlen(text) + 1);
    }
    memcpy(out, text, strlen(text) + 1);
    return CNM_OK;
}
