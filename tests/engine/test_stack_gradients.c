/* Stacks of layers in the engine: gradients of every kind of layer at every place against central
 * differences in double, and the same bits for any number of threads, sparse rows, and rows apart
 * or together. */
#include "support/engine_losses.h"
#include "support/made_stacks.h"
#include "support/random_rows.h"

#include "base/core/random.h"
#include "engine/engine.h"
#include "math/gemm/gemm.h"
#include "model/model.h"

enum { ROWS = 70, COLUMNS = 5, OUTPUTS = 3 };

static const double SCALE = 0.7;

typedef struct stage {
    twin_rows rows;
    input_stage input;
    input_source source;
    map *map;
    linear_head head;
    int32_t classes[ROWS];
} stage;

static void stage_make(stage *self, const char *layers, bool sparse) {
    cnm_error error = {0};
    *self = (stage){.rows = twin_make(31, ROWS, COLUMNS, 0.6), .input = {.columns = COLUMNS}};
    self->map = make_stack(layers, COLUMNS);
    check_ok(input_bind(&self->source, &self->input, sparse ? &self->rows.sparse : &self->rows.dense,
                        map_first(self->map)->projection->sparse, &error),
             &error);
    check_ok(head_create(&self->head, self->map->features, OUTPUTS, &error), &error);
    normals(32, (self->map->features + 1) * OUTPUTS, 0.8, self->head.weights);
    for (size_t i = 0; i < ROWS; i++) {
        self->classes[i] = (int32_t)(i * 5 % OUTPUTS);
    }
}

static void stage_free(stage *self) {
    input_unbind(&self->source);
    input_free(&self->input);
    map_destroy(self->map);
    head_free(&self->head);
    twin_free(&self->rows);
}

static engine *stage_engine(stage *self, size_t batch, size_t threads) {
    cnm_error error = {0};
    engine *out;
    check_ok(engine_create(&out,
                           &(engine_setup){.rows = &self->source,
                                           .classes = self->classes,
                                           .map = self->map,
                                           .head = &self->head,
                                           .batch = batch,
                                           .threads = threads},
                           &error),
             &error);
    return out;
}

/* ---- Gradients ---- */

static struct {
    const map *of;
    float *gradients[MAP_ARRAYS];
} recorded;

/* Keeps the gradient under the array whose values it would change. */
static void record_apply(const update_call *call) {
    map_array arrays[MAP_ARRAYS];
    const size_t count = map_list(recorded.of, arrays);
    for (size_t i = 0; i < count; i++) {
        if (*arrays[i].values == call->values) {
            recorded.gradients[i] = take(call->rows * call->columns, sizeof(float));
            memcpy(recorded.gradients[i], call->gradient, call->rows * call->columns * sizeof(float));
        }
    }
}

static double no_rate(const update_call *call) {
    (void)call;
    return 0.0;
}

static const update_ops RECORD = {.name = "record", .moments = 0, .whole = true, .apply = record_apply};

static train_plan record_plan(void) {
    return (train_plan){.loss = &TEST_LOSSES[0].ops,
                        .head_update = UPDATE_HOST,
                        .map_update = UPDATE_HOST,
                        .host_update = &RECORD,
                        .rate = RATE_HOST,
                        .host_rate = no_rate,
                        .feature_scale = SCALE,
                        .batch = ROWS,
                        .stream = RANDOM_BATCHES,
                        .seed = 9,
                        .steps = 100};
}

static double loss_at(const stage *self, const stack_point *at) {
    double sum = 0.0;
    for (size_t row = 0; row < ROWS; row++) {
        double u[COLUMNS], z[64], scores[ENGINE_OUTPUTS], slopes[ENGINE_OUTPUTS];
        for (size_t j = 0; j < COLUMNS; j++) {
            u[j] = (double)self->rows.values[row * COLUMNS + j];
        }
        stack_row(self->map, at, u, z);
        for (size_t c = 0; c < OUTPUTS; c++) {
            scores[c] = (double)self->head.weights[self->map->features * OUTPUTS + c];
            for (size_t i = 0; i < self->map->features; i++) {
                scores[c] += SCALE * z[i] * (double)self->head.weights[i * OUTPUTS + c];
            }
        }
        sum += TEST_LOSSES[0].row(scores, OUTPUTS, (size_t)self->classes[row], 0.0, slopes);
    }
    return sum / ROWS;
}

/* Compares one array's gradient, within 1e-3 of its largest entry. */
static void check_array(const stage *self, stack_point *at, size_t which, const char *layers) {
    const double step = 1e-5;
    const size_t cells = at->arrays[which].rows * at->arrays[which].columns;
    double *expected = take(cells, sizeof *expected), largest = 0.0;
    for (size_t i = 0; i < cells; i++) {
        double *value = &at->values[which][i];
        const double kept = *value;
        *value = kept + step;
        const double above = loss_at(self, at);
        *value = kept - step;
        expected[i] = (above - loss_at(self, at)) / (2.0 * step);
        *value = kept;
        largest = fmax(largest, fabs(expected[i]));
    }
    assert_true(largest > 1e-5);
    for (size_t i = 0; i < cells; i++) {
        char what[128];
        (void)snprintf(what, sizeof what, "%s %s", layers, at->arrays[which].name);
        check_near((double)recorded.gradients[which][i], expected[i], 1e-3 * largest, what, i);
    }
    free(expected);
}

