/* LIBSVM text: "label index:value index:value ... # comment" a line, indices ascending from 1,
 * absent ones 0.
 *
 * Several threads read blocks of lines (libsvm_block.c), whose rows are put together here. The
 * first rows (the head: 4096, fewer when they hold very much) are kept with the indices as written:
 * if index 0 is among them, the file counts from 0 and index i is column i, otherwise column i - 1.
 * Rows for a model whose base is known count as the model does. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/threads/pipeline.h"
#include "data/formats/libsvm_block.h"
#include "data/formats/libsvm_line.h"
#include "data/read/format_ops.h"

enum { HEAD_ROWS = 4096, HEAD_CELLS = 1 << 22 };

typedef struct libsvm_reader {
    byte_source *source; /* borrowed */
    const cnm_callbacks *callbacks;
    /* Used by the pipeline's steps alone while the pipeline runs. */
    line_reader lines;
    size_t block_size;
    libsvm_rules rules;
    pipeline *pipeline;
    libsvm_block *blocks; /* (block_count) */
    size_t block_count;
    /* Rows out of the blocks. */
    libsvm_block *current; /* the block that rows come from, or NULL */
    size_t taken;          /* rows of it that were taken */
    bool begun, ended;
    bool drop_labels;
    bool unlabelled; /* the first row has no label, so none has */
    bool saw_zero;   /* index 0 was seen */
    index_base base; /* given, or detected in the head */
    size_t expected; /* columns of the model; 0: those of the file */
    size_t columns;  /* so far, counted by the largest index as written */
    table *head;     /* indices as written */
    size_t head_at;  /* rows of it that were handed out */
    size_t dropped, dropped_rows;
} libsvm_reader;

static size_t fill_block(void *context, void *item) {
    libsvm_reader *self = context;
    libsvm_block *block = item;
    const bool more = line_block_read(&self->lines, self->block_size, &block->text);
    libsvm_block_begin(block, &self->rules);
    return more ? line_block_share(&block->text, self->block_count) : 0;
}

static void read_block(void *context, void *item) {
    const libsvm_reader *self = context;
    libsvm_block_read(item, &self->rules);
}

static cnm_status zero_error(const libsvm_reader *self, cnm_error *err) {
    return error_set(err, CNM_BAD_FORMAT, "%s:%zu: found %s, expected %s", byte_source_name(self->source),
                     self->current->zero_line, self->current->zero_word,
                     self->begun ? "indices from 1, as in the rows before" : "indices from 1");
}

/* Returns the block behind the current one, which may be filled again. */
static libsvm_block *next_block(libsvm_reader *self) {
    if (self->current != NULL && line_block_is_large(&self->current->text)) {
        libsvm_block_free(self->current);
    }
    return pipeline_take(self->pipeline);
}

