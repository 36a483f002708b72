/* The engine's gradients against differences in double, and its promises: the same bits however a run is cut, for any number
 * of threads, with features kept or not. */
#include "engine/engine_support.h"

#include "math/random/cheap_normal.h"

/* ---- Gradients, seen through an update that only writes them down ---- */

typedef struct gradient_record {
    size_t head_count, tensor_count, phase_count;
    float head[512], tensor[65536], phase[64];
} gradient_record;

static gradient_record recorded;

static void record_apply(const update_call *call) {
    const size_t count = call->rows * call->columns;
    float *const places[] = {recorded.head, recorded.tensor, recorded.phase};
    size_t *const counts[] = {&recorded.head_count, &recorded.tensor_count, &recorded.phase_count};
    const size_t rooms[] = {COUNT_OF(recorded.head), COUNT_OF(recorded.tensor), COUNT_OF(recorded.phase)};
    if (count <= rooms[call->kind]) {
        memcpy(places[call->kind], call->gradient, count * sizeof(float));
        *counts[call->kind] = count;
    }
}

static const update_ops RECORD = {.name = "record", .moments = 0, .whole = true, .apply = record_apply};

static double no_rate(const update_call *call) {
    (void)call;
    return 0.0;
}

/* One recorded step over all rows; returns its loss. */
static double record_gradients(scene *self, const train_plan *plan) {
    engine *runner = scene_engine(self, plan->batch, 2);
    memset(&recorded, 0, sizeof recorded);
    const double loss = run_steps(runner, plan, 1, 1);
    engine_destroy(runner);
    return loss;
}

static train_plan record_plan(const scene *self) {
    train_plan plan = scene_plan(self, self->spec.rows);
    plan.head_update = plan.map_update = &RECORD;
    plan.rate = no_rate;
    return plan;
}

typedef double scene_loss(const scene *self, const exact_parameters *at, double scale);

/* d loss / d parameter i by central differences; false where two step sizes disagree: a kink is near. */
static bool differentiate(const scene *self, exact_parameters *at, size_t i, scene_loss *loss, double *out) {
    const double middle = at->values[i], steps[] = {1e-5, 4e-6};
    double slopes[2];
    for (size_t s = 0; s < 2; s++) {
        at->values[i] = middle + steps[s];
        const double above = loss(self, at, 0.7);
        at->values[i] = middle - steps[s];
        slopes[s] = (above - loss(self, at, 0.7)) / (2.0 * steps[s]);
    }
    at->values[i] = middle;
    *out = slopes[1];
    return fabs(slopes[0] - slopes[1]) < 1e-7 + 1e-6 * fabs(slopes[1]);
}

/* float32 errs by some 1e-7 of the terms' size in each of a few sums over columns, features and rows; the largest gradient of the
 * array measures the terms. */
static size_t check_gradient(const scene *self, exact_parameters *at, size_t first, const float *got, size_t count,
                             scene_loss *loss, const char *what) {
    double *expected = take(count, sizeof *expected), most = 0.0;
    bool *smooth = take(count, sizeof *smooth);
    size_t checked = 0;
    for (size_t i = 0; i < count; i++) {
        smooth[i] = differentiate(self, at, first + i, loss, &expected[i]);
        most = fmax(most, fabs(expected[i]));
    }
    for (size_t i = 0; i < count; i++) {
        if (smooth[i]) {
            check_near((double)got[i], expected[i], 2e-5 * most + 1e-7, what, i);
            checked++;
        }
    }
    free(expected);
    free(smooth);
    return checked;
}

static void check_gradients(const scene_spec *spec) {
    char what[128];
    scene self;
    scene_make(&self, spec);
    train_plan plan = record_plan(&self);
    exact_parameters at = exact_make(&self);
    snprintf(what, sizeof what, "%s %s %s%s", spec->projection, spec->activation, TEST_LOSSES[spec->loss].ops.name,
             spec->weighted ? " weighted" : "");
    const double loss = record_gradients(&self, &plan), exact = exact_loss(&self, &at, 0.7);
    check_near(loss, exact, 1e-5 * exact, what, 0);
    assert_int_equal(recorded.head_count, at.tensor);
    assert_int_equal(recorded.tensor_count, at.phase - at.tensor);
    assert_int_equal(recorded.phase_count, at.count - at.phase);
    size_t checked = check_gradient(&self, &at, 0, recorded.head, at.tensor, exact_loss, what);
    checked += check_gradient(&self, &at, at.tensor, recorded.tensor, at.phase - at.tensor, exact_loss, what);
    checked += check_gradient(&self, &at, at.phase, recorded.phase, at.count - at.phase, exact_loss, what);
    if (checked * 10 < at.count * 9) {
        fail_msg("%s: only %zu of %zu parameters are away from kinks", what, checked, at.count);
    }
    free(at.values);
    scene_free(&self);
}

