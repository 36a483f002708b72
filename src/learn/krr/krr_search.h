/* The best widths and penalties of kernel machines in one way of taking rows: a kernel, a scaling, and how much columns weigh. */
#ifndef CNM_LEARN_KRR_KRR_SEARCH_H
#define CNM_LEARN_KRR_KRR_SEARCH_H

#include "learn/krr/kernel_ridge.h"

enum { PLACE_WIDTHS = 8, PLACE_PENALTIES = 6 };
enum { PLACE_TRIALS = 16, PLACE_TRIALS_BESIDE = 9 }; /* from all of the grid, or from one place on */

typedef struct grid_place {
    size_t width, penalty; /* on the grid */
} grid_place;

/* A way, and what was found in it. */
typedef struct place_search {
    machine_kind kind;
    scaling_kind scale;
    bool pairs;      /* of classes, each with a machine of its own: see pairs.h */
    double *weights; /* (columns) of scaled columns; NULL: all are alike. Owned. */
    bool seen[PLACE_WIDTHS][PLACE_PENALTIES];
    size_t tried;
    grid_place best;
    double least;     /* its loss, by rows left out; infinity: there is none */
    double sharpness; /* its own */
} place_search;

/* What all searches have in common. */
typedef struct place_rows {
    const training *of;
    thread_pool *pool;
    const size_t *positions; /* (count) of the rows that judge */
    size_t count;
    progress_meter *meter;
} place_rows;

/* Climbs from several places of the grid, or from `beside` alone where that is not NULL. */
cnm_status places_find(place_search *self, const place_rows *on, const grid_place *beside, cnm_error *err);

/* `out`, with nothing tried yet: the same way, with columns weighed by how much they matter to the best machine of `from`. Without weights
 * where that tells nothing. The weights are the caller's to free. */
cnm_status places_weigh(place_search *out, const place_search *from, const place_rows *on, cnm_error *err);

/* The rows at `positions` as the way takes them. */
cnm_status places_take_rows(const place_search *self, const training *of, const size_t *positions, size_t count,
                            machine_rows *out, cnm_error *err);

/* The machine of a place. *found is false where there is none. */
cnm_status places_solve(const place_search *self, ridge *rows, grid_place at, bool *found, cnm_error *err);

/* One trial or member more is done. */
void places_report(progress_meter *meter, size_t rows, double loss);

#endif
