/* Pruning: features without effect go and scores stay, those with the largest effect stay, what is
 * left learns on, and a checkpoint from before is resumed to the same model. */
#include "support/interruptions.h"

#include <float.h>
#include <unistd.h>

#include "learn/compress/prune.h"
#include "learn/fit/fit_session.h"
#include "learn/objective/losses.h"

enum { ROWS = 150, COLUMNS = 3, FEATURES = 12, OUTPUTS = 4 };

/* ---- Removing features ---- */

/* Makes a fit after its last step, with random parameters. */
typedef struct made_fit {
    dataset data;
    scaled_rows scaled;
    fit_session fit;
} made_fit;

static void make_fit(made_fit *made, table **rows) {
    cnm_error error = {0};
    fit_session *out = &made->fit;
    dataset *data = &made->data;
    *rows = make_rings(1, ROWS, COLUMNS);
    *made = (made_fit){0};
    *out = (fit_session){.data = data,
                         .scaled = &made->scaled,
                         .spec = {.projection = "dense",
                                  .activation = "cos",
                                  .columns = COLUMNS,
                                  .features = FEATURES,
                                  .gamma = 0.5,
                                  .phases = true,
                                  .seed = 4}};
    data->rows = table_view(*rows);
    made->scaled.input = (input_stage){.columns = COLUMNS};
    data->loss = loss_find("softmax");
    data->outputs = OUTPUTS;
    check_ok(map_draw(&out->map, &out->spec, &error), &error);
    check_ok(head_create(&out->head, FEATURES, OUTPUTS, &error), &error);
    check_ok(input_bind(&out->source, &made->scaled.input, &data->rows, out->map, &error), &error);
    normals(5, (FEATURES + 1) * OUTPUTS, 1.0, out->head.weights);
    out->feature_scale = JOINT_GAIN * (double)out->map->scale;
    out->split.train = take(ROWS, sizeof *out->split.train);
    out->split.train_count = ROWS;
    for (size_t i = 0; i < ROWS; i++) {
        out->split.train[i] = i;
    }
}

static void free_fit(made_fit *made, table *rows) {
    fit_session *self = &made->fit;
    input_unbind(&self->source);
    map_destroy(self->map);
    head_free(&self->head);
    free(self->split.train);
    table_destroy(rows);
}

/* Fills out (ROWS, OUTPUTS) with scores of a softmax: less the mean of each row. */
static void scores_of(const fit_session *self, double *out) {
    const size_t k = self->map->features;
    float *z = take(ROWS * k, sizeof *z);
    float *scratch = take(map_scratch_size(self->map), sizeof *scratch);
    map_features(self->map, &self->data->rows, 1.0F, z, scratch);
    for (size_t i = 0; i < ROWS; i++) {
        double mean = 0.0;
        for (size_t j = 0; j < OUTPUTS; j++) {
            double sum = (double)self->head.weights[k * OUTPUTS + j];
            for (size_t f = 0; f < k; f++) {
                sum += JOINT_GAIN * (double)self->map->scale * (double)z[i * k + f] *
                       (double)self->head.weights[f * OUTPUTS + j];
            }
            out[i * OUTPUTS + j] = sum;
            mean += sum / OUTPUTS;
        }
        for (size_t j = 0; j < OUTPUTS; j++) {
            out[i * OUTPUTS + j] -= mean;
        }
    }
    free(z);
    free(scratch);
}

