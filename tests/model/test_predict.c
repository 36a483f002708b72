/* Predictions are right to a bound, and the bits of a row's scores depend on that row alone. */
#include "support/made_models.h"
#include "support/random_rows.h"
#include "support/reference_model.h"

#include "base/core/memory.h"
#include "model/predict_row.h"

enum { ROWS = 150 };

static rows_view view_of(const float *values, size_t rows, size_t columns, const double *base) {
    return (rows_view){.rows = rows, .columns = columns, .values = values, .stride = columns, .base = base};
}

/* Rows for a model; every seventh cell is missing where it fills in. */
static float *make_values(const cnm_model *model, uint64_t seed, size_t rows) {
    const size_t count = rows * model->input.columns;
    float *values = take(count, sizeof *values);
    normals(seed, count, 1.0, values);
    for (size_t i = 0; model->input.fill != NULL && i < count; i += 7) {
        values[i] = NAN;
    }
    return values;
}

/* Fills out with what a model gives for rows: scores, or features where it has no head. */
static size_t width_of(const cnm_model *model) { return model->outputs > 0 ? model->outputs : model->map->features; }

static void run_model(const cnm_model *model, rows_view rows, size_t threads, float *out) {
    cnm_error error = {0};
    check_ok(model->outputs > 0 ? model_scores(model, &rows, threads, out, &error)
                                : model_transform(model, &rows, threads, out, &error),
             &error);
}

/* ---- Against double ---- */

static void scores_equal_a_double_computation(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT_OF(MODEL_KINDS); kind++) {
        cnm_model *model = make_model(&MODEL_KINDS[kind]);
        reference_model plain = reference_make(model);
        const size_t columns = model->input.columns, width = width_of(model);
        float *values = make_values(model, 1, ROWS), *out = take(ROWS * width, sizeof *out);
        run_model(model, view_of(values, ROWS, columns, model->input.base), 2, out);
        for (size_t row = 0; row < ROWS; row++) {
            reference_run(&plain, values + row * columns, model->input.base);
            check_reference_row(&plain, out + row * width, MODEL_KINDS[kind].name, row);
        }
        free(values);
        free(out);
        reference_free(&plain);
        model_destroy(model);
    }
}

/* Rows may come with another base than the model's: true values count. */
static void rows_with_another_base_have_the_same_scores(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT_OF(MODEL_KINDS); kind++) {
        if (!MODEL_KINDS[kind].base) {
            continue;
        }
        cnm_model *model = make_model(&MODEL_KINDS[kind]);
        reference_model plain = reference_make(model);
        const size_t columns = model->input.columns, width = width_of(model);
        double *base = take(columns, sizeof *base);
        float *values = make_values(model, 2, ROWS), *out = take(ROWS * width, sizeof *out);
        for (size_t j = 0; j < columns; j++) {
            base[j] = model->input.base[j] - 3.25;
        }
        run_model(model, view_of(values, ROWS, columns, base), 2, out);
        for (size_t row = 0; row < ROWS; row++) {
            reference_run(&plain, values + row * columns, base);
            check_reference_row(&plain, out + row * width, MODEL_KINDS[kind].name, row);
        }
        free(base);
        free(values);
        free(out);
        reference_free(&plain);
        model_destroy(model);
    }
}

/* ---- The same bits ---- */

typedef struct prediction {
    cnm_model *model;
    size_t columns, width;
    float *values, *out, *other;
} prediction;

static prediction predict_make(const model_kind *kind) {
    prediction self = {.model = make_model(kind)};
    self.columns = self.model->input.columns;
    self.width = width_of(self.model);
    self.values = make_values(self.model, 3, ROWS);
    self.out = take(ROWS * self.width, sizeof(float));
    self.other = take(ROWS * self.width, sizeof(float));
    run_model(self.model, view_of(self.values, ROWS, self.columns, self.model->input.base), 1, self.out);
    return self;
}

static void predict_free(prediction *self) {
    model_destroy(self->model);
    free(self->values);
    free(self->out);
    free(self->other);
}

