/* The text of a line of progress, and the estimate of the time left: computed from numbers alone,
 * without a clock, a terminal or a stream. */
#ifndef CNM_CLI_PROGRESS_LINE_H
#define CNM_CLI_PROGRESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a line shows. A number that is NaN, or 0 for loss, validation and rate, is left out. */
typedef struct progress_facts {
    const char *prefix;     /* "16 features"; "" for none */
    const char *stage;      /* "fit" */
    double fraction;        /* of the command's work that is done, 0 to 1; NaN: unknown */
    uint64_t done;          /* shown where the fraction is unknown */
    double loss;            /* mean of the latest steps */
    double validation;      /* latest score on validation rows */
    double rows_per_second; /* of the present stage */
    double seconds_left;
} progress_facts;

/* Writes a line of at most `width` characters, and of less than `size` with its final zero, without
 * a line end: "16 features: fit [####----] 52%, loss 0.31, 880k rows/s, about 10 s left". Where it
 * is too long, the bar shrinks first; then go loss, rate, validation score, bar, prefix and time
 * left, in this order. */
void progress_line(const progress_facts *at, bool with_bar, size_t width, char *out, size_t size);

/* The estimate of the time left: what is still to do, over a rate that forgets slowly. All zero is
 * its beginning. */
typedef struct time_left {
    bool sampled;         /* fraction and seconds hold a sample */
    double fraction;      /* latest sample */
    double seconds;       /* when it was taken */
    double gained, spent; /* fraction and seconds behind the rate; old ones count less and less */
    double finish;        /* when the work is expected to end; 0: not known yet */
    double shown;         /* what was returned last; 0: nothing yet */
} time_left;

/* Takes a sample and returns the time left in seconds, rounded as it is shown; NaN where nothing is
 * known yet. It never rises by less than one step of the rounding. seconds: on any clock, never
 * falling. */
double time_left_add(time_left *self, double fraction, double seconds);

/* Says that the work from the latest sample to the next tells nothing about the rate: a stage ended
 * early, or the command did something else. */
void time_left_skip(time_left *self);

#endif
