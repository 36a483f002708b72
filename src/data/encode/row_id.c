/* Row ids by name and values, or by place and values. */
#include "data/encode/row_id.h"

#include <stdlib.h>
#include <string.h>

#include "data/encode/cell_text.h"

enum { SOME = 20 };

static const char *const ID_NAMES[] = {"",     "id",     "#",       "index",      "idx",   "row",
                                       "rows", "row_id", "row id",  "row_number", "rowid", "row number",
                                       "nr",   "rownum", "row_num", "rownames",   "uid",   NULL};
/* First columns that may count from 1 and are still something to learn from. */
static const char *const OTHER_NAMES[] = {"x",   "t",    "time",  "step", "second", "minute", "hour",
                                          "day", "week", "month", "year", "date",   "period", NULL};

static bool is_one_of(const char *name, const char *const *list) {
    const size_t length = strlen(name);
    for (; *list != NULL; list++) {
        cell_text text = {name, name + length};
        if (strlen(*list) == length && text_take_word(&text, *list)) {
            return true;
        }
    }
    return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80; }

/* Returns whether the name ends with id as a word: user_id, user id, userId, PassengerID. */
static bool ends_with_id(const char *name) {
    const size_t length = strlen(name);
    if (length < 3) {
        return false;
    }
    const char before = name[length - 3], *end = name + length - 2;
    cell_text text = {end, name + length};
    if (!text_take_word(&text, "id")) {
        return false;
    }
    return !is_letter(before) || (*end == 'I' && before >= 'a' && before <= 'z');
}

bool row_id_names(const char *name) {
    static const char PANDAS[] = "Unnamed:";
    return is_one_of(name, ID_NAMES) || ends_with_id(name) || strncmp(name, PANDAS, sizeof PANDAS - 1) == 0;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns whether the numbers follow each other, or are many different ones. */
static bool are_ids(double *values, size_t count) {
    size_t different = 1;
    qsort(values, count, sizeof *values, by_value);
    for (size_t i = 1; i < count; i++) {
        different += values[i] != values[i - 1];
    }
    const bool follow = different == count && values[count - 1] - values[0] == (double)(count - 1);
    return follow || (different > SOME && (double)different >= 0.9 * (double)count);
}

bool row_id_numbers(const id_candidate *self) {
    if (self->name != NULL && row_id_names(self->name)) {
        return are_ids(self->values, self->rows);
    }
    const double first = self->values[0];
    return self->leads && self->rows >= SOME && self->in_order && (first == 0.0 || first == 1.0) &&
           (self->name == NULL || !is_one_of(self->name, OTHER_NAMES));
}
