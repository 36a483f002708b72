/* Coordinate-wise hill climbing over hyperparameters with few trials. It depends on no rows and
 * maps: a trial function returns the loss of hyperparameters, and a test can use a formula.
 *
 * Climbs one hyperparameter after the other: from the present value to the better of its neighbours
 * on the list of its values, and on in that direction for as long as the loss falls. */
#ifndef CNM_LEARN_SEARCH_COORDINATE_SEARCH_H
#define CNM_LEARN_SEARCH_COORDINATE_SEARCH_H

#include <stdbool.h>

#include "cnm/types.h"
#include "learn/hyperparameters.h"

/* Which hyperparameters are open. */
typedef struct open_choices {
    bool map_rate, lambda, scale, width, decay;
    AUGMENTATION_FLAGS;
    bool outliers; /* rows have outlier cells: only scalings that compress them are tried */
} open_choices;

/* Runs a trial of hyperparameters: *loss is minimised. Sets *stop where the caller asked to
 * stop. */
typedef struct trial_function {
    cnm_status (*run)(void *context, const hyperparameters *tried, double *loss, bool *stop, cnm_error *err);
    void *context;
} trial_function;

/* How much better than the best so far a trial has to be, as a fraction of that one's loss: one
 * with less regularisation (decay, noise or difference noise); one with more; any other. */
typedef struct search_margins {
    double less, more, other;
} search_margins;

/* Climbs from *best with at most `trials` trials; none where nothing is open. *best becomes the
 * best hyperparameters tried, *loss their loss: infinite at first where it is not known yet. */
cnm_status coordinate_search(hyperparameters *best, double *loss, const open_choices *open, size_t trials,
                             const search_margins *margins, const trial_function *trial, cnm_error *err);

/* Hyperparameters that replace others where they are better by this margin, a fraction of the loss
 * of the others. */
typedef struct alternative {
    hyperparameters chosen;
    double margin;
    double loss; /* infinite: not known yet */
} alternative;

/* Sets *best to the best of itself and its alternatives. *loss as above. */
cnm_status compare_alternatives(hyperparameters *best, double *loss, const alternative *others, size_t count,
                                const trial_function *trial, cnm_error *err);

#endif
