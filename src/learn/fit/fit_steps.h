/* Runs the steps of a fit in chunks, with divergence guard, deadline, progress, checkpoints and
 * validation. */
#ifndef CNM_LEARN_FIT_FIT_STEPS_H
#define CNM_LEARN_FIT_FIT_STEPS_H

#include "learn/fit/checkpoint.h"
#include "learn/fit/fit_session.h"

/* Runs `count` steps of a plan, from step `first` on, with progress reports that count on from
 * meter->before. Ends early where the caller stops it, the deadline is over, or a trial diverges.
 * Steps of all methods are run here, and checkpoints written and restored. */
cnm_status fit_steps_run(fit_session *self, engine *runner, const train_plan *plan, progress_meter *meter,
                         uint64_t first, uint64_t count, cnm_error *err);

/* Evaluates the validation rows and keeps the best parameters; `patience` counts down while nothing
 * improves. Does nothing where no rows are held out, or where a resumed training has not reached
 * the checkpoint. */
cnm_status fit_steps_validate(fit_session *self, engine *runner, const train_plan *plan, cnm_error *err);

/* Returns whether nothing improved in as many evaluations as --patience allows. */
bool fit_steps_are_over(const fit_session *self);

#endif
