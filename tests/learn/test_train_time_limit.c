/* A time limit on a clock that counts chunks of steps: wherever it falls, in the search or after
 * it, the training ends well, is not taken for one that the caller stopped, and can be resumed with
 * a longer limit or none. */
#include "support/interruptions.h"
#include "support/made_session.h"

#include <unistd.h>

static char path[64];

static settings with_limit(double limit, bool resume) {
    return (settings){.map_rate = 1.0,
                      .method = METHOD_CNM,
                      .seed = 1,
                      .threads = 2,
                      .batch = 25,
                      .epochs = 500,
                      .noise = -1.0,
                      .decay = -1.0,
                      .effort = EFFORT_NORMAL,
                      .time_limit = limit,
                      .checkpoint = path,
                      .checkpoint_every = 20.0,
                      .resume = resume};
}

static cnm_model *train_within(const table *rows, double limit, bool resume, uint64_t stop_at) {
    const settings wanted = with_limit(limit, resume);
    cnm_error error = {0};
    cnm_model *model;
    now = (timeline){.stop_at = stop_at};
    const cnm_status status = learn_train(&model, rows, NULL, &wanted, NULL, &NOTICING, &error);
    if (status != (stop_at > 0 ? CNM_CANCELLED : CNM_OK)) {
        fail_msg("limit %g, stopped at %llu: status %d, \"%s\"", limit, (unsigned long long)stop_at, (int)status,
                 error.message);
    }
    return model;
}

static void wherever_a_limit_falls_the_training_ends_and_can_be_resumed(void **unused) {
    (void)unused;
    table *rows = make_rings(3, 200, 6);
    remove(path);
    cnm_model *whole = train_within(rows, 0.0, false, 0);
    const uint64_t all = now.reports;
    const double steps = number_of(whole, "steps");
    assert_true(all > 500 && steps == 4000.0);
    for (uint64_t limit = 50; limit < 2 * all; limit += all / 6) {
        remove(path);
        cnm_model *model = train_within(rows, (double)limit, false, 0);
        const double made = number_of(model, "steps");
        model_destroy(model);
        model = train_within(rows, (double)limit, true, 0); /* as long again */
        assert_true(number_of(model, "steps") >= made);
        model_destroy(model);
        model = train_within(rows, 0.0, true, 0);
        assert_true(number_of(model, "steps") == steps);
        model_destroy(model);
    }
    model_destroy(whole);
    table_destroy(rows);
}

/* The limit ended the search, and the checkpoint is from the steps after it: a resumed training
 * does not search on. */
static void a_search_that_was_shortened_is_not_continued(void **unused) {
    (void)unused;
    table *rows = make_rings(3, 200, 6);
    for (uint64_t at = 260; at < 500; at += 80) {
        remove(path);
        model_destroy(train_within(rows, 600.0, false, at));
        model_destroy(train_within(rows, 0.0, true, 0));
    }
    table_destroy(rows);
}

static int name_file(void **unused) {
    (void)unused;
    snprintf(path, sizeof path, "%scnm-limit-%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "", (long)getpid());
    return 0;
}

static int remove_file(void **unused) {
    (void)unused;
    return remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wherever_a_limit_falls_the_training_ends_and_can_be_resumed),
        cmocka_unit_test(a_search_that_was_shortened_is_not_continued),
    };
    return cmocka_run_group_tests(tests, name_file, remove_file);
}
