/* Encoders: which features columns become, and what rows become by them. */
#include "encoder_support.h"

/* ---- Which features ---- */

/* Rows with two cities, a number and the given words in the last column. */
static table *people(size_t rows, const char *(*word)(size_t row)) {
    table *out = empty_table(rows, 3, (const char *const[]){"city", "age", "last"});
    for (size_t i = 0; i < rows; i++) {
        set_word(out, i, 0, i % 3 == 0 ? "Bonn" : "Aachen");
        set_number(out, i, 1, (double)(i * 7 % 11));
        set_word(out, i, 2, word(i));
    }
    return out;
}

static const char *abc(size_t row) { return (const char *const[]){"b", "c", "a"}[row % 3]; }

static void words_become_features_in_order_of_their_bytes(void **state) {
    (void)state;
    sentences heard;
    table *rows = people(12, abc);
    encoder *by = fitted(rows, &heard);
    assert_features(by, "city=Aachen city=Bonn age last=a last=b last=c");
    assert_string_equal(heard.text,
                        "columns: 2 of words become 5 features of 0 and 1: city (2 words), last (3 words)\n");
    table *out = applied(by, rows, NULL);
    for (size_t i = 0; i < 12; i++) {
        const float *cells = out->values + i * 6;
        assert_true(cells[1] == (i % 3 == 0 ? 1.0F : 0.0F) && cells[0] == 1.0F - cells[1]);
        assert_true((size_t)cells[2] == i * 7 % 11);
        for (size_t w = 0; w < 3; w++) {
            assert_true(cells[3 + w] == ("abc"[w] == abc(i)[0] ? 1.0F : 0.0F));
        }
    }
    table_destroy(out);
    table_destroy(rows);
    encoder_destroy(by);
}

static char word_texts[3000][8];

static const char *numbered(size_t row) {
    (void)snprintf(word_texts[row], sizeof *word_texts, "w%04zu", row);
    return word_texts[row];
}

/* Two thirds "a", "b" and "c"; every ninth row has a word of its own. */
static const char *rarely_different(size_t row) { return row % 9 == 0 ? numbered(row) : abc(row); }

static void rare_words_share_a_feature(void **state) {
    (void)state;
    size_t unknown = 0;
    table *rows = people(90, rarely_different);
    encoder *by = fitted(rows, NULL);
    assert_features(by, "city=Aachen city=Bonn age last=a last=b last=c last=other");
    table *out = applied(by, rows, &unknown);
    for (size_t i = 0; i < 90; i++) {
        assert_true(out->values[i * 7 + 6] == (i % 9 == 0 ? 1.0F : 0.0F));
    }
    assert_int_equal(unknown, 0);
    table_destroy(out);
    table_destroy(rows);
    encoder_destroy(by);
}

/* 150 words: number w in about 150 - w of 11,325 rows. */
static size_t word_of_many(size_t row) {
    size_t word = 0;
    for (size_t left = 150; row >= left; left--) {
        row -= left;
        word++;
    }
    return word;
}

static void at_most_a_hundred_words_have_a_feature_the_most_frequent(void **state) {
    (void)state;
    enum { ROWS = 11325 };
    table *rows = empty_table(ROWS, 1, NULL);
    for (size_t i = 0; i < ROWS; i++) {
        set_word(rows, i, 0, numbered(word_of_many(i)));
    }
    encoder *by = fitted(rows, NULL);
    assert_int_equal(by->column[0].type.words.count, 100);
    assert_string_equal(by->names[0], "column_1=w0000");
    assert_string_equal(by->names[99], "column_1=w0099");
    assert_string_equal(by->names[100], "column_1=other");
    encoder_destroy(by);
    /* Of 20,000 rows a word needs 20. */
    table *longer = empty_table(20000, 1, NULL);
    for (size_t i = 0; i < 20000; i++) {
        set_word(longer, i, 0, i < 19 ? "rare" : i < 39 ? "enough" : i % 2 == 0 ? "a" : "b");
    }
    by = fitted(longer, NULL);
    assert_features(by, "column_1=a column_1=b column_1=enough column_1=other");
    encoder_destroy(by);
    table_destroy(rows);
    table_destroy(longer);
}

static void words_that_hardly_repeat_are_left_out(void **state) {
    (void)state;
    sentences heard;
    table *rows = people(40, numbered);
    encoder *by = fitted(rows, &heard);
    assert_features(by, "city=Aachen city=Bonn age");
    assert_non_null(strstr(heard.text, "columns left out: last (all words different)\n"));
    assert_int_equal(by->column[2].type.words.count, 0);
    table_destroy(rows);
    encoder_destroy(by);
}

