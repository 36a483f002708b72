/* The same bits: gradients for any number of threads, features of a row at any position and
 * beside any other rows. */
#include "map/map_support.h"

typedef struct shape {
    const char *projection;
    size_t columns, features;
} shape;

/* More than one tile of the gradient in both directions; awkward and smooth lengths; k below and
 * above d. */
static const shape SHAPES[] = {{"dense", 70, 530},
                               {"dense", 3, 9},
                               {"circulant", 70, 530},
                               {"circulant", 97, 40},
                               {"circulant", 64, 64},
                               {"circulant-diagonal", 70, 530},
                               {"circulant-diagonal", 97, 40}};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

static layer *make(shape wanted, const char *activation) {
    const layer_spec spec = {.projection = wanted.projection,
                             .activation = activation,
                             .columns = wanted.columns,
                             .features = wanted.features,
                             .gamma = 0.01,
                             .phases = true,
                             .seed = 5};
    return draw_map(&spec);
}

static void gradient_does_not_depend_on_threads(void **unused) {
    (void)unused;
    enum { ROWS = 333 };
    for (size_t at = 0; at < SHAPE_COUNT; at++) {
        layer *self = make(SHAPES[at], "cos");
        const size_t k = self->features, count = self->tensors[0].rows * self->tensors[0].columns;
        test_rows rows = rows_make(at, ROWS, self->columns, 0.5);
        float *g = test_take(ROWS * k, sizeof *g);
        float *first = test_take(count + k, sizeof *first), *again = test_take(count + k, sizeof *again);
        variates_normal((random_stream){at, RANDOM_TEST, 2}, 0, ROWS * k, 1.0, g);
        const rows_view views[] = {rows.dense, rows.sparse};
        for (size_t which = 0; which < 2; which++) {
            run_gradient(self, views[which], g, (float *[LAYER_TENSORS]){first}, first + count, 1);
            for (size_t threads = 2; threads <= 7; threads += 5) {
                run_gradient(self, views[which], g, (float *[LAYER_TENSORS]){again}, again + count, threads);
                assert_memory_equal(first, again, (count + k) * sizeof *first);
            }
        }
        free(g);
        free(first);
        free(again);
        rows_free(&rows);
        layer_destroy(self);
    }
}

/* One dense row in a block: at `position` among `rows` rows, all others holding `neighbour`. */
static void run_dense(const layer *self, const float *row, size_t position, size_t rows, float neighbour, float *z,
                      float *slope) {
    const size_t d = self->columns, k = self->features;
    float *values = test_take(GEMM_ROWS * d, sizeof *values), *all = test_take(GEMM_ROWS * k * 2, sizeof *all);
    for (size_t i = 0; i < rows * d; i++) {
        values[i] = neighbour;
    }
    memcpy(values + position * d, row, d * sizeof *row);
    run_map(self, (rows_view){.rows = rows, .columns = d, .values = values, .stride = d}, all, all + GEMM_ROWS * k);
    memcpy(z, all + position * k, k * sizeof *z);
    memcpy(slope, all + (GEMM_ROWS + position) * k, k * sizeof *slope);
    free(values);
    free(all);
}

/* The same for a sparse row, its neighbours full. */
static void run_sparse(const layer *self, const rows_view *row, size_t position, size_t rows, float neighbour, float *z,
                       float *slope) {
    const size_t d = self->columns, k = self->features, start = row->starts[0], own = row->starts[1] - start;
    float *values = test_take(GEMM_ROWS * d, sizeof *values), *all = test_take(GEMM_ROWS * k * 2, sizeof *all);
    uint32_t *index = test_take(GEMM_ROWS * d, sizeof *index);
    size_t starts[GEMM_ROWS + 1] = {0}, at = 0;
    for (size_t i = 0; i < rows; i++) {
        const size_t count = i == position ? own : d;
        for (size_t j = 0; j < count; j++, at++) {
            values[at] = i == position ? row->values[start + j] : neighbour;
            index[at] = i == position ? row->index[start + j] : (uint32_t)j;
        }
        starts[i + 1] = at;
    }
    run_map(self, (rows_view){.rows = rows, .columns = d, .values = values, .starts = starts, .index = index}, all,
            all + GEMM_ROWS * k);
    memcpy(z, all + position * k, k * sizeof *z);
    memcpy(slope, all + (GEMM_ROWS + position) * k, k * sizeof *slope);
    free(values);
    free(all);
    free(index);
}

static void check_places(const layer *self) {
    static const float NEIGHBOURS[] = {0, 1.5f, 1e30f, NAN};
    const size_t k = self->features;
    test_rows rows = rows_make(77, 1, self->columns, 0.5);
    float *alone = test_take(4 * k, sizeof *alone), *here = alone + 2 * k; /* z, then slope */
    for (size_t sparse = 0; sparse < 2; sparse++) {
        for (size_t at = 0; at < 1 + 4 * GEMM_ROWS; at++) {
            const size_t position = at == 0 ? 0 : (at - 1) % GEMM_ROWS;
            /* the first alone, then last or among all */
            const size_t count = at % 2 == 0 ? position + 1 : GEMM_ROWS;
            const float neighbour = at == 0 ? 0 : NEIGHBOURS[(at - 1) / GEMM_ROWS];
            float *target = at == 0 ? alone : here;
            if (sparse == 0) {
                run_dense(self, rows.values, position, count, neighbour, target, target + k);
            } else {
                run_sparse(self, &rows.sparse, position, count, neighbour, target, target + k);
            }
            assert_memory_equal(alone, target, 2 * k * sizeof *alone);
        }
    }
    rows_free(&rows);
    free(alone);
}

static void a_row_keeps_its_bits_at_any_place(void **unused) {
    (void)unused;
    static const char *const ACTIVATIONS[] = {"cos", "sigmoid", "relu", "identity"};
    for (size_t at = 0; at < SHAPE_COUNT; at++) {
        layer *self = make(SHAPES[at], ACTIVATIONS[at % 4]);
        check_places(self);
        layer_destroy(self);
    }
}

/* A row of NaN stays visible: no activation turns it into a number. */
static void a_missing_value_stays_missing(void **unused) {
    (void)unused;
    static const char *const ACTIVATIONS[] = {"cos", "sigmoid", "relu", "identity"};
    for (size_t i = 0; i < 4; i++) {
        const float p = NAN;
        float z, slope;
        activation_find(ACTIVATIONS[i])->value(&p, 1, &z);
        assert_true(isnan(z));
        activation_find(ACTIVATIONS[i])->value_and_slope(&p, 1, &z, &slope);
        assert_true(isnan(z));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_does_not_depend_on_threads),
        cmocka_unit_test(a_row_keeps_its_bits_at_any_place),
        cmocka_unit_test(a_missing_value_stays_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
