/* The label is a column named label, class, target or y; else the only column of words (the last of
 * them if it is the last column); else the last column, unless the first one alone looks like
 * classes.
 *
 * Classes may come first: usps (digits, then grey values), wine (1 to 3, then quantities), particle
 * physics (0 or 1, then momenta), time series. So may features: a count of rooms, cylinders or
 * elements, a frequency, a 0/1 column, before a last column of regression targets. Two observations
 * separate the cases: classes are usually numbered 0, 1, 2, ... or 1, 2, ... without large gaps, or
 * -1 and 1; and a feature so numbered is seldom the only one. The first column is taken where it is
 * numbered like classes, no other column is, and the last does not look like a label itself; a
 * notice reports that, and also that the first column was nearly taken. --label-column decides all
 * other cases.
 *
 * A first column without a name, where all others have one, names the rows: pandas and R write
 * files so. Such a column is left out. */
#include "data/formats/csv_label.h"

#include <math.h>
#include <string.h>

#include "data/read/column_roles.h"

enum { COUNTED_MIN = -1, COUNTED_MAX = 62, START_MAX = 9 };

static void value_set_note(value_set *self, double value) {
    size_t i = 0;
    while (i < self->count && self->values[i] != value) {
        i++;
    }
    if (i == self->count && self->count <= MAX_VALUES) {
        self->values[self->count++] = value;
    }
}

static bool is_whole(double value) { return value == floor(value) && fabs(value) < 1e15; }

void sample_facts_note(sample_facts *self, size_t j, bool last, double value) {
    column_facts *column = &self->columns[j];
    if (column->numbers++ == 0) {
        column->first = value;
    }
    column->unlike += value != column->first;
    if (is_whole(value) && value >= COUNTED_MIN && value <= COUNTED_MAX) {
        column->counted |= UINT64_C(1) << (int)(value - COUNTED_MIN);
    } else {
        column->uncounted = true;
    }
    if (last) {
        value_set_note(&self->last, value);
    }
}

/* Returns whether a column is numbered as classes are: -1 and 1, or whole numbers of which the
 * smallest is small and at most a fifth is missing up to the largest; each in two rows on
 * average. */
static bool is_numbered(const column_facts *self) {
    const uint64_t signs = UINT64_C(0x5); /* -1 and 1 */
    size_t present = 0, lowest = COUNTED_MAX, highest = 0;
    for (size_t bit = 0; bit <= COUNTED_MAX - COUNTED_MIN; bit++) {
        if ((self->counted >> bit & 1) != 0) {
            present++;
            lowest = bit < lowest ? bit : lowest;
            highest = bit;
        }
    }
    if (self->words > 0 || self->uncounted || present < 2 || present * 2 > self->numbers) {
        return false;
    }
    const size_t span = highest - lowest + 1;
    return self->counted == signs || (lowest <= START_MAX - COUNTED_MIN && present * 5 >= span * 4);
}

/* Returns whether at least a twentieth of the numbers differ from the first: pixels at the edge of
 * images are 0 in nearly all rows, and may happen to hold 0 and 1. */
static bool varies(const column_facts *self) { return self->unlike * 20 >= self->numbers; }

/* Returns whether a column has few whole numbers that lie close, with any start, as last columns of
 * classes, grades and counts do. */
static bool looks_like_label(const value_set *self, size_t numbers) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < self->count; i++) {
        if (!is_whole(self->values[i])) {
            return false;
        }
        low = fmin(low, self->values[i]);
        high = fmax(high, self->values[i]);
    }
    return self->count >= 2 && self->count <= MAX_VALUES && self->count * 2 <= numbers &&
           high - low + 1 <= 3 * (double)self->count;
}

/* Columns that cannot be the label. */
typedef struct taken_columns {
    size_t weight, group, row_names;
    const bool *dropped; /* (columns) */
} taken_columns;

static bool is_taken(const taken_columns *self, size_t column) {
    return column == self->weight || column == self->group || column == self->row_names || self->dropped[column];
}

static size_t find_last(const csv_shape *shape, const taken_columns *taken) {
    size_t last = shape->columns - 1;
    while (last > 0 && is_taken(taken, last)) {
        last--;
    }
    return last;
}

/* Returns the first column where it names the rows, or NO_COLUMN. A file that pandas wrote twice
 * has a name made by pandas. */
static size_t find_row_names(const csv_shape *shape) {
    if (!shape->header || shape->columns < 3) {
        return NO_COLUMN;
    }
    for (size_t j = 1; j < shape->columns; j++) {
        if (shape->names[j][0] == '\0') {
            return NO_COLUMN;
        }
    }
    return shape->names[0][0] == '\0' || strcmp(shape->names[0], "Unnamed: 0") == 0 ? 0 : NO_COLUMN;
}

/* Returns the column with a label's name; else a lone column of words, which would be an error
 * among the features; else a column named y; else NO_COLUMN. */
static size_t find_explicit(const csv_shape *shape, const sample_facts *facts, const taken_columns *taken,
                            size_t last) {
    char *const *names = shape->header ? shape->names : NULL;
    const size_t named = column_find_label(shape->columns, names, true);
    size_t with_words = NO_COLUMN, count = 0;
    for (size_t j = 0; j < shape->columns; j++) {
        const column_facts *column = &facts->columns[j];
        if (!is_taken(taken, j) && column->words + (!shape->header && column->first_is_word) > 0) {
            with_words = j;
            count++;
        }
    }
    if (named != NO_COLUMN || count == 1) {
        return named != NO_COLUMN ? named : with_words;
    }
    const size_t named_y = column_find_label(shape->columns, names, false);
    return named_y == NO_COLUMN && with_words == last ? last : named_y;
}

static bool has_rival(const csv_shape *shape, const column_facts *columns) {
    for (size_t j = 1; j < shape->columns; j++) {
        if (is_numbered(&columns[j]) && varies(&columns[j])) {
            return true;
        }
    }
    return false;
}

void csv_label_find(csv_shape *shape, const sample_facts *facts, const reader_options *options) {
    char *const *names = shape->header ? shape->names : NULL;
    const taken_columns taken = {column_find(names, shape->columns, options->weight_column),
                                 column_find(names, shape->columns, options->group_column), find_row_names(shape),
                                 shape->dropped};
    const size_t last = find_last(shape, &taken), found = find_explicit(shape, facts, &taken, last);
    shape->guess = (column_guess){.label = found, .row_names = taken.row_names};
    shape->by_words = shape->header && found != NO_COLUMN && found != last && facts->columns[found].words > 0 &&
                      found != column_find_label(shape->columns, names, false);
    if (found != NO_COLUMN || shape->columns < 2) {
        return;
    }
    shape->guess.label = last;
    shape->surprise = last + 1 == shape->columns && !is_taken(&taken, 0) && is_numbered(&facts->columns[0]) &&
                      !looks_like_label(&facts->last, facts->columns[last].numbers);
    if (shape->surprise && !has_rival(shape, facts->columns)) {
        shape->guess.label = 0;
    }
}
