/* Rows from bytes, a batch at a time or all at once. One format is one file and one row in FORMATS (reader.c).
 *
 * Every error names the file and, for text, the line: "FILE:LINE: what was found, what was expected". */
#ifndef CNM_DATA_READ_READER_H
#define CNM_DATA_READ_READER_H

#include "data/read/byte_source.h"
#include "data/table/table.h"

typedef enum missing_policy {
    MISSING_ERROR, /* the first batch with any ends in an error that counts all in the file and names the first */
    MISSING_KEEP   /* they become NaN; the caller fills them */
} missing_policy;

/* What LIBSVM indices count from. */
typedef enum index_base {
    INDEX_UNKNOWN, /* to be told from the file: from 0 when index 0 is among the first rows */
    INDEX_FROM_ZERO,
    INDEX_FROM_ONE
} index_base;

/* How to read. Zero-initialised is a good default. Texts are borrowed. */
typedef struct reader_options {
    const char *format;        /* NULL or "auto", "libsvm", "csv", "arff", "npy", "idx" */
    const char *labels_path;   /* a second file of labels for npy, idx (same formats, or one label a line) */
    const char *label_column;  /* NULL or "auto", "first", "last", "none", a number from 1, or a name */
    const char *weight_column; /* NULL, a number from 1, or a name */
    const char *group_column;  /* NULL or "none", a number from 1, or a name */
    char separator;            /* csv: 0 detects among , ; tab | blank */
    int header;                /* csv: 0 detects, 1 there is one, -1 there is none */
    missing_policy missing;
    index_base index_base; /* libsvm */
    /* What a model expects: its columns (0: take what is there), their names (may be NULL), and the base to subtract from
     * dense columns (may be NULL). With columns given, columns are matched by name where both sides have names; otherwise
     * `columns` of them mean unlabelled, one more means labelled at label_column; a LIBSVM index beyond them is dropped and
     * counted; anything else is an error. */
    size_t columns;
    const char *const *names;
    const double *base;
    bool expects;        /* the four fields above count */
    bool group_recalled; /* the group column is the model's, nobody's wish: rows may lack it */
    /* Nothing but time and memory depends on these: */
    size_t threads;    /* that read text, the caller counted; 0: all */
    size_t block_size; /* bytes of text that a thread reads at once; 0: 256 KiB */
} reader_options;

typedef struct reader reader;

cnm_status reader_open(reader **out, const char *path, const reader_options *options, const cnm_callbacks *callbacks,
                       cnm_error *err);
cnm_status reader_from_source(reader **out, source *input, const reader_options *options,
                              const cnm_callbacks *callbacks, cnm_error *err); /* takes input, also on failure */
void reader_close(reader *self);

/* At most max_rows rows in a fresh table; *out = NULL after the last one. Batches keep the format's representation: CSR
 * for LIBSVM, dense for the rest. Without `expects` a LIBSVM batch's columns are the largest index seen so far. */
cnm_status reader_next(reader *self, size_t max_rows, table **out, cnm_error *err);

/* The label column that was found: "first", "last", "none", a number or a name: what a model keeps. */
const char *reader_label_column(const reader *self);
const char *reader_format(const reader *self);
/* What the indices count from, once a batch was read; INDEX_UNKNOWN before, and for every format but LIBSVM. */
index_base reader_index_base(const reader *self);

/* Everything at once, settled (table_settle). An empty file is an error. *label (may be NULL) is what
 * reader_label_column says, to be freed with memory_free; *base (may be NULL) what reader_index_base says. */
cnm_status table_read(table **out, const char *path, const reader_options *options, char **label, index_base *base,
                      const cnm_callbacks *callbacks, cnm_error *err);

#endif
