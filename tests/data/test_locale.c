/* Numbers are read and written the same in a process whose locale writes 0,5 for a half. */
#include "data_support.h"

#include <locale.h>
#include <unistd.h>

#include "data/write/writer.h"

static bool comma_locale(void) {
    static const char *const NAMES[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE"};
    for (size_t i = 0; i < 3; i++) {
        if (setlocale(LC_ALL, NAMES[i]) != NULL) {
            char text[16];
            (void)snprintf(text, sizeof text, "%.1f", 0.5);
            assert_string_equal(text, "0,5"); /* else the test would show nothing */
            return true;
        }
    }
    print_message("skipped: no locale de_DE.UTF-8\n");
    return false;
}

static void numbers_ignore_the_locale(void **state) {
    static const char *const TEXTS[] = {
        "1 1:0.5 3:-2.25e-3\n-1.5 2:1e2\n",
        "a;b;label\n0.5;2;0.25\n-2.25e-3;1e2;0.75\n7;8;9\n",
        "@relation r\n@attribute a real[0.5,1.5]\n@attribute k {0.5,1.5}\n@data\n0.5,1.5\n-2.25e-3,0.5\n",
    };
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        table *plain = read_text(TEXTS[k], NULL);
        if (!comma_locale()) {
            table_destroy(plain);
            return;
        }
        assert_reads_same(plain, TEXTS[k], strlen(TEXTS[k]), NULL, 1);
        static const char *const NAMES[] = {"x.libsvm", "x.csv"};
        for (size_t f = 0; f < 2; f++) {
            table *back;
            const char *path = temporary_path(NAMES[f]);
            assert_int_equal(table_write(plain, path, NULL, NULL, NULL), CNM_OK);
            (void)setlocale(LC_ALL, "C");
            assert_int_equal(table_read(&back, path, NULL, NULL, NULL, NULL), CNM_OK);
            for (size_t i = 0; i < plain->rows; i++) {
                for (size_t j = 0; j < plain->columns; j++) {
                    assert_true(cell_at(plain, i, j) == cell_at(back, i, j));
                }
            }
            assert_true(comma_locale());
            table_destroy(back);
            (void)unlink(path);
        }
        (void)setlocale(LC_ALL, "C");
        table_destroy(plain);
    }
}

static void messages_ignore_the_locale(void **state) {
    table *rows;
    cnm_error err = {0};
    const reader_options options = {.weight_column = "2"};
    (void)state;
    if (comma_locale()) {
        assert_int_equal(read_batches(&rows, "1,2,0\n1,-2.5,0\n", 15, &options, 9, NULL, &err), CNM_BAD_DATA);
        assert_string_equal(err.message, "f:2: found the weight -2.5, expected a finite number that is not negative");
    }
    (void)setlocale(LC_ALL, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_ignore_the_locale),
        cmocka_unit_test(messages_ignore_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
