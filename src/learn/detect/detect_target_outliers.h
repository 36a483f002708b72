/* Numbers to be predicted of which a few lie far out: whether other rows foretell them. A town of millions does among small ones, since its columns are
 * large, too; a slip of the pen does not. */
#ifndef CNM_LEARN_DETECT_DETECT_TARGET_OUTLIERS_H
#define CNM_LEARN_DETECT_DETECT_TARGET_OUTLIERS_H

#include "learn/dataset/dataset.h"

/* By up to 1,000 rows that are no copies, those farthest from the middle among them; *out is false where columns are more than 1,024, or nothing can be
 * told. The problem needs its rows alone; targets (its rows) are those to be foretold, in any unit. */
cnm_status tails_are_foretold(const problem *task, const double *targets, double middle, bool *out, cnm_error *err);

#endif
