/* LIBSVM rows of one block of lines. Plain pairs behind one blank take a fast path, everything else
 * the general one, which also reports mistakes. */
#include "data/formats/libsvm_block.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "base/text/text_plain.h"
#include "data/formats/libsvm_line.h"
#include "data/read/text_cells.h"

/* A row being read. */
typedef struct row_state {
    libsvm_block *block;
    const line_reader *lines;
    size_t held;     /* values stored so far */
    int64_t last;    /* the index before, -1 at first */
    uint32_t column; /* the largest index so far */
} row_state;

static cnm_status word_error(const row_state *row, libsvm_word word, const char *expected, cnm_error *err) {
    char shown[SHOWN_SIZE];
    (void)error_set(err, CNM_BAD_FORMAT, "found %s, expected %s",
                    show(shown, word.text, (size_t)(word.end - word.text)), expected);
    return lines_position(row->lines, CNM_BAD_FORMAT, err);
}

/* Checks a pair's index against the index before. */
static cnm_status check_index(row_state *row, libsvm_word word, uint64_t index, cnm_error *err) {
    libsvm_block *block = row->block;
    if (index > LIBSVM_INDICES - 1) {
        return word_error(row, word, "an index below 2147483648", err);
    }
    if ((int64_t)index <= row->last) {
        return word_error(row, word, (int64_t)index == row->last ? "each index once" : "ascending indices", err);
    }
    if (index == 0 && block->zero_row == SIZE_MAX) {
        block->zero_row = block->rows.rows;
        block->zero_line = row->lines->line;
        (void)show(block->zero_word, word.text, (size_t)(word.end - word.text));
    }
    row->last = (int64_t)index;
    return CNM_OK;
}

/* Reads any word behind the label. */
static cnm_status read_word(row_state *row, libsvm_word word, cnm_error *err) {
    uint64_t index = 0;
    double value = 0;
    switch (libsvm_read_pair(word, &index, &value)) {
    case PAIR_GROUP:
        return CNM_OK;
    case PAIR_NONE:
        return word_error(row, word, "index:value", err);
    case PAIR_BAD_INDEX:
        return word_error(row, word, "a whole number before the colon", err);
    case PAIR_BAD_VALUE:
        return word_error(row, word, "a number after the colon", err);
    case PAIR_VALUE:
        break;
    }
    TRY(check_index(row, word, index, err));
    if (!isfinite((float)value)) {
        return word_error(row, word, "a finite value below 3.4e38 in size", err);
    }
    row->column = index > row->column ? (uint32_t)index : row->column;
    row->block->rows.values[row->held] = (float)value;
    row->block->rows.index[row->held] = (uint32_t)index;
    row->held += (float)value != 0; /* absent cells are 0 anyway */
    return CNM_OK;
}

/* Reads the number from `at` to the blank that is `length` bytes away (16 or more: perhaps none).
 * Returns the bytes behind the number, or NULL when it is not plain or ends elsewhere. */
static inline const char *read_value(const char *at, unsigned length, const char *end, double *value) {
    if (length - 1 < DIGITS_AT_ONCE && text_is_short(at, length, value)) {
        return at + length;
    }
    const char *stop = text_read_plain(at, value);
    return stop != NULL && (stop == end || is_blank(*stop)) ? stop : NULL;
}

/* Reads pairs such as " 17:0.25" as long as they are plain; returns where they end. The block's
 * padding is behind end. */
static const char *read_plain_pairs(row_state *row, const char *at, const char *end) {
    float *values = row->block->rows.values;
    uint32_t *indices = row->block->rows.index;
    size_t held = row->held;
    int64_t last = row->last;
    while (*at == ' ') {
        const unsigned whole = digits_before(++at, ' ');
        const uint64_t loaded = digits_load(at);
        const unsigned run = digits_run(loaded);
        const int64_t index = (int64_t)digits_some(loaded, run & 7);
        double value;
        const char *stop = NULL;
        /* Without digits the index reads as 0. */
        if (run < DIGITS_AT_ONCE && index > last && index > 0 && at[run] == ':') {
            stop = read_value(at + run + 1, whole - run - 1, end, &value);
        }
        if (stop == NULL) {
            at--;
            break;
        }
        values[held] = (float)value;
        indices[held] = (uint32_t)index;
        held += (float)value != 0;
        last = index;
        at = stop;
    }
    if (last > row->last) {
        row->last = last;
        row->column = (uint32_t)last; /* they ascend */
    }
    row->held = held;
    return at;
}

static cnm_status read_pairs(row_state *row, const char *at, const char *end, cnm_error *err) {
    for (;;) {
        libsvm_word word;
        at = read_plain_pairs(row, at, end);
        if (!libsvm_next_word(&at, end, &word)) {
            return CNM_OK;
        }
        TRY(read_word(row, word, err));
    }
}