/* Features 1, 4, 5: no weights, the same weights for all outputs, and a constant. */
static void features_without_effect_go_and_scores_stay(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static double before[ROWS * OUTPUTS], after[ROWS * OUTPUTS];
    made_fit made;
    fit_session *const own = &made.fit;
    table *rows;
    make_fit(&made, &rows);
    for (size_t j = 0; j < OUTPUTS; j++) {
        own->head.weights[1 * OUTPUTS + j] = 0.0F;
        own->head.weights[4 * OUTPUTS + j] = 7.0F;
        own->head.weights[5 * OUTPUTS + j] = (float)j * 10.0F;
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        own->map->layers[0]->tensors[0].values[c * FEATURES + 5] = 0.0F;
    }
    scores_of(own, before);
    check_ok(prune_features(own, FEATURES - 3, &error), &error);
    assert_int_equal(own->map->features, FEATURES - 3);
    assert_int_equal(own->head.features, FEATURES - 3);
    assert_int_equal(own->spec.features, FEATURES - 3);
    scores_of(own, after);
    for (size_t i = 0; i < ROWS * OUTPUTS; i++) { /* sums of 12 floats of size 30 and below */
        if (!(fabs(before[i] - after[i]) < 12 * 30 * (double)FLT_EPSILON)) {
            fail_msg("score %zu was %.9g, is %.9g", i, before[i], after[i]);
        }
    }
    free_fit(&made, rows);
}

/* Of features that differ in their weights alone, the largest stay, in their order. */
static void features_with_the_largest_effect_stay_in_order(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static const float SIZES[FEATURES] = {3, 9, 1, 8, 2, 7, 4, 12, 5, 6, 10, 11};
    static const size_t KEPT[] = {1, 3, 7, 10, 11}; /* 8 and above */
    made_fit made;
    fit_session *const own = &made.fit;
    table *rows;
    make_fit(&made, &rows);
    float theta[COLUMNS], phases[FEATURES];
    for (size_t c = 0; c < COLUMNS; c++) {
        theta[c] = own->map->layers[0]->tensors[0].values[c * FEATURES];
    }
    /* one feature, twelve times; a multiple of 2 pi in the phase tells which */
    for (size_t i = 0; i < FEATURES; i++) {
        phases[i] = own->map->layers[0]->phase[i] = own->map->layers[0]->phase[0] + 6.2831855F * (float)i;
        for (size_t c = 0; c < COLUMNS; c++) {
            own->map->layers[0]->tensors[0].values[c * FEATURES + i] = theta[c];
        }
        for (size_t j = 0; j < OUTPUTS; j++) {
            own->head.weights[i * OUTPUTS + j] = SIZES[i] * (j % 2 == 0 ? 1.0F : -1.0F);
        }
    }
    check_ok(prune_features(own, COUNT_OF(KEPT), &error), &error);
    for (size_t i = 0; i < COUNT_OF(KEPT); i++) {
        assert_true(own->map->layers[0]->phase[i] == phases[KEPT[i]]);
    }
    free_fit(&made, rows);
}

/* ---- Whole trainings ---- */

static settings pruning(double share) {
    settings wanted = quick(METHOD_CNM);
    wanted.features = 32;
    wanted.noise = wanted.decay = -1.0;
    wanted.prune = share;
    return wanted;
}

static void a_pruned_model_is_smaller_and_still_good(void **unused) {
    (void)unused;
    table *rows = make_rings(5, 400, 4), *fresh = make_rings(6, 400, 4);
    settings wanted = pruning(0.75);
    now = (timeline){0};
    cnm_model *model = train(rows, &wanted);
    assert_int_equal(model->map->features, 8);
    assert_string_equal(record_get(&model->record, "pruned_from"), "32");
    check_figure_above(model, fresh, "accuracy", 0.97, "8 of 32");
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        wanted.threads = THREADS[i];
        cnm_model *again = train(rows, &wanted);
        check_same_model(model, again, true, "threads");
        model_destroy(again);
    }
    model_destroy(model);
    /* also with 16 bits */
    for (int dtype = DTYPE_F32; dtype <= DTYPE_F16; dtype++) {
        wanted.dtype = dtype;
        wanted.validation = 0.25;
        model = train(rows, &wanted);
        assert_int_equal(model->map->features, 8);
        assert_non_null(record_get(&model->record, "validation_score"));
        check_figure_above(model, fresh, "accuracy", 0.96, "held rows");
        model_destroy(model);
    }
    wanted = pruning(0.0);
    model = train(rows, &wanted);
    assert_null(record_get(&model->record, "pruned_from"));
    model_destroy(model);
    table_destroy(rows);
    table_destroy(fresh);
}

