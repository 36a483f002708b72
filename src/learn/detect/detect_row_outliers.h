/* Whether some rows lie so far out that no scaling by deviations does the others justice. */
#ifndef CNM_LEARN_DETECT_DETECT_ROW_OUTLIERS_H
#define CNM_LEARN_DETECT_DETECT_ROW_OUTLIERS_H

#include "learn/dataset/dataset.h"

/* Some cell is more than 200 of its column's robust deviations (IQR / 1.35) from the median, and more than the square root of the rows' number,
 * which no cell of a column without spread can be in ordinary deviations. For dense rows under asinh scaling; others have none. */
bool rows_reach_far(const problem *task);

#endif