/* Sets *count to the rows of the block that can be taken now, 0 only at the end of the file. */
static cnm_status find_rows(libsvm_reader *self, size_t *count, cnm_error *err) {
    *count = 0;
    while (!self->ended) {
        const libsvm_block *block = self->current;
        if (block != NULL) {
            const bool refused = self->base == INDEX_FROM_ONE && block->zero_row <= block->rows.rows;
            *count = (refused ? block->zero_row : block->rows.rows) - self->taken;
            if (*count > 0) {
                return CNM_OK;
            }
            if (refused) {
                return zero_error(self, err);
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

/* Turns indices as written into columns, from row `first` on; drops and counts those beyond the
 * model's columns. */
static void settle_indices(libsvm_reader *self, size_t first, table *out) {
    const uint32_t lowest = self->base == INDEX_FROM_ZERO ? 0 : 1;
    size_t from = out->starts[first], kept = from;
    if (self->expected == 0 || self->columns < self->expected + lowest) { /* nothing to drop */
        for (; lowest > 0 && from < out->starts[out->rows]; from++) {
            out->index[from]--;
        }
        return;
    }
    for (size_t i = first; i < out->rows; i++) {
        const size_t stop = out->starts[i + 1], before = self->dropped;
        for (; from < stop; from++) {
            const uint32_t column = out->index[from] - lowest;
            if (column >= self->expected) {
                self->dropped++;
                continue;
            }
            out->index[kept] = column;
            out->values[kept++] = out->values[from];
        }
        out->starts[i + 1] = kept;
        self->dropped_rows += self->dropped > before;
    }
}

/* Adds `count` rows of the block to out, their indices as written. */
static cnm_status take_rows(libsvm_reader *self, size_t count, table *out, cnm_error *err) {
    const libsvm_block *block = self->current;
    const size_t first = self->taken, stop = first + count;
    for (size_t i = first; i < stop; i++) {
        self->columns = block->largest[i] > self->columns ? block->largest[i] : self->columns;
    }
    self->saw_zero |= block->zero_row >= first && block->zero_row < stop;
    self->unlabelled = !block->labelled;
    self->taken = stop;
    return table_append_rows(out, &block->rows, first, count, err);
}

/* Adds up to max_rows rows to out. */
static cnm_status read_rows(libsvm_reader *self, size_t max_rows, table *out, cnm_error *err) {
    while (max_rows > 0) {
        const size_t before = out->rows;
        size_t count;
        TRY(find_rows(self, &count, err));
        if (count == 0) {
            break;
        }
        count = count < max_rows ? count : max_rows;
        TRY(take_rows(self, count, out, err));
        settle_indices(self, before, out); /* while they are in the cache */
        max_rows -= count;
    }
    return CNM_OK;
}

/* Returns how many of the block's next `most` rows the head still needs: the last of them may go
 * beyond HEAD_CELLS. */
static size_t wanted_rows(const libsvm_reader *self, size_t most) {
    const table *head = self->head;
    const size_t held = head->rows > 0 ? head->starts[head->rows] : 0;
    const size_t *starts = self->current != NULL ? self->current->rows.starts + self->taken : NULL;
    size_t rows = 0;
    while (rows < most && head->rows + rows < HEAD_ROWS &&
           held + (rows > 0 ? starts[rows] - starts[0] : 0) < HEAD_CELLS) {
        rows++;
    }
    return rows;
}

static cnm_status read_head(libsvm_reader *self, cnm_error *err) {
    TRY(table_create(&self->head, err));
    while (!self->ended && wanted_rows(self, 1) > 0) {
        size_t count;
        TRY(find_rows(self, &count, err));
        if (count > 0) {
            TRY(take_rows(self, wanted_rows(self, count), self->head, err));
        }
    }
    self->begun = true;
    if (self->base == INDEX_UNKNOWN && self->saw_zero) {
        notice_send(self->callbacks, "%s: indices start at 0, so index 0 is taken as the first column",
                    byte_source_name(self->source));
    }
    if (self->base == INDEX_UNKNOWN) {
        self->base = self->saw_zero ? INDEX_FROM_ZERO : INDEX_FROM_ONE;
    }
    return CNM_OK;
}

/* Moves up to max_rows rows of the head to out. */
static cnm_status take_head(libsvm_reader *self, size_t max_rows, table *out, cnm_error *err) {
    const size_t left = self->head->rows - self->head_at, count = left < max_rows ? left : max_rows, before = out->rows;
    if (count > 0) {
        TRY(table_append_rows(out, self->head, self->head_at, count, err));
        settle_indices(self, before, out);
    }
    self->head_at += count;
    if (self->head_at == self->head->rows) {
        table_destroy(self->head);
        self->head = NULL;
    }
    return CNM_OK;
}

static void report_dropped(libsvm_reader *self) {
    if (self->dropped > 0) {
        notice_send(self->callbacks, "%s: %zu value%s in %zu row%s beyond the model's %zu columns were dropped",
                    byte_source_name(self->source), self->dropped, self->dropped == 1 ? "" : "s", self->dropped_rows,
                    self->dropped_rows == 1 ? "" : "s", self->expected);
        self->dropped = 0;
    }
}

static cnm_status next(void *state, size_t max_rows, table *out, cnm_error *err) {
    libsvm_reader *self = state;
    const size_t first = out->rows;
    TRY(self->begun ? CNM_OK : read_head(self, err));
    if (self->head != NULL) {
        TRY(take_head(self, max_rows, out, err));
    }
    if (self->head == NULL) {
        TRY(read_rows(self, max_rows - (out->rows - first), out, err));
    }
    out->columns = self->expected != 0 ? self->expected : self->columns + (self->base == INDEX_FROM_ZERO);
    if (self->ended && self->head == NULL) {
        report_dropped(self);
    }
    return CNM_OK;
}

static void close_libsvm(void *state) {
    libsvm_reader *self = state;
    if (self == NULL) {
        return;
    }
    pipeline_destroy(self->pipeline);
    for (size_t i = 0; self->blocks != NULL && i < self->block_count; i++) {
        libsvm_block_free(&self->blocks[i]);
    }
    memory_free(self->blocks);
    table_destroy(self->head);
    lines_free(&self->lines);
    memory_free(self);
}

static cnm_status start_pipeline(libsvm_reader *self, size_t threads, cnm_error *err) {
    static const pipeline_steps STEPS = {fill_block, read_block};
    self->block_count = pipeline_items(threads);
    TRY(memory_zeroed(&self->blocks, self->block_count, sizeof *self->blocks, "a reader", err));
    return pipeline_create(&self->pipeline, threads, self->blocks, self->block_count, sizeof *self->blocks, &STEPS,
                           self, err);
}

static cnm_status refuse_columns(const byte_source *input, const reader_options *options, cnm_error *err) {
    if (options->weight_column != NULL && *options->weight_column != '\0') {
        return error_set(err, CNM_UNSUPPORTED, "%s: LIBSVM rows have no column for the weight, csv or arff rows may",
                         byte_source_name(input));
    }
    const char *group = options->group_column;
    if (group != NULL && *group != '\0' && strcmp(group, "none") != 0 && !options->group_recalled) {
        return error_set(err, CNM_UNSUPPORTED, "%s: LIBSVM rows have no column for the group, csv or arff rows may",
                         byte_source_name(input));
    }
    return CNM_OK;
}

static cnm_status open_libsvm(void **state, byte_source *input, const reader_options *options,
                              const cnm_callbacks *callbacks, cnm_error *err) {
    libsvm_reader *self;
    *state = NULL;
    TRY(refuse_columns(input, options, err));
    TRY(memory_zeroed(&self, 1, sizeof *self, "a reader", err));
    const bool none = options->label_column != NULL && strcmp(options->label_column, "none") == 0;
    self->source = self->lines.source = self->rules.source = input;
    self->callbacks = callbacks;
    self->block_size = options->block_size;
    self->base = options->index_base;
    self->expected = options->expects ? options->columns : 0;
    /* A model learned without labels may still be tested on rows with labels. */
    self->drop_labels = none && !options->expects;
    self->rules.drop_labels = self->drop_labels;
    self->rules.may_lack_labels = none || options->expects;
    const cnm_status status = start_pipeline(self, options->threads, err);
    if (status != CNM_OK) {
        close_libsvm(self);
        return status;
    }
    *state = self;
    return CNM_OK;
}

static const char *label_name(void *state) {
    const libsvm_reader *self = state;
    return self->drop_labels || self->unlabelled ? "none" : "first";
}

static index_base found_base(void *state) { return ((libsvm_reader *)state)->base; }

const format_ops FORMAT_LIBSVM = {.name = "libsvm",
                                  .text = true,
                                  .appends = true,
                                  .recognise = libsvm_recognise,
                                  .open = open_libsvm,
                                  .next = next,
                                  .label_column = label_name,
                                  .index_base = found_base,
                                  .close = close_libsvm};
