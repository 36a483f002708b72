/* A training that is interrupted and resumed ends with the bits of one that is not: for every
 * method and projection, wherever it was interrupted, with another number of threads. Also what is
 * lost, and which notices there are. */
#include "support/interruptions.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64], path[80], elsewhere[80];

static int make_folder(void **unused) {
    (void)unused;
    /* in memory where that can be, for syncing takes its time on disks */
    snprintf(folder, sizeof folder, "%scnm-checkpoint-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/state", folder);
    snprintf(elsewhere, sizeof elsewhere, "%s-moved", folder);
    return 0;
}

static int remove_folder(void **unused) {
    (void)unused;
    remove(path);
    return rmdir(folder); /* fails where a part was left behind */
}

/* ---- Trainings ---- */

enum { ROWS = 200 };
static char BALANCED[] = "balanced";

#define SHORT .seed = 1, .threads = 2, .batch = 25
#define LEARNED .map_rate = 1.0
#define HEAD SHORT, LEARNED, .features = 20, .epochs = 20
#define OPEN SHORT, .method = METHOD_CNM, .noise = -1.0, .decay = -1.0
#define SEARCHED OPEN, .effort = EFFORT_NORMAL
#define DISTILLED .distill = DISTILL_YES
#define JOINT OPEN, LEARNED, .features = 20, .epochs = 20
#define KERNEL SHORT, LEARNED, .features = 20, .epochs = 10, .method = METHOD_KERNEL, .map_steps = 60
#define ALTERNATING                                                                                                    \
    SHORT, LEARNED, .features = 20, .method = METHOD_CNM, .recipe = RECIPE_ALTERNATING, .iterations = 12,              \
                    .head_steps = 15, .map_steps = 10

typedef struct training_case {
    const char *name;
    bool regression, sparse, from; /* from: a warm start */
    bool typed;                    /* columns of words, missing cells */
    settings wanted;
} training_case;

