/* Rows chosen from others: copies by position, folds for a cross-validation, checksums. */
#include "api/api_support.h"

static const char *label_of(const cnm_data *data, size_t row) {
    static char text[64];
    cnm_data_label(data, row, text, sizeof text);
    return text;
}

/* ---- By position ---- */

static void rows_come_in_the_order_asked_for(void **unused) {
    (void)unused;
    cnm_error error = {0};
    float values[] = {1, 2, -1, 3, 4, -1, 5, 6, -1}, row[2]; /* a stride of 3 */
    static const char *const LABELS[] = {"a", "b", "c"}, *const NAMES[] = {"x", "y"};
    static const size_t POSITIONS[] = {2, 0, 2, 1};
    cnm_data *data, *chosen;
    check_ok(cnm_data_view_dense(&data, values, 3, 2, 3, &error), &error);
    check_ok(cnm_data_set_labels(data, LABELS, &error), &error);
    check_ok(cnm_data_set_names(data, NAMES, &error), &error);
    check_ok(cnm_data_select(&chosen, data, POSITIONS, COUNT_OF(POSITIONS), &error), &error);
    values[0] = 99; /* a copy does not see it */
    assert_int_equal(cnm_data_rows(chosen), COUNT_OF(POSITIONS));
    assert_int_equal(cnm_data_columns(chosen), 2);
    for (size_t i = 0; i < COUNT_OF(POSITIONS); i++) {
        const float first = (float)(1 + 2 * POSITIONS[i]);
        check_ok(cnm_data_row(chosen, i, row, &error), &error);
        assert_memory_equal(row, ((float[]){first, first + 1}), sizeof row);
        assert_string_equal(label_of(chosen, i), LABELS[POSITIONS[i]]);
    }
    cnm_data_destroy(data);
    cnm_data_destroy(chosen);
}

static void sparse_rows_stay_sparse(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static const float VALUES[] = {9, 1, 2, 3};
    static const uint32_t INDEX[] = {9, 0, 4, 2};
    static const size_t STARTS[] = {1, 3, 3, 4}, POSITIONS[] = {2, 1, 0};
    float row[5];
    cnm_data *data, *chosen;
    check_ok(cnm_data_view_csr(&data, VALUES, INDEX, STARTS, 3, 5, &error), &error);
    check_ok(cnm_data_select(&chosen, data, POSITIONS, 3, &error), &error);
    assert_true(cnm_data_is_sparse(chosen));
    assert_false(cnm_data_is_labelled(chosen));
    assert_int_equal(cnm_data_columns(chosen), 5);
    check_ok(cnm_data_row(chosen, 0, row, &error), &error);
    assert_memory_equal(row, ((float[]){0, 0, 3, 0, 0}), sizeof row);
    check_ok(cnm_data_row(chosen, 1, row, &error), &error);
    assert_memory_equal(row, ((float[]){0, 0, 0, 0, 0}), sizeof row);
    check_ok(cnm_data_row(chosen, 2, row, &error), &error);
    assert_memory_equal(row, ((float[]){1, 0, 0, 0, 2}), sizeof row);
    cnm_data_destroy(data);
    cnm_data_destroy(chosen);
}

/* A model of chosen rows is that of the same rows seen by themselves: base, weights, names and
 * all. */
static void chosen_rows_train_as_their_own(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static sample made;
    static double doubles[ROWS * COLUMNS], weights[ROWS];
    static size_t all[ROWS];
    static const char *const NAMES[] = {"x", "y", "z"};
    const char *const quick[] = {"features", "4", "effort", "quick", NULL};
    sample_make(&made);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        doubles[i] = (double)made.values[i] + (i % COLUMNS == 2 ? 1.7e9 : 0.0);
    }
    for (size_t i = 0; i < ROWS; i++) {
        weights[i] = 1.0 + (double)(i % 3);
        all[i] = i;
    }
    cnm_data *data, *chosen;
    check_ok(cnm_data_copy_double(&data, doubles, ROWS, COLUMNS, COLUMNS, NULL, &error), &error);
    check_ok(cnm_data_set_labels(data, made.words, &error), &error);
    check_ok(cnm_data_set_weights(data, weights, &error), &error);
    check_ok(cnm_data_set_names(data, NAMES, &error), &error);
    check_ok(cnm_data_select(&chosen, data, all, ROWS, &error), &error);
    assert_true(cnm_data_checksum(data) == cnm_data_checksum(chosen));
    cnm_model *first = train_with(data, quick), *second = train_with(chosen, quick);
    float one[ROWS], other[ROWS];
    check_ok(cnm_predict_scores(first, data, 1, one, &error), &error);
    check_ok(cnm_predict_scores(second, data, 1, other, &error), &error);
    assert_memory_equal(one, other, sizeof one);
    cnm_model_destroy(first);
    cnm_model_destroy(second);
    cnm_data_destroy(data);
    cnm_data_destroy(chosen);
}

