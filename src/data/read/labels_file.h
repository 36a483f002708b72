/* Labels from a file of their own: npy or idx with one dimension, or text with one label a line.
 * Only the files of this module use it. */
#ifndef CNM_DATA_READ_LABELS_FILE_H
#define CNM_DATA_READ_LABELS_FILE_H

#include "data/read/byte_source.h"
#include "data/table/table.h"

/* Reads labels into an empty out, which is empty again on failure. */
cnm_status labels_file_read(label_column *out, const char *path, cnm_error *err);
/* Reads labels from a source that was not read from yet; the caller closes it. */
cnm_status labels_source_read(label_column *out, byte_source *input, cnm_error *err);

#endif
