/* LIBSVM text: "label index:value index:value ... # comment" a line, indices ascending from 1, absent ones 0.
 *
 * The first rows (the head: 4096, fewer when they hold very much) are kept with the indices as written: if index 0 is among them,
 * the file counts from 0 and index i is column i, otherwise column i - 1. Rows for a model that knows count as it does. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/format.h"
#include "data/libsvm_line.h"
#include "data/lines.h"

enum { HEAD_ROWS = 4096, HEAD_CELLS = 1 << 22 };

#define MAX_INDEX 2147483648u /* 2^31 */

typedef struct libsvm_reader {
    line_reader lines;
    const cnm_callbacks *callbacks;
    size_t expected;      /* columns of the model; 0: take what is there */
    bool may_lack_labels; /* rows may start with index:value */
    bool drop_labels;     /* label column none */
    bool labelled, known; /* known: the first row told whether rows are labelled */
    bool begun, ended;
    bool saw_zero;   /* index 0 was seen */
    index_base base; /* given, or told from the head */
    size_t columns;  /* so far, counted by the largest index as written */
    table *head;     /* indices as written */
    size_t head_at;  /* rows of it that were handed out */
    size_t dropped, dropped_rows;
} libsvm_reader;

static cnm_status word_error(const libsvm_reader *self, libsvm_word word, const char *expected, cnm_error *err) {
    char shown[SHOWN_SIZE];
    (void)error_set(err, CNM_BAD_FORMAT, "found %s, expected %s",
                    show(shown, word.text, (size_t)(word.end - word.text)), expected);
    return lines_place(&self->lines, CNM_BAD_FORMAT, err);
}

/* Checks a pair's index against the one before; *last starts below every index. */
static cnm_status check_index(libsvm_reader *self, libsvm_word word, uint64_t index, int64_t *last, cnm_error *err) {
    if (index > MAX_INDEX - 1) {
        return word_error(self, word, "an index below 2147483648", err);
    }
    if ((int64_t)index <= *last) {
        return word_error(self, word, (int64_t)index == *last ? "each index once" : "ascending indices", err);
    }
    if (index == 0) {
        if (self->base == INDEX_FROM_ONE) {
            return word_error(self, word, self->begun ? "indices from 1, as in the rows before" : "indices from 1",
                              err);
        }
        self->saw_zero = true;
    }
    *last = (int64_t)index;
    return CNM_OK;
}

/* Appends one stored value with its index as written. */
static cnm_status add_value(libsvm_reader *self, table *out, size_t *held, libsvm_word word, uint64_t index,
                            double value, cnm_error *err) {
    if (!isfinite((float)value)) {
        return word_error(self, word, "a finite value below 3.4e38 in size", err);
    }
    self->columns = index > self->columns ? (size_t)index : self->columns;
    if ((float)value == 0) {
        return CNM_OK; /* absent cells are 0 anyway */
    }
    cnm_status status = memory_grow(&out->values, &out->cell_capacity, *held + 1, sizeof *out->values, "rows", err);
    if (status == CNM_OK) {
        status = memory_grow(&out->index, &out->index_capacity, *held + 1, sizeof *out->index, "rows", err);
    }
    if (status == CNM_OK) {
        out->values[*held] = (float)value;
        out->index[*held] = (uint32_t)index;
        ++*held;
    }
    return status;
}

static cnm_status read_label(libsvm_reader *self, table *out, libsvm_word word, cnm_error *err) {
    const size_t length = (size_t)(word.end - word.text);
    double value;
    if (memchr(word.text, ',', length) != NULL) {
        return word_error(self, word, "one label a row, not several", err);
    }
    if (text_is_double(word.text, word.end, &value) && !isfinite(value)) {
        return word_error(self, word, "a label that is a finite number or a word", err);
    }
    const cnm_status status = self->drop_labels ? CNM_OK : labels_add_text(&out->labels, word.text, length, err);
    return status == CNM_OK || status == CNM_NO_MEMORY ? status : lines_place(&self->lines, status, err);
}