/* ---- Row ids, constants ---- */

typedef double (*value_of)(size_t row);
static double from_one(size_t row) { return (double)row + 1.0; }
static double from_zero(size_t row) { return (double)row; }
static double backwards(size_t row) { return 500.0 - (double)row; }
static double thirds(size_t row) { return 3.0 * (double)row; }
static double halves(size_t row) { return 0.5 * (double)row; }
static double same(size_t row) { return 7.0 + 0.0 * (double)row; }
static double any(size_t row) { return (double)(row * 7 % 11); }

/* Fits a table of two columns of numbers; returns what becomes of column `at`. */
static column_use use_of(const char *const *names, size_t rows, value_of first, value_of second, size_t at) {
    table *made = empty_table(rows, 2, names);
    for (size_t i = 0; i < rows; i++) {
        set_number(made, i, 0, first(i));
        set_number(made, i, 1, second(i));
    }
    encoder *by = fitted(made, NULL);
    const column_use use = by == NULL ? COLUMN_USED : by->column[at].use;
    table_destroy(made);
    encoder_destroy(by);
    return use;
}

static void columns_that_number_the_rows_are_left_out(void **state) {
    (void)state;
    const struct {
        const char *names[2];
        size_t rows, at;
        value_of value;
        column_use use;
    } cases[] = {{{"n", "y"}, 30, 0, from_one, COLUMN_ROW_ID},
                 {{"n", "y"}, 30, 0, from_zero, COLUMN_ROW_ID},
                 {{"n", "y"}, 19, 0, from_one, COLUMN_USED},
                 {{"n", "y"}, 30, 0, backwards, COLUMN_USED},
                 {{"n", "y"}, 30, 0, thirds, COLUMN_USED},
                 {{"year", "y"}, 30, 0, from_one, COLUMN_USED},
                 {{"y", "n"}, 30, 1, from_one, COLUMN_USED},
                 {{"y", "ID"}, 30, 1, backwards, COLUMN_ROW_ID},
                 {{"y", "user_id"}, 30, 1, thirds, COLUMN_ROW_ID},
                 {{"y", "user_id"}, 12, 1, thirds, COLUMN_USED},
                 {{"y", "PassengerId"}, 9, 1, from_one, COLUMN_ROW_ID},
                 {{"y", "paid"}, 30, 1, thirds, COLUMN_USED},
                 {{"y", "id"}, 30, 1, halves, COLUMN_USED},
                 {{"y", "id"}, 30, 1, any, COLUMN_USED},
                 {{"Unnamed: 0", "y"}, 9, 0, from_zero, COLUMN_ROW_ID}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool first = cases[i].at == 0;
        const column_use use = use_of(cases[i].names, cases[i].rows, first ? cases[i].value : any,
                                      first ? any : cases[i].value, cases[i].at);
        if (use != cases[i].use) {
            fail_msg("case %zu, %s", i, cases[i].names[cases[i].at]);
        }
    }
}

static void rows_without_names_and_types_are_taken_as_they_are(void **state) {
    (void)state;
    assert_int_equal(use_of(NULL, 30, from_one, same, 0), COLUMN_USED);
    assert_int_equal(use_of(NULL, 30, from_one, same, 1), COLUMN_USED);
    assert_int_equal(use_of((const char *const[]){"a", "b"}, 30, any, same, 1), COLUMN_CONSTANT);
}

static void wide_rows_of_numbers_keep_constant_columns(void **state) {
    (void)state;
    for (size_t columns = 63; columns <= 64; columns++) {
        char texts[64][8];
        const char *names[64];
        for (size_t j = 0; j < columns; j++) {
            (void)snprintf(texts[j], sizeof texts[j], "p%zu", j);
            names[j] = texts[j];
        }
        table *rows = empty_table(30, columns, names);
        for (size_t i = 0; i < 30 * columns; i++) {
            rows->values[i] = i % columns == 0 ? 0.0F : (float)(i * 7 % 13);
        }
        encoder *by = fitted(rows, NULL);
        assert_true(columns == 64 ? by == NULL : by != NULL && by->column[0].use == COLUMN_CONSTANT);
        table_destroy(rows);
        encoder_destroy(by);
    }
}

