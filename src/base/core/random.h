/* Counter-based random numbers: Philox4x32-10 (Salmon et al. 2011). No hidden state:
 * a number is a function of (seed, stream id, part, index), so order and threads cannot change it.
 * Two streams never share a number. */
#ifndef CNM_BASE_CORE_RANDOM_H
#define CNM_BASE_CORE_RANDOM_H

#include "cnm/types.h"

/* The streams of random numbers. A seed promises the same model for good, so ids never change: only
 * append. */
typedef enum random_stream_id {
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
    RANDOM_MAP_BATCHES = 11,      /* as RANDOM_BATCHES, for steps that learn the map alone */
    RANDOM_DIFFERENCE_NOISE = 12, /* part = step */
    RANDOM_TRANSLATION = 13,      /* part = step */
    RANDOM_MIRROR = 14,           /* part = step */
    RANDOM_TRANSFER_SET = 15,     /* synthetic rows of distillation */
    RANDOM_HELD_OUT = 16          /* rows held out of a whole training */
} random_stream_id;

typedef struct random_stream {
    uint64_t seed;
    uint32_t id;   /* a random_stream_id */
    uint32_t part; /* block, epoch or step within the stream */
} random_stream;

/* Fills out with four independent 32-bit words. */
void random_words(random_stream stream, uint64_t index, uint32_t out[4]);

/* Returns a number that is uniform in the open interval (0, 1): one of the 2^52 odd multiples of
 * 2^-53. */
double random_uniform(random_stream stream, uint64_t index);

/* Returns a uniform integer below bound (bound >= 1); its bias is below bound / 2^64. */
uint64_t random_below(random_stream stream, uint64_t index, uint64_t bound);

/* Fills out (count) with a random order of 0 .. count-1 (Fisher-Yates). */
void random_order(random_stream stream, size_t count, size_t *out);

#endif
