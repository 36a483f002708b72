/* The column types of a table: copied, compared, and kept right while rows come and go. */
#ifndef CNM_DATA_TABLE_TABLE_TYPES_H
#define CNM_DATA_TABLE_TABLE_TYPES_H

#include "data/table/table.h"

/* Words of one column at most: their numbers must be exact as floats. */
enum { MOST_COLUMN_WORDS = 1 << 24 };

/* Copies types (count) with their words, or without. *out is NULL where `types` is, or on
 * failure. */
cnm_status types_copy(column_type **out, const column_type *types, size_t count, bool words, cnm_error *err);
void types_free(column_type *types, size_t count);

/* Returns the kind of a column: a number where the table has no types. */
column_kind table_kind(const table *self, size_t column);
/* Returns whether all columns are of the same kinds, as many as there are in self. */
bool types_agree(const table *self, const table *other);

/* Makes types where there are none yet: all plain numbers. */
cnm_status table_make_types(table *self, cnm_error *err);

/* Replaces the numbers of words in dense rows (rows, columns) by those that the same words have in
 * `to`; a word that is not there is added when its first row comes. `from` are the types of the
 * rows as they are, `to` those that they get. Rows stay as they are where a call fails. */
cnm_status types_recode(column_type *to, const column_type *from, float *values, size_t rows, size_t columns,
                        cnm_error *err);

#endif
