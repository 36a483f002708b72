/* Separated values: comma, semicolon, tab, bar or blanks; with or without a header; csv_sniff.c
 * detects which, and the types of the columns. Every row has the same number of cells; every cell
 * but the label is of its column's type, or missing.
 *
 * The caller's thread reads the head; behind the head several threads read blocks of lines
 * (csv_block.c), whose rows are put together here. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/threads/pipeline.h"
#include "data/formats/csv_block.h"
#include "data/formats/csv_notices.h"
#include "data/formats/csv_sniff.h"
#include "data/read/column_layout.h"
#include "data/read/format_ops.h"

/* The first look at a file: so many bytes, more where they hold few rows. */
enum { SNIFF_SIZE = 1 << 18, MOST_SNIFFED = 1 << 22, LEAST_ROWS = 200 };

typedef struct csv_reader {
    byte_source *source; /* borrowed */
    csv_shape shape;
    column_plan columns;
    reader_options options; /* its texts are borrowed */
    csv_rows rows;          /* of the head; later for the step that fills blocks alone */
    dense_rows dense;
    pipeline *pipeline;
    csv_block *blocks; /* (block_count) */
    size_t block_count;
    csv_block *current; /* the block that rows come from, or NULL */
    size_t taken;       /* rows of it that were taken */
    bool ended;
} csv_reader;

/* Accepts any text; every other format that recognises itself is surer. */
static int recognise(const unsigned char *bytes, size_t size, const char *path) {
    (void)path;
    return size == 0 || memchr(bytes, 0, size) == NULL ? 10 : 1;
}

/* Skips comments at the top and the header. */
static cnm_status skip_top(csv_reader *self, cnm_error *err) {
    char *line;
    size_t length;
    for (size_t i = 0; i < self->shape.skipped; i++) {
        TRY(lines_next(&self->rows.lines, &line, &length, err));
    }
    return self->shape.header ? csv_rows_line(&self->rows, &line, &length, err) : CNM_OK;
}

static void close_csv(void *state) {
    csv_reader *self = state;
    if (self == NULL) {
        return;
    }
    pipeline_destroy(self->pipeline);
    for (size_t i = 0; self->blocks != NULL && i < self->block_count; i++) {
        csv_block_free(&self->blocks[i]);
    }
    memory_free(self->blocks);
    dense_rows_free(&self->dense);
    column_plan_free(&self->columns);
    csv_shape_free(&self->shape);
    lines_free(&self->rows.lines);
    memory_free(self);
}

/* Fails at once on binary bytes, which would only give odd cells. */
static cnm_status check_text(const csv_reader *self, const char *bytes, size_t size, cnm_error *err) {
    const char *found = memchr(bytes, 0, size);
    if (found == NULL) {
        return CNM_OK;
    }
    size_t line = 1;
    for (const char *at = bytes; at < found; at++) {
        line += *at == '\n';
    }
    return error_set(err, CNM_BAD_FORMAT, "%s:%zu: found a NUL byte, expected text", byte_source_name(self->source),
                     line);
}

static size_t count_lines(const char *bytes, size_t size) {
    size_t count = 0;
    for (const char *at = bytes, *end = bytes + size; at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL;
         at++) {
        count++;
    }
    return count;
}

static cnm_status peek_rows(csv_reader *self, const char **bytes, size_t *size, cnm_error *err) {
    for (size_t wanted = SNIFF_SIZE;; wanted *= 2) {
        TRY(lines_peek(&self->rows.lines, wanted, bytes, size, err));
        if (self->rows.lines.ended || wanted >= MOST_SNIFFED || count_lines(*bytes, *size) >= LEAST_ROWS) {
            return CNM_OK;
        }
    }
}

static cnm_status begin(csv_reader *self, const cnm_callbacks *callbacks, cnm_error *err) {
    const char *bytes, *file = byte_source_name(self->source);
    size_t size;
    csv_shape *shape = &self->shape;
    TRY(peek_rows(self, &bytes, &size, err));
    TRY(check_text(self, bytes, size, err));
    TRY(csv_sniff(shape, bytes, size, !self->rows.lines.ended, file, &self->options, err));
    if (shape->columns == 0) {
        return error_set(err, CNM_BAD_DATA, "%s: found no rows, expected at least one", file);
    }
    TRY(column_plan_create(&self->columns, file, shape->columns, shape->header ? shape->names : NULL, shape->guess,
                           &self->options, callbacks, err));
    if (!self->options.expects) {
        csv_notices_send(file, shape, &self->columns, &self->options, callbacks);
    }
    self->dense = (dense_rows){.file = file,
                               .unit = "line",
                               .columns = &self->columns,
                               .labelled = self->columns.label != NO_COLUMN,
                               .options = &self->options,
                               .next = csv_rows_next,
                               .state = &self->rows};
    return skip_top(self, err);
}

