/* Fits that diverge are taken back and go on with smaller steps and a notice: the model is finite
 * and the same for any number of threads. Where no step is small enough there is an error and no
 * model. Fits that do not diverge are left alone. */
#include "support/interruptions.h"

enum { ROWS = 300, COLUMNS = 4 };

typedef struct said {
    size_t diverged;
    char notice[CNM_MESSAGE_SIZE];
} said;

static void take_notice(const char *sentence, void *user) {
    said *out = user;
    if (strstr(sentence, "diverged") != NULL) {
        out->diverged++;
        snprintf(out->notice, sizeof out->notice, "%s", sentence);
    }
}

#define SHORT                                                                                                          \
    .map_rate = 1.0, .features = 12, .seed = 1, .batch = 50, .epochs = 20, .scale = 3, .noise = -1.0, .decay = -1.0

typedef struct diverging_case {
    const char *name;
    double unit; /* that rows are multiplied by */
    settings wanted;
} diverging_case;

/* A large penalty multiplies theta by about -rate * penalty at every plain step; decay does the
 * same to adaptive ones. */
static const diverging_case SAVED[] = {
    {"a map for a kernel",
     1.0,
     {SHORT, .method = METHOD_KERNEL, .map_steps = 50, .theta_penalty = PENALTY_L2, .theta_penalty_weight = 1e4}},
    {"alternating",
     1.0,
     {SHORT, .recipe = RECIPE_ALTERNATING, .iterations = 6, .head_steps = 10, .map_steps = 20,
      .theta_penalty = PENALTY_L2, .theta_penalty_weight = 1e6}},
    {"joint, circulant", 1.0, {SHORT, .projection = 1, .activation = 2, .gamma = GAMMA_NUMBER, .gamma_number = 1e18}},
    {"joint, relu", 1.0, {SHORT, .activation = 2, .gamma = GAMMA_NUMBER, .gamma_number = 1e18}},
};

/* Products of such columns exceed the range of floats at the first step. */
static const diverging_case LOST[] = {
    {"linear", 1e30, {.map_rate = 1.0, .method = METHOD_LINEAR, .seed = 1, .batch = 50, .epochs = 20, .scale = 1}},
};

static table *make_rows(double unit) {
    table *out = make_rings(4, ROWS, COLUMNS);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        out->values[i] = (float)((double)out->values[i] * unit);
    }
    return out;
}

static cnm_status train_on(const table *rows, const settings *plain, size_t threads, cnm_model **out, said *heard,
                           cnm_error *error) {
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .notice = take_notice, .user = heard};
    settings wanted = *plain;
    wanted.threads = threads;
    *heard = (said){0};
    return learn_train(out, rows, NULL, &wanted, NULL, &callbacks, error);
}

static void check_finite(const cnm_model *model, const table *rows, const char *name) {
    const rows_view view = table_view(rows);
    cnm_error error = {0};
    float *scores = take(rows->rows * model->outputs, sizeof *scores);
    check_ok(model_scores(model, &view, 1, scores, &error), &error);
    for (size_t i = 0; i < rows->rows * model->outputs; i++) {
        if (!isfinite(scores[i])) {
            fail_msg("%s: the score of row %zu is %g", name, i, (double)scores[i]);
        }
    }
    free(scores);
}

static void a_diverging_fit_is_taken_back_with_a_notice(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(SAVED); i++) {
        table *rows = make_rows(SAVED[i].unit);
        cnm_model *first = NULL;
        for (size_t t = 0; t < COUNT_OF(THREADS); t++) {
            cnm_error error = {0};
            cnm_model *model;
            said heard;
            check_ok(train_on(rows, &SAVED[i].wanted, THREADS[t], &model, &heard, &error), &error);
            if (heard.diverged == 0 || record_get(&model->record, "rate_divided_by") == NULL) {
                fail_msg("%s: %zu notices, and the model says %s", SAVED[i].name, heard.diverged,
                         record_get(&model->record, "rate_divided_by"));
            }
            assert_non_null(strstr(heard.notice, "times smaller now"));
            check_finite(model, rows, SAVED[i].name);
            if (first == NULL) {
                first = model;
            } else {
                check_same_model(first, model, true, SAVED[i].name);
                model_destroy(model);
            }
        }
        model_destroy(first);
        table_destroy(rows);
    }
}

static void where_no_step_is_small_enough_there_is_an_error(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(LOST); i++) {
        table *rows = make_rows(LOST[i].unit);
        cnm_error error = {0};
        cnm_model *model;
        said heard;
        const cnm_status status = train_on(rows, &LOST[i].wanted, 2, &model, &heard, &error);
        if (status != CNM_BAD_DATA || model != NULL || strstr(error.message, "--scale standard") == NULL) {
            fail_msg("%s: status %d, \"%s\"", LOST[i].name, (int)status, error.message);
        }
        table_destroy(rows);
    }
}

/* Every trial diverges, and none may be chosen for that. */
static void trials_that_diverge_are_ended(void **unused) {
    (void)unused;
    const settings wanted = {.map_rate = 1.0,
                             .features = 12,
                             .seed = 1,
                             .batch = 50,
                             .epochs = 1000,
                             .noise = -1.0,
                             .decay = 300.0,
                             .effort = EFFORT_NORMAL};
    table *rows = make_rows(1.0);
    cnm_error error = {0};
    cnm_model *model;
    said heard;
    check_ok(train_on(rows, &wanted, 2, &model, &heard, &error), &error);
    assert_int_equal(heard.diverged, 1); /* of the final fit alone */
    check_finite(model, rows, "after the search");
    model_destroy(model);
    table_destroy(rows);
}

static void fits_that_converge_are_left_alone(void **unused) {
    (void)unused;
    for (int method = METHOD_CNM; method <= METHOD_LINEAR; method++) {
        const settings wanted = {SHORT, .method = method, .map_steps = 50};
        table *rows = make_rows(1.0);
        cnm_error error = {0};
        cnm_model *model;
        said heard;
        check_ok(train_on(rows, &wanted, 2, &model, &heard, &error), &error);
        assert_int_equal(heard.diverged, 0);
        assert_null(record_get(&model->record, "rate_divided_by"));
        model_destroy(model);
        table_destroy(rows);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diverging_fit_is_taken_back_with_a_notice),
        cmocka_unit_test(where_no_step_is_small_enough_there_is_an_error),
        cmocka_unit_test(trials_that_diverge_are_ended),
        cmocka_unit_test(fits_that_converge_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