/* clang-format off */
static const training_case CASES[] = {
    {"joint with its search", false, false, false, false, {SEARCHED, LEARNED, .features = 20, .epochs = 500}},
    {"joint, features chosen too", false, false, false, false, {SEARCHED, LEARNED, .epochs = 100}},
    {"joint, profiles compared", false, false, false, false,
     {SEARCHED, .map_rate = -1.0, .features = 40, .epochs = 300}},
    {"joint", false, false, false, false, {JOINT}},
    {"joint, validation rows", false, false, false, false,
     {OPEN, LEARNED, .features = 20, .epochs = 80, .validation = 0.3, .patience = 3}},
    {"joint, regression", true, false, false, false, {JOINT}},
    {"joint, circulant", false, false, false, false, {JOINT, .projection = 1, .validation = 0.3}},
    {"joint, circulant-diagonal", false, false, false, false, {JOINT, .projection = 2, .class_weight = BALANCED}},
    {"joint, a stack with its search", false, false, false, false,
     {SEARCHED, LEARNED, .epochs = 200, .layer_count = 2, .layers = {{"dense", 9}, {"dense", 7}}}},
    {"joint, a stack, validation rows", false, false, false, false,
     {JOINT, .validation = 0.3, .layer_count = 3,
      .layers = {{"columns", 3}, {"circulant-diagonal", 9}, {"circulant", 8}}}},
    {"joint, a stack, pruned", false, false, false, false,
     {JOINT, .prune = 0.4, .layer_count = 2, .layers = {{"circulant", 9}, {"dense", 12}}}},
    {"joint, sparse rows", false, true, false, false, {JOINT, .scale = 1}},
    {"joint, from a model", false, false, true, false, {OPEN, LEARNED, .features = 30, .epochs = 20}},
    {"joint, words", false, false, false, true, {JOINT}},
    {"joint, words, from a model", false, false, true, true, {OPEN, LEARNED, .features = 30, .epochs = 20}},
    {"joint, pruned", false, false, false, false, {JOINT, .prune = 0.4}},
    {"joint, hinge, pruned", false, false, false, false, {JOINT, .prune = 0.4, .loss = 1}},
    {"joint, hinge, few validation rows", false, false, false, false, {JOINT, .loss = 1, .validation = 0.03}},
    {"joint, balanced", false, false, false, false, {JOINT, .metric = METRIC_BALANCED}},
    {"distilling", false, false, false, false, {JOINT, DISTILLED}},
    {"distilling, regression, with its search", true, false, false, false,
     {SEARCHED, LEARNED, .features = 20, .epochs = 200, DISTILLED}},
    {"distilling, few epochs", false, false, false, false,
     {OPEN, LEARNED, .features = 20, .epochs = 31, DISTILLED, .task = WANT_AUTO}},
    {"alternating", false, false, false, false, {ALTERNATING}},
    {"alternating, validation rows", false, false, false, false, {ALTERNATING, .validation = 0.3, .patience = 3}},
    {"alternating, circulant", false, false, false, false, {ALTERNATING, .projection = 1}},
    {"alternating, circulant-diagonal", false, false, false, false, {ALTERNATING, .projection = 2}},
    {"alternating, a stack", false, false, false, false,
     {ALTERNATING, .validation = 0.3, .layer_count = 3, .layers = {{"columns", 2}, {"dense", 9}, {"circulant", 7}}}},
    {"kernel", false, false, false, false, {KERNEL}},
    {"kernel, circulant", false, false, false, false, {KERNEL, .projection = 1}},
    {"kernel, circulant-diagonal", false, false, false, false, {KERNEL, .projection = 2}},
    {"kernel, the map alone", false, false, false, false, {KERNEL, .task = WANT_MAP}},
    {"rff, hinge", false, false, false, false, {HEAD, .method = METHOD_RFF}},
    {"rff, circulant, softmax", false, false, false, false, {HEAD, .method = METHOD_RFF, .loss = 4, .projection = 1}},
    {"linear", false, false, false, false, {HEAD, .method = METHOD_LINEAR}},
    {"linear, f1", false, false, false, false, {HEAD, .method = METHOD_LINEAR, .metric = METRIC_F1}},
    {"linear, regression", true, false, false, false, {HEAD, .method = METHOD_LINEAR}},
    {"a map that diverges", false, false, false, false,
     {KERNEL, .theta_penalty = PENALTY_L2, .theta_penalty_weight = 1e4}},
};
/* clang-format on */

static table *make_rows(const training_case *how) {
    table *out = make_rings(3, ROWS, 6);
    if (how->regression) {
        for (size_t i = 0; i < ROWS; i++) {
            out->labels.numbers[i] = 3.0 * (double)out->values[6 * i] + uniform(9, i);
        }
    }
    if (how->typed) {
        make_typed(out);
    }
    if (how->sparse) {
        out->starts = take_owned(ROWS + 1, sizeof(size_t));
        out->index = take_owned((size_t)ROWS * 6, sizeof(uint32_t));
        for (size_t i = 0; i < (size_t)ROWS * 6; i++) {
            out->index[i] = (uint32_t)(i % 6);
            out->starts[i / 6 + 1] = i + 1;
        }
    }
    return out;
}

/* Runs one training, in which happens what `now` asks for. */
static cnm_status train_once(const training_case *how, const table *rows, const settings *wanted, cnm_model **out,
                             cnm_error *error) {
    cnm_model *start = NULL;
    if (how->from) {
        const timeline kept = now;
        const settings first = {JOINT};
        now = (timeline){0};
        start = train(rows, &first);
        now = kept;
    }
    const cnm_status status = learn_train(out, rows, NULL, wanted, start, &NOTICING, error);
    model_destroy(start);
    return status;
}

static cnm_model *train_whole(const training_case *how, const table *rows, uint64_t *reports) {
    cnm_error error = {0};
    cnm_model *model;
    now = (timeline){0};
    check_ok(train_once(how, rows, &how->wanted, &model, &error), &error);
    *reports = now.reports;
    return model;
}

static settings with_checkpoint(const training_case *how, double every, bool resume, size_t threads) {
    settings wanted = how->wanted;
    wanted.checkpoint = path;
    wanted.checkpoint_every = every;
    wanted.resume = resume;
    wanted.threads = threads;
    return wanted;
}

