/* Which columns of a file of separated values hold few words, judged by its first lines. Only the files of this room use it. */
#ifndef CNM_DATA_FORMATS_CSV_CATEGORIES_H
#define CNM_DATA_FORMATS_CSV_CATEGORIES_H

#include "data/formats/csv_sample.h"
#include "data/formats/csv_sniff.h"

/* Sets shape->guess.words, for a shape whose other fields are known; lines are decoded in place. */
cnm_status csv_find_words(csv_shape *shape, const csv_sample *lines, cnm_error *err);
void csv_words_free(csv_shape *shape);

#endif
