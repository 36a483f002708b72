/* The budgeted search with trials that are counted and not run: what it may cost, which
 * hyperparameters it tries, and what it leaves alone. */
#include "support/counted_trials.h"

#include "data/scale/scaling.h"

enum { ROWS = 1000, COLUMNS = 6 };

/* Trials and training have the same batch, so their work is steps times features. */
static void trials_cost_no_more_than_two_trainings(void **unused) {
    (void)unused;
    static const uint64_t FEATURES[] = {0, 4, 64, 129, 1000}, EPOCHS[] = {0, 1, 100, 300, 5000};
    table *rows = make_rings(1, ROWS, COLUMNS);
    /* 25 * 4; with 3 there is no common factor */
    for (size_t n = 0; n < COUNT_OF(FEATURES) * COUNT_OF(EPOCHS) * 4; n++) {
        settings wanted = search_settings(FEATURES[n % COUNT_OF(FEATURES)]);
        wanted.epochs = EPOCHS[n / COUNT_OF(FEATURES) % COUNT_OF(EPOCHS)];
        wanted.projection = (int)(n / 25 % 2);
        wanted.map_rate = (double)(n % 3) - 1.0;
        const search_outcome got = search_rows(rows, &wanted, n >= 50);
        check_search_work(&got, &wanted, 2.0);
        assert_int_equal(got.chosen.steps, got.usual.steps);
        assert_int_equal(got.chosen.batch, got.usual.batch);
        wanted.effort = EFFORT_THOROUGH;
        const search_outcome more = search_rows(rows, &wanted, n >= 50);
        check_search_work(&more, &wanted, 10.0);
    }
    table_destroy(rows);
}

static void both_rounds_try_other_values(void **unused) {
    (void)unused;
    table *rows = make_rings(2, ROWS, COLUMNS);
    const settings wanted = search_settings(64);
    const search_outcome level = search_rows(rows, &wanted, false), improving = search_rows(rows, &wanted, true);
    assert_int_equal(level.counts.rounds, 2);
    assert_int_equal(improving.counts.rounds, 2);
    /* without noise; decay; the rest; a linear model */
    assert_int_equal(level.counts.run, 1 + 3 + 6 + 1);
    assert_int_equal(level.chosen.scale, level.usual.scale); /* nothing was better */
    assert_true(level.chosen.width == 1.0 && level.chosen.decay == 0.03 && level.chosen.noise == 0.25);
    assert_true(level.counts.width && level.counts.decay && level.counts.noise);
    assert_true(level.loss == 1.0);
    assert_true(improving.chosen.decay != 0.03 && improving.chosen.scale != improving.usual.scale);
    table_destroy(rows);
}

/* Many columns that share a range, as pixels do, keep their scale; difference noise is searched
 * within the same budget. */
static void columns_on_a_shared_scale_keep_it_and_have_difference_noise(void **unused) {
    (void)unused;
    table *rows = make_shared_range(ROWS, 70, 0);
    settings wanted = search_settings(64);
    const search_outcome still = search_rows(rows, &wanted, false);
    wanted.difference_noise = -1.0;
    const search_outcome got = search_rows(rows, &wanted, false), improving = search_rows(rows, &wanted, true);
    assert_int_equal(got.usual.scale, SCALING_GLOBAL);
    assert_true(got.usual.difference_noise == 0.25 && got.counts.difference_noise && !got.counts.scale &&
                !got.counts.noise);
    assert_true(still.usual.difference_noise == 0.0 && !still.counts.difference_noise &&
                still.chosen.difference_noise == 0.0);
    check_search_work(&got, &wanted, 2.0);
    check_search_work(&improving, &wanted, 2.0);
    table_destroy(rows);
}

/* 64 columns are many, and a quarter of so many may be empty, as at the border of images. */
static void most_of_many_columns_are_enough_for_a_shared_scale(void **unused) {
    (void)unused;
    static const struct {
        size_t columns, empty;
        scaling_kind scale;
    } CASES[] = {{64, 0, SCALING_GLOBAL},
                 {64, 16, SCALING_GLOBAL},
                 {64, 17, SCALING_STANDARD},
                 {63, 0, SCALING_STANDARD},
                 {200, 152, SCALING_GLOBAL}};
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        table *rows = make_shared_range(300, CASES[i].columns, CASES[i].empty);
        settings wanted = search_settings(64);
        wanted.map_rate = -1.0;
        assert_int_equal(search_rows(rows, &wanted, false).usual.scale, CASES[i].scale);
        table_destroy(rows);
    }
}

