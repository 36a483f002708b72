/* Which rows the engine trains on: an epoch's batches, selected rows, rows that are changed on the
 * way; scores; and averages. */
#include "support/engine_scene.h"

#include "base/core/random.h"
#include "math/random/cheap_normal.h"
#include "model/model.h"

/* ---- Rows ---- */

/* Training on selected rows gives the bits of training on a table of these rows alone. */
static void positions_select_the_rows_to_train_on(void **unused) {
    (void)unused;
    enum { KEPT = 90 };
    size_t positions[KEPT], count;
    float *results[2];
    for (size_t r = 0; r < 2; r++) {
        scene self;
        cnm_error error = {0};
        scene_make(&self, &SCENES[2]);
        for (size_t i = 0; i < KEPT; i++) {
            positions[i] = 3 * i + 1;
        }
        if (r == 1) {
            for (size_t i = 0; i < KEPT; i++) {
                memmove(self.rows.values + i * 5, self.rows.values + positions[i] * 5, 5 * sizeof(float));
                self.targets[i] = self.targets[positions[i]];
            }
            self.source.rows.rows = KEPT;
        }
        engine *runner;
        check_ok(engine_create(&runner,
                               &(engine_setup){.rows = &self.source,
                                               .positions = r == 0 ? positions : NULL,
                                               .count = KEPT,
                                               .targets = self.targets,
                                               .map = self.map,
                                               .head = &self.head,
                                               .batch = 40,
                                               .threads = 2},
                               &error),
                 &error);
        train_plan plan = scene_plan(&self, 40);
        run_steps(runner, &plan, 1, 9);
        plan.map_update = UPDATE_NONE;
        plan.reuse = 1000;
        run_steps(runner, &plan, 10, 9);
        engine_destroy(runner);
        results[r] = scene_parameters(&self, &count);
        scene_free(&self);
    }
    check_same_floats(results[0], results[1], count, "positions");
    free(results[0]);
    free(results[1]);
}

static size_t visited[400], visits;

static double visiting_loss(const loss_batch *batch, float *slope) {
    for (size_t i = 0; i < batch->rows; i++) {
        visited[visits++ % 400] = (size_t)batch->targets[i];
        slope[i] = 0.0F;
    }
    return 0.0;
}

/* An epoch has as many whole batches as fit; none of its rows comes twice; the next epoch has
 * another order. */
static void an_epoch_visits_a_row_at_most_once(void **unused) {
    (void)unused;
    static const loss_ops VISITING = {.name = "visiting", .evaluate = visiting_loss, .task = TASK_REGRESS};
    scene self;
    scene_make(
        &self,
        &(scene_spec){.projection = "dense", .activation = "cos", .rows = 100, .columns = 2, .features = 2, .loss = 2});
    for (size_t i = 0; i < 100; i++) {
        self.targets[i] = (float)i;
    }
    train_plan plan = scene_plan(&self, 30);
    plan.loss = &VISITING;
    engine *runner = scene_engine(&self, 30, 1);
    visits = 0;
    run_steps(runner, &plan, 1, 6);
    assert_int_equal(visits, 180);
    for (size_t epoch = 0; epoch < 2; epoch++) {
        bool seen[100] = {false};
        for (size_t i = 0; i < 90; i++) {
            const size_t row = visited[epoch * 90 + i];
            assert_true(row < 100 && !seen[row]);
            seen[row] = true;
        }
    }
    assert_memory_not_equal(visited, visited + 90, 90 * sizeof *visited);
    engine_destroy(runner);
    scene_free(&self);
}

/* ---- Scores and averages ---- */

static void scores_equal_a_double_computation(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(SCENES); i++) {
        cnm_error error = {0};
        scene self;
        scene_make(&self, &SCENES[i]);
        const size_t rows = self.spec.rows, outputs = self.outputs, positions[] = {rows - 1, 0, 7, 7, 65};
        const train_plan plan = scene_plan(&self, 150);
        scene_point at = scene_point_make(&self);
        engine *runner = scene_engine(&self, 150, 2);
        float *scores = take(rows * outputs, sizeof *scores), picked[5 * ENGINE_OUTPUTS];
        double *z = take(self.spec.features, sizeof *z);
        check_ok(engine_scores(runner, &plan, NULL, rows, scores, &error), &error);
        check_ok(engine_scores(runner, &plan, positions, 5, picked, &error), &error);
        for (size_t row = 0; row < rows; row += 13) {
            double exact[ENGINE_OUTPUTS];
            scene_row(&self, &at, row, 0.7, z, exact);
            for (size_t j = 0; j < outputs; j++) {
                /* |z| <= 5, |W| <= 4: some features * 20 * 1e-6 */
                check_near((double)scores[row * outputs + j], exact[j], 2e-5 * (double)self.spec.features, "scores",
                           row);
            }
        }
        for (size_t p = 0; p < COUNT_OF(positions); p++) {
            check_same_floats(picked + p * outputs, scores + positions[p] * outputs, outputs, "picked scores");
        }
        free(scores);
        free(z);
        free(at.values);
        engine_destroy(runner);
        scene_free(&self);
    }
}

static void the_average_is_the_mean_of_the_heads(void **unused) {
    (void)unused;
    scene self;
    scene_make(&self, &SCENES[2]);
    const size_t count = (self.head.features + 1) * self.outputs;
    double *mean = take(count, sizeof *mean);
    train_plan plan = scene_plan(&self, 150);
    plan.average_from = 4;
    engine *runner = scene_engine(&self, 150, 2);
    for (uint64_t step = 1; step <= 12; step++) {
        run_steps(runner, &plan, step, 1);
        for (size_t i = 0; step > 4 && i < count; i++) {
            mean[i] += (double)self.head.weights[i] / 8.0;
        }
    }
    engine_use_average(runner);
    for (size_t i = 0; i < count; i++) {
        check_near((double)self.head.weights[i], mean[i], 1e-7 * (1.0 + fabs(mean[i])), "average", i);
    }
    engine_destroy(runner);
    scene_free(&self);
    free(mean);
}

/* A batch larger than the table is the table; each augmentation changes the loss of a batch. */
static void a_batch_ends_with_the_table_and_augmentations_change_it(void **unused) {
    (void)unused;
    double losses[6];
    for (size_t r = 0; r < COUNT_OF(losses); r++) {
        scene self;
        scene_make(&self, &SCENES[2]);
        train_plan plan = scene_plan(&self, r == 0 ? 310 : 1000);
        plan.noise = r == 2 ? 0.5 : 0.0;
        plan.difference_noise = r == 3 ? 0.5 : 0.0;
        plan.translate = r == 4 ? 0.5 : 0.0;
        plan.mirror = r == 5;
        plan.image_width = SCENES[2].columns;
        engine *runner = scene_engine(&self, plan.batch, 1);
        losses[r] = run_steps(runner, &plan, 1, 1);
        engine_destroy(runner);
        scene_free(&self);
    }
    assert_true(losses[0] == losses[1]);
    for (size_t r = 2; r < COUNT_OF(losses); r++) {
        assert_true(fabs(losses[r] - losses[1]) > 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_select_the_rows_to_train_on),
        cmocka_unit_test(an_epoch_visits_a_row_at_most_once),
        cmocka_unit_test(scores_equal_a_double_computation),
        cmocka_unit_test(the_average_is_the_mean_of_the_heads),
        cmocka_unit_test(a_batch_ends_with_the_table_and_augmentations_change_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
