/* One-vs-one models score a row that was left out as models fitted without it do; votes are
 * clipped; any number of threads gives the same bits. */
#include "support/made_session.h"

#include "data/scale/scaling.h"
#include "learn/krr/one_vs_one.h"

enum { ROWS = 120, HALF = ROWS / 2, COLUMNS = 3, OUTPUTS = 3 };
static const double PENALTY = 0.1;

static void make_classes(made_session *self) {
    make_session(self, &(made_shape){.rows = ROWS,
                                     .columns = COLUMNS,
                                     .features = 16,
                                     .outputs = OUTPUTS,
                                     .loss = "softmax",
                                     .chosen = {.map_rate = 1.0, .batch = 16, .steps = 100}});
    for (size_t i = 0; i < ROWS; i++) {
        self->codes[i] = (int32_t)(i / 2 % OUTPUTS);
    }
}

static void solve(kernel_ridge *self, double width, double penalty) {
    cnm_error error = {0};
    bool found;
    check_ok(one_vs_one_fit(self, KRR_GAUSSIAN, width, penalty, &found, &error), &error);
    assert_true(found);
}

typedef struct solved {
    kernel_rows rows;
    kernel_ridge ridge;
} solved;

/* Fits models of these rows; a gamma of 0 is that of width 2. */
static void solve_rows(solved *out, const made_session *self, const size_t *positions, size_t count, double gamma,
                       thread_pool *pool) {
    const fit_session *of = &self->session;
    const krr_source from = {of->data, &of->scaled->scaling, &of->source};
    cnm_error error = {0};
    check_ok(kernel_rows_create(&out->rows, &from, from.scaling->kind, positions, count, &error), &error);
    check_ok(kernel_ridge_create(&out->ridge, of->data, &out->rows, positions, true, pool, &error), &error);
    solve(&out->ridge, gamma > 0.0 ? gamma * out->ridge.spread : 2.0, PENALTY);
}

static void free_solved(solved *self) {
    kernel_ridge_free(&self->ridge);
    kernel_rows_free(&self->rows);
}

/* Fills scores (OUTPUTS) of a training row by models that are fitted without it. */
static void scores_without(const made_session *self, size_t without, double gamma, float *scores) {
    const fit_session *of = &self->session;
    size_t others[HALF], count = 0;
    cnm_error error = {0};
    solved found;
    for (size_t i = 0; i < HALF; i++) {
        others[count] = of->split.train[i];
        count += i != without;
    }
    solve_rows(&found, self, others, count, gamma, NULL);
    const float *row = self->rows->values + of->split.train[without] * COLUMNS;
    check_ok(kernel_model_scores(&found.ridge.model, row, 1, 1, scores, &error), &error);
    free_solved(&found);
}

static void leave_one_out_equals_refitting(void **unused) {
    (void)unused;
    solved all;
    made_session self;
    make_classes(&self);
    solve_rows(&all, &self, self.session.split.train, HALF, 0.0, NULL);
    for (size_t i = 0; i < HALF; i++) {
        float wanted[OUTPUTS];
        scores_without(&self, i, all.ridge.model.gamma, wanted);
        for (size_t j = 0; j < OUTPUTS; j++) {
            check_near((double)all.ridge.left_out[i * OUTPUTS + j], (double)wanted[j], 1e-4, "left out", i);
        }
    }
    free_solved(&all);
    free_session(&self);
}

static void votes_are_clipped(void **unused) {
    (void)unused;
    /* 0 beats 1 by far and 2 by a half; 1 and 2 are alike. */
    static const double SUMS[] = {0.0, 5.0, 0.25, -4.0, 0.0, 0.3, -0.25, 0.3, 0.0};
    float scores[OUTPUTS];
    kernel_model_vote(SUMS, OUTPUTS, scores);
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
        made_session self;
        make_classes(&self);
        solve_rows(&all, &self, self.session.split.train, HALF, 0.0, pool);
        if (n == 0) {
            memcpy(first, all.ridge.left_out, sizeof first);
        }
        assert_memory_equal(first, all.ridge.left_out, sizeof first);
        free_solved(&all);
        free_session(&self);
        thread_pool_destroy(pool);
    }
}

static void there_are_at_least_three_classes(void **unused) {
    (void)unused;
    dataset task = {.task = TASK_CLASSIFY};
    for (size_t outputs = 1; outputs <= KERNEL_MODEL_MOST_CLASSES + 1; outputs++) {
        task.outputs = outputs;
        assert_int_equal(one_vs_one_applies(&task), outputs >= 3 && outputs <= KERNEL_MODEL_MOST_CLASSES);
    }
    task = (dataset){.task = TASK_REGRESS, .outputs = 3};
    assert_false(one_vs_one_applies(&task));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leave_one_out_equals_refitting),
        cmocka_unit_test(votes_are_clipped),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(there_are_at_least_three_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
