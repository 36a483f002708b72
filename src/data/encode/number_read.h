/* Numbers as people write them: decimal commas, separators between thousands, currencies, per
 * cent. Only the files of this folder use it. */
#ifndef CNM_DATA_ENCODE_NUMBER_READ_H
#define CNM_DATA_ENCODE_NUMBER_READ_H

#include "data/encode/cell_text.h"
#include "data/table/column_type.h"

/* Reads the whole text as a finite or infinite number; see cell_format. A minus sign may be U+2212.
 * Thousands are groups of three digits, the first without a leading zero; with commas also the
 * Indian groups, 12,34,567. */
bool number_read(const cell_format *format, cell_text text, double *value);

/* What is left of a number without its sign and unit. */
typedef struct number_core {
    cell_text digits; /* ends with a digit, or the . or , behind it */
    bool negative;
} number_core;

/* Takes the sign off a text, and with units a currency before or behind, or a % or - behind (5.-).
 * Returns whether digits are left. */
bool number_core_find(number_core *out, cell_text text, bool units);
/* Reads a number by decimal sign and thousands of the format. */
bool number_core_read(const number_core *self, const cell_format *format, double *value);

#endif
