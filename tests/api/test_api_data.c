/* Rows from memory through the public functions. */
#include "api/api_support.h"

/* ---- Views ---- */

static void a_dense_view_shows_the_callers_rows(void **unused) {
    (void)unused;
    cnm_error error = {0};
    float values[] = {1, 2, 3, -1, 4, 5, 6, -1}, row[3];
    cnm_data *data;
    check_ok(cnm_data_view_dense(&data, values, 2, 3, 4, &error), &error);
    assert_int_equal(cnm_data_rows(data), 2);
    assert_int_equal(cnm_data_columns(data), 3);
    assert_int_equal(cnm_data_cells(data), 6);
    assert_false(cnm_data_is_sparse(data));
    assert_false(cnm_data_is_labelled(data));
    values[4] = 40; /* borrowed, not copied */
    check_ok(cnm_data_row(data, 1, row, &error), &error);
    assert_memory_equal(row, ((float[]){40, 5, 6}), sizeof row);
    check_refusal(cnm_data_row(data, 2, row, &error), CNM_BAD_ARGUMENT, &error, "row 2 does not exist");
    check_refusal(cnm_data_row(data, 0, NULL, &error), CNM_BAD_ARGUMENT, &error, "NULL");
    check_refusal(cnm_data_row(NULL, 0, row, &error), CNM_BAD_ARGUMENT, &error, "NULL");
    cnm_data_destroy(data);
    cnm_data_destroy(NULL);
}

static void impossible_dense_shapes_are_refused(void **unused) {
    (void)unused;
    static const float VALUES[4] = {0};
    static const struct {
        const float *values;
        size_t rows, columns, stride;
        const char *words;
    } CASES[] = {
        {NULL, 1, 2, 2, "values must not be NULL"},
        {VALUES, 1, 0, 2, "columns must be at least 1"},
        {VALUES, 1, 2, 1, "stride at least columns"},
        {VALUES, SIZE_MAX / 2, 3, 3, "more than memory can hold"},
        {VALUES, SIZE_MAX / 8, 2, 2, "more than memory can hold"},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        cnm_error error = {0};
        cnm_data *data = (cnm_data *)&error; /* anything but NULL */
        check_refusal(
            cnm_data_view_dense(&data, CASES[i].values, CASES[i].rows, CASES[i].columns, CASES[i].stride, &error),
            CNM_BAD_ARGUMENT, &error, CASES[i].words);
        assert_null(data);
        assert_int_equal(
            cnm_data_view_dense(&data, CASES[i].values, CASES[i].rows, CASES[i].columns, CASES[i].stride, NULL),
            CNM_BAD_ARGUMENT);
    }
    static const double DOUBLES[4] = {0};
    cnm_error error = {0};
    cnm_data *data = (cnm_data *)&error;
    check_refusal(cnm_data_copy_double(&data, NULL, 1, 2, 2, NULL, &error), CNM_BAD_ARGUMENT, &error, "values");
    assert_null(data);
    check_refusal(cnm_data_copy_double(&data, DOUBLES, 1, 2, 1, NULL, &error), CNM_BAD_ARGUMENT, &error, "stride");
    check_refusal(cnm_data_copy_double(&data, DOUBLES, SIZE_MAX / 4, 4, 4, NULL, &error), CNM_BAD_ARGUMENT, &error,
                  "memory");
    assert_null(data);
}

static void no_rows_are_fine_to_look_at(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_data *dense, *copied, *sparse;
    const size_t starts[1] = {0};
    check_ok(cnm_data_view_dense(&dense, NULL, 0, 3, 3, &error), &error);
    check_ok(cnm_data_copy_double(&copied, NULL, 0, 3, 3, NULL, &error), &error);
    check_ok(cnm_data_view_csr(&sparse, NULL, NULL, starts, 0, 3, &error), &error);
    cnm_data *const all[] = {dense, copied, sparse};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        assert_int_equal(cnm_data_rows(all[i]), 0);
        assert_int_equal(cnm_data_cells(all[i]), 0);
        cnm_data_destroy(all[i]);
    }
}