static void threads_do_not_change_a_bit(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT_OF(MODEL_KINDS); kind++) {
        prediction self = predict_make(&MODEL_KINDS[kind]);
        for (size_t t = 0; t <= COUNT_OF(THREADS); t++) {
            const size_t threads = t < COUNT_OF(THREADS) ? THREADS[t] : 0;
            memset(self.other, 0, ROWS * self.width * sizeof(float));
            run_model(self.model, view_of(self.values, ROWS, self.columns, self.model->input.base), threads,
                      self.other);
            check_same_floats(self.other, self.out, ROWS * self.width, MODEL_KINDS[kind].name);
        }
        predict_free(&self);
    }
}

static void batches_do_not_change_a_bit(void **unused) {
    (void)unused;
    static const size_t SIZES[] = {1, 2, 3, 17, 63, 64, 65, 128};
    for (size_t kind = 0; kind < COUNT_OF(MODEL_KINDS); kind++) {
        prediction self = predict_make(&MODEL_KINDS[kind]);
        for (size_t s = 0; s < COUNT_OF(SIZES); s++) {
            memset(self.other, 0, ROWS * self.width * sizeof(float));
            for (size_t first = 0; first < ROWS; first += SIZES[s]) {
                const rows_view all = view_of(self.values, ROWS, self.columns, self.model->input.base);
                run_model(self.model, rows_slice(all, first, SIZES[s]), 1, self.other + first * self.width);
            }
            check_same_floats(self.other, self.out, ROWS * self.width, MODEL_KINDS[kind].name);
        }
        predict_free(&self);
    }
}

/* One row at every position of a table whose other rows are ordinary, huge, infinite or NaN. */
static void positions_and_neighbours_do_not_change_a_bit(void **unused) {
    (void)unused;
    static const float NEIGHBOURS[] = {0.5F, 1e30F, INFINITY, NAN};
    for (size_t kind = 0; kind < COUNT_OF(MODEL_KINDS); kind++) {
        prediction self = predict_make(&MODEL_KINDS[kind]);
        const size_t columns = self.columns, rows = 70;
        float *values = take(rows * columns, sizeof *values);
        for (size_t n = 0; n < COUNT_OF(NEIGHBOURS); n++) {
            for (size_t position = 0; position < rows; position += n == 1 ? 1 : 9) {
                const size_t row = (position * 7 + n) % ROWS;
                for (size_t i = 0; i < rows * columns; i++) {
                    values[i] = NEIGHBOURS[n];
                }
                memcpy(values + position * columns, self.values + row * columns, columns * sizeof *values);
                run_model(self.model, view_of(values, rows, columns, self.model->input.base), 1, self.other);
                check_same_floats(self.other + position * self.width, self.out + row * self.width, self.width,
                                  MODEL_KINDS[kind].name);
            }
        }
        free(values);
        predict_free(&self);
    }
}

/* Up to 4096 columns the bits are the same; above, rows stay sparse and the order of the sums may
 * differ. */
static void sparse_rows_predict_as_dense_ones(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT_OF(MODEL_KINDS); kind++) {
        if (MODEL_KINDS[kind].base) {
            continue; /* only dense rows have one */
        }
        cnm_model *model = make_model(&MODEL_KINDS[kind]);
        const size_t width = width_of(model);
        twin_rows rows = twin_make(4, ROWS, model->input.columns, 0.4);
        float *dense = take(ROWS * width, sizeof *dense), *sparse = take(ROWS * width, sizeof *sparse);
        run_model(model, rows.dense, 1, dense);
        run_model(model, rows.sparse, 2, sparse);
        check_same_floats(sparse, dense, ROWS * width, MODEL_KINDS[kind].name);
        free(dense);
        free(sparse);
        twin_free(&rows);
        model_destroy(model);
    }
}

