/* Kernel machines that are found by least squares, one factor for all classes: cheaper than those of machine.h where rows are more, and a factor
 * also tells what each of them would say of a row that it had not seen. */
#ifndef CNM_LEARN_RIDGE_H
#define CNM_LEARN_RIDGE_H

#include "learn/machine.h"

enum { COUNCIL = 3 }; /* what several say on average is better than what the best of them says */
enum { RIDGE_LEAST_ROWS = 40 };

/* The best of those tried, the best first. Labels of classes are taken for 1 and -1; scores times `sharpness` are what log-probabilities would be. */
typedef struct ridge_council {
    kernel_machine machines[COUNCIL];
    double sharpness[COUNCIL];
    size_t count; /* 0: there is none */
    double loss;  /* of the first, on rows that it has not seen: as pilots are judged */
    double
        near; /* how far rows lie from the nearest other one, as a share of how far they lie from each other; means */
} ridge_council;

/* Of the training's rows. The search may cost `work` products; it sees fewer of the rows where they are many. None of fewer than RIDGE_LEAST_ROWS rows, or where so many are copies
 * that others tell nothing of a row that was left out. */
cnm_status ridge_find(ridge_council *out, const training *of, double work, cnm_error *err);
void ridge_free(ridge_council *self);

/* How many products the machines of a council take, beside the search for them. */
double ridge_work(size_t rows);

#endif
