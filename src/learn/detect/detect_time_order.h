/* Detects rows in time order, whose order carries information. */
#ifndef CNM_LEARN_DETECT_DETECT_TIME_ORDER_H
#define CNM_LEARN_DETECT_DETECT_TIME_ORDER_H

#include "learn/dataset/dataset.h"

/* Sets *out where at least two columns, and one in twenty, change less than half as much from a row
 * to the next as to a distant row of the same class, over a sample of 1,000 rows. `rows` are those
 * of the data set, scaled. Sparse rows, and fewer than 1,000, never count as ordered. */
cnm_status detect_time_order(const dataset *data, const input_source *rows, bool *out, cnm_error *err);

#endif
