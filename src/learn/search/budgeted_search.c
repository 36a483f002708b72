/* How much looking around is allowed.
 *
 * Work is counted as rows seen times features of the map. Where the map is gentle, first a pilot for each manner in which it can learn,
 * with all its features (learn/search/compare_profiles.c). Then two rounds of pilots, with fewer features and steps than the training: few and long ones
 * for decay, which matters most where rows are few and works slowly, then more and shorter ones for the rest. Where rows are neither few
 * nor many, a last look at a map that stays as it was drawn. Together they may cost BUDGETS[effort] times the training. */
#include "learn/search/budgeted_search.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "learn/distill/distill_ensemble.h"
#include "learn/search/compare_profiles.h"
#include "learn/detect/detect_time_order.h"
#include "learn/detect/detect_row_outliers.h"
#include "learn/fit/frozen_map.h"
#include "learn/search/profiles.h"

enum { FEWEST_FEATURES = 64, MOST_FEATURES = 512 }; /* where k is chosen */
enum { PILOT_FEATURES = 64, GENTLE_PILOT_FEATURES = 128, LEAST_ROWS = 50 };
static const double ORDERED_NOISE = 0.1;
static const double BEFORE_LAST = 0.75; /* of the rounds' shares, where a drawn map is looked at last */

/* In the order of setting_effort: what a search may cost, in trainings. */
static const double BUDGETS[] = {0.0, 2.0, 10.0};

typedef struct search_round {
    recipe_open open;
    size_t trials; /* at least */
    double share;  /* of the budget ... */
    double beside; /* ... and where manners were tried before */
    uint64_t most_steps;
    uint64_t fold_steps, gentle_fold_steps;
} search_round;

static const search_round ROUNDS[] = {
    {{.decay = true}, 5, 0.45, 0.3, 4000, 1800, 900},
    {{.lambda = true, .scale = true, .width = true, .noise = true, .shift = true, .drift = true},
     6,
     0.3,
     0.2,
     6000,
     400,
     400},
};

/* ---- Looking around ---- */

/* What both leave open. That rows reach far is no choice: it is so where either says it. */
static recipe_open both(recipe_open a, recipe_open b) {
    return (recipe_open){a.hold && b.hold,   a.lambda && b.lambda, a.scale && b.scale,
                         a.width && b.width, a.decay && b.decay,   a.noise && b.noise,
                         a.shift && b.shift, a.drift && b.drift,   a.far || b.far};
}

/* How many trials a round has, and of how many steps: few enough that all fit in its share. */
typedef struct round_size {
    size_t trials;
    uint64_t steps;
} round_size;

static round_size size_round(const choosing *self, const search_round *round, size_t features) {
    const training *own = self->training;
    const double share = map_is_gentle(own) ? round->beside : self->last ? BEFORE_LAST * round->share : round->share;
    const double steps =
        share * self->budget * (double)own->recipe.steps * (double)own->spec.features / (double)features;
    const double fitting = steps / (double)round->most_steps; /* of the longest */
    if (fitting < (double)round->trials) {
        return (round_size){round->trials, (uint64_t)(steps / (double)round->trials)};
    }
    return (round_size){fitting < MOST_TRIALS ? (size_t)fitting : MOST_TRIALS, round->most_steps};
}

/* Kernel machines and drawn maps need some. */
static size_t fewest_features(const training *self) {
    training wider = *self;
    wider.spec.features = IMITATING_FEATURES;
    return imitation_may_follow(self) || drawn_is_tried_last(&wider) ? IMITATING_FEATURES : FEWEST_FEATURES;
}

/* From the smallest map on, twice the features for as long as that helps. */
static cnm_status choose_features(choosing *self, pilots *runner, cnm_error *err) {
    const double share = 0.5, needed = 1.0 - pilots_margin(runner);
    double before = INFINITY, loss;
    cnm_status status = CNM_OK;
    for (size_t k = fewest_features(self->training); status == CNM_OK && k <= MOST_FEATURES; k *= 2) {
        status = pilots_judge_size(runner, &self->training->recipe, k, share, &loss, &self->stopped, err);
        if (status != CNM_OK || self->stopped || !(loss < before * needed)) {
            break;
        }
        self->training->spec.features = k;
        before = loss;
    }
    return status;
}

