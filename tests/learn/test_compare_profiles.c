/* Profiles and frozen maps that are compared before the rounds of a search and after them. */
#include "support/counted_trials.h"

#include "data/scale/scaling.h"

enum { ROWS = 1000, COLUMNS = 6 };
#define SLOW_RATE (1.0 - 0.8) /* of the default profile of a slowly learned map */

/* A head that is solved for has no augmentation to search, also where nothing else is open. */
static void frozen_maps_have_no_augmentation(void **unused) {
    (void)unused;
    table *rows = make_shared_range(900, 70, 0);
    settings wanted = search_settings(64);
    wanted.difference_noise = wanted.translate = wanted.map_rate = -1.0;
    const counted_trials better = {.frozen_gain = 0.9, .margin = 0.01, .translate = 0.4};
    const search_outcome frozen = search_with(rows, &wanted, better);
    assert_true(frozen.usual.difference_noise == 0.25 && frozen.chosen.map_mode == MAP_FROZEN &&
                frozen.chosen.difference_noise == 0.0);
    check_search_work(&frozen, &wanted, 2.0);
    wanted.lambda = 0.01;
    wanted.gamma = GAMMA_KNN;
    const search_outcome settled = search_with(rows, &wanted, better);
    assert_true(settled.chosen.map_mode == MAP_FROZEN);
    assert_false(settled.counts.difference_noise || settled.counts.translations);
    wanted.map_rate = 0.5; /* a map that learns has some */
    const search_outcome stepped = search_with(rows, &wanted, better);
    assert_true(stepped.counts.difference_noise && stepped.counts.translations);
    table_destroy(rows);
}

/* Where the map learns slowly, a round before the others compares three profiles with all the
 * features; one that is much better is taken. */
static void profiles_are_compared_where_the_map_learns_slowly(void **unused) {
    (void)unused;
    table *rows = make_rings(2, ROWS, COLUMNS);
    settings wanted = search_settings(64);
    wanted.map_rate = -1.0;
    const search_outcome level = search_rows(rows, &wanted, false);
    assert_int_equal(level.counts.rounds, 3);
    /* three starts, and three times both neighbours */
    assert_int_equal(level.counts.solved, 3 + 6);
    assert_int_equal(level.counts.narrow_starts, 2);
    assert_true(level.usual.map_rate == SLOW_RATE && level.chosen.map_rate == SLOW_RATE && level.chosen.width == 0.5);
    assert_int_equal(level.usual.scale, SCALING_STANDARD);
    const search_outcome frozen = search_with(rows, &wanted, (counted_trials){.frozen_gain = 0.03, .margin = 0.01});
    /* by more than two margins */
    assert_true(frozen.chosen.map_rate == 0.0 && frozen.chosen.decay == 0.0);
    assert_true(search_with(rows, &wanted, (counted_trials){.frozen_gain = 0.01, .margin = 0.01}).chosen.map_rate ==
                SLOW_RATE);
    assert_true(search_rows(rows, &wanted, true).chosen.map_rate ==
                0.25); /* each trial halves the loss, and this profile is tried last */
    wanted.map_rate = 0.5;
    assert_int_equal(search_rows(rows, &wanted, true).counts.rounds, 2);
    wanted.map_rate = 0.0;
    const search_outcome fixed = search_rows(rows, &wanted, false);
    /* the same starts where --map-rate is 0 */
    assert_true(fixed.counts.rounds == 3 && fixed.counts.narrow_starts == 2);
    assert_false(fixed.counts.fewer_folds || frozen.counts.fewer_folds);
    wanted.epochs = 240; /* few steps to share: a head that is solved for needs none */
    const search_outcome brief = search_rows(rows, &wanted, false);
    assert_true(brief.counts.solved > 0 && !brief.counts.fewer_folds);
    table_destroy(rows);
    /* A frozen map that is 4 % better is taken where rows are few, which asks for two margins, and
     * not where twenty are needed. */
    const counted_trials between = {.frozen_gain = 0.04, .margin = 0.01};
    wanted = search_settings(128);
    wanted.map_rate = -1.0;
    static const size_t ROW_COUNTS[] = {1499, 1500};
    for (size_t i = 0; i < COUNT_OF(ROW_COUNTS); i++) {
        rows = make_rings(2, ROW_COUNTS[i], COLUMNS);
        assert_true(search_with(rows, &wanted, between).chosen.map_rate == (i == 0 ? 0.0 : SLOW_RATE));
        /* Regressions need twenty, and only where rows are few and nothing is distilled. */
        settings regression = wanted;
        regression.task = WANT_REGRESS;
        assert_true(
            search_with(rows, &regression, (counted_trials){.frozen_gain = 0.22, .margin = 0.01}).chosen.map_rate ==
            SLOW_RATE);
        regression.distill = DISTILL_NO;
        assert_true(search_with(rows, &regression, between).chosen.map_rate == SLOW_RATE);
        const search_outcome clear =
            search_with(rows, &regression, (counted_trials){.frozen_gain = 0.22, .margin = 0.01});
        assert_true(clear.chosen.map_rate == (i == 0 ? 0.0 : SLOW_RATE));
        check_search_work(&clear, &regression, 2.0);
        table_destroy(rows);
    }
}

