/* Notices about what was guessed of a file of separated values. Only the files of this module use
 * it. */
#ifndef CNM_DATA_FORMATS_CSV_NOTICES_H
#define CNM_DATA_FORMATS_CSV_NOTICES_H

#include "data/formats/csv_shape.h"

/* Sends a notice for each guess that decided about columns which the options leave open. */
void csv_notices_send(const char *file, const csv_shape *shape, const column_plan *columns,
                      const reader_options *options, const cnm_callbacks *callbacks);

#endif
