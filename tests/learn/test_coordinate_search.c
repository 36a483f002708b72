/* Coordinate search over hyperparameters with a formula as its trial: it finds the minimum, makes
 * no more trials than allowed, and stays where no gain exceeds the margin. */
#include "support/checks.h"

#include "data/scale/scaling.h"
#include "learn/search/coordinate_search.h"

static const double WIDTHS[] = {1.0, 2.0};
static const double DECAYS[] = {0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0};
static const double NOISES[] = {0.0, 0.1, 0.25, 0.5, 1.0};
static const scaling_kind SCALES[] = {SCALING_GLOBAL, SCALING_STANDARD, SCALING_ASINH};

static const hyperparameters START = {.scale = SCALING_ASINH,
                                      .map_rate = 1.0,
                                      .width = 1.0,
                                      .decay = 0.03,
                                      .noise = 0.25,
                                      .difference_noise = 0.15,
                                      .steps = 70,
                                      .batch = 9};
static const hyperparameters OTHER = {.scale = SCALING_GLOBAL,
                                      .map_rate = 1.0,
                                      .width = 2.0,
                                      .decay = 0.3,
                                      .noise = 1.0,
                                      .difference_noise = 0.15,
                                      .steps = 70,
                                      .batch = 9};
static const open_choices ALL = {.scale = true, .width = true, .decay = true, .noise = true};

enum { PLENTY = 100 };

/* A trial whose loss is a formula, and what was tried. */
typedef struct formula {
    hyperparameters target;
    double step;           /* how much the distance from the target adds to a loss of 1 */
    double infinite_below; /* decays below this one have an infinite loss */
    double penalty;        /* the best one for width 1; 0: any is */
    size_t stop_at, fail_at;
    hyperparameters asked[PLENTY + 1];
    double losses[PLENTY + 1];
    size_t calls;
} formula;

static double apart(double a, double b) { return fabs(log((a + 0.005) / (b + 0.005))); }

static double loss_of(const formula *self, const hyperparameters *tried) {
    const double far = apart(tried->width, self->target.width) + apart(tried->decay, self->target.decay) +
                       apart(tried->noise, self->target.noise) + (tried->scale == self->target.scale ? 0.0 : 0.5);
    const double penalty = tried->lambda / pow(tried->width, 4.0);
    const double off = self->penalty > 0.0 ? 0.1 * fabs(log(penalty / self->penalty)) : 0.0;
    return tried->decay < self->infinite_below ? INFINITY : 1.0 + self->step * (far + off);
}

static cnm_status run_formula(void *context, const hyperparameters *tried, double *loss, bool *stop, cnm_error *err) {
    formula *self = context;
    assert_true(self->calls < PLENTY);
    self->asked[self->calls] = *tried;
    *loss = self->losses[self->calls] = loss_of(self, tried);
    self->calls++;
    if (self->calls == self->fail_at) {
        *err = (cnm_error){CNM_NO_MEMORY, "no room for this trial"};
        return CNM_NO_MEMORY;
    }
    *stop = self->calls == self->stop_at;
    return CNM_OK;
}

static const double RANKS[] = {1.0, 0.97, 0.95, 0.96}; /* by width */

static cnm_status run_ranked(void *context, const hyperparameters *tried, double *loss, bool *stop, cnm_error *err) {
    formula *self = context;
    (void)err;
    self->calls++;
    *loss = RANKS[(size_t)tried->width - 1];
    *stop = self->calls == self->stop_at;
    return CNM_OK;
}

static cnm_status search(formula *self, hyperparameters *best, open_choices open, size_t trials, double margin,
                         cnm_error *err) {
    const trial_function trial = {run_formula, self};
    *best = START;
    self->calls = 0;
    double least = INFINITY;
    const search_margins margins = {6.0 * margin, 3.0 * margin, margin};
    return coordinate_search(best, &least, &open, trials, &margins, &trial, err);
}

static void check_chosen(const hyperparameters *got, const hyperparameters *expected, const char *what) {
    if (got->scale != expected->scale || got->width != expected->width || got->decay != expected->decay ||
        got->noise != expected->noise || got->steps != expected->steps || got->batch != expected->batch) {
        fail_msg("%s: scale %d width %g decay %g noise %g instead of %d %g %g %g", what, (int)got->scale, got->width,
                 got->decay, got->noise, (int)expected->scale, expected->width, expected->decay, expected->noise);
    }
}

