/* Validation rows of their own, instead of a share of the training rows. */
#ifndef CNM_LEARN_DATASET_VALIDATION_ROWS_H
#define CNM_LEARN_DATASET_VALIDATION_ROWS_H

#include "data/table/table.h"

/* Creates a table of the training rows and then the validation rows, which get the base of the
 * training rows. The weights and groups of validation rows mean nothing. Fails with CNM_BAD_DATA
 * where they have other columns, other kinds of labels, or none. */
cnm_status validation_rows_join(table **out, const table *training, const table *validation, cnm_error *err);

#endif
