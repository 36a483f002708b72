/* Profiles are compared with all features of the map. */
#include "learn/search/compare_profiles.h"

#include <math.h>

#include "base/core/try.h"
#include "learn/fit/frozen_map.h"
#include "learn/search/profiles.h"
#include "learn/tuning.h"

/* ---- Before the rounds ---- */

/* Searches width and penalty for a frozen map, whose head is solved for, so that its trials are
 * short and exact. The best kernel is nearly linear, or of the default width, or so narrow that it
 * memorises the rows; from one of these a climb does not reach the others. */
static cnm_status search_frozen(search_state *self, size_t most_trials, bool scale, hyperparameters *frozen,
                                double *loss, cnm_error *err) {
    enum { STARTS = 2 };
    /* Penalties for width 1, as in coordinate_search.c. */
    static const double WIDTH = 0.25, PENALTIES[STARTS] = {1e-1, 1e-4};
    const open_choices open = {
        .lambda = self->open.lambda, .width = self->open.width, .scale = scale, .outliers = self->open.outliers};
    const trial_function trial = {search_trial, self};
    const search_margins any = {0.0, 0.0, 0.0};
    const size_t count = open.lambda && open.width && most_trials > STARTS ? STARTS : 0;
    alternative starts[STARTS];
    for (size_t i = 0; i < STARTS; i++) {
        starts[i] = (alternative){*frozen, 0.0, INFINITY};
        starts[i].chosen.width = WIDTH;
        starts[i].chosen.lambda = PENALTIES[i] * pow(WIDTH, 4.0);
    }
    *loss = INFINITY;
    TRY(compare_alternatives(frozen, loss, starts, count, &trial, err));
    return search_is_over(self) ? CNM_OK
                                : coordinate_search(frozen, loss, &open, most_trials - 1 - count, &any, &trial, err);
}

/* Returns the margin of a frozen map. Losses of trials differ by chance, the more the fewer the
 * validation rows are, and all later trials depend on the profile. The trial of a frozen map is as
 * good as its training; the others are worse than theirs, the less so the more rows there are, and
 * the least in regression. */
static double frozen_margin(const search_state *self, double margin) {
    const bool classes = self->session->data->task == TASK_CLASSIFY;
    const bool small = dataset_is_small(self->session->data);
    return classes && small   ? TUNING.margin_frozen_small * margin
           : classes || small ? TUNING.margin_profile * margin
                              : TUNING.far_better;
}

static cnm_status try_profiles(search_state *self, const hyperparameters others[OTHER_PROFILES], size_t count,
                               cnm_error *err) {
    const trial_function trial = {search_trial, self};
    const double margin = self->ops->margin(self->runner);
    const bool solved = head_can_be_solved(self->session);
    const size_t fitting = solved ? search_solutions(self, TUNING.first.frozen, TUNING.most_trials) : 1;
    alternative rivals[OTHER_PROFILES];
    double loss = INFINITY;
    count -= others[count - 1].map_mode == MAP_FROZEN && fitting == 0;
    for (size_t i = 0; i < count; i++) {
        const bool frozen = others[i].map_mode == MAP_FROZEN;
        rivals[i] =
            (alternative){others[i], frozen ? frozen_margin(self, margin) : TUNING.margin_profile * margin, INFINITY};
        if (frozen && solved) {
            TRY(search_frozen(self, fitting, false, &rivals[i].chosen, &rivals[i].loss, err));
        }
    }
    return search_is_over(self) ? CNM_OK
                                : compare_alternatives(&self->session->chosen, &loss, rivals, count, &trial, err);
}

cnm_status compare_profiles_first(search_state *self, cnm_error *err) {
    fit_session *own = self->session;
    hyperparameters others[OTHER_PROFILES];
    const bool frozen = head_is_solved(own) && (self->open.lambda || self->open.width);
    const size_t count =
        self->open.map_rate ? profile_alternatives(own, self->known, self->distill_may_follow, others) : 0;
    const double each = self->compares_frozen_last ? TUNING.first_of_two.each : TUNING.first.each;
    trial_size size = {.features = own->spec.features,
                       .steps = (uint64_t)(each * self->budget * (double)own->chosen.steps),
                       .fold_steps = frozen ? 1 : 800,
                       .held = TUNING.validation_rows,
                       .deadline = search_deadline(self)};
    cnm_status status = CNM_OK;
    if ((count == 0 && !frozen) || size.steps < TUNING.least_trial_steps || search_is_late(self)) {
        return CNM_OK;
    }
    size.span = search_span(self, each * (double)(count + 1), 0);
    self->features = size.features;
    TRY(self->ops->create(&self->runner, own, &size, count + 1, err));
    const size_t fitting = frozen ? search_solutions(self, TUNING.first.frozen, TUNING.most_trials) : 0;
    if (count > 0) {
        TRY_DONE(try_profiles(self, others, count, err));
    } else if (fitting > 0) {
        TRY_DONE(search_frozen(self, fitting, false, &own->chosen, &self->loss, err));
    }
done:
    self->ops->destroy(self->runner);
    return status;
}

/* ---- After them ---- */

/* Compares a frozen map with what the rounds found, whose trial is shorter than its training: hence
 * more than one margin. Longer trials need only one fold. */
cnm_status compare_frozen_last(search_state *self, cnm_error *err) {
    fit_session *own = self->session;
    const profile_shares share = map_is_slow(own, self->known) ? TUNING.last_slow : TUNING.last;
    const trial_size size = {.features = own->spec.features,
                             .steps = (uint64_t)(share.each * self->budget * (double)own->chosen.steps),
                             .fold_steps = 4000,
                             .held = TUNING.validation_rows,
                             .deadline = search_deadline(self),
                             .span = search_span(self, search_last_share(self), SEARCH_ROUNDS + 1)};
    const trial_function trial = {search_trial, self};
    alternative frozen = {.loss = INFINITY};
    double loss = INFINITY;
    cnm_status status = CNM_OK;
    if (!self->compares_frozen_last || size.steps < TUNING.least_trial_steps || search_is_over(self)) {
        return CNM_OK;
    }
    self->features = size.features;
    TRY(self->ops->create(&self->runner, own, &size, 2, err));
    const size_t fitting = search_solutions(self, share.frozen, TUNING.most_trials);
    profile_frozen(own, self->known, &frozen.chosen);
    frozen.margin = TUNING.margin_frozen_last * self->ops->margin(self->runner);
    if (fitting > 0) {
        TRY_DONE(search_frozen(self, fitting, self->open.scale, &frozen.chosen, &frozen.loss, err));
        if (!search_is_over(self)) {
            TRY_DONE(compare_alternatives(&own->chosen, &loss, &frozen, 1, &trial, err));
        }
    }
done:
    self->ops->destroy(self->runner);
    return status;
}
