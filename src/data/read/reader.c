/* Rows from bytes: detects the format, hands out batches, gathers whole files. */
#include "data/read/reader.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/read/format_ops.h"

enum { BATCH_ROWS = 8192 };

/* One row per format. */
static const format_ops *const FORMATS[] = {&FORMAT_LIBSVM, &FORMAT_CSV, &FORMAT_ARFF, &FORMAT_NPY, &FORMAT_IDX};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

const char *format_name(size_t i) { return i < FORMAT_COUNT ? FORMATS[i]->name : NULL; }

struct reader {
    byte_source *source;
    const format_ops *format;
    void *state;
    cnm_callbacks callbacks;
    uint64_t given;    /* rows */
    uint64_t last_row; /* see reader_options */
    bool guessed;      /* the encoding, which was not said yet */
};

/* Finds the format by name. */
static cnm_status name_format(const format_ops **out, const char *wanted, cnm_error *err) {
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(FORMATS[i]->name, wanted) == 0) {
            *out = FORMATS[i];
            return CNM_OK;
        }
    }
    return error_set(err, CNM_BAD_ARGUMENT, "format: found '%s', expected auto, libsvm, csv, arff, npy or idx", wanted);
}

static cnm_status find_format(const format_ops **out, byte_source *input, const char *wanted, cnm_error *err) {
    *out = NULL;
    if (wanted != NULL && *wanted != '\0' && strcmp(wanted, "auto") != 0) {
        return name_format(out, wanted, err);
    }
    const unsigned char *bytes;
    size_t size;
    TRY(byte_source_peek(input, &bytes, &size, err));
    int surest = 0;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const int sure = FORMATS[i]->recognise(bytes, size, byte_source_name(input));
        if (sure > surest) {
            surest = sure;
            *out = FORMATS[i];
        }
    }
    return CNM_OK;
}

/* What the option "encoding" means; UTF-16 has two byte orders. */
typedef enum wanted_encoding { WANT_AUTO, WANT_UTF8, WANT_LATIN1, WANT_UTF16 } wanted_encoding;

static cnm_status read_encoding(const char *name, wanted_encoding *out, cnm_error *err) {
    static const char *const NAMES[] = {"auto", "utf-8", "latin-1", "utf-16"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (name == NULL || *name == '\0' || strcmp(name, NAMES[i]) == 0) {
            *out = (wanted_encoding)i;
            return CNM_OK;
        }
    }
    return error_set(err, CNM_BAD_ARGUMENT, "encoding: found '%s', expected auto, utf-8, latin-1 or utf-16", name);
}

/* Decodes UTF-16 before the format is looked for: its bytes look like no format. */
static cnm_status decode_utf16(reader *self, wanted_encoding wanted, cnm_error *err) {
    const unsigned char *bytes;
    size_t size;
    text_encoding found;
    TRY(byte_source_peek(self->source, &bytes, &size, err));
    const bool looks = text_is_utf16(bytes, size, &found);
    return wanted == WANT_UTF16 || (wanted == WANT_AUTO && looks) ? byte_source_decode(self->source, found, err)
                                                                  : CNM_OK;
}

static cnm_status decode(reader *self, const reader_options *options, cnm_error *err) {
    wanted_encoding wanted = WANT_AUTO;
    TRY(read_encoding(options->encoding, &wanted, err));
    TRY(decode_utf16(self, wanted, err));
    TRY(find_format(&self->format, self->source, options->format, err));
    self->guessed = wanted == WANT_AUTO;
    if (!self->format->text || wanted == WANT_UTF8 || byte_source_encoding(self->source) != ENCODING_UTF8) {
        return CNM_OK;
    }
    return byte_source_decode(self->source, wanted == WANT_LATIN1 ? ENCODING_LATIN1 : ENCODING_OPEN, err);
}

