/* Files in: whole, or a batch at a time. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/api_objects.h"
#include "api/option_words.h"
#include "api/options.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "model/model_columns.h"

index_base api_index_base(const cnm_model *model) {
    const char *kept = record_get(&model->record, "index_base");
    return kept != NULL && strcmp(kept, "0") == 0 ? INDEX_FROM_ZERO : INDEX_UNKNOWN;
}

reader_options api_reader_options(const settings *wanted, const cnm_model *model) {
    static const int HEADERS[] = {0, 1, -1};
    reader_options options = {
        .format = option_word_of(&FORMAT_WORDS, wanted->format),
        .labels_path = wanted->labels,
        .label_column = wanted->label_column,
        .weight_column = wanted->weight_column,
        .group_column = wanted->group_column,
        .drop = wanted->drop,
        .only = wanted->only,
        .missing_words = wanted->missing_words,
        .decimal = (char)wanted->decimal,
        .id_column = wanted->id_column,
        .separator = wanted->separator,
        .header = HEADERS[wanted->header],
        .missing = wanted->missing == FILL_ERROR ? MISSING_ERROR : MISSING_KEEP,
        .threads = (size_t)wanted->threads,
    };
    if (model != NULL) {
        options.expects = true;
        options.columns = model->input.columns;
        options.names = (const char *const *)model->names;
        options.base = model->input.base;
        if (model->encoder != NULL && !model->from_names) {
            options.columns = model->encoder->columns;
            options.names = model->column_names;
            options.base = model->column_base;
        }
        options.missing = model_refuses_missing(model) ? MISSING_ERROR : MISSING_KEEP;
        if (options.label_column == NULL) {
            options.label_column = record_get(&model->record, "label_column");
        }
        if (options.group_column == NULL) {
            options.group_column = record_get(&model->record, "group_column");
            options.group_recalled = options.group_column != NULL;
        }
        options.index_base = api_index_base(model);
    }
    return options;
}

const char *api_positive(const settings *wanted, const cnm_model *model) {
    if (wanted->positive != NULL || model == NULL) {
        return wanted->positive;
    }
    return record_get(&model->record, "positive");
}

static cnm_status rows_error(const char *asked, uint64_t rows, cnm_error *err) {
    return error_set(err, CNM_BAD_DATA, "--rows %s: there are %" PRIu64 " rows", asked, rows);
}

/* Follows --shuffle, then --rows. */
static cnm_status select_rows(table *rows, const settings *wanted, cnm_error *err) {
    const size_t first = wanted->first_row == 0 ? 0 : (size_t)wanted->first_row - 1;
    const size_t last = wanted->last_row == 0 ? rows->rows : (size_t)wanted->last_row;
    size_t *order;
    if (!wanted->shuffle && wanted->first_row == 0 && wanted->last_row == 0) {
        return CNM_OK;
    }
    if (first >= rows->rows || last > rows->rows) {
        return rows_error(wanted->rows, rows->rows, err);
    }
    TRY(memory_take(&order, rows->rows, sizeof *order, "the order of rows", err));
    for (size_t i = 0; i < rows->rows; i++) {
        order[i] = i;
    }
    if (wanted->shuffle) {
        random_order((random_stream){wanted->shuffle_seed, RANDOM_SHUFFLE, 0}, rows->rows, order);
    }
    const cnm_status status = table_keep(rows, order + first, last - first, err);
    memory_free(order);
    return status;
}

/* Gives rows that the reader did not identify their numbers, from `first` on, where the option "id"
 * asks for them. */
static cnm_status identify_rows(table *rows, const char *id_column, uint64_t first, cnm_error *err) {
    if (id_column == NULL || rows->identified) {
        return CNM_OK;
    }
    if (strcmp(id_column, "row") != 0) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "--id %s: only csv and arff files have columns to name rows; --id row numbers them",
                         id_column);
    }
    for (size_t i = 0; i < rows->rows; i++) {
        char text[24];
        TRY(texts_add(&rows->ids, text, (size_t)snprintf(text, sizeof text, "%" PRIu64, first + i), err));
    }
    rows->identified = true;
    return CNM_OK;
}

/* Makes labels +1 and -1, where any are to be positive, and selects rows. */
static cnm_status prepare_rows(table *rows, const settings *wanted, const char *positive, cnm_error *err) {
    if (positive != NULL && rows->labelled) {
        /* The model's own list names what it was trained with: rows to be predicted need not have
         * it all. */
        TRY(wanted->positive != NULL ? table_set_positive(rows, positive, err)
                                     : table_mark_positive(rows, positive, err));
    }
    TRY(identify_rows(rows, wanted->id_column, 1, err));
    return select_rows(rows, wanted, err);
}

