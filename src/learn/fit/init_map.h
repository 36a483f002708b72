/* Makes the initial map and head of a fit. */
#ifndef CNM_LEARN_FIT_INIT_MAP_H
#define CNM_LEARN_FIT_INIT_MAP_H

#include "learn/fit/fit_session.h"

/* Binds the rows, estimates the bandwidth where it is not known yet, and creates the random map. */
cnm_status init_map(fit_session *self, cnm_error *err);
/* Calls init_map and adds a head of zeros; or copies the map and head of `start`, where that is not
 * NULL. */
cnm_status init_map_and_head(fit_session *self, const cnm_model *start, cnm_error *err);

#endif