static void set_rate(hyperparameters *self, double map_rate) {
    self->map_rate = map_rate;
    self->map_mode = map_mode_of(map_rate);
}

enum { TARGETS = 2 * 7 * 5 * 3 };

/* Returns target i: every combination of the lists. */
static hyperparameters target_of(size_t i) {
    hyperparameters target = START;
    target.width = WIDTHS[i % 2];
    target.decay = DECAYS[i / 2 % 7];
    target.noise = NOISES[i / 14 % 5];
    target.scale = SCALES[i / 70];
    return target;
}

static void every_minimum_of_a_separable_formula_is_found(void **unused) {
    (void)unused;
    for (size_t i = 0; i < TARGETS; i++) {
        formula self = {.target = target_of(i), .step = 1.0};
        hyperparameters best;
        assert_int_equal(search(&self, &best, ALL, PLENTY, 0.0, NULL), CNM_OK);
        check_chosen(&best, &self.target, "the minimum");
    }
}

static void no_more_trials_than_allowed_and_the_best_of_them(void **unused) {
    (void)unused;
    for (size_t trials = 0; trials < 20; trials++) {
        for (size_t i = 0; i < TARGETS; i += 7) {
            formula self = {.target = target_of(i), .step = 1.0};
            hyperparameters best, least = START;
            double smallest = INFINITY;
            assert_int_equal(search(&self, &best, ALL, trials, 0.0, NULL), CNM_OK);
            assert_true(self.calls <= trials);
            for (size_t n = 0; n < self.calls; n++) {
                least = self.losses[n] < smallest ? self.asked[n] : least;
                smallest = fmin(self.losses[n], smallest);
            }
            check_chosen(&best, &least, "the best so far");
        }
    }
}

/* A step from decay 0.03 to 0.1 is worth step * log(3) / (1 + step * log(3)), about 2 %, and has to
 * exceed three margins here; one to 0.01, 1.7 %, six; one from width 1 to 2 is worth 1.4 %, and one
 * margin. */
static void a_gain_below_the_margin_moves_nothing(void **unused) {
    (void)unused;
    static const struct {
        double decay, width, too_much, little;
    } CASES[] = {{0.1, 1.0, 0.01, 0.005}, {0.01, 1.0, 0.004, 0.002}, {0.03, 2.0, 0.02, 0.01}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        formula self = {.target = START, .step = 0.02};
        hyperparameters best;
        self.target.decay = CASES[i].decay;
        self.target.width = CASES[i].width;
        assert_int_equal(search(&self, &best, ALL, PLENTY, CASES[i].too_much, NULL), CNM_OK);
        check_chosen(&best, &START, "below the margin");
        assert_int_equal(search(&self, &best, ALL, PLENTY, CASES[i].little, NULL), CNM_OK);
        check_chosen(&best, &self.target, "above the margin");
    }
}

/* The slower a map learns, the more widths there are to try; a frozen map has no decay. */
static void slow_and_frozen_maps_have_other_widths(void **unused) {
    (void)unused;
    static const struct {
        double map_rate, wanted, width, decay;
    } CASES[] = {{1.0, 0.4, 1.0, 0.3},  {0.2, 0.4, 0.5, 0.3},   {0.2, 1.4, 1.0, 0.3},
                 {0.0, 1.4, 1.4, 0.03}, {0.0, 0.4, 0.35, 0.03}, {0.0, 0.1, 0.12, 0.03}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        formula self = {.target = OTHER, .step = 1.0};
        const trial_function trial = {run_formula, &self};
        const search_margins none = {0.0, 0.0, 0.0};
        hyperparameters best = START;
        double least = INFINITY;
        set_rate(&best, CASES[i].map_rate);
        self.target.width = CASES[i].wanted;
        assert_int_equal(coordinate_search(&best, &least, &ALL, PLENTY, &none, &trial, NULL), CNM_OK);
        assert_true(best.width == CASES[i].width && best.decay == CASES[i].decay && best.map_rate == CASES[i].map_rate);
    }
}

/* The narrower a frozen map, the smaller its penalty, so that one number serves all widths; a given
 * penalty stays. */
