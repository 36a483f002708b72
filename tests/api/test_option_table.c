/* The one table of options: defaults agree with their texts, and rows are complete. */
#include "api/option_support.h"
#include "data/scale/scaling.h"
#include "learn/objective/losses.h"
#include "map/map.h"

/* Starting from settings full of other values, reading every row's default text must give the
 * defaults: no field is forgotten, and no default is stated twice with two values. */
static void default_texts_mean_the_defaults(void **state) {
    (void)state;
    settings values;
    memset(&values, 0x55, sizeof values);
    values.resume = values.shuffle = true; /* 0x55 is not a bool */
    for (size_t i = 0; i < option_table_size(); i++) {
        const option_row *row = option_table_row(i);
        char text[64];
        cnm_error error;
        assert_true(strlen(row->default_value) < sizeof text);
        strcpy(text, row->default_value);
        if (row->read(row, text, &values, &error) != CNM_OK) {
            fail_msg("--%s: its own default is refused: %s", row->name, error.message);
        }
    }
    assert_same_settings(&values, &OPTION_DEFAULTS);
    assert_same_settings(options_settings(NULL), &OPTION_DEFAULTS);
    cnm_options *options = fresh();
    assert_same_settings(options_settings(options), &OPTION_DEFAULTS);
    cnm_options_destroy(options);
}

static void rows_are_complete_and_names_unique(void **state) {
    (void)state;
    for (size_t i = 0; i < option_table_size(); i++) {
        const option_row *a = option_table_row(i);
        char values[CNM_OPTION_VALUES_SIZE];
        option_values(a, values);
        assert_non_null(strstr("choice count number text flag", a->type));
        assert_true(a->help[0] != '\0' && a->group[0] != '\0' && values[0] != '\0' && a->purpose != 0);
        for (size_t j = 0; j < i; j++) {
            const option_row *b = option_table_row(j);
            assert_string_not_equal(a->name, b->name);
            assert_true(a->letter == 0 || a->letter != b->letter);
        }
    }
}

static void described_options_can_be_set_to_their_defaults(void **state) {
    (void)state;
    cnm_options *options = fresh();
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    for (size_t i = 0; i < cnm_options_count(); i++) {
        cnm_error error;
        assert_true(cnm_options_describe(i, &info));
        assert_string_equal(value_of(options, info.name), info.default_value);
        if (cnm_options_set(options, info.name, info.default_value, &error) != CNM_OK) {
            fail_msg("--%s: %s", info.name, error.message);
        }
    }
    assert_false(cnm_options_describe(cnm_options_count(), &info));
    assert_false(cnm_options_describe(0, NULL));
    assert_same_settings(options_settings(options), &OPTION_DEFAULTS);
    cnm_options_destroy(options);
}

/* Words that are names of a table's rows are kept as the rows' indices, behind "auto" where there
 * is one. */
static void names_of_tables_are_kept_as_their_rows(void **state) {
    (void)state;
    size_t count;
    const loss_ops *const *losses = loss_table(&count);
    cnm_options *options = fresh();
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(cnm_options_set(options, "loss", losses[i]->name, NULL), CNM_OK);
        assert_int_equal(options_settings(options)->loss, i + 1);
    }
    for (int i = 0; i < SCALING_KINDS; i++) {
        assert_int_equal(cnm_options_set(options, "scale", scaling_name((scaling_kind)i), NULL), CNM_OK);
        assert_int_equal(options_settings(options)->scale, i + 1);
    }
    for (int i = 0; kernel_name((map_kernel)i) != NULL; i++) {
        assert_int_equal(cnm_options_set(options, "kernel", kernel_name((map_kernel)i), NULL), CNM_OK);
        assert_int_equal(options_settings(options)->kernel, i);
    }
    cnm_options_destroy(options);
}

/* Every word of every choice can be set, and is the word of the value that it is kept as. */
static void every_word_can_be_set(void **state) {
    (void)state;
    for (size_t i = 0; i < option_table_size(); i++) {
        const option_row *row = option_table_row(i);
        option_word word;
        int value;
        for (size_t j = 0; option_word_at(row->words, j, &word); j++) {
            settings values = OPTION_DEFAULTS;
            char text[64];
            strcpy(text, word.word);
            assert_int_equal(row->read(row, text, &values, NULL), CNM_OK);
            assert_true(option_word_find(row->words, word.word, &value) && value == word.value);
            assert_string_equal(option_word_of(row->words, value), word.word);
        }
        assert_false(option_word_find(row->words, "colour", &value));
        assert_null(option_word_of(row->words, 12345));
    }
}

/* A program that was compiled with a smaller struct gets the fields that it knows, and nothing is
 * written behind them. */
static void a_smaller_description_is_filled_as_far_as_it_goes(void **state) {
    (void)state;
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    info.struct_size = offsetof(cnm_option_info, type);
    assert_true(cnm_options_describe(0, &info));
    assert_string_equal(info.name, "method");
    assert_int_equal(info.struct_size, offsetof(cnm_option_info, type));
    assert_null(info.type);
    assert_true(info.values[0] == '\0');
}

/* A screen of help has a line of 80 columns for each, and 13 lines for all. */
static void what_most_people_use_fits_a_screen(void **state) {
    (void)state;
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    size_t common = 0;
    for (size_t i = 0; cnm_options_describe(i, &info); i++) {
        common += info.common != NULL;
        assert_true(info.common == NULL || strlen(info.common) <= 45);
    }
    assert_in_range(common, 10, 13);
}

/* The ends of every range are inside it, the next whole number beyond is not. */
static void ranges_include_their_ends(void **state) {
    (void)state;
    settings values = OPTION_DEFAULTS;
    for (size_t i = 0; i < option_table_size(); i++) {
        const option_row *row = option_table_row(i);
        if (row->read != option_read_count || row->high > 1e15) {
            continue;
        }
        const struct {
            double value;
            cnm_status expected;
        } CASES[] = {{row->low, CNM_OK}, {row->high, CNM_OK}, {row->high + 1, CNM_BAD_ARGUMENT}};
        for (size_t j = 0; j < sizeof CASES / sizeof CASES[0]; j++) {
            char text[32];
            snprintf(text, sizeof text, "%.0f", CASES[j].value);
            assert_int_equal(row->read(row, text, &values, NULL), CASES[j].expected);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_texts_mean_the_defaults),
        cmocka_unit_test(rows_are_complete_and_names_unique),
        cmocka_unit_test(described_options_can_be_set_to_their_defaults),
        cmocka_unit_test(names_of_tables_are_kept_as_their_rows),
        cmocka_unit_test(every_word_can_be_set),
        cmocka_unit_test(a_smaller_description_is_filled_as_far_as_it_goes),
        cmocka_unit_test(what_most_people_use_fits_a_screen),
        cmocka_unit_test(ranges_include_their_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
