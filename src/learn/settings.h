/* Every setting of a training and of reading data, as plain values. The one table of options (api/options.c) fills it and
 * holds the defaults; nothing here repeats them. */
#ifndef CNM_LEARN_SETTINGS_H
#define CNM_LEARN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record;

/* Choices are kept as the index of the word in the option's list of values, in the order of these enumerations. */
typedef enum setting_method { METHOD_CNM, METHOD_RFF, METHOD_KERNEL, METHOD_LINEAR } setting_method;
typedef enum setting_gamma { GAMMA_AUTO, GAMMA_KNN, GAMMA_PAPER, GAMMA_NUMBER } setting_gamma;
typedef enum setting_recipe { RECIPE_JOINT, RECIPE_ALTERNATING } setting_recipe;
typedef enum setting_task { WANT_AUTO, WANT_CLASSIFY, WANT_REGRESS, WANT_MAP } setting_task;
typedef enum setting_weights { WEIGHTS_AUTO, WEIGHTS_FLOAT, WEIGHTS_HALF } setting_weights;
typedef enum setting_effort { EFFORT_QUICK, EFFORT_NORMAL, EFFORT_THOROUGH } setting_effort;
typedef enum setting_metric {
    METRIC_AUTO,
    METRIC_ACCURACY,
    METRIC_BALANCED,
    METRIC_AUC,
    METRIC_F1,
    METRIC_LOGLOSS,
    METRIC_RMSE,
    METRIC_MAE
} setting_metric;
typedef enum setting_imitate { IMITATE_AUTO, IMITATE_YES, IMITATE_NO } setting_imitate;
typedef enum setting_penalty { PENALTY_NONE, PENALTY_L1, PENALTY_L2 } setting_penalty;

typedef struct settings {
    /* method */
    int method;     /* setting_method */
    int projection; /* 0 dense, 1 circulant, 2 circulant-diagonal */
    int init;       /* 0 auto, 1 random, 2 orthogonal */
    int phase;      /* 0 uniform, 1 none */
    uint64_t features;
    int kernel; /* map_kernel */
    int gamma;  /* setting_gamma */
    double gamma_number;
    int activation; /* 0 cos, 1 sigmoid, 2 relu */
    int task;       /* setting_task */
    int weights;    /* setting_weights */
    /* training */
    int recipe;                                 /* setting_recipe */
    uint64_t iterations, head_steps, map_steps; /* of the alternating recipe; 0: automatic */
    int loss;                                   /* 0 auto, then the order of LOSSES (learn/objective/losses.c) */
    double lambda;                              /* 0: automatic */
    double hold;                                /* of the joint recipe; below 0: automatic */
    int imitate;                                /* setting_imitate, of the joint recipe */
    int theta_penalty;                          /* setting_penalty */
    double theta_penalty_weight;
    uint64_t epochs, batch; /* 0: automatic */
    double noise, drift;    /* of the joint recipe; below 0: automatic */
    double shift;           /* likewise, for pictures */
    double decay;           /* of the joint recipe; below 0: automatic */
    int effort;             /* setting_effort */
    int metric;             /* setting_metric */
    char *teacher;          /* the file of a model to learn from, or NULL */
    double prune;           /* the share of features taken out after the training */
    double validation;      /* the fraction of rows held back; 0: none */
    uint64_t patience, cv;  /* 0: automatic, 0: no cross-validation */
    double time_limit;      /* seconds; 0: none */
    char *class_weight;     /* NULL: none, and --metric may shift the scores; "none": neither */
    uint64_t seed, threads; /* threads 0: all */
    char *checkpoint;
    double checkpoint_every; /* seconds; 0: after every piece of work */
    bool resume;
    const struct record
        *said; /* the value as text of each option that can change the outcome, by name; NULL: not known */
    /* data */
    int scale; /* 0 auto, then scaling_kind + 1 */
    int missing;
    int format;     /* 0 auto, then the order of FORMATS */
    int header;     /* csv: 0 auto, 1 yes, 2 no */
    char separator; /* csv: 0 auto */
    /* Texts belong to the options; NULL while the option has its default. */
    char *labels, *label_column, *weight_column, *group_column, *positive, *rows;
    uint64_t first_row, last_row; /* --rows, counted from 1, both included; 0: from the start, to the end */
    bool shuffle;
    uint64_t shuffle_seed;
} settings;

#endif
