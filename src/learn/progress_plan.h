/* Maps the progress of stages, one after the other, to the fraction of the whole work that is done.
 *
 * A stage takes its share of what is left: fraction = from + (1 - from) work / (work of this stage
 * and of all later ones), so that expectations may change between stages and the fraction never
 * falls. A stage that ends early makes it jump forward. A plan sits between the caller's callbacks
 * and those of the stages; a stage that runs a whole training of its own gives it `callbacks`, and
 * the fraction of that training becomes the part that the stage has done. */
#ifndef CNM_LEARN_PROGRESS_PLAN_H
#define CNM_LEARN_PROGRESS_PLAN_H

#include "learn/progress.h"

typedef struct progress_plan {
    const cnm_callbacks *outer; /* the caller's; may be NULL */
    cnm_callbacks callbacks;    /* of the stages; they forward to `outer` */
    const char *name;           /* of the present stage */
    progress_span span;         /* of the present stage, as shares of the whole work */
    double reached;             /* the largest fraction reported */
    unsigned stage, stages;     /* as in cnm_progress */
    bool asked;                 /* the caller has asked to stop */
    bool stopped;               /* set by a stage that was stopped: all that follow are stopped, too */
} progress_plan;

/* Begins a plan, which must stay where it is while its callbacks are used. */
void progress_plan_begin(progress_plan *self, const cnm_callbacks *outer);

/* Returns the callbacks for the stages; NULL where the caller has none. */
const cnm_callbacks *progress_plan_callbacks(const progress_plan *self);

/* Enters the stage `at`; the stages before it are done. work (count): the expected work of all
 * stages, in any unit; 0: the stage takes no time, or will not be run. */
void progress_plan_enter(progress_plan *self, const char *name, size_t at, const double *work, size_t count);

#endif
