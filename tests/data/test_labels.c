/* Labels, classes, and choosing rows. */
#include "data_support.h"

#include "data/table/classes.h"

static void add_all(label_column *labels, const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(labels_add_text(labels, texts[i], strlen(texts[i]), NULL), CNM_OK);
    }
}

static void assert_label(const label_column *labels, size_t row, const char *expected) {
    char text[64];
    assert_int_equal(labels_text(labels, row, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
}

static void spellings_of_a_number_are_one_label(void **state) {
    static const char *const TEXTS[] = {"-1", "-1.0", "+1", "1e0", "0", "-0", "0.10"};
    (void)state;
    label_column labels = {0};
    class_set classes;
    add_all(&labels, TEXTS, 7);
    assert_null(labels.words.texts);
    assert_int_equal(classes_create(&classes, &labels, NULL), CNM_OK);
    assert_int_equal(classes.count, 4);
    static const char *const EXPECTED[] = {"-1", "0", "0.1", "1"};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(classes.labels[i], EXPECTED[i]);
    }
    assert_true(classes.numeric);
    classes_free(&classes);
    labels_free(&labels);
}

static void a_word_makes_all_labels_words(void **state) {
    static const char *const TEXTS[] = {"1.0", "2", "b", "1", "a", "2.0"};
    (void)state;
    label_column labels = {0}, more = {0};
    class_set classes;
    int32_t codes[8];
    size_t unknown;
    add_all(&labels, TEXTS, 6);
    assert_int_equal(labels.words.count, 4);
    assert_label(&labels, 0, "1");
    assert_label(&labels, 5, "2");
    char cut[2];
    assert_int_equal(labels_text(&labels, 2, cut, 1), 1);
    assert_string_equal(cut, "");
    assert_int_equal(classes_create(&classes, &labels, NULL), CNM_OK);
    static const int32_t EXPECTED[] = {0, 1, 3, 0, 2, 1};
    assert_int_equal(classes_encode(&classes, &labels, codes, &unknown, NULL), CNM_OK);
    assert_memory_equal(codes, EXPECTED, sizeof EXPECTED);
    assert_int_equal(unknown, 0);
    static const char *const OTHERS[] = {"2", "1.00", "7"}; /* numbers against a set of words */
    add_all(&more, OTHERS, 3);
    assert_int_equal(classes_encode(&classes, &more, codes, &unknown, NULL), CNM_OK);
    assert_true(codes[0] == 1 && codes[1] == 0 && codes[2] == -1 && unknown == 1);
    classes_free(&classes);
    labels_free(&labels);
    labels_free(&more);
}

static void unseen_labels_are_counted(void **state) {
    static const char *const TEXTS[] = {"3", "5", "3"}, *const OTHERS[] = {"x", "5.0", "4"};
    (void)state;
    label_column labels = {0}, others = {0};
    class_set classes, copy;
    int32_t codes[3];
    size_t unknown;
    add_all(&labels, TEXTS, 3);
    add_all(&others, OTHERS, 3);
    assert_int_equal(classes_create(&classes, &labels, NULL), CNM_OK);
    assert_int_equal(classes_copy(&copy, &classes, NULL), CNM_OK);
    classes_free(&classes);
    assert_int_equal(classes_encode(&copy, &others, codes, &unknown, NULL), CNM_OK);
    assert_true(codes[0] == -1 && codes[1] == 1 && codes[2] == -1 && unknown == 2);
    classes_free(&copy);
    labels_free(&labels);
    labels_free(&others);
}

/* Many words: the dictionary grows, appending translates codes. */
static void dictionaries_grow_and_join(void **state) {
    (void)state;
    label_column labels = {0}, more = {0};
    char text[32];
    for (int i = 0; i < 3000; i++) {
        (void)snprintf(text, sizeof text, "w%d", i * 7 % 1000);
        assert_int_equal(labels_add_text(&labels, text, strlen(text), NULL), CNM_OK);
        (void)snprintf(text, sizeof text, "w%d", i % 1500);
        assert_int_equal(labels_add_text(&more, text, strlen(text), NULL), CNM_OK);
    }
    assert_int_equal(labels.words.count, 1000);
    assert_int_equal(labels_append(&labels, &more, NULL), CNM_OK);
    assert_int_equal(labels.words.count, 1500);
    for (int i = 0; i < 3000; i++) {
        (void)snprintf(text, sizeof text, "w%d", i * 7 % 1000);
        assert_label(&labels, (size_t)i, text);
        (void)snprintf(text, sizeof text, "w%d", i % 1500);
        assert_label(&labels, (size_t)3000 + (size_t)i, text);
    }
    labels_free(&labels);
    labels_free(&more);
}

static void numbers_and_words_join_either_way(void **state) {
    (void)state;
    for (int first_words = 0; first_words < 2; first_words++) {
        static const char *const TEXTS[2][2] = {{"1.50", "2"}, {"x", "1.5"}};
        label_column labels = {0}, more = {0};
        add_all(&labels, TEXTS[first_words], 2);
        add_all(&more, TEXTS[1 - first_words], 2);
        assert_int_equal(labels_append(&labels, &more, NULL), CNM_OK);
        assert_int_equal(labels.words.count, 3);
        assert_label(&labels, first_words ? 1 : 0, "1.5");
        assert_label(&labels, first_words ? 2 : 3, "1.5");
        labels_free(&labels);
        labels_free(&more);
    }
}

static void tasks_are_guessed(void **state) {
    (void)state;
    static const struct {
        int distinct, rows;
        double step;
        task_kind expected;
    } CASES[] = {{2, 8, 0.5, TASK_CLASSIFY},   {3, 30, 1, TASK_CLASSIFY},    {3, 30, 0.5, TASK_REGRESS},
                 {100, 400, 1, TASK_CLASSIFY}, {101, 1000, 1, TASK_REGRESS}, {10, 30, 1, TASK_REGRESS},
                 {1000, 1000, 1, TASK_REGRESS}};
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        label_column labels = {0};
        for (int i = 0; i < CASES[c].rows; i++) {
            assert_int_equal(labels_add_number(&labels, CASES[c].step * (i * 7919 % CASES[c].distinct), NULL), CNM_OK);
        }
        bool unsure;
        assert_int_equal(task_guess(&labels, &unsure), CASES[c].expected);
        assert_false(unsure);
        labels_free(&labels);
    }
    label_column none = {0};
    bool unsure;
    assert_int_equal(task_guess(&none, &unsure), TASK_MAP);
    assert_false(unsure);
}

