/* Identifiers of exported C: valid and different, whatever columns and words are called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/export/c/c_names.h"

static const char *const NAMES[] = {
    "Age",
    "age",
    "AGE",
    "class",
    "int",
    "1st floor",
    "Gr\xc3\xb6\xc3\x9f\x65", /* an e, which would end no escape */
    "",
    "@$%",
    "\xe5\xb9\xb4\xe9\xbd\xa2",
    "a b",
    "a_b",
    "a  b",
    "_x_",
    "x",
    "columns",
    "while",
    "class_",
    "NULL",
    "Class",
    "a name that is longer than the identifiers that compilers need to tell apart, one",
    "a name that is longer than the identifiers that compilers need to tell apart, two",
};
enum { COUNT = sizeof NAMES / sizeof NAMES[0] };

/* Makes an encoder of borrowed names: column COUNT has none, the last is left out. */
static encoder of_names(column_encoding *columns) {
    for (size_t i = 0; i < COUNT; i++) {
        columns[i] = (column_encoding){.name = (char *)(uintptr_t)NAMES[i], .type.kind = COLUMN_WORDS};
    }
    columns[COUNT] = (column_encoding){0};
    columns[COUNT + 1] = (column_encoding){.name = (char *)(uintptr_t) "gone", .use = COLUMN_CONSTANT};
    return (encoder){.columns = COUNT + 2, .column = columns};
}

static void assert_identifier(const char *text) {
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static const char MORE[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    assert_true(strspn(text, LETTERS) > 0);
    assert_int_equal(strspn(text, MORE), strlen(text));
    assert_null(strstr(text, "__")); /* reserved in C++ */
    assert_true(strlen(text) <= 63); /* what C99 compilers tell apart */
}

static void members_are_valid_and_different(void **state) {
    (void)state;
    static const char *const KEYWORDS[] = {"class", "int", "while", "columns", "NULL"};
    column_encoding columns[COUNT + 2];
    const encoder all = of_names(columns);
    c_names names;
    assert_int_equal(c_names_create(&names, &all, NULL), CNM_OK);
    for (size_t i = 0; i <= COUNT; i++) {
        assert_identifier(names.members[i]);
        assert_identifier(names.stems[i]);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(names.members[i], names.members[j]);
            assert_string_not_equal(names.stems[i], names.stems[j]);
        }
        for (size_t j = 0; j < sizeof KEYWORDS / sizeof KEYWORDS[0]; j++) {
            assert_string_not_equal(names.members[i], KEYWORDS[j]);
        }
    }
    assert_string_equal(names.members[0], "Age");
    assert_string_equal(names.members[5], "column_1st_floor");
    assert_string_equal(names.members[6], "Gr_e");
    assert_string_equal(names.members[7], "column_8");
    assert_string_equal(names.members[COUNT + 1], "");
    c_names_free(&names);
}

static void constants_are_valid_and_different(void **state) {
    (void)state;
    enum { LONGEST = 2 * 40 + 24 };
    column_encoding columns[COUNT + 2];
    const encoder all = of_names(columns);
    static char constants[COUNT * COUNT][C_NAME_SIZE];
    c_names names;
    size_t count = 0;
    assert_int_equal(c_names_create(&names, &all, NULL), CNM_OK);
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < COUNT; j++, count++) {
            assert_int_equal(c_names_constant(&names, i, NAMES[j], constants[count], NULL), CNM_OK);
            assert_true(strlen(constants[count]) <= LONGEST);
            for (size_t other = 0; other < count; other++) {
                assert_string_not_equal(constants[count], constants[other]);
            }
            for (const char *letter = constants[count]; *letter != '\0'; letter++) {
                assert_false(*letter >= 'a' && *letter <= 'z'); /* those are free for _missing and _other */
            }
        }
    }
    c_names_free(&names);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(members_are_valid_and_different),
                                       cmocka_unit_test(constants_are_valid_and_different)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
