/* The label is a column with a label's name; else the only column of words alone, if they repeat;
 * else the last column, unless the first one alone looks like classes.
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

#include "base/core/memory.h"
#include "base/core/try.h"
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
    column->fractional = column->fractional || !is_whole(value);
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

/* Returns whether cells come again, as classes do and names do not; few cells tell nothing. */
static bool repeats(const column_facts *self) {
    enum { FEW = 10 };
    return self->guess.cells < FEW || self->different.count * 2 <= self->guess.cells;
}

/* Returns the first column where it names the rows, or NO_COLUMN. A file that pandas wrote twice
 * has a name made by pandas. */
static size_t find_row_names(const csv_shape *shape) {
    if (!shape->header || shape->columns < 3) {
        return NO_COLUMN;
    }
    for (size_t j = 1; j < shape->columns; j++) {
        if (shape->names[j][0] == '\0' && j < shape->guess.empty) {
            return NO_COLUMN;
        }
    }
    return shape->names[0][0] == '\0' || strcmp(shape->names[0], "Unnamed: 0") == 0 ? 0 : NO_COLUMN;
}

/* Marks the columns that cannot be the label in barred (columns): those with another use, and words
 * that hardly repeat. */
static void bar_columns(const csv_shape *shape, const sample_facts *facts, const reader_options *options,
                        bool *barred) {
    char *const *names = shape->header ? shape->names : NULL;
    const size_t others[] = {column_find(names, shape->columns, options->weight_column),
                             column_find(names, shape->columns, options->group_column),
                             column_find(names, shape->columns, options->expects ? NULL : options->id_column),
                             shape->guess.row_names};
    for (size_t j = 0; j < shape->columns; j++) {
        const bool words = shape->guess.types[j].kind == COLUMN_WORDS;
        barred[j] = shape->dropped[j] || j >= shape->guess.empty || (words && !repeats(&facts->columns[j]));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i] != NO_COLUMN) {
            barred[others[i]] = true;
        }
    }
}

/* Returns the last column that may be the label; where none may, the last of all. */
static size_t find_last(const csv_shape *shape, const bool *barred) {
    size_t last = shape->columns;
    while (last > 0 && barred[last - 1]) {
        last--;
    }
    return last > 0 ? last - 1 : shape->columns - 1;
}

/* Returns the only column that may be the label and whose cells are all words, or NO_COLUMN. */
static size_t find_words(const csv_shape *shape, const sample_facts *facts, const bool *barred) {
    size_t found = NO_COLUMN, count = 0;
    for (size_t j = 0; j < shape->columns; j++) {
        if (!barred[j] && shape->guess.types[j].kind == COLUMN_WORDS &&
            type_guess_is_all_words(&facts->columns[j].guess)) {
            found = j;
            count++;
        }
    }
    return count == 1 ? found : NO_COLUMN;
}

static bool has_rival(const csv_shape *shape, const column_facts *columns) {
    for (size_t j = 1; j < shape->columns; j++) {
        if (is_numbered(&columns[j]) && varies(&columns[j])) {
            return true;
        }
    }
    return false;
}

/* Sets the label of a file whose columns have no telling name or words. */
static void find_by_place(csv_shape *shape, const sample_facts *facts, const bool *barred) {
    const size_t last = find_last(shape, barred);
    if (shape->columns < 2) {
        return;
    }
    shape->guess.label = last;
    shape->guess.label_reason = "the last column";
    shape->surprise = last + 1 == shape->columns && !barred[0] && is_numbered(&facts->columns[0]) &&
                      !looks_like_label(&facts->last, facts->columns[last].numbers);
    if (shape->surprise && !has_rival(shape, facts->columns)) {
        shape->guess.label = 0;
        shape->guess.label_reason = "the first column, since it alone is numbered as classes are";
    }
}

cnm_status csv_label_find(csv_shape *shape, const sample_facts *facts, const reader_options *options, cnm_error *err) {
    bool *barred;
    shape->guess.row_names = find_row_names(shape);
    TRY(memory_zeroed(&barred, shape->columns, sizeof *barred, "columns", err));
    bar_columns(shape, facts, options, barred);
    char *const *names = shape->header ? shape->names : NULL;
    const size_t sure = column_find_label(shape->columns, names, barred, true);
    const size_t words = find_words(shape, facts, barred);
    const size_t named = sure != NO_COLUMN ? sure : column_find_label(shape->columns, names, barred, false);
    if (words != NO_COLUMN && sure == NO_COLUMN) {
        shape->guess.label = words;
        shape->guess.label_reason = "the only column of words";
    } else if (named != NO_COLUMN) {
        shape->guess.label = named;
        shape->guess.label_reason = "by its name";
    } else {
        find_by_place(shape, facts, barred);
    }
    memory_free(barred);
    return CNM_OK;
}
