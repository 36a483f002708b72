/* With CNM_SIMD=reference a score is what simd_reference.c promises, to the bit: sums in order,
 * nothing fused. */
#include "support/made_models.h"
#include "support/random_rows.h"

#include "math/elementary/sincos.h"
#include "math/simd/simd_dispatch.h"

/* The same in plain C, as anybody may write it who wants the same bits. */
static float plain_sum(const float *a, const float *b, size_t step, size_t count) {
    volatile float sum = 0;
    for (size_t i = 0; i < count; i++) {
        const volatile float product = a[i] * b[i * step];
        sum = sum + product;
    }
    return sum;
}

/* Returns whether every layer is dense. */
static bool all_dense(const map *own) {
    for (size_t i = 0; i < own->layer_count; i++) {
        if (strcmp(own->layers[i]->projection->name, "dense") != 0) {
            return false;
        }
    }
    return true;
}

enum { WIDEST = 600 };

static void plain_scores(const cnm_model *model, const float *u, float *scores) {
    float rows[2][WIDEST];
    for (size_t l = 0; l < model->map->layer_count; l++) {
        const layer *own = model->map->layers[l];
        float *z = rows[l % 2];
        for (size_t i = 0; i < own->features; i++) {
            float p = plain_sum(u, own->tensors[0].values + i, own->features, own->columns);
            p = own->phase == NULL ? p : p + own->phase[i];
            own->activation->value(&p, 1, &z[i]);
        }
        u = z;
    }
    for (size_t j = 0; j < model->outputs; j++) {
        scores[j] = plain_sum(u, model->weights + j, model->outputs, model->map->features) + model->bias[j];
    }
}

static void scores_of_dense_maps_are_sums_in_order(void **state) {
    (void)state;
    enum { ROWS = 70 };
    static const model_kind LARGE[] = {
        {"dense, large", "dense", "cos", 300, 531, 3, .phases = true},
        {"four dense layers", "dense", "cos", 30, 70, 3, .phases = true, .inner = "dense:300,dense:531,dense:9"},
    };
    assert_string_equal(simd_active()->name, "reference");
    for (size_t at = 0; at < COUNT_OF(MODEL_KINDS) + COUNT_OF(LARGE); at++) {
        const model_kind *kind = at < COUNT_OF(MODEL_KINDS) ? &MODEL_KINDS[at] : &LARGE[at - COUNT_OF(MODEL_KINDS)];
        cnm_error error = {0};
        cnm_model *model = make_model(kind);
        if (!all_dense(model->map) || kind->classes == 1 || kind->offset || kind->base) {
            model_destroy(model);
            continue;
        }
        twin_rows rows = twin_make(at, ROWS, kind->columns, 1.0);
        float *scores = take(ROWS * model->outputs, sizeof *scores), *expected = take(model->outputs, sizeof *scores);
        check_ok(model_scores(model, &rows.dense, 2, scores, &error), &error);
        for (size_t row = 0; row < ROWS; row++) {
            plain_scores(model, rows.values + row * kind->columns, expected);
            check_same_floats(scores + row * model->outputs, expected, model->outputs, kind->name);
        }
        free(scores);
        free(expected);
        twin_free(&rows);
        model_destroy(model);
    }
}

int main(void) {
    if (setenv("CNM_SIMD", "reference", 1) != 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(scores_of_dense_maps_are_sums_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
