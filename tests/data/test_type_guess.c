/* The type of a column: the format of its cells where nearly all have one, in doubt the plainer. */
#include "data_support.h"

#include "data/encode/cell_read.h"
#include "data/encode/type_guess.h"

/* Guesses from cells that are separated by |. */
static type_guess guess_of(const char *cells) {
    type_guess out = {.cells = 0};
    for (const char *at = cells; at != NULL;) {
        const char *bar = strchr(at, '|');
        type_guess_note(&out, at, bar != NULL ? (size_t)(bar - at) : strlen(at), 1);
        at = bar != NULL ? bar + 1 : NULL;
    }
    return out;
}

static column_type type_of(const char *cells, char decimal) {
    const type_guess guess = guess_of(cells);
    return type_guess_end(&guess, decimal);
}

/* Asserts that a column is of numbers, and how it reads its first cell. */
static void assert_numbers(const char *cells, char decimal, double first) {
    const column_type type = type_of(cells, decimal);
    double value;
    if (type.kind != COLUMN_NUMBER || !cell_read(&type, cells, strcspn(cells, "|"), &value) || value != first) {
        fail_msg("'%s' does not become numbers that begin with %g", cells, first);
    }
}

static void assert_kind(const char *cells, char decimal, column_kind kind) {
    if (type_of(cells, decimal).kind != kind) {
        fail_msg("'%s' becomes kind %d", cells, type_of(cells, decimal).kind);
    }
}

static void plain_numbers_have_the_plain_format(void **state) {
    (void)state;
    static const char *const COLUMNS[] = {"1|2|3", "1.5|-2e3|inf", "True|false|TRUE", "1.460|2.5", "1234.5", "0"};
    for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
        const column_type type = type_of(COLUMNS[i], '\0');
        assert_int_equal(type.kind, COLUMN_NUMBER);
        assert_int_equal(type.format.decimal, 0);
        assert_int_equal(type.format.thousands, 0);
        assert_false(type.format.units);
    }
    const type_guess none = {.cells = 0};
    assert_int_equal(type_guess_end(&none, '\0').kind, COLUMN_NUMBER);
    assert_null(type_guess_end(&none, '\0').words.texts);
}

static void a_comma_alone_is_of_thousands_unless_a_file_has_decimal_commas(void **state) {
    (void)state;
    assert_numbers("1,460|2|12,000", '\0', 1460.0);
    assert_numbers("1,460|2|12,000", '.', 1460.0);
    assert_numbers("1,460|2|12,000", ',', 1.46);
    assert_numbers("1,460|2,5", '\0', 1.46);
    assert_numbers("0,460|0,500", '\0', 0.46);
    assert_numbers("1.460|2.500", '\0', 1.46);
    assert_numbers("1.460|2.500", ',', 1460.0);
    assert_numbers("1.46|2.5", ',', 1.46);
    assert_numbers("17|4", ',', 17.0);
    assert_numbers("1.459,50|12", '\0', 1459.5);
    assert_numbers("1,459.50|12", '\0', 1459.5);
    assert_numbers("1\xc2\xa0"
                   "459,5|12",
                   '\0', 1459.5);
    assert_kind("29515,36|1,5", '.', COLUMN_WORDS);
    struct {
        const char *cells;
        bool commas;
    } const FILES[] = {{"1,460|2", false}, {"1,5|2", true}, {"1.5|2", false},      {"a|b|1,5", false},
                       {"0,500", true},    {"12", false},   {"1.459,50|12", true}, {"1.5|2.5|3.5|4,5", false}};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        const type_guess guess = guess_of(FILES[i].cells);
        assert_int_equal(type_guess_has_decimal_commas(&guess), FILES[i].commas);
    }
}

/* Cells behind the sample may be larger than those in it. */
static void a_format_allows_the_thousands_that_go_with_it(void **state) {
    (void)state;
    const column_type commas = type_of("1,5|2,25", '\0'), money = type_of("$5|$6.50", '\0');
    double value;
    assert_true(cell_read(&commas, "1.234,5", 7, &value) && value == 1234.5);
    assert_true(cell_read(&money, "$1,234", 6, &value) && value == 1234.0);
    assert_true(cell_read(&money, "7", 1, &value) && value == 7.0);
}

static void units_are_taken_off(void **state) {
    (void)state;
    assert_numbers("71.5%|5 %", '\0', 71.5);
    assert_numbers("$29,515.36|-$3", '\0', 29515.36);
    assert_numbers("1.459,50 \xe2\x82\xac|3,2 \xe2\x82\xac", '\0', 1459.5);
    assert_numbers("5|6|EUR 7", '\0', 5.0);
    assert_kind("12 kg|13 kg", '\0', COLUMN_WORDS);
    assert_kind("$|$$|$$$", '\0', COLUMN_WORDS);
    assert_kind("<=50K|>50K", '\0', COLUMN_WORDS);
}

