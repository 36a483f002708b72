/* The default hyperparameters, from the shape of the rows alone, and the profiles that can take
 * their place. */
#include "support/trainings.h"

#include "data/scale/scaling.h"
#include "learn/detect/guess_scaling.h"
#include "learn/fit/fit_session.h"
#include "learn/search/profiles.h"

/* Stacks of circulant layers alone have cheap steps, whatever the columns; stacks with few
 * parameters a row have no noise. */
static void stacks_have_steps_and_noise_of_their_own(void **unused) {
    (void)unused;
    static const struct {
        const char *first, *last;
        size_t rows;
        uint64_t steps;
        double noise;
    } CASES[] = {{"circulant", "circulant-diagonal", 20000, 16000, 0.25},
                 {"circulant", "dense", 20000, 5000, 0.25},
                 {"dense", "circulant", 20000, 5000, 0.25},
                 {"dense", "dense", 2000000, 195300, 0.0}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const settings wanted = search_settings(8);
        dataset data = {.settings = &wanted, .outputs = 1, .rows = {.rows = CASES[i].rows, .columns = 1000}};
        fit_session self = {.data = &data,
                            .spec = {.projection = CASES[i].last,
                                     .columns = 1000,
                                     .features = 30,
                                     .inner_count = 1,
                                     .inner = {{CASES[i].first, 40}}}};
        const facts known = {.scaling = SCALING_ASINH};
        profile_default(&self, &known);
        assert_int_equal(self.chosen.steps, CASES[i].steps);
        assert_true(self.chosen.noise == CASES[i].noise);
    }
}

/* 16,000 steps up to 64 columns, fewer with more columns; at least 25 epochs, and beyond 5,000
 * steps no more than 1,000, or 250 where the map has more parameters than there are rows: features
 * * (columns + 1 + outputs). A third of that for --effort quick. */
static void default_steps_follow_from_columns_and_rows(void **unused) {
    (void)unused;
    static const struct {
        size_t rows, columns, features;
        uint64_t steps;
    } CASES[] = {{20000, 2, 8, 16000},   {20000, 64, 8, 16000},  {20000, 192, 8, 8000}, {20000, 346, 8, 5000},
                 {20000, 1000, 8, 5000}, {256000, 2, 8, 25000},  {64, 2, 8, 5000},      {160, 2, 8, 10000},
                 {160, 2, 64, 5000},     {8192, 2, 2047, 16000}, {8192, 2, 2048, 8000}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const settings wanted = search_settings(8);
        dataset data = {
            .settings = &wanted, .outputs = 1, .rows = {.rows = CASES[i].rows, .columns = CASES[i].columns}};
        fit_session self = {
            .data = &data, .spec = {.projection = "dense", .columns = CASES[i].columns, .features = CASES[i].features}};
        const facts known = {.scaling = SCALING_ASINH};
        profile_default(&self, &known);
        assert_int_equal(self.chosen.steps, CASES[i].steps);
        settings quick = wanted;
        quick.effort = EFFORT_QUICK;
        data.settings = &quick;
        profile_default(&self, &known);
        assert_int_equal(self.chosen.steps, CASES[i].steps / 3);
    }
}

/* Returns what is known about rows whose columns share a range, which counts where they are
 * many. */
static facts facts_of(size_t columns, image_facts images) {
    return (facts){.scaling = SCALING_GLOBAL, .shared_scale = columns >= SHARED_SCALE_COLUMNS, .images = images};
}

/* Where the map has many parameters for so few rows, it learns slowly and its head has a penalty:
 * with more decay, most of all in a regression, less noise and a wider kernel. Not where many rows
 * have difference noise, nor for images, circulant maps, or --map-rate 1. */
