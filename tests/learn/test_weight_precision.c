/* Parameters in 16 bits: taken where predictions stay, left where they would change, and the same
 * before and after a file. */
#include "support/made_models.h"
#include "support/trainings.h"

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "learn/compress/weight_precision.h"
#include "model/file/model_file.h"

static const char *kept(const cnm_model *model) {
    const char *value = record_get(&model->record, FILE_DTYPE);
    assert_non_null(value);
    return value;
}

static bool holds_halves(const float *values, size_t count) {
    uint16_t *halves = take(count, sizeof *halves);
    const bool all = float16_encode(values, count, float16_exponent(values, count), halves);
    free(halves);
    return all;
}

/* ---- A line: score = weight x + bias ---- */

static cnm_model *make_line(float weight, float bias, size_t classes) {
    const model_kind kind = {"line", "identity", "identity", 1, 1, classes, .phases = false};
    cnm_model *model = make_model(&kind);
    model->weights[0] = weight;
    model->bias[0] = bias;
    return model;
}

/* `rows` values from `low` on, `step` apart. */
static rows_view make_values(float *values, size_t rows, double low, double step) {
    for (size_t i = 0; i < rows; i++) {
        values[i] = (float)(low + step * (double)i);
    }
    return (rows_view){.rows = rows, .columns = 1, .values = values, .stride = 1};
}

enum { ROWS = 5000 };

/* The line of 16 bits crosses 0 a little beside that of 32: near there classes change, far from it
 * none does. */
