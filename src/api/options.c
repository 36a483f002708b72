/* Options by name: checks a text against the one table and keeps it, with the settings that all texts together mean. */
#include "api/options.h"

#include <string.h>

#include "api/option_table.h"
#include "api/suggest.h"
#include "base/core/error.h"
#include "base/core/memory.h"

struct cnm_options {
    settings values; /* its texts point into `texts` */
    char **texts;    /* (option_table_size) what was set; NULL where the default is in force */
};

/* The i-th option that this version offers, or NULL. */
static const option_row *offered(size_t i) {
    for (size_t row = 0; row < option_table_size(); row++) {
        if (option_table_row(row)->later == NULL && i-- == 0) {
            return option_table_row(row);
        }
    }
    return NULL;
}

size_t cnm_options_count(void) {
    size_t count = 0;
    while (offered(count) != NULL) {
        count++;
    }
    return count;
}

int cnm_options_describe(size_t i, cnm_option_info *info) {
    const option_row *row = offered(i);
    if (row == NULL || info == NULL) {
        return 0;
    }
    *info = row->info;
    return 1;
}

cnm_status cnm_options_create(cnm_options **out, cnm_error *err) {
    if (out == NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "cnm_options_create: out is NULL");
    }
    cnm_options *self;
    cnm_status status = memory_zeroed(out, 1, sizeof **out, "options", err);
    if (status != CNM_OK) {
        return status;
    }
    self = *out;
    self->values = OPTION_DEFAULTS;
    status = memory_zeroed(&self->texts, option_table_size(), sizeof *self->texts, "options", err);
    if (status != CNM_OK) {
        memory_free(self);
        *out = NULL;
    }
    return status;
}

void cnm_options_destroy(cnm_options *options) {
    if (options == NULL) {
        return;
    }
    for (size_t i = 0; i < option_table_size(); i++) {
        memory_free(options->texts[i]);
    }
    memory_free(options->texts);
    memory_free(options);
}

cnm_status cnm_options_copy(cnm_options **out, const cnm_options *options, cnm_error *err) {
    cnm_status status = cnm_options_create(out, err);
    for (size_t i = 0; status == CNM_OK && options != NULL && i < option_table_size(); i++) {
        if (options->texts[i] != NULL) {
            status = cnm_options_set(*out, option_table_row(i)->info.name, options->texts[i], err);
        }
    }
    if (status != CNM_OK && out != NULL) {
        cnm_options_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* The row's number, or the table's size. */
static size_t find(const char *name) {
    size_t i = 0;
    while (i < option_table_size() && strcmp(option_table_row(i)->info.name, name) != 0) {
        i++;
    }
    return i;
}

static cnm_status unknown_name(const char *name, cnm_error *err) {
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < cnm_options_count(); i++) {
        const char *candidate = offered(i)->info.name;
        const size_t distance = suggest_distance(name, candidate, strlen(candidate));
        if (distance < least) {
            nearest = candidate;
            least = distance;
        }
    }
    if (nearest == NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "there is no option --%s", name);
    }
    return error_set(err, CNM_BAD_ARGUMENT, "there is no option --%s; did you mean --%s?", name, nearest);
}

cnm_status cnm_options_set(cnm_options *options, const char *name, const char *value, cnm_error *err) {
    if (options == NULL || name == NULL || value == NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "cnm_options_set: options, name and value must not be NULL");
    }
    const size_t i = find(name);
    if (i == option_table_size()) {
        return unknown_name(name, err);
    }
    const option_row *row = option_table_row(i);
    if (row->later != NULL) {
        return error_set(err, CNM_UNSUPPORTED, "--%s is not in this version yet: %s", name, row->later);
    }
    char *text;
    cnm_status status = memory_copy_text(&text, value, err);
    if (status != CNM_OK) {
        return status;
    }
    settings changed = options->values;
    status = row->read(row, text, &changed, err);
    if (status != CNM_OK) {
        memory_free(text);
        return status;
    }
    options->values = changed;
    memory_free(options->texts[i]);
    options->texts[i] = text;
    return CNM_OK;
}

const char *cnm_options_get(const cnm_options *options, const char *name) {
    const size_t i = name == NULL ? option_table_size() : find(name);
    if (i == option_table_size()) {
        return NULL;
    }
    return options != NULL && options->texts[i] != NULL ? options->texts[i] : option_table_row(i)->info.initial;
}

const settings *options_settings(const cnm_options *options) {
    return options == NULL ? &OPTION_DEFAULTS : &options->values;
}

cnm_status options_said(const cnm_options *options, record *out, cnm_error *err) {
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < option_table_size(); i++) {
        const option_row *row = option_table_row(i);
        if ((row->info.purpose & CNM_FOR_TRAIN) != 0 && !row->aside && row->later == NULL) {
            status = record_add(out, row->info.name, cnm_options_get(options, row->info.name), err);
        }
    }
    return status;
}

bool options_given(const cnm_options *options, const char *name) {
    static const char *const OPEN[] = {"auto", "none", "no", "0", ""};
    const size_t i = find(name);
    if (options == NULL || i == option_table_size() || options->texts[i] == NULL) {
        return false;
    }
    const char *initial = option_table_row(i)->info.initial;
    bool open = false;
    for (size_t j = 0; j < sizeof OPEN / sizeof OPEN[0]; j++) {
        open = open || strcmp(initial, OPEN[j]) == 0;
    }
    return !open || strcmp(options->texts[i], initial) != 0;
}
