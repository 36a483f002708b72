/* A training that the caller stops, wherever that is, leaves a usable model: every method. */
#include "support/interruptions.h"

/* Stops a long training at this report. */
static void check_stopped(const table *rows, settings wanted, uint64_t report, const char *what) {
    cnm_error error = {0};
    cnm_model *model;
    wanted.iterations = wanted.map_steps = 2000000;
    wanted.epochs = 2000; /* after the map of a kernel a tenth of them makes the head usable */
    now = (timeline){.stop_at = report};
    check_refusal(learn(&model, rows, NULL, &wanted, &NOTICING, &error), CNM_CANCELLED, &error, "stopped");
    assert_non_null(model);
    assert_string_equal(text_of(model, "stopped"), "before the end");
    check_figure_above(model, rows, "accuracy", 0.0, what);
    model_destroy(model);
}

static void every_method_leaves_a_usable_model(void **unused) {
    (void)unused;
    method_case cases[METHOD_CASES];
    method_cases(cases);
    table *rows = make_rings(21, 230, 2);
    for (size_t i = 0; i < METHOD_CASES; i++) {
        check_stopped(rows, cases[i].wanted, 1, cases[i].what);
    }
    table_destroy(rows);
}

static void every_learned_map_is_usable_after_some_steps(void **unused) {
    (void)unused;
    table *rows = make_rings(1, 300, 4);
    for (size_t i = 0; i < COUNT_OF(FIT_METHODS); i++) {
        check_stopped(rows, fit_settings(&FIT_METHODS[i], 8), 3, FIT_METHODS[i].name);
    }
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_leaves_a_usable_model),
        cmocka_unit_test(every_learned_map_is_usable_after_some_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
