/* Progress of reading: the share of a file is known, never falls, and ends at the whole of it. */
#include "data_support.h"

#include <math.h>
#include <unistd.h>

enum { ROWS = 40000 };

typedef struct listener {
    double fraction;
    size_t reports, stop_after; /* stop_after 0: never */
    uint64_t done;
    bool fell;
} listener;

static int listen(const cnm_progress *at, void *user) {
    listener *self = user;
    self->fell = self->fell || !(at->fraction >= self->fraction) || at->fraction > 1.0;
    self->fraction = at->fraction;
    self->done = at->done;
    assert_string_equal(at->phase, "read");
    return ++self->reports == self->stop_after;
}

/* Writes a CSV file with ROWS rows; returns its path. */
static const char *make_file(void) {
    const char *path = temporary_path("rows.csv");
    char *text = malloc((size_t)ROWS * 8);
    assert_non_null(text);
    for (size_t i = 0; i < ROWS; i++) {
        memcpy(text + 8 * i, "1,2,3,4\n", 8);
    }
    write_file(path, text, (size_t)ROWS * 8);
    free(text);
    return path;
}

static void a_file_is_read_from_none_to_all(void **unused) {
    (void)unused;
    listener heard = {0};
    const cnm_callbacks callbacks = {.struct_size = sizeof callbacks, .progress = listen, .user = &heard};
    const char *path = make_file();
    table *rows;
    assert_int_equal(table_read(&rows, path, NULL, NULL, &callbacks, NULL), CNM_OK);
    assert_true(heard.reports > 1);
    assert_int_equal(heard.done, ROWS);
    assert_false(heard.fell);
    assert_true(heard.fraction == 1.0);
    table_destroy(rows);
    (void)unlink(path);
}

static void batches_report_as_well_and_can_be_stopped(void **unused) {
    (void)unused;
    listener heard = {.stop_after = 3};
    const cnm_callbacks callbacks = {.struct_size = sizeof callbacks, .progress = listen, .user = &heard};
    const char *path = make_file();
    reader *opened;
    table *batch = NULL;
    cnm_status status;
    assert_int_equal(reader_open(&opened, path, NULL, &callbacks, NULL), CNM_OK);
    while ((status = reader_next(opened, 1000, &batch, NULL)) == CNM_OK && batch != NULL) {
        table_destroy(batch);
    }
    assert_int_equal(status, CNM_CANCELLED);
    assert_null(batch);
    assert_int_equal(heard.done, 3000);
    assert_false(heard.fell);
    reader_close(opened);
    (void)unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_from_none_to_all),
        cmocka_unit_test(batches_report_as_well_and_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