static cnm_status read_label(row_state *row, libsvm_word word, bool drop, cnm_error *err) {
    label_column *labels = &row->block->rows.labels;
    const size_t length = (size_t)(word.end - word.text);
    double value;
    cnm_status status = CNM_OK;
    if (text_is_double(word.text, word.end, &value)) {
        if (!isfinite(value)) {
            return word_error(row, word, "a label that is a finite number or a word", err);
        }
        status = drop ? CNM_OK : labels_add_number(labels, value, err);
    } else if (memchr(word.text, ',', length) != NULL) {
        return word_error(row, word, "one label a row, not several", err);
    } else if (!drop) {
        status = labels_add_text(labels, word.text, length, err);
    }
    return status == CNM_OK || status == CNM_NO_MEMORY ? status : lines_position(row->lines, status, err);
}

static bool is_label(libsvm_word word) {
    uint64_t index;
    double value;
    return libsvm_read_pair(word, &index, &value) == PAIR_NONE;
}

static cnm_status read_row(row_state *row, const libsvm_rules *rules, libsvm_word first, const char *end,
                           cnm_error *err) {
    libsvm_block *block = row->block;
    table *out = &block->rows;
    const bool taken = is_label(first);
    if (taken != block->labelled) {
        return word_error(row, first,
                          block->labelled ? "a label first (rows without labels need --label-column none)"
                                          : "index:value, since the rows before have no labels",
                          err);
    }
    TRY(taken ? read_label(row, first, rules->drop_labels, err) : CNM_OK);
    TRY(read_pairs(row, taken ? first.end : first.text, end, err));
    TRY(memory_grow(&out->starts, &out->start_capacity, out->rows + 2, sizeof *out->starts, "rows", err));
    TRY(memory_grow(&block->largest, &block->largest_capacity, out->rows + 1, sizeof *block->largest, "rows", err));
    block->largest[out->rows] = row->column;
    out->starts[++out->rows] = row->held;
    return CNM_OK;
}

/* Prepares an empty table with memory for all values that the bytes can hold: a value takes at
 * least four of them, as "1:2 " does. */
static cnm_status begin_rows(libsvm_block *self, cnm_error *err) {
    table *out = &self->rows;
    const size_t most = self->text.size / 4 + 2;
    out->rows = 0;
    if (out->labels.words.texts != NULL) {
        labels_free(&out->labels);
    }
    out->labels.rows = 0;
    TRY(memory_grow(&out->starts, &out->start_capacity, 1, sizeof *out->starts, "rows", err));
    out->starts[0] = 0;
    TRY(memory_grow(&out->values, &out->cell_capacity, most, sizeof *out->values, "rows", err));
    return memory_grow(&out->index, &out->index_capacity, most, sizeof *out->index, "rows", err);
}

void libsvm_block_begin(libsvm_block *self, libsvm_rules *rules) {
    const char *at = self->text.bytes;
    const char *stop = self->text.size > 0 ? at + self->text.size : at; /* bytes may be NULL */
    while (!rules->known && at < stop) {
        libsvm_word word;
        const char *newline = memchr(at, '\n', (size_t)(stop - at)), *end = newline != NULL ? newline : stop;
        end -= end > at && end[-1] == '\r';
        if (libsvm_next_word(&at, end, &word)) {
            rules->known = true;
            rules->labelled = is_label(word) || !rules->may_lack_labels;
        }
        at = newline != NULL ? newline + 1 : stop;
    }
    self->labelled = rules->labelled;
}

static cnm_status read_rows(libsvm_block *self, const libsvm_rules *rules, line_reader *lines, cnm_error *err) {
    for (;;) {
        char *line;
        size_t length;
        libsvm_word word;
        TRY(lines_next(lines, &line, &length, err));
        if (line == NULL) {
            return CNM_OK;
        }
        const char *at = line, *end = line + length;
        if (libsvm_next_word(&at, end, &word)) {
            row_state row = {.block = self, .lines = lines, .held = self->rows.starts[self->rows.rows], .last = -1};
            TRY(read_row(&row, rules, word, end, err));
        }
    }
}

void libsvm_block_read(libsvm_block *self, const libsvm_rules *rules) {
    cnm_error *err = &self->text.err;
    const cnm_status begun = begin_rows(self, err);
    self->zero_row = SIZE_MAX;
    self->rows.columns = LIBSVM_INDICES; /* indices as written */
    self->rows.labelled = self->labelled && !rules->drop_labels;
    line_reader lines =
        self->text.size > 0 ? line_block_reader(rules->source, &self->text) : (line_reader){.ended = true};
    const cnm_status status = begun != CNM_OK ? begun : read_rows(self, rules, &lines, err);
    if (status != CNM_OK) {
        self->text.status = status;
    }
}

void libsvm_block_free(libsvm_block *self) {
    memory_free(self->text.bytes);
    memory_free(self->rows.values);
    memory_free(self->rows.index);
    memory_free(self->rows.starts);
    labels_free(&self->rows.labels);
    memory_free(self->largest);
    *self = (libsvm_block){0};
}