/* 70 rows: one whole block and a part of one. Features below, at and above the columns. */
static void gradients_match_differences(void **unused) {
    (void)unused;
    static const char *const ACTIVATIONS[] = {"cos", "sigmoid", "relu"};
    static const size_t FEATURES[] = {4, 6, 11};
    for (size_t loss = 0; loss < COUNT_OF(TEST_LOSSES); loss++) {
        for (size_t i = 0; i < 3; i++) {
            const bool weighted = (loss + i) % 2 == 0;
            check_gradients(&(scene_spec){.projection = "dense",
                                          .activation = ACTIVATIONS[i],
                                          .rows = 70,
                                          .columns = 6,
                                          .features = FEATURES[(loss + i) % 3],
                                          .loss = loss,
                                          .weighted = weighted,
                                          .scaled = !weighted});
            check_gradients(&(scene_spec){.projection = "circulant",
                                          .activation = ACTIVATIONS[i],
                                          .rows = 70,
                                          .columns = 6,
                                          .features = FEATURES[(loss + i + 1) % 3],
                                          .loss = loss,
                                          .weighted = !weighted,
                                          .scaled = weighted});
        }
    }
}

static void the_identity_map_has_a_head_gradient_only(void **unused) {
    (void)unused;
    check_gradients(&(scene_spec){
        .projection = "identity", .activation = "identity", .rows = 70, .columns = 6, .features = 6, .scaled = true});
}

/* ---- A loss on features: half the mean of |s z|^2 ---- */

static double energy(void *context, const rows_view *u, const float *z, size_t features, double feature_scale,
                     thread_pool *threads, float *slope) {
    double sum = 0.0;
    (void)context, (void)threads;
    for (size_t i = 0; i < u->rows * features; i++) {
        slope[i] = (float)(feature_scale * feature_scale * (double)z[i] / (double)u->rows);
        sum += feature_scale * feature_scale * (double)z[i] * (double)z[i];
    }
    return 0.5 * sum / (double)u->rows;
}

static double exact_energy(const scene *self, const exact_parameters *at, double scale) {
    double *z = take(self->spec.features, sizeof *z), sum = 0.0, scores[MOST_OUTPUTS];
    for (size_t i = 0; i < self->spec.rows; i++) {
        exact_row(self, at, i, scale, z, scores);
        for (size_t j = 0; j < self->spec.features; j++) {
            sum += scale * scale * z[j] * z[j];
        }
    }
    free(z);
    return 0.5 * sum / (double)self->spec.rows;
}

static void losses_on_features_train_the_map(void **unused) {
    (void)unused;
    const feature_loss loss = {energy, NULL};
    static const char *const PROJECTIONS[] = {"dense", "circulant"};
    for (size_t i = 0; i < 2; i++) {
        scene self;
        scene_make(
            &self,
            &(scene_spec){.projection = PROJECTIONS[i], .activation = "cos", .rows = 70, .columns = 6, .features = 9});
        exact_parameters at = exact_make(&self);
        train_plan plan = record_plan(&self);
        plan.feature_loss = &loss;
        plan.head_update = NULL;
        plan.loss = NULL;
        const double exact = exact_energy(&self, &at, 0.7);
        check_near(record_gradients(&self, &plan), exact, 1e-5 * exact, "energy", i);
        assert_int_equal(recorded.head_count, 0);
        check_gradient(&self, &at, at.tensor, recorded.tensor, at.phase - at.tensor, exact_energy, PROJECTIONS[i]);
        check_gradient(&self, &at, at.phase, recorded.phase, at.count - at.phase, exact_energy, PROJECTIONS[i]);
        free(at.values);
        scene_free(&self);
    }
}

/* ---- The same bits ---- */