/* A learned map that is no better than none is worth a word. */
static cnm_status compare_with_linear(choosing *self, pilots *runner, cnm_error *err) {
    double linear;
    cnm_status status = CNM_OK;
    if (!isfinite(self->loss)) {
        status = pilots_judge(runner, &self->training->recipe, &self->loss, &self->stopped, err);
    }
    if (status == CNM_OK && !self->stopped) {
        status = pilots_judge_linear(runner, &linear, &self->stopped, err);
    }
    if (status == CNM_OK && !self->stopped && linear <= self->loss) {
        notice_send(self->training->problem.callbacks,
                    "on held rows the learned map is no better than a linear model: --method linear is smaller and "
                    "faster");
    }
    return status;
}

/* A pilot is smaller than the training and has less time to learn rows by heart: it underrates what holds that back. The fewer of the
 * training's steps it has, the less it tells about anything; and it overrates decay then, which has not shrunk the map yet by as
 * much as it will. Where rows drift, the usual values are good, and other ones have to be clearly better. */
static search_margins margins_of(const pilots *runner, bool drifting) {
    static const double LESS = 6.0, FEW = 0.25, VERY_FEW = 0.08;
    const double share = pilots_share(runner), margin = pilots_margin(runner);
    return share < VERY_FEW || drifting ? (search_margins){10.0 * margin, 10.0 * margin, 4.0 * margin}
           : share < FEW                ? (search_margins){LESS * margin, 10.0 * margin, 2.0 * margin}
                                        : (search_margins){LESS * margin, margin, margin};
}

/* Smaller maps learn less by heart: they tell what large ones will do where rows are many. Circulant blocks have no smaller twin, and
 * a map that stays as it was drawn is as good as its features are many. */
static size_t pilot_features(const training *self) {
    const size_t features = self->spec.features;
    const size_t enough = map_is_gentle(self) ? GENTLE_PILOT_FEATURES : PILOT_FEATURES;
    const bool whole = strcmp(self->spec.projection, "dense") != 0 || self->recipe.hold == 1.0;
    return whole || features < enough ? features : enough;
}

/* A head that is solved for sees its rows as they are. */
static recipe_open open_now(const choosing *self, const search_round *round) {
    recipe_open now = both(round->open, self->open);
    now.shift = now.shift && !head_is_solved(self->training);
    now.drift = now.drift && !head_is_solved(self->training);
    return now;
}

/* Noise hides what small differences between columns tell, such as one that is the sum of others but for its last digits: then no decay is
 * better than another, and a climb from there finds nothing. So there is one pilot without noise, in the plainest scaling. Gentle maps
 * have one that is drawn beside them, which sees no noise either. */
static bool exact_rival(const choosing *self, recipe *exact) {
    *exact = self->training->recipe;
    exact->noise = 0.0;
    exact->scale = !self->open.scale ? exact->scale : self->open.far ? SCALING_WIDE : SCALING_STANDARD;
    return self->open.noise && self->training->recipe.noise > 0.0 && !map_is_gentle(self->training) &&
           !head_is_solved(self->training);
}

static cnm_status try_exact(choosing *self, const recipe *exact, cnm_error *err) {
    const search_judge judging = {choosing_judge, self};
    const search_rival rival = {*exact, FAR_BETTER, INFINITY};
    return search_among(&self->training->recipe, &self->loss, &rival, 1, &judging, err);
}

static cnm_status run_round(choosing *self, const search_round *round, cnm_error *err) {
    training *own = self->training;
    recipe exact;
    const bool exactly = round == &ROUNDS[0] && exact_rival(self, &exact);
    const bool last = round == &ROUNDS[sizeof ROUNDS / sizeof ROUNDS[0] - 1];
    const size_t features = pilot_features(own);
    const size_t more = !last ? 0 : self->features ? 4 : 2; /* for the linear model and other sizes */
    const recipe_open now = open_now(self, round);
    const round_size fits = size_round(self, round, features);
    const pilot_size size = {.features = features,
                             .steps = fits.steps,
                             .fold_steps = head_is_solved(own)  ? 1 /* it has no steps */
                                           : map_is_gentle(own) ? round->gentle_fold_steps
                                                                : round->fold_steps,
                             .held = HELD_ROWS,
                             .deadline = choosing_deadline(own)};
    pilots *runner;
    if (size.steps < LEAST_PILOT_STEPS || self->stopped || choosing_is_late(own)) {
        return CNM_OK;
    }
    cnm_status status = pilots_create(&runner, own, &size, fits.trials + exactly + more, err);
    if (status == CNM_OK) {
        const search_judge judging = {choosing_judge, self};
        const search_margins margins = margins_of(runner, own->recipe.drift > 0.0);
        self->runner = runner;
        self->loss = INFINITY;
        const size_t trials = head_is_solved(own) ? choosing_solutions(self, round->beside, fits.trials) : fits.trials;
        status = exactly ? try_exact(self, &exact, err) : CNM_OK;
        status = status == CNM_OK && !self->stopped && !choosing_is_late(own)
                     ? search_recipe(&own->recipe, &self->loss, &now, trials - exactly, &margins, &judging, err)
                     : status;
    }
    if (status == CNM_OK && last && !self->stopped && !choosing_is_late(own)) {
        status = compare_with_linear(self, runner, err);
    }
    if (status == CNM_OK && last && !self->stopped && self->features && !choosing_is_late(own)) {
        status = choose_features(self, runner, err);
    }
    pilots_destroy(runner);
    return status;
}