/* `distinct` whole numbers with `each` rows, and one more with `rare`. */
static void whole_numbers_with_a_tail_are_scores(void **state) {
    (void)state;
    static const struct {
        int distinct, each, rare;
        double step;
        task_kind expected;
        bool unsure;
    } CASES[] = {{20, 100, 1, 1, TASK_REGRESS, true},    {19, 100, 1, 1, TASK_CLASSIFY, false},
                 {20, 100, 2, 1, TASK_CLASSIFY, true},   {20, 100, 10, 1, TASK_CLASSIFY, false},
                 {20, 100, 9, 1, TASK_CLASSIFY, true},   {60, 7, 1, 1, TASK_REGRESS, true},
                 {60, 6, 1, 1, TASK_CLASSIFY, false},    {98, 50, 1, 1, TASK_REGRESS, true},
                 {20, 100, 1, 0.5, TASK_REGRESS, false}, {100, 50, 1, 1, TASK_REGRESS, false}};
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        label_column labels = {0};
        bool unsure;
        for (int i = 0; i < CASES[c].distinct * CASES[c].each; i++) {
            assert_int_equal(labels_add_number(&labels, CASES[c].step * (i % CASES[c].distinct), NULL), CNM_OK);
        }
        for (int i = 0; i < CASES[c].rare; i++) {
            assert_int_equal(labels_add_number(&labels, -1.0, NULL), CNM_OK);
        }
        if (task_guess(&labels, &unsure) != CASES[c].expected || unsure != CASES[c].unsure) {
            fail_msg("case %zu: task %d, unsure %d", c, (int)task_guess(&labels, &unsure), unsure);
        }
        labels_free(&labels);
    }
}

