/* Trials: short fits on a part of the rows, evaluated on another part, to compare hyperparameters
 * before one of them is used. */
#ifndef CNM_LEARN_SEARCH_TRIAL_H
#define CNM_LEARN_SEARCH_TRIAL_H

#include "learn/fit/fit_session.h"

typedef struct trial_size {
    size_t features;     /* of the map */
    uint64_t steps;      /* of a trial, over all its folds ... */
    uint64_t fold_steps; /* ... each of which has at least so many, unless it is the only one */
    double deadline;     /* on progress_clock(): a trial that is not finished then stops; 0: none */
    size_t held;         /* validation rows at most */
    progress_span span;  /* of the search that these trials are expected to take */
} trial_size;

typedef struct trials trials;

/* How trials are run, as a table, so that a test of the search can run formulas instead. */
typedef struct trial_ops {
    /* `of` is borrowed and not changed: its data set, map specification and hyperparameters. total:
     * trials expected, for the progress. */
    cnm_status (*create)(trials **out, const fit_session *of, const trial_size *size, size_t total, cnm_error *err);
    void (*destroy)(trials *self);
    /* Fits the hyperparameters `tried` with a map of so many features and a share of the steps of a
     * trial. *loss: of the validation rows (evaluate/metrics.h). *stop: the caller asked to stop,
     * or the deadline is over. */
    cnm_status (*run)(trials *self, const hyperparameters *tried, size_t features, double share, double *loss,
                      bool *stop, cnm_error *err);
    /* Trains a linear model of the scaled columns. */
    cnm_status (*run_linear)(trials *self, double *loss, bool *stop, cnm_error *err);
    /* Returns by which fraction a trial has to be better on these rows to count. */
    double (*margin)(const trials *self);
    /* Returns the steps of a trial, on one fold, as a share of the training's. */
    double (*share)(const trials *self);
    /* Returns the number of folds; each costs a fit of its own. */
    size_t (*folds)(const trials *self);
} trial_ops;

/* Trials on rows. */
extern const trial_ops TRIALS;

#endif