static void few_rows_make_the_map_learn_slowly(void **unused) {
    (void)unused;
    enum { USUAL, SLOW, FROZEN };
    static const struct {
        const char *projection;
        task_kind task;
        size_t rows, columns, features;
        double map_rate;
        int profile;
        size_t image;
    } CASES[] = {{"dense", TASK_CLASSIFY, 1000, 8, 50, -1.0, USUAL, 0},
                 {"dense", TASK_CLASSIFY, 1000, 8, 51, -1.0, SLOW, 0},
                 {"dense", TASK_REGRESS, 1000, 8, 51, -1.0, SLOW, 0},
                 {"dense", TASK_CLASSIFY, 8000, 8, 1122, -1.0, USUAL, 0},
                 {"dense", TASK_CLASSIFY, 8000, 8, 1123, -1.0, SLOW, 0},
                 {"circulant", TASK_CLASSIFY, 1000, 8, 126, -1.0, USUAL, 0},
                 {"dense", TASK_CLASSIFY, 1000, 100, 126, -1.0, USUAL, 0},
                 {"dense", TASK_CLASSIFY, 1000, 8, 51, 1.0, USUAL, 0},
                 {"dense", TASK_CLASSIFY, 999, 100, 126, -1.0, SLOW, 0},
                 {"dense", TASK_CLASSIFY, 999, 100, 126, -1.0, USUAL, 10},
                 {"dense", TASK_CLASSIFY, 1000, 8, 51, 0.0, FROZEN, 0}};
    static const hyperparameters EXPECTED[] = {
        [USUAL] = {.map_rate = 1.0, .lambda = 0.0, .width = 1.0, .decay = 0.03, .noise = 0.25},
        [SLOW] = {.map_rate = 1.0 - 0.8, .lambda = 1e-3, .width = 0.5, .decay = 0.1, .noise = 0.1},
        [FROZEN] = {.map_rate = 0.0, .lambda = 1e-3, .width = 1.0}};
    static const map_mode MODES[] = {[USUAL] = MAP_LEARNED, [SLOW] = MAP_SLOW, [FROZEN] = MAP_FROZEN};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        settings wanted = search_settings(8);
        wanted.difference_noise = -1.0;
        wanted.map_rate = CASES[i].map_rate;
        const dataset data = {.settings = &wanted,
                              .task = CASES[i].task,
                              .outputs = 1,
                              .rows = {.rows = CASES[i].rows, .columns = CASES[i].columns}};
        fit_session self = {
            .data = &data,
            .spec = {.projection = CASES[i].projection, .columns = CASES[i].columns, .features = CASES[i].features}};
        const facts known = facts_of(CASES[i].columns, (image_facts){.width = CASES[i].image, .translate = 0.4});
        profile_default(&self, &known);
        const hyperparameters *got = &self.chosen, *expected = &EXPECTED[CASES[i].profile];
        const double decay = CASES[i].task == TASK_REGRESS ? 0.3 : expected->decay;
        assert_true(got->image_width == CASES[i].image && got->translate == 0.4);
        assert_int_equal(got->map_mode, MODES[CASES[i].profile]);
        assert_int_equal(got->scale, SCALING_GLOBAL);
        if (got->map_rate != expected->map_rate || got->lambda != expected->lambda || got->width != expected->width ||
            got->decay != decay || got->noise != expected->noise) {
            fail_msg("case %zu: map rate %g lambda %g width %g decay %g noise %g", i, got->map_rate, got->lambda,
                     got->width, got->decay, got->noise);
        }
        wanted.decay = 0.07;
        wanted.noise = 0.08;
        wanted.lambda = 0.09;
        wanted.gamma = GAMMA_KNN;
        profile_default(&self, &known);
        assert_true(got->decay == 0.07 && got->noise == 0.08 && got->lambda == 0.09 && got->width == 1.0);
    }
}

/* Columns on a shared scale have difference noise in the usual profile and not in the others, which
 * are compared. Options count in all profiles. */
static void other_profiles_have_no_difference_noise(void **unused) {
    (void)unused;
    static const struct {
        size_t columns;
        double difference_noise, usual, others;
    } CASES[] = {{100, -1.0, 0.25, 0.0}, {8, -1.0, 0.0, 0.0}, {100, 0.1, 0.1, 0.1}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        settings wanted = search_settings(64);
        wanted.map_rate = -1.0;
        wanted.difference_noise = CASES[i].difference_noise;
        dataset data = {.settings = &wanted,
                        .task = TASK_CLASSIFY,
                        .outputs = 1,
                        .rows = {.rows = 200, .columns = CASES[i].columns}};
        fit_session self = {.data = &data,
                            .spec = {.projection = "dense", .columns = CASES[i].columns, .features = 64}};
        const facts known = facts_of(CASES[i].columns, (image_facts){0});
        hyperparameters others[OTHER_PROFILES];
        profile_default(&self, &known);
        assert_true(self.chosen.map_rate == 1.0 - 0.8 && self.chosen.difference_noise == CASES[i].usual);
        assert_int_equal(profile_alternatives(&self, &known, false, others), 2);
        assert_true(others[0].map_rate == 0.25 && others[0].difference_noise == CASES[i].others);
        assert_true(others[1].map_rate == 0.0 && others[1].difference_noise == CASES[i].others);
        assert_true(others[0].lambda == 0.0 && others[0].decay == 0.1);
        /* regressions keep the penalty on the head, and decay less */
        data.task = TASK_REGRESS;
        assert_int_equal(profile_alternatives(&self, &known, false, others), 2);
        assert_true(others[0].map_rate == 0.25 && others[0].lambda == 1e-3 && others[0].decay == 0.03);
        wanted.lambda = 0.09;
        assert_int_equal(profile_alternatives(&self, &known, false, others), 2);
        assert_true(others[0].lambda == 0.09 && others[1].lambda == 0.09);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_rows_make_the_map_learn_slowly),
        cmocka_unit_test(other_profiles_have_no_difference_noise),
        cmocka_unit_test(stacks_have_steps_and_noise_of_their_own),
        cmocka_unit_test(default_steps_follow_from_columns_and_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