/* Resumes to the end and checks that the model is `whole`. Returns the chunks that this took,
 * without trials of kernel models. */
static uint64_t check_resumed(const training_case *how, const table *rows, const cnm_model *whole, size_t threads,
                              const char *notice, const char *what) {
    const settings wanted = with_checkpoint(how, 100.0, true, threads);
    cnm_error error = {0};
    cnm_model *model;
    char name[160];
    now = (timeline){0};
    snprintf(now.words, sizeof now.words, "%s", notice);
    check_ok(train_once(how, rows, &wanted, &model, &error), &error);
    snprintf(name, sizeof name, "%s, %s", how->name, what);
    check_same_model(model, whole, true, name);
    if (model->history.count != whole->history.count) {
        fail_msg("%s: a history of %zu points instead of %zu", name, model->history.count, whole->history.count);
    }
    if (now.notices != 1) {
        fail_msg("%s: %zu notices that say \"%s\"", name, now.notices, notice);
    }
    model_destroy(model);
    return now.reports - now.machines;
}

/* Returns the chunks before a report of the training `whole`, without trials of kernel models. */
static uint64_t steps_before(const timeline *whole, uint64_t report) {
    const uint64_t tried = report < whole->first_machine ? 0 : report - whole->first_machine + 1;
    return report - (tried < whole->machines ? tried : whole->machines);
}

/* ---- Interrupted by the caller ---- */

static void cancel_at(const training_case *how, const table *rows, uint64_t report, bool resume) {
    const settings wanted = with_checkpoint(how, 1e9, resume, 2);
    cnm_error error = {0};
    cnm_model *model = NULL;
    now = (timeline){.stop_at = report};
    const cnm_status status = train_once(how, rows, &wanted, &model, &error);
    if (status != CNM_CANCELLED || model == NULL) {
        fail_msg("%s, cancelled at %llu: status %d, \"%s\"", how->name, (unsigned long long)report, (int)status,
                 error.message);
    }
    model_destroy(model);
}

/* Cancels at sevenths of a training: in the search, in the map, in the head. Then twice in one
 * training. */
static void a_cancelled_training_is_resumed_to_the_same_bits(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const training_case *how = &CASES[i];
        table *rows = make_rows(how);
        uint64_t all;
        cnm_model *whole = train_whole(how, rows, &all);
        assert_true(all > 8);
        for (uint64_t part = 0; part < 7;
             part += how->wanted.effort == EFFORT_NORMAL && how->wanted.distill == DISTILL_AUTO ? 1 : 3) {
            remove(path);
            /* At the half a phase may end, where a cancel comes too late for it. */
            cancel_at(how, rows, 1 + part * (all - 2) / 6 - (part == 6) + (part == 3), false);
            check_resumed(how, rows, whole, THREADS[part % COUNT_OF(THREADS)], "goes on from", "cancelled");
        }
        remove(path);
        cancel_at(how, rows, all / 4, false);
        cancel_at(how, rows, all / 4, true);
        check_resumed(how, rows, whole, 1, "goes on from", "cancelled twice");
        check_resumed(how, rows, whole, 1, "was finished", "finished");
        model_destroy(whole);
        table_destroy(rows);
    }
}

/* Stops a training in its estimate: there is no model, and the file stays as it is. */
static void stop_in_estimate(const training_case *how, const table *rows, bool resume) {
    const settings wanted = with_checkpoint(how, 1e9, resume, 2);
    cnm_error error = {0};
    cnm_model *model;
    now = (timeline){.stop_at = 5};
    check_refusal(train_once(how, rows, &wanted, &model, &error), CNM_CANCELLED, &error, "before there was a model");
    assert_null(model);
    assert_int_equal(access(path, F_OK), resume ? 0 : -1);
}

