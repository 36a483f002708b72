/* In which manner a map learns (learn/search/profiles.h), or whether it stays as it was drawn: pilots tell, before the rounds of a search and after them. */
#ifndef CNM_LEARN_SEARCH_COMPARE_PROFILES_H
#define CNM_LEARN_SEARCH_COMPARE_PROFILES_H

#include "learn/search/search_budget.h"

/* Of a gentle map. Where options say that the map stays as drawn, only how. */
cnm_status manners_try_first(choosing *self, cnm_error *err);

/* Where self->last: the recipe that was found against a map that stays as it was drawn. */
cnm_status manners_try_last(choosing *self, cnm_error *err);

#endif
