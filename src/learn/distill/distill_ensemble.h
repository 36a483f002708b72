/* The stage `distill`: after a joint training on few rows, distils the average of the model and a
 * kernel ridge ensemble of the same rows into the model. The two err on different rows, so their
 * average is mostly as good as the better of them, or better. */
#ifndef CNM_LEARN_DISTILL_DISTILL_ENSEMBLE_H
#define CNM_LEARN_DISTILL_DISTILL_ENSEMBLE_H

#include "learn/detect/facts.h"
#include "learn/fit/fit_session.h"

/* Fails with the reason where --distill yes is given and the data set, the map or another option
 * rules it out. */
cnm_status distill_check(const fit_session *self, cnm_error *err);

/* Returns whether options leave distillation open and rows are few. The search then starts with
 * DISTILL_LEAST_FEATURES. */
bool distill_may_follow(const fit_session *self);

/* What the parts of the stage are expected to take, for the progress, in the unit of
 * fit_session_step_time. */
typedef struct distill_times {
    double search, models, scores; /* of the ensemble */
    double student;
    double all;
} distill_times;

/* Returns these; all 0 where the ensemble would be too expensive. */
distill_times distill_expected(const fit_session *self);

/* Distils, unless options rule it out, or the ensemble is clearly worse than the map on rows that
 * neither has seen, or too expensive. search_loss is the loss of the map on such rows; 0: not
 * known. *distilled: whether it did. */
cnm_status distill_run(fit_session *self, const facts *known, double search_loss, bool *distilled, cnm_error *err);

#endif