/* An estimate is made anew by the resumed training, and ends in the same model. */
static void a_resumed_training_makes_its_estimate_again(void **unused) {
    (void)unused;
    const training_case plain = {"without", false, false,
                                 false,     false, {SEARCHED, LEARNED, .features = 20, .epochs = 300}};
    training_case how = plain;
    table *rows = make_rows(&how);
    uint64_t all, rest;
    how.name = "with an estimate";
    how.wanted.estimate = ESTIMATE_YES;
    model_destroy(train_whole(&plain, rows, &rest));
    cnm_model *whole = train_whole(&how, rows, &all);
    assert_true(all > rest + 8);
    for (uint64_t part = 0; part < 3; part++) { /* in the search and after it */
        remove(path);
        stop_in_estimate(&how, rows, false);
        cancel_at(&how, rows, all - rest + 2 + part * (rest - 6) / 2, false);
        stop_in_estimate(&how, rows, true);
        check_resumed(&how, rows, whole, THREADS[part], "goes on from", "cancelled");
    }
    model_destroy(whole);
    table_destroy(rows);
}

/* Labels are random, so that the estimate ends the search; a time limit forbids it. What the first
 * part of a training did, the second does. */
static void a_search_that_was_left_out_stays_so(void **unused) {
    (void)unused;
    const training_case how = {
        "unsearched", false, false,
        false,        false, {SEARCHED, LEARNED, .features = 20, .epochs = 60, .estimate = ESTIMATE_YES}};
    table *rows = make_rows(&how);
    uint64_t all;
    cnm_error error = {0};
    cnm_model *model;
    for (size_t i = 0; i < ROWS; i++) {
        rows->labels.numbers[i] = uniform(4, i) < 0.5 ? -1.0 : 1.0;
    }
    cnm_model *whole = train_whole(&how, rows, &all);
    assert_null(strstr(text_of(whole, "stages"), "search"));
    remove(path);
    cancel_at(&how, rows, all - 10, false);
    check_resumed(&how, rows, whole, 2, "goes on from", "cancelled");
    remove(path);
    settings limited = with_checkpoint(&how, 1e9, false, 2);
    limited.time_limit = (double)all;
    now = (timeline){0};
    check_ok(train_once(&how, rows, &limited, &model, &error), &error);
    assert_non_null(strstr(text_of(model, "stages"), "search"));
    model_destroy(model);
    limited = with_checkpoint(&how, 1e9, true, 2);
    now = (timeline){0};
    check_ok(train_once(&how, rows, &limited, &model, &error), &error);
    assert_non_null(strstr(text_of(model, "stages"), "search"));
    model_destroy(model);
    model_destroy(whole);
    table_destroy(rows);
}

/* ---- Killed ---- */

/* Runs a child process that is killed at its n-th chunk. */
static void kill_at(const training_case *how, const table *rows, uint64_t report, uint64_t every) {
    const settings wanted = with_checkpoint(how, (double)every, false, 2);
    const pid_t child = fork();
    int state;
    assert_true(child >= 0);
    if (child == 0) {
        cnm_model *model;
        now = (timeline){.kill_at = report};
        (void)train_once(how, rows, &wanted, &model, NULL);
        _exit(3);
    }
    assert_int_equal(waitpid(child, &state, 0), child);
    assert_true(WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL);
}

/* The clock counts chunks, so that a checkpoint is due after every `every` chunks. Trials of kernel
 * models are repeated, and not counted. */
static void a_kill_loses_at_most_one_interval(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const training_case *how = &CASES[i];
        table *rows = make_rows(how);
        uint64_t all;
        cnm_model *whole = train_whole(how, rows, &all);
        const timeline whole_run = now;
        const uint64_t every = 1 + all / 6, steps = steps_before(&whole_run, all);
        for (uint64_t report = 1; report < all; report += 1 + all / 3) {
            remove(path);
            kill_at(how, rows, report, every);
            const uint64_t after =
                check_resumed(how, rows, whole, 2, report > every ? "with step" : "afresh", "killed");
            const uint64_t before = steps_before(&whole_run, report);
            if (before + after > steps + every) {
                fail_msg("%s: %llu chunks before the kill and %llu after it, of %llu", how->name,
                         (unsigned long long)before, (unsigned long long)after, (unsigned long long)steps);
            }
        }
        model_destroy(whole);
        table_destroy(rows);
    }
}