static void check_gradients(const char *layers) {
    stage self;
    double loss;
    cnm_error error = {0};
    stage_make(&self, layers, false);
    const train_plan plan = record_plan();
    engine *runner = stage_engine(&self, ROWS, 2);
    recorded.of = self.map;
    check_ok(engine_run(runner, &plan, 1, 1, &loss, &error), &error);
    engine_destroy(runner);
    stack_point at = stack_point_make(self.map);
    const double exact = loss_at(&self, &at);
    check_near(loss, exact, 1e-5 * exact, layers, 0);
    for (size_t i = 0; i < at.count; i++) {
        const bool learned = at.arrays[i].tensor == NULL || at.arrays[i].tensor->learned;
        assert_int_equal(recorded.gradients[i] != NULL, learned && at.values[i] != NULL);
        if (recorded.gradients[i] != NULL) {
            check_array(&self, &at, i, layers);
        }
        free(recorded.gradients[i]);
        recorded.gradients[i] = NULL;
    }
    stack_point_free(&at);
    stage_free(&self);
}

static void every_kind_of_layer_at_every_place_has_its_gradient(void **unused) {
    (void)unused;
    static const char *const KINDS[] = {"dense", "circulant", "circulant-diagonal"};
    static const int FEATURES[] = {6, 4, 7, 3};
    for (size_t kind = 0; kind < COUNT_OF(KINDS); kind++) {
        for (size_t count = 1; count <= COUNT_OF(FEATURES); count++) {
            for (size_t place = 0; place < count; place++) {
                char layers[128] = "";
                for (size_t i = 0, used = 0; i < count; i++) {
                    used += (size_t)snprintf(layers + used, sizeof layers - used, "%s%s:%d", i == 0 ? "" : ",",
                                             i == place ? KINDS[kind] : "dense", FEATURES[i]);
                }
                check_gradients(layers);
            }
        }
    }
}

static void layers_of_columns_have_their_gradient(void **unused) {
    (void)unused;
    check_gradients("columns:3,dense:7");
    check_gradients("columns:17,circulant:7,dense:5");
    check_gradients("columns:1,dense:7,circulant-diagonal:9,dense:4");
}

/* ---- Layers that stay as they are ---- */

/* Runs one step and takes what record_apply kept. */
static void take_gradients(stage *self, const train_plan *plan, float *out[MAP_ARRAYS]) {
    double loss;
    cnm_error error = {0};
    engine *runner = stage_engine(self, ROWS, 2);
    recorded.of = self->map;
    memset(recorded.gradients, 0, sizeof recorded.gradients);
    check_ok(engine_run(runner, plan, 1, 1, &loss, &error), &error);
    engine_destroy(runner);
    memcpy(out, recorded.gradients, sizeof recorded.gradients);
    memset(recorded.gradients, 0, sizeof recorded.gradients);
}