cnm_status cnm_data_load(cnm_data **out, const char *path, const cnm_options *options, const cnm_model *model,
                         const cnm_callbacks *callbacks, cnm_error *err) {
    const settings *wanted = options_settings(options);
    const reader_options reading = api_reader_options(wanted, model);
    cnm_status status = CNM_OK;
    TRY(api_output(out, err));
    TRY(api_require(path, "path", err));
    TRY(api_check_callbacks(callbacks, err));
    TRY(memory_zeroed(out, 1, sizeof **out, "rows", err));
    TRY_DONE(table_read(&(*out)->table, path, &reading, &(*out)->label_column, &(*out)->index_base, callbacks, err));
    status = prepare_rows((*out)->table, wanted, api_positive(wanted, model), err);
    if (status != CNM_OK) {
        (void)error_prefix(err, status, "%s", path);
    }
done:
    if (status != CNM_OK) {
        cnm_data_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* ---- A batch at a time ---- */

struct cnm_reader {
    reader *reader;
    char *positive, *id_column;
    char *path, *rows;    /* for messages; rows is NULL when all are wanted */
    uint64_t first, last; /* rows to give, counted from 1, both included; last 0: to the end */
    uint64_t seen;
};

cnm_status cnm_reader_open(cnm_reader **out, const char *path, const cnm_options *options, const cnm_model *model,
                           const cnm_callbacks *callbacks, cnm_error *err) {
    const settings *wanted = options_settings(options);
    const reader_options reading = api_reader_options(wanted, model);
    const char *positive = api_positive(wanted, model);
    cnm_status status = CNM_OK;
    TRY(api_output(out, err));
    TRY(api_require(path, "path", err));
    TRY(api_check_callbacks(callbacks, err));
    if (wanted->shuffle) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "--shuffle needs all rows in memory: it does not go with reading in batches");
    }
    TRY(memory_zeroed(out, 1, sizeof **out, "a reader", err));
    (*out)->first = wanted->first_row == 0 ? 1 : wanted->first_row;
    (*out)->last = wanted->last_row;
    if (positive != NULL) {
        TRY_DONE(memory_copy_text(&(*out)->positive, positive, err));
    }
    if (wanted->id_column != NULL) {
        TRY_DONE(memory_copy_text(&(*out)->id_column, wanted->id_column, err));
    }
    TRY_DONE(memory_copy_text(&(*out)->path, path, err));
    if (wanted->first_row > 0 || wanted->last_row > 0) {
        TRY_DONE(memory_copy_text(&(*out)->rows, wanted->rows, err));
    }
    TRY_DONE(reader_open(&(*out)->reader, path, &reading, callbacks, err));
done:
    if (status != CNM_OK) {
        cnm_reader_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* Cuts a batch to the rows asked for; the batch begins with row seen + 1. */
static cnm_status cut_batch(cnm_reader *self, table *rows, cnm_error *err) {
    const uint64_t before = self->seen, after = before + rows->rows;
    const uint64_t from = self->first > before + 1 ? self->first - before - 1 : 0;
    const uint64_t to = self->last > 0 && self->last < after ? self->last - before : rows->rows;
    self->seen = after;
    if (from == 0 && to == rows->rows) {
        return CNM_OK;
    }
    size_t *order;
    const size_t count = to > from ? (size_t)(to - from) : 0;
    TRY(memory_take(&order, count, sizeof *order, "the order of rows", err));
    for (size_t i = 0; i < count; i++) {
        order[i] = (size_t)from + i;
    }
    const cnm_status status = table_keep(rows, order, count, err);
    memory_free(order);
    return status;
}

/* Identifies the rows of a batch, then cuts it. */
static cnm_status take_batch(cnm_reader *self, table *rows, cnm_error *err) {
    const cnm_status status = identify_rows(rows, self->id_column, self->seen + 1, err);
    if (status != CNM_OK) {
        return error_prefix(err, status, "%s", self->path);
    }
    return cut_batch(self, rows, err);
}

/* At the end of the file: rows that were asked for must have been there. */
static cnm_status check_end(const cnm_reader *self, cnm_error *err) {
    if (self->rows == NULL || (self->first <= self->seen && self->last <= self->seen)) {
        return CNM_OK;
    }
    return error_prefix(err, rows_error(self->rows, self->seen, err), "%s", self->path);
}

/* The next table with rows in it; NULL at the end. */
static cnm_status next_table(cnm_reader *self, size_t max_rows, table **out, cnm_error *err) {
    cnm_status status;
    *out = NULL;
    while (self->last == 0 || self->seen < self->last) {
        TRY(reader_next(self->reader, max_rows, out, err));
        if (*out == NULL) {
            return check_end(self, err);
        }
        TRY_DONE(take_batch(self, *out, err));
        if ((*out)->rows > 0) {
            return CNM_OK;
        }
        table_destroy(*out);
        *out = NULL;
    }
    return CNM_OK;
done:
    table_destroy(*out);
    *out = NULL;
    return status;
}

cnm_status cnm_reader_next(cnm_reader *self, size_t max_rows, cnm_data **out, cnm_error *err) {
    table *rows = NULL;
    cnm_status status = CNM_OK;
    TRY(api_output(out, err));
    TRY(api_require(self, "reader", err));
    TRY(next_table(self, max_rows == 0 ? 1 : max_rows, &rows, err));
    if (rows == NULL) {
        return CNM_OK;
    }
    if (self->positive != NULL && rows->labelled) {
        TRY_DONE(table_mark_positive(rows, self->positive, err));
    }
    TRY_DONE(memory_zeroed(out, 1, sizeof **out, "rows", err));
    (*out)->table = rows;
    (*out)->index_base = reader_index_base(self->reader);
    return CNM_OK;
done:
    table_destroy(rows);
    return status;
}

void cnm_reader_destroy(cnm_reader *self) {
    if (self != NULL) {
        reader_close(self->reader);
        memory_free(self->positive);
        memory_free(self->id_column);
        memory_free(self->path);
        memory_free(self->rows);
        memory_free(self);
    }
}
