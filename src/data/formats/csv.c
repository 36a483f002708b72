/* Separated values: comma, semicolon, tab, bar or blanks; with or without a header; csv_sniff.c tells which. Every row has the
 * same number of cells; every cell but the label is a number or missing.
 *
 * The head is read by the caller; behind it, blocks of lines are read by several threads (csv_block.c), and here their rows are
 * put together. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/threads/pipeline.h"
#include "data/formats/csv_block.h"
#include "data/formats/csv_notices.h"
#include "data/formats/csv_sniff.h"
#include "data/read/format_ops.h"

enum { SNIFF_SIZE = 1 << 18 };

typedef struct csv_reader {
    source *source; /* borrowed */
    csv_shape shape;
    column_plan columns;
    reader_options options; /* its texts are borrowed */
    csv_rows rows;          /* the head's; then the pipeline's step that fills blocks has it alone */
    dense_reader dense;
    pipeline *crew;
    csv_block *blocks; /* (block_count) */
    size_t block_count;
    csv_block *now; /* the block that rows come from, or NULL */
    size_t now_at;  /* rows of it that were taken */
    bool ended;
} csv_reader;

/* Any text may be separated values; every other format that recognises itself is surer. */
static int recognise(const unsigned char *bytes, size_t size, const char *path) {
    (void)path;
    return size == 0 || memchr(bytes, 0, size) == NULL ? 10 : 1;
}

/* Passes over comments at the top and the header. */
static cnm_status skip_top(csv_reader *self, cnm_error *err) {
    char *line;
    size_t length;
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < self->shape.skipped; i++) {
        status = lines_next(&self->rows.lines, &line, &length, err);
    }
    return status == CNM_OK && self->shape.header ? csv_rows_line(&self->rows, &line, &length, err) : status;
}

static void close_csv(void *state) {
    csv_reader *self = state;
    if (self == NULL) {
        return;
    }
    pipeline_destroy(self->crew);
    for (size_t i = 0; self->blocks != NULL && i < self->block_count; i++) {
        csv_block_free(&self->blocks[i]);
    }
    memory_free(self->blocks);
    dense_free(&self->dense);
    columns_free(&self->columns);
    csv_shape_free(&self->shape);
    lines_free(&self->rows.lines);
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
    return error_set(err, CNM_BAD_FORMAT, "%s:%zu: found a NUL byte, expected text", source_name(self->source), line);
}

static cnm_status begin(csv_reader *self, const cnm_callbacks *callbacks, cnm_error *err) {
    const char *bytes, *file = source_name(self->source);
    size_t size;
    csv_shape *shape = &self->shape;
    cnm_status status = lines_peek(&self->rows.lines, SNIFF_SIZE, &bytes, &size, err);
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
        status = columns_plan(&self->columns, file, shape->columns, shape->header ? shape->names : NULL, shape->guess,
                              &self->options, callbacks, err);
    }
    if (status != CNM_OK) {
        return status;
    }
    if (!self->options.expects) {
        csv_tell(file, shape, &self->columns, &self->options, callbacks);
    }
    self->dense = (dense_reader){.file = file,
                                 .place = "line",
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
    const bool more = lines_block(&self->rows.lines, self->options.block_size, &block->text);
    block->quoted = csv_rows_cut(&self->rows, &block->text);
    return more ? lines_block_share(&block->text, self->block_count) : 0;
}

static void read_block(void *context, void *item) {
    const csv_reader *self = context;
    csv_block_read(item, &self->rows, &self->dense);
}

static cnm_status start_crew(csv_reader *self, cnm_error *err) {
    static const pipeline_steps STEPS = {fill_block, read_block};
    const size_t threads = self->options.threads;
    self->block_count = pipeline_items(threads);
    cnm_status status = memory_zeroed(&self->blocks, self->block_count, sizeof *self->blocks, "a reader", err);
    if (status == CNM_OK) {
        status = pipeline_create(&self->crew, threads, self->blocks, self->block_count, sizeof *self->blocks, &STEPS,
                                 self, err);
    }
    return status;
}

static cnm_status open_csv(void **state, source *input, const reader_options *options, const cnm_callbacks *callbacks,
                           cnm_error *err) {
    csv_reader *self;
    *state = NULL;
    cnm_status status = memory_zeroed(&self, 1, sizeof *self, "a reader", err);
    if (status != CNM_OK) {
        return status;
    }
    self->source = self->rows.lines.source = input;
    self->options = *options;
    self->rows.style = &self->shape.style;
    self->rows.columns = &self->columns;
    status = begin(self, callbacks, err);
    if (status == CNM_OK) {
        status = start_crew(self, err);
    }
    if (status != CNM_OK) {
        close_csv(self);
        return status;
    }
    *state = self;
    return CNM_OK;
}

/* The block behind this one, which may be filled again. */
static csv_block *next_block(csv_reader *self) {
    if (self->now != NULL && lines_block_is_large(&self->now->text)) {
        csv_block_free(self->now);
    }
    return pipeline_take(self->crew);
}

/* Counts the missing cells of this block and of all behind it, unless a line among them is no row. */
static cnm_status report_gaps(csv_reader *self, cnm_error *err) {
    dense_gaps gaps = {0};
    for (; self->now != NULL; self->now = next_block(self)) {
        dense_add_gaps(&gaps, &self->now->gaps);
        if (self->now->text.status != CNM_OK) {
            return error_set(err, self->now->text.status, "%s", self->now->text.err.message);
        }
    }
    self->ended = true;
    return dense_gaps_error(&self->dense, &gaps, err);
}

/* *count = rows of the block that can be taken now, 0 only at the end of the file. */
static cnm_status find_rows(csv_reader *self, size_t *count, cnm_error *err) {
    *count = 0;
    while (!self->ended) {
        const csv_block *now = self->now;
        if (now != NULL) {
            *count = now->rows.rows - self->now_at;
            if (*count > 0) {
                return CNM_OK;
            }
            if (now->gapped) {
                return report_gaps(self, err);
            }
            if (now->check != CNM_OK) {
                return error_set(err, now->check, "%s", now->check_err.message);
            }
            if (now->text.status != CNM_OK) {
                return error_set(err, now->text.status, "%s", now->text.err.message);
            }
        }
        self->now = next_block(self);
        self->now_at = 0;
        self->ended = self->now == NULL;
    }
    return CNM_OK;
}

static cnm_status next(void *state, size_t max_rows, table *out, cnm_error *err) {
    csv_reader *self = state;
    const size_t limit = max_rows < SIZE_MAX - out->rows ? out->rows + max_rows : SIZE_MAX;
    cnm_status status = dense_begin(&self->dense, err);
    if (status == CNM_OK && self->dense.head_at < self->dense.head_rows) {
        status = dense_head(&self->dense, max_rows, out, err);
    }
    while (status == CNM_OK && out->rows < limit) {
        size_t count;
        status = find_rows(self, &count, err);
        if (status != CNM_OK || count == 0) {
            break;
        }
        count = count < limit - out->rows ? count : limit - out->rows;
        status = table_append_rows(out, &self->now->rows, self->now_at, count, err);
        self->now_at += count;
    }
    return status;
}

static const char *label_name(void *state) { return ((csv_reader *)state)->columns.label_column; }

const format_ops FORMAT_CSV = {.name = "csv",
                               .appends = true,
                               .recognise = recognise,
                               .open = open_csv,
                               .next = next,
                               .label_column = label_name,
                               .close = close_csv};
