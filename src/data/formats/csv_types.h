/* The types of the columns of a file of separated values, found in its first lines. Only the files
 * of this module use it. */
#ifndef CNM_DATA_FORMATS_CSV_TYPES_H
#define CNM_DATA_FORMATS_CSV_TYPES_H

#include "data/formats/csv_label.h"
#include "data/formats/csv_sample.h"

/* Takes another look at the lines behind the first: at columns whose cells are not all plain
 * numbers, and at all others where the decimal sign is a comma. */
cnm_status csv_types_note(const csv_shape *shape, const csv_sample *lines, const reader_options *options,
                          sample_facts *facts, cnm_error *err);

/* Notes the cells of the first line, which is no header: the names of the shape. Columns where it
 * alone has no plain number are looked at, too. */
cnm_status csv_types_note_names(const csv_shape *shape, const csv_sample *lines, const reader_options *options,
                                sample_facts *facts, cnm_error *err);

/* Returns the decimal sign that the options or some column settle, 0 where none does. */
char csv_types_decimal(const csv_shape *shape, const reader_options *options, const sample_facts *facts);

/* Returns the type of a column by the cells noted so far. */
column_type csv_types_of(const column_facts *column, char decimal);

/* Sets guess.types, guess.measured and examples of a shape whose columns are known. */
cnm_status csv_types_end(csv_shape *shape, const reader_options *options, const sample_facts *facts, cnm_error *err);

#endif
