/* Numbers to be predicted, as they are learned. */
#ifndef CNM_LEARN_DATASET_TARGETS_H
#define CNM_LEARN_DATASET_TARGETS_H

#include "learn/dataset/dataset.h"

/* Centred and divided by their deviation, so that rates and penalties mean the same for any unit. A few far out that no other row foretells (tails.h)
 * set neither unit nor fit: the loss is Huber's where they are so many or so far that they make most of the deviation, and where they are not, they are
 * brought nearer, with a notice. The loss and the numbers stay as they are where --loss names one. */
cnm_status targets_take(problem *self, cnm_error *err);

#endif
