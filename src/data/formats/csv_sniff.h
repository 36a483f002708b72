/* Detects the shape of a file of separated values from its first lines. Only the files of this
 * module use it. */
#ifndef CNM_DATA_FORMATS_CSV_SNIFF_H
#define CNM_DATA_FORMATS_CSV_SNIFF_H

#include "data/formats/csv_shape.h"

/* Detects the shape from the first lines [bytes, bytes + size) of a file, behind which there may be
 * more; options override. Sets columns to 0 when there is no row at all. */
cnm_status csv_sniff(csv_shape *out, const char *bytes, size_t size, bool more, const char *file,
                     const reader_options *options, cnm_error *err);
void csv_shape_free(csv_shape *self);

#endif