/* ---- Files that cannot be written ---- */

static void move_folder(uint64_t report) {
    if (report == 10) {
        assert_int_equal(rename(folder, elsewhere), 0);
    }
}

static void fill_disk(uint64_t report) {
    if (report == 10) {
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, RLIM_INFINITY}), 0);
    }
}

static void check_continues_without(void (*trouble)(uint64_t), void (*end)(void), const char *words) {
    const training_case *how = &CASES[2];
    const settings wanted = with_checkpoint(how, 0.0, false, 2);
    table *rows = make_rows(how);
    uint64_t all;
    cnm_error error = {0};
    cnm_model *whole = train_whole(how, rows, &all), *model;
    assert_true(all > 15);
    remove(path);
    now = (timeline){.at = trouble, .words = "no checkpoint"};
    check_ok(train_once(how, rows, &wanted, &model, &error), &error);
    end();
    assert_int_equal(now.notices, 1); /* not one for every attempt */
    assert_non_null(strstr(now.notice, words));
    check_same_model(model, whole, true, words);
    model_destroy(model);
    /* the last good one */
    const uint64_t after = check_resumed(how, rows, whole, 2, "goes on from", words);
    assert_int_equal(after, all - 9);
    model_destroy(whole);
    table_destroy(rows);
}

static void bring_folder_back(void) { assert_int_equal(rename(elsewhere, folder), 0); }
static void empty_disk(void) {
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}), 0);
}

static void a_lost_folder_gives_one_notice_and_training_goes_on(void **unused) {
    (void)unused;
    check_continues_without(move_folder, bring_folder_back, "No such file");
}

static void a_full_disk_gives_one_notice_and_the_last_checkpoint_stays(void **unused) {
    (void)unused;
    signal(SIGXFSZ, SIG_IGN);
    check_continues_without(fill_disk, empty_disk, "too large");
}

static void without_a_checkpoint_training_starts_afresh_with_a_notice(void **unused) {
    (void)unused;
    const training_case *how = &CASES[2];
    const settings wanted = with_checkpoint(how, 1e9, true, 2);
    table *rows = make_rows(how);
    cnm_error error = {0};
    cnm_model *model;
    remove(path);
    now = (timeline){.words = "afresh"};
    check_ok(train_once(how, rows, &wanted, &model, &error), &error);
    assert_int_equal(now.notices, 1);
    model_destroy(model);
    table_destroy(rows);
}

static void leave(const char *name) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void files_of_a_killed_writer_are_removed(void **unused) {
    (void)unused;
    const training_case *how = &CASES[2];
    const settings wanted = with_checkpoint(how, 1e9, false, 2);
    table *rows = make_rows(how);
    cnm_error error = {0};
    cnm_model *model;
    char ours[120], others[2][120];
    snprintf(ours, sizeof ours, "%s.partial-0123456789ab", path);
    snprintf(others[0], sizeof others[0], "%s.partial-0123456789abc", path);
    snprintf(others[1], sizeof others[1], "%s2.partial-0123456789ab", path);
    leave(ours);
    leave(others[0]);
    leave(others[1]);
    now = (timeline){0};
    check_ok(train_once(how, rows, &wanted, &model, &error), &error);
    assert_int_not_equal(access(ours, F_OK), 0);
    assert_int_equal(remove(others[0]), 0);
    assert_int_equal(remove(others[1]), 0);
    model_destroy(model);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cancelled_training_is_resumed_to_the_same_bits),
        cmocka_unit_test(a_resumed_training_makes_its_estimate_again),
        cmocka_unit_test(a_search_that_was_left_out_stays_so),
        cmocka_unit_test(a_kill_loses_at_most_one_interval),
        cmocka_unit_test(a_lost_folder_gives_one_notice_and_training_goes_on),
        cmocka_unit_test(a_full_disk_gives_one_notice_and_the_last_checkpoint_stays),
        cmocka_unit_test(without_a_checkpoint_training_starts_afresh_with_a_notice),
        cmocka_unit_test(files_of_a_killed_writer_are_removed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
