/* Small labelled tables: some that a linear model can separate, some that it cannot. */
#ifndef CNM_TESTS_SUPPORT_MADE_TABLES_H
#define CNM_TESTS_SUPPORT_MADE_TABLES_H

#include "support/random_rows.h"

#include "data/table/table.h"

/* Makes a table of zeros without labels; label_number and label_text append a label each. */
table *table_make(size_t rows, size_t columns);
void label_number(table *self, double value);
void label_text(table *self, const char *text);

/* Makes two rings around the origin, of radius 1 (label -1) and 2 (label 1); columns from the third
 * on are noise. */
table *make_rings(uint64_t seed, size_t rows, size_t columns);

/* Makes normal rows, labelled by the side of a plane that they are on (2 or 4), with a gap. */
table *make_sides(uint64_t seed, size_t rows, size_t columns);

/* Makes four clouds in two columns, labelled by words. */
table *make_clouds(uint64_t seed, size_t rows);

/* Makes the last column of dense rows one of the words a, b and c, and every sixth cell of the last
 * two missing. */
void make_typed(table *self);

#endif
