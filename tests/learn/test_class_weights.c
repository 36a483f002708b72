/* Class weights move the decision boundary; bad ones are refused by name. */
#include "support/trainings.h"

#include "base/core/random.h"
#include "learn/objective/losses.h"
#include "math/random/variates.h"

static void class_weights_move_the_boundary(void **state) {
    (void)state;
    table *rows = make_sides(1, 400, 3);
    /* labels no longer follow the rows: the weights alone decide */
    normals(77, 400 * 3, 1.5, rows->values);
    settings wanted = fit_settings(&FIT_METHODS[0], 4);
    char favour_two[] = "2:50", favour_four[] = "4:50,2:1", balanced[] = "balanced";
    wanted.lambda = 1.0;
    wanted.class_weight = favour_two;
    cnm_model *two = train(rows, &wanted);
    wanted.class_weight = favour_four;
    cnm_model *four = train(rows, &wanted);
    wanted.class_weight = balanced;
    cnm_model *even = train(rows, &wanted);
    assert_true(two->bias[0] < 0.0F && four->bias[0] > 0.0F);
    assert_true(fabsf(even->bias[0]) < fabsf(two->bias[0]));
    model_destroy(two);
    model_destroy(four);
    model_destroy(even);
    table_destroy(rows);
}

static void bad_class_weights_are_named(void **state) {
    static const char *const CASES[][2] = {
        {"7:2", "no row has the label \"7\""},
        {"2", "found \"2\", expected LABEL:WEIGHT with a weight from 0"},
        {"2:-1", "found \"2:-1\", expected LABEL:WEIGHT with a weight from 0"},
        {"2:nan", "found \"2:nan\", expected LABEL:WEIGHT with a weight from 0"},
        {"2:1,2.0:3", "the label \"2\" is there twice"},
    };
    (void)state;
    table *rows = make_sides(1, 50, 3);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        settings wanted = fit_settings(&FIT_METHODS[0], 4);
        char text[32];
        cnm_model *model;
        cnm_error error = {0};
        (void)snprintf(text, sizeof text, "%s", CASES[i][0]);
        wanted.class_weight = text;
        assert_int_equal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_BAD_ARGUMENT);
        assert_null(model);
        assert_non_null(strstr(error.message, CASES[i][1]));
    }
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(class_weights_move_the_boundary),
        cmocka_unit_test(bad_class_weights_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