static void times_have_an_order_and_the_day_comes_first_in_doubt(void **state) {
    (void)state;
    static const struct {
        const char *cells;
        time_order order;
    } COLUMNS[] = {
        {"2023-10-13|2024-02-29T10:00", TIME_YEAR_MONTH_DAY}, {"10/11/2023|1/2/2024", TIME_DAY_MONTH_YEAR},
        {"10/11/2023|1/13/2024", TIME_MONTH_DAY_YEAR},        {"10.11.2023|13.1.2024 5:00", TIME_DAY_MONTH_YEAR},
        {"Oct 13, 2023|Nov 1, 2023", TIME_MONTH_DAY_YEAR},    {"23:59|0:30", TIME_OF_DAY}};
    for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
        assert_kind(COLUMNS[i].cells, '\0', COLUMN_TIME);
        assert_int_equal(type_of(COLUMNS[i].cells, '\0').format.order, COLUMNS[i].order);
    }
    assert_kind("10/13/2023|13/10/2023", '\0', COLUMN_WORDS);
    assert_kind("2023|2024", '\0', COLUMN_NUMBER);
    assert_kind("20231013|20231014", '\0', COLUMN_NUMBER);
}

/* Returns the kind of a column of `fitting` cells of one text and `strays` of another. */
static column_kind kind_with_strays(const char *text, size_t fitting, const char *stray, size_t strays) {
    type_guess guess = {.cells = 0};
    type_guess_note(&guess, text, strlen(text), fitting);
    type_guess_note(&guess, stray, strlen(stray), strays);
    return type_guess_end(&guess, '\0').kind;
}

static void two_cells_in_a_hundred_may_be_strays(void **state) {
    (void)state;
    static const struct {
        const char *text;
        column_kind kind;
    } COLUMNS[] = {{"5", COLUMN_NUMBER}, {"$5", COLUMN_NUMBER}, {"2023-10-13", COLUMN_TIME}};
    for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
        assert_int_equal(kind_with_strays(COLUMNS[i].text, 98, "banana", 2), COLUMNS[i].kind);
        assert_int_equal(kind_with_strays(COLUMNS[i].text, 97, "banana", 3), COLUMN_WORDS);
        assert_int_equal(kind_with_strays(COLUMNS[i].text, 9, "banana", 1), COLUMNS[i].kind);
        assert_int_equal(kind_with_strays(COLUMNS[i].text, 8, "banana", 1), COLUMN_WORDS);
    }
}

static void all_words_means_every_cell(void **state) {
    (void)state;
    static const struct {
        const char *cells;
        bool all;
    } COLUMNS[] = {{"Yes|No", true},        {"Yes|No|1", false}, {"a|1,5", false},
                   {"a|2023-10-13", false}, {"a|True", false},   {"5 kg", true}};
    for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
        const type_guess guess = guess_of(COLUMNS[i].cells);
        assert_int_equal(type_guess_is_all_words(&guess), COLUMNS[i].all);
    }
    const type_guess none = {.cells = 0};
    assert_false(type_guess_is_all_words(&none));
}

static void a_count_is_as_good_as_so_many_cells(void **state) {
    (void)state;
    type_guess counted = {.cells = 0}, single = {.cells = 0};
    static const char *const CELLS[] = {"1,5", "$3", "x", "1.2.2023", "12:30"};
    for (size_t i = 0; i < sizeof CELLS / sizeof *CELLS; i++) {
        type_guess_note(&counted, CELLS[i], strlen(CELLS[i]), i + 1);
        for (size_t n = 0; n <= i; n++) {
            type_guess_note(&single, CELLS[i], strlen(CELLS[i]), 1);
        }
    }
    assert_memory_equal(&counted, &single, sizeof counted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_numbers_have_the_plain_format),
        cmocka_unit_test(a_comma_alone_is_of_thousands_unless_a_file_has_decimal_commas),
        cmocka_unit_test(a_format_allows_the_thousands_that_go_with_it),
        cmocka_unit_test(units_are_taken_off),
        cmocka_unit_test(times_have_an_order_and_the_day_comes_first_in_doubt),
        cmocka_unit_test(two_cells_in_a_hundred_may_be_strays),
        cmocka_unit_test(all_words_means_every_cell),
        cmocka_unit_test(a_count_is_as_good_as_so_many_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
