/* Training that starts from a model: it begins with the model's function, learns new rows, and can
 * add features. */
#include "support/trainings.h"

#include "base/core/random.h"
#include "learn/objective/losses.h"
#include "math/random/variates.h"

/* With steps of size 0 a warm start changes the model's function by rounding only. */
static void starting_from_a_model_keeps_its_function(void **state) {
    (void)state;
    table *rows = make_clouds(1, 400), *rings = make_rings(4, 400, 5);
    for (int scale = 1; scale <= 7; scale += 2) { /* none, standard, asinh, quantile */
        for (size_t i = 0; i < 2; i++) {
            for (int binary = 0; binary < 2; binary++) {
                const table *data = binary ? rings : rows;
                settings wanted = fit_settings(&FIT_METHODS[i], 16);
                wanted.scale = scale;
                cnm_model *model = train(data, &wanted), *more;
                wanted.epochs = 1;
                wanted.batch = 1000000;
                cnm_error error = {0};
                check_ok(learn_train(&more, data, NULL, &wanted, model, NULL, &error), &error);
                assert_string_equal(text_of(more, "warm_start"), "from an earlier model");
                check_figure_above(more, data, "accuracy", figure_of(model, data, "accuracy") - 0.03,
                                   FIT_METHODS[i].name);
                model_destroy(model);
                model_destroy(more);
            }
        }
    }
    table_destroy(rows);
    table_destroy(rings);
}

static void new_rows_are_learned(void **state) {
    (void)state;
    table *near_rows = make_rings(1, 400, 2), *all_rows = make_rings(2, 400, 2);
    /* the model first sees only the right half of the plane */
    for (size_t row = 0; row < 400; row++) {
        near_rows->values[2 * row] = fabsf(near_rows->values[2 * row]);
    }
    settings wanted = fit_settings(&FIT_METHODS[0], 16);
    cnm_model *first = train(near_rows, &wanted), *second;
    cnm_error error = {0};
    wanted.epochs = 60;
    check_ok(learn_train(&second, all_rows, NULL, &wanted, first, NULL, &error), &error);
    check_figure_above(second, all_rows, "accuracy", 0.97, "after new rows");
    assert_true(figure_of(second, all_rows, "accuracy") > figure_of(first, all_rows, "accuracy"));
    model_destroy(first);
    model_destroy(second);
    table_destroy(near_rows);
    table_destroy(all_rows);
}

static void a_map_with_more_features_contains_the_smaller_one(void **state) {
    (void)state;
    table *rows = make_clouds(1, 300);
    for (size_t i = 0; i < 2; i++) {
        settings wanted = fit_settings(&FIT_METHODS[i], 3);
        cnm_model *small = train(rows, &wanted), *large;
        cnm_error error = {0};
        wanted.features = 9;
        check_ok(learn_train(&large, rows, NULL, &wanted, small, NULL, &error), &error);
        assert_int_equal(large->map->features, 9);
        check_figure_above(large, rows, "accuracy", 0.95, FIT_METHODS[i].name);
        model_destroy(small);
        model_destroy(large);
    }
    table_destroy(rows);
}

static void a_start_from_an_unsuitable_model_is_refused(void **state) {
    (void)state;
    table *rows = make_clouds(1, 200), *rings = make_rings(1, 200, 2), *wide = make_rings(1, 200, 3);
    settings wanted = fit_settings(&FIT_METHODS[0], 8);
    const settings linear = {.map_rate = 1.0, .method = METHOD_LINEAR, .seed = 1, .threads = 1, .epochs = 5};
    cnm_model *model = train(rings, &wanted), *plain = train(rings, &linear), *none;
    cnm_error error = {0};
    assert_int_equal(learn_train(&none, rows, NULL, &wanted, model, NULL, &error), CNM_BAD_DATA);
    assert_non_null(strstr(error.message, "200 rows have labels that the model does not know"));
    assert_int_equal(learn_train(&none, wide, NULL, &wanted, model, NULL, &error), CNM_BAD_DATA);
    assert_non_null(strstr(error.message, "the rows have 3 columns, the model expects 2"));
    assert_int_equal(learn_train(&none, rings, NULL, &wanted, plain, NULL, &error), CNM_UNSUPPORTED);
    wanted.metric = METRIC_MAE;
    check_refusal(learn_train(&none, rings, NULL, &wanted, model, NULL, &error), CNM_BAD_ARGUMENT, &error,
                  "--metric mae is for numbers, but the model to go on from predicts classes");
    assert_null(none);
    model_destroy(model);
    model_destroy(plain);
    table_destroy(rows);
    table_destroy(rings);
    table_destroy(wide);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starting_from_a_model_keeps_its_function),
        cmocka_unit_test(new_rows_are_learned),
        cmocka_unit_test(a_map_with_more_features_contains_the_smaller_one),
        cmocka_unit_test(a_start_from_an_unsuitable_model_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
