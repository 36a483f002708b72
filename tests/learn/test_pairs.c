/* Machines of pairs of classes say of a row that was left out what machines without it say; votes are cut; any number of threads gives the same bits. */
#include "learn/made_training.h"

#include "learn/pairs.h"

enum { ROWS = 120, HALF = ROWS / 2, COLUMNS = 3, OUTPUTS = 3 };

static void make_classes(made *self) {
    make(self, &(made_shape){.rows = ROWS,
                             .columns = COLUMNS,
                             .features = 16,
                             .outputs = OUTPUTS,
                             .loss = "softmax",
                             .recipe = {.batch = 16, .steps = 100}});
    for (size_t i = 0; i < ROWS; i++) {
        self->codes[i] = (int32_t)(i / 2 % OUTPUTS);
    }
}

static void solve(ridge *self, double width, double penalty) {
    cnm_error error = {0};
    bool found;
    check_ok(ridge_solve(self, MACHINE_GAUSSIAN, width, penalty, &found, &error), &error);
    assert_true(found);
}

/* scores (OUTPUTS) of the row at `position`, by machines of all rows that train but it. */
static void ask_without(made *self, size_t without, double gamma, double penalty, float *scores) {
    const training *of = &self->training;
    size_t others[HALF], count = 0;
    cnm_error error = {0};
    machine_rows rows;
    ridge machine;
    for (size_t i = 0; i < HALF; i++) {
        others[count] = of->split.train[i];
        count += i != without;
    }
    check_ok(machine_rows_create(&rows, of, of->problem.scaling.kind, others, count, &error), &error);
    check_ok(ridge_create(&machine, of, &rows, others, true, NULL, &error), &error);
    solve(&machine, gamma * machine.spread, penalty);
    const float *row = self->rows->values + of->split.train[without] * COLUMNS;
    check_ok(machine_scores(&machine.machine, row, 1, 1, scores, &error), &error);
    ridge_free(&machine);
    machine_rows_free(&rows);
}

static void a_row_is_left_out_of_its_pairs(void **unused) {
    (void)unused;
    static const double PENALTY = 0.1;
    cnm_error error = {0};
    machine_rows rows;
    ridge machine;
    made self;
    make_classes(&self);
    const training *of = &self.training;
    check_ok(machine_rows_create(&rows, of, of->problem.scaling.kind, of->split.train, HALF, &error), &error);
    check_ok(ridge_create(&machine, of, &rows, of->split.train, true, NULL, &error), &error);
    solve(&machine, 2.0, PENALTY);
    for (size_t i = 0; i < HALF; i++) {
        float wanted[OUTPUTS];
        ask_without(&self, i, machine.machine.gamma, PENALTY, wanted);
        for (size_t j = 0; j < OUTPUTS; j++) {
            check_near((double)machine.left_out[i * OUTPUTS + j], (double)wanted[j], 1e-4, "left out", i);
        }
    }
    ridge_free(&machine);
    machine_rows_free(&rows);
    unmake(&self);
}

static void votes_are_cut(void **unused) {
    (void)unused;
    /* 0 beats 1 by far and 2 by a half; 1 and 2 are alike. */
    static const double SUMS[] = {0.0, 5.0, 0.25, -4.0, 0.0, 0.3, -0.25, 0.3, 0.0};
    float scores[OUTPUTS];
    pairs_vote(SUMS, OUTPUTS, scores);
    check_near((double)scores[0], 2.0 / 3.0 * 1.5, 1e-6, "votes", 0);
    check_near((double)scores[1], -2.0 / 3.0, 1e-6, "votes", 1);
    check_near((double)scores[2], -2.0 / 3.0 * 0.5, 1e-6, "votes", 2);
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    float first[HALF * OUTPUTS];
    for (size_t n = 0; n < COUNT_OF(THREADS); n++) {
        thread_pool *pool = thread_pool_create(THREADS[n]);
        cnm_error error = {0};
        machine_rows rows;
        ridge machine;
        made self;
        make_classes(&self);
        const training *of = &self.training;
        check_ok(machine_rows_create(&rows, of, of->problem.scaling.kind, of->split.train, HALF, &error), &error);
        check_ok(ridge_create(&machine, of, &rows, of->split.train, true, pool, &error), &error);
        solve(&machine, 2.0, 0.1);
        if (n == 0) {
            memcpy(first, machine.left_out, sizeof first);
        }
        assert_memory_equal(first, machine.left_out, sizeof first);
        ridge_free(&machine);
        machine_rows_free(&rows);
        unmake(&self);
        thread_pool_destroy(pool);
    }
}

static void three_classes_are_the_least(void **unused) {
    (void)unused;
    problem task = {.task = TASK_CLASSIFY};
    for (size_t outputs = 1; outputs <= PAIRS_MOST_CLASSES + 1; outputs++) {
        task.outputs = outputs;
        assert_int_equal(pairs_are_possible(&task), outputs >= 3 && outputs <= PAIRS_MOST_CLASSES);
    }
    task = (problem){.task = TASK_REGRESS, .outputs = 3};
    assert_false(pairs_are_possible(&task));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_left_out_of_its_pairs),
        cmocka_unit_test(votes_are_cut),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(three_classes_are_the_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