/* Each trial is 2 % better than the last, the margin 1 %. In the first round the second trial has
 * less decay and the third, 4 % better than the first, more: that exceeds one margin, but not six,
 * nor ten, as short trials need. */
static void short_trials_need_larger_gains(void **unused) {
    (void)unused;
    static const struct {
        double margin, short_by, decay;
    } CASES[] = {{0.01, 0.0, 0.1}, {0.05, 0.0, 0.03}, {0.01, 5.0, 0.03}, {0.0037, 5.0, 0.1}, {0.001, 0.0, 0.1}};
    table *rows = make_rings(2, ROWS, COLUMNS);
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        settings wanted = search_settings(64);
        wanted.noise = 0.25;
        const counted_trials counts = {
            .improving = true, .gain = 0.02, .margin = CASES[i].margin, .short_by = CASES[i].short_by};
        const double got = search_with(rows, &wanted, counts).chosen.decay;
        if ((got > 0.03) != (CASES[i].decay > 0.03)) {
            fail_msg("case %zu: decay %g", i, got);
        }
    }
    table_destroy(rows);
}

/* Rows with outliers are scaled by asinh, however much better others look. A map that learns slowly
 * starts with the wider one. */
static void rows_with_outliers_are_scaled_by_asinh(void **unused) {
    (void)unused;
    table *rows = make_rings(2, ROWS, COLUMNS);
    settings wanted = search_settings(64);
    assert_false(scaling_is_asinh(search_rows(rows, &wanted, true).chosen.scale));
    rows->values[7 * COLUMNS] = 1e4F;
    assert_int_equal(search_rows(rows, &wanted, false).chosen.scale, SCALING_ASINH);
    /* the last trial is best */
    assert_int_equal(search_rows(rows, &wanted, true).chosen.scale, SCALING_WIDE);
    assert_int_equal(search_with(rows, &wanted, (counted_trials){.noiseless_gain = 0.6, .margin = 0.01}).chosen.scale,
                     SCALING_WIDE);
    wanted.map_rate = -1.0;
    const search_outcome slow = search_rows(rows, &wanted, false);
    assert_true(slow.usual.scale == SCALING_WIDE && slow.chosen.scale == SCALING_WIDE);
    assert_int_equal(search_rows(rows, &wanted, true).chosen.scale, SCALING_ASINH);
    table_destroy(rows);
}

static void nothing_is_tried_where_nothing_is_open(void **unused) {
    (void)unused;
    table *rows = make_rings(3, ROWS, COLUMNS);
    settings quickly = search_settings(64), given = quickly, few = quickly;
    quickly.effort = EFFORT_QUICK;
    given.scale = 1 + SCALING_STANDARD;
    given.gamma = GAMMA_KNN;
    given.noise = 0.4;
    given.decay = 0.2;
    assert_int_equal(search_rows(rows, &quickly, true).counts.run, 0);
    const search_outcome got = search_rows(rows, &given, true);
    assert_int_equal(got.counts.run, 2); /* for the comparison with a linear model */
    assert_int_equal(got.chosen.scale, SCALING_STANDARD);
    assert_true(got.chosen.noise == 0.4 && got.chosen.decay == 0.2 && got.chosen.width == 1.0);
    given.map_rate = 0.0;
    given.lambda = 0.01;
    assert_int_equal(search_rows(rows, &given, true).counts.run, 2);
    table_destroy(rows);
    rows = make_rings(4, 49, COLUMNS);
    assert_int_equal(search_rows(rows, &few, true).counts.run, 0);
    table_destroy(rows);
}

/* After a request to stop there is no other trial. */
static void nothing_is_tried_after_a_stop(void **unused) {
    (void)unused;
    table *rows = make_rings(5, ROWS, COLUMNS);
    for (int rate = -1; rate <= 1; rate++) {
        settings wanted = search_settings(64);
        wanted.map_rate = rate;
        const size_t all = search_rows(rows, &wanted, false).counts.run;
        for (size_t n = 1; n <= all; n++) {
            assert_int_equal(search_with(rows, &wanted, (counted_trials){.stop_at = n}).counts.run, n);
        }
    }
    table_destroy(rows);
}