static void with_many_sparse_columns_a_row_keeps_its_bits(void **unused) {
    (void)unused;
    static const model_kind WIDE[] = {{"dense", "dense", "cos", 4200, 7, 3, .phases = true},
                                      {"circulant", "circulant", "cos", 4200, 7, 3, .phases = true, .asinh = true},
                                      {"identity", "identity", "identity", 4200, 4200, 2, .phases = false}};
    for (size_t kind = 0; kind < COUNT_OF(WIDE); kind++) {
        cnm_model *model = make_model(&WIDE[kind]);
        reference_model plain = reference_make(model);
        enum { WIDE_ROWS = 70 };
        twin_rows rows = twin_make(5, WIDE_ROWS, 4200, 0.01);
        float *all = take(WIDE_ROWS * 3, sizeof *all), one[3];
        run_model(model, rows.sparse, 2, all);
        for (size_t row = 0; row < WIDE_ROWS; row += 23) {
            reference_run(&plain, rows.values + row * 4200, NULL);
            check_reference_row(&plain, all + row * model->outputs, WIDE[kind].name, row);
        }
        for (size_t row = 0; row < WIDE_ROWS; row++) {
            run_model(model, rows_slice(rows.sparse, row, 1), 1, one);
            check_same_floats(one, all + row * model->outputs, model->outputs, WIDE[kind].name);
        }
        free(all);
        twin_free(&rows);
        reference_free(&plain);
        model_destroy(model);
    }
}

/* ---- Features, missing values, classes ---- */

static void a_transform_carries_the_scale(void **unused) {
    (void)unused;
    for (size_t kind = 0; kind < COUNT_OF(MODEL_KINDS); kind++) {
        cnm_error error = {0};
        cnm_model *model = make_model(&MODEL_KINDS[kind]);
        reference_model plain = reference_make(model);
        const size_t k = model->map->features, columns = model->input.columns;
        const double scale = strcmp(MODEL_KINDS[kind].activation, "identity") == 0 ? 1.0 : sqrt(2.0 / (double)k);
        float *values = make_values(model, 6, ROWS), *z = take(ROWS * k, sizeof *z);
        const rows_view rows = view_of(values, ROWS, columns, model->input.base);
        check_ok(model_transform(model, &rows, 2, z, &error), &error);
        for (size_t row = 0; row < ROWS; row++) {
            reference_run(&plain, values + row * columns, model->input.base);
            for (size_t i = 0; i < k; i++) {
                check_near((double)z[row * k + i], scale * plain.z[i],
                           scale * (plain.z_bound[i] + 2e-7 * fabs(plain.z[i])), MODEL_KINDS[kind].name, row * k + i);
            }
        }
        free(values);
        free(z);
        reference_free(&plain);
        model_destroy(model);
    }
}

/* Checks that the scores of a row with a missing cell are those with `centre` in its place, in a
 * batch and alone. */
static void check_centre(const cnm_model *model, size_t column, double centre) {
    float values[12], got[6], expected[6], alone[3];
    row_predictor *predictor;
    normals(7, 12, 1.0, values);
    values[column] = (float)centre;
    run_model(model, view_of(values, 2, 6, NULL), 1, expected);
    values[column] = NAN;
    run_model(model, view_of(values, 2, 6, NULL), 1, got);
    check_same_floats(got, expected, 6, "centre");
    assert_int_equal(row_predictor_create(&predictor, model, NULL), CNM_OK);
    for (size_t i = 0; i < 2; i++) {
        row_predictor_scores(predictor, values + i * 6, alone);
        check_same_floats(alone, expected + i * 3, 3, "centre, alone");
    }
    row_predictor_destroy(predictor);
}

static void without_a_fill_the_centre_stands_for_a_missing_value(void **unused) {
    (void)unused;
    const model_kind kinds[] = {{"centred", "dense", "cos", 6, 8, 3, .phases = true, .offset = true},
                                {"plain", "dense", "cos", 6, 8, 3, .phases = true}};
    for (size_t i = 0; i < 2; i++) {
        cnm_model *model = make_model(&kinds[i]);
        for (size_t j = 0; j < 6; j++) {
            check_centre(model, j, model->input.offset == NULL ? 0.0 : model->input.offset[j]);
        }
        model_destroy(model);
    }
}

static void a_missing_value_is_replaced_by_its_fill(void **unused) {
    (void)unused;
    const model_kind kind = {"fill", "dense", "cos", 6, 8, 3, .phases = true, .offset = true, .fill = true};
    cnm_model *model = make_model(&kind);
    float values[6], filled[6], got[3], expected[3];
    normals(7, 6, 1.0, values);
    for (size_t j = 0; j < 6; j++) {
        memcpy(filled, values, sizeof filled);
        const float kept = values[j];
        values[j] = NAN;
        filled[j] = (float)model->input.fill[j];
        run_model(model, view_of(values, 1, 6, NULL), 1, got);
        run_model(model, view_of(filled, 1, 6, NULL), 1, expected);
        check_same_floats(got, expected, 3, "fill");
        values[j] = kept;
    }
    model_destroy(model);
}

