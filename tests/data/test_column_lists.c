/* Columns that options leave out: by name, by number, and for a model's rows. */
#include "data_support.h"

static const char TEXT[] = "id,na me,age,\"a,b\",churned\n1,5,30,8,x\n2,6,31,9,y\n3,7,32,8,x\n4,8,33,9,y\n";

static void assert_names(const reader_options *options, const char *expected) {
    char joined[128] = "";
    table *rows;
    cnm_error err = {0};
    if (read_batches(&rows, TEXT, strlen(TEXT), options, 2, NULL, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
    for (size_t j = 0; j < rows->columns; j++) {
        (void)strcat(strcat(joined, rows->names[j]), "|");
    }
    assert_string_equal(joined, expected);
    table_destroy(rows);
}

static void listed_columns_alone_are_features(void **state) {
    (void)state;
    assert_names(&(reader_options){.drop = "id"}, "na me|age|a,b|");
    assert_names(&(reader_options){.drop = "2, age ,id"}, "a,b|");
    assert_names(&(reader_options){.drop = "a,b"}, "id|na me|age|");
    assert_names(&(reader_options){.only = "age,1"}, "id|age|");
    assert_names(&(reader_options){.only = "age,churned"}, "age|");
    assert_names(&(reader_options){.only = "age,id", .drop = "id"}, "age|");
}

static void a_dropped_column_is_not_the_label(void **state) {
    (void)state;
    const reader_options dropped = {.drop = "churned"}, both = {.drop = "churned", .label_column = "churned"};
    table *rows = read_text(TEXT, &dropped);
    assert_string_equal(label_at(rows, 1), "9");
    assert_int_equal(rows->columns, 3);
    table_destroy(rows);
    cnm_error err = {0};
    assert_int_equal(read_batches(&rows, TEXT, strlen(TEXT), &both, 2, NULL, &err), CNM_BAD_ARGUMENT);
    assert_string_equal(err.message, "f: column 5 cannot be both label and left out");
}

static void unknown_columns_are_refused_with_the_nearest(void **state) {
    static const struct {
        reader_options options;
        const char *message;
    } CASES[] = {
        {{.drop = "aeg"}, "f: --drop names the column 'aeg', which the file does not have; did you mean 'age'?"},
        {{.only = "age,zip"}, "f: --columns names the column 'zip', which the file does not have"},
        {{.drop = "6"}, "f: --drop names the column '6', but there are columns 1 to 5"},
        {{.drop = "age", .header = -1}, "f: --drop names the column 'age', but there are columns 1 to 5"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        table *rows;
        cnm_error err = {0};
        assert_int_equal(read_batches(&rows, TEXT, strlen(TEXT), &CASES[i].options, 2, NULL, &err), CNM_BAD_ARGUMENT);
        assert_string_equal(err.message, CASES[i].message);
    }
}

/* Without names a model counts columns; those that are dropped do not count. */
static void dropped_columns_do_not_count_for_a_model(void **state) {
    static const char *const PLAIN = "9,1,2,3\n8,4,5,6\n";
    const reader_options dropped = {.expects = true, .columns = 3, .drop = "1", .label_column = "last"},
                         listed = {.expects = true, .columns = 2, .only = "2,3", .label_column = "last"};
    (void)state;
    table *rows = read_text(PLAIN, &dropped);
    assert_false(rows->labelled);
    assert_true(cell_at(rows, 0, 0) == 1 && cell_at(rows, 1, 2) == 6);
    table_destroy(rows);
    rows = read_text(PLAIN, &listed);
    assert_int_equal(rows->columns, 2);
    assert_true(cell_at(rows, 0, 0) == 1 && cell_at(rows, 1, 1) == 5);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_columns_alone_are_features),
        cmocka_unit_test(a_dropped_column_is_not_the_label),
        cmocka_unit_test(unknown_columns_are_refused_with_the_nearest),
        cmocka_unit_test(dropped_columns_do_not_count_for_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
