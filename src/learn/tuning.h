/* Every tuned constant of the automatic choice (detection, search, distillation), with the study
 * that set it: NNNN names docs/decisions/NNNN-*.md and, for its figures,
 * docs/experiments/NNNN-*.md. Constants that follow from arithmetic are where they are used. */
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
    double stack_noise_parameters;     /* a row: stacks with fewer have no noise */
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
    /* the ensemble of kernel ridge models, and distilling it */
    struct {
        size_t most_rows, most_cells; /* with them it takes some seconds */
        double as_good;               /* a candidate is a member up to this times the loss of the best one */
        /* Its weight in the average with the map. On its training rows a map is better than on
         * others: where its loss there is larger than the leave-one-out loss of the ensemble, it
         * is the worse model, and from `clearly_worse` times as much on its weight is 0. */
        double weight, clearly_worse;
        double least_log_probability; /* those of the map are clipped to it */
        /* The ratio of its loss to the map's above which their average is no better than the map.
         * Classification losses differ more by chance: a single row matters. */
        double worse, worse_regression;
        double least_loss; /* times rows, in classification: less is all rows correct */
    } ensemble;
    struct {
        double widths[8], penalties[6]; /* the grid */
        double least_relevance;         /* over the mean: no column gets weight 0 */
    } krr;
    struct {
        size_t most_rows, most_cells;
        size_t visits; /* how often a fit sees each row */
    } transfer;
    struct {
        uint64_t most_steps, least_steps;
        uint64_t shorter; /* how many times shorter a fit that tries a rate is */
        double rate;
        double factors[3];  /* of the map's rate in short fits */
        double long_factor; /* of the rate of short fits */
        double enough;      /* a smaller transfer_set_loss() is no better */
        double clearly;     /* what a larger rate has to make of the loss */
    } student;
    /* detection */
    struct {
        size_t most_rows, farthest_rows, least_rows, most_columns;
        double width, penalty; /* of the kernel ridge model */
        double least_r2;       /* above it targets are predictable */
        /* In robust deviations, IQR / 1.349: a deviation of all targets of which outliers make
         * most, and the distances of an outlier and of a clipped one from the median. */
        double wide, outlier, clipped;
    } targets;
    struct {
        double translate; /* in pixels */
        double smooth;    /* neighbouring pixels differ less than this share of distant ones */
        double more;      /* how much more translations explain within a class than between */
        double as_near;   /* how much farther mirror images may be */
    } images;
    double outlier_cell;     /* robust deviations from the median */
    double time_order_share; /* adjacent rows differ less than this share of distant ones */
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
    .stack_noise_parameters = 0.1,                                              /* 0033 */
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
    .ensemble.most_rows = 2000,                                                 /* 0024 */
    .ensemble.most_cells = 1 << 23,                                             /* 0024 */
    .ensemble.as_good = 1.2,                                                    /* 0026 */
    .ensemble.weight = 2.0 / 3.0,                                               /* 0027 */
    .ensemble.clearly_worse = 1.25,                                             /* 0028 */
    .ensemble.least_log_probability = -12.0,                                    /* 0025 */
    .ensemble.worse = 3.0,                                                      /* 0026 */
    .ensemble.worse_regression = 1.5,                                           /* 0026 */
    .ensemble.least_loss = 2.0,                                                 /* 0026 */
    .krr.widths = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0},                 /* 0024 */
    .krr.penalties = {1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0},                        /* 0024 */
    .krr.least_relevance = 1e-8,                                                /* 0027 */
    .transfer.most_rows = 40000,                                                /* 0027 */
    .transfer.most_cells = 1 << 24,                                             /* 0027 */
    .transfer.visits = 4,                                                       /* 0027 */
    .student.most_steps = 12000,                                                /* 0027 */
    .student.least_steps = 4000,                                                /* 0027 */
    .student.shorter = 8,                                                       /* 0028 */
    .student.rate = 0.03,                                                       /* 0027 */
    .student.factors = {2.0, 8.0, 32.0},                                        /* 0028 */
    .student.long_factor = 0.5,                                                 /* 0028 */
    .student.enough = 1e-3,                                                     /* 0028 */
    .student.clearly = 0.7,                                                     /* 0028 */
    .targets = {1000, 100, 20, 1024, 0.03, 0.1, 0.05, 5.0, 15.0, 6.0},          /* 0028 */
    .images = {0.4, 0.5, 1.6, 1.1},                                             /* 0013 */
    .outlier_cell = 200.0,                                                      /* 0029 */
    .time_order_share = 0.5,                                                    /* 0013 */
};

#endif