static void regressions_and_margin_losses_are_pruned_too(void **unused) {
    (void)unused;
    table *rows = make_rings(7, 300, 3);
    settings wanted = pruning(0.5);
    now = (timeline){0};
    wanted.loss = 1; /* hinge: with a temperature */
    cnm_model *model = train(rows, &wanted);
    assert_int_equal(model->map->features, 16);
    assert_non_null(record_get(&model->record, "temperature"));
    cnm_model *start = model; /* a warm start may prune again */
    cnm_error error = {0};
    wanted.features = 16;
    check_ok(learn_train(&model, rows, NULL, &wanted, start, NULL, &error), &error);
    assert_int_equal(model->map->features, 8);
    assert_non_null(record_get(&model->record, "temperature"));
    model_destroy(start);
    model_destroy(model);
    for (size_t i = 0; i < rows->rows; i++) {
        rows->labels.numbers[i] =
            100.0 + 3.0 * (double)(rows->values[3 * i] * rows->values[3 * i + 1]) + uniform(9, i) / 9.0;
    }
    wanted.loss = 0;
    wanted.features = 32;
    wanted.task = WANT_REGRESS;
    model = train(rows, &wanted);
    assert_int_equal(model->map->features, 16);
    check_figure_above(model, rows, "r2", 0.95, "numbers");
    model_destroy(model);
    table_destroy(rows);
}

static void pruning_what_has_no_features_is_refused(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_model *model;
    table *rows = make_rings(7, 100, 3);
    settings wanted = pruning(0.5);
    wanted.projection = 1;
    check_refusal(learn(&model, rows, NULL, &wanted, NULL, &error), CNM_UNSUPPORTED, &error, "--projection dense");
    table_destroy(rows);
}

/* ---- Interrupted ---- */

/* A fit that is stopped is not pruned; its checkpoint is resumed to the pruned model, as is one of
 * a finished training. */
static void a_resumed_training_is_pruned_to_the_same_bits(void **unused) {
    (void)unused;
    char path[] = "cnm-prune-XXXXXX";
    assert_true(close(mkstemp(path)) == 0 && remove(path) == 0);
    cnm_error error = {0};
    cnm_model *model;
    table *rows = make_rings(8, 200, 3);
    settings wanted = pruning(0.5);
    now = (timeline){0};
    cnm_model *whole = train(rows, &wanted);
    const uint64_t all = now.reports;
    wanted.checkpoint = path;
    wanted.checkpoint_every = 1e9;
    static const double STOPS[] = {0.3, 0.95}; /* in the fit, and after it */
    for (size_t i = 0; i < COUNT_OF(STOPS); i++) {
        remove(path);
        wanted.resume = false;
        now = (timeline){.stop_at = (uint64_t)(STOPS[i] * (double)all)};
        assert_int_equal(learn(&model, rows, NULL, &wanted, &NOTICING, &error), CNM_CANCELLED);
        assert_int_equal(model->map->features, i == 0 ? 32 : 16);
        model_destroy(model);
        wanted.resume = true;
        for (int again = 0; again < 2; again++) {
            now = (timeline){0};
            check_ok(learn(&model, rows, NULL, &wanted, &NOTICING, &error), &error);
            check_same_model(model, whole, true, i == 0 ? "stopped in the training" : "stopped in the pruning");
            model_destroy(model);
        }
    }
    remove(path);
    model_destroy(whole);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_without_effect_go_and_scores_stay),
        cmocka_unit_test(features_with_the_largest_effect_stay_in_order),
        cmocka_unit_test(a_pruned_model_is_smaller_and_still_good),
        cmocka_unit_test(regressions_and_margin_losses_are_pruned_too),
        cmocka_unit_test(pruning_what_has_no_features_is_refused),
        cmocka_unit_test(a_resumed_training_is_pruned_to_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
