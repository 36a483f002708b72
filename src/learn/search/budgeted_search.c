/* Costs are counted in rows times features of the map. Where the map is learned slowly, profiles
 * are compared first, by a trial each with all features (compare_profiles.c). Then come two rounds
 * of trials with fewer features and steps than the training: few long ones for decay, which matters
 * most where rows are few and acts slowly, then more and shorter ones for the other
 * hyperparameters. Where rows are neither few nor many, a frozen map is compared last. All trials
 * together may cost TUNING.budgets[effort] times the training. */
#include "learn/search/budgeted_search.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "learn/fit/frozen_map.h"
#include "learn/search/compare_profiles.h"
#include "learn/search/profiles.h"
#include "learn/tuning.h"

/* What each round searches. */
static const open_choices ROUND_CHOICES[SEARCH_ROUNDS] = {
    {.decay = true}, {.lambda = true, .scale = true, .width = true}, /* and all augmentations */
};

/* ---- The size of trials ---- */

/* How many trials a round has, and of how many steps: few enough that all fit in its share. */
typedef struct round_size {
    size_t trials;
    uint64_t steps;
} round_size;

static round_size size_round(const search_state *self, size_t index, size_t features) {
    const fit_session *own = self->session;
    const round_tuning *round = &TUNING.rounds[index];
    const double steps = search_round_share(self, index) * self->budget * (double)own->chosen.steps *
                         (double)own->spec.features / (double)features;
    const double fitting = steps / (double)round->most_steps; /* of the longest */
    if (fitting < (double)round->trials) {
        return (round_size){round->trials, (uint64_t)(steps / (double)round->trials)};
    }
    return (round_size){fitting < (double)TUNING.most_trials ? (size_t)fitting : TUNING.most_trials, round->most_steps};
}

/* Returns the features of trials. Smaller maps overfit less, so that they rank hyperparameters as
 * large ones do on many rows. Circulant maps, frozen maps and stacks of layers keep all features:
 * the first and the last have no smaller equivalent, and frozen maps depend on their number. */
static size_t trial_features(const search_state *self) {
    const fit_session *own = self->session;
    const size_t features = own->spec.features;
    const size_t enough = map_is_slow(own, self->known) ? TUNING.slow_trial_features : TUNING.trial_features;
    const bool whole = !projection_find(own->spec.projection)->own_parameters || own->spec.inner_count > 0 ||
                       own->chosen.map_mode == MAP_FROZEN;
    return whole || features < enough ? features : enough;
}

/* Returns the margins. Trials underrate regularisation, because they are smaller and shorter than
 * the training and overfit less. Where they have few of its steps, their losses are less
 * informative, and they overrate decay, which has not shrunk the map yet by as much as it will.
 * With difference noise the default values are good, and others have to be clearly better. */
static search_margins margins_of(const search_state *self) {
    const double share = self->ops->share(self->runner), margin = self->ops->margin(self->runner);
    const double less = TUNING.margin_less_regularised, more = TUNING.margin_more_regularised;
    return share < TUNING.very_short_trial || self->session->chosen.difference_noise > 0.0
               ? (search_margins){more * margin, more * margin, TUNING.margin_very_short * margin}
           : share < TUNING.short_trial ? (search_margins){less * margin, more * margin, TUNING.margin_short * margin}
                                        : (search_margins){less * margin, margin, margin};
}

/* ---- The number of features ---- */

/* Returns the features that the search starts with: distillation and frozen maps need some. */
static size_t least_features(const search_state *self) {
    const size_t given = self->session->spec.features;
    self->session->spec.features = DISTILL_LEAST_FEATURES;
    const bool more = self->distill_may_follow || frozen_is_compared_last(self->session, self->known);
    self->session->spec.features = given;
    return more ? DISTILL_LEAST_FEATURES : TUNING.feature_range[0];
}

