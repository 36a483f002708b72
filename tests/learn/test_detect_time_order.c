/* Whether rows are in time order follows from adjacent rows: yes for a walk, no for the same rows
 * shuffled or sorted by class. */
#include "support/made_tables.h"

#include "learn/dataset/scaled_rows.h"
#include "learn/detect/detect_time_order.h"
#include "learn/settings.h"

enum { ROWS = 2000, COLUMNS = 5 };

static const settings WANTED = {.map_rate = 1.0, .features = 4, .seed = 1};

/* Makes rows of which `walking` columns are random walks and the others normal, with random
 * classes. */
static table *make_walk(uint64_t seed, size_t rows, size_t walking) {
    table *out = table_make(rows, COLUMNS);
    normals(seed, rows * COLUMNS, 1.0, out->values);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; i > 0 && j < walking; j++) {
            out->values[i * COLUMNS + j] += out->values[(i - 1) * COLUMNS + j];
        }
        label_text(out, uniform(seed + 1, i) < 0.4 ? "low" : "high");
    }
    return out;
}

/* Returns the rows of `from` in a random order. */
static table *make_shuffled(const table *from, uint64_t seed) {
    table *out = table_make(from->rows, COLUMNS);
    memcpy(out->values, from->values, from->rows * COLUMNS * sizeof(float));
    for (size_t i = from->rows; i > 1; i--) {
        const size_t other = (size_t)(uniform(seed, i) * (double)i);
        for (size_t j = 0; j < COLUMNS; j++) {
            const float value = out->values[(i - 1) * COLUMNS + j];
            out->values[(i - 1) * COLUMNS + j] = out->values[other * COLUMNS + j];
            out->values[other * COLUMNS + j] = value;
        }
    }
    for (size_t i = 0; i < from->rows; i++) {
        label_text(out, i % 3 == 0 ? "low" : "high");
    }
    return out;
}

/* Makes ten classes one after the other, around centres ten standard deviations apart. */
static table *make_sorted(uint64_t seed) {
    static const char *const WORDS[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    table *out = table_make(ROWS, COLUMNS);
    normals(seed, ROWS * COLUMNS, 1.0, out->values);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) {
            out->values[i * COLUMNS + j] += 10.0F * (float)(i * 10 / ROWS);
        }
        label_text(out, WORDS[i * 10 / ROWS]);
    }
    return out;
}

static bool is_ordered(table *rows) {
    cnm_error error = {0};
    dataset task;
    input_source taken_rows;
    map *plain;
    bool ordered;
    const map_spec spec = {
        .projection = "dense", .activation = "cos", .columns = rows->columns, .features = 4, .gamma = 1.0};
    check_ok(dataset_create(&task, rows, &WANTED, NULL, NULL, &error), &error);
    scaled_rows scaled;
    check_ok(scaled_rows_create(&scaled, &task, SCALING_STANDARD, &error), &error);
    check_ok(map_create(&plain, &spec, &error), &error);
    check_ok(input_bind(&taken_rows, &scaled.input, &task.rows, plain, &error), &error);
    check_ok(detect_time_order(&task, &taken_rows, &ordered, &error), &error);
    input_unbind(&taken_rows);
    map_destroy(plain);
    scaled_rows_free(&scaled);
    dataset_free(&task);
    table_destroy(rows);
    return ordered;
}

static void a_walk_is_ordered(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed < 6; seed++) {
        assert_true(is_ordered(make_walk(seed, ROWS, COLUMNS)));
        assert_true(is_ordered(make_walk(seed + 10, ROWS, 2)));
    }
}

static void the_same_rows_shuffled_are_not(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed < 6; seed++) {
        table *walk = make_walk(seed, ROWS, COLUMNS);
        assert_false(is_ordered(make_shuffled(walk, seed + 50)));
        table_destroy(walk);
    }
}

static void rows_sorted_by_class_are_not(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed < 6; seed++) {
        assert_false(is_ordered(make_sorted(seed)));
    }
}

/* A column that counts the rows is no time series. */
static void one_column_is_not_enough(void **unused) {
    (void)unused;
    assert_false(is_ordered(make_walk(7, ROWS, 1)));
}

static void few_rows_are_never_ordered(void **unused) {
    (void)unused;
    assert_true(is_ordered(make_walk(8, 1000, COLUMNS)));
    assert_false(is_ordered(make_walk(8, 999, COLUMNS)));
}

/* Regression has no classes: adjacent rows are compared with any others. */
static void a_walk_with_regression_targets_is_ordered(void **unused) {
    (void)unused;
    for (size_t walking = 0; walking <= COLUMNS; walking += COLUMNS) {
        table *rows = table_make(ROWS, COLUMNS), *from = make_walk(9, ROWS, walking);
        memcpy(rows->values, from->values, (size_t)ROWS * COLUMNS * sizeof(float));
        table_destroy(from);
        for (size_t i = 0; i < ROWS; i++) {
            label_number(rows, uniform(3, i));
        }
        assert_int_equal(is_ordered(rows), walking > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_is_ordered),
        cmocka_unit_test(the_same_rows_shuffled_are_not),
        cmocka_unit_test(rows_sorted_by_class_are_not),
        cmocka_unit_test(one_column_is_not_enough),
        cmocka_unit_test(few_rows_are_never_ordered),
        cmocka_unit_test(a_walk_with_regression_targets_is_ordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
