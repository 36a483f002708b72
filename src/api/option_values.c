/* Values of options from text, with a sentence for each that cannot be used: what was given, what
 * is allowed, and the nearest word. Not here: which options there are (option_table.c). */
#include <math.h>
#include <string.h>

#include "api/option_table.h"
#include "base/core/error.h"
#include "base/core/try.h"
#include "base/text/suggest.h"
#include "base/text/text.h"
#include "map/layers_text.h"

static void *field(const option_row *row, settings *out) { return (char *)out + row->offset; }

/* "one|two|three" becomes "one, two or three". */
static void spell_out(const char *list, char *out, size_t size) {
    size_t used = 0;
    for (const char *word = list; *word != '\0' && used + 8 < size;) {
        const size_t length = strcspn(word, "|");
        const char *rest = word + length + (word[length] == '|');
        const char *glue = *rest == '\0' ? "" : strchr(rest, '|') != NULL ? ", " : " or ";
        for (size_t i = 0; i < length && used + 8 < size; i++) {
            out[used++] = word[i];
        }
        for (size_t i = 0; glue[i] != '\0'; i++) {
            out[used++] = glue[i];
        }
        word = rest;
    }
    out[used] = '\0';
}

/* Fails with the value that was given and all that is allowed. */
static cnm_status refuse(const option_row *row, const char *text, const char *expected, cnm_error *err) {
    char values[CNM_OPTION_VALUES_SIZE], allowed[CNM_OPTION_VALUES_SIZE];
    option_values(row, values);
    spell_out(values, allowed, sizeof allowed);
    return error_set(err, CNM_BAD_ARGUMENT, "--%s cannot be \"%s\": expected %s%s", row->name, text, expected, allowed);
}

/* The same, with the nearest word where there is one. */
static cnm_status refuse_word(const option_row *row, const char *text, cnm_error *err) {
    char values[CNM_OPTION_VALUES_SIZE], allowed[CNM_OPTION_VALUES_SIZE];
    size_t length;
    option_values(row, values);
    const char *near = suggest_word(text, values, &length);
    if (near == NULL) {
        return refuse(row, text, "", err);
    }
    spell_out(values, allowed, sizeof allowed);
    return error_set(err, CNM_BAD_ARGUMENT, "--%s cannot be \"%s\": expected %s; did you mean %.*s?", row->name, text,
                     allowed, (int)length, near);
}

cnm_status option_read_choice(const option_row *row, char *text, settings *out, cnm_error *err) {
    return option_word_find(row->words, text, field(row, out)) ? CNM_OK : refuse_word(row, text, err);
}

cnm_status option_read_count(const option_row *row, char *text, settings *out, cnm_error *err) {
    uint64_t value = 0;
    if (row->word == NULL || strcmp(text, row->word) != 0) {
        if (!text_is_count(text, text + strlen(text), &value) || (double)value < row->low ||
            (double)value > row->high) {
            return refuse(row, text, "a whole number: ", err);
        }
    }
    *(uint64_t *)field(row, out) = value;
    return CNM_OK;
}

static bool number_in_range(const option_row *row, const char *text, double *value) {
    return text_is_double(text, text + strlen(text), value) && *value >= row->low && *value <= row->high;
}

cnm_status option_read_number(const option_row *row, char *text, settings *out, cnm_error *err) {
    double value = row->automatic;
    if (row->word == NULL || strcmp(text, row->word) != 0) {
        if (!number_in_range(row, text, &value)) {
            return refuse(row, text, "a number: ", err);
        }
    }
    *(double *)field(row, out) = value;
    return CNM_OK;
}

cnm_status option_read_text(const option_row *row, char *text, settings *out, cnm_error *err) {
    const bool is_default = strcmp(text, row->default_value) == 0;
    if (*text == '\0' && !is_default) {
        return refuse(row, text, "", err);
    }
    *(char **)field(row, out) = is_default ? NULL : text;
    return CNM_OK;
}

cnm_status option_read_flag(const option_row *row, char *text, settings *out, cnm_error *err) {
    int number;
    if (!option_word_find(row->words, text, &number)) {
        return refuse(row, text, "", err);
    }
    *(bool *)field(row, out) = number == 1;
    return CNM_OK;
}

/* A word, or a number that goes into gamma_number. */
cnm_status option_read_gamma(const option_row *row, char *text, settings *out, cnm_error *err) {
    double value;
    if (number_in_range(row, text, &value)) {
        out->gamma = GAMMA_NUMBER;
        out->gamma_number = value;
        return CNM_OK;
    }
    if (!option_word_find(row->words, text, &out->gamma)) {
        return refuse(row, text, "", err);
    }
    out->gamma_number = 0;
    return CNM_OK;
}

cnm_status option_read_layers(const option_row *row, char *text, settings *out, cnm_error *err) {
    out->layer_count = 0;
    if (*text == '\0') {
        return CNM_OK;
    }
    const cnm_status status = layers_read(text, out->layers, &out->layer_count, err);
    return status == CNM_OK ? CNM_OK : error_prefix(err, status, "--%s cannot be \"%.60s\"", row->name, text);
}

/* none, l1:V or l2:V. */
cnm_status option_read_penalty(const option_row *row, char *text, settings *out, cnm_error *err) {
    static const struct {
        const char *prefix;
        setting_penalty penalty;
    } FORMS[] = {{"l1:", PENALTY_L1}, {"l2:", PENALTY_L2}};
    if (strcmp(text, "none") == 0) {
        out->theta_penalty = PENALTY_NONE;
        out->theta_penalty_weight = 0;
        return CNM_OK;
    }
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        double value;
        if (strncmp(text, FORMS[i].prefix, 3) == 0 && number_in_range(row, text + 3, &value)) {
            out->theta_penalty = (int)FORMS[i].penalty;
            out->theta_penalty_weight = value;
            return CNM_OK;
        }
    }
    return refuse(row, text, "", err);
}

/* One end of A:B; empty stands for 0. */
static bool read_end(const char *text, const char *end, uint64_t *value) {
    *value = 0;
    return text == end || (text_is_count(text, end, value) && *value >= 1);
}

cnm_status option_read_rows(const option_row *row, char *text, settings *out, cnm_error *err) {
    uint64_t first = 0, last = 0;
    if (*text != '\0') {
        const char *colon = strchr(text, ':');
        if (colon == NULL || !read_end(text, colon, &first) || !read_end(colon + 1, text + strlen(text), &last) ||
            (last != 0 && last < first)) {
            return refuse(row, text, "rows counted from 1, the first not behind the last: ", err);
        }
    }
    out->rows = *text == '\0' ? NULL : text;
    out->first_row = first;
    out->last_row = last;
    return CNM_OK;
}

cnm_status option_read_shuffle(const option_row *row, char *text, settings *out, cnm_error *err) {
    uint64_t seed = 0;
    const bool none = strcmp(text, row->word) == 0;
    if (!none && !text_is_count(text, text + strlen(text), &seed)) {
        return refuse(row, text, "a whole number: ", err);
    }
    out->shuffle = !none;
    out->shuffle_seed = seed;
    return CNM_OK;
}

/* Reads a word, or the character itself; digits, signs and the like could not be told from
 * numbers. */
cnm_status option_read_separator(const option_row *row, char *text, settings *out, cnm_error *err) {
    int character;
    if (!option_word_find(row->words, text, &character)) {
        if (*text == '\0' || text[1] != '\0' || strchr(",;\t |:/!&~^", *text) == NULL) {
            return refuse(row, text, "one of these, or the character itself: ", err);
        }
        character = (unsigned char)*text;
    }
    out->separator = (char)character;
    return CNM_OK;
}