static void a_sparse_view_shows_the_callers_rows(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static const float VALUES[] = {9, 1, 2, 3};
    static const uint32_t INDEX[] = {9, 0, 4, 2};
    static const size_t STARTS[] = {1, 3, 3, 4}; /* need not begin at 0 */
    float row[5];
    cnm_data *data;
    check_ok(cnm_data_view_csr(&data, VALUES, INDEX, STARTS, 3, 5, &error), &error);
    assert_true(cnm_data_is_sparse(data));
    assert_int_equal(cnm_data_rows(data), 3);
    assert_int_equal(cnm_data_cells(data), 3);
    check_ok(cnm_data_row(data, 0, row, &error), &error);
    assert_memory_equal(row, ((float[]){1, 0, 0, 0, 2}), sizeof row);
    check_ok(cnm_data_row(data, 1, row, &error), &error);
    assert_memory_equal(row, ((float[]){0, 0, 0, 0, 0}), sizeof row);
    check_ok(cnm_data_row(data, 2, row, &error), &error);
    assert_memory_equal(row, ((float[]){0, 0, 3, 0, 0}), sizeof row);
    cnm_data_destroy(data);
}

/* The arrays have exactly the cells they need, so that a sanitizer sees a look behind them. */
static void impossible_sparse_rows_are_refused(void **unused) {
    (void)unused;
    static const struct {
        size_t starts[4], columns;
        uint32_t index[3];
        const char *words;
    } CASES[] = {
        {{0, 1, 2, 3}, 5, {0, 5, 1}, "row 2: column indices must ascend and be below 5, found 5"},
        {{0, 2, 2, 3}, 5, {3, 3, 1}, "row 1: column indices must ascend and be below 5, found 3"},
        {{0, 0, 3, 3}, 5, {0, 4, 2}, "row 2: column indices must ascend and be below 5, found 2"},
        {{0, 2, 1, 3}, 5, {0, 1, 2}, "row 2: starts go down from 2 to 1"},
        {{0, 1000000, 2, 3}, 5, {0, 1, 2}, "row 2: starts go down from 1000000 to 2"},
        {{0, SIZE_MAX, 3, 3}, 5, {0, 1, 2}, "starts go down"},
        {{0, 1, 2, 3}, 0, {0, 0, 0}, "0 columns"},
        {{0, 1, 2, 3}, (size_t)UINT32_MAX + 1, {0, 0, 0}, "4294967296 columns"},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        cnm_error error = {0};
        cnm_data *data = (cnm_data *)&error;
        float *values = malloc(3 * sizeof *values);
        uint32_t *index = malloc(sizeof CASES[i].index);
        assert_true(values != NULL && index != NULL);
        memcpy(index, CASES[i].index, sizeof CASES[i].index);
        values[0] = values[1] = values[2] = 1.0F;
        check_refusal(cnm_data_view_csr(&data, values, index, CASES[i].starts, 3, CASES[i].columns, &error),
                      CNM_BAD_ARGUMENT, &error, CASES[i].words);
        assert_null(data);
        free(values);
        free(index);
    }
    cnm_error error = {0};
    cnm_data *data;
    const size_t good[] = {0, 1}, hollow[] = {0, 5, 0};
    const uint32_t zero = 0;
    const float one = 1.0F;
    check_refusal(cnm_data_view_csr(&data, &one, &zero, NULL, 1, 2, &error), CNM_BAD_ARGUMENT, &error, "starts");
    check_refusal(cnm_data_view_csr(&data, NULL, &zero, good, 1, 2, &error), CNM_BAD_ARGUMENT, &error, "values");
    check_refusal(cnm_data_view_csr(&data, &one, NULL, good, 1, 2, &error), CNM_BAD_ARGUMENT, &error, "index");
    check_refusal(cnm_data_view_csr(&data, NULL, NULL, hollow, 2, 2, &error), CNM_BAD_ARGUMENT, &error,
                  "starts go down");
    assert_null(data);
}

/* ---- Doubles ---- */

/* Seconds since 1970 that differ by less than float32 can tell at that size: the label is in those
 * digits. */