static void classes_that_change_keep_32_bits(void **unused) {
    (void)unused;
    static float values[ROWS];
    const float weight = 1.0F / 3.0F, bias = -0.15F;
    const settings automatic = {.map_rate = 1.0, .threads = 2};
    const struct {
        double low, step;
        const char *expected;
    } cases[] = {{0.45 - 1e-5, 4e-9, "f32"}, {0.5, 1e-3, "f16"}, {-5.0, 2e-3, "f16"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        cnm_model *model = make_line(weight, bias, 2);
        const rows_view rows = make_values(values, ROWS, cases[i].low, cases[i].step);
        check_ok(weight_precision_apply(model, &rows, &automatic, NULL), NULL);
        assert_string_equal(kept(model), cases[i].expected);
        const bool whole = model->weights[0] == weight && model->bias[0] == bias;
        assert_true(whole == (strcmp(cases[i].expected, "f32") == 0));
        assert_true(whole || (holds_halves(model->weights, 1) && holds_halves(model->bias, 1)));
        model_destroy(model);
    }
}

/* A coefficient that is off by 2^-12 of itself changes y by less than a thousandth of its standard
 * deviation about 0, and by more about 1000. */
static void targets_that_change_keep_32_bits(void **unused) {
    (void)unused;
    static float values[ROWS];
    const settings automatic = {.map_rate = 1.0, .threads = 1};
    for (size_t far = 0; far < 2; far++) {
        cnm_model *model = make_line(1.0F / 3.0F, 0.0F, 0);
        const rows_view rows = make_values(values, ROWS, far == 0 ? -2.5 : 1000.0, 1e-3);
        check_ok(weight_precision_apply(model, &rows, &automatic, NULL), NULL);
        assert_string_equal(kept(model), far == 0 ? "f16" : "f32");
        model_destroy(model);
    }
}

static void a_given_precision_is_kept(void **unused) {
    (void)unused;
    static float values[ROWS];
    for (int dtype = DTYPE_F32; dtype <= DTYPE_F16; dtype++) {
        const settings wanted = {.map_rate = 1.0, .threads = 1, .dtype = dtype};
        cnm_model *model = make_line(1.0F / 3.0F, -0.15F, 2);
        const rows_view rows = make_values(values, ROWS, 0.45 - 1e-5, 4e-9);
        check_ok(weight_precision_apply(model, &rows, &wanted, NULL), NULL);
        assert_string_equal(kept(model), dtype == DTYPE_F16 ? "f16" : "f32");
        assert_int_equal(holds_halves(model->weights, 1), dtype == DTYPE_F16);
        model_destroy(model);
    }
}

/* The features of a map alone have no predictions to compare. */
static void a_map_alone_keeps_32_bits(void **unused) {
    (void)unused;
    static float values[2];
    const model_kind kind = {"map", "dense", "cos", 2, 5, 1, .phases = true};
    const rows_view rows = {.rows = 1, .columns = 2, .values = values, .stride = 2};
    cnm_model *model = make_model(&kind);
    check_ok(weight_precision_apply(model, &rows, &(settings){.map_rate = 1.0, .threads = 1}, NULL), NULL);
    assert_string_equal(kept(model), "f32");
    assert_false(holds_halves(model->map->layers[0]->phase, 5));
    check_ok(weight_precision_apply(model, &rows, &(settings){.map_rate = 1.0, .dtype = DTYPE_F16}, NULL), NULL);
    assert_true(holds_halves(model->map->layers[0]->phase, 5));
    model_destroy(model);
}

/* Phases of a cosine may change by 2 pi, others not. */
static void phases_keep_their_angle(void **unused) {
    (void)unused;
    static float values[2];
    static const char *const ACTIVATIONS[] = {"cos", "sigmoid"};
    const rows_view rows = {.rows = 1, .columns = 2, .values = values, .stride = 2};
    for (size_t i = 0; i < 2; i++) {
        const model_kind kind = {"phases", "dense", ACTIVATIONS[i], 2, 4, 0, .phases = true};
        const float far[] = {100.0F, -7.0F, 3.0F, 6.0F};
        cnm_model *model = make_model(&kind);
        memcpy(model->map->layers[0]->phase, far, sizeof far);
        check_ok(weight_precision_apply(model, &rows, &(settings){.map_rate = 1.0, .dtype = DTYPE_F16}, NULL), NULL);
        for (size_t j = 0; j < 4; j++) {
            const double phase = (double)model->map->layers[0]->phase[j],
                         gap = fabs(remainder(phase - (double)far[j], 2 * acos(-1.0)));
            assert_true(i == 0 ? fabs(phase) < 3.1421 && gap < 0x1p-10 : fabs(phase - (double)far[j]) < 0x1p-4);
        }
        model_destroy(model);
    }
}

/* ---- Trainings ---- */

static void check_file(const cnm_model *model, const table *rows) {
    cnm_error error = {0};
    unsigned char *bytes;
    size_t size;
    cnm_model *copy;
    const rows_view view = table_view(rows);
    float *before = take(rows->rows * model->outputs, sizeof(float)),
          *after = take(rows->rows * model->outputs, sizeof(float));
    check_ok(model_to_bytes(model, &bytes, &size, &error), &error);
    check_ok(model_from_bytes(&copy, bytes, size, "test", &error), &error);
    check_ok(model_scores(model, &view, 2, before, &error), &error);
    check_ok(model_scores(copy, &view, 1, after, &error), &error);
    check_same_floats(before, after, rows->rows * model->outputs, kept(model));
    memory_free(bytes);
    model_destroy(copy);
    free(before);
    free(after);
}

static void predictions_are_the_same_before_and_after_a_file(void **unused) {
    (void)unused;
    table *clouds = make_clouds(3, 300), *rings = make_rings(4, 300, 3);
    for (int dtype = DTYPE_AUTO; dtype <= DTYPE_F16; dtype++) {
        for (int projection = 0; projection < 3; projection++) {
            settings wanted = quick(METHOD_CNM);
            wanted.features = 20;
            wanted.epochs = 10;
            wanted.dtype = dtype;
            wanted.projection = projection;
            cnm_model *models[] = {train(clouds, &wanted), train(rings, &wanted)};
            check_file(models[0], clouds);
            check_file(models[1], rings);
            assert_string_equal(kept(models[0]), dtype == DTYPE_F32 ? "f32" : "f16");
            model_destroy(models[0]);
            model_destroy(models[1]);
        }
    }
    table_destroy(clouds);
    table_destroy(rings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_that_change_keep_32_bits),
        cmocka_unit_test(targets_that_change_keep_32_bits),
        cmocka_unit_test(a_given_precision_is_kept),
        cmocka_unit_test(a_map_alone_keeps_32_bits),
        cmocka_unit_test(phases_keep_their_angle),
        cmocka_unit_test(predictions_are_the_same_before_and_after_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