/* The first word of a row: its label, or nothing where rows have none. *taken: it was the label. */
static cnm_status first_word(libsvm_reader *self, table *out, libsvm_word word, bool *taken, cnm_error *err) {
    uint64_t index;
    double value;
    *taken = libsvm_read_pair(word, &index, &value) == PAIR_NONE;
    if (!self->known) {
        self->known = true;
        self->labelled = *taken || !self->may_lack_labels;
    }
    if (*taken != self->labelled) {
        return word_error(self, word,
                          self->labelled ? "a label first (rows without labels need --label-column none)"
                                         : "index:value, since the rows before have no labels",
                          err);
    }
    return *taken ? read_label(self, out, word, err) : CNM_OK;
}

static cnm_status read_pairs(libsvm_reader *self, table *out, size_t *held, const char *at, const char *end,
                             cnm_error *err) {
    libsvm_word word;
    int64_t last = -1;
    while (libsvm_next_word(&at, end, &word)) {
        uint64_t index = 0;
        double value = 0;
        cnm_status status = CNM_OK;
        switch (libsvm_read_pair(word, &index, &value)) {
        case PAIR_GROUP:
            continue;
        case PAIR_NONE:
            return word_error(self, word, "index:value", err);
        case PAIR_BAD_INDEX:
            return word_error(self, word, "a whole number before the colon", err);
        case PAIR_BAD_VALUE:
            return word_error(self, word, "a number after the colon", err);
        case PAIR_VALUE:
            status = check_index(self, word, index, &last, err);
            break;
        }
        if (status == CNM_OK) {
            status = add_value(self, out, held, word, index, value, err);
        }
        if (status != CNM_OK) {
            return status;
        }
    }
    return CNM_OK;
}

/* Reads one row, indices as written; *more = false at the end. */
static cnm_status read_row(libsvm_reader *self, table *out, bool *more, cnm_error *err) {
    char *line;
    size_t length;
    libsvm_word word;
    for (;;) {
        const cnm_status status = lines_next(&self->lines, &line, &length, err);
        *more = status == CNM_OK && line != NULL;
        if (!*more) {
            return status;
        }
        const char *at = line;
        if (libsvm_next_word(&at, line + length, &word)) {
            break;
        }
    }
    bool taken = false;
    cnm_status status = first_word(self, out, word, &taken, err);
    size_t held = out->starts[out->rows];
    if (status == CNM_OK) {
        status = read_pairs(self, out, &held, taken ? word.end : line, line + length, err);
    }
    if (status == CNM_OK) {
        status = memory_grow(&out->starts, &out->start_capacity, out->rows + 2, sizeof *out->starts, "rows", err);
    }
    if (status == CNM_OK) {
        out->starts[++out->rows] = held;
    }
    return status;
}

static cnm_status begin_table(table *out, cnm_error *err) {
    const cnm_status status = memory_grow(&out->starts, &out->start_capacity, 1, sizeof *out->starts, "rows", err);
    if (status == CNM_OK) {
        out->starts[0] = 0;
        out->rows = 0;
    }
    return status;
}

/* Adds rows to out, whose indices stay as written, until it has max_rows, or HEAD_CELLS values in the head. */
static cnm_status read_rows(libsvm_reader *self, size_t max_rows, size_t max_cells, table *out, cnm_error *err) {
    cnm_status status = CNM_OK;
    while (status == CNM_OK && !self->ended && out->rows < max_rows && out->starts[out->rows] < max_cells) {
        bool more;
        status = read_row(self, out, &more, err);
        self->ended = status == CNM_OK && !more;
    }
    return status;
}

static cnm_status read_head(libsvm_reader *self, cnm_error *err) {
    cnm_status status = table_create(&self->head, err);
    if (status == CNM_OK) {
        status = begin_table(self->head, err);
    }
    if (status == CNM_OK) {
        status = read_rows(self, HEAD_ROWS, HEAD_CELLS, self->head, err);
    }
    if (status == CNM_OK) {
        self->begun = true;
        self->head->labelled = self->labelled && !self->drop_labels;
        self->head->columns = MAX_INDEX; /* indices as written */
        if (self->base == INDEX_UNKNOWN && self->saw_zero) {
            notice_send(self->callbacks, "%s: indices start at 0, so index 0 is taken as the first column",
                        source_name(self->lines.source));
        }
        if (self->base == INDEX_UNKNOWN) {
            self->base = self->saw_zero ? INDEX_FROM_ZERO : INDEX_FROM_ONE;
        }
    }
    return status;
}