static void copied_doubles_keep_their_digits(void **unused) {
    (void)unused;
    cnm_error error = {0};
    double values[ROWS * 4]; /* a stride of 4 for 2 columns */
    const char *labels[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        const double step = floor(16.0 * (double)number(i));
        values[4 * i] = 1.7e9 + step;
        values[4 * i + 1] = (double)number(1000 + i);
        values[4 * i + 2] = values[4 * i + 3] = NAN; /* not part of the rows */
        labels[i] = step >= 0.0 ? "late" : "early";
    }
    cnm_data *data;
    check_ok(cnm_data_copy_double(&data, values, ROWS, 2, 4, NULL, &error), &error);
    check_ok(cnm_data_set_labels(data, labels, &error), &error);
    float row[2];
    check_ok(cnm_data_row(data, 5, row, &error), &error);
    assert_true(row[0] == (float)values[20] && row[1] == (float)values[21]);
    static const char *const LINEAR[] = {"method", "linear", "scale", "standard", NULL};
    cnm_model *model = train_with(data, LINEAR);
    int32_t classes[ROWS];
    size_t right = 0;
    check_ok(cnm_predict_classes(model, data, 1, classes, &error), &error);
    for (size_t i = 0; i < ROWS; i++) {
        right += strcmp(cnm_model_label(model, (size_t)classes[i]), labels[i]) == 0;
    }
    assert_true(right > ROWS * 95 / 100);
    cnm_model_destroy(model);
    cnm_data_destroy(data);
}

/* Copied doubles and a view of the same floats give the same scores to rounding. */
static void copied_doubles_mean_what_floats_mean(void **unused) {
    (void)unused;
    static sample made;
    static double doubles[ROWS * COLUMNS];
    cnm_error error = {0};
    sample_make(&made);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        doubles[i] = (double)made.values[i];
    }
    cnm_data *view = labelled_view(&made), *copy;
    check_ok(cnm_data_copy_double(&copy, doubles, ROWS, COLUMNS, COLUMNS, NULL, &error), &error);
    cnm_model *model = train_with(view, NULL);
    float a[ROWS], b[ROWS];
    check_ok(cnm_predict_scores(model, view, 1, a, &error), &error);
    check_ok(cnm_predict_scores(model, copy, 2, b, &error), &error);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(fabsf(a[i] - b[i]) <= 1e-4F * (1.0F + fabsf(a[i])));
    }
    cnm_model_destroy(model);
    cnm_data_destroy(view);
    cnm_data_destroy(copy);
}

/* ---- Labels, targets, weights, names ---- */

static void labels_come_and_go(void **unused) {
    (void)unused;
    static const float VALUES[3] = {0};
    static const char *const WORDS[] = {"longer than it looks", "b", "b"}, *const HOLE[] = {"a", NULL, "c"};
    static const double TARGETS[] = {0.1, -3, 1e-7}, INFINITE[] = {0, 1, INFINITY};
    cnm_error error = {0};
    cnm_data *data;
    char text[64];
    check_ok(cnm_data_view_dense(&data, VALUES, 3, 1, 1, &error), &error);
    memset(text, 'x', sizeof text);
    assert_int_equal(cnm_data_label(data, 0, text, sizeof text), 0);
    assert_string_equal(text, "");
    check_ok(cnm_data_set_labels(data, WORDS, &error), &error);
    assert_true(cnm_data_is_labelled(data));
    assert_int_equal(cnm_data_label(data, 0, text, sizeof text), strlen(WORDS[0]));
    assert_string_equal(text, WORDS[0]);
    assert_int_equal(cnm_data_label(data, 0, text, 7), strlen(WORDS[0])); /* cut, but its length told */
    assert_string_equal(text, "longer");
    assert_int_equal(cnm_data_label(data, 0, NULL, 0), strlen(WORDS[0]));
    assert_int_equal(cnm_data_label(data, 3, text, sizeof text), 0);
    check_ok(cnm_data_set_targets(data, TARGETS, &error), &error);
    static const char *const SHORTEST[] = {"0.1", "-3", "1e-07"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(cnm_data_label(data, i, text, sizeof text), strlen(SHORTEST[i]));
        assert_string_equal(text, SHORTEST[i]);
    }
    check_refusal(cnm_data_set_labels(data, HOLE, &error), CNM_BAD_ARGUMENT, &error, "row 2: its label is NULL");
    check_refusal(cnm_data_set_targets(data, INFINITE, &error), CNM_BAD_DATA, &error, "not finite");
    cnm_data_label(data, 0, text, sizeof text); /* a failure leaves the old ones */
    assert_string_equal(text, "0.1");
    check_ok(cnm_data_set_labels(data, NULL, &error), &error);
    assert_false(cnm_data_is_labelled(data));
    check_ok(cnm_data_set_targets(data, NULL, &error), &error);
    check_refusal(cnm_data_set_labels(NULL, WORDS, &error), CNM_BAD_ARGUMENT, &error, "data must not be NULL");
    check_refusal(cnm_data_set_targets(NULL, TARGETS, &error), CNM_BAD_ARGUMENT, &error, "data must not be NULL");
    cnm_data_destroy(data);
}

