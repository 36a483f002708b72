/* What is written reads back to the same rows. */
#include "data_support.h"

#include <unistd.h>

#include "data/table/table_types.h"
#include "data/write/writer.h"

static table *read_back(const char *path, const reader_options *options) {
    table *out;
    cnm_error err = {0};
    if (table_read(&out, path, options, NULL, NULL, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
    return out;
}

static void assert_written(const table *rows, const char *path, const char *format) {
    cnm_error err = {0};
    if (table_write(rows, path, format, NULL, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
}

/* Values and labels are the same, whatever else differs. */
static void assert_same_rows(const table *a, const table *b) {
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    for (size_t i = 0; i < a->rows; i++) {
        for (size_t j = 0; j < a->columns; j++) {
            const double left = cell_at(a, i, j), right = cell_at(b, i, j);
            assert_true(left == right || (isnan(left) && isnan(right)));
        }
        if (a->labelled && b->labelled) {
            char text[256];
            (void)snprintf(text, sizeof text, "%s", label_at(a, i));
            assert_string_equal(text, label_at(b, i));
        }
    }
}

static const char *const TEXTS[] = {
    "0.1,1e-7,3.4028234e38,2\n-0.25,16777217,1e-45,1\n0,0,0,2\n",
    "1 1:0.1 9:2\n-1 3:1e-20\n1\n-1 2:7\n",
    "1700000000.25,4,x\n1700000003.75,5,y\n1700000001,6,x\n",
    "1 1:1 3:0\n2 1:2\n",
};

static void rows_survive_every_format(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof TEXTS / sizeof *TEXTS; k++) {
        table *rows = read_text(TEXTS[k], NULL);
        static const char *const NAMES[] = {"out.libsvm", "out.csv", "out.npy"};
        for (size_t f = 0; f < 3; f++) {
            const char *path = temporary_path(NAMES[f]);
            assert_written(rows, path, NULL);
            table *back = read_back(path, NULL);
            assert_int_equal(back->labelled, f < 2);
            /* sparse rows have no base, so libsvm keeps a float's digits */
            if (f != 0 || rows->base == NULL) {
                assert_same_rows(rows, back);
            }
            if (f == 2 && rows->base == NULL) {
                assert_null(back->base);
            }
            table_destroy(back);
            (void)unlink(path);
        }
        table_destroy(rows);
    }
}

static void csv_keeps_names_words_weights_and_gaps(void **state) {
    const reader_options options = {.missing = MISSING_KEEP, .weight_column = "w", .label_column = "k"};
    const reader_options again = {.missing = MISSING_KEEP, .weight_column = "weight"};
    (void)state;
    table *rows = read_text("\"a, 1\",w,b \"\"q\"\",k\n1,0.5,?,\"x, \"\"y\"\"\"\n2,0,3,plain\n", &options);
    const char *path = temporary_path("words.csv");
    assert_written(rows, path, NULL);
    table *back = read_back(path, &again);
    assert_same_tables(rows, back);
    table_destroy(rows);
    table_destroy(back);
    (void)unlink(path);
}

static void npy_labels_go_into_their_own_file(void **state) {
    (void)state;
    table *rows = read_text("1 1:2\n-3.5 2:4\n", NULL);
    char labels[512], path[512];
    cnm_error err = {0};
    (void)snprintf(labels, sizeof labels, "%s", temporary_path("labels.npy"));
    (void)snprintf(path, sizeof path, "%s", temporary_path("rows.npy"));
    assert_int_equal(table_write(rows, path, "npy", labels, &err), CNM_OK);
    const reader_options options = {.labels_path = labels};
    table *back = read_back(path, &options);
    assert_same_rows(rows, back);
    assert_true(back->labelled);
    table_destroy(rows);
    table_destroy(back);
    (void)unlink(path);
    (void)unlink(labels);
}

static void what_cannot_be_written_is_told(void **state) {
    static const struct {
        const char *text, *name, *format;
        bool labels;
        const char *message; /* behind the path where it starts with ':' */
    } CASES[] = {
        {"1,2,a b\n3,4,c\n", "x.libsvm", NULL, false,
         "the label 'a b' cannot be written as libsvm (blanks, # : ,), but as csv"},
        {"1,2,a\n3,?,c\n", "x.svm", NULL, false,
         "row 2 has no value in column 2, and libsvm cannot say so, but csv can"},
        {"1,2,a\n3,4,c\n", "x.npy", NULL, true, ": the labels are words, which npy does not hold; csv does"},
        {"1,2,a\n3,4,c\n", "x.csv", NULL, true, ": csv keeps labels with the rows, only npy takes a file for them"},
        {"1,2,a\n3,4,c\n", "x.dat", NULL, false,
         ": the name does not tell the format, expected an ending .libsvm, .csv or .npy, or a format"},
        {"1,2,a\n3,4,c\n", "x.dat", "xls", false, "found the format 'xls', expected libsvm, csv or npy"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const reader_options options = {.missing = MISSING_KEEP};
        table *rows = read_text(CASES[i].text, &options);
        cnm_error err = {0};
        char path[512];
        (void)snprintf(path, sizeof path, "%s", temporary_path(CASES[i].name));
        assert_int_not_equal(table_write(rows, path, CASES[i].format, CASES[i].labels ? path : NULL, &err), CNM_OK);
        const size_t skipped = CASES[i].message[0] == ':' ? strlen(path) : 0;
        assert_string_equal(err.message + skipped, CASES[i].message);
        assert_int_not_equal(access(path, F_OK), 0); /* nothing is left behind */
        table_destroy(rows);
    }
}

static void features_are_written_in_parts(void **state) {
    (void)state;
    enum { ROWS = 70000, COLUMNS = 3 };
    float *values = malloc(ROWS * COLUMNS * sizeof *values);
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        values[i] = (float)i / 7;
    }
    npy_writer *writer;
    cnm_error err = {0};
    const char *path = temporary_path("z.npy");
    assert_int_equal(npy_create(&writer, path, ROWS, COLUMNS, &err), CNM_OK);
    assert_int_equal(npy_add(writer, values, 5, &err), CNM_OK);
    assert_int_equal(npy_add(writer, values + 15, ROWS - 5, &err), CNM_OK);
    assert_int_equal(npy_add(writer, values, 1, &err), CNM_BAD_ARGUMENT);
    assert_int_equal(npy_commit(writer, &err), CNM_OK);
    table *back = read_back(path, NULL);
    assert_int_equal(back->rows, ROWS);
    assert_memory_equal(back->values, values, ROWS * COLUMNS * sizeof *values);
    table_destroy(back);
    (void)unlink(path);
    assert_int_equal(npy_create(&writer, path, ROWS, COLUMNS, &err), CNM_OK);
    assert_int_equal(npy_commit(writer, &err), CNM_BAD_ARGUMENT);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(npy_create(&writer, path, ROWS, COLUMNS, &err), CNM_OK);
    npy_abandon(writer);
    assert_int_not_equal(access(path, F_OK), 0);
    free(values);
}

/* Words and times as text, to the second; for formats of numbers, the features of a training. */
static void typed_columns_are_written_as_text_or_as_features(void **state) {
    static const char *const TEXT =
        "job,seen,age,label\n\"a, b\",2023-10-13T23:59:58,30,x\nc,2024-02-29,,y\n,,32,x\n\"a, b\",2023-10-14,31,y\n"
        "c,2023-10-15,29,y\n";
    const reader_options options = {.missing = MISSING_KEEP};
    table *rows = read_text(TEXT, &options);
    const char *path = temporary_path("typed.csv");
    (void)state;
    assert_written(rows, path, NULL);
    table *back = read_back(path, &options);
    assert_same_tables(rows, back);
    assert_string_equal(back->types[0].words.texts[0], "a, b");
    assert_true(table_kind(back, 1) == COLUMN_TIME);
    table_destroy(back);
    (void)unlink(path);
    path = temporary_path("typed.npy");
    assert_written(rows, path, NULL);
    back = read_back(path, &options);
    assert_true(back->columns >= 4); /* and indicators of missing cells */
    for (size_t i = 0; i < 5; i++) {
        assert_true(cell_at(back, i, 0) == (i == 0 || i == 3) && cell_at(back, i, 1) == (i == 1 || i == 4));
    }
    table_destroy(back);
    (void)unlink(path);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_survive_every_format),
        cmocka_unit_test(csv_keeps_names_words_weights_and_gaps),
        cmocka_unit_test(npy_labels_go_into_their_own_file),
        cmocka_unit_test(what_cannot_be_written_is_told),
        cmocka_unit_test(features_are_written_in_parts),
        cmocka_unit_test(typed_columns_are_written_as_text_or_as_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
