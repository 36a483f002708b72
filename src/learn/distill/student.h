/* Fits a student, which starts as a copy of a session's map and head, on a transfer set. */
#ifndef CNM_LEARN_DISTILL_STUDENT_H
#define CNM_LEARN_DISTILL_STUDENT_H

#include "learn/distill/transfer_set.h"

/* Returns the steps of the fit, after a joint training whose hyperparameters are known. */
uint64_t student_steps(const fit_session *self);
/* Returns the multiply-adds of these steps, without the search for the learning rate. */
double student_work(const fit_session *self);

/* Returns the expected time of both, for the progress (fit_session_step_time). */
double student_expected(const fit_session *self);

/* Replaces map and head of the session by those of a fitted student. stop_requested: the caller
 * asked to stop meanwhile, so a few steps are enough. */
cnm_status student_fit(fit_session *self, const transfer_set *from, bool stop_requested, cnm_error *err);

/* Finds the learning rate of the student's map as a multiple of the head's, by short fits. */
cnm_status student_find_rate(const fit_session *self, const transfer_set *from, double *map_factor, cnm_error *err);

#endif
