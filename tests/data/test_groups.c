/* --group-column: equal cells are one group in every format, the column is no feature and no label,
 * rows keep their group wherever they go, and a model's rows may come with it or without. */
#include "data_support.h"

#include "data/write/writer.h"

/* Rows i and j are of one group where their letters are equal. */
static void assert_grouped(const table *rows, const char *letters) {
    assert_int_equal(rows->rows, strlen(letters));
    assert_non_null(rows->groups);
    for (size_t i = 0; i < rows->rows; i++) {
        for (size_t j = 0; j < i; j++) {
            if ((rows->groups[i] == rows->groups[j]) != (letters[i] == letters[j])) {
                fail_msg("rows %zu and %zu of %s", i, j, letters);
            }
        }
    }
}

static void equal_cells_are_one_group(void **state) {
    static const struct {
        const char *text, *column, *letters;
    } FILES[] = {
        {"p,a,label\nann,1,x\nbob,2,y\nann,3,x\n\"bob\",4,x\n", "p", "abab"},
        {"a,p,label\n1,7,x\n2,7.0,y\n3,70e-1,x\n4,8,x\n5,-0,x\n6,0,x\n7,seven,y\n", "2", "aaabccd"},
        {"a,p,label\n1,,x\n2,NA,y\n3,0,x\n", "p", "aab"}, /* those without are one */
        {"a,p,label\n1,123456789012345678,x\n2,123456789012345679,y\n", "p", "ab"},
        {"@relation r\n@attribute a real\n@attribute p string\n@attribute k "
         "{x,y}\n@data\n1,ann,x\n2,bob,y\n3,'ann',x\n",
         "p", "aba"},
        {"@relation r\n@attribute p real\n@attribute a real\n@attribute k {x,y}\n@data\n{1 5}\n{0 0, 1 5}\n{0 2,2 y}\n",
         "p", "aab"},
        {"@relation r\n@attribute p {ann,bob}\n@attribute a real\n@attribute k {x,y}\n@data\n{1 5}\nann,3,y\n{0 bob}\n",
         "1", "aab"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        const reader_options options = {.group_column = FILES[i].column};
        table *rows = read_text(FILES[i].text, &options);
        assert_grouped(rows, FILES[i].letters);
        assert_int_equal(rows->columns, 1);
        assert_true(rows->labelled);
        table_destroy(rows);
    }
}

static void arrays_have_groups_by_value(void **state) {
    static const char BYTES[] =
        "\x93NUMPY\x01\x00\x38\x00{'descr': '<u1', 'fortran_order': False, 'shape':(3,3)} \1\2\3\1\5\6\4\2\3";
    const reader_options options = {.label_column = "last", .group_column = "1"};
    (void)state;
    table *rows = read_bytes(BYTES, sizeof BYTES - 1, &options);
    assert_grouped(rows, "aab");
    assert_int_equal(rows->columns, 1);
    assert_true(cell_at(rows, 1, 0) == 5);
    assert_string_equal(label_at(rows, 1), "6");
    table_destroy(rows);
}

/* A column of words would pass for the label, as would the last one. */
static void the_label_is_looked_for_elsewhere(void **state) {
    static const struct {
        const char *text, *column, *label;
    } FILES[] = {
        {"p,a,b\nann,1,3\nbob,2,4\nann,5,6\n", "p", "3"},
        {"a,b,p\n1,3,ann\n2,4,bob\n", "p", "3"},
        {"k,a,p\nyes,3,ann\nno,4,bob\n", "3", "yes"},
        {"1.5,3,7\n2.5,4,8\n", "3", "3"},
        {"@relation r\n@attribute a real\n@attribute k {x,y}\n@attribute p {s,t}\n@data\n1,x,s\n2,y,t\n", "p", "x"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        const reader_options options = {.group_column = FILES[i].column};
        table *rows = read_text(FILES[i].text, &options);
        assert_string_equal(label_at(rows, 0), FILES[i].label);
        table_destroy(rows);
    }
    const reader_options first = {.label_column = "first", .group_column = "1"};
    const reader_options last = {.label_column = "last", .group_column = "4", .weight_column = "3"};
    table *rows = read_text("9,1,2,3\n8,4,5,6\n", &first);
    assert_string_equal(label_at(rows, 0), "1");
    table_destroy(rows);
    rows = read_text("9,1,2,3\n8,4,5,6\n", &last);
    assert_string_equal(label_at(rows, 0), "1");
    table_destroy(rows);
}

static void rows_keep_their_group(void **state) {
    static const size_t ORDER[] = {3, 0, 2};
    const reader_options options = {.group_column = "p"}, again = {.group_column = "group"};
    (void)state;
    table *rows = read_text("p,a,label\nann,1,x\nbob,2,y\nann,3,x\ncy,4,x\n", &options), *chosen;
    assert_int_equal(table_select(&chosen, rows, ORDER, 3, NULL), CNM_OK);
    assert_grouped(chosen, "abb");
    assert_int_equal(table_append_rows(chosen, rows, 1, 2, NULL), CNM_OK);
    assert_grouped(chosen, "abbcb");
    assert_int_equal(table_append(chosen, rows, NULL), CNM_OK);
    assert_grouped(chosen, "abbcbbcba");
    assert_int_equal(table_keep(chosen, ORDER, 3, NULL), CNM_OK);
    assert_grouped(chosen, "cab");
    const char *path = temporary_path("groups.csv");
    cnm_error err = {0};
    assert_int_equal(table_write(rows, path, NULL, NULL, &err), CNM_OK);
    table *back;
    assert_int_equal(table_read(&back, path, &again, NULL, NULL, &err), CNM_OK);
    assert_grouped(back, "abac");
    assert_int_equal(back->columns, 1);
    (void)unlink(path);
    table_destroy(rows);
    table_destroy(chosen);
    table_destroy(back);
}

/* A group column that only the model names may be missing; explicit options decide doubtful
 * cases. */
static void a_models_rows_may_lack_the_column(void **state) {
    static const char *const NAMES[] = {"a", "b"};
    reader_options named = {.expects = true,
                            .columns = 2,
                            .names = NAMES,
                            .label_column = "k",
                            .group_column = "p",
                            .group_recalled = true};
    reader_options counted = {
        .expects = true, .columns = 2, .label_column = "last", .group_column = "1", .group_recalled = true};
    notices heard = {0};
    cnm_error err = {0};
    table *rows;
    (void)state;
    static const char *const FILES[] = {"p,b,a,k\nz,2,1,x\n", "b,a,k\n2,1,x\n", "b,a\n2,1\n", "b,p,a\n2,z,1\n"};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        assert_int_equal(read_batches(&rows, FILES[i], strlen(FILES[i]), &named, 9, &heard, &err), CNM_OK);
        assert_true(rows->columns == 2 && cell_at(rows, 0, 0) == 1 && cell_at(rows, 0, 1) == 2);
        assert_int_equal(heard.count, 0);
        table_destroy(rows);
    }
    named.group_column = "1"; /* here the first column is a feature */
    rows = read_text("a,b,k\n1,2,x\n", &named);
    assert_true(cell_at(rows, 0, 0) == 1 && rows->groups == NULL);
    table_destroy(rows);
    rows = read_text("z,1,2,x\nz,3,4,y\n", &counted);
    assert_true(rows->labelled && cell_at(rows, 0, 0) == 1 && rows->groups != NULL);
    table_destroy(rows);
    rows = read_text("1,2\n3,4\n", &counted);
    assert_true(!rows->labelled && cell_at(rows, 0, 0) == 1);
    table_destroy(rows);
    assert_int_equal(read_batches(&rows, "1,2,x\n", 6, &counted, 9, NULL, &err), CNM_BAD_DATA);
    assert_string_equal(err.message,
                        "f: found 3 columns where the model expects 2, so one may be the label, or the group "
                        "of its training rows: say --group-column none, or --label-column none");
    counted.label_column = "none";
    rows = read_text("z,1,2\ny,3,4\n", &counted);
    assert_true(!rows->labelled && cell_at(rows, 1, 0) == 3);
    table_destroy(rows);
    counted.label_column = "last";
    counted.group_column = "none";
    counted.group_recalled = false;
    rows = read_text("1,2,x\n3,4,y\n", &counted);
    assert_true(rows->labelled && cell_at(rows, 1, 0) == 3);
    table_destroy(rows);
    counted.group_column = "1";
    counted.group_recalled = true; /* LIBSVM rows have none */
    rows = read_text("1 1:1 2:2\n2 2:4\n", &counted);
    assert_true(rows->labelled && cell_at(rows, 1, 1) == 4);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_cells_are_one_group),         cmocka_unit_test(arrays_have_groups_by_value),
        cmocka_unit_test(the_label_is_looked_for_elsewhere), cmocka_unit_test(rows_keep_their_group),
        cmocka_unit_test(a_models_rows_may_lack_the_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