/* Says once which encoding was found. */
static void note_encoding(reader *self) {
    static const char *const SENTENCES[] = {
        [ENCODING_LATIN1] = "%s: the text is not UTF-8 and is read as Latin-1 (Windows-1252); --encoding settles it",
        [ENCODING_UTF16_LE] = "%s: the text is read as UTF-16; --encoding settles it",
        [ENCODING_UTF16_BE] = "%s: the text is read as UTF-16; --encoding settles it",
    };
    const char *sentence = SENTENCES[byte_source_encoding(self->source)];
    if (self->guessed && sentence != NULL) {
        self->guessed = false;
        notice_send(&self->callbacks, sentence, byte_source_name(self->source));
    }
}

static cnm_status open_format(reader *self, const reader_options *options, cnm_error *err) {
    TRY(decode(self, options, err));
    if (!self->format->takes_labels && options->labels_path != NULL && *options->labels_path) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: labels of their own go with npy and idx, but this is %s",
                         byte_source_name(self->source), self->format->name);
    }
    TRY(self->format->open(&self->state, self->source, options, &self->callbacks, err));
    note_encoding(self);
    return CNM_OK;
}

cnm_status reader_from_source(reader **out, byte_source *input, const reader_options *options,
                              const cnm_callbacks *callbacks, cnm_error *err) {
    static const reader_options DEFAULTS = {0};
    reader *self;
    *out = NULL;
    options = options != NULL ? options : &DEFAULTS;
    cnm_status status = memory_zeroed(&self, 1, sizeof *self, "a reader", err);
    if (status != CNM_OK) {
        byte_source_close(input);
        return status;
    }
    self->source = input;
    self->callbacks = callbacks != NULL ? *callbacks : (cnm_callbacks){0};
    status = open_format(self, options, err);
    self->last_row = self->format != NULL && self->format->stops ? options->last_row : 0;
    if (status != CNM_OK) {
        reader_close(self);
        return status;
    }
    *out = self;
    return CNM_OK;
}

cnm_status reader_open(reader **out, const char *path, const reader_options *options, const cnm_callbacks *callbacks,
                       cnm_error *err) {
    byte_source *input;
    *out = NULL;
    TRY(byte_source_open(&input, path, err));
    return reader_from_source(out, input, options, callbacks, err);
}

void reader_close(reader *self) {
    if (self == NULL) {
        return;
    }
    if (self->state != NULL) {
        self->format->close(self->state);
    }
    byte_source_close(self->source);
    memory_free(self);
}

/* Returns the share of the file that was read: of its rows where their number is known, else of its
 * bytes; NaN: not known. */
static double share_read(const reader *self) {
    size_t done, total;
    const size_t rows = self->format->rows != NULL ? self->format->rows(self->state) : 0;
    if (rows > 0) {
        return fmin((double)self->given / (double)rows, 1.0);
    }
    return byte_source_progress(self->source, &done, &total) ? fmin((double)done / (double)total, 1.0) : (double)NAN;
}

/* Reports that so many more rows were read. */
static cnm_status report(reader *self, size_t more, cnm_error *err) {
    self->given += more;
    note_encoding(self); /* the first bytes need not tell */
    const cnm_progress progress = {.struct_size = sizeof(cnm_progress),
                                   .phase = "read",
                                   .done = self->given,
                                   .loss = NAN,
                                   .validation = NAN,
                                   .fraction = share_read(self)};
    return self->callbacks.progress != NULL && self->callbacks.progress(&progress, self->callbacks.user) != 0
               ? error_set(err, CNM_CANCELLED, "reading was stopped")
               : CNM_OK;
}

/* Returns how many of max_rows rows are wanted. */
static size_t rows_wanted(const reader *self, size_t max_rows) {
    const uint64_t left = self->last_row > self->given ? self->last_row - self->given : 0;
    return self->last_row > 0 && left < max_rows ? (size_t)left : max_rows;
}

cnm_status reader_next(reader *self, size_t max_rows, table **out, cnm_error *err) {
    table *batch;
    *out = NULL;
    if (max_rows == 0) {
        return error_set(err, CNM_BAD_ARGUMENT, "a batch of 0 rows was asked for");
    }
    const size_t wanted = rows_wanted(self, max_rows);
    if (wanted == 0) {
        return CNM_OK;
    }
    cnm_status status;
    TRY(table_create(&batch, err));
    TRY_DONE(self->format->next(self->state, wanted, batch, err));
    if (batch->rows > 0) {
        TRY_DONE(report(self, batch->rows, err));
        *out = batch;
        return CNM_OK;
    }
done:
    table_destroy(batch);
    return status;
}