/* The bits are those of a step that trains all layers. */
static void a_layer_alone_has_the_gradient_it_has_among_others(void **unused) {
    (void)unused;
    static const char LAYERS[] = "columns:2,circulant-diagonal:9,dense:4";
    stage self;
    stage_make(&self, LAYERS, false);
    map_array arrays[MAP_ARRAYS];
    const size_t count = map_list(self.map, arrays);
    float *whole[MAP_ARRAYS], *alone[MAP_ARRAYS];
    train_plan plan = record_plan();
    take_gradients(&self, &plan, whole);
    for (size_t number = 0; number < self.map->layer_count; number++) {
        for (size_t i = 0; i < self.map->layer_count; i++) {
            plan.layer_fixed[i] = i != number;
        }
        take_gradients(&self, &plan, alone);
        for (size_t i = 0; i < count; i++) {
            const bool own = arrays[i].owner == self.map->layers[number];
            assert_int_equal(alone[i] != NULL, own && whole[i] != NULL);
            if (alone[i] != NULL) {
                check_same_floats(alone[i], whole[i], arrays[i].rows * arrays[i].columns, arrays[i].name);
            }
            free(alone[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        free(whole[i]);
    }
    stage_free(&self);
}

/* ---- Bits ---- */

static const char *const STACKS[] = {
    "dense:40,dense:70",
    "circulant:9,circulant-diagonal:13,dense:5",
    "columns:5,dense:40,dense:20",
};

static train_plan learning_plan(void) {
    train_plan plan = record_plan();
    plan.head_update = plan.map_update = UPDATE_ADAM;
    plan.host_update = NULL;
    plan.rate = RATE_COSINE;
    plan.host_rate = NULL;
    plan.head_rate = plan.tensor_rate = plan.phase_rate = plan.factor_rate = 0.05;
    plan.batch = 40;
    return plan;
}

/* Trains a stack for some steps; returns its parameters, to be freed. */
static float *trained(const char *layers, bool sparse, size_t threads, size_t *count) {
    stage self;
    double loss;
    cnm_error error = {0};
    stage_make(&self, layers, sparse);
    const train_plan plan = learning_plan();
    engine *runner = stage_engine(&self, plan.batch, threads);
    check_ok(engine_run(runner, &plan, 1, 9, &loss, &error), &error);
    engine_destroy(runner);
    map_array arrays[MAP_ARRAYS];
    const size_t listed = map_list(self.map, arrays);
    float *out = NULL;
    *count = 0;
    for (size_t i = 0; i < listed; i++) {
        const size_t cells = *arrays[i].values == NULL ? 0 : arrays[i].rows * arrays[i].columns;
        out = realloc(out, (*count + cells + 1) * sizeof *out);
        assert_non_null(out);
        memcpy(out + *count, cells == 0 ? (const float[1]){0} : *arrays[i].values, cells * sizeof *out);
        *count += cells;
    }
    stage_free(&self);
    return out;
}

static void threads_do_not_change_bits(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(STACKS); i++) {
        size_t count, others;
        float *one = trained(STACKS[i], false, THREADS[0], &count);
        for (size_t t = 1; t < COUNT_OF(THREADS); t++) {
            float *more = trained(STACKS[i], false, THREADS[t], &others);
            assert_int_equal(count, others);
            check_same_floats(one, more, count, STACKS[i]);
            free(more);
        }
        free(one);
    }
}

static void sparse_rows_train_as_dense_ones(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(STACKS); i++) {
        size_t count, others;
        float *dense = trained(STACKS[i], false, 2, &count), *sparse = trained(STACKS[i], true, 2, &others);
        assert_int_equal(count, others);
        for (size_t j = 0; j < count; j++) {
            check_near((double)sparse[j], (double)dense[j], 2e-3, STACKS[i], j);
        }
        free(dense);
        free(sparse);
    }
}

static void a_row_alone_has_the_bits_it_has_among_others(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(STACKS); i++) {
        stage self;
        stage_make(&self, STACKS[i], false);
        const size_t k = self.map->features;
        float *together = take(GEMM_ROWS * k, sizeof(float)), *alone = take(k, sizeof(float));
        float *scratch = take(map_scratch_size(self.map), sizeof(float));
        const rows_view block = rows_slice(self.rows.dense, 0, GEMM_ROWS);
        map_features(self.map, &block, 0.5F, together, scratch);
        for (size_t row = 0; row < GEMM_ROWS; row++) {
            const rows_view one = rows_slice(self.rows.dense, row, 1);
            map_features(self.map, &one, 0.5F, alone, scratch);
            check_same_floats(alone, together + row * k, k, STACKS[i]);
        }
        free(together);
        free(alone);
        free(scratch);
        stage_free(&self);
    }
}

/* ---- Circulant layers are their matrices ---- */

static void circulant_layers_equal_their_matrices(void **unused) {
    (void)unused;
    stage self;
    stage_make(&self, "circulant:9,circulant-diagonal:13,circulant:5", false);
    map *dense = make_stack("dense:9,dense:13,dense:5", COLUMNS);
    for (size_t i = 0; i < 3; i++) {
        const layer *from = self.map->layers[i];
        assert_int_equal(from->projection->to_dense(from, dense->layers[i]->tensors[0].values, NULL), CNM_OK);
        memcpy(dense->layers[i]->phase, from->phase, from->features * sizeof(float));
    }
    map_refresh(dense);
    float z[2][GEMM_ROWS * 5];
    const map *const maps[] = {self.map, dense};
    for (size_t i = 0; i < 2; i++) {
        float *scratch = take(map_scratch_size(maps[i]), sizeof(float));
        const rows_view block = rows_slice(self.rows.dense, 0, GEMM_ROWS);
        map_features(maps[i], &block, 1.0F, z[i], scratch);
        free(scratch);
    }
    for (size_t i = 0; i < COUNT_OF(z[0]); i++) {
        check_near((double)z[0][i], (double)z[1][i], 2e-5, "features", i);
    }
    map_destroy(dense);
    stage_free(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_layer_at_every_place_has_its_gradient),
        cmocka_unit_test(layers_of_columns_have_their_gradient),
        cmocka_unit_test(a_layer_alone_has_the_gradient_it_has_among_others),
        cmocka_unit_test(threads_do_not_change_bits),
        cmocka_unit_test(sparse_rows_train_as_dense_ones),
        cmocka_unit_test(a_row_alone_has_the_bits_it_has_among_others),
        cmocka_unit_test(circulant_layers_equal_their_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
