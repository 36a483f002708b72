/* Weights of classes: "balanced" (each class weighs the same in all) or "LABEL:W,LABEL:W,..." (others weigh 1). */
#ifndef CNM_LEARN_OBJECTIVE_CLASS_WEIGHTS_H
#define CNM_LEARN_OBJECTIVE_CLASS_WEIGHTS_H

#include "data/table/classes.h"

/* weights (classes->count) for the text; codes (rows) are the rows' classes. A label that is not there, a weight that is not a
 * finite number from 0, or one class given twice is an error that names it. */
cnm_status class_weights_read(const char *text, const class_set *classes, const int32_t *codes, size_t rows,
                              double *weights, cnm_error *err);

/* weights (classes->count) = rows / (classes * rows of the class): all classes weigh the same, and the mean over the rows is 1. */
void class_weights_balance(const class_set *classes, const int32_t *codes, size_t rows, double *weights);

#endif
