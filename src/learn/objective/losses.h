/* The table of losses. Each works on a whole (rows, outputs) matrix of scores; engine/plan.h has the row's type. */
#ifndef CNM_LEARN_OBJECTIVE_LOSSES_H
#define CNM_LEARN_OBJECTIVE_LOSSES_H

#include "engine/plan.h"

/* NULL when unknown. */
const loss_ops *loss_find(const char *name);
/* Scores are margins, and not meant as logarithms of odds. NULL has none. */
bool loss_has_margins(const loss_ops *loss);
/* All of them, in the order of the option's values (after "auto"). */
const loss_ops *loss_table(size_t *count);

/* The score of a class in row i of (rows, outputs) scores; a single score is that of the second of two classes, against 0. */
static inline double class_score(const float *scores, size_t outputs, size_t i, size_t class) {
    return outputs > 1 ? (double)scores[i * outputs + class] : class == 1 ? (double)scores[i] : 0.0;
}

#endif