static void columns_chosen_by_hand_stay(void **state) {
    (void)state;
    table *rows = empty_table(30, 2, (const char *const[]){"id", "same"});
    for (size_t i = 0; i < 30; i++) {
        set_number(rows, i, 0, from_one(i));
        set_number(rows, i, 1, 3.0);
    }
    cnm_error err = {0};
    encoder *by;
    assert_int_equal(encoder_fit(&by, rows, (encoder_choice){0}, NULL, &err), CNM_BAD_DATA);
    assert_null(by);
    assert_non_null(strstr(err.message, "id (numbers the rows), same (always the same)"));
    assert_non_null(strstr(err.message, "--columns"));
    assert_null(fitted_with(rows, (encoder_choice){.all = true}, NULL));
    table_destroy(rows);
}

/* ---- Missing cells ---- */

/* 100 rows; column 0 misses `missing` numbers, column 1 as many words, column 2 none. */
static table *with_missing(size_t missing, size_t rows) {
    table *out = empty_table(rows, 3, (const char *const[]){"age", "city", "x"});
    for (size_t i = 0; i < rows; i++) {
        if (i >= missing) {
            set_number(out, i, 0, any(i));
        }
        set_word(out, i, 1, i >= missing ? abc(i) : "");
        set_number(out, i, 2, any(i));
    }
    return out;
}

static void many_missing_cells_get_an_indicator(void **state) {
    (void)state;
    sentences heard;
    table *few = with_missing(4, 80), *many = with_missing(5, 100), *rare = with_missing(5, 101);
    encoder *by = fitted(few, NULL);
    assert_features(by, "age city=a city=b city=c x");
    encoder_destroy(by);
    by = fitted(rare, NULL);
    assert_features(by, "age city=a city=b city=c x");
    encoder_destroy(by);
    by = fitted_with(many, (encoder_choice){0}, NULL);
    assert_features(by, "age city=a city=b city=c x");
    encoder_destroy(by);
    by = fitted(many, &heard);
    assert_features(by, "age age=missing city=a city=b city=c city=missing x");
    assert_non_null(strstr(heard.text, "missing cells: 10 in 2 columns, numbers filled with the mean; age, city have "
                                       "indicators\n"));
    table *out = applied(by, many, NULL);
    assert_int_equal(out->missing, 5);
    for (size_t i = 0; i < 100; i++) {
        const float *cells = out->values + i * 7;
        const float missing = i < 5 ? 1.0F : 0.0F;
        assert_true(cells[1] == missing && cells[5] == missing && (isnan(cells[0]) != 0) == (i < 5));
        assert_true(cells[2] + cells[3] + cells[4] == 1.0F - missing);
    }
    table_destroy(out);
    encoder_destroy(by);
    cnm_error err;
    assert_int_equal(encoder_fit(&by, many, (encoder_choice){.no_missing = true}, NULL, &err), CNM_BAD_DATA);
    assert_non_null(strstr(err.message, "city"));
    table_destroy(few);
    table_destroy(many);
    table_destroy(rare);
}

/* ---- Other rows ---- */

static void other_dictionaries_and_unknown_words(void **state) {
    (void)state;
    size_t unknown = 0;
    table *rows = people(12, abc), *later = empty_table(4, 3, NULL);
    encoder *by = fitted(rows, NULL);
    const char *const cities[] = {"Zwickau", "Bonn", "", "Aachen"};
    for (size_t i = 0; i < 4; i++) {
        set_word(later, i, 0, cities[i]);
        set_number(later, i, 1, 1.5);
        set_word(later, i, 2, "c");
    }
    table *out = applied(by, later, &unknown);
    static const float EXPECTED[4][6] = {
        {0, 0, 1.5F, 0, 0, 1}, {0, 1, 1.5F, 0, 0, 1}, {0, 0, 1.5F, 0, 0, 1}, {1, 0, 1.5F, 0, 0, 1}};
    assert_memory_equal(out->values, EXPECTED, sizeof EXPECTED);
    assert_int_equal(unknown, 1);
    table_destroy(out);
    table_destroy(later);
    table_destroy(rows);
    encoder_destroy(by);
}

