/* Rows far out are seen; heavy tails, rare values and other scalings are not taken for such. */
#include "learn/learn_support.h"

#include "learn/detect/detect_row_outliers.h"

enum { ROWS = 4000, COLUMNS = 3 };

/* Normal columns, then one that is 0 but for `rare` rows, where it is 1; cell 5 of the first column is `far`. */
static bool reaches(double far, size_t rare, scaling_kind kind) {
    cnm_error error = {0};
    table *rows = table_make(ROWS, COLUMNS);
    normals(1, (size_t)ROWS * COLUMNS, 2.0, rows->values);
    for (size_t i = 0; i < ROWS; i++) {
        rows->values[i * COLUMNS + 2] = i < rare ? 1.0F : 0.0F;
        label_number(rows, (double)(i % 2));
    }
    rows->values[5 * COLUMNS] = (float)far;
    const settings wanted = {.features = 8, .seed = 1, .threads = 1, .scale = 1 + (int)kind};
    problem task;
    check_ok(problem_create(&task, rows, &wanted, NULL, NULL, &error), &error);
    const bool found = rows_reach_far(&task);
    problem_free(&task);
    table_destroy(rows);
    return found;
}

/* Deviation 2: 200 of them are 400. */
static void a_cell_far_out_is_seen(void **unused) {
    (void)unused;
    assert_true(reaches(500.0, 0, SCALING_ASINH));
    assert_true(reaches(-500.0, 0, SCALING_ASINH));
    assert_true(reaches(1e4, 0, SCALING_ASINH));
    assert_true(reaches(500.0, 0, SCALING_WIDE) && !reaches(300.0, 0, SCALING_WIDE)); /* in the same units */
}

static void tails_and_rare_values_are_not(void **unused) {
    (void)unused;
    assert_false(reaches(0.0, 0, SCALING_ASINH));
    assert_false(reaches(300.0, 0, SCALING_ASINH));
    assert_false(reaches(0.0, 1, SCALING_ASINH));
    assert_false(reaches(0.0, 3, SCALING_ASINH));
}

static void only_robust_deviations_tell(void **unused) {
    (void)unused;
    assert_false(reaches(1e9, 0, SCALING_STANDARD));
    assert_false(reaches(1e9, 0, SCALING_GLOBAL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_far_out_is_seen),
        cmocka_unit_test(tails_and_rare_values_are_not),
        cmocka_unit_test(only_robust_deviations_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
