/* One text a row, kept as it is: what names the rows of a file in the predictions for them. */
#ifndef CNM_DATA_TABLE_TEXT_COLUMN_H
#define CNM_DATA_TABLE_TEXT_COLUMN_H

#include "cnm/types.h"

/* Zero-initialised it has no rows. A caller may lower `rows` to drop the last ones. */
typedef struct text_column {
    size_t rows;
    char *bytes;  /* of all texts, one behind the other */
    size_t *ends; /* (rows): where each text ends in bytes */
    size_t byte_capacity, end_capacity;
} text_column;

/* Adds the text of one more row. */
cnm_status texts_add(text_column *self, const char *text, size_t length, cnm_error *err);
/* Adds the texts of count rows of other, from `first` on. */
cnm_status texts_append(text_column *self, const text_column *other, size_t first, size_t count, cnm_error *err);
/* Returns a row's text, which is not terminated, and its length. */
const char *texts_at(const text_column *self, size_t row, size_t *length);
void texts_free(text_column *self);

#endif