static void words_are_read_where_numbers_are_expected(void **state) {
    (void)state;
    table *rows = empty_table(40, 2, (const char *const[]){"price", "day"});
    assert_int_equal(table_make_types(rows, NULL), CNM_OK);
    rows->types[0].format = (cell_format){.decimal = ',', .thousands = '.', .units = true};
    rows->types[1].kind = COLUMN_TIME;
    rows->types[1].format.order = TIME_DAY_MONTH_YEAR;
    for (size_t i = 0; i < 40; i++) {
        set_number(rows, i, 0, any(i));
        set_number(rows, i, 1, any(i));
    }
    encoder *by = fitted(rows, NULL);
    assert_features(by, "price day");
    table *later = empty_table(2, 2, NULL);
    set_word(later, 0, 0, "1.234,50 \xe2\x82\xac");
    set_word(later, 0, 1, "02.01.1970");
    set_word(later, 1, 0, "n/a");
    set_word(later, 1, 1, "01.02.1970");
    table *out = applied(by, later, NULL);
    assert_true(out->values[0] == 1234.5F && out->values[1] == 1.0F && isnan(out->values[2]) &&
                out->values[3] == 31.0F);
    table_destroy(out);
    set_word(later, 1, 0, "dear");
    cnm_error err;
    assert_int_equal(encoder_apply(by, later, &out, NULL, &err), CNM_BAD_DATA);
    assert_null(out);
    assert_non_null(strstr(err.message, "price"));
    assert_non_null(strstr(err.message, "dear"));
    table_destroy(later);
    table_destroy(rows);
    encoder_destroy(by);
}

static void numbers_are_words_where_words_are_expected(void **state) {
    (void)state;
    size_t unknown = 0;
    table *rows = empty_table(9, 1, (const char *const[]){"code"}), *later = empty_table(3, 1, NULL);
    for (size_t i = 0; i < 9; i++) {
        set_word(rows, i, 0, (const char *const[]){"10", "0.1", "x"}[i % 3]);
    }
    encoder *by = fitted(rows, NULL);
    assert_features(by, "code=0.1 code=10 code=x");
    set_number(later, 0, 0, 10.0);
    set_number(later, 1, 0, 0.1);
    set_number(later, 2, 0, 11.0);
    table *out = applied(by, later, &unknown);
    static const float EXPECTED[3][3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, 0}};
    assert_memory_equal(out->values, EXPECTED, sizeof EXPECTED);
    assert_int_equal(unknown, 1);
    table_destroy(out);
    table_destroy(later);
    table_destroy(rows);
    encoder_destroy(by);
}

static void words_that_are_all_numbers_or_times_are_read(void **state) {
    (void)state;
    table *rows = empty_table(24, 3, NULL);
    for (size_t i = 0; i < 24; i++) {
        char number[16], day[16];
        (void)snprintf(number, sizeof number, "1,%03zu.50", 200 + i);
        (void)snprintf(day, sizeof day, "%zu.01.1970", i + 2);
        set_word(rows, i, 0, i == 3 ? "NA" : number);
        set_word(rows, i, 1, day);
        set_word(rows, i, 2, i == 0 ? "3 apples" : i % 2 == 0 ? "4" : "5");
    }
    encoder *by = fitted(rows, NULL);
    assert_features(by, "column_1 column_2 column_3=4 column_3=5 column_3=other");
    assert_int_equal(by->column[0].type.kind, COLUMN_NUMBER);
    assert_int_equal(by->column[0].type.format.thousands, ',');
    assert_int_equal(by->column[1].type.kind, COLUMN_TIME);
    table *out = applied(by, rows, NULL);
    for (size_t i = 0; i < 24; i++) {
        const float *cells = out->values + i * 5;
        assert_true(i == 3 ? isnan(cells[0]) : (double)cells[0] + by->column[0].base == 1200.5 + (double)i);
        assert_true((double)cells[1] == (double)i + 1.0);
    }
    table_destroy(out);
    table_destroy(rows);
    encoder_destroy(by);
}

static void a_base_goes_to_the_feature_of_its_column(void **state) {
    (void)state;
    table *rows = empty_table(12, 2, (const char *const[]){"city", "seconds"});
    assert_int_equal(memory_zeroed(&rows->base, 2, sizeof *rows->base, "base", NULL), CNM_OK);
    rows->base[1] = 1.7e9;
    for (size_t i = 0; i < 12; i++) {
        set_word(rows, i, 0, abc(i));
        set_number(rows, i, 1, any(i));
    }
    encoder *by = fitted(rows, NULL);
    assert_true(by->column[1].base == 1.7e9 && by->column[0].base == 0.0);
    table *out = applied(by, rows, NULL);
    assert_true(out->base[3] == 1.7e9 && out->base[0] == 0.0 && out->values[3] == rows->values[1]);
    table_destroy(out);
    table_destroy(rows);
    encoder_destroy(by);
}