static void wrong_rows_and_tasks_are_refused(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_model *model = make_model(&MODEL_KINDS[0]), *only_map = make_model(&MODEL_KINDS[12]);
    float values[16] = {0}, out[16];
    rows_view rows = view_of(values, 2, 4, NULL);
    check_refusal(model_scores(model, &rows, 1, out, &error), CNM_BAD_ARGUMENT, &error,
                  "the rows have 4 columns, the model expects 3");
    check_refusal(model_transform(model, &rows, 1, out, &error), CNM_BAD_ARGUMENT, &error, "4 columns");
    assert_int_equal(model_scores(model, &rows, 1, out, NULL), CNM_BAD_ARGUMENT);
    rows = view_of(values, 2, 6, NULL);
    check_refusal(model_scores(only_map, &rows, 1, out, &error), CNM_BAD_ARGUMENT, &error, "map without a head");
    rows = view_of(values, 0, 3, NULL);
    check_ok(model_scores(model, &rows, 7, out, &error), &error);
    model_destroy(model);
    model_destroy(only_map);
    model_destroy(NULL);
}

static void the_first_of_equal_scores_wins(void **unused) {
    (void)unused;
    static const struct {
        size_t outputs;
        float scores[4];
        int32_t class;
    } CASES[] = {
        {1, {0.5F}, 1},       {1, {-0.5F}, 0},      {1, {0.0F}, 0},
        {4, {1, 2, 3, 0}, 2}, {4, {3, 3, 1, 3}, 0}, {4, {-3, -1, -1, -2}, 1},
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        const cnm_model model = {.outputs = CASES[i].outputs};
        assert_int_equal(model_decide(&model, CASES[i].scores), CASES[i].class);
    }
}

/* Rows a stride apart, in memory that ends with the last of them: what lies between is not read as
 * values. */
static void rows_with_gaps_have_the_bits_of_rows_without(void **state) {
    (void)state;
    enum { GAP = 3 };
    for (size_t i = 0; i < COUNT_OF(MODEL_KINDS); i++) {
        if (MODEL_KINDS[i].base) {
            continue;
        }
        cnm_model *model = make_model(&MODEL_KINDS[i]);
        const size_t columns = model->input.columns, stride = columns + GAP, width = width_of(model);
        float *values = make_values(model, 31, ROWS), *apart = malloc((ROWS * stride - GAP) * sizeof *apart);
        float *expected = take(ROWS * width, sizeof *expected), *got = take(ROWS * width, sizeof *got);
        assert_non_null(apart);
        for (size_t j = 0; j < ROWS * stride - GAP; j++) {
            apart[j] = j % stride < columns ? values[j / stride * columns + j % stride] : NAN;
        }
        run_model(model, view_of(values, ROWS, columns, NULL), 1, expected);
        rows_view view = view_of(apart, ROWS, columns, NULL);
        view.stride = stride;
        run_model(model, view, 2, got);
        check_same_floats(got, expected, ROWS * width, MODEL_KINDS[i].name);
        free(values);
        free(apart);
        free(expected);
        free(got);
        model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_with_gaps_have_the_bits_of_rows_without),
        cmocka_unit_test(scores_equal_a_double_computation),
        cmocka_unit_test(rows_with_another_base_have_the_same_scores),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(batches_do_not_change_a_bit),
        cmocka_unit_test(positions_and_neighbours_do_not_change_a_bit),
        cmocka_unit_test(sparse_rows_predict_as_dense_ones),
        cmocka_unit_test(with_many_sparse_columns_a_row_keeps_its_bits),
        cmocka_unit_test(a_transform_carries_the_scale),
        cmocka_unit_test(a_missing_value_is_replaced_by_its_fill),
        cmocka_unit_test(without_a_fill_the_centre_stands_for_a_missing_value),
        cmocka_unit_test(wrong_rows_and_tasks_are_refused),
        cmocka_unit_test(the_first_of_equal_scores_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
