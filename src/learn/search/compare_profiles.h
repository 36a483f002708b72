/* Compares whole profiles by trials: before the rounds of a search, and a frozen map after them. */
#ifndef CNM_LEARN_SEARCH_COMPARE_PROFILES_H
#define CNM_LEARN_SEARCH_COMPARE_PROFILES_H

#include "learn/search/search_budget.h"

/* Compares the profiles of a slowly learned map. Where options freeze the map, searches its width
 * and penalty. */
cnm_status compare_profiles_first(search_state *self, cnm_error *err);

/* Compares what the rounds found with a frozen map, where self->compares_frozen_last. */
cnm_status compare_frozen_last(search_state *self, cnm_error *err);

#endif
