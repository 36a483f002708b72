/* ARFF and KEEL: a header (arff_header.c), then rows of cells between commas, or sparse rows
 * {index value, ...} with indices from 0. ? is missing; % starts a comment line; blank lines are
 * skipped. */
#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "data/formats/arff_header.h"
#include "data/read/column_layout.h"
#include "data/read/format_ops.h"
#include "data/read/text_row.h"
#include "data/table/group_hash.h"

typedef struct arff_reader {
    line_reader lines;
    arff_header header;
    column_plan columns;
    reader_options options; /* its texts are borrowed */
    dense_rows dense;
} arff_reader;

/* Accepts a file whose first line that is neither blank nor a comment starts with a keyword. */
static int recognise(const unsigned char *bytes, size_t size, const char *path) {
    static const char *const WORDS[] = {"@relation", "@attribute", "@data"};
    const char *at = (const char *)bytes, *end = at + size;
    (void)path;
    if (size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
        at += 3;
    }
    while (at < end && (is_blank(*at) || *at == '\r' || *at == '\n' || *at == '%')) {
        if (*at == '%') {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            at = newline != NULL ? newline : end - 1;
        }
        at++;
    }
    const char *stop = at;
    while (stop < end && !is_blank(*stop) && *stop != '\r' && *stop != '\n') {
        stop++;
    }
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (same_word(at, (size_t)(stop - at), WORDS[i])) {
            return 98;
        }
    }
    return 0;
}

/* Fills in what sparse rows leave out of columns [from, to): 0, and for nominal columns their first
 * value. */
static cnm_status fill_absent(const arff_reader *self, size_t from, size_t to, dense_row *row, cnm_error *err) {
    for (size_t j = from; j < to; j++) {
        const char *initial = self->header.attributes[j].values.initial;
        const cell absent = {.text = initial != NULL ? initial : "0", .length = initial != NULL ? strlen(initial) : 1};
        TRY(text_row_cell(&self->columns, j, &absent, row, &self->lines, err));
    }
    return CNM_OK;
}

static cnm_status pair_error(const arff_reader *self, const char *at, const char *end, const char *expected,
                             cnm_error *err) {
    char shown[SHOWN_SIZE];
    (void)error_set(err, CNM_BAD_FORMAT, "found %s, expected %s", show(shown, at, (size_t)(end - at)), expected);
    return lines_position(&self->lines, CNM_BAD_FORMAT, err);
}

/* Reads a sparse row; [at, end) is the text between the braces. */
static cnm_status read_sparse(arff_reader *self, char *at, char *end, dense_row *row, cnm_error *err) {
    const cell_style words = {.separator = ' ', .quotes = ARFF_STYLE.quotes, .backslash = true};
    char *next = cell_first(&ARFF_STYLE, at, end);
    uint64_t above = 0; /* the smallest index that may come */
    row->full = true;
    while (next != NULL) {
        char *pair = next;
        const cell whole = cell_next(&ARFF_STYLE, &next, end);
        char *stop = next != NULL ? next - 1 : end;
        pair = cell_first(&words, pair, stop);
        uint64_t index = 0;
        const cell number = pair != NULL ? cell_next(&words, &pair, stop) : whole;
        if (pair == NULL || !text_is_count(number.text, number.text + number.length, &index)) {
            return pair_error(self, whole.text, whole.text + whole.length, "an index and a value", err);
        }
        if (index >= self->columns.count || index < above) {
            return pair_error(self, number.text, number.text + number.length,
                              index < above ? "ascending indices" : "an index of an attribute, from 0", err);
        }
        const cell value = cell_next(&words, &pair, stop);
        TRY(fill_absent(self, (size_t)above, (size_t)index, row, err));
        TRY(text_row_cell(&self->columns, (size_t)index, &value, row, &self->lines, err));
        above = index + 1;
    }
    return fill_absent(self, (size_t)above, self->columns.count, row, err);
}

/* Returns whether a column's nominal value in this row is among the declared ones; if not, *text
 * (length) is the value. Missing cells and columns that are not read pass. */
static bool is_declared(const arff_reader *self, size_t j, const dense_row *row, char number[TEXT_DOUBLE_SIZE],
                        const char **text, size_t *length) {
    const arff_nominal *values = &self->header.attributes[j].values;
    const size_t target = self->columns.target[j];
    if (j == self->columns.label) {
        *text = row->label;
        *length = row->label_length;
        return arff_nominal_have_text(values, *text, *length);
    }
    if (j != self->columns.weight && target == NO_COLUMN) {
        return true;
    }
    const double value = j == self->columns.weight ? row->weight : row->cells[target];
    if (isnan(value) || arff_nominal_have_number(values, value)) {
        return true;
    }
    if (target != NO_COLUMN && self->columns.cells[j].kind == COLUMN_WORDS) {
        *text = row->types[target].words.texts[(size_t)value];
        *length = strlen(*text);
        return arff_nominal_have_text(values, *text, *length);
    }
    *text = number;
    *length = text_from_double(number, value);
    return false;
}

