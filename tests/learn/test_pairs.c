/* Machines of pairs of classes say of a row that was left out what machines without it say; votes are cut; any number of threads gives the same bits. */
#include "learn/made_training.h"

#include "learn/krr/one_vs_one.h"

enum { ROWS = 120, HALF = ROWS / 2, COLUMNS = 3, OUTPUTS = 3 };
static const double PENALTY = 0.1;

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

typedef struct solved {
    machine_rows rows;
    ridge machine;
} solved;

/* Of these rows; a gamma of 0: that of width 2. */
static void solve_rows(solved *out, const made *self, const size_t *positions, size_t count, double gamma,
                       thread_pool *pool) {
    const training *of = &self->training;
    cnm_error error = {0};
    check_ok(machine_rows_create(&out->rows, of, of->problem.scaling.kind, positions, count, &error), &error);
    check_ok(ridge_create(&out->machine, of, &out->rows, positions, true, pool, &error), &error);
    solve(&out->machine, gamma > 0.0 ? gamma * out->machine.spread : 2.0, PENALTY);
}

static void free_solved(solved *self) {
    ridge_free(&self->machine);
    machine_rows_free(&self->rows);
}

/* scores (OUTPUTS) of a row that trains, by machines of all others. */
static void ask_without(const made *self, size_t without, double gamma, float *scores) {
    const training *of = &self->training;
    size_t others[HALF], count = 0;
    cnm_error error = {0};
    solved found;
    for (size_t i = 0; i < HALF; i++) {
        others[count] = of->split.train[i];
        count += i != without;
    }
    solve_rows(&found, self, others, count, gamma, NULL);
    const float *row = self->rows->values + of->split.train[without] * COLUMNS;
    check_ok(machine_scores(&found.machine.machine, row, 1, 1, scores, &error), &error);
    free_solved(&found);
}

static void a_row_is_left_out_of_its_pairs(void **unused) {
    (void)unused;
    solved all;
    made self;
    make_classes(&self);
    solve_rows(&all, &self, self.training.split.train, HALF, 0.0, NULL);
    for (size_t i = 0; i < HALF; i++) {
        float wanted[OUTPUTS];
        ask_without(&self, i, all.machine.machine.gamma, wanted);
        for (size_t j = 0; j < OUTPUTS; j++) {
            check_near((double)all.machine.left_out[i * OUTPUTS + j], (double)wanted[j], 1e-4, "left out", i);
        }
    }
    free_solved(&all);
    unmake(&self);
}

static void votes_are_cut(void **unused) {
    (void)unused;
    /* 0 beats 1 by far and 2 by a half; 1 and 2 are alike. */
    static const double SUMS[] = {0.0, 5.0, 0.25, -4.0, 0.0, 0.3, -0.25, 0.3, 0.0};
    float scores[OUTPUTS];
    machine_vote(SUMS, OUTPUTS, scores);
    check_near((double)scores[0], 2.0 / 3.0 * 1.5, 1e-6, "votes", 0);
    check_near((double)scores[1], -2.0 / 3.0, 1e-6, "votes", 1);
    check_near((double)scores[2], -2.0 / 3.0 * 0.5, 1e-6, "votes", 2);
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    float first[HALF * OUTPUTS];
    for (size_t n = 0; n < COUNT_OF(THREADS); n++) {
        thread_pool *pool = thread_pool_create(THREADS[n]);
        solved all;
        made self;
        make_classes(&self);
        solve_rows(&all, &self, self.training.split.train, HALF, 0.0, pool);
        if (n == 0) {
            memcpy(first, all.machine.left_out, sizeof first);
        }
        assert_memory_equal(first, all.machine.left_out, sizeof first);
        free_solved(&all);
        unmake(&self);
        thread_pool_destroy(pool);
    }
}

static void three_classes_are_the_least(void **unused) {
    (void)unused;
    problem task = {.task = TASK_CLASSIFY};
    for (size_t outputs = 1; outputs <= MACHINE_MOST_CLASSES + 1; outputs++) {
        task.outputs = outputs;
        assert_int_equal(pairs_are_possible(&task), outputs >= 3 && outputs <= MACHINE_MOST_CLASSES);
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
