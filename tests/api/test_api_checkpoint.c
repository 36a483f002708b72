/* Checkpoints through the public functions: which options may differ when a training is resumed,
 * and which are refused by name. */
#include "api/api_support.h"

#include <unistd.h>

static char path[64];

static int stop_at_once(const cnm_progress *at, void *user) {
    (void)at, (void)user;
    return 1;
}

static const char *const BASE[] = {"features", "5", "epochs", "3", "effort", "quick", "batch", "20", NULL};

/* Trains with the base and one more option; with `resume`, from the checkpoint. */
static cnm_status train_from(const char *name, const char *value, bool resume, cnm_model **out, cnm_error *error) {
    cnm_options *options = options_of(BASE);
    sample rows;
    sample_make(&rows);
    cnm_data *data = labelled_view(&rows);
    const cnm_callbacks stopping = {.struct_size = sizeof(cnm_callbacks), .progress = stop_at_once};
    check_ok(cnm_options_set(options, "checkpoint", path, error), error);
    check_ok(cnm_options_set(options, "resume", resume ? "yes" : "no", error), error);
    if (name != NULL) {
        check_ok(cnm_options_set(options, name, value, error), error);
    }
    const cnm_status status = cnm_train(out, data, options, resume ? NULL : &stopping, error);
    cnm_data_destroy(data);
    cnm_options_destroy(options);
    return status;
}

static void leave_checkpoint(void) {
    cnm_error error = {0};
    cnm_model *model;
    remove(path);
    (void)train_from(NULL, NULL, false, &model, &error); /* stopped, or through before anybody was asked */
    cnm_model_destroy(model);
    assert_int_equal(access(path, R_OK), 0);
}

/* Another value for options of training that go with the base. */
static const char *const OTHERS[][2] = {
    {"features", "6"},      {"projection", "circulant"},
    {"init", "orthogonal"}, {"phase", "none"},
    {"kernel", "cauchy"},   {"gamma", "2"},
    {"activation", "relu"}, {"task", "classify"},
    {"dtype", "f32"},       {"loss", "hinge"},
    {"lambda", "0.1"},      {"theta-penalty", "l2:1"},
    {"epochs", "4"},        {"batch", "21"},
    {"noise", "0.1"},       {"decay", "0.1"},
    {"effort", "normal"},   {"metric", "auc"},
    {"validation", "0.1"},  {"class-weight", "balanced"},
    {"scale", "standard"},  {"missing", "mean"},
    {"seed", "2"},
};

static void another_value_of_any_option_is_refused_by_name(void **state) {
    (void)state;
    leave_checkpoint();
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        cnm_error error = {0};
        cnm_model *model;
        char words[128];
        snprintf(words, sizeof words, "is from a training with --%s ", OTHERS[i][0]);
        check_refusal(train_from(OTHERS[i][0], OTHERS[i][1], true, &model, &error), CNM_BAD_ARGUMENT, &error, words);
        assert_non_null(strstr(error.message, OTHERS[i][1]));
        assert_null(model);
    }
}

static void how_it_is_run_may_differ(void **state) {
    (void)state;
    static const char *const FREE[][2] = {
        {"threads", "3"}, {"checkpoint-every", "5"}, {"time-limit", "1000"}, {"format", "csv"}, {"separator", "tab"}};
    for (size_t i = 0; i < COUNT_OF(FREE); i++) {
        cnm_error error = {0};
        cnm_model *model;
        leave_checkpoint();
        check_ok(train_from(FREE[i][0], FREE[i][1], true, &model, &error), &error);
        cnm_model_destroy(model);
    }
}

static int name_file(void **state) {
    (void)state;
    snprintf(path, sizeof path, "%scnm-api-%ld", access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : "", (long)getpid());
    return 0;
}

static int remove_file(void **state) {
    (void)state;
    return remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_value_of_any_option_is_refused_by_name),
        cmocka_unit_test(how_it_is_run_may_differ),
    };
    return cmocka_run_group_tests(tests, name_file, remove_file);
}
