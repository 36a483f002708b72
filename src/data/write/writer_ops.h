/* One row of the table of writers: a format that tables are written in. Only the files of this
 * module use it. */
#ifndef CNM_DATA_WRITE_WRITER_OPS_H
#define CNM_DATA_WRITE_WRITER_OPS_H

#include "base/file/file.h"
#include "base/text/text.h"
#include "data/table/table.h"

typedef struct writer_ops {
    const char *name;
    const char *const *endings; /* NULL-terminated: names that mean this format */
    bool takes_labels;          /* writes labels into a file of their own */
    bool takes_words;           /* writes words and times as text; others get features instead */
    cnm_status (*write)(const table *self, const char *path, const char *labels_path, cnm_error *err);
} writer_ops;

extern const writer_ops WRITER_LIBSVM, WRITER_CSV, WRITER_NPY;

/* Text that is written to a file in blocks. */
typedef struct text_writer {
    file_writer *file;
    text_buffer pending;
} text_writer;

cnm_status text_writer_open(text_writer *self, const char *path, cnm_error *err);
/* Writes the pending text when there is much of it: call after each row. */
cnm_status text_writer_row(text_writer *self, cnm_error *err);
/* Ends self: commits when status is CNM_OK, else abandons; returns the first failure. */
cnm_status text_writer_close(text_writer *self, cnm_status status, cnm_error *err);

/* Adds column j's value as it was read: floats in their shortest form, with a base in double. */
cnm_status text_add_value(text_buffer *out, const double *base, size_t j, float stored, cnm_error *err);

#endif
