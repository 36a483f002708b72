/* The expected work of stages, in trainings: the steps of the stage `fit`. Counts operations where
 * they are known; the other shares are measured, of data sets of 150 to 15,000 rows. */
#include "learn/distill/distill_ensemble.h"
#include "learn/evaluate/decision_thresholds.h"
#include "learn/fit/frozen_map.h"
#include "learn/objective/losses.h"
#include "learn/train/training.h"
#include "learn/tuning.h"

/* Of the budget of a search, how much it takes as a rule beside the comparison of numbers of
 * features, and with it; of a training, what pruning and a second training for calibration take. */
static const double SEARCH_SHARE = 0.75, FEATURES_SHARE = 1.0, PRUNE_SHARE = 0.2, CALIBRATE_SHARE = 0.5;

/* Returns the time of a training's steps (fit_session_step_time); 0 before they are known. */
static double training_work(const training *self) {
    const fit_session *fit = &self->fit;
    return fit->data == NULL ? 0.0 : (double)fit->chosen.steps * fit_session_step_time(fit, fit->chosen.batch);
}

double search_work(const training *self) {
    const bool searched = self->rows->rows >= TUNING.least_search_rows;
    const double share =
        self->settings.features == 0 && self->settings.layer_count == 0 ? FEATURES_SHARE : SEARCH_SHARE;
    return searched ? share * TUNING.budgets[self->settings.effort] : 0.0;
}

double fit_work(const training *self) {
    const bool solved = self->joint && training_work(self) > 0.0 && head_is_solved(&self->fit);
    return solved ? solve_steps(&self->fit) / (double)self->fit.chosen.steps : 1.0;
}

double distill_work(const training *self) {
    const double whole = training_work(self);
    const bool wanted = self->settings.distill == DISTILL_YES ||
                        (whole > 0.0 && self->settings.distill == DISTILL_AUTO && distill_may_follow(&self->fit));
    return wanted && whole > 0.0 ? distill_expected(&self->fit).all / whole : 0.0;
}

double prune_work(const training *self) {
    (void)self;
    return PRUNE_SHARE;
}

double calibrate_work(const training *self) {
    const bool again = self->data.loss != NULL && (thresholds_wanted(&self->data) || loss_has_margins(self->data.loss));
    const bool held = self->settings.validation > 0.0 || self->validation != NULL;
    return again && !held && self->settings.time_limit == 0.0 ? CALIBRATE_SHARE : 0.0;
}