static void positions_that_are_not_there_are_refused(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static const float VALUES[] = {1, 2};
    static const size_t POSITIONS[] = {0, 2};
    cnm_data *data, *chosen = (cnm_data *)&error;
    check_ok(cnm_data_view_dense(&data, VALUES, 2, 1, 1, &error), &error);
    check_refusal(cnm_data_select(&chosen, data, POSITIONS, 2, &error), CNM_BAD_ARGUMENT, &error,
                  "position 1: there is no row 2, they are numbered 0 to 1");
    assert_null(chosen);
    check_refusal(cnm_data_select(&chosen, data, NULL, 1, &error), CNM_BAD_ARGUMENT, &error, "rows must not be NULL");
    check_refusal(cnm_data_select(&chosen, NULL, POSITIONS, 1, &error), CNM_BAD_ARGUMENT, &error, "data must not be");
    check_refusal(cnm_data_select(NULL, data, POSITIONS, 1, &error), CNM_BAD_ARGUMENT, &error, "out must not be NULL");
    check_ok(cnm_data_select(&chosen, data, NULL, 0, &error), &error);
    assert_int_equal(cnm_data_rows(chosen), 0);
    assert_int_equal(cnm_data_columns(chosen), 1);
    cnm_data_destroy(chosen);
    cnm_data_destroy(data);
}

/* ---- Parts ---- */

enum { MANY = 97, FOLDS = 5 };

static cnm_data *numbered(const double *targets) {
    static const float VALUES[MANY] = {0};
    cnm_error error = {0};
    cnm_data *data;
    check_ok(cnm_data_view_dense(&data, VALUES, MANY, 1, 1, &error), &error);
    check_ok(cnm_data_set_targets(data, targets, &error), &error);
    return data;
}

/* In the order of rows the folds of a class never go down, and their sizes differ by one at
 * most. */
static void each_class_is_cut_into_contiguous_pieces(void **unused) {
    (void)unused;
    cnm_error error = {0};
    double targets[MANY];
    size_t fold[MANY], classes;
    for (size_t i = 0; i < MANY; i++) {
        targets[i] = (double)(i * i % 7 % 3);
    }
    cnm_data *data = numbered(targets);
    check_ok(cnm_data_folds(data, NULL, FOLDS, fold, &classes, &error), &error);
    assert_int_equal(classes, 3);
    for (size_t class = 0; class < classes; class ++) {
        size_t sizes[FOLDS] = {0}, last = 0, least = MANY, most = 0;
        for (size_t i = 0; i < MANY; i++) {
            if ((size_t)targets[i] == class) {
                assert_in_range(fold[i], last, FOLDS - 1);
                last = fold[i];
                sizes[last]++;
            }
        }
        for (size_t j = 0; j < FOLDS; j++) {
            least = sizes[j] < least ? sizes[j] : least;
            most = sizes[j] > most ? sizes[j] : most;
        }
        assert_in_range(most - least, 0, 1);
    }
    cnm_options *options = options_of((const char *const[]){"task", "regress", NULL});
    check_ok(cnm_data_folds(data, options, FOLDS, fold, &classes, &error), &error);
    assert_int_equal(classes, 0);
    for (size_t i = 1; i < MANY; i++) {
        assert_in_range(fold[i], fold[i - 1], fold[i - 1] + 1);
    }
    assert_int_equal(fold[MANY - 1], FOLDS - 1);
    cnm_options_destroy(options);
    cnm_data_destroy(data);
}

static void folds_that_cannot_be_made_are_refused(void **unused) {
    (void)unused;
    cnm_error error = {0};
    double targets[MANY] = {0};
    size_t fold[MANY], classes;
    cnm_data *data = numbered(targets);
    check_refusal(cnm_data_folds(data, NULL, 2, fold, &classes, &error), CNM_BAD_DATA, &error,
                  "all 97 rows have the same label \"0\"");
    targets[0] = 1;
    check_ok(cnm_data_set_targets(data, targets, &error), &error);
    check_refusal(cnm_data_folds(data, NULL, 97, fold, &classes, &error), CNM_BAD_DATA, &error,
                  "96 rows in the largest class are too few for 97 folds");
    check_refusal(cnm_data_folds(data, NULL, 0, fold, &classes, &error), CNM_BAD_ARGUMENT, &error, "0 folds");
    check_refusal(cnm_data_folds(data, NULL, 2, NULL, &classes, &error), CNM_BAD_ARGUMENT, &error, "fold must not");
    check_ok(cnm_data_set_targets(data, NULL, &error), &error);
    check_refusal(cnm_data_folds(data, NULL, 2, fold, &classes, &error), CNM_BAD_DATA, &error, "needs labels");
    cnm_data_destroy(data);
}

