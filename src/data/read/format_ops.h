/* One row of the table of formats: how a format is recognised, and how its rows are read. Only the
 * files of this module use it. */
#ifndef CNM_DATA_READ_FORMAT_OPS_H
#define CNM_DATA_READ_FORMAT_OPS_H

#include "data/read/byte_source.h"
#include "data/read/reader_options.h"
#include "data/table/table.h"

typedef struct format_ops {
    const char *name;
    bool takes_labels; /* from a file of their own (labels_path) */
    bool text;         /* bytes are text, in any encoding */
    bool stops;        /* at reader_options.last_row: later rows change nothing in those before */
    bool appends;      /* next also adds to a table that has rows of this reader */
    /* Returns the confidence that these first bytes are of this format, 0 to 100; the highest wins.
     * `path` may help, never decide alone. */
    int (*recognise)(const unsigned char *bytes, size_t size, const char *path);
    /* Creates the format's own reader state from the source (borrowed; the reader closes it). */
    cnm_status (*open)(void **state, byte_source *input, const reader_options *options, const cnm_callbacks *callbacks,
                       cnm_error *err);
    /* Adds up to max_rows rows to an empty table; none added means the end. */
    cnm_status (*next)(void *state, size_t max_rows, table *out, cnm_error *err);
    const char *(*label_column)(void *state); /* see reader_label_column; may be NULL */
    const char *(*label_reason)(void *state); /* see reader_label_reason; may be NULL */
    index_base (*index_base)(void *state);    /* see reader_index_base; may be NULL */
    /* Returns the number of rows, 0 where that is not known before they are read; may be NULL. */
    size_t (*rows)(void *state);
    void (*close)(void *state);
} format_ops;

extern const format_ops FORMAT_LIBSVM, FORMAT_CSV, FORMAT_ARFF, FORMAT_NPY, FORMAT_IDX;

#endif
