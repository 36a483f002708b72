/* Every setting of a training and of reading data, as plain values. The one table of options (api/options.c) fills it and
 * holds the defaults; nothing here repeats them. */
#ifndef CNM_LEARN_SETTINGS_H
#define CNM_LEARN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Choices are kept as the index of the word in the option's list of values, in the order of these enumerations. */
typedef enum setting_method { METHOD_CNM, METHOD_RFF, METHOD_KERNEL, METHOD_LINEAR } setting_method;
typedef enum setting_gamma { GAMMA_AUTO, GAMMA_KNN, GAMMA_PAPER, GAMMA_NUMBER } setting_gamma;
typedef enum setting_recipe { RECIPE_JOINT, RECIPE_ALTERNATING } setting_recipe;
typedef enum setting_task { WANT_AUTO, WANT_CLASSIFY, WANT_REGRESS, WANT_MAP } setting_task;

typedef struct settings {
    /* method */
    int method;     /* setting_method */
    int projection; /* 0 dense, 1 circulant */
    int init;       /* 0 random, 1 orthogonal */
    int phase;      /* 0 uniform, 1 none */
    uint64_t features;
    int kernel; /* map_kernel */
    int gamma;  /* setting_gamma */
    double gamma_number;
    int activation; /* 0 cos, 1 sigmoid, 2 relu */
    int task;       /* setting_task */
    /* training */
    int recipe;             /* setting_recipe */
    int loss;               /* 0 auto, then the order of LOSSES (learn/losses.c) */
    double lambda;          /* 0: automatic */
    uint64_t epochs, batch; /* 0: automatic */
    uint64_t seed, threads; /* threads 0: all */
    /* data */
    int scale; /* 0 auto, then scaling_kind + 1 */
    int missing;
    int format; /* 0 auto, then the order of FORMATS */
    char *labels, *label_column, *weight_column, *positive, *rows;
    bool shuffle;
    uint64_t shuffle_seed;
} settings;

#endif
