/* A search: what its parts share. budgeted_search.c runs its rounds, compare_profiles.c compares
 * profiles. */
#ifndef CNM_LEARN_SEARCH_SEARCH_BUDGET_H
#define CNM_LEARN_SEARCH_SEARCH_BUDGET_H

#include "learn/detect/facts.h"
#include "learn/search/coordinate_search.h"
#include "learn/search/trial.h"
#include "learn/tuning.h"

typedef struct search_state {
    fit_session *session; /* without a map; its hyperparameters and features are searched */
    const facts *known;
    const trial_ops *ops;
    trials *runner;  /* of the present round */
    size_t features; /* of its maps */
    open_choices open;
    double budget;             /* in trainings */
    double loss;               /* of the best hyperparameters in the last round */
    bool distill_may_follow;   /* the stage `distill` may follow: see distill_ensemble.h */
    bool chooses_features;     /* the number of features is open, too */
    bool compares_frozen_last; /* a frozen map is compared after the rounds */
    double reported;           /* share of the search that the progress of earlier rounds covers */
    bool linear_is_enough;     /* a learned map is no better than a linear model */
    bool stopped;              /* by the caller */
    bool shortened;            /* by a time limit */
} search_state;

/* Returns when the search has to end, after two fifths of the time limit; 0: never. */
double search_deadline(const search_state *self);
/* Returns whether that time is over; a resumed search ends where it ended before. */
bool search_is_late(const search_state *self);
/* Returns whether no more trials may be run. */
bool search_is_over(const search_state *self);

/* Runs a trial of the present round: a trial_function's function; the context is the
 * search_state. */
cnm_status search_trial(void *context, const hyperparameters *tried, double *loss, bool *stop, cnm_error *err);

enum { SEARCH_ROUNDS = sizeof TUNING.rounds / sizeof TUNING.rounds[0] };

/* Returns the share of the budget that a round may cost. */
double search_round_share(const search_state *self, size_t round);
/* Returns the share that a frozen map may cost which is compared after the rounds. */
double search_last_share(const search_state *self);

/* Returns the part of the search's progress of trials that may cost `share` of the budget; after
 * them come the rounds from `round` on, and the last comparison; SEARCH_ROUNDS + 1: nothing. */
progress_span search_span(search_state *self, double share, size_t round);

/* Returns how many trials whose head is solved for fit in a share of the budget. */
size_t search_solutions(const search_state *self, double share, size_t most);

#endif