static void penalty_and_width_of_a_frozen_map_go_together(void **unused) {
    (void)unused;
    static const open_choices BOTH = {.lambda = true, .width = true}, WIDTH = {.width = true};
    static const search_margins NONE = {0.0, 0.0, 0.0};
    formula self = {.target = START, .step = 1.0, .penalty = 1e-5};
    const trial_function trial = {run_formula, &self};
    hyperparameters best = START;
    double least = INFINITY;
    set_rate(&best, 0.0);
    best.lambda = 1e-3;
    self.target.width = 0.5;
    hyperparameters given = best, learned = best;
    assert_int_equal(coordinate_search(&best, &least, &BOTH, PLENTY, &NONE, &trial, NULL), CNM_OK);
    check_near(best.lambda, 1e-5 * 0.0625, 1e-12, "penalty", 0);
    assert_true(best.width == 0.5 && best.decay == START.decay);
    for (size_t i = 0; i < self.calls; i++) { /* whatever the width, a penalty on the list */
        const double power = log10(self.asked[i].lambda / pow(self.asked[i].width, 4.0));
        check_near(power, round(power), 1e-9, "power of ten", i);
    }
    self.calls = 0;
    least = INFINITY;
    assert_int_equal(coordinate_search(&given, &least, &WIDTH, PLENTY, &NONE, &trial, NULL), CNM_OK);
    assert_true(given.width == 0.5 && given.lambda == 1e-3);
    self.calls = 0;
    set_rate(&learned, 0.2);
    least = INFINITY;
    assert_int_equal(coordinate_search(&learned, &least, &BOTH, PLENTY, &NONE, &trial, NULL), CNM_OK);
    assert_true(learned.lambda == 1e-3);
}

/* Losses 1.00, 0.97, 0.95 and 0.96: the second is within the margin, the last worse than the
 * third. */
static void among_alternatives_the_best_by_a_margin(void **unused) {
    (void)unused;
    static const struct {
        double margin, last, width; /* last: added to the margin of the last one */
        size_t stop_at, calls;
    } CASES[] = {{0.04, 0.0, 3.0, 0, 4}, {0.06, 0.0, 1.0, 0, 4},   {0.0, 0.0, 3.0, 0, 4},
                 {0.04, 0.0, 1.0, 3, 3}, {0.0, 0.0, 2.0, 3, 3},    {0.06, -0.03, 4.0, 0, 4},
                 {0.06, 0.0, 1.0, 0, 4}, {0.04, -0.04, 3.0, 0, 4}, {0.06, -0.01, 1.0, 0, 4}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        hyperparameters best = START;
        alternative others[3];
        formula self = {.target = START, .step = 1.0, .stop_at = CASES[i].stop_at};
        const trial_function trial = {run_ranked, &self};
        double least = INFINITY;
        for (size_t n = 0; n < COUNT_OF(others); n++) {
            others[n] = (alternative){START, CASES[i].margin, INFINITY};
            others[n].chosen.width = 2.0 + (double)n;
        }
        others[2].margin += CASES[i].last;
        assert_int_equal(compare_alternatives(&best, &least, others, COUNT_OF(others), &trial, NULL), CNM_OK);
        assert_true(best.width == CASES[i].width);
        assert_int_equal(self.calls, CASES[i].calls);
        assert_true(least == RANKS[(size_t)best.width - 1]);
    }
}

/* A known loss is not evaluated again. */
static void known_losses_cost_no_trial(void **unused) {
    (void)unused;
    static const open_choices WIDTH = {.width = true};
    static const search_margins NONE = {0.0, 0.0, 0.0};
    formula self = {.target = START, .step = 1.0};
    const trial_function trial = {run_ranked, &self};
    alternative others[] = {{START, 0.0, 0.5}, {START, 0.0, INFINITY}};
    hyperparameters best = START;
    double least = 0.96;
    others[0].chosen.width = 4.0;
    others[1].chosen.width = 3.0;
    assert_int_equal(compare_alternatives(&best, &least, others, COUNT_OF(others), &trial, NULL), CNM_OK);
    assert_true(best.width == 4.0 && least == 0.5);
    assert_int_equal(self.calls, 1);

    self.calls = 0;
    best = START; /* of width 1, which the formula ranks last: known to be better than the other */
    least = 0.9;
    assert_int_equal(coordinate_search(&best, &least, &WIDTH, 1, &NONE, &trial, NULL), CNM_OK);
    assert_true(best.width == START.width && least == 0.9);
    assert_int_equal(self.calls, 1);
}

