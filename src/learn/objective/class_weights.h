/* Class weights: "balanced" (all classes have the same total weight) or "LABEL:W,LABEL:W,..."
 * (other classes have weight 1). */
#ifndef CNM_LEARN_OBJECTIVE_CLASS_WEIGHTS_H
#define CNM_LEARN_OBJECTIVE_CLASS_WEIGHTS_H

#include "data/table/classes.h"

/* Fills weights (classes->count) from the text; codes (rows) are the classes of the rows. Fails on
 * an unknown label, a weight that is not a finite number from 0, or a class given twice. */
cnm_status class_weights_read(const char *text, const class_set *classes, const int32_t *codes, size_t rows,
                              double *weights, cnm_error *err);

/* Fills weights (classes->count) with rows / (classes * rows of the class): all classes have the
 * same total weight, and the mean weight of the rows is 1. */
void class_weights_balance(const class_set *classes, const int32_t *codes, size_t rows, double *weights);

#endif
