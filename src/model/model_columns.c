/* Checks tables against a model, and encodes them block by block on their way into it. */
#include "model/model_columns.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/table/table_types.h"
#include "math/gemm/gemm.h"

/* Collects the names of all columns, where all have one. */
static cnm_status collect_names(cnm_model *self, cnm_error *err) {
    const encoder *by = self->encoder;
    for (size_t j = 0; j < by->columns; j++) {
        if (by->column[j].name == NULL) {
            return CNM_OK;
        }
    }
    TRY(memory_take(&self->column_names, by->columns, sizeof *self->column_names, "names", err));
    for (size_t j = 0; j < by->columns; j++) {
        self->column_names[j] = by->column[j].name;
    }
    return CNM_OK;
}

/* Collects the bases of all columns, where one has any. */
static cnm_status collect_base(cnm_model *self, cnm_error *err) {
    const encoder *by = self->encoder;
    size_t j = 0;
    while (j < by->columns && by->column[j].base == 0.0) {
        j++;
    }
    if (j == by->columns) {
        return CNM_OK;
    }
    TRY(memory_take(&self->column_base, by->columns, sizeof *self->column_base, "columns", err));
    for (j = 0; j < by->columns; j++) {
        self->column_base[j] = by->column[j].base;
    }
    return CNM_OK;
}

cnm_status model_set_encoder(cnm_model *self, encoder *by, bool from_names, cnm_error *err) {
    self->encoder = by;
    self->from_names = from_names && by != NULL;
    if (by == NULL) {
        return CNM_OK;
    }
    TRY(collect_names(self, err));
    return collect_base(self, err);
}

size_t model_columns(const cnm_model *self) {
    return self->encoder != NULL ? self->encoder->columns : self->input.columns;
}

const char *model_column_name(const cnm_model *self, size_t column) {
    if (column >= model_columns(self)) {
        return NULL;
    }
    return self->encoder != NULL ? self->encoder->column[column].name
           : self->names != NULL ? self->names[column]
                                 : NULL;
}

double model_column_base(const cnm_model *self, size_t columns, size_t column) {
    if (self->encoder != NULL && columns == self->encoder->columns) {
        return column < columns ? self->encoder->column[column].base : 0.0;
    }
    return self->input.base == NULL || column >= self->input.columns ? 0.0 : self->input.base[column];
}

bool model_refuses_missing(const cnm_model *self) {
    const char *said = record_get(&self->record, RECORD_MISSING);
    return said != NULL && strcmp(said, MISSING_IS_ERROR) == 0;
}

/* ---- Checks ---- */

/* Returns the first column whose name is not that of a feature, or the number of columns. */
static size_t first_other_feature(const cnm_model *self, const table *rows) {
    size_t j = 0;
    while (j < rows->columns && strcmp(rows->names[j], self->names[j]) == 0) {
        j++;
    }
    return j;
}

/* Returns the first column whose name is not that of a column of the encoder. */
static size_t first_other_column(const encoder *self, const table *rows) {
    size_t j = 0;
    while (j < rows->columns && (self->column[j].name == NULL || strcmp(rows->names[j], self->column[j].name) == 0)) {
        j++;
    }
    return j;
}

static cnm_status fail_other_name(const char *found, const char *expected, size_t column, cnm_error *err) {
    return error_set(err, CNM_BAD_ARGUMENT, "column %zu of the rows is \"%.80s\", the model expects \"%.80s\"",
                     column + 1, found, expected);
}

static bool all_numbers(const table *rows) {
    for (size_t j = 0; j < rows->columns; j++) {
        if (table_kind(rows, j) != COLUMN_NUMBER) {
            return false;
        }
    }
    return true;
}

/* Checks rows that go in as they are: numbers, with the names of the features. */
static cnm_status check_features(const cnm_model *self, const table *rows, cnm_error *err) {
    for (size_t j = 0; j < rows->columns; j++) {
        if (table_kind(rows, j) == COLUMN_WORDS) {
            const char *name = rows->names != NULL ? rows->names[j] : self->names != NULL ? self->names[j] : "";
            return error_set(err, CNM_BAD_ARGUMENT,
                             "column %zu of the rows%s%.80s%s has words, the model expects numbers", j + 1,
                             *name != '\0' ? " ('" : "", name, *name != '\0' ? "')" : "");
        }
    }
    if (rows->names != NULL && self->names != NULL) {
        const size_t other = first_other_feature(self, rows);
        return other < rows->columns ? fail_other_name(rows->names[other], self->names[other], other, err) : CNM_OK;
    }
    return CNM_OK;
}

/* Returns whether rows are of the features of a model with an encoder. Where there are as many
 * columns as features, names decide, and without names they are columns. */
static bool are_features(const cnm_model *self, const table *rows) {
    if (rows->columns != self->input.columns || !all_numbers(rows)) {
        return false;
    }
    return rows->starts != NULL || rows->columns != self->encoder->columns ||
           (rows->names != NULL && self->names != NULL && first_other_feature(self, rows) == rows->columns);
}

cnm_status model_check_table(const cnm_model *self, const table *rows, bool *encode, cnm_error *err) {
    const encoder *columns = self->encoder;
    *encode = false;
    if (columns == NULL && rows->columns != self->input.columns) {
        return error_set(err, CNM_BAD_ARGUMENT, "the rows have %zu columns, the model expects %zu", rows->columns,
                         self->input.columns);
    }
    if (columns == NULL || are_features(self, rows)) {
        return check_features(self, rows, err);
    }
    if (rows->columns != columns->columns || rows->starts != NULL) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "the rows have %zu columns, the model expects %zu, or the %zu features that it makes of them",
                         rows->columns, columns->columns, columns->features);
    }
    *encode = true;
    const size_t other = rows->names != NULL ? first_other_column(columns, rows) : rows->columns;
    return other < rows->columns ? fail_other_name(rows->names[other], columns->column[other].name, other, err)
                                 : CNM_OK;
}

