/* A map that learns to say what a kernel machine says (machine.h), on the rows, between them and around them: as good as the machine, and as
 * small as any map of so many features. */
#ifndef CNM_LEARN_IMITATE_H
#define CNM_LEARN_IMITATE_H

#include "learn/training.h"

/* --imitate yes: refused, with the reason, where there can be no machine. */
cnm_status imitate_check(const training *self, cnm_error *err);

/* Finds the machine of the training's rows with the width and penalty of its recipe, and fits map and head to it. */
cnm_status fit_imitation(training *self, cnm_error *err);

#endif
