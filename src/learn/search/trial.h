/* Short trainings on a part of the rows, judged on another part: how a recipe is tried before it is used. */
#ifndef CNM_LEARN_SEARCH_TRIAL_H
#define CNM_LEARN_SEARCH_TRIAL_H

#include "learn/fit/fit_session.h"

typedef struct pilot_size {
    size_t features;     /* of the map */
    uint64_t steps;      /* of a pilot, over all its folds ... */
    uint64_t fold_steps; /* ... each of which has at least so many, unless it is the only one */
    double deadline;     /* on the clock of learn/progress.h, or 0: a pilot that is not through then says stop */
    size_t held;         /* rows at most that judge */
} pilot_size;

typedef struct pilots pilots;

/* `of` is borrowed and not changed: its problem (whose scaling does not count), spec and recipe. `total`: pilots expected, for the
 * progress. */
cnm_status pilots_create(pilots **out, const training *of, const pilot_size *size, size_t total, cnm_error *err);
void pilots_destroy(pilots *self);

/* Trains as `tried` says, with its own steps and features, and judges on held rows. *stop: the caller asked to. */
cnm_status pilots_judge(pilots *self, const recipe *tried, double *loss, bool *stop, cnm_error *err);

/* The same with another number of features, or with no map at all: a linear model of the scaled columns. `share`: of a pilot's steps. */
cnm_status pilots_judge_size(pilots *self, const recipe *tried, size_t features, double share, double *loss, bool *stop,
                             cnm_error *err);
cnm_status pilots_judge_linear(pilots *self, double *loss, bool *stop, cnm_error *err);

/* How much better, as a fraction, a recipe has to be on these held rows to count: few rows tell little. */
double pilots_margin(const pilots *self);
/* Steps of a pilot, on one fold, as a share of the training's. */
double pilots_share(const pilots *self);

/* Splits that judge a recipe together: each costs a training of its own. */
size_t pilots_folds(const pilots *self);

#endif
