/* The nearest neighbours of training rows, up to some thousand dense ones. */
#ifndef CNM_LEARN_DISTILL_NEIGHBOURS_H
#define CNM_LEARN_DISTILL_NEIGHBOURS_H

#include "learn/fit/fit_session.h"

enum { NEIGHBOURS = 5 };

typedef struct neighbours {
    /* The mean distance to the nearest neighbour, over the root mean square distance of rows; at
     * most 1. */
    double near;
    /* (training rows, NEIGHBOURS) positions among the training rows, nearest first. Copies of a row
     * are no neighbours; where there are no more neighbours, it is the row itself. */
    size_t *nearest;
} neighbours;

/* Finds the neighbours among the training rows of a session, under its scaling. */
cnm_status neighbours_find(neighbours *out, const fit_session *of, cnm_error *err);
void neighbours_free(neighbours *self);

#endif