/* One option at a time: an otherwise open search does not change it. */
static void given_options_stay(void **unused) {
    (void)unused;
    table *rows = make_rings(5, ROWS, COLUMNS);
    settings scale = search_settings(64), width = scale, noise = scale, decay = scale;
    scale.scale = 1 + SCALING_RANGE;
    width.gamma = GAMMA_NUMBER;
    width.gamma_number = 0.3;
    noise.noise = 0.0;
    decay.decay = 0.0;
    assert_int_equal(search_rows(rows, &scale, true).chosen.scale, SCALING_RANGE);
    assert_true(search_rows(rows, &width, true).chosen.width == 1.0);
    assert_true(search_rows(rows, &noise, true).chosen.noise == 0.0);
    assert_true(search_rows(rows, &decay, true).chosen.decay == 0.0);
    decay.epochs = 5000; /* more than 16,000 steps: only a searched decay is scaled down */
    assert_true(search_rows(rows, &decay, true).chosen.decay == 0.0);
    decay.decay = 0.03;
    assert_true(search_rows(rows, &decay, true).chosen.decay == 0.03);
    table_destroy(rows);
}

static void long_trainings_decay_as_much_as_short_ones(void **unused) {
    (void)unused;
    table *rows = make_rings(6, ROWS, COLUMNS);
    settings wanted = search_settings(64);
    wanted.epochs = 5000;
    const search_outcome got = search_rows(rows, &wanted, false);
    assert_true(got.usual.steps > 16000);
    assert_true(got.chosen.decay == got.usual.decay * (16000.0 / (double)got.usual.steps));
    table_destroy(rows);
}

/* Held-out rows of a random walk, from the same stretch of time, show nothing. */
static void rows_in_time_order_get_the_default_values(void **unused) {
    (void)unused;
    table *rows = table_make(ROWS, COLUMNS);
    normals(7, (size_t)ROWS * COLUMNS, 1.0, rows->values);
    for (size_t i = COLUMNS; i < (size_t)ROWS * COLUMNS; i++) {
        rows->values[i] += rows->values[i - COLUMNS];
    }
    for (size_t i = 0; i < ROWS; i++) {
        label_text(rows, uniform(8, i) < 0.5 ? "calm" : "storm");
    }
    settings wanted = search_settings(64), given = wanted;
    const search_outcome got = search_rows(rows, &wanted, true);
    assert_int_equal(got.counts.run, 2); /* for the comparison with a linear model */
    assert_true(got.chosen.noise == 0.1 && got.chosen.decay == 0.03 && got.chosen.width == 1.0);
    assert_true(got.loss == 0.0); /* not known */
    given.noise = 0.25;
    assert_true(search_rows(rows, &given, true).chosen.noise == 0.25);
    table_destroy(rows);
}

/* A trial without noise has to halve the loss, whatever the margin. */
static void no_noise_is_taken_where_it_halves_the_loss(void **unused) {
    (void)unused;
    table *rows = make_rings(2, ROWS, COLUMNS);
    settings wanted = search_settings(8);
    const search_outcome far = search_with(rows, &wanted, (counted_trials){.noiseless_gain = 0.6, .margin = 0.01});
    assert_true(far.usual.noise == 0.25 && far.chosen.noise == 0.0);
    assert_int_equal(far.chosen.scale, SCALING_STANDARD);
    assert_true(search_with(rows, &wanted, (counted_trials){.noiseless_gain = 0.4, .margin = 0.001}).chosen.noise ==
                0.25);
    wanted.scale = 1 + SCALING_GLOBAL;
    const search_outcome scaled = search_with(rows, &wanted, (counted_trials){.noiseless_gain = 0.6, .margin = 0.01});
    assert_true(scaled.chosen.noise == 0.0 && scaled.chosen.scale == SCALING_GLOBAL);
    wanted.noise = 0.1;
    assert_true(search_with(rows, &wanted, (counted_trials){.noiseless_gain = 0.6, .margin = 0.01}).chosen.noise ==
                0.1);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_noise_is_taken_where_it_halves_the_loss),
        cmocka_unit_test(columns_on_a_shared_scale_keep_it_and_have_difference_noise),
        cmocka_unit_test(most_of_many_columns_are_enough_for_a_shared_scale),
        cmocka_unit_test(trials_cost_no_more_than_two_trainings),
        cmocka_unit_test(both_rounds_try_other_values),
        cmocka_unit_test(short_trials_need_larger_gains),
        cmocka_unit_test(rows_with_outliers_are_scaled_by_asinh),
        cmocka_unit_test(nothing_is_tried_where_nothing_is_open),
        cmocka_unit_test(nothing_is_tried_after_a_stop),
        cmocka_unit_test(given_options_stay),
        cmocka_unit_test(long_trainings_decay_as_much_as_short_ones),
        cmocka_unit_test(rows_in_time_order_get_the_default_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
