/* Separated values: comma, semicolon, tab, bar or blanks; with or without a header; csv_sniff.c tells which. A quoted cell may
 * go over several lines; a row is counted by its first. Every row has the same number of cells; every cell but the label is a
 * number or missing. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/csv_sniff.h"
#include "data/dense.h"
#include "data/format.h"
#include "data/text_row.h"

enum { SNIFF_SIZE = 1 << 18, QUOTED_SIZE = 1 << 20 };

typedef struct csv_reader {
    line_reader lines;
    csv_shape shape;
    column_plan columns;
    reader_options options; /* its texts are borrowed */
    dense_reader dense;
} csv_reader;

/* Any text may be separated values; every other format that recognises itself is surer. */
static int recognise(const unsigned char *bytes, size_t size, const char *path) {
    (void)path;
    return size == 0 || memchr(bytes, 0, size) == NULL ? 10 : 1;
}

static cnm_status quote_error(const csv_reader *self, const cell_scan *scan, cnm_error *err) {
    char where[COLUMN_SHOWN_SIZE];
    return error_set(err, CNM_BAD_FORMAT,
                     "%s:%zu: found a quote in %s that is never closed, expected its end within %d KiB",
                     source_name(self->lines.source), self->lines.line + scan->quote,
                     columns_show(&self->columns, scan->cell, where), QUOTED_SIZE / 1024);
}

/* Adds lines to a line while a quoted cell goes on, up to QUOTED_SIZE bytes: a forgotten quote must not take in the file. */
static cnm_status finish_quotes(csv_reader *self, char **line, size_t *length, cnm_error *err) {
    const char separator[] = {self->shape.style.separator, '\0'};
    cell_scan scan = {.separators = *separator == ' ' ? " \t" : separator};
    const size_t first = *length;
    size_t scanned = 0;
    for (;;) {
        cell_scan_text(&scan, *line + scanned, *line + *length);
        if (!scan.inside) {
            return CNM_OK;
        }
        scanned = *length;
        const cnm_status status = lines_join(&self->lines, line, length, err);
        if (status != CNM_OK || *line == NULL || *length - first > QUOTED_SIZE) {
            return status == CNM_OK ? quote_error(self, &scan, err) : status;
        }
    }
}

/* Reads rows until one is not blank; *line = NULL at the end. */
static cnm_status next_line(csv_reader *self, char **line, size_t *length, cnm_error *err) {
    cnm_status status;
    do {
        status = lines_next(&self->lines, line, length, err);
    } while (status == CNM_OK && *line != NULL && cell_first(&self->shape.style, *line, *line + *length) == NULL);
    if (status == CNM_OK && *line != NULL && memchr(*line, '"', *length) != NULL) {
        status = finish_quotes(self, line, length, err);
    }
    return status;
}

static cnm_status next_row(void *state, dense_row *row, bool *more, cnm_error *err) {
    csv_reader *self = state;
    char *line;
    size_t length;
    cnm_status status = next_line(self, &line, &length, err);
    *more = status == CNM_OK && line != NULL;
    if (!*more) {
        return status;
    }
    row->place = self->lines.line;
    return text_row_read(&self->columns, &self->shape.style, line, line + length, row, &self->lines, err);
}

/* Passes over comments at the top and the header. */
static cnm_status skip_top(csv_reader *self, cnm_error *err) {
    char *line;
    size_t length;
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < self->shape.skipped; i++) {
        status = lines_next(&self->lines, &line, &length, err);
    }
    return status == CNM_OK && self->shape.header ? next_line(self, &line, &length, err) : status;
}

static void close_csv(void *state) {
    csv_reader *self = state;
    if (self == NULL) {
        return;
    }
    dense_free(&self->dense);
    columns_free(&self->columns);
    csv_shape_free(&self->shape);
    lines_free(&self->lines);
    memory_free(self);
}

/* Binary bytes would only give odd cells: told at once. */
static cnm_status check_text(const csv_reader *self, const char *bytes, size_t size, cnm_error *err) {
    const char *found = memchr(bytes, 0, size);
    if (found == NULL) {
        return CNM_OK;
    }
    size_t line = 1;
    for (const char *at = bytes; at < found; at++) {
        line += *at == '\n';
    }
    return error_set(err, CNM_BAD_FORMAT, "%s:%zu: found a NUL byte, expected text", source_name(self->lines.source),
                     line);
}

static cnm_status begin(csv_reader *self, const cnm_callbacks *callbacks, cnm_error *err) {
    const char *bytes, *file = source_name(self->lines.source);
    size_t size;
    csv_shape *shape = &self->shape;
    cnm_status status = lines_peek(&self->lines, SNIFF_SIZE, &bytes, &size, err);
    if (status == CNM_OK) {
        status = check_text(self, bytes, size, err);
    }
    if (status == CNM_OK) {
        status = csv_sniff(shape, bytes, size, &self->options, err);
    }
    if (status == CNM_OK && shape->columns == 0) {
        return error_set(err, CNM_BAD_DATA, "%s: found no rows, expected at least one", file);
    }
    if (status == CNM_OK) {
        status = columns_plan(&self->columns, file, shape->columns, shape->header ? shape->names : NULL, shape->label,
                              &self->options, callbacks, err);
    }
    if (status != CNM_OK) {
        return status;
    }
    const char *wanted = self->options.label_column;
    if (shape->surprise && self->columns.label == 0 && (wanted == NULL || strcmp(wanted, "auto") == 0)) {
        notice_send(
            callbacks,
            "%s: the first column is taken as the label, since it holds few whole numbers and the last does not; "
            "--label-column settles it",
            file);
    }
    self->dense = (dense_reader){.file = file,
                                 .place = "line",
                                 .columns = &self->columns,
                                 .labelled = self->columns.label != NO_COLUMN,
                                 .options = &self->options,
                                 .next = next_row,
                                 .state = self};
    return skip_top(self, err);
}

static cnm_status open_csv(void **state, source *input, const reader_options *options, const cnm_callbacks *callbacks,
                           cnm_error *err) {
    csv_reader *self;
    *state = NULL;
    cnm_status status = memory_zeroed(&self, 1, sizeof *self, "a reader", err);
    if (status != CNM_OK) {
        return status;
    }
    self->lines.source = input;
    self->options = *options;
    status = begin(self, callbacks, err);
    if (status != CNM_OK) {
        close_csv(self);
        return status;
    }
    *state = self;
    return CNM_OK;
}

static cnm_status next(void *state, size_t max_rows, table *out, cnm_error *err) {
    csv_reader *self = state;
    return dense_batch(&self->dense, max_rows, out, err);
}

static const char *label_name(void *state) { return ((csv_reader *)state)->columns.label_column; }

const format_ops FORMAT_CSV = {.name = "csv",
                               .recognise = recognise,
                               .open = open_csv,
                               .next = next,
                               .label_column = label_name,
                               .close = close_csv};