/* ---- Prediction ---- */

/* What is to be filled, one of them NULL. */
typedef struct outputs {
    float *scores, *z;
} outputs;

static cnm_status run_view(const cnm_model *self, const rows_view *rows, size_t threads, outputs out, cnm_error *err) {
    return out.z != NULL ? model_transform(self, rows, threads, out.z, err)
                         : model_scores(self, rows, threads, out.scores, err);
}

/* Returns rows first .. first + count without labels, borrowed. */
static table slice(const table *rows, size_t first, size_t count) {
    const rows_view view = table_view(rows);
    return (table){.rows = count,
                   .columns = rows->columns,
                   .values = rows->values + first * view.stride,
                   .base = rows->base,
                   .types = rows->types,
                   .stride = view.stride,
                   .borrowed = true};
}

/* Returns the rows of a block: about 16 MB of features. */
static size_t block_rows(const encoder *self) {
    enum { CELLS = 1 << 22 };
    const size_t whole = CELLS / self->features / GEMM_ROWS * GEMM_ROWS;
    return whole > 0 ? whole : GEMM_ROWS;
}

static cnm_status run_encoded(const cnm_model *self, const table *rows, size_t threads, outputs out, cnm_error *err) {
    const size_t each = block_rows(self->encoder);
    for (size_t first = 0; first < rows->rows; first += each) {
        const table part = slice(rows, first, rows->rows - first < each ? rows->rows - first : each);
        table *encoded;
        TRY(encoder_apply(self->encoder, &part, &encoded, NULL, err));
        const rows_view view = table_view(encoded);
        const outputs at = {out.scores == NULL ? NULL : out.scores + first * self->outputs,
                            out.z == NULL ? NULL : out.z + first * self->map->features};
        const cnm_status status = run_view(self, &view, threads, at, err);
        table_destroy(encoded);
        TRY(status);
    }
    return CNM_OK;
}

static cnm_status run_table(const cnm_model *self, const table *rows, size_t threads, outputs out, cnm_error *err) {
    bool encode;
    TRY(model_check_table(self, rows, &encode, err));
    const rows_view view = table_view(rows);
    if (model_refuses_missing(self) && rows_have_nan(&view)) {
        return error_set(err, CNM_BAD_DATA,
                         "the rows have missing cells, and the model was trained with --missing error");
    }
    return encode && rows->rows > 0 ? run_encoded(self, rows, threads, out, err)
           : encode                 ? CNM_OK
                                    : run_view(self, &view, threads, out, err);
}

cnm_status model_table_scores(const cnm_model *self, const table *rows, size_t threads, float *scores, cnm_error *err) {
    return run_table(self, rows, threads, (outputs){.scores = scores}, err);
}

cnm_status model_table_transform(const cnm_model *self, const table *rows, size_t threads, float *z, cnm_error *err) {
    return run_table(self, rows, threads, (outputs){.z = z}, err);
}

/* ---- What training never saw ---- */

/* *out = for each word of a column whether it has no feature; NULL: all have one, or there are no
 * words. */
static cnm_status mark_unseen(const encoder *by, const table *rows, size_t j, bool **out, cnm_error *err) {
    const column_encoding *column = &by->column[j];
    if (column->use != COLUMN_USED || column->type.kind != COLUMN_WORDS || column->other ||
        table_kind(rows, j) != COLUMN_WORDS) {
        return CNM_OK;
    }
    const dictionary *words = &rows->types[j].words;
    TRY(memory_take(out, words->count, sizeof **out, "words", err));
    for (size_t i = 0; i < words->count; i++) {
        (*out)[i] = dictionary_find(&column->type.words, words->texts[i], strlen(words->texts[i])) < 0;
    }
    return CNM_OK;
}

/* Returns whether the model takes the centre for missing cells of a column. */
static bool takes_centre(const cnm_model *self, bool encode, size_t j) {
    const column_encoding *column = encode ? &self->encoder->column[j] : NULL;
    return self->input.fill == NULL &&
           (column == NULL || (column->use == COLUMN_USED && column->type.kind != COLUMN_WORDS));
}

static void count_row(const cnm_model *self, bool encode, const float *row, size_t columns, bool *const *unseen,
                      uint64_t *words, uint64_t *missing) {
    for (size_t j = 0; j < columns; j++) {
        if (isnan(row[j])) {
            missing[j] += takes_centre(self, encode, j);
        } else if (unseen[j] != NULL) {
            words[j] += unseen[j][(size_t)row[j]];
        }
    }
}

cnm_status model_count_unseen(const cnm_model *self, const table *rows, uint64_t *words, uint64_t *missing,
                              cnm_error *err) {
    const rows_view view = table_view(rows);
    bool encode, **unseen = NULL; /* (columns) */
    cnm_status status = CNM_OK;
    TRY(model_check_table(self, rows, &encode, err));
    if (rows_are_sparse(&view)) {
        return CNM_OK;
    }
    TRY(memory_zeroed(&unseen, view.columns, sizeof *unseen, "columns", err));
    for (size_t j = 0; encode && j < view.columns; j++) {
        TRY_DONE(mark_unseen(self->encoder, rows, j, &unseen[j], err));
    }
    for (size_t i = 0; i < view.rows; i++) {
        count_row(self, encode, view.values + i * view.stride, view.columns, unseen, words, missing);
    }
done:
    for (size_t j = 0; j < view.columns; j++) {
        memory_free(unseen[j]);
    }
    memory_free(unseen);
    return status;
}
