/* The column types of a table. A cell of words is the number of its word, so that rows that come
 * from another table get other numbers. */
#include "data/table/table_types.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"

void types_free(column_type *types, size_t count) {
    for (size_t j = 0; types != NULL && j < count; j++) {
        dictionary_free(&types[j].words);
    }
    memory_free(types);
}

cnm_status types_copy(column_type **out, const column_type *types, size_t count, bool words, cnm_error *err) {
    cnm_status status = CNM_OK;
    *out = NULL;
    if (types == NULL) {
        return CNM_OK;
    }
    TRY(memory_zeroed(out, count, sizeof **out, "column types", err));
    for (size_t j = 0; j < count; j++) {
        (*out)[j].kind = types[j].kind;
        (*out)[j].format = types[j].format;
        (*out)[j].categories = types[j].categories;
        if (words && types[j].kind == COLUMN_WORDS) {
            TRY_DONE(dictionary_copy(&(*out)[j].words, &types[j].words, err));
        }
    }
    return CNM_OK;
done:
    types_free(*out, count);
    *out = NULL;
    return status;
}

column_kind table_kind(const table *self, size_t column) {
    return self->types == NULL ? COLUMN_NUMBER : self->types[column].kind;
}

bool types_agree(const table *self, const table *other) {
    for (size_t j = 0; (self->types != NULL || other->types != NULL) && j < self->columns; j++) {
        if (table_kind(self, j) != table_kind(other, j)) {
            return false;
        }
    }
    return true;
}

cnm_status table_make_types(table *self, cnm_error *err) {
    return self->types != NULL ? CNM_OK
                               : memory_zeroed(&self->types, self->columns, sizeof *self->types, "column types", err);
}

/* Finds the new number of each word that the column's cells have: codes (words of `from`), -1 where
 * no cell has the word. */
static cnm_status find_codes(dictionary *to, const dictionary *from, const float *cells, size_t rows, size_t stride,
                             int32_t *codes, cnm_error *err) {
    memset(codes, 0xff, from->count * sizeof *codes);
    for (size_t i = 0; i < rows; i++) {
        const float cell = cells[i * stride];
        if (isnan(cell) || codes[(size_t)cell] >= 0) {
            continue;
        }
        TRY(dictionary_add_from(to, from, (size_t)cell, &codes[(size_t)cell], err));
        if (to->count > MOST_COLUMN_WORDS) {
            return error_set(err, CNM_BAD_DATA, "a column has more than %d different words", MOST_COLUMN_WORDS);
        }
    }
    return CNM_OK;
}

static void set_codes(const int32_t *codes, float *cells, size_t rows, size_t stride) {
    for (size_t i = 0; i < rows; i++) {
        float *cell = &cells[i * stride];
        *cell = isnan(*cell) ? *cell : (float)codes[(size_t)*cell];
    }
}

cnm_status types_recode(column_type *to, const column_type *from, float *values, size_t rows, size_t columns,
                        cnm_error *err) {
    cnm_status status = CNM_OK;
    int32_t **codes; /* (columns), all found before any cell changes */
    if (from == NULL) {
        return CNM_OK;
    }
    TRY(memory_zeroed(&codes, columns, sizeof *codes, "words", err));
    for (size_t j = 0; j < columns; j++) {
        if (from[j].kind == COLUMN_WORDS) {
            TRY_DONE(memory_take(&codes[j], from[j].words.count, sizeof *codes[j], "words", err));
            TRY_DONE(find_codes(&to[j].words, &from[j].words, values + j, rows, columns, codes[j], err));
        }
    }
    for (size_t j = 0; j < columns; j++) {
        if (codes[j] != NULL) {
            set_codes(codes[j], values + j, rows, columns);
        }
    }
done:
    for (size_t j = 0; j < columns; j++) {
        memory_free(codes[j]);
    }
    memory_free(codes);
    return status;
}
