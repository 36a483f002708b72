/* What the columns of rows from memory hold: words or times instead of numbers. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "api/api_objects.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/utf8.h"
#include "data/table/table_types.h"

static cnm_status check_column(const cnm_data *data, size_t column, cnm_error *err) {
    TRY(api_require(data, "data", err));
    if (data->table->starts != NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "sparse rows have columns of numbers only");
    }
    return column < data->table->columns
               ? CNM_OK
               : error_set(err, CNM_BAD_ARGUMENT, "there is no column %zu, they are numbered 0 to %zu", column,
                           data->table->columns - 1);
}

/* Returns the whole number that a cell was before it was stored less its column's base, which
 * rounds it: the base is a model's, where its column holds times or numbers and that of these rows
 * words. Any other cell is returned as it is. */
static double whole_cell(const table *self, size_t column, float cell) {
    const double base = self->base != NULL ? self->base[column] : 0.0, value = (double)cell + base;
    const double nearest = rint(value), bound = (fabs(base) + fabs(nearest)) * FLT_EPSILON;
    return bound < 0.25 && fabs(value - nearest) <= bound ? nearest : value;
}

/* Makes the stored cells of a column of words their numbers: a base can only be in rows that were
 * copied. */
static void drop_base(table *self, size_t column) {
    if (self->base == NULL || self->base[column] == 0.0) {
        return;
    }
    const rows_view rows = table_view(self);
    for (size_t i = 0; i < self->rows; i++) {
        float *cell = &self->values[i * rows.stride + column];
        *cell = (float)whole_cell(self, column, *cell);
    }
    self->base[column] = 0.0;
}

/* Checks that each cell is the number of a word, or missing. */
static cnm_status check_cells(const table *self, size_t column, size_t words, cnm_error *err) {
    const rows_view rows = table_view(self);
    for (size_t i = 0; i < self->rows; i++) {
        const double cell = whole_cell(self, column, self->values[i * rows.stride + column]);
        if (!isnan(cell) && !(cell >= 0.0 && cell < (double)words && cell == floor(cell))) {
            return error_set(err, CNM_BAD_ARGUMENT, "row %zu, column %zu: not the number of one of the %zu words",
                             i + 1, column, words);
        }
    }
    return CNM_OK;
}

/* Fills a dictionary whose numbers are the words' positions. */
static cnm_status take_words(dictionary *out, const char *const *words, size_t count, cnm_error *err) {
    if (count > MOST_COLUMN_WORDS) {
        return error_set(err, CNM_BAD_ARGUMENT, "a column has more than %d different words", MOST_COLUMN_WORDS);
    }
    TRY(dictionary_begin(out, err));
    for (size_t i = 0; i < count; i++) {
        int32_t code;
        TRY(api_require(words[i], "a word", err));
        if (!utf8_is_valid(words[i], strlen(words[i]))) {
            return error_set(err, CNM_BAD_ARGUMENT, "word %zu is not text in UTF-8", i);
        }
        TRY(dictionary_add(out, words[i], strlen(words[i]), &code, err));
        if ((size_t)code != i) {
            return error_set(err, CNM_BAD_ARGUMENT, "words %ld and %zu are the same: \"%.60s\"", (long)code, i,
                             words[i]);
        }
    }
    return CNM_OK;
}

static void set_type(table *self, size_t column, column_type type) {
    drop_base(self, column);
    dictionary_free(&self->types[column].words);
    self->types[column] = type;
}

static cnm_status set_words(cnm_data *data, size_t column, const char *const *words, size_t count, bool categories,
                            cnm_error *err) {
    column_type type = {.kind = COLUMN_WORDS, .categories = categories};
    cnm_status status = CNM_OK;
    TRY(check_column(data, column, err));
    TRY(count > 0 ? api_require(words, "words", err) : CNM_OK);
    TRY(check_cells(data->table, column, count, err));
    TRY_DONE(take_words(&type.words, words, count, err));
    TRY_DONE(table_make_types(data->table, err));
    set_type(data->table, column, type);
    return CNM_OK;
done:
    dictionary_free(&type.words);
    return status;
}

cnm_status cnm_data_set_words(cnm_data *data, size_t column, const char *const *words, size_t count, cnm_error *err) {
    return set_words(data, column, words, count, false, err);
}

cnm_status cnm_data_set_categories(cnm_data *data, size_t column, const char *const *words, size_t count,
                                   cnm_error *err) {
    return set_words(data, column, words, count, true, err);
}

cnm_status cnm_data_set_times(cnm_data *data, size_t column, cnm_error *err) {
    TRY(check_column(data, column, err));
    TRY(table_make_types(data->table, err));
    dictionary_free(&data->table->types[column].words);
    data->table->types[column] = (column_type){.kind = COLUMN_TIME};
    return CNM_OK;
}

const char *cnm_data_column_name(const cnm_data *data, size_t column) {
    return data->table->names != NULL && column < data->table->columns ? data->table->names[column] : NULL;
}
