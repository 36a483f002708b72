/* The same bits however a run is cut into calls, for any number of threads, with features kept or
 * not, from dense rows or sparse. */
#include "support/engine_scene.h"

#include "base/core/random.h"
#include "math/random/cheap_normal.h"
#include "model/model.h"

/* ---- The same bits ---- */

/* How a run is made; pieces: in how many calls. */
typedef struct run_kind {
    size_t threads;
    const uint64_t *pieces; /* lengths, 0-ended; NULL: in one go */
    uint64_t reuse;
    bool whole, fixed_map, noisy;
} run_kind;

enum { RUN_STEPS = 9 };

/* The parameters after RUN_STEPS steps. */
static float *run_scene(const scene_spec *spec, const run_kind *kind, size_t *count) {
    static const uint64_t ALL[] = {RUN_STEPS, 0};
    scene self;
    scene_make(&self, spec);
    train_plan plan = scene_plan(&self, 150);
    plan.host_update = kind->whole ? &MOMENTUM_WHOLE : &MOMENTUM;
    plan.map_update = kind->fixed_map ? UPDATE_NONE : UPDATE_HOST;
    plan.noise = kind->noisy ? 0.1 : 0.0;
    plan.difference_noise = kind->noisy ? 0.2 : 0.0;
    plan.translate = kind->noisy ? 0.3 : 0.0;
    plan.mirror = kind->noisy;
    plan.image_width = spec->columns; /* of one line */
    plan.average_from = 4;
    plan.reuse = kind->reuse;
    engine *runner = scene_engine(&self, 150, kind->threads);
    uint64_t step = 1;
    for (const uint64_t *piece = kind->pieces == NULL ? ALL : kind->pieces; *piece > 0; piece++) {
        run_steps(runner, &plan, step, *piece);
        step += *piece;
    }
    assert_int_equal(step, RUN_STEPS + 1);
    engine_use_average(runner);
    engine_destroy(runner);
    float *all = scene_parameters(&self, count);
    scene_free(&self);
    return all;
}

static void check_same_run(const scene_spec *spec, const run_kind *a, const run_kind *b, const char *what) {
    size_t count, other;
    float *first = run_scene(spec, a, &count), *second = run_scene(spec, b, &other);
    assert_int_equal(count, other);
    for (size_t i = 0; i < count; i++) {
        assert_true(isfinite(first[i]));
    }
    check_same_floats(first, second, count, what);
    free(first);
    free(second);
}

/* Several parts of features with several strips of theta, the last cut in lines and in columns, and
 * work for many threads. */
static const scene_spec BY_PARTS[] = {
    {.projection = "dense", .activation = "cos", .rows = 310, .columns = 300, .features = 203, .weighted = true},
    {.projection = "dense", .activation = "sigmoid", .rows = 310, .columns = 261, .features = 250, .scaled = true},
    {.projection = "dense", .activation = "cos", .rows = 310, .columns = 40, .features = 700, .loss = 2},
};

/* A step is computed by parts, where updates take parts of arrays, or not. Sums are cut in other
 * places, so the last digits differ, and nine steps may make ten times as much of that: 2e-5 of the
 * largest parameter, where a wrong gradient shows in the first digit. */
static void steps_by_parts_agree_with_steps_on_whole_arrays(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(BY_PARTS) + COUNT_OF(SCENES); i++) {
        const scene_spec *spec = i < COUNT_OF(BY_PARTS) ? &BY_PARTS[i] : &SCENES[i - COUNT_OF(BY_PARTS)];
        size_t count, other;
        double most = 0.0;
        float *parts = run_scene(spec, &(run_kind){.threads = 2, .noisy = true}, &count);
        float *whole = run_scene(spec, &(run_kind){.threads = 2, .noisy = true, .whole = true}, &other);
        assert_int_equal(count, other);
        for (size_t j = 0; j < count; j++) {
            most = fmax(most, fabs((double)whole[j]));
        }
        for (size_t j = 0; j < count; j++) {
            check_near((double)parts[j], (double)whole[j], 2e-5 * most, spec->activation, j);
        }
        free(parts);
        free(whole);
    }
}

