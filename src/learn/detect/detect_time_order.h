/* Whether the order of the rows means something, as it does where they come in time. */
#ifndef CNM_LEARN_DETECT_DETECT_TIME_ORDER_H
#define CNM_LEARN_DETECT_DETECT_TIME_ORDER_H

#include "learn/dataset/dataset.h"

/* At least two columns, and one in twenty, change half as much from a row to the next as to one far away (of the same class), over
 * 1,000 sampled places. `rows` are the problem's, prepared; sparse rows and fewer than 1,000 are never taken for ordered. */
cnm_status rows_are_ordered(const problem *task, const input_source *rows, bool *ordered, cnm_error *err);

#endif
