/* The columns that a model expects, with an encoder or without. Only the files of this module use
 * it. */
#ifndef CNM_DATA_READ_EXPECTED_COLUMNS_H
#define CNM_DATA_READ_EXPECTED_COLUMNS_H

#include "data/encode/encoder.h"
#include "data/read/reader_options.h"

/* Returns the name of a column, or NULL. */
static inline const char *expected_name(const reader_options *self, size_t column) {
    return self->encoder != NULL ? self->encoder->column[column].name
           : self->names != NULL ? self->names[column]
                                 : NULL;
}

/* Returns whether columns are expected, and have names. */
static inline bool expects_names(const reader_options *self) {
    return self->expects && self->columns > 0 && expected_name(self, 0) != NULL;
}

/* Returns what is to be subtracted from the cells of a column. */
static inline double expected_base(const reader_options *self, size_t column) {
    return self->encoder != NULL ? self->encoder->column[column].base : self->base != NULL ? self->base[column] : 0;
}

#endif
