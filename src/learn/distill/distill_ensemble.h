/* After a joint training: map and head learn to say, on average, what they say already and what kernel machines of the same rows say (ridge.h). The two
 * err on different rows, so that their mean is mostly as good as the better of them, or better. */
#ifndef CNM_LEARN_DISTILL_DISTILL_ENSEMBLE_H
#define CNM_LEARN_DISTILL_DISTILL_ENSEMBLE_H

#include "learn/fit/fit_session.h"

/* --imitate yes: refused, with the reason, where there can be none. */
cnm_status imitate_check(const training *self, cnm_error *err);

/* Options leave it open, and rows are few. Fewer features are no match for a machine. */
enum { IMITATING_FEATURES = 128 };
bool imitation_may_follow(const training *self);

/* Nothing where options rule it out, or where machines are clearly worse than the map on rows that neither has seen, or too dear. */
cnm_status imitate(training *self, cnm_error *err);

#endif
