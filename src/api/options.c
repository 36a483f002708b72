/* Options by name: checks a text against the one table and keeps it, with the settings that all
 * texts together mean. */
#include "api/options.h"

#include <string.h>

#include "api/api_objects.h"
#include "api/option_table.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/suggest.h"

struct cnm_options {
    settings values; /* its texts point into `texts` */
    char **texts;    /* (option_table_size) what was set; NULL where the default is in force */
};

/* Returns the i-th option that this version offers, or NULL. */
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
    cnm_option_info known = {info->struct_size, row->name,   row->type, row->default_value, row->help, row->group,
                             row->purpose,      row->letter, {0},       row->common};
    option_values(row, known.values);
    memcpy(info, &known, info->struct_size < sizeof known ? info->struct_size : sizeof known);
    return 1;
}

cnm_status cnm_options_create(cnm_options **out, cnm_error *err) {
    TRY(api_output(out, err));
    TRY(memory_zeroed(out, 1, sizeof **out, "options", err));
    (*out)->values = OPTION_DEFAULTS;
    const cnm_status status = memory_zeroed(&(*out)->texts, option_table_size(), sizeof *(*out)->texts, "options", err);
    if (status != CNM_OK) {
        memory_free(*out);
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
    cnm_status status = CNM_OK;
    TRY(cnm_options_create(out, err));
    for (size_t i = 0; options != NULL && i < option_table_size(); i++) {
        if (options->texts[i] != NULL) {
            TRY_DONE(cnm_options_set(*out, option_table_row(i)->name, options->texts[i], err));
        }
    }
done:
    if (status != CNM_OK) {
        cnm_options_destroy(*out);
        *out = NULL;
    }
    return status;
}

static cnm_status unknown_name(const char *name, cnm_error *err) {
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < cnm_options_count(); i++) {
        const char *candidate = offered(i)->name;
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

/* *i = the option's row. */
static cnm_status find(const char *name, size_t *i, cnm_error *err) {
    *i = option_find(name);
    return *i < option_table_size() ? CNM_OK : unknown_name(name, err);
}

cnm_status cnm_options_set(cnm_options *options, const char *name, const char *value, cnm_error *err) {
    size_t i;
    char *text;
    TRY(api_require(options, "options", err));
    TRY(api_require(name, "name", err));
    TRY(api_require(value, "value", err));
    TRY(find(name, &i, err));
    const option_row *row = option_table_row(i);
    if (row->later != NULL) {
        return error_set(err, CNM_UNSUPPORTED, "--%s is not in this version yet: %s", name, row->later);
    }
    TRY(memory_copy_text(&text, value, err));
    settings changed = options->values;
    const cnm_status status = row->read(row, text, &changed, err);
    if (status != CNM_OK) {
        memory_free(text);
        return status;
    }
    options->values = changed;
    memory_free(options->texts[i]);
    options->texts[i] = text;
    return CNM_OK;
}

const char *options_text(const cnm_options *options, size_t row) {
    return options != NULL && options->texts[row] != NULL ? options->texts[row] : option_table_row(row)->default_value;
}

cnm_status cnm_options_get(const cnm_options *options, const char *name, const char **value, cnm_error *err) {
    size_t i;
    TRY(api_output(value, err));
    TRY(api_require(name, "name", err));
    TRY(find(name, &i, err));
    *value = options_text(options, i);
    return CNM_OK;
}

const settings *options_settings(const cnm_options *options) {
    return options == NULL ? &OPTION_DEFAULTS : &options->values;
}

cnm_status options_said(const cnm_options *options, record *out, cnm_error *err) {
    for (size_t i = 0; i < option_table_size(); i++) {
        const option_row *row = option_table_row(i);
        if ((row->purpose & CNM_FOR_TRAIN) != 0 && !row->aside && row->later == NULL) {
            TRY(record_add(out, row->name, options_text(options, i), err));
        }
    }
    return CNM_OK;
}

bool options_given(const cnm_options *options, const char *name) {
    static const char *const OPEN[] = {"auto", "none", "no", "0", ""};
    const size_t i = option_find(name);
    if (options == NULL || i == option_table_size() || options->texts[i] == NULL) {
        return false;
    }
    const char *usual = option_table_row(i)->default_value;
    bool open = false;
    for (size_t j = 0; j < sizeof OPEN / sizeof OPEN[0]; j++) {
        open = open || strcmp(usual, OPEN[j]) == 0;
    }
    return !open || strcmp(options->texts[i], usual) != 0;
}
