/* Which rows a step takes: a new random order each epoch, cut into batches. A function of the plan
 * and the step alone, the same for every engine. */
#ifndef CNM_ENGINE_BATCH_ORDER_H
#define CNM_ENGINE_BATCH_ORDER_H

#include "engine/plan.h"

typedef struct batch_order {
    size_t *order;           /* (rows), as positions in the source */
    const size_t *positions; /* (rows) in the source, borrowed; NULL: rows 0, 1, ... */
    size_t rows;
    uint64_t epoch;  /* whose order this is, plus 1; 0: none yet */
    uint32_t stream; /* the random numbers it came from ... */
    uint64_t seed;   /* ... and their seed */
} batch_order;

cnm_status batch_order_create(batch_order *out, const size_t *positions, size_t rows, cnm_error *err);
void batch_order_free(batch_order *self);

/* Returns the positions of the rows of a step's batch, *count of them. */
const size_t *batch_order_rows(batch_order *self, const train_plan *plan, uint64_t step, size_t *count);

#endif
