/* Columns of few words (categories) of a file of separated values, found in its first lines. Only
 * the files of this module use it. */
#ifndef CNM_DATA_FORMATS_CSV_CATEGORIES_H
#define CNM_DATA_FORMATS_CSV_CATEGORIES_H

#include "data/formats/csv_sample.h"
#include "data/formats/csv_shape.h"

/* Sets shape->guess.words of a shape whose other fields are known; lines are decoded in place. */
cnm_status csv_categories_find(csv_shape *shape, const csv_sample *lines, cnm_error *err);
void csv_categories_free(csv_shape *shape);

#endif
