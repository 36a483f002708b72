/* The fraction of a training's work that is done: it never falls, covers all stages, and a training
 * inside a stage fills its part. */
#include "support/trainings.h"

#include "base/core/error.h"
#include "learn/progress_plan.h"

/* Keeps what a caller hears. */
typedef struct listener {
    double fraction;
    unsigned stage, stages;
    char phase[32];
    size_t reports, notices;
    bool fell, outside;
} listener;

static int listen(const cnm_progress *at, void *user) {
    listener *self = user;
    self->fell = self->fell || !(at->fraction >= self->fraction);
    self->outside = self->outside || !(at->fraction >= 0.0 && at->fraction <= 1.0) || at->stage > at->stages;
    self->fraction = at->fraction;
    self->stage = at->stage;
    self->stages = at->stages;
    (void)snprintf(self->phase, sizeof self->phase, "%s", at->phase);
    self->reports++;
    return 0;
}

static void count_notice(const char *sentence, void *user) {
    (void)sentence;
    ((listener *)user)->notices++;
}

static cnm_callbacks callbacks_of(listener *self) {
    return (cnm_callbacks){
        .struct_size = sizeof(cnm_callbacks), .progress = listen, .notice = count_notice, .user = self};
}

/* Reports the end of a meter, or a part of it. */
static void report_share(const cnm_callbacks *callbacks, uint64_t done, uint64_t total, progress_span span) {
    progress_meter meter = progress_start(callbacks, "fit", total);
    meter.span = span;
    meter.reported -= 1.0; /* as if the last report was long ago */
    (void)progress_report(&meter, done, 1, 0.0, NAN);
}

static const progress_span WHOLE = {0.0, 0.0};

static void stages_get_their_shares_of_the_work(void **unused) {
    (void)unused;
    static const double WORK[] = {0.0, 3.0, 1.0, 0.0, 4.0};
    static const double ENDS[] = {0.0, 0.375, 0.5, 0.5, 1.0};
    static const unsigned STAGE[] = {0, 1, 2, 2, 3};
    listener heard = {0};
    const cnm_callbacks outer = callbacks_of(&heard);
    progress_plan plan;
    progress_plan_begin(&plan, &outer);
    for (size_t i = 0; i < COUNT_OF(WORK); i++) {
        progress_plan_enter(&plan, "stage", i, WORK, COUNT_OF(WORK));
        report_share(progress_plan_callbacks(&plan), 1, 2, WHOLE);
        const double before = i == 0 ? 0.0 : ENDS[i - 1];
        assert_true(fabs(heard.fraction - 0.5 * (before + ENDS[i])) < 1e-12);
        report_share(progress_plan_callbacks(&plan), 2, 2, WHOLE);
        assert_true(fabs(heard.fraction - ENDS[i]) < 1e-12);
        assert_int_equal(heard.stage, STAGE[i]);
        assert_int_equal(heard.stages, 3);
    }
    assert_false(heard.fell);
}

/* Expectations change while stages run, and meters begin anew or overrun. */
static void the_fraction_never_falls(void **unused) {
    (void)unused;
    listener heard = {0};
    const cnm_callbacks outer = callbacks_of(&heard);
    progress_plan plan;
    uint64_t state = 1;
    progress_plan_begin(&plan, &outer);
    for (size_t stage = 0; stage < 8; stage++) {
        double work[8];
        for (size_t i = 0; i < 8; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            work[i] = (double)(state >> 60);
        }
        progress_plan_enter(&plan, "stage", stage, work, 8);
        for (uint64_t done = 5; done-- > 0;) { /* backwards, from beyond the end */
            const double from = (double)(state >> 62) / 4.0;
            report_share(progress_plan_callbacks(&plan), done, 3, (progress_span){from, from + 0.25});
        }
    }
    assert_true(heard.reports == 40);
    assert_false(heard.fell);
    assert_false(heard.outside);
}