/* From 2,001 to 10,000 rows the result of the search is compared with a frozen map, which has to be
 * better by four margins. */
static void a_frozen_map_is_compared_after_the_search(void **unused) {
    (void)unused;
    static const struct {
        size_t rows;
        uint64_t features;
        double usual; /* map rate */
        bool compared;
    } CASES[] = {{2000, 128, SLOW_RATE, false}, {2001, 128, SLOW_RATE, true}, {6000, 128, 1.0, true},
                 {6000, 127, 1.0, false},       {10000, 256, 1.0, true},      {10001, 256, 1.0, false}};
    for (size_t n = 0; n < 2 * COUNT_OF(CASES); n++) {
        const size_t i = n / 2;
        table *rows = make_rings(2, CASES[i].rows, COLUMNS);
        settings wanted = search_settings(CASES[i].features);
        wanted.map_rate = -1.0;
        wanted.task = n % 2 == 0 ? WANT_CLASSIFY : WANT_REGRESS;
        const search_outcome better = search_with(rows, &wanted, (counted_trials){.frozen_gain = 0.05, .margin = 0.01});
        const search_outcome hardly = search_with(rows, &wanted, (counted_trials){.frozen_gain = 0.03, .margin = 0.01});
        const search_outcome improving =
            search_with(rows, &wanted, (counted_trials){.frozen_gain = 0.05, .margin = 0.01, .improving = true});
        assert_true(better.usual.map_rate == CASES[i].usual && hardly.chosen.map_rate == CASES[i].usual);
        if (better.chosen.map_rate != (CASES[i].compared ? 0.0 : CASES[i].usual)) {
            fail_msg("%zu rows, case %zu: map rate %g", CASES[i].rows, n, better.chosen.map_rate);
        }
        check_search_work(&better, &wanted, 2.0);
        check_search_work(&improving, &wanted, 2.0);
        wanted.map_rate = 1.0; /* given options stay */
        assert_int_equal(search_with(rows, &wanted, (counted_trials){.frozen_gain = 0.9, .margin = 0.01}).counts.solved,
                         0);
        table_destroy(rows);
    }
}

/* Frozen maps need more than 64 features: where one is compared, an open number of features starts
 * with 128. */
static void frozen_maps_start_with_128_features(void **unused) {
    (void)unused;
    static const size_t ROW_COUNTS[] = {10000, 10001};
    for (size_t i = 0; i < COUNT_OF(ROW_COUNTS); i++) {
        table *rows = make_rings(2, ROW_COUNTS[i], COLUMNS);
        settings wanted = search_settings(0);
        wanted.map_rate = -1.0;
        const search_outcome got = search_with(rows, &wanted, (counted_trials){.frozen_gain = 0.05, .margin = 0.01});
        assert_int_equal(got.features, i == 0 ? 128 : 64);
        assert_true(got.chosen.map_rate == (i == 0 ? 0.0 : 1.0));
        check_search_work(&got, &wanted, 2.0);
        table_destroy(rows);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frozen_map_is_compared_after_the_search),
        cmocka_unit_test(frozen_maps_start_with_128_features),
        cmocka_unit_test(profiles_are_compared_where_the_map_learns_slowly),
        cmocka_unit_test(frozen_maps_have_no_augmentation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
