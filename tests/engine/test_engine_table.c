/* The table of engines: names, dispatch to an engine's own functions, and plans that an engine
 * cannot run. */
#include "engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* An engine that counts the steps it is asked for, calls no host functions and averages nothing. */
typedef struct counting_engine {
    engine base;
    uint64_t steps;
} counting_engine;

static counting_engine counting;

static cnm_status counting_create(engine **out, const engine_setup *setup, cnm_error *err) {
    (void)setup, (void)err;
    counting = (counting_engine){0};
    *out = &counting.base;
    return CNM_OK;
}

static void counting_destroy(engine *self) { (void)self; }

static cnm_status counting_run(engine *self, const train_plan *plan, uint64_t first, uint64_t count, double *loss,
                               cnm_error *err) {
    (void)plan, (void)first, (void)err;
    ((counting_engine *)self)->steps += count;
    *loss = 0.0;
    return CNM_OK;
}

static void counting_forget(engine *self) { ((counting_engine *)self)->steps = 0; }

static const engine_ops COUNTING = {.name = "counting",
                                    .create = counting_create,
                                    .destroy = counting_destroy,
                                    .run = counting_run,
                                    .forget = counting_forget};

static void engines_are_found_by_name(void **unused) {
    (void)unused;
    size_t count;
    const engine_ops *const *engines = engine_table(&count);
    assert_true(count >= 1);
    assert_string_equal(engines[0]->name, "cpu");
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(engine_find(engines[i]->name), engines[i]);
    }
    assert_null(engine_find("abacus"));
    assert_true(engine_find("cpu")->host_callbacks);
}

static void an_engine_of_ones_own_is_called(void **unused) {
    (void)unused;
    engine *runner;
    double loss;
    const train_plan plan = {.head_update = UPDATE_SGD, .rate = RATE_COSINE};
    assert_int_equal(engine_create(&runner, &(engine_setup){.ops = &COUNTING}, NULL), CNM_OK);
    assert_int_equal(engine_run(runner, &plan, 1, 5, &loss, NULL), CNM_OK);
    assert_int_equal(engine_run(runner, &plan, 6, 2, &loss, NULL), CNM_OK);
    assert_int_equal(counting.steps, 7);
    engine_forget(runner);
    assert_int_equal(counting.steps, 0);
    engine_use_average(runner); /* which it has not */
    archive_tensor arrays[ENGINE_ARRAYS];
    assert_int_equal(engine_save(runner, arrays), 0);
    assert_int_equal(engine_restore(runner, NULL, NULL), CNM_UNSUPPORTED);
    engine_destroy(runner);
}

static double no_loss(const void *context, const loss_ops *loss, const loss_batch *batch, const size_t *positions,
                      float *slope) {
    (void)context, (void)loss, (void)batch, (void)positions, (void)slope;
    return 0.0;
}

static void plans_that_an_engine_cannot_run_are_refused(void **unused) {
    (void)unused;
    static const loss_hint HINT = {.evaluate = no_loss};
    const train_plan plans[] = {{.hint = &HINT}, {.average_from = 3}};
    engine *runner;
    double loss;
    assert_int_equal(engine_create(&runner, &(engine_setup){.ops = &COUNTING}, NULL), CNM_OK);
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        cnm_error error = {0};
        assert_int_equal(engine_run(runner, &plans[i], 1, 1, &loss, &error), CNM_UNSUPPORTED);
        assert_non_null(strstr(error.message, "counting"));
    }
    assert_int_equal(counting.steps, 0);
    engine_destroy(runner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_are_found_by_name),
        cmocka_unit_test(an_engine_of_ones_own_is_called),
        cmocka_unit_test(plans_that_an_engine_cannot_run_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
