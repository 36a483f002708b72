/* The checkpoint of a training: its whole state in a file, written now and then, and the way back.
 *
 * A resumed training does everything again from the start but the steps. Pilots that were through give the losses they had, runs of
 * steps that were through are left out, and in the run where the state was saved it is taken back: from there on all is as if
 * nothing had been between, to the bit. The clock decides when a checkpoint is written and never what is computed.
 *
 * All functions take NULL for a training without a checkpoint. */
#ifndef CNM_LEARN_FIT_CHECKPOINT_H
#define CNM_LEARN_FIT_CHECKPOINT_H

#include "data/table/table.h"
#include "engine/engine.h"
#include "learn/progress.h"
#include "learn/settings.h"
#include "model/model.h"

typedef struct checkpoint checkpoint;
struct training;

/* *out = NULL where the settings name no file. With `resume` reads the file, says where the training goes on, or that it starts
 * afresh; fails with the reason where rows, options or the model to start from (may be NULL) are not those of the file. Settings and
 * callbacks must outlive it. */
cnm_status checkpoint_create(checkpoint **out, const table *rows, const settings *wanted, const cnm_model *start,
                             const cnm_callbacks *callbacks, cnm_error *err);
void checkpoint_destroy(checkpoint *self);

/* The next pilot of the training: true where it was through, with its loss; or where the search ended before it: *stop. */
bool checkpoint_recall(checkpoint *self, double *loss, bool *stop);
/* A pilot is through. */
cnm_status checkpoint_note(checkpoint *self, double loss, cnm_error *err);

/* True until the saved state is reached. *ended: the clock ended the search here, then. */
bool checkpoint_replays(const checkpoint *self, bool *ended);

/* Fails where the training is over and the saved state was not reached: it is not this training's. */
cnm_status checkpoint_check(const checkpoint *self, cnm_error *err);

/* How many steps of this phase were made before; 0 where it is another. */
uint64_t checkpoint_step(const checkpoint *self, const char *phase);

/* A run of `count` steps begins: *done of them were made before, and the state after them is restored. */
cnm_status checkpoint_enter(struct training *of, engine *runner, progress_meter *meter, uint64_t count, uint64_t *done,
                            cnm_error *err);
/* After `steps` more steps, `done` of the run: writes when it is time, and when the training was stopped. What goes wrong is a notice. */
void checkpoint_offer(struct training *of, engine *runner, const progress_meter *meter, uint64_t done, uint64_t steps);
/* After the last step, before anything is done to the parameters. */
void checkpoint_finish(struct training *of, engine *runner, const progress_meter *meter);

#endif