static void choices_that_are_not_open_stay(void **unused) {
    (void)unused;
    static const open_choices OPEN[] = {{.scale = true}, {.width = true}, {.decay = true}, {.noise = true}, {false}};
    formula self = {.target = OTHER, .step = 1.0};
    for (size_t i = 0; i < COUNT_OF(OPEN); i++) {
        hyperparameters best, expected = START;
        expected.scale = OPEN[i].scale ? self.target.scale : START.scale;
        expected.width = OPEN[i].width ? self.target.width : START.width;
        expected.decay = OPEN[i].decay ? self.target.decay : START.decay;
        expected.noise = OPEN[i].noise ? self.target.noise : START.noise;
        assert_int_equal(search(&self, &best, OPEN[i], PLENTY, 0.0, NULL), CNM_OK);
        check_chosen(&best, &expected, "closed choices");
        for (size_t n = 0; n < self.calls; n++) {
            assert_true(OPEN[i].scale || self.asked[n].scale == START.scale);
            assert_true(OPEN[i].width || self.asked[n].width == START.width);
            assert_true(OPEN[i].decay || self.asked[n].decay == START.decay);
            assert_true(OPEN[i].noise || self.asked[n].noise == START.noise);
        }
    }
    assert_int_equal(self.calls, 0); /* the last row: nothing open */
}

/* The trial under which the caller stopped is not finished, and does not count. */
static void a_stop_ends_the_search_with_the_best_so_far(void **unused) {
    (void)unused;
    for (size_t stop = 1; stop < 12; stop++) {
        formula self = {.target = OTHER, .step = 1.0, .stop_at = stop};
        hyperparameters best, least = START;
        double smallest = INFINITY;
        assert_int_equal(search(&self, &best, ALL, PLENTY, 0.0, NULL), CNM_OK);
        assert_int_equal(self.calls, stop);
        for (size_t n = 0; n + 1 < self.calls; n++) {
            least = self.losses[n] < smallest ? self.asked[n] : least;
            smallest = fmin(self.losses[n], smallest);
        }
        check_chosen(&best, &least, "stopped");
    }
}

static void an_infinite_first_loss_does_not_end_the_search(void **unused) {
    (void)unused;
    formula self = {.target = START, .step = 1.0, .infinite_below = 0.05};
    hyperparameters best;
    self.target.decay = 0.3;
    assert_int_equal(search(&self, &best, ALL, PLENTY, 0.02, NULL), CNM_OK);
    check_chosen(&best, &self.target, "from INFINITY");
    self.infinite_below = INFINITY;
    assert_int_equal(search(&self, &best, ALL, PLENTY, 0.02, NULL), CNM_OK);
    check_chosen(&best, &START, "nothing but INFINITY");
}

static void an_error_is_passed_on(void **unused) {
    (void)unused;
    for (size_t fail = 1; fail < 12; fail++) {
        cnm_error error = {0};
        formula self = {.target = OTHER, .step = 1.0, .fail_at = fail};
        hyperparameters best;
        check_refusal(search(&self, &best, ALL, PLENTY, 0.0, &error), CNM_NO_MEMORY, &error, "no room for this trial");
        assert_int_equal(self.calls, fail);
        check_chosen(&best, &START, "after an error");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_minimum_of_a_separable_formula_is_found),
        cmocka_unit_test(no_more_trials_than_allowed_and_the_best_of_them),
        cmocka_unit_test(a_gain_below_the_margin_moves_nothing),
        cmocka_unit_test(choices_that_are_not_open_stay),
        cmocka_unit_test(slow_and_frozen_maps_have_other_widths),
        cmocka_unit_test(penalty_and_width_of_a_frozen_map_go_together),
        cmocka_unit_test(among_alternatives_the_best_by_a_margin),
        cmocka_unit_test(known_losses_cost_no_trial),
        cmocka_unit_test(a_stop_ends_the_search_with_the_best_so_far),
        cmocka_unit_test(an_infinite_first_loss_does_not_end_the_search),
        cmocka_unit_test(an_error_is_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
