/* What joint training leaves open: set by options, or chosen from the rows (learn/search/budgeted_search.h). */
#ifndef CNM_LEARN_HYPERPARAMETERS_H
#define CNM_LEARN_HYPERPARAMETERS_H

#include "data/scale/scaling.h"

typedef struct recipe {
    scaling_kind scale;
    double hold;    /* of the map where it was drawn, 0: it learns all it can; 1: it stays */
    double lambda;  /* weight of the penalty on the head */
    double width;   /* theta starts width times as large as the bandwidth's rule says */
    double decay;   /* of theta */
    double noise;   /* on the rows, in units of sigma / sqrt(d) */
    double drift;   /* of the rows along differences of others */
    double shift;   /* of rows that are pictures, in cells; ... */
    bool mirror;    /* left and right of pictures are changed now and then */
    size_t picture; /* ... this many in a line; 0: rows are none */
    uint64_t steps; /* mini-batches in all ... */
    uint64_t batch; /* ... of this many rows */
} recipe;

#endif