static size_t fill_block(void *context, void *item) {
    csv_reader *self = context;
    csv_block *block = item;
    const bool more = line_block_read(&self->rows.lines, self->options.block_size, &block->text);
    block->quoted = csv_rows_cut(&self->rows, &block->text);
    return more ? line_block_share(&block->text, self->block_count) : 0;
}

static void read_block(void *context, void *item) {
    const csv_reader *self = context;
    csv_block_read(item, &self->rows, &self->dense);
}

static cnm_status start_pipeline(csv_reader *self, cnm_error *err) {
    static const pipeline_steps STEPS = {fill_block, read_block};
    const size_t threads = self->options.threads;
    self->block_count = pipeline_items(threads);
    TRY(memory_zeroed(&self->blocks, self->block_count, sizeof *self->blocks, "a reader", err));
    return pipeline_create(&self->pipeline, threads, self->blocks, self->block_count, sizeof *self->blocks, &STEPS,
                           self, err);
}

static cnm_status open_csv(void **state, byte_source *input, const reader_options *options,
                           const cnm_callbacks *callbacks, cnm_error *err) {
    cnm_status status;
    csv_reader *self;
    *state = NULL;
    TRY(memory_zeroed(&self, 1, sizeof *self, "a reader", err));
    self->source = self->rows.lines.source = input;
    self->options = *options;
    self->rows.style = &self->shape.style;
    self->rows.columns = &self->columns;
    TRY_DONE(begin(self, callbacks, err));
    TRY_DONE(start_pipeline(self, err));
    *state = self;
    return CNM_OK;
done:
    close_csv(self);
    return status;
}

/* Returns the block behind the current one, which may be filled again. */
static csv_block *next_block(csv_reader *self) {
    if (self->current != NULL && line_block_is_large(&self->current->text)) {
        csv_block_free(self->current);
    }
    return pipeline_take(self->pipeline);
}

/* Counts the missing cells of this block and of all behind it, and reports them, unless a line
 * among them is no row. */
static cnm_status report_missing(csv_reader *self, cnm_error *err) {
    missing_cells missing = {0};
    for (; self->current != NULL; self->current = next_block(self)) {
        missing_cells_add(&missing, &self->current->missing);
        if (self->current->text.status != CNM_OK) {
            return error_set(err, self->current->text.status, "%s", self->current->text.err.message);
        }
    }
    self->ended = true;
    return missing_cells_error(&self->dense, &missing, err);
}

/* Sets *count to the rows of the block that can be taken now, 0 only at the end of the file. */
static cnm_status find_rows(csv_reader *self, size_t *count, cnm_error *err) {
    *count = 0;
    while (!self->ended) {
        const csv_block *block = self->current;
        if (block != NULL) {
            *count = block->rows.rows - self->taken;
            if (*count > 0) {
                return CNM_OK;
            }
            if (block->ends_missing) {
                return report_missing(self, err);
            }
            if (block->check != CNM_OK) {
                return error_set(err, block->check, "%s", block->check_err.message);
            }
            if (block->text.status != CNM_OK) {
                return error_set(err, block->text.status, "%s", block->text.err.message);
            }
        }
        self->current = next_block(self);
        self->taken = 0;
        self->ended = self->current == NULL;
    }
    return CNM_OK;
}

static cnm_status next(void *state, size_t max_rows, table *out, cnm_error *err) {
    csv_reader *self = state;
    const size_t limit = max_rows < SIZE_MAX - out->rows ? out->rows + max_rows : SIZE_MAX;
    TRY(dense_rows_begin(&self->dense, err));
    if (self->dense.head_at < self->dense.head_rows || self->dense.failed != CNM_OK) {
        TRY(dense_rows_head(&self->dense, max_rows, out, err));
    }
    while (out->rows < limit && self->dense.failed == CNM_OK) {
        size_t count;
        TRY(find_rows(self, &count, err));
        if (count == 0) {
            break;
        }
        count = count < limit - out->rows ? count : limit - out->rows;
        const size_t first = self->taken;
        self->taken += count;
        TRY(table_append_rows(out, &self->current->rows, first, count, err));
    }
    return CNM_OK;
}

static const char *label_name(void *state) { return ((csv_reader *)state)->columns.label_column; }
static const char *label_reason(void *state) { return ((csv_reader *)state)->columns.label_reason; }

const format_ops FORMAT_CSV = {.name = "csv",
                               .text = true,
                               .stops = true,
                               .appends = true,
                               .recognise = recognise,
                               .open = open_csv,
                               .next = next,
                               .label_column = label_name,
                               .label_reason = label_reason,
                               .close = close_csv};
