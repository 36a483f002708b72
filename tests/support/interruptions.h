/* Trainings that are interrupted where a test asks for it. The library's clock and the size of its
 * chunks of steps are replaced, so that a report comes after every few steps and the clock counts
 * reports. The linker finds the functions of interruptions.c before those of learn/progress.c and
 * learn/fit/chunk_size.c, in the programs that link it (tests/CMakeLists.txt). */
#ifndef CNM_TESTS_SUPPORT_INTERRUPTIONS_H
#define CNM_TESTS_SUPPORT_INTERRUPTIONS_H

#include "support/trainings.h"

enum { CHUNK_STEPS = 7 };

/* What happens when, counted from the start of a training. */
typedef struct timeline {
    uint64_t reports;            /* so far: chunks of steps */
    uint64_t machines;           /* of these, in a row: kernel models that were tried ... */
    uint64_t first_machine;      /* ... from this one on */
    uint64_t stop_at, kill_at;   /* at this report: cancel, or SIGKILL; 0: never */
    void (*at)(uint64_t report); /* called at every report; may be NULL */
    size_t notices;
    char notice[CNM_MESSAGE_SIZE]; /* the latest */
    char words[64];                /* only notices with these words are counted and kept; "": all */
} timeline;

extern timeline now;

/* Callbacks that count notices in `now`. */
extern const cnm_callbacks NOTICING;

#endif
