/* A search whose trials count and do not fit anything: how much work it asks for, and what it
 * chooses when losses follow a rule. */
#ifndef CNM_TESTS_SUPPORT_COUNTED_TRIALS_H
#define CNM_TESTS_SUPPORT_COUNTED_TRIALS_H

#include "support/trainings.h"

#include "learn/hyperparameters.h"

enum { TRIAL_FOLDS = 5 }; /* of every trial */

/* The rule, as a test sets it, and then what was counted. */
typedef struct counted_trials {
    /* the rule: all losses are 1 unless one of these says otherwise */
    /* each trial is better than the last, so that the search goes as far as it can */
    bool improving;
    double gain;           /* by this fraction; 0: by half */
    double frozen_gain;    /* frozen maps are better than others by this fraction */
    double noiseless_gain; /* others without noise are by this one */
    double margin;         /* by which a loss has to be smaller to count */
    double translate;      /* of images, before the search */
    double short_by;       /* of the final fit's steps a trial has one in so many; 0: all */
    size_t stop_at;        /* this trial, and all after it, ask to stop; 0: none */
    /* what was counted */
    /* solved: of the trials that were run, with a head that is solved for */
    size_t rounds, run, solved;
    double work; /* steps * features */
    /* values other than the default were tried */
    bool scale, width, decay, noise, difference_noise, translations;
    /* of the first three frozen maps, narrow ones with a penalty that fits the width */
    size_t narrow_starts;
    /* a frozen map was tried in a round of its own, on fewer folds than there are */
    bool fewer_folds;
} counted_trials;

/* A search that has ended. */
typedef struct search_outcome {
    counted_trials counts;
    hyperparameters usual, chosen; /* before the search, and after it */
    size_t features;               /* chosen */
    double loss;                   /* of the chosen ones, as the search knows it; 0: not known */
} search_outcome;

/* Searches with trials that follow a rule; with all losses equal, or each better than the last. */
search_outcome search_with(table *rows, const settings *wanted, counted_trials rule);
search_outcome search_rows(table *rows, const settings *wanted, bool improving);

/* Checks that the trials cost no more than so many trainings. */
void check_search_work(const search_outcome *got, const settings *wanted, double trainings);

/* Makes rings whose columns share a range, as pixels do; the last `empty` columns are 0. */
table *make_shared_range(size_t rows, size_t columns, size_t empty);

#endif