static void weights_and_names_are_checked(void **unused) {
    (void)unused;
    static const float VALUES[4] = {0};
    static const double WEIGHTS[][2] = {{1, 0}, {1, -1}, {NAN, 1}, {1, INFINITY}, {1, 1e300}};
    static const char *const NAMES[] = {"a", "b"}, *const HOLE[] = {"a", NULL};
    cnm_error error = {0};
    cnm_data *data;
    check_ok(cnm_data_view_dense(&data, VALUES, 2, 2, 2, &error), &error);
    check_ok(cnm_data_set_weights(data, WEIGHTS[0], &error), &error);
    for (size_t i = 1; i < COUNT_OF(WEIGHTS); i++) {
        check_refusal(cnm_data_set_weights(data, WEIGHTS[i], &error), CNM_BAD_ARGUMENT, &error,
                      i == 2 ? "row 1: its weight is not a finite number from 0" : "row 2: its weight");
    }
    check_ok(cnm_data_set_weights(data, NULL, &error), &error);
    check_ok(cnm_data_set_names(data, NAMES, &error), &error);
    check_refusal(cnm_data_set_names(data, HOLE, &error), CNM_BAD_ARGUMENT, &error, "a column's name must not be NULL");
    check_ok(cnm_data_set_names(data, NAMES, &error), &error);
    check_ok(cnm_data_set_names(data, NULL, &error), &error);
    check_refusal(cnm_data_set_weights(NULL, WEIGHTS[0], &error), CNM_BAD_ARGUMENT, &error, "data must not be NULL");
    check_refusal(cnm_data_set_names(NULL, NAMES, &error), CNM_BAD_ARGUMENT, &error, "data must not be NULL");
    cnm_data_destroy(data);
}

/* Wrong labels of weight 0 do no harm. */
static void weights_reach_the_training(void **unused) {
    (void)unused;
    static sample made;
    static double weights[ROWS];
    static const char *labels[ROWS];
    cnm_error error = {0};
    sample_make(&made);
    for (size_t i = 0; i < ROWS; i++) {
        weights[i] = i % 3 == 0 ? 0.0 : 2.0;
        labels[i] = i % 3 == 0 ? "up" : made.words[i];
    }
    cnm_data *data = sample_view(&made);
    check_ok(cnm_data_set_labels(data, labels, &error), &error);
    check_ok(cnm_data_set_weights(data, weights, &error), &error);
    static const char *const LINEAR[] = {"method", "linear", NULL};
    cnm_model *model = train_with(data, LINEAR);
    int32_t classes[ROWS];
    size_t right = 0;
    check_ok(cnm_predict_classes(model, data, 1, classes, &error), &error);
    for (size_t i = 0; i < ROWS; i++) {
        right += strcmp(cnm_model_label(model, (size_t)classes[i]), made.words[i]) == 0;
    }
    assert_true(right > ROWS * 95 / 100);
    cnm_model_destroy(model);
    cnm_data_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dense_view_shows_the_callers_rows),  cmocka_unit_test(impossible_dense_shapes_are_refused),
        cmocka_unit_test(no_rows_are_fine_to_look_at),          cmocka_unit_test(a_sparse_view_shows_the_callers_rows),
        cmocka_unit_test(impossible_sparse_rows_are_refused),   cmocka_unit_test(copied_doubles_keep_their_digits),
        cmocka_unit_test(copied_doubles_mean_what_floats_mean), cmocka_unit_test(labels_come_and_go),
        cmocka_unit_test(weights_and_names_are_checked),        cmocka_unit_test(weights_reach_the_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