/* Moves up to max_rows rows of the head to the empty table out. */
static cnm_status take_head(libsvm_reader *self, size_t max_rows, table *out, cnm_error *err) {
    const size_t left = self->head->rows - self->head_at, count = left < max_rows ? left : max_rows;
    table part = *self->head;
    part.rows = count;
    part.starts += self->head_at;
    part.labelled = false; /* labels are added below, row by row */
    cnm_status status = count > 0 ? table_append(out, &part, err) : CNM_OK;
    for (size_t i = 0; status == CNM_OK && self->head->labelled && i < count; i++) {
        status = labels_add_from(&out->labels, &self->head->labels, self->head_at + i, err);
    }
    self->head_at += count;
    if (status == CNM_OK && self->head_at == self->head->rows) {
        self->head->rows = self->head_at = 0;
    }
    return status;
}

/* Indices as written become columns; those beyond the model's columns are dropped and counted. */
static void settle_indices(libsvm_reader *self, table *out) {
    const uint32_t shift = self->base == INDEX_FROM_ZERO ? 0 : 1;
    size_t kept = 0, from = 0;
    for (size_t i = 0; i < out->rows; i++) {
        const size_t stop = out->starts[i + 1], before = self->dropped;
        for (; from < stop; from++) {
            const uint32_t column = out->index[from] - shift;
            if (self->expected != 0 && column >= self->expected) {
                self->dropped++;
                continue;
            }
            out->index[kept] = column;
            out->values[kept++] = out->values[from];
        }
        out->starts[i + 1] = kept;
        self->dropped_rows += self->dropped > before;
    }
    out->columns = self->expected != 0 ? self->expected : self->columns + 1 - shift;
}

static void report_dropped(libsvm_reader *self) {
    if (self->dropped > 0) {
        notice_send(self->callbacks, "%s: %zu value%s in %zu row%s beyond the model's %zu columns were dropped",
                    source_name(self->lines.source), self->dropped, self->dropped == 1 ? "" : "s", self->dropped_rows,
                    self->dropped_rows == 1 ? "" : "s", self->expected);
        self->dropped = 0;
    }
}

static cnm_status next(void *state, size_t max_rows, table *out, cnm_error *err) {
    libsvm_reader *self = state;
    cnm_status status = self->begun ? CNM_OK : read_head(self, err);
    if (status == CNM_OK) {
        status = begin_table(out, err);
    }
    if (status == CNM_OK) {
        status = take_head(self, max_rows, out, err);
    }
    if (status == CNM_OK) {
        status = read_rows(self, max_rows, SIZE_MAX, out, err);
    }
    if (status == CNM_OK) {
        out->labelled = self->labelled && !self->drop_labels;
        settle_indices(self, out);
        if (self->ended && self->head->rows == 0) {
            report_dropped(self);
        }
    }
    return status;
}

static void close_libsvm(void *state) {
    libsvm_reader *self = state;
    if (self != NULL) {
        table_destroy(self->head);
        lines_free(&self->lines);
        memory_free(self);
    }
}

static cnm_status open_libsvm(void **state, source *input, const reader_options *options,
                              const cnm_callbacks *callbacks, cnm_error *err) {
    libsvm_reader *self;
    *state = NULL;
    if (options->weight_column != NULL && *options->weight_column != '\0') {
        return error_set(err, CNM_UNSUPPORTED, "%s: LIBSVM rows have no column for the weight, csv or arff rows may",
                         source_name(input));
    }
    const cnm_status status = memory_zeroed(&self, 1, sizeof *self, "a reader", err);
    if (status == CNM_OK) {
        const bool none = options->label_column != NULL && strcmp(options->label_column, "none") == 0;
        self->lines.source = input;
        self->callbacks = callbacks;
        self->base = options->index_base;
        self->expected = options->expects ? options->columns : 0;
        self->may_lack_labels = none || options->expects;
        self->drop_labels = none && !options->expects; /* a model learned without labels may still be tested on some */
        *state = self;
    }
    return status;
}

static const char *label_name(void *state) {
    const libsvm_reader *self = state;
    return self->drop_labels || (self->known && !self->labelled) ? "none" : "first";
}

static index_base found_base(void *state) { return ((libsvm_reader *)state)->base; }

const format_ops FORMAT_LIBSVM = {.name = "libsvm",
                                  .recognise = libsvm_recognise,
                                  .open = open_libsvm,
                                  .next = next,
                                  .label_column = label_name,
                                  .index_base = found_base,
                                  .close = close_libsvm};
