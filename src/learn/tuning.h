/* Every tuned constant of the automatic choice of hyperparameters, with the study that set it: NNNN
 * names docs/decisions/NNNN-*.md and, for its figures, docs/experiments/NNNN-*.md. Constants that
 * follow from arithmetic are where they are used. */
#ifndef CNM_LEARN_TUNING_H
#define CNM_LEARN_TUNING_H

#include <stddef.h>
#include <stdint.h>

/* A hyperparameter profile: what a search starts from. */
typedef struct profile {
    double map_rate; /* 1: the map is learned in full; 0: it is frozen; between: slowly */
    double width;    /* of the initial theta, in units of the rule of the bandwidth */
    double lambda, lambda_regression;
    double decay, decay_regression;
    double noise;
    double difference_noise; /* where all columns have one scale */
} profile;

/* The size of a round of the search. */
typedef struct round_tuning {
    size_t trials; /* at least */
    double share;  /* of the budget */
    double beside; /* of the budget where profiles were compared before */
    uint64_t most_steps;
    uint64_t fold_steps, slow_fold_steps; /* of a slowly learned map */
} round_tuning;

/* Shares of the budget for the comparison of profiles: of each that learns its map, and of the
 * frozen one. */
typedef struct profile_shares {
    double each, frozen;
} profile_shares;

static const struct tuning {
    /* data set sizes */
    size_t few_rows;            /* fewer rows are a small data set */
    size_t least_search_rows;   /* with fewer there is no search */
    size_t frozen_last_rows[2]; /* between them a frozen map is compared after the search */
    size_t few_difference_rows; /* with fewer, other than images, a map may be slow */
    /* the default hyperparameters */
    uint64_t least_steps, epochs, most_epochs, large_map_epochs, warm_epochs, quick_divisor;
    uint64_t least_batch, most_batch;
    double slow_parameters, slow_rows; /* slow above max(a, rows / b) parameters a row */
    profile many_rows, few_noisy_rows, few_clean_rows, frozen_map;
    /* the search */
    double budgets[3]; /* by --effort, in trainings */
    round_tuning rounds[2];
    profile_shares first, first_of_two, last_slow, last;
    double shares_before_last; /* of the rounds' shares, where a frozen map is compared last */
    size_t most_trials;
    uint64_t least_trial_steps;
    size_t validation_rows, enough_validation_rows;
    size_t trial_features, slow_trial_features, feature_range[2];
    double margin_classify, margin_regress; /* of a better trial, times sqrt(validation rows) */
    /* In units of that margin: */
    double margin_less_regularised, margin_more_regularised, margin_short, margin_very_short;
    double short_trial, very_short_trial; /* shares of the training's steps */
    double margin_profile, margin_frozen_small, margin_frozen_last;
    double far_better; /* share of the loss that a trial with too few steps has to gain */
    double ordered_noise;
} TUNING = {
    /* constant                                                                  study */
    .few_rows = 1500,                                                           /* 0013 */
    .least_search_rows = 50,                                                    /* 0013 */
    .frozen_last_rows = {2000, 10000},                                          /* 0029 */
    .few_difference_rows = 1000,                                                /* 0013 */
    .least_steps = 5000,                                                        /* 0013 */
    .epochs = 25,                                                               /* 0013 */
    .most_epochs = 1000,                                                        /* 0013 */
    .large_map_epochs = 250,                                                    /* 0013 */
    .warm_epochs = 3,                                                           /* 0020 */
    .quick_divisor = 3,                                                         /* 0013 */
    .least_batch = 16,                                                          /* 0013 */
    .most_batch = 256,                                                          /* 0012 */
    .slow_parameters = 0.5,                                                     /* 0013 */
    .slow_rows = 5700.0,                                                        /* 0013 */
    .many_rows = {1.0, 1.0, 0.0, 0.0, 0.03, 0.03, 0.25, 0.25},                  /* 0013 */
    .few_noisy_rows = {1.0 - 0.8, 0.5, 1e-3, 1e-3, 0.1, 0.3, 0.1, 0.25},        /* 0013 */
    .few_clean_rows = {0.25, 1.0, 0.0, 1e-3, 0.1, 0.03, 0.1, 0.0},              /* 0013 */
    .frozen_map = {0.0, 1.0, 1e-3, 1e-3, 0.0, 0.0, 0.0, 0.0},                   /* 0022 */
    .budgets = {0.0, 2.0, 10.0},                                                /* 0013 */
    .rounds = {{5, 0.45, 0.3, 4000, 1800, 900}, {6, 0.3, 0.2, 6000, 400, 400}}, /* 0013 */
    .first = {0.15, 0.18},                                                      /* 0022 */
    .first_of_two = {0.12, 0.0},                                                /* 0029 */
    .last_slow = {0.12, 0.1},                                                   /* 0029 */
    .last = {0.15, 0.15},                                                       /* 0029 */
    .shares_before_last = 0.75,                                                 /* 0029 */
    .most_trials = 12,                                                          /* 0013 */
    .least_trial_steps = 200,                                                   /* 0013 */
    .validation_rows = 10000,                                                   /* 0013 */
    .enough_validation_rows = 1500,                                             /* 0013 */
    .trial_features = 64,                                                       /* 0013 */
    .slow_trial_features = 128,                                                 /* 0013 */
    .feature_range = {64, 512},                                                 /* 0013 */
    .margin_classify = 0.15,                                                    /* 0013 */
    .margin_regress = 0.075,                                                    /* 0013 */
    .margin_less_regularised = 6.0,                                             /* 0013 */
    .margin_more_regularised = 10.0,                                            /* 0013 */
    .margin_short = 2.0,                                                        /* 0013 */
    .margin_very_short = 4.0,                                                   /* 0013 */
    .short_trial = 0.25,                                                        /* 0013 */
    .very_short_trial = 0.08,                                                   /* 0013 */
    .margin_profile = 20.0,                                                     /* 0022 */
    .margin_frozen_small = 2.0,                                                 /* 0022 */
    .margin_frozen_last = 4.0,                                                  /* 0029 */
    .far_better = 0.5,                                                          /* 0029 */
    .ordered_noise = 0.1,                                                       /* 0013 */
};

#endif
