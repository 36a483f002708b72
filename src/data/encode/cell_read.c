/* Reads cells by their column's type; knows which texts stand for a missing cell. */
#include "data/encode/cell_read.h"

#include "data/encode/number_read.h"
#include "data/encode/time_read.h"

/* Those of pandas.read_csv and pandas.to_datetime. */
#define MARKERS                                                                                                        \
    "?", "NA", "N/A", "NaN", "-NaN", "null", "<null>", "<NA>", "#N/A", "#N/A N/A", "#NA", "NaT", "1.#IND", "-1.#IND",  \
        "1.#QNAN", "-1.#QNAN", "\\N"

static bool is_word(cell_text text, const char *word) { return text_take_word(&text, word) && text.at == text.end; }

/* Returns whether a text may be one of the words: most cells differ in the first byte. */
static bool may_be_marker(cell_text text) { return memchr("?nN-<#1\\.", *text.at, 9) != NULL; }

static bool is_one_of(cell_text text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (is_word(text, words[i])) {
            return true;
        }
    }
    return false;
}

/* Returns whether a text is one of a list, separated by commas and blanks around them. */
static bool is_listed(cell_text text, const char *list) {
    while (list != NULL) {
        const char *comma = strchr(list, ',');
        const cell_text word = text_trimmed(list, comma != NULL ? (size_t)(comma - list) : strlen(list));
        size_t i = 0;
        while (text.at + i < text.end && word.at + i < word.end && text_lower(text.at[i]) == text_lower(word.at[i])) {
            i++;
        }
        if (text.at + i == text.end && word.at + i == word.end) {
            return true;
        }
        list = comma != NULL ? comma + 1 : NULL;
    }
    return false;
}

bool cell_read(const column_type *type, const char *text, size_t length, double *value) {
    const cell_text cell = text_trimmed(text, length);
    if (type->kind == COLUMN_TIME) {
        return time_read(type->format.order, cell, value);
    }
    if (number_read(&type->format, cell, value)) {
        return true;
    }
    *value = is_word(cell, "true");
    return *value > 0.0 || is_word(cell, "false");
}

bool cell_stands_for_missing(const char *text, size_t length, const char *more) {
    static const char *const WORDS[] = {MARKERS, "None", "-", "."};
    const cell_text cell = text_trimmed(text, length);
    return cell.at == cell.end || (may_be_marker(cell) && is_one_of(cell, WORDS, sizeof WORDS / sizeof *WORDS)) ||
           is_listed(cell, more);
}

bool cell_stands_for_missing_label(const char *text, size_t length, const char *more) {
    static const char *const WORDS[] = {MARKERS};
    const cell_text cell = text_trimmed(text, length);
    return cell.at == cell.end || (may_be_marker(cell) && is_one_of(cell, WORDS, sizeof WORDS / sizeof *WORDS)) ||
           is_listed(cell, more);
}
