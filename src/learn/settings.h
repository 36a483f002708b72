/* Every setting of a training and of reading data, as plain values. The one table of options
 * (api/options.c) fills them and has their defaults, which are not repeated here. */
#ifndef CNM_LEARN_SETTINGS_H
#define CNM_LEARN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/augment/augmentations.h"

struct record;

/* Choices are stored as the index of a word in the list of values of their option, in the order of
 * these enumerations. */
typedef enum setting_method { METHOD_CNM, METHOD_RFF, METHOD_KERNEL, METHOD_LINEAR } setting_method;
typedef enum setting_gamma { GAMMA_AUTO, GAMMA_KNN, GAMMA_PAPER, GAMMA_NUMBER } setting_gamma;
typedef enum setting_recipe { RECIPE_JOINT, RECIPE_ALTERNATING } setting_recipe;
typedef enum setting_task { WANT_AUTO, WANT_CLASSIFY, WANT_REGRESS, WANT_MAP } setting_task;
typedef enum setting_missing { FILL_AUTO, FILL_MEAN, FILL_ERROR } setting_missing;
typedef enum setting_dtype { DTYPE_AUTO, DTYPE_F32, DTYPE_F16 } setting_dtype;
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
typedef enum setting_distill { DISTILL_AUTO, DISTILL_YES, DISTILL_NO } setting_distill;
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
    int dtype;      /* setting_dtype */
    /* training */
    int recipe;                                 /* setting_recipe */
    uint64_t iterations, head_steps, map_steps; /* of the alternating recipe; 0: automatic */
    int loss;                                   /* 0 auto, then the order of LOSS_LIST (losses.c) */
    double lambda;                              /* 0: automatic */
    double map_rate;                            /* of the joint recipe; below 0: automatic */
    int distill;                                /* setting_distill, of the joint recipe */
    int theta_penalty;                          /* setting_penalty */
    double theta_penalty_weight;
    uint64_t epochs, batch; /* 0: automatic */
    /* Of the joint recipe; below 0: automatic. */
    double decay;
    AUGMENTATION_AMOUNTS;
    int effort;        /* setting_effort */
    int metric;        /* setting_metric */
    char *teacher;     /* the file of a model to distil; NULL: none */
    double prune;      /* the share of features that is pruned after the fit */
    double validation; /* the share of rows that is held out; 0: none */
    uint64_t patience; /* 0: automatic */
    uint64_t cv;       /* 0: no cross-validation */
    double time_limit; /* seconds; 0: none */
    /* NULL: none, and --metric may set decision thresholds; "none": neither. */
    char *class_weight;
    uint64_t seed, threads; /* threads 0: all */
    char *skip;             /* the stages to leave out, separated by commas; NULL: none */
    char *checkpoint;
    double checkpoint_every; /* seconds; 0: after every chunk of steps */
    bool resume;
    /* The value of each option that can change the outcome, as text by name; NULL: not known. */
    const struct record *given;
    /* data */
    int scale;      /* 0 auto, then scaling_kind + 1 */
    int missing;    /* setting_missing */
    int format;     /* 0 auto, then the order of FORMATS */
    int header;     /* csv: 0 auto, 1 yes, 2 no */
    char separator; /* csv: 0 auto */
    int decimal;    /* 0 auto, '.' or ',' */
    /* Texts belong to the options; NULL while the option has its default. */
    char *labels, *label_column, *weight_column, *group_column, *positive, *id_column, *rows;
    char *drop, *only, *missing_words; /* lists, separated by commas */
    /* --rows, counted from 1, both included; 0: from the first row, to the last. */
    uint64_t first_row, last_row;
    bool shuffle;
    uint64_t shuffle_seed;
} settings;

#endif