static cnm_status check_values(const arff_reader *self, const dense_row *row, cnm_error *err) {
    for (size_t j = 0; j < self->columns.count; j++) {
        const arff_nominal *values = &self->header.attributes[j].values;
        char number[TEXT_DOUBLE_SIZE], shown[SHOWN_SIZE], where[COLUMN_SHOWN_SIZE];
        const char *text;
        size_t length;
        if (values->count > 0 && !is_declared(self, j, row, number, &text, &length)) {
            (void)error_set(err, CNM_BAD_DATA, "found %s in %s, expected a declared value: %s",
                            show(shown, text, length), column_plan_show(&self->columns, j, where), values->shown);
            return lines_position(&self->lines, CNM_BAD_DATA, err);
        }
    }
    return CNM_OK;
}

static cnm_status next_row(void *state, dense_row *row, bool *more, cnm_error *err) {
    arff_reader *self = state;
    char *at = NULL, *end = NULL;
    *more = false;
    do {
        size_t length;
        TRY(lines_next(&self->lines, &at, &length, err));
        if (at == NULL) {
            return CNM_OK;
        }
        end = at + length;
        while (at < end && is_blank(*at)) {
            at++;
        }
        while (end > at && is_blank(end[-1])) {
            end--;
        }
    } while (at == end || *at == '%');
    *more = true;
    row->position = self->lines.line;
    if (*at == '{' && end[-1] != '}') {
        return pair_error(self, at, end, "a closing brace at the end of a sparse row", err);
    }
    TRY(*at == '{' ? read_sparse(self, at + 1, end - 1, row, err)
                   : text_row_read(&self->columns, &ARFF_STYLE, at, end, row, &self->lines, err));
    return check_values(self, row, err);
}

/* Fails when a column that cannot be read is used as a feature or weight. */
static cnm_status check_types(const arff_reader *self, cnm_error *err) {
    const column_plan *columns = &self->columns;
    for (size_t j = 0; j < columns->count; j++) {
        const arff_attribute *attribute = &self->header.attributes[j];
        const bool words = columns->cells[j].kind != COLUMN_NUMBER;
        if (columns->target[j] != NO_COLUMN ? attribute->refused
                                            : j == columns->weight && (attribute->refused || words)) {
            char shown[SHOWN_SIZE];
            return error_set(err, CNM_BAD_DATA, "%s:%zu: found the attribute %s of %s, expected %s",
                             byte_source_name(self->lines.source), attribute->line,
                             show(shown, self->header.names[j], strlen(self->header.names[j])),
                             attribute->refused ? "relations" : "words", words ? "numbers" : "numbers or words");
        }
    }
    return CNM_OK;
}

static void close_arff(void *state) {
    arff_reader *self = state;
    if (self == NULL) {
        return;
    }
    dense_rows_free(&self->dense);
    column_plan_free(&self->columns);
    arff_header_free(&self->header);
    lines_free(&self->lines);
    memory_free(self);
}

static cnm_status begin(arff_reader *self, const cnm_callbacks *callbacks, cnm_error *err) {
    const char *file = byte_source_name(self->lines.source);
    TRY(arff_header_read(&self->header, &self->lines, err));
    column_guess guess = NO_GUESS;
    guess.types = self->header.types;
    guess.label = arff_header_label(&self->header, &guess.label_reason);
    TRY(column_plan_create(&self->columns, file, self->header.count, self->header.names, guess, &self->options,
                           callbacks, err));
    self->dense = (dense_rows){.file = file,
                               .unit = "line",
                               .columns = &self->columns,
                               .labelled = self->columns.label != NO_COLUMN,
                               .options = &self->options,
                               .next = next_row,
                               .state = self};
    return check_types(self, err);
}

static cnm_status open_arff(void **state, byte_source *input, const reader_options *options,
                            const cnm_callbacks *callbacks, cnm_error *err) {
    arff_reader *self;
    *state = NULL;
    TRY(memory_zeroed(&self, 1, sizeof *self, "a reader", err));
    self->lines.source = input;
    self->options = *options;
    const cnm_status status = begin(self, callbacks, err);
    if (status != CNM_OK) {
        close_arff(self);
        return status;
    }
    *state = self;
    return CNM_OK;
}

static cnm_status next(void *state, size_t max_rows, table *out, cnm_error *err) {
    arff_reader *self = state;
    return dense_rows_batch(&self->dense, max_rows, out, err);
}

static const char *label_name(void *state) { return ((arff_reader *)state)->columns.label_column; }
static const char *label_reason(void *state) { return ((arff_reader *)state)->columns.label_reason; }

const format_ops FORMAT_ARFF = {.name = "arff",
                                .text = true,
                                .stops = true,
                                .recognise = recognise,
                                .open = open_arff,
                                .next = next,
                                .label_column = label_name,
                                .label_reason = label_reason,
                                .close = close_arff};
