/* ARFF and KEEL. Each text is also read gzipped, with other line ends and in batches. */
#include "data_support.h"

static void arff_and_keel_headers(void **state) {
    (void)state;
    const char *keel =
        "@relation banana\n\n@attribute At1 real[-3.09,2.81]\n@attribute Class {-1.0,1.0}\n"
        "@attribute At2 real [0, 1]\n@inputs At1, At2\n@outputs Class\n@data\n\n1.5,-1.0,2\n\n2,1.0,0.5\n";
    table *rows = read_text(keel, NULL);
    assert_string_equal(label_column_of(keel, NULL), "arff Class");
    assert_int_equal(rows->rows, 2);
    assert_string_equal(rows->names[1], "At2");
    assert_true(cell_at(rows, 0, 1) == 2 && cell_at(rows, 1, 0) == 2);
    assert_string_equal(label_at(rows, 0), "-1");
    table_destroy(rows);
    const char *weka =
        "% a comment\n@RELATION 'iris data'\n@Attribute 'sepal length' NUMERIC\n@attribute kind{'a b', c}\n"
        "@attribute flag {0, 1}\n@data\n5.1,'a b',1\n% note\n4,c,0\n";
    const reader_options by_name = {.label_column = "kind"};
    rows = read_text(weka, &by_name);
    assert_string_equal(rows->names[0], "sepal length");
    assert_string_equal(label_at(rows, 0), "a b");
    assert_true(cell_at(rows, 0, 1) == 1);
    table_destroy(rows);
}

/* Quoted braces and commas, backslashes, numbers written in another way, and missing values. */
static void arff_values_are_found_among_the_declared(void **state) {
    (void)state;
    const reader_options options = {.missing = MISSING_KEEP};
    table *rows =
        read_text("@relation r\n@attribute n {10, 2, 0.5}\n@attribute k {'a}, b', \"c\", it's, 'don\\'t}'}\n@data\n"
                  "2.0,c\n.5,'a}, b'\n1e1,\"it's\"\n?,'don\\'t}'\n",
                  &options);
    assert_int_equal(rows->rows, 4);
    assert_true(cell_at(rows, 0, 0) == 2 && cell_at(rows, 1, 0) == 0.5 && cell_at(rows, 2, 0) == 10);
    assert_true(isnan(cell_at(rows, 3, 0)));
    assert_string_equal(label_at(rows, 1), "a}, b");
    assert_string_equal(label_at(rows, 2), "it's");
    assert_string_equal(label_at(rows, 3), "don't}");
    table_destroy(rows);
}

static void sparse_arff_rows_are_filled(void **state) {
    (void)state;
    table *rows = read_text(
        "@relation s\n@attribute a real\n@attribute b real\n@attribute c integer\n@attribute k {x, y}\n@data\n"
        "{0 1.5, 3 y}\n{}\n{1 -2 , 2 3}\n",
        NULL);
    static const double EXPECTED[3][3] = {{1.5, 0, 0}, {0, 0, 0}, {0, -2, 3}};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 3; j++) {
            assert_true(cell_at(rows, i, j) == EXPECTED[i][j]);
        }
    }
    assert_string_equal(label_at(rows, 0), "y");
    assert_string_equal(label_at(rows, 1), "x");
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arff_and_keel_headers),
        cmocka_unit_test(arff_values_are_found_among_the_declared),
        cmocka_unit_test(sparse_arff_rows_are_filled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
