/* The record of model files of format 1: its keys and texts, and what they are called now. This is
 * the one place where the words of format 1 are kept; files with them stay readable. */
#include "model/file/model_file_format_1.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/text.h"
#include "model/file/model_file.h"
#include "model/probability.h"

typedef struct renaming {
    const char *old_key;
    const char *old_value; /* NULL: any */
    const char *key;
    const char *value; /* NULL: as it was */
} renaming;

static const char MAP_RATE[] = "map_rate";

static const renaming RENAMINGS[] = {
    {"hold", NULL, MAP_RATE, NULL}, /* 1 - hold, in six decimals */
    {"drift", NULL, "difference_noise", NULL},
    {"shift", NULL, "translate", NULL},
    {"weights", NULL, FILE_DTYPE, NULL},
    {"method", "kernel", "method", "kernel-approximation"},
    {"head", "solved for", "head_solver", "lbfgs"},
    {"imitates", NULL, "distilled_from", "kernel-ensemble"},
    {"continued", NULL, "warm_start", NULL},
    {NULL, NULL, NULL, NULL},
};

/* Entries that stand beside what they are derived from. */
static const renaming DERIVED[] = {
    {"loss", "logistic", RECORD_PROBABILITY, "one-vs-rest"},
    {NULL, NULL, NULL, NULL},
};

static const renaming *find(const renaming *row, const char *key, const char *value) {
    for (; row->key != NULL; row++) {
        if (strcmp(key, row->old_key) == 0 && (row->old_value == NULL || strcmp(value, row->old_value) == 0)) {
            return row;
        }
    }
    return NULL;
}

/* Whether a key came with the format that followed: format 1 has no entry of that name. */
static bool is_later(const char *key) {
    bool later = strcmp(key, RECORD_PROBABILITY) == 0;
    for (const renaming *row = RENAMINGS; row->key != NULL; row++) {
        later = later || (strcmp(key, row->key) == 0 && strcmp(key, row->old_key) != 0);
    }
    return later;
}

static cnm_status add_renamed(record *out, const renaming *row, const char *value, cnm_error *err) {
    double number;
    if (row->key == MAP_RATE && text_is_double(value, value + strlen(value), &number)) {
        return record_set_double(out, row->key, round(1e6 * (1.0 - number)) / 1e6, err);
    }
    return record_add(out, row->key, row->value == NULL ? value : row->value, err);
}

cnm_status format_1_add(record *out, const char *key, const char *value, cnm_error *err) {
    const renaming *row = find(RENAMINGS, key, value), *derived = find(DERIVED, key, value);
    if (is_later(key)) {
        return CNM_OK;
    }
    TRY(row != NULL ? add_renamed(out, row, value, err) : record_add(out, key, value, err));
    return derived != NULL ? add_renamed(out, derived, value, err) : CNM_OK;
}
