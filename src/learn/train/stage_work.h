/* The expected work of stages, for the progress alone: in units of a training with the default
 * number of steps and features. */
#ifndef CNM_LEARN_TRAIN_STAGE_WORK_H
#define CNM_LEARN_TRAIN_STAGE_WORK_H

#include "learn/train/training.h"

double search_work(const training *self);
double fit_work(const training *self);
double distill_work(const training *self);
double prune_work(const training *self);
double calibrate_work(const training *self);

#endif
