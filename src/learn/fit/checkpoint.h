/* The checkpoint of a training: its whole state in a file, from which a later training goes on.
 *
 * A resumed training repeats everything from the start but its steps. Trials that were finished get
 * the losses they had, finished runs of steps are left out, and in the run where the state was
 * saved it is restored: from there on the training is the same, to the bit, as one without an
 * interruption. The clock decides when a checkpoint is written, and never what is computed.
 *
 * All functions take NULL for a training without a checkpoint. */
#ifndef CNM_LEARN_FIT_CHECKPOINT_H
#define CNM_LEARN_FIT_CHECKPOINT_H

#include "data/table/table.h"
#include "learn/fit/fit_session.h"

/* Creates what writes checkpoints; *out = NULL where the settings name no file. With `resume` reads
 * the file, and sends a notice of the step where the training goes on, or that it starts afresh.
 * Fails with the reason where rows, options or the model to start from (may be NULL) are not those
 * of the file. Borrows settings and callbacks. */
cnm_status checkpoint_create(checkpoint **out, const table *rows, const settings *wanted, const cnm_model *start,
                             const cnm_callbacks *callbacks, cnm_error *err);
void checkpoint_destroy(checkpoint *self);

/* Returns whether the next trial needs no fit: it was finished, with the loss *loss, or the search
 * ended before it, which sets *stop. */
bool checkpoint_next_trial(checkpoint *self, double *loss, bool *stop);
/* Adds the loss of a trial that was fitted. */
cnm_status checkpoint_add_trial(checkpoint *self, double loss, cnm_error *err);

/* Returns whether the saved state is still to be reached. *ended: until then, whether the clock
 * ended the search here. */
bool checkpoint_replays(const checkpoint *self, bool *ended);

/* Returns whether the search is left out: in a resumed training as the one before it did, else as
 * is wanted, which checkpoints then remember. */
bool checkpoint_leave_out_search(checkpoint *self, bool wanted);

/* Fails where the training is over without reaching the saved state, which is of another training
 * then. */
cnm_status checkpoint_check(const checkpoint *self, cnm_error *err);

/* Returns the saved step of this phase; 0 where another phase was saved. */
uint64_t checkpoint_step(const checkpoint *self, const char *phase);

/* Begins a run of `count` steps. *done: how many of them the checkpoint already has; the state
 * after them is restored. */
cnm_status checkpoint_enter(fit_session *of, engine *runner, progress_meter *meter, uint64_t count, uint64_t *done,
                            cnm_error *err);
/* Writes a checkpoint, after `steps` more steps of which the last is step `done` of the run, where
 * one is due or the training was stopped. A failure is a notice. */
void checkpoint_offer(fit_session *of, engine *runner, const progress_meter *meter, uint64_t done, uint64_t steps);
/* Writes the checkpoint after the last step, before anything else changes the parameters. */
void checkpoint_finish(fit_session *of, engine *runner, const progress_meter *meter);

#endif
