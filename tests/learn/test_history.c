/* The course of a training: points at fixed steps, whatever the clock, the callbacks and the number
 * of threads are; and the steps in the metadata are those that were made. */
#include "support/trainings.h"

static void check_same_history(const history *a, const history *b, const char *what) {
    if (a->count != b->count) {
        fail_msg("%s: %zu and %zu points", what, a->count, b->count);
    }
    for (size_t i = 0; i < a->count; i++) {
        const history_point *one = &a->points[i], *other = &b->points[i];
        const bool same_score = one->validation == other->validation || isnan(one->validation + other->validation);
        if (strcmp(one->phase, other->phase) != 0 || one->step != other->step || one->total != other->total ||
            one->loss != other->loss || !same_score) {
            fail_msg("%s: point %zu differs", what, i);
        }
    }
}

static int go_on(const cnm_progress *progress, void *user) {
    (void)progress, (void)user;
    return 0;
}

static void points_depend_on_neither_callbacks_nor_threads(void **state) {
    (void)state;
    static const cnm_callbacks SHOWING = {sizeof SHOWING, go_on, NULL, NULL, NULL};
    method_case cases[METHOD_CASES];
    method_cases(cases);
    table *rows = make_rings(21, 230, 2);
    for (size_t i = 0; i < METHOD_CASES; i++) {
        settings wanted = cases[i].wanted;
        cnm_model *quiet = train(rows, &wanted), *shown;
        wanted.threads = 1;
        assert_int_equal(learn(&shown, rows, NULL, &wanted, &SHOWING, NULL), CNM_OK);
        assert_true(quiet->history.count > 0);
        check_same_history(&quiet->history, &shown->history, cases[i].what);
        model_destroy(quiet);
        model_destroy(shown);
    }
    table_destroy(rows);
}

static void each_phase_has_twenty_points_that_ascend(void **state) {
    (void)state;
    table *rows = make_rings(1, 300, 4);
    for (size_t i = 0; i < COUNT_OF(FIT_METHODS); i++) {
        const settings wanted = fit_settings(&FIT_METHODS[i], 8);
        cnm_model *model = train(rows, &wanted);
        const history *past = &model->history;
        size_t points = 0;
        for (size_t j = 0; j < past->count; j++) {
            const bool first = j == 0 || strcmp(past->points[j].phase, past->points[j - 1].phase) != 0;
            assert_true(first || past->points[j].step > past->points[j - 1].step);
            assert_true(past->points[j].step <= past->points[j].total && isfinite(past->points[j].loss));
            points = first ? 1 : points + 1;
            const bool last = j + 1 == past->count || strcmp(past->points[j].phase, past->points[j + 1].phase) != 0;
            assert_true(!last || (points >= 20 && past->points[j].step == past->points[j].total));
        }
        assert_true((double)past->points[past->count - 1].step == number_of(model, "steps"));
        model_destroy(model);
    }
    table_destroy(rows);
}

/* The score in the metadata is that of the step in the metadata, which is the first best one. */
static void early_stopping_says_where_it_stopped_and_what_was_best(void **state) {
    (void)state;
    table *rows = make_rings(1, 300, 8);
    size_t stopped = 0;
    for (size_t i = 0; i < 4; i++) {
        settings wanted = fit_settings(&FIT_METHODS[i], 12);
        wanted.validation = 0.25;
        wanted.patience = 2;
        wanted.epochs = 400;
        cnm_model *model = train(rows, &wanted);
        const history *past = &model->history;
        const double best = number_of(model, "validation_score");
        double step = 0.0;
        size_t evaluated = 0;
        for (size_t j = 0; j < past->count; j++) {
            evaluated += isnan(past->points[j].validation) ? 0 : 1;
            assert_true(isnan(past->points[j].validation) || past->points[j].validation <= best);
            step = (double)past->points[j].step == number_of(model, "best_step") ? past->points[j].validation : step;
        }
        assert_true(evaluated > 2 && step == best);
        const history_point last = past->points[past->count - 1];
        assert_true((double)last.step == number_of(model, "steps"));
        stopped += last.step < last.total ? 1 : 0;
        model_destroy(model);
    }
    assert_true(stopped > 0);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_depend_on_neither_callbacks_nor_threads),
        cmocka_unit_test(each_phase_has_twenty_points_that_ascend),
        cmocka_unit_test(early_stopping_says_where_it_stopped_and_what_was_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
