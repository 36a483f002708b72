/* Map and head of a training learn a lesson, from where they are: what they say of its rows gives way to what is wanted there. */
#ifndef CNM_LEARN_DISTILL_STUDENT_H
#define CNM_LEARN_DISTILL_STUDENT_H

#include "learn/distill/transfer_set.h"

/* How many steps it takes, after a training whose recipe is known. */
uint64_t pupil_steps(const training *self);
/* How many products these are; those by which its pace is found are not counted. */
double pupil_work(const training *self);

/* Takes the place of map and head. `leaving`: the caller asked to stop meanwhile, so a few steps are enough. */
cnm_status pupil_teach(training *self, const lesson *from, bool leaving, cnm_error *err);

/* How fast the pupil's map is best to learn, beside its head; found by short lessons. */
cnm_status pupil_pace(training *self, const lesson *from, double *pace, cnm_error *err);

#endif