static void parts_give_the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    static const size_t COUNTS[] = {2, 3, 7, 20};
    static const uint64_t PIECES[] = {3, 1, 5, 0};
    for (size_t i = 0; i < COUNT_OF(BY_PARTS); i++) {
        for (size_t t = 0; t < COUNT_OF(COUNTS); t++) {
            check_same_run(&BY_PARTS[i], &(run_kind){.threads = 1, .noisy = true},
                           &(run_kind){.threads = COUNTS[t], .noisy = true, .pieces = t == 1 ? PIECES : NULL}, "parts");
        }
    }
}

enum { NOISY_ROWS = 150 };

/* Adds to the rows of the plan's first batch what its noise will be: value i of the batch gets
 * number i of the step's stream. */
static void add_noise_beforehand(scene *self, const train_plan *plan) {
    const size_t columns = self->spec.columns;
    size_t *order = take(self->spec.rows, sizeof *order);
    float *batch = take(NOISY_ROWS * columns, sizeof *batch);
    random_order((random_stream){plan->seed, plan->stream, 0}, self->spec.rows, order);
    for (size_t i = 0; i < NOISY_ROWS; i++) {
        memcpy(batch + i * columns, self->rows.values + order[i] * columns, columns * sizeof *batch);
    }
    cheap_normal_add((random_stream){plan->seed, RANDOM_NOISE, 1}, 0, NOISY_ROWS * columns, plan->noise, batch, batch);
    for (size_t i = 0; i < NOISY_ROWS; i++) {
        memcpy(self->rows.values + order[i] * columns, batch + i * columns, columns * sizeof *batch);
    }
    free(order);
    free(batch);
}

/* Returns the parameters after one step, whose noise comes from the engine or was added beforehand.
 * ones: columns are multiplied by 1. */
static float *one_noisy_step(const scene_spec *spec, size_t threads, bool ones, bool beforehand, size_t *count) {
    scene self;
    scene_make(&self, spec);
    train_plan plan = scene_plan(&self, NOISY_ROWS);
    plan.noise = 0.1;
    if (beforehand) {
        add_noise_beforehand(&self, &plan);
        plan.noise = 0.0;
    }
    self.stage.scale = ones ? take_owned(spec->columns, sizeof(float)) : NULL;
    for (size_t j = 0; ones && j < spec->columns; j++) {
        self.stage.scale[j] = 1.0F;
    }
    engine *runner = scene_engine(&self, NOISY_ROWS, threads);
    run_steps(runner, &plan, 1, 1);
    engine_destroy(runner);
    float *all = scene_parameters(&self, count);
    scene_free(&self);
    return all;
}

/* Rows whose length is a multiple of a group of random numbers and others, with columns that are
 * multiplied and others, on one thread and two. */
static void noise_comes_from_the_stream_of_the_step(void **unused) {
    (void)unused;
    static const size_t COLUMNS[] = {128, 150, 300};
    for (size_t which = 0; which < 4 * COUNT_OF(COLUMNS); which++) {
        const scene_spec spec = {
            .projection = "dense", .activation = "cos", .rows = 310, .columns = COLUMNS[which / 4], .features = 203};
        size_t count;
        float *during = one_noisy_step(&spec, 1 + which % 2, which / 2 % 2 == 1, false, &count);
        float *before = one_noisy_step(&spec, 1, false, true, &count);
        check_same_floats(during, before, count, "noise");
        free(during);
        free(before);
    }
}

/* An optimiser's moments survive a change between the two: steps 1 to 3 by parts, 4 to 6 whole, 7
 * to 9 by parts, against all whole. */
static void moments_survive_a_change_between_parts_and_whole_arrays(void **unused) {
    (void)unused;
    float *results[2];
    size_t count;
    double most = 0.0;
    for (size_t r = 0; r < 2; r++) {
        scene self;
        scene_make(&self, &BY_PARTS[0]);
        engine *runner = scene_engine(&self, 150, 2);
        train_plan plan = scene_plan(&self, 150), whole = plan;
        whole.host_update = &MOMENTUM_WHOLE;
        for (uint64_t turn = 0; turn < 3; turn++) {
            run_steps(runner, r == 0 && turn != 1 ? &plan : &whole, 1 + 3 * turn, 3);
        }
        engine_destroy(runner);
        results[r] = scene_parameters(&self, &count);
        scene_free(&self);
    }
    for (size_t j = 0; j < count; j++) {
        most = fmax(most, fabs((double)results[1][j]));
    }
    for (size_t j = 0; j < count; j++) {
        check_near((double)results[0][j], (double)results[1][j], 2e-5 * most, "parts and whole", j);
    }
    free(results[0]);
    free(results[1]);
}