static void some_labels_against_the_rest(void **state) {
    (void)state;
    table *rows = read_text("1,2,a\n3,4,b\n5,6,7.0\n", NULL);
    table *numbers = read_text("1 1:2\n2 1:3\n3.0 1:4\n", NULL);
    cnm_error err = {0};
    assert_int_equal(table_set_positive(rows, "b,x", &err), CNM_BAD_DATA);
    assert_string_equal(err.message, "positive: no row has the label 'x'");
    assert_string_equal(label_at(rows, 0), "a");
    assert_int_equal(table_set_positive(rows, " b , 7", &err), CNM_OK);
    assert_string_equal(label_at(rows, 0), "-1");
    assert_string_equal(label_at(rows, 1), "1");
    assert_string_equal(label_at(rows, 2), "1");
    assert_int_equal(table_mark_positive(numbers, "3,9", &err), CNM_OK);
    assert_string_equal(label_at(numbers, 0), "-1");
    assert_string_equal(label_at(numbers, 2), "1");
    table_destroy(rows);
    table_destroy(numbers);
}

static void rows_are_kept_in_the_order_given(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"1 1:1\n2 2:2\nx 3:3\n4 1:4 20:5\n", "1,10,a\n2,20,b\n3,30,c\n4,40,d\n"};
    static const size_t ORDER[] = {3, 1, 1};
    for (size_t k = 0; k < 2; k++) {
        table *rows = read_text(TEXTS[k], NULL), *kept = read_text(TEXTS[k], NULL);
        assert_int_equal(table_keep(kept, ORDER, 3, NULL), CNM_OK);
        assert_int_equal(kept->rows, 3);
        for (size_t i = 0; i < 3; i++) {
            char expected[256];
            (void)snprintf(expected, sizeof expected, "%s", label_at(rows, ORDER[i]));
            assert_string_equal(label_at(kept, i), expected);
            for (size_t j = 0; j < rows->columns; j++) {
                assert_true(cell_at(kept, i, j) == cell_at(rows, ORDER[i], j));
            }
        }
        assert_int_equal(table_append(kept, rows, NULL), CNM_OK);
        assert_int_equal(kept->rows, 7);
        table_destroy(rows);
        table_destroy(kept);
    }
}

/* Borrowed rows with a stride stay the caller's. */
static void borrowed_rows_are_copied_before_a_change(void **state) {
    (void)state;
    float values[] = {1, NAN, 99, 3, 4, 99};
    static const size_t ORDER[] = {1, 0};
    table *rows;
    assert_int_equal(table_create(&rows, NULL), CNM_OK);
    rows->rows = rows->columns = 2;
    rows->values = values;
    rows->stride = 3;
    rows->borrowed = true;
    assert_true(cell_at(rows, 1, 1) == 4);
    assert_int_equal(table_fill_missing(rows, NULL, NULL, NULL), CNM_OK);
    assert_true(isnan(values[1]) && !rows->borrowed && cell_at(rows, 0, 1) == 4 && cell_at(rows, 1, 0) == 3);
    assert_int_equal(table_keep(rows, ORDER, 2, NULL), CNM_OK);
    assert_true(cell_at(rows, 0, 0) == 3);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_of_a_number_are_one_label),
        cmocka_unit_test(a_word_makes_all_labels_words),
        cmocka_unit_test(unseen_labels_are_counted),
        cmocka_unit_test(dictionaries_grow_and_join),
        cmocka_unit_test(numbers_and_words_join_either_way),
        cmocka_unit_test(tasks_are_guessed),
        cmocka_unit_test(whole_numbers_with_a_tail_are_scores),
        cmocka_unit_test(some_labels_against_the_rest),
        cmocka_unit_test(rows_are_kept_in_the_order_given),
        cmocka_unit_test(borrowed_rows_are_copied_before_a_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
