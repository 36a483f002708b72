/* Alternating minimisation (algorithms 1 to 3 of the paper): head and map in turn. */
#ifndef CNM_LEARN_FIT_FIT_ALTERNATING_H
#define CNM_LEARN_FIT_FIT_ALTERNATING_H

#include "learn/fit/fit_session.h"

/* Fits map and head in `iterations` iterations; 0: in alternating_iterations(). */
cnm_status fit_alternating(fit_session *self, uint64_t iterations, cnm_error *err);
/* Returns --iterations, or the default. */
uint64_t alternating_iterations(const settings *wanted);

#endif
