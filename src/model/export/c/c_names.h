/* Names of columns and words as C identifiers. Inside the model module, for export_c*.c alone.
 *
 * Letters and digits of ASCII stay; a run of anything else is one underscore, none at either end.
 * What nothing is left of gets a number. Names that C, C++ or a common macro has get an underscore
 * behind them, names that were given before a number. */
#ifndef CNM_MODEL_EXPORT_C_C_NAMES_H
#define CNM_MODEL_EXPORT_C_C_NAMES_H

#include "data/encode/encoder.h"

enum { C_NAME_SIZE = 128 };

/* The members of the struct of columns, and the first parts of the constants for their words. */
typedef struct c_names {
    char (*members)[C_NAME_SIZE]; /* (columns); empty for a column without features */
    char (*stems)[C_NAME_SIZE];   /* (columns) in capitals */
    dictionary taken;             /* by constants so far */
} c_names;

cnm_status c_names_create(c_names *out, const encoder *columns, cnm_error *err);
void c_names_free(c_names *self);

/* Fills out with the constant of a word of a column, which no earlier one has. All letters are
 * capitals, so that a suffix in small letters is free for what is no word. */
cnm_status c_names_constant(c_names *self, size_t column, const char *word, char out[C_NAME_SIZE], cnm_error *err);

#endif