static void labels_weights_and_groups_are_copied(void **state) {
    (void)state;
    table *rows = people(12, abc);
    assert_int_equal(memory_take(&rows->weights, 12, sizeof *rows->weights, "weights", NULL), CNM_OK);
    assert_int_equal(memory_take(&rows->groups, 12, sizeof *rows->groups, "groups", NULL), CNM_OK);
    rows->labelled = true;
    for (size_t i = 0; i < 12; i++) {
        rows->weights[i] = (float)i;
        rows->groups[i] = i / 2;
        assert_int_equal(labels_add_text(&rows->labels, abc(i), 1, NULL), CNM_OK);
    }
    encoder *by = fitted(rows, NULL);
    table *out = applied(by, rows, NULL);
    assert_memory_equal(out->weights, rows->weights, 12 * sizeof *rows->weights);
    assert_memory_equal(out->groups, rows->groups, 12 * sizeof *rows->groups);
    assert_true(out->labelled && out->labels.rows == 12);
    assert_string_equal(out->labels.words.texts[out->labels.codes[4]], abc(4));
    table_destroy(out);
    table_destroy(rows);
    encoder_destroy(by);
}

static void another_number_of_columns_is_an_error_that_says_both(void **state) {
    (void)state;
    table *rows = people(12, abc), *other = empty_table(3, 2, NULL), *out;
    encoder *by = fitted(rows, NULL);
    cnm_error err;
    assert_int_equal(encoder_apply(by, other, &out, NULL, &err), CNM_BAD_ARGUMENT);
    assert_string_equal(err.message, "the rows have 2 columns, the model expects 3");
    table_destroy(rows);
    table_destroy(other);
    encoder_destroy(by);
}

/* ---- Names of older models ---- */

static void names_of_features_tell_the_columns_of_words(void **state) {
    (void)state;
    char *const names[] = {(char[]){"age"},   (char[]){"city=Kiel"}, (char[]){"city=Bonn"}, (char[]){"sex=f"},
                           (char[]){"sex=m"}, (char[]){"a=b"},       (char[]){"late=1"},    (char[]){"late=2"}};
    const double base[] = {1e9, 0, 0, 0, 0, 0, 0, 5.0};
    encoder *by;
    assert_int_equal(encoder_from_names(&by, names, base, 8, NULL), CNM_OK);
    assert_int_equal(by->columns, 6);
    assert_features(by, "age city=Kiel city=Bonn sex=f sex=m a=b late=1 late=2");
    assert_string_equal(by->column[1].name, "city");
    assert_int_equal(by->column[3].type.kind, COLUMN_NUMBER);
    assert_true(by->column[0].base == 1e9 && by->column[5].base == 5.0);
    encoder_destroy(by);
    assert_int_equal(encoder_from_names(&by, names + 5, NULL, 1, NULL), CNM_OK);
    assert_null(by);
    char *const twice[] = {(char[]){"a=b"}, (char[]){"a=b"}};
    assert_int_equal(encoder_from_names(&by, twice, NULL, 2, NULL), CNM_OK);
    assert_null(by);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_become_features_in_order_of_their_bytes),
        cmocka_unit_test(rare_words_share_a_feature),
        cmocka_unit_test(at_most_a_hundred_words_have_a_feature_the_most_frequent),
        cmocka_unit_test(words_that_hardly_repeat_are_left_out),
        cmocka_unit_test(columns_that_number_the_rows_are_left_out),
        cmocka_unit_test(rows_without_names_and_types_are_taken_as_they_are),
        cmocka_unit_test(wide_rows_of_numbers_keep_constant_columns),
        cmocka_unit_test(columns_chosen_by_hand_stay),
        cmocka_unit_test(many_missing_cells_get_an_indicator),
        cmocka_unit_test(other_dictionaries_and_unknown_words),
        cmocka_unit_test(words_are_read_where_numbers_are_expected),
        cmocka_unit_test(numbers_are_words_where_words_are_expected),
        cmocka_unit_test(words_that_are_all_numbers_or_times_are_read),
        cmocka_unit_test(a_base_goes_to_the_feature_of_its_column),
        cmocka_unit_test(labels_weights_and_groups_are_copied),
        cmocka_unit_test(another_number_of_columns_is_an_error_that_says_both),
        cmocka_unit_test(names_of_features_tell_the_columns_of_words),
    };
    return cmocka_run_group_tests_name("encoder", tests, NULL, NULL);
}
