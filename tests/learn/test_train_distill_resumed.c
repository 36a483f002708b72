/* A training that is cancelled while kernel models are tried for distillation, and then resumed,
 * ends with the bits of one without an interruption. The trials have no checkpoints of their own,
 * and the learning rate of the student must not depend on the interruption. */
#include "support/interruptions.h"

#include <unistd.h>

enum { ROWS = 100, COLUMNS = 4 };

static char folder[64], path[80];

static int make_folder(void **unused) {
    (void)unused;
    snprintf(folder, sizeof folder, "%scnm-distill-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/state", folder);
    return 0;
}

static int remove_folder(void **unused) {
    (void)unused;
    remove(path);
    return rmdir(folder);
}

/* Makes rows whose targets, or classes by their sign, change several times along a column: the
 * student's map then needs a larger learning rate than the smallest of those that are tried. */
static table *make_waves(bool regression) {
    table *out = table_make(ROWS, COLUMNS);
    normals(3, (size_t)ROWS * COLUMNS, 1.0, out->values);
    for (size_t i = 0; i < ROWS; i++) {
        const double wave = sin(3.0 * (double)out->values[i * COLUMNS]);
        if (regression) {
            label_number(out, wave);
        } else {
            label_text(out, wave > 0.0 ? "crest" : "trough");
        }
    }
    return out;
}

static settings distilling(void) {
    return (settings){.method = METHOD_CNM,
                      .map_rate = 1.0,
                      .features = 64,
                      .seed = 1,
                      .threads = 2,
                      .batch = 25,
                      .epochs = 400,
                      .noise = -1.0,
                      .decay = -1.0,
                      .distill = DISTILL_YES};
}

static settings with_checkpoint(bool resume, size_t threads) {
    settings wanted = distilling();
    wanted.checkpoint = path;
    wanted.checkpoint_every = 1e9; /* only where it is cancelled */
    wanted.resume = resume;
    wanted.threads = threads;
    return wanted;
}

static cnm_model *train_whole(const table *rows) {
    const settings wanted = distilling();
    cnm_error error = {0};
    cnm_model *model;
    now = (timeline){0};
    check_ok(learn(&model, rows, NULL, &wanted, &NOTICING, &error), &error);
    assert_string_equal(text_of(model, "distilled_from"), "kernel-ensemble");
    return model;
}

/* Cancels at a report, which is a trial of a kernel model. */
static void cancel_at(const table *rows, uint64_t report) {
    const settings wanted = with_checkpoint(false, 2);
    cnm_error error = {0};
    cnm_model *model;
    remove(path);
    now = (timeline){.stop_at = report};
    check_refusal(learn(&model, rows, NULL, &wanted, &NOTICING, &error), CNM_CANCELLED, &error, "stopped");
    assert_true(now.first_machine > 0 && report >= now.first_machine);
    assert_non_null(model);
    model_destroy(model);
}

static void check_resumed(const table *rows, const cnm_model *whole, size_t threads, const char *what) {
    const settings wanted = with_checkpoint(true, threads);
    cnm_error error = {0};
    cnm_model *model;
    now = (timeline){.words = "goes on from"};
    check_ok(learn(&model, rows, NULL, &wanted, &NOTICING, &error), &error);
    assert_int_equal(now.notices, 1);
    check_same_model(model, whole, true, what);
    model_destroy(model);
}

/* Cancels at the first trial, at the last, and between. */
static void check_every_trial(bool regression, const char *what) {
    enum { PARTS = 4 };
    table *rows = make_waves(regression);
    cnm_model *whole = train_whole(rows);
    const uint64_t first = now.first_machine, trials = now.machines;
    assert_true(trials > PARTS);
    for (size_t part = 0; part <= PARTS; part++) {
        cancel_at(rows, first + part * (trials - 1) / PARTS);
        check_resumed(rows, whole, THREADS[part % COUNT_OF(THREADS)], what);
    }
    model_destroy(whole);
    table_destroy(rows);
}

static void a_regression_is_resumed_to_the_same_bits(void **unused) {
    (void)unused;
    check_every_trial(true, "regression");
}

static void a_classification_is_resumed_to_the_same_bits(void **unused) {
    (void)unused;
    check_every_trial(false, "classes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_regression_is_resumed_to_the_same_bits),
        cmocka_unit_test(a_classification_is_resumed_to_the_same_bits),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
