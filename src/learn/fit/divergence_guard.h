/* Against fits that diverge: where a chunk of steps ends with a loss or parameters beyond all
 * bounds, the parameters before it are restored, and the chunk is repeated with smaller steps. That
 * follows from loss and parameters alone, never from the clock: it is the same for any number of
 * threads, and in a resumed training. */
#ifndef CNM_LEARN_FIT_DIVERGENCE_GUARD_H
#define CNM_LEARN_FIT_DIVERGENCE_GUARD_H

#include "learn/fit/fit_session.h"

enum { DIVERGENCE_GUARD_MOST = 16 }; /* times that rates are lowered */

/* Sets the bound of losses: a million times the larger of 1 and the mean loss of a model whose
 * scores are all 0. */
cnm_status divergence_guard_create(divergence_guard *out, const dataset *data, cnm_error *err);

/* Sets the limit of parameters: 2^64, or 4,096 times the largest initial parameter where that is
 * more. Call it before the first steps, and before a checkpoint is restored. */
void divergence_guard_measure(fit_session *self);
/* Keeps the present parameters, before steps. */
cnm_status divergence_guard_begin(fit_session *self, const train_plan *plan, cnm_error *err);

/* Runs a chunk of steps with engine_run, and repeats it with smaller steps for as long as it
 * diverges. A trial ends instead, with the state FIT_DIVERGED. Fails where no steps are small
 * enough, or where even the kept parameters have no finite loss. */
cnm_status divergence_guard_run(fit_session *self, engine *runner, const train_plan *plan, uint64_t first,
                                uint64_t steps, cnm_error *err);

#endif
