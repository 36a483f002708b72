/* Hyperparameters of joint training: set by options, or chosen from the rows by the stage
 * `search`. */
#ifndef CNM_LEARN_HYPERPARAMETERS_H
#define CNM_LEARN_HYPERPARAMETERS_H

#include "data/scale/scaling.h"
#include "engine/augment/augmentations.h"

enum { DEFAULT_MOST_STEPS = 16000 };   /* more only where many rows need them */
enum { DISTILL_LEAST_FEATURES = 128 }; /* a smaller map cannot approximate the ensemble */

/* How a map is learned. */
typedef enum map_mode {
    MAP_LEARNED, /* at its full learning rate */
    MAP_SLOW,    /* at map_rate times its full learning rate in a training of 16,000 steps */
    MAP_FROZEN,  /* not at all: random features, whose head is solved for where that is possible */
} map_mode;

typedef struct hyperparameters {
    scaling_kind scale;
    map_mode map_mode;
    double map_rate;      /* 1 of MAP_LEARNED, 0 of MAP_FROZEN */
    double lambda;        /* weight of the penalty on the head */
    double width;         /* of the initial theta, in units of the rule of the bandwidth */
    double decay;         /* of theta */
    AUGMENTATION_AMOUNTS; /* noise in units of sigma / sqrt(d) */
    size_t image_width;   /* pixels in a line; 0: rows are no images */
    uint64_t steps;       /* mini-batches in all */
    uint64_t batch;       /* rows in each of them */
} hyperparameters;

/* Returns the mode of a rate. */
static inline map_mode map_mode_of(double map_rate) {
    return map_rate == 1.0 ? MAP_LEARNED : map_rate == 0.0 ? MAP_FROZEN : MAP_SLOW;
}

#endif
