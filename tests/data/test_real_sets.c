/* The readers on eight public data sets, where they are at hand: shapes, label sets and sums that
 * were counted by other programs. CNM_DATA names their directory; without it ../shared/data is
 * tried; the test is skipped when there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core/memory.h"
#include "base/text/text.h"
#include "data/read/reader.h"
#include "data/table/classes.h"

typedef struct real_set {
    const char *path, *labels; /* below the directory */
    const char *format, *label_column;
    size_t rows, columns, classes;
    const char *first_class, *last_class;
    size_t first_count, last_count; /* rows of those classes; 0: not checked */
    double low, high;               /* of all values */
    bool sparse;
} real_set;

static const real_set SETS[] = {
    {"usps/zip.train.gz", NULL, "csv", "first", 7291, 256, 10, "0", "9", 1194, 644, -1, 1, false},
    {"usps/zip.test.gz", NULL, "csv", "first", 2007, 256, 10, "0", "9", 359, 177, -1, 1, false},
    {"banana/banana.dat", NULL, "arff", "Class", 5300, 2, 2, "-1", "1", 2924, 2376, -3.09, 3.19, false},
    {"mnist/train-images-idx3-ubyte.gz", "mnist/train-labels-idx1-ubyte.gz", "idx", "none", 60000, 784, 10, "0", "9",
     5923, 5949, 0, 255, false},
    {"mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz", "idx", "none", 10000, 784, 10, "0", "9", 980,
     1009, 0, 255, false},
    {"cifar10_gray20/t10k-images-idx3-ubyte.gz", "cifar10_gray20/t10k-labels-idx1-ubyte.gz", "idx", "none", 10000, 400,
     10, "0", "9", 1000, 1000, 0, 255, false},
    {"covtype/covtype.data.gz", NULL, "csv", "last", 581012, 54, 7, "1", "7", 211840, 20510, -173, 7173, false},
    {"letter/letter-recognition.data", NULL, "csv", "first", 20000, 16, 26, "A", "Z", 789, 734, 0, 15, false},
    {"magic04/magic04.data", NULL, "csv", "last", 19020, 10, 2, "g", "h", 12332, 6688, -457.9161, 575.2407, false},
    {"ijcnn1/ijcnn1.gz", NULL, "libsvm", "first", 49990, 22, 2, "-1", "1", 45137, 4853, -0.930435, 1, false},
    {"ijcnn1/ijcnn1.t.gz", NULL, "libsvm", "first", 91701, 22, 2, "-1", "1", 82989, 8712, -1.32, 1.31, false},
};

static const char *directory(void) {
    const char *named = getenv("CNM_DATA");
    static const char *const TRIED[] = {"../shared/data", "../../shared/data", "../../../shared/data"};
    struct stat facts;
    for (size_t i = 0; named == NULL && i < sizeof TRIED / sizeof *TRIED; i++) {
        if (stat(TRIED[i], &facts) == 0) {
            return TRIED[i];
        }
    }
    return named != NULL && stat(named, &facts) == 0 ? named : NULL;
}

static void check_classes(const real_set *set, const table *rows) {
    class_set classes;
    size_t unknown, first = 0, last = 0;
    int32_t *codes = malloc(rows->rows * sizeof *codes);
    bool unsure;
    assert_int_equal(task_guess(&rows->labels, &unsure), TASK_CLASSIFY);
    assert_false(unsure);
    assert_int_equal(classes_create(&classes, &rows->labels, NULL), CNM_OK);
    assert_int_equal(classes.count, set->classes);
    assert_string_equal(classes.labels[0], set->first_class);
    assert_string_equal(classes.labels[classes.count - 1], set->last_class);
    assert_int_equal(classes_encode(&classes, &rows->labels, codes, &unknown, NULL), CNM_OK);
    assert_int_equal(unknown, 0);
    for (size_t i = 0; i < rows->rows; i++) {
        first += codes[i] == 0;
        last += codes[i] == (int32_t)classes.count - 1;
    }
    assert_int_equal(first, set->first_count);
    assert_int_equal(last, set->last_count);
    classes_free(&classes);
    free(codes);
}

static void check_range(const real_set *set, const table *rows) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < rows->rows; i++) {
        for (size_t j = 0; j < rows->columns; j++) {
            const double value = (double)rows->values[i * rows->columns + j] + (rows->base != NULL ? rows->base[j] : 0);
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    }
    /* the ranges are known to two decimals at worst */
    assert_true(fabs(low - set->low) < 0.006);
    assert_true(fabs(high - set->high) < 0.006);
}

static void check_set(const char *where, const real_set *set) {
    char path[512], labels[512];
    read_facts facts;
    cnm_error err = {0};
    table *rows = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", where, set->path);
    (void)snprintf(labels, sizeof labels, "%s/%s", where, set->labels != NULL ? set->labels : "");
    const reader_options options = {.labels_path = set->labels != NULL ? labels : NULL};
    reader *opened;
    if (reader_open(&opened, path, &options, NULL, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
    assert_string_equal(reader_format(opened), set->format);
    reader_close(opened);
    if (table_read(&rows, path, &options, &facts, NULL, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
    assert_string_equal(facts.label, set->label_column);
    assert_int_equal(rows->rows, set->rows);
    assert_int_equal(rows->columns, set->columns);
    assert_int_equal(rows->starts != NULL, set->sparse);
    assert_true(rows->labelled);
    assert_int_equal(rows->labels.rows, set->rows);
    check_classes(set, rows);
    check_range(set, rows);
    table_destroy(rows);
    memory_free(facts.label);
}

static void real_sets_have_their_documented_shapes(void **state) {
    const char *where = directory();
    (void)state;
    if (where == NULL) {
        print_message("skipped: no data sets (set CNM_DATA)\n");
        return;
    }
    for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++) {
        print_message("%s\n", SETS[i].path);
        check_set(where, &SETS[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(real_sets_have_their_documented_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
