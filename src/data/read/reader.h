/* Rows from bytes, a batch at a time or all at once. One format is one file and one row in FORMATS
 * (reader.c).
 *
 * Every error names the file and, for text, the line: "FILE:LINE: what was found, what was
 * expected". */
#ifndef CNM_DATA_READ_READER_H
#define CNM_DATA_READ_READER_H

#include "data/read/byte_source.h"
#include "data/read/reader_options.h"
#include "data/table/table.h"

typedef struct reader reader;

cnm_status reader_open(reader **out, const char *path, const reader_options *options, const cnm_callbacks *callbacks,
                       cnm_error *err);
/* Opens a reader of input, which is the reader's from then on, also on failure. */
cnm_status reader_from_source(reader **out, byte_source *input, const reader_options *options,
                              const cnm_callbacks *callbacks, cnm_error *err);
void reader_close(reader *self);

/* Reads at most max_rows rows into a new table; *out = NULL after the last one. Batches keep the
 * format's representation: CSR for LIBSVM, dense for the rest. Without `expects` a LIBSVM batch's
 * columns are the largest index seen so far. */
cnm_status reader_next(reader *self, size_t max_rows, table **out, cnm_error *err);

/* Returns the label column that was found ("first", "last", "none", a number or a name), as a model
 * keeps it. */
const char *reader_label_column(const reader *self);
/* Returns why it is that column ("by its name"), or NULL: an option says so. The text is static. */
const char *reader_label_reason(const reader *self);
const char *reader_format(const reader *self);

/* Returns the name of the i-th format of the table, NULL behind the last. */
const char *format_name(size_t i);
/* Returns what the indices count from, once a batch was read; INDEX_UNKNOWN before, and for every
 * format but LIBSVM. */
index_base reader_index_base(const reader *self);

/* What a reader has found out about a file. */
typedef struct read_facts {
    char *label;              /* reader_label_column, to be freed with memory_free */
    const char *label_reason; /* reader_label_reason */
    index_base base;          /* reader_index_base */
} read_facts;

/* Reads everything at once and calls table_settle. An empty file is an error. facts may be NULL. */
cnm_status table_read(table **out, const char *path, const reader_options *options, read_facts *facts,
                      const cnm_callbacks *callbacks, cnm_error *err);

#endif
