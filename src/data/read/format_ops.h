/* A format's row: how it is told from others, and how its rows are read. Only the files of this room use it. */
#ifndef CNM_DATA_READ_FORMAT_OPS_H
#define CNM_DATA_READ_FORMAT_OPS_H

#include "data/read/reader.h"

typedef struct format_ops {
    const char *name;
    bool takes_labels; /* from a file of their own (labels_path) */
    bool appends;      /* next adds to a table that has rows of this reader as well */
    /* How sure these first bytes are of this format, 0 to 100; the surest wins. `path` may help, never decide alone. */
    int (*recognise)(const unsigned char *bytes, size_t size, const char *path);
    /* A format's own reader state, from the source (borrowed; the reader closes it). */
    cnm_status (*open)(void **state, source *input, const reader_options *options, const cnm_callbacks *callbacks,
                       cnm_error *err);
    /* Adds up to max_rows rows to an empty table; none added means the end. */
    cnm_status (*next)(void *state, size_t max_rows, table *out, cnm_error *err);
    const char *(*label_column)(void *state); /* see reader_label_column; may be NULL */
    index_base (*index_base)(void *state);    /* see reader_index_base; may be NULL */
    size_t (*rows)(void *state); /* how many there are, where that is sure before they are read, else 0; may be NULL */
    void (*close)(void *state);
} format_ops;

extern const format_ops FORMAT_LIBSVM, FORMAT_CSV, FORMAT_ARFF, FORMAT_NPY, FORMAT_IDX;

#endif