static void cutting_a_run_changes_nothing(void **unused) {
    (void)unused;
    static const uint64_t PIECES[] = {3, 1, 5, 0};
    for (size_t i = 0; i < COUNT_OF(SCENES); i++) {
        check_same_run(&SCENES[i], &(run_kind){.threads = 2}, &(run_kind){.threads = 2, .pieces = PIECES}, "cut");
        check_same_run(&SCENES[i], &(run_kind){.threads = 1, .noisy = true},
                       &(run_kind){.threads = 1, .pieces = PIECES, .noisy = true}, "cut with noise");
    }
}

static void any_number_of_threads_gives_the_same_bits(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(SCENES); i++) {
        for (size_t t = 1; t < COUNT_OF(THREADS); t++) {
            check_same_run(&SCENES[i], &(run_kind){.threads = 1, .noisy = i % 2 == 0},
                           &(run_kind){.threads = THREADS[t], .noisy = i % 2 == 0}, "threads");
        }
    }
}

static void updates_in_slices_give_the_same_bits(void **unused) {
    (void)unused;
    check_same_run(&SCENES[3], &(run_kind){.threads = 2}, &(run_kind){.threads = 2, .whole = true}, "slices");
}

static void kept_features_give_the_same_bits(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(SCENES); i++) {
        check_same_run(&SCENES[i], &(run_kind){.threads = 2, .fixed_map = true, .reuse = 1000},
                       &(run_kind){.threads = 2, .fixed_map = true}, "cache");
    }
}

/* Head steps with kept features, map steps, head steps again: features must not outlive the map
 * they came from. */
static void features_are_kept_only_while_the_map_stays(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(SCENES); i++) {
        float *results[2];
        size_t count;
        for (size_t r = 0; r < 2; r++) {
            scene self;
            scene_make(&self, &SCENES[i]);
            engine *runner = scene_engine(&self, 150, 2);
            train_plan head = scene_plan(&self, 150), map_plan = head;
            head.map_update = UPDATE_NONE;
            head.reuse = r == 0 ? 0 : 1000;
            map_plan.head_update = UPDATE_NONE;
            map_plan.stream = RANDOM_MAP_BATCHES;
            for (uint64_t turn = 0; turn < 2; turn++) {
                run_steps(runner, &head, 1 + 4 * turn, 4);
                run_steps(runner, &map_plan, 1 + 3 * turn, 3);
            }
            engine_destroy(runner);
            results[r] = scene_parameters(&self, &count);
            scene_free(&self);
        }
        check_same_floats(results[0], results[1], count, "alternating");
        free(results[0]);
        free(results[1]);
    }
}

/* ---- Rows ---- */

static void few_sparse_columns_give_the_bits_of_dense_rows(void **unused) {
    (void)unused;
    scene_spec dense = SCENES[1];
    dense.filled = 0.2;
    scene_spec sparse = dense;
    sparse.sparse = true;
    size_t count, other;
    float *a = run_scene(&dense, &(run_kind){.threads = 2}, &count);
    float *b = run_scene(&sparse, &(run_kind){.threads = 2}, &other);
    check_same_floats(a, b, count, "sparse");
    free(a);
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_parts_agree_with_steps_on_whole_arrays),
        cmocka_unit_test(parts_give_the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(noise_comes_from_the_stream_of_the_step),
        cmocka_unit_test(moments_survive_a_change_between_parts_and_whole_arrays),
        cmocka_unit_test(cutting_a_run_changes_nothing),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(updates_in_slices_give_the_same_bits),
        cmocka_unit_test(kept_features_give_the_same_bits),
        cmocka_unit_test(features_are_kept_only_while_the_map_stays),
        cmocka_unit_test(few_sparse_columns_give_the_bits_of_dense_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
