/* The first rows of a file of separated values, from which csv_sniff.c detects its shape. Only the
 * files of this module use it. */
#ifndef CNM_DATA_FORMATS_CSV_SAMPLE_H
#define CNM_DATA_FORMATS_CSV_SAMPLE_H

#include <stdbool.h>

#include "cnm/types.h"

/* A copy of the bytes, since cells are decoded in place. Row i is lines[i] .. ends[i], over several
 * lines where a quoted cell extends so. Comments at the top, a line sep=; and blank lines are no
 * rows; skipped counts those before the first. */
typedef struct csv_sample {
    char *bytes;
    const char *original; /* (size), borrowed */
    size_t size;
    char **lines, **ends;
    size_t count, skipped;
    bool cut; /* there are more bytes than these rows */
} csv_sample;

/* Cuts a copy of bytes into rows. separators: all bytes that may separate cells, and so precede an
 * opening quote. On failure out is empty. */
cnm_status csv_sample_create(csv_sample *out, const char *bytes, size_t size, const char *separators, cnm_error *err);
/* Undoes the decoding of cells. */
void csv_sample_restore(const csv_sample *self);
void csv_sample_free(csv_sample *self);

#endif
