/* The engine's gradients against central differences in double. */
#include "support/engine_scene.h"

#include "base/core/random.h"
#include "math/random/cheap_normal.h"
#include "model/model.h"

/* ---- An update that only records the gradients ---- */

typedef struct gradient_record {
    size_t head_count, tensor_count, phase_count;
    float head[512], tensor[65536], phase[64];
} gradient_record;

static gradient_record recorded;

static void record_apply(const update_call *call) {
    const size_t count = call->rows * call->columns;
    float *const arrays[] = {recorded.head, recorded.tensor, recorded.phase};
    size_t *const counts[] = {&recorded.head_count, &recorded.tensor_count, &recorded.phase_count};
    const size_t sizes[] = {COUNT_OF(recorded.head), COUNT_OF(recorded.tensor), COUNT_OF(recorded.phase)};
    if (count <= sizes[call->kind]) {
        memcpy(arrays[call->kind], call->gradient, count * sizeof(float));
        *counts[call->kind] = count;
    }
}

static const update_ops RECORD = {.name = "record", .moments = 0, .whole = true, .apply = record_apply};

static double no_rate(const update_call *call) {
    (void)call;
    return 0.0;
}

/* Records one step over all rows; returns its loss. */
static double record_gradients(scene *self, const train_plan *plan) {
    engine *runner = scene_engine(self, plan->batch, 2);
    memset(&recorded, 0, sizeof recorded);
    const double loss = run_steps(runner, plan, 1, 1);
    engine_destroy(runner);
    return loss;
}

static train_plan record_plan(const scene *self) {
    train_plan plan = scene_plan(self, self->spec.rows);
    plan.head_update = plan.map_update = UPDATE_HOST;
    plan.host_update = &RECORD;
    plan.rate = RATE_HOST;
    plan.host_rate = no_rate;
    return plan;
}

typedef double loss_of_scene(const scene *self, const scene_point *at, double scale);

/* Computes d loss / d parameter i by central differences; returns false where two step sizes
 * disagree, as near a kink. */
static bool differentiate(const scene *self, scene_point *at, size_t i, loss_of_scene *loss, double *out) {
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

/* float32 errs by some 1e-7 of the terms' size in each of a few sums over columns, features and
 * rows; the largest gradient of the array measures the terms. */
static size_t check_gradient(const scene *self, scene_point *at, size_t first, const float *got, size_t count,
                             loss_of_scene *loss, const char *what) {
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
    scene_point at = scene_point_make(&self);
    snprintf(what, sizeof what, "%s %s %s%s", spec->projection, spec->activation, TEST_LOSSES[spec->loss].ops.name,
             spec->weighted ? " weighted" : "");
    const double loss = record_gradients(&self, &plan), exact = scene_loss(&self, &at, 0.7);
    check_near(loss, exact, 1e-5 * exact, what, 0);
    assert_int_equal(recorded.head_count, at.tensor);
    assert_int_equal(recorded.tensor_count, at.phase - at.tensor);
    assert_int_equal(recorded.phase_count, at.count - at.phase);
    size_t checked = check_gradient(&self, &at, 0, recorded.head, at.tensor, scene_loss, what);
    checked += check_gradient(&self, &at, at.tensor, recorded.tensor, at.phase - at.tensor, scene_loss, what);
    checked += check_gradient(&self, &at, at.phase, recorded.phase, at.count - at.phase, scene_loss, what);
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

static double exact_energy(const scene *self, const scene_point *at, double scale) {
    double *z = take(self->spec.features, sizeof *z), sum = 0.0, scores[ENGINE_OUTPUTS];
    for (size_t i = 0; i < self->spec.rows; i++) {
        scene_row(self, at, i, scale, z, scores);
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
        scene_point at = scene_point_make(&self);
        train_plan plan = record_plan(&self);
        plan.feature_loss = &loss;
        plan.head_update = UPDATE_NONE;
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

/* ---- Rows ---- */

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_match_differences),
        cmocka_unit_test(the_identity_map_has_a_head_gradient_only),
        cmocka_unit_test(losses_on_features_train_the_map),
        cmocka_unit_test(many_sparse_columns_agree_with_dense_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
