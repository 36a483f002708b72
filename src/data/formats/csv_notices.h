/* What was guessed about a file of separated values, said to a person. Only the files of this room use it. */
#ifndef CNM_DATA_FORMATS_CSV_NOTICES_H
#define CNM_DATA_FORMATS_CSV_NOTICES_H

#include "data/formats/csv_sniff.h"

/* Sends what the shape's guesses made of the columns, where the options left them open. */
void csv_tell(const char *file, const csv_shape *shape, const column_plan *columns, const reader_options *options,
              const cnm_callbacks *callbacks);

#endif
