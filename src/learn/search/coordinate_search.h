/* Looks for a good recipe with few trials. It knows nothing of rows and maps: a judge tells it how good a recipe is and what it cost
 * to find out, so another search can take this one's place, and a test can put a formula in the judge's.
 *
 * Climbs one choice after the other: from where it is to the better of the next values below and above on that choice's list, and on
 * that way for as long as it helps. */
#ifndef CNM_LEARN_SEARCH_COORDINATE_SEARCH_H
#define CNM_LEARN_SEARCH_COORDINATE_SEARCH_H

#include <stdbool.h>

#include "cnm/types.h"
#include "learn/hyperparameters.h"

/* Which choices are open. */
typedef struct recipe_open {
    bool hold, lambda, scale, width, decay, noise, shift, drift;
    bool far; /* rows reach far: of scales those that bend */
} recipe_open;

/* A trial of a recipe: *loss is what to make small. Fails, or says with *stop that the caller has had enough. */
typedef struct search_judge {
    cnm_status (*judge)(void *context, const recipe *tried, double *loss, bool *stop, cnm_error *err);
    void *context;
} search_judge;

/* How much better than the best so far a trial has to be, as a fraction of that one's loss: one with less decay, noise or drift, which
 * hold a training back from learning rows by heart; one with more; any other. */
typedef struct search_margins {
    double less, more, other;
} search_margins;

/* *best is where to start, and then the best recipe tried; *least its loss: infinite at first where it is not known yet. At most `trials`
 * calls of the judge; none where nothing is open. */
cnm_status search_recipe(recipe *best, double *least, const recipe_open *open, size_t trials,
                         const search_margins *margins, const search_judge *judge, cnm_error *err);

/* A whole recipe that takes the place of another where it is better by this margin, a fraction of the other's loss. */
typedef struct search_rival {
    recipe recipe;
    double margin;
    double loss; /* infinite: not known yet */
} search_rival;

/* The best of *best and its rivals. *least as above. */
cnm_status search_among(recipe *best, double *least, const search_rival *rivals, size_t count,
                        const search_judge *judge, cnm_error *err);

#endif
