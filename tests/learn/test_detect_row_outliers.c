/* Outlier cells are found; heavy-tailed columns, rare values and other scalings have none. */
#include "support/made_tables.h"

#include "data/scale/scaling.h"
#include "learn/dataset/scaled_rows.h"
#include "learn/detect/detect_row_outliers.h"
#include "learn/settings.h"

enum { ROWS = 4000, COLUMNS = 3 };

/* Normal columns, then one that is 0 but for `rare` rows, where it is 1; cell 5 of the first column
 * is `far`. */
static bool reaches(double far, size_t rare, scaling_kind kind) {
    cnm_error error = {0};
    table *rows = table_make(ROWS, COLUMNS);
    normals(1, (size_t)ROWS * COLUMNS, 2.0, rows->values);
    for (size_t i = 0; i < ROWS; i++) {
        rows->values[i * COLUMNS + 2] = i < rare ? 1.0F : 0.0F;
        label_number(rows, (double)(i % 2));
    }
    rows->values[5 * COLUMNS] = (float)far;
    const settings wanted = {.map_rate = 1.0, .features = 8, .seed = 1, .threads = 1, .scale = 1 + (int)kind};
    dataset task;
    check_ok(dataset_create(&task, rows, &wanted, NULL, NULL, &error), &error);
    scaled_rows scaled;
    check_ok(scaled_rows_create(&scaled, &task, kind, &error), &error);
    const bool found = has_outlier_cells(&task.rows, &scaled.scaling);
    scaled_rows_free(&scaled);
    dataset_free(&task);
    table_destroy(rows);
    return found;
}

/* The standard deviation is 2, so the limit of 200 is at 400. */
static void an_outlier_cell_is_found(void **unused) {
    (void)unused;
    assert_true(reaches(500.0, 0, SCALING_ASINH));
    assert_true(reaches(-500.0, 0, SCALING_ASINH));
    assert_true(reaches(1e4, 0, SCALING_ASINH));
    /* in the same unit */
    assert_true(reaches(500.0, 0, SCALING_WIDE) && !reaches(300.0, 0, SCALING_WIDE));
}

static void heavy_tails_and_rare_values_are_no_outliers(void **unused) {
    (void)unused;
    assert_false(reaches(0.0, 0, SCALING_ASINH));
    assert_false(reaches(300.0, 0, SCALING_ASINH));
    assert_false(reaches(0.0, 1, SCALING_ASINH));
    assert_false(reaches(0.0, 3, SCALING_ASINH));
}

static void only_scalings_by_robust_deviations_are_checked(void **unused) {
    (void)unused;
    assert_false(reaches(1e9, 0, SCALING_STANDARD));
    assert_false(reaches(1e9, 0, SCALING_GLOBAL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_outlier_cell_is_found),
        cmocka_unit_test(heavy_tails_and_rare_values_are_no_outliers),
        cmocka_unit_test(only_scalings_by_robust_deviations_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