/* Doubles the features, from the smallest map on, for as long as that helps. */
static cnm_status search_features(search_state *self, cnm_error *err) {
    const double share = 0.5, needed = 1.0 - self->ops->margin(self->runner);
    double before = INFINITY, loss;
    for (size_t k = least_features(self); k <= TUNING.feature_range[1]; k *= 2) {
        TRY(self->ops->run(self->runner, &self->session->chosen, k, share, &loss, &self->stopped, err));
        if (self->stopped || !(loss < before * needed)) {
            break;
        }
        self->session->spec.features = k;
        before = loss;
    }
    return CNM_OK;
}

/* Finds out whether a learned map is better than a linear model. */
static cnm_status compare_with_linear(search_state *self, cnm_error *err) {
    double linear = INFINITY;
    if (!isfinite(self->loss)) {
        TRY(self->ops->run(self->runner, &self->session->chosen, self->features, 1.0, &self->loss, &self->stopped,
                           err));
    }
    if (!self->stopped) {
        TRY(self->ops->run_linear(self->runner, &linear, &self->stopped, err));
    }
    self->linear_is_enough = !self->stopped && linear <= self->loss;
    return CNM_OK;
}

/* ---- Rounds ---- */

/* Returns what is open both for the search and in a round. A head that is solved for has no noise
 * on its rows. */
static open_choices open_now(const search_state *self, size_t round) {
    const open_choices *open = &self->open, *own = &ROUND_CHOICES[round];
    open_choices now = {.lambda = own->lambda && open->lambda,
                        .scale = own->scale && open->scale,
                        .width = own->width && open->width,
                        .decay = own->decay && open->decay,
                        .outliers = open->outliers};
    for (augmentation_id id = 0; round == SEARCH_ROUNDS - 1 && id < AUGMENTATIONS; id++) {
        now.augment[id] = open->augment[id] && !head_is_solved(self->session);
    }
    return now;
}

/* Fills the hyperparameters of a trial without noise, in the scaling closest to the raw columns;
 * returns whether it is useful. Noise hides small differences between columns, such as one that is
 * the sum of others but for its last digits: then no decay is better than another, and a search
 * that starts there finds nothing. Slowly learned maps are compared with a frozen one, which has no
 * noise either. */
static bool noiseless_alternative(const search_state *self, hyperparameters *out) {
    *out = self->session->chosen;
    out->noise = 0.0;
    out->scale = !self->open.scale ? out->scale : self->open.outliers ? SCALING_WIDE : SCALING_STANDARD;
    return self->open.noise && self->session->chosen.noise > 0.0 && !map_is_slow(self->session, self->known) &&
           !head_is_solved(self->session);
}

static cnm_status search_round(search_state *self, const open_choices *open, size_t most_trials,
                               const hyperparameters *noiseless, cnm_error *err) {
    fit_session *own = self->session;
    const trial_function trial = {search_trial, self};
    const search_margins margins = margins_of(self);
    self->loss = INFINITY;
    if (noiseless != NULL) {
        const alternative rival = {*noiseless, TUNING.far_better, INFINITY};
        TRY(compare_alternatives(&own->chosen, &self->loss, &rival, 1, &trial, err));
    }
    return search_is_over(self) ? CNM_OK
                                : coordinate_search(&own->chosen, &self->loss, open, most_trials - (noiseless != NULL),
                                                    &margins, &trial, err);
}

static cnm_status run_round(search_state *self, size_t index, cnm_error *err) {
    const round_tuning *round = &TUNING.rounds[index];
    fit_session *own = self->session;
    hyperparameters noiseless;
    const bool exact = index == 0 && noiseless_alternative(self, &noiseless), last = index == SEARCH_ROUNDS - 1;
    const size_t features = trial_features(self);
    const size_t more = !last ? 0 : self->chooses_features ? 4 : 2; /* linear model, other sizes */
    const open_choices now = open_now(self, index);
    const round_size fits = size_round(self, index, features);
    const trial_size size = {.features = features,
                             .steps = fits.steps,
                             .fold_steps = head_is_solved(own)             ? 1 /* it has no steps */
                                           : map_is_slow(own, self->known) ? round->slow_fold_steps
                                                                           : round->fold_steps,
                             .held = TUNING.validation_rows,
                             .deadline = search_deadline(self),
                             .span = search_span(self, search_round_share(self, index), index + 1)};
    cnm_status status = CNM_OK;
    if (size.steps < TUNING.least_trial_steps || search_is_over(self)) {
        return CNM_OK;
    }
    self->features = features;
    TRY(self->ops->create(&self->runner, own, &size, fits.trials + exact + more, err));
    const size_t most_trials = head_is_solved(own) ? search_solutions(self, round->beside, fits.trials) : fits.trials;
    TRY_DONE(search_round(self, &now, most_trials, exact ? &noiseless : NULL, err));
    if (last && !search_is_over(self)) {
        TRY_DONE(compare_with_linear(self, err));
    }
    if (last && self->chooses_features && !search_is_over(self)) {
        TRY_DONE(search_features(self, err));
    }
done:
    self->ops->destroy(self->runner);
    return status;
}