/* Groups of one row up to 17, each of one class: none is cut, and no fold has more than its share
 * by the rows of a large group. */
static void groups_stay_whole_in_folds(void **unused) {
    (void)unused;
    cnm_error error = {0};
    double targets[MANY];
    uint64_t groups[MANY], of_fold[FOLDS] = {0};
    size_t fold[MANY], classes, largest = 17;
    for (size_t i = 0; i < MANY; i++) {
        groups[i] = UINT64_C(1) << (uint64_t)sqrt((double)(i * 31 % MANY)); /* 1, 3, 5 ... 17 rows */
        targets[i] = (double)(groups[i] % 3);
    }
    cnm_data *data = numbered(targets);
    check_ok(cnm_data_set_groups(data, groups, &error), &error);
    for (int regress = 0; regress < 2; regress++) {
        cnm_options *options = options_of((const char *const[]){"task", regress ? "regress" : "classify", NULL});
        check_ok(cnm_data_folds(data, options, FOLDS, fold, &classes, &error), &error);
        memset(of_fold, 0, sizeof of_fold);
        for (size_t i = 0; i < MANY; i++) {
            assert_in_range(fold[i], 0, FOLDS - 1);
            of_fold[fold[i]]++;
            for (size_t j = 0; j < i; j++) {
                assert_true(groups[i] != groups[j] || fold[i] == fold[j]);
            }
        }
        for (size_t p = 0; p < FOLDS && regress; p++) {
            assert_in_range(of_fold[p], MANY / FOLDS - largest, MANY / FOLDS + largest);
        }
        cnm_options_destroy(options);
    }
    check_refusal(cnm_data_folds(data, NULL, 50, fold, &classes, &error), CNM_BAD_DATA, &error,
                  "10 groups of rows are too few for 50 folds");
    const uint64_t with = cnm_data_checksum(data);
    check_ok(cnm_data_set_groups(data, NULL, &error), &error);
    assert_true(with != cnm_data_checksum(data));
    check_refusal(cnm_data_set_groups(NULL, groups, &error), CNM_BAD_ARGUMENT, &error, "data must not be NULL");
    cnm_data_destroy(data);
}

/* ---- Checksum ---- */

static void any_change_is_seen_by_the_checksum(void **unused) {
    (void)unused;
    cnm_error error = {0};
    double targets[MANY] = {0};
    cnm_data *data = numbered(targets);
    const uint64_t before = cnm_data_checksum(data);
    targets[MANY - 1] = 1;
    check_ok(cnm_data_set_targets(data, targets, &error), &error);
    const uint64_t labels = cnm_data_checksum(data);
    check_ok(cnm_data_set_weights(data, targets, &error), &error);
    const uint64_t weights = cnm_data_checksum(data);
    assert_true(before != labels && labels != weights && before != weights);
    cnm_data_destroy(data);

    static const uint32_t INDEX[] = {0, 1}, OTHER[] = {0, 2};
    static const float VALUES[] = {1, 2, 3, 4};
    static const size_t STARTS[] = {0, 1, 2}, MOVED[] = {0, 2, 2};
    static const struct {
        const uint32_t *index;
        const size_t *starts;
    } CASES[] = {{INDEX, STARTS}, {OTHER, STARTS}, {INDEX, MOVED}};
    uint64_t sums[COUNT_OF(CASES)];
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        check_ok(cnm_data_view_csr(&data, VALUES, CASES[i].index, CASES[i].starts, 2, 3, &error), &error);
        sums[i] = cnm_data_checksum(data);
        cnm_data_destroy(data);
    }
    assert_true(sums[0] != sums[1] && sums[0] != sums[2] && sums[1] != sums[2]);

    cnm_data *strided, *plain;
    check_ok(cnm_data_view_dense(&strided, VALUES, 2, 1, 2, &error), &error);
    check_ok(cnm_data_view_dense(&plain, (const float[]){1, 3}, 2, 1, 1, &error), &error);
    assert_true(cnm_data_checksum(strided) == cnm_data_checksum(plain)); /* what lies between rows does not count */
    cnm_data_destroy(strided);
    cnm_data_destroy(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_in_the_order_asked_for),
        cmocka_unit_test(sparse_rows_stay_sparse),
        cmocka_unit_test(chosen_rows_train_as_their_own),
        cmocka_unit_test(positions_that_are_not_there_are_refused),
        cmocka_unit_test(each_class_is_cut_into_contiguous_pieces),
        cmocka_unit_test(folds_that_cannot_be_made_are_refused),
        cmocka_unit_test(groups_stay_whole_in_folds),
        cmocka_unit_test(any_change_is_seen_by_the_checksum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