/* How a run is made. */
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
    plan.head_update = kind->whole ? &MOMENTUM_WHOLE : &MOMENTUM;
    plan.map_update = kind->fixed_map ? NULL : kind->whole ? &MOMENTUM_WHOLE : &MOMENTUM;
    plan.noise = kind->noisy ? 0.1 : 0.0;
    plan.drift = kind->noisy ? 0.2 : 0.0;
    plan.shift = kind->noisy ? 0.3 : 0.0;
    plan.mirror = kind->noisy;
    plan.picture = spec->columns; /* of one line */
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

/* 310 rows in batches of 150: three blocks of which the last is short, two batches an epoch. Features enough for several tiles. */
static const scene_spec SCENES[] = {
    {.projection = "dense", .activation = "cos", .rows = 310, .columns = 70, .features = 90, .weighted = true},
    {.projection = "circulant", .activation = "cos", .rows = 310, .columns = 30, .features = 70, .scaled = true},
    {.projection = "dense", .activation = "relu", .rows = 310, .columns = 5, .features = 17, .loss = 2},
    {.projection = "dense",
     .activation = "cos",
     .rows = 170,
     .columns = 4200,
     .features = 6,
     .sparse = true,
     .filled = 0.01},
    {.projection = "circulant",
     .activation = "cos",
     .rows = 170,
     .columns = 4200,
     .features = 6,
     .sparse = true,
     .filled = 0.01},
};

/* Several parts of features with several strips of theta, the last cut in lines and in columns, and work for many threads. */
static const scene_spec BY_PARTS[] = {
    {.projection = "dense", .activation = "cos", .rows = 310, .columns = 300, .features = 203, .weighted = true},
    {.projection = "dense", .activation = "sigmoid", .rows = 310, .columns = 261, .features = 250, .scaled = true},
    {.projection = "dense", .activation = "cos", .rows = 310, .columns = 40, .features = 700, .loss = 2},
};

/* Two ways through a step: by parts, where updates take parts of arrays, and not. Sums are cut in other places, so the last
 * digits differ, and nine steps may make ten times as much of that: 2e-5 of the largest parameter, where a wrong gradient
 * shows in the first digit. */
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

/* Adds to the rows of the plan's first batch what its noise will be: value i of the batch gets number i of the step's stream. */
static void add_noise_beforehand(scene *self, const train_plan *plan) {
    const size_t columns = self->spec.columns;
    size_t *order = take(self->spec.rows, sizeof *order);
    float *batch = take(NOISY_ROWS * columns, sizeof *batch);
    random_order((random_stream){plan->seed, plan->purpose, 0}, self->spec.rows, order);
    for (size_t i = 0; i < NOISY_ROWS; i++) {
        memcpy(batch + i * columns, self->rows.values + order[i] * columns, columns * sizeof *batch);
    }
    noise_add((random_stream){plan->seed, RANDOM_NOISE, 1}, 0, NOISY_ROWS * columns, plan->noise, batch, batch);
    for (size_t i = 0; i < NOISY_ROWS; i++) {
        memcpy(self->rows.values + order[i] * columns, batch + i * columns, columns * sizeof *batch);
    }
    free(order);
    free(batch);
}

