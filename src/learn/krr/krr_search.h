/* Searches width and penalty of kernel ridge models on a grid, for a candidate: a kernel, a scaling
 * of the rows, and weights of the columns. */
#ifndef CNM_LEARN_KRR_KRR_SEARCH_H
#define CNM_LEARN_KRR_KRR_SEARCH_H

#include "learn/krr/kernel_ridge.h"
#include "learn/progress.h"

enum { GRID_WIDTHS = 8, GRID_PENALTIES = 6 };
enum { KRR_TRIALS = 16, KRR_LOCAL_TRIALS = 9 }; /* on the whole grid, and from one grid point on */

typedef struct grid_point {
    size_t width, penalty; /* indices */
} grid_point;

/* A candidate, and the result of its search. */
typedef struct krr_candidate {
    krr_kernel kind;
    scaling_kind scale;
    bool one_vs_one; /* see one_vs_one.h */
    double *weights; /* (columns) of scaled columns; NULL: none. Owned. */
    bool seen[GRID_WIDTHS][GRID_PENALTIES];
    size_t tried; /* grid points */
    grid_point best;
    double loss;                /* leave-one-out, at the best grid point; infinity: none fitted */
    double inverse_temperature; /* at the best grid point */
} krr_candidate;

/* What all searches share. */
typedef struct krr_search {
    krr_source from;
    thread_pool *pool;
    const size_t *positions; /* (count) of the rows that models are fitted to */
    size_t count;
    progress_meter *meter;
} krr_search;

/* Climbs on the grid from several grid points, or from `start` alone where that is not NULL. */
cnm_status krr_search_run(krr_candidate *self, const krr_search *search, const grid_point *start, cnm_error *err);

/* Sets `out` to the candidate `from` before its search, with columns weighted by their relevance to
 * the best model of `from` (feature_gradients.h); without weights where the relevance is unknown.
 * The caller frees the weights. */
cnm_status krr_search_reweight(krr_candidate *out, const krr_candidate *from, const krr_search *search, cnm_error *err);

/* Takes the rows at `positions` in the candidate's scaling, with its weights. */
cnm_status krr_candidate_rows(const krr_candidate *self, const krr_source *from, const size_t *positions, size_t count,
                              kernel_rows *out, cnm_error *err);

/* Fits the model of a grid point. *found is false where there is none. */
cnm_status krr_candidate_fit(const krr_candidate *self, kernel_ridge *rows, grid_point at, bool *found, cnm_error *err);

/* Reports one more trial or member of an ensemble. */
void krr_search_report(progress_meter *meter, size_t rows, double loss);

#endif
