/* Where a training's rows lie: which others are the nearest to each, and how near. Up to some thousand dense rows. */
#ifndef CNM_LEARN_DISTILL_NEIGHBOURS_H
#define CNM_LEARN_DISTILL_NEIGHBOURS_H

#include "learn/fit/fit_session.h"

enum { NEIGHBOURS = 5 };

typedef struct neighbours {
    double
        near; /* how far rows lie from the nearest other one, as a share of how far they lie from each other; means over rows; at most 1 */
    size_t *
        nearest; /* (rows that train, NEIGHBOURS) which of these; the row itself where there are no more. Copies of a row are no others. */
} neighbours;

/* Of the rows that train, in the map's scaling. */
cnm_status neighbours_find(neighbours *out, const training *of, cnm_error *err);
void neighbours_free(neighbours *self);

#endif