/* Parameters after one step, whose noise comes from the engine or was added beforehand. ones: columns are multiplied by 1. */
static float *one_noisy_step(const scene_spec *spec, size_t threads, bool ones, bool beforehand, size_t *count) {
    scene self;
    scene_make(&self, spec);
    train_plan plan = scene_plan(&self, NOISY_ROWS);
    plan.noise = 0.1;
    if (beforehand) {
        add_noise_beforehand(&self, &plan);
        plan.noise = 0.0;
    }
    self.stage.scale = ones ? taken(spec->columns, sizeof(float)) : NULL;
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

/* With rows of whole groups of noise, long ones and others, plain ones and others, on one thread and two. */
static void noise_is_that_of_the_step(void **unused) {
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

/* An optimiser's memory survives a change between the two ways: steps 1 to 3 by parts, 4 to 6 whole, 7 to 9 by parts, against all
 * whole. */
static void moments_survive_a_change_of_ways(void **unused) {
    (void)unused;
    float *results[2];
    size_t count;
    double most = 0.0;
    for (size_t r = 0; r < 2; r++) {
        scene self;
        scene_make(&self, &BY_PARTS[0]);
        engine *runner = scene_engine(&self, 150, 2);
        train_plan plan = scene_plan(&self, 150), whole = plan;
        whole.head_update = whole.map_update = &MOMENTUM_WHOLE;
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
        check_near((double)results[0][j], (double)results[1][j], 2e-5 * most, "ways", j);
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

/* Head steps with kept features, map steps, head steps again: features must not outlive the map they came from. */
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
            head.map_update = NULL;
            head.reuse = r == 0 ? 0 : 1000;
            map_plan.head_update = NULL;
            map_plan.purpose = RANDOM_MAP_BATCHES;
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

/* Above 4096 columns rows go through the map as CSR, whatever they are in memory. */
static void many_sparse_columns_agree_with_dense_rows(void **unused) {
    (void)unused;
    for (size_t i = 3; i < COUNT_OF(SCENES); i++) {
        static gradient_record dense;
        double losses[2];
        for (size_t r = 0; r < 2; r++) {
            scene_spec spec = SCENES[i];
            scene self;
            spec.sparse = r == 1;
            scene_make(&self, &spec);
            assert_true(self.source.sparse);
            const train_plan plan = record_plan(&self);
            losses[r] = record_gradients(&self, &plan);
            if (r == 0) {
                dense = recorded;
            }
            scene_free(&self);
        }
        check_near(losses[1], losses[0], 1e-5 * losses[0], "loss", i);
        double most = 0.0;
        for (size_t j = 0; j < dense.tensor_count; j++) {
            most = fmax(most, fabs((double)dense.tensor[j]));
        }
        assert_true(dense.tensor_count > 0 && most > 0.0);
        for (size_t j = 0; j < dense.tensor_count; j++) {
            check_near((double)recorded.tensor[j], (double)dense.tensor[j], 1e-5 * most, SCENES[i].projection, j);
        }
        for (size_t j = 0; j < dense.head_count; j++) {
            check_near((double)recorded.head[j], (double)dense.head[j], 1e-5, SCENES[i].projection, j);
        }
    }
}

/* Training on some rows is training on a table of just these. */
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
        plan.map_update = NULL;
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

/* An epoch has as many whole batches as fit; none of its rows comes twice; the next epoch has another order. */
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
        exact_parameters at = exact_make(&self);
        engine *runner = scene_engine(&self, 150, 2);
        float *scores = take(rows * outputs, sizeof *scores), picked[5 * MOST_OUTPUTS];
        double *z = take(self.spec.features, sizeof *z);
        check_ok(engine_scores(runner, &plan, NULL, rows, scores, &error), &error);
        check_ok(engine_scores(runner, &plan, positions, 5, picked, &error), &error);
        for (size_t row = 0; row < rows; row += 13) {
            double exact[MOST_OUTPUTS];
            exact_row(&self, &at, row, 0.7, z, exact);
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

/* A batch larger than the table is the table; noise, drift, shifts and mirrors move what a batch gives. */
static void batches_are_cut_and_noise_is_felt(void **unused) {
    (void)unused;
    double losses[6];
    for (size_t r = 0; r < COUNT_OF(losses); r++) {
        scene self;
        scene_make(&self, &SCENES[2]);
        train_plan plan = scene_plan(&self, r == 0 ? 310 : 1000);
        plan.noise = r == 2 ? 0.5 : 0.0;
        plan.drift = r == 3 ? 0.5 : 0.0;
        plan.shift = r == 4 ? 0.5 : 0.0;
        plan.mirror = r == 5;
        plan.picture = SCENES[2].columns;
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
        cmocka_unit_test(gradients_match_differences),
        cmocka_unit_test(the_identity_map_has_a_head_gradient_only),
        cmocka_unit_test(losses_on_features_train_the_map),
        cmocka_unit_test(steps_by_parts_agree_with_steps_on_whole_arrays),
        cmocka_unit_test(parts_give_the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(noise_is_that_of_the_step),
        cmocka_unit_test(moments_survive_a_change_of_ways),
        cmocka_unit_test(cutting_a_run_changes_nothing),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(updates_in_slices_give_the_same_bits),
        cmocka_unit_test(kept_features_give_the_same_bits),
        cmocka_unit_test(features_are_kept_only_while_the_map_stays),
        cmocka_unit_test(few_sparse_columns_give_the_bits_of_dense_rows),
        cmocka_unit_test(many_sparse_columns_agree_with_dense_rows),
        cmocka_unit_test(positions_select_the_rows_to_train_on),
        cmocka_unit_test(an_epoch_visits_a_row_at_most_once),
        cmocka_unit_test(scores_equal_a_double_computation),
        cmocka_unit_test(the_average_is_the_mean_of_the_heads),
        cmocka_unit_test(batches_are_cut_and_noise_is_felt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