/* ---- The stage ---- */

/* Fills what options leave open, and rows allow to evaluate. With rows in time order, validation
 * rows resemble training rows of the same time and favour overfitting, so hyperparameters keep
 * their default values. With difference noise, noise does too: small maps need less of it than
 * large ones. */
static void find_open(search_state *self) {
    const fit_session *own = self->session;
    const facts *known = self->known;
    const settings *wanted = own->data->settings;
    const bool sparse = rows_stay_sparse(&own->data->rows);
    const bool mixed = !known->time_ordered;
    self->open = (open_choices){
        .map_rate = wanted->map_rate < 0.0 && mixed,
        .lambda = wanted->lambda <= 0.0 && mixed,
        .scale = wanted->scale == 0 && !sparse && mixed && !known->shared_scale,
        .width = wanted->gamma == GAMMA_AUTO && mixed,
        .decay = wanted->decay < 0.0 && mixed,
        .outliers = known->has_outlier_cells,
    };
    for (augmentation_id id = 0; id < AUGMENTATIONS; id++) {
        self->open.augment[id] = wanted->augment[id] < 0.0 && own->chosen.augment[id] > 0.0 && !sparse && mixed;
    }
    self->open.noise = self->open.noise && !(own->chosen.difference_noise > 0.0);
}

static cnm_status search(search_state *self, cnm_error *err) {
    fit_session *own = self->session;
    const settings *wanted = own->data->settings;
    self->chooses_features =
        wanted->features == 0 && wanted->layer_count == 0 && projection_find(own->spec.projection)->own_parameters;
    own->spec.features = self->chooses_features ? least_features(self) : own->spec.features;
    if (self->known->time_ordered && wanted->noise < 0.0) {
        own->chosen.noise = TUNING.ordered_noise;
    }
    find_open(self);
    self->compares_frozen_last = self->open.map_rate && frozen_is_compared_last(own, self->known);
    TRY(compare_profiles_first(self, err));
    for (size_t i = 0; i < SEARCH_ROUNDS; i++) {
        TRY(run_round(self, i, err));
    }
    return compare_frozen_last(self, err);
}

cnm_status budgeted_search(fit_session *self, const facts *known, bool distill_may_follow, const trial_ops *ops,
                           search_result *out, cnm_error *err) {
    search_state state = {.session = self,
                          .known = known,
                          .ops = ops,
                          .distill_may_follow = distill_may_follow,
                          .budget = TUNING.budgets[self->data->settings->effort],
                          .loss = INFINITY};
    cnm_status status = CNM_OK;
    if (state.budget > 0.0 && self->data->rows.rows >= TUNING.least_search_rows) {
        status = search(&state, err);
    }
    out->linear_is_enough = state.linear_is_enough;
    out->loss = isfinite(state.loss) && !known->time_ordered && self->data->groups == NULL ? state.loss : 0.0;
    self->time.shortened = state.shortened || (state.stopped && search_is_late(&state));
    self->state = state.stopped && !self->time.shortened ? FIT_STOP_REQUESTED : FIT_RUNS;
    /* A long training decays as much as a short one. */
    if (state.open.decay && self->chosen.steps > DEFAULT_MOST_STEPS) {
        self->chosen.decay *= (double)DEFAULT_MOST_STEPS / (double)self->chosen.steps;
    }
    return status;
}
