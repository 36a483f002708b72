/* Counter-based random numbers: Philox4x32-10 from Random123. No hidden state: a number is a function of (seed, purpose,
 * part, index), so order and threads cannot change it. Two purposes never share a number. */
#ifndef CNM_BASE_CORE_RANDOM_H
#define CNM_BASE_CORE_RANDOM_H

#include "cnm/types.h"

/* What a stream of numbers is for. Numbers are part of the promise that a seed gives the same model: only append. */
typedef enum random_purpose {
    RANDOM_THETA = 1,
    RANDOM_PHASE = 2,
    RANDOM_SIGNS = 3,
    RANDOM_SHUFFLE = 4,   /* --shuffle */
    RANDOM_BATCHES = 5,   /* order of training rows; part = epoch */
    RANDOM_NOISE = 6,     /* part = step */
    RANDOM_BANDWIDTH = 7, /* sampled rows */
    RANDOM_VALIDATION = 8,
    RANDOM_DEMO = 9,
    RANDOM_TEST = 10,
    RANDOM_MAP_BATCHES = 11, /* as RANDOM_BATCHES, for steps that learn the map alone */
    RANDOM_DRIFT = 12,       /* part = step */
    RANDOM_SHIFT = 13,       /* part = step */
    RANDOM_MIRROR = 14,      /* part = step */
    RANDOM_LESSON = 15       /* rows that a kernel machine is imitated on */
} random_purpose;

typedef struct random_stream {
    uint64_t seed;
    uint32_t purpose; /* a random_purpose */
    uint32_t part;    /* block, epoch or step within the purpose */
} random_stream;

/* Four independent 32-bit words. */
void random_words(random_stream stream, uint64_t index, uint32_t out[4]);

/* Uniform in the open interval (0, 1): the 2^52 odd multiples of 2^-53. */
double random_uniform(random_stream stream, uint64_t index);

/* Uniform integer below bound (bound >= 1), without bias worth noticing (bias < bound / 2^64). */
uint64_t random_below(random_stream stream, uint64_t index, uint64_t bound);

/* out (count) = a random order of 0 .. count-1 (Fisher-Yates). */
void random_order(random_stream stream, size_t count, size_t *out);

#endif
