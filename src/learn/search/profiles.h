/* The default hyperparameters of a joint training, from the shape of its rows alone, and the
 * profiles that a search compares. */
#ifndef CNM_LEARN_SEARCH_PROFILES_H
#define CNM_LEARN_SEARCH_PROFILES_H

#include "learn/detect/facts.h"
#include "learn/fit/fit_session.h"

/* Fills the session's hyperparameters: what options set, then the default for so many rows. */
void profile_default(fit_session *self, const facts *known);

/* Returns whether rows are so few for so many parameters that the map is learned slowly, and
 * options let it. */
bool map_is_slow(const fit_session *self, const facts *known);

/* Returns whether a frozen map is to be compared after the search instead of before: rows are
 * neither few nor many, and trials are informative only once the other hyperparameters are
 * found. */
bool frozen_is_compared_last(const fit_session *self, const facts *known);

/* Lists the profiles that can suit a slowly learned map better than the default, a frozen map last;
 * returns how many. What options set stays. distill_may_follow: see search_budget.h. */
enum { OTHER_PROFILES = 2 };
size_t profile_alternatives(const fit_session *self, const facts *known, bool distill_may_follow,
                            hyperparameters others[OTHER_PROFILES]);

/* Fills the hyperparameters for a frozen map. What options set stays. */
void profile_frozen(const fit_session *self, const facts *known, hyperparameters *out);

#endif
