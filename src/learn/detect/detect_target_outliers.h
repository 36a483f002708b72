/* Outliers among regression targets: detects those that the other rows do not predict, and limits
 * their influence. */
#ifndef CNM_LEARN_DETECT_DETECT_TARGET_OUTLIERS_H
#define CNM_LEARN_DETECT_DETECT_TARGET_OUTLIERS_H

#include "learn/dataset/dataset.h"

/* Limits the influence of outliers that the other rows do not predict. Where outliers make most of
 * the deviation of all targets, the loss becomes Huber's, and the unit of the targets that of their
 * quartiles; where they are few they are clipped, with a notice. With a --loss of the user's only
 * the unit changes. For regression. */
cnm_status target_outliers_limit(dataset *data, cnm_error *err);

/* Sets *out where a kernel ridge model of up to 1,000 distinct rows, among them those whose targets
 * are farthest from `middle`, has a leave-one-out R2 above 0.05. *out is false where columns are
 * more than 1,024, or rows too few. targets (rows of the data set) are in any unit. */
cnm_status targets_are_predictable(const dataset *data, const double *targets, double middle, bool *out,
                                   cnm_error *err);

#endif
