/* Writes rows: the output of `cnm convert` and `cnm transform`. */
#ifndef CNM_DATA_WRITE_WRITER_H
#define CNM_DATA_WRITE_WRITER_H

#include "data/table/table.h"

/* Writes a table. format: "libsvm", "csv" or "npy"; NULL goes by the name's ending. Labels go first
 * in libsvm, last (column "label") in csv, and for npy into labels_path where that is given (as
 * numbers; words are an error with a hint at csv). Weights and groups go into csv only, as the
 * columns "weight" and "group", the latter as words that stand for the original groups. With a
 * base, npy is float64. Words and times are text in csv; for the other formats a table with such
 * columns becomes the features that a training would make of it (encoder.h). */
cnm_status table_write(const table *self, const char *path, const char *format, const char *labels_path,
                       cnm_error *err);

/* A growing .npy file of float32 (rows, columns), written under another name until npy_commit. The
 * number of rows must be known. */
typedef struct npy_writer npy_writer;
cnm_status npy_create(npy_writer **out, const char *path, size_t rows, size_t columns, cnm_error *err);
cnm_status npy_add(npy_writer *self, const float *values, size_t rows, cnm_error *err);
cnm_status npy_commit(npy_writer *self, cnm_error *err);
void npy_abandon(npy_writer *self);

#endif