const char *reader_label_column(const reader *self) {
    return self->format->label_column != NULL ? self->format->label_column(self->state) : "none";
}

const char *reader_label_reason(const reader *self) {
    return self->format->label_reason != NULL ? self->format->label_reason(self->state) : NULL;
}

const char *reader_format(const reader *self) { return self->format->name; }

index_base reader_index_base(const reader *self) {
    return self->format->index_base != NULL ? self->format->index_base(self->state) : INDEX_UNKNOWN;
}

/* Reads the next batch behind the rows of out; *more = false when there is none. */
static cnm_status read_batch(reader *self, table *out, bool *more, cnm_error *err) {
    const size_t before = out->rows, wanted = rows_wanted(self, BATCH_ROWS);
    *more = false;
    if (wanted == 0) {
        return CNM_OK;
    }
    if (self->format->appends) {
        TRY(self->format->next(self->state, wanted, out, err));
        *more = out->rows > before;
        return *more ? report(self, out->rows - before, err) : CNM_OK;
    }
    table *batch;
    TRY(reader_next(self, BATCH_ROWS, &batch, err));
    if (batch == NULL) {
        return CNM_OK;
    }
    *more = true;
    const cnm_status status = table_append(out, batch, err);
    table_destroy(batch);
    return status;
}

/* Reserves memory for the whole file as the rows so far let expect, and some more; never very many
 * times the present amount. */
static void reserve(const reader *self, table *out) {
    enum { MOST_GROWTH = 64 };
    size_t done, total, cells_in_all;
    const size_t rows = self->format->rows != NULL ? self->format->rows(self->state) : 0;
    if (rows > 0 && size_multiply(rows, out->columns, &cells_in_all)) {
        table_reserve(out, rows, cells_in_all);
        return;
    }
    if (!byte_source_progress(self->source, &done, &total) || done == 0 || total <= done) {
        return;
    }
    const size_t cells = out->starts != NULL ? out->starts[out->rows] : out->rows * out->columns;
    const double expected = 1.05 * (double)total / (double)done;
    const double grows = expected < MOST_GROWTH ? expected : MOST_GROWTH;
    table_reserve(out, (size_t)(grows * (double)out->rows), (size_t)(grows * (double)cells));
}

/* Reads all rows. */
static cnm_status read_all(reader *self, table *out, cnm_error *err) {
    for (size_t batches = 1, next = 1;; batches++) {
        bool more;
        TRY(read_batch(self, out, &more, err));
        if (!more) {
            return CNM_OK;
        }
        if (batches == next) { /* the more is known, the better the guess */
            reserve(self, out);
            next *= 8;
        }
    }
}

cnm_status table_read(table **out, const char *path, const reader_options *options, read_facts *facts,
                      const cnm_callbacks *callbacks, cnm_error *err) {
    reader *from = NULL;
    table *all = NULL;
    read_facts found = {.base = INDEX_UNKNOWN};
    *out = NULL;
    if (facts != NULL) {
        *facts = found;
    }
    cnm_status status;
    TRY_DONE(reader_open(&from, path, options, callbacks, err));
    TRY_DONE(table_create(&all, err));
    TRY_DONE(read_all(from, all, err));
    if (all->rows == 0 || all->columns == 0) {
        TRY_DONE(error_set(err, CNM_BAD_DATA, "%s: found no %s, expected at least one", byte_source_name(from->source),
                           all->rows == 0 ? "rows" : "values in any row"));
    }
    TRY_DONE(table_settle(all, err));
    if (facts != NULL) {
        TRY_DONE(memory_copy_text(&found.label, reader_label_column(from), err));
        found.label_reason = reader_label_reason(from);
        found.base = reader_index_base(from);
        *facts = found;
    }
    *out = all;
    all = NULL;
done:
    reader_close(from);
    table_destroy(all);
    return status;
}
