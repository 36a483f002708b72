/* The table of losses. A loss works on a (rows, outputs) matrix of scores; see engine/plan.h. To
 * add one, write its row (losses.c, or a file of its own) and name it in LOSS_LIST (losses.c). */
#ifndef CNM_LEARN_OBJECTIVE_LOSSES_H
#define CNM_LEARN_OBJECTIVE_LOSSES_H

#include <math.h>

#include "engine/plan.h"

/* Returns the loss of that name, or NULL. */
const loss_ops *loss_find(const char *name);
/* Returns whether the scores of the loss are margins, not logarithms of odds; false for NULL. */
bool loss_has_margins(const loss_ops *loss);
/* Returns all losses, in the order of the option's values (after "auto"). */
const loss_ops *const *loss_table(size_t *count);

/* Returns the score of a class in row i of scores (rows, outputs). A single output is the score of
 * the second of two classes; the first has 0. */
static inline double class_score(const float *scores, size_t outputs, size_t i, size_t class) {
    return outputs > 1 ? (double)scores[i * outputs + class] : class == 1 ? (double)scores[i] : 0.0;
}

/* Returns the largest score of row i: what log-sum-exp and softmax subtract first. */
static inline double class_score_largest(const float *scores, size_t outputs, size_t i, size_t classes) {
    double largest = -INFINITY;
    for (size_t j = 0; j < classes; j++) {
        largest = fmax(largest, class_score(scores, outputs, i, j));
    }
    return largest;
}

#endif
