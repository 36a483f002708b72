/* Notes of what rows to predict have and training had not: words, missing cells. */
#ifndef CNM_CLI_UNSEEN_CELLS_H
#define CNM_CLI_UNSEEN_CELLS_H

#include "cnm/cnm.h"

/* Counts over all batches. Zero-initialised. */
typedef struct unseen_cells {
    size_t columns;
    uint64_t *words, *missing; /* (columns) */
} unseen_cells;

/* Adds one batch. */
cnm_status unseen_cells_add(unseen_cells *self, const cnm_model *model, const cnm_data *data, cnm_error *error);
/* Sends one sentence for words, one for missing cells, where there are any. */
void unseen_cells_report(const unseen_cells *self, const cnm_model *model, const cnm_callbacks *callbacks);
void unseen_cells_free(unseen_cells *self);

#endif