/* What options leave open, and rows allow to judge. Rows in time flatter what remembers them: held rows from the same stretch of time cannot
 * tell, so the usual values stand there. Beside drift, small maps want less noise than large ones do: it stays, too. */
static cnm_status find_open(training *self, recipe_open *open, bool *in_time, cnm_error *err) {
    const problem *task = &self->problem;
    const settings *wanted = task->settings;
    const bool sparse = rows_are_sparse(&task->rows) && task->rows.columns > SCALING_CENTRE_LIMIT;
    bool ordered = false;
    cnm_status status = CNM_OK;
    if (!sparse && task->groups == NULL) { /* groups tell which rows resemble each other */
        input_source rows;
        status = training_bind(self, &rows, err);
        if (status == CNM_OK) {
            status = rows_are_ordered(task, &rows, &ordered, err);
        }
        input_unbind(&rows);
    }
    *in_time = ordered;
    if (ordered && wanted->noise < 0.0) {
        self->recipe.noise = ORDERED_NOISE;
    }
    *open = (recipe_open){.hold = wanted->hold < 0.0 && !ordered,
                          .lambda = wanted->lambda <= 0.0 && !ordered,
                          .scale = wanted->scale == 0 && !sparse && !ordered && !columns_are_alike(self),
                          .width = wanted->gamma == GAMMA_AUTO && !ordered,
                          .decay = wanted->decay < 0.0 && !ordered,
                          .noise = wanted->noise < 0.0 && !sparse && !ordered && !(self->recipe.drift > 0.0),
                          .shift = wanted->shift < 0.0 && self->recipe.shift > 0.0 && !ordered,
                          .drift = wanted->drift < 0.0 && self->recipe.drift > 0.0 && !sparse && !ordered,
                          .far = rows_reach_far(task)};
    return status;
}

cnm_status choose_recipe(training *self, cnm_error *err) {
    choosing search = {.training = self, .budget = BUDGETS[self->problem.settings->effort], .loss = INFINITY};
    cnm_status status = CNM_OK;
    if (search.budget > 0.0 && self->problem.rows.rows >= LEAST_ROWS) {
        search.features = self->problem.settings->features == 0 && strcmp(self->spec.projection, "dense") == 0;
        self->spec.features = search.features ? fewest_features(self) : self->spec.features;
        status = find_open(self, &search.open, &search.ordered, err);
        search.last = search.open.hold && drawn_is_tried_last(self);
        status = status == CNM_OK ? manners_try_first(&search, err) : status;
        for (size_t i = 0; status == CNM_OK && i < sizeof ROUNDS / sizeof ROUNDS[0]; i++) {
            status = run_round(&search, &ROUNDS[i], err);
        }
        status = status == CNM_OK ? manners_try_last(&search, err) : status;
    }
    self->judged = isfinite(search.loss) && !search.ordered && self->problem.groups == NULL ? search.loss : 0.0;
    search.shortened = search.shortened || (search.stopped && choosing_is_late(self)); /* by the last pilots */
    self->shortened = search.shortened;
    self->stopped = search.stopped && !search.shortened;
    if (search.open.decay &&
        self->recipe.steps > USUAL_MOST_STEPS) { /* a long training forgets by as much as a short one */
        self->recipe.decay *= (double)USUAL_MOST_STEPS / (double)self->recipe.steps;
    }
    return status == CNM_OK && self->recipe.scale != self->problem.scaling.kind
               ? problem_scale(&self->problem, self->recipe.scale, err)
               : status;
}