static void a_nested_training_fills_its_stage(void **unused) {
    (void)unused;
    static const double OUTER[] = {1.0, 1.0}, INNER[] = {1.0, 3.0};
    listener heard = {0};
    const cnm_callbacks callbacks = callbacks_of(&heard);
    progress_plan outer, inner;
    progress_plan_begin(&outer, &callbacks);
    progress_plan_enter(&outer, "estimate", 1, OUTER, 2);
    progress_plan_begin(&inner, progress_plan_callbacks(&outer));
    progress_plan_enter(&inner, "search", 0, INNER, 2);
    report_share(progress_plan_callbacks(&inner), 1, 1, WHOLE);
    assert_true(fabs(heard.fraction - 0.25) < 1e-12);
    assert_string_equal(heard.phase, "estimate");
    assert_int_equal(heard.stage, 2);
    progress_plan_enter(&inner, "fit", 1, INNER, 2);
    report_share(progress_plan_callbacks(&inner), 1, 1, WHOLE);
    assert_true(fabs(heard.fraction - 1.0) < 1e-12);
    notice_send(progress_plan_callbacks(&inner), "through both");
    assert_int_equal(heard.notices, 1);
}

static void without_callbacks_there_is_nothing_to_call(void **unused) {
    (void)unused;
    progress_plan plan;
    const cnm_callbacks deaf = {.struct_size = sizeof(cnm_callbacks)};
    progress_plan_begin(&plan, NULL);
    assert_null(progress_plan_callbacks(&plan));
    progress_plan_begin(&plan, &deaf);
    report_share(progress_plan_callbacks(&plan), 1, 1, WHOLE);
    notice_send(progress_plan_callbacks(&plan), "nobody hears");
    info_send(progress_plan_callbacks(&plan), "nobody hears");
}

/* Every method, and a search, end with nearly all of the work done. */
static void trainings_report_all_of_their_work(void **unused) {
    (void)unused;
    method_case cases[METHOD_CASES + 1];
    method_cases(cases);
    cases[METHOD_CASES] = (method_case){"a search", search_settings(0)};
    cases[METHOD_CASES].wanted.epochs = 100;
    table *rows = make_rings(1, 300, 4);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        listener heard = {0};
        cnm_error error = {0};
        cnm_model *model;
        const cnm_callbacks callbacks = callbacks_of(&heard);
        check_ok(learn(&model, rows, NULL, &cases[i].wanted, &callbacks, &error), &error);
        if (heard.reports > 0 && (heard.fell || heard.outside || heard.fraction < 0.9 || heard.stage != heard.stages)) {
            fail_msg("%s: fraction %g at the end, stage %u of %u", cases[i].what, heard.fraction, heard.stage,
                     heard.stages);
        }
        model_destroy(model);
    }
    table_destroy(rows);
}

/* Keeps the largest fraction within a stage. */
typedef struct stage_end {
    const char *phase;
    double fraction;
} stage_end;

static int keep_end(const cnm_progress *at, void *user) {
    stage_end *self = user;
    self->fraction = strcmp(at->phase, self->phase) == 0 ? fmax(self->fraction, at->fraction) : self->fraction;
    return 0;
}

/* On 400 rows of 6 columns, the steps of the training were measured to take 0.08 to 0.1 of the time
 * of a training with distillation. Counting the most trials that there may be, and no cosines,
 * gives them 0.03. */
static void distilling_few_rows_gets_its_measured_share(void **unused) {
    (void)unused;
    enum { ROWS = 400, COLUMNS = 6 };
    table *rows = table_make(ROWS, COLUMNS);
    settings wanted = search_settings(128);
    cnm_error error = {0};
    cnm_model *model;
    stage_end fitted = {.phase = "fit"};
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .progress = keep_end, .user = &fitted};
    normals(5, (size_t)ROWS * COLUMNS, 1.0, rows->values);
    for (size_t i = 0; i < ROWS; i++) {
        const float *x = rows->values + i * COLUMNS;
        label_number(rows, sin(2.0 * (double)x[0]) + (double)x[1] * (double)x[2]);
    }
    wanted.map_rate = -1.0; /* open, as usual */
    wanted.skip = "search";
    wanted.distill = DISTILL_YES;
    check_ok(learn(&model, rows, NULL, &wanted, &callbacks, &error), &error);
    if (fitted.fraction < 0.05 || fitted.fraction > 0.15) {
        fail_msg("the steps get %g of the work", fitted.fraction);
    }
    model_destroy(model);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_get_their_shares_of_the_work),
        cmocka_unit_test(the_fraction_never_falls),
        cmocka_unit_test(a_nested_training_fills_its_stage),
        cmocka_unit_test(without_callbacks_there_is_nothing_to_call),
        cmocka_unit_test(trainings_report_all_of_their_work),
        cmocka_unit_test(distilling_few_rows_gets_its_measured_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
