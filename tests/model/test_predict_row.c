/* Predicting one row at a time gives the bits of a batch, for every kind of model, whatever row
 * came before, and takes no memory. */
#include "support/made_models.h"
#include "support/random_rows.h"

#include "model/predict_row.h"

/* The library's one source of memory, replaced by one that counts. */
static size_t allocations;

void *aligned_alloc(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size) {
    void *pointer = NULL;
    allocations++;
    return posix_memalign(&pointer, alignment, size) == 0 ? pointer : NULL;
}

enum { ROWS = 70 };

/* Shapes that a batch cuts into tiles and blocks: outputs below and above what narrow products
 * take, features in many tiles and beyond one block of terms, transforms of one and of several
 * blocks, rows that go through the map sparse. */
static const model_kind LARGE[] = {
    {"two classes", "dense", "cos", 22, 64, 2, .phases = true},
    {"four outputs", "dense", "cos", 300, 531, 4, .phases = true, .offset = true},
    {"many outputs", "dense", "cos", 16, 300, 26, .phases = true},
    {"no phases", "dense", "cos", 40, 97, 17, .phases = false},
    {"circulant", "circulant", "cos", 784, 784, 10, .phases = true},
    {"circulant, several blocks", "circulant", "cos", 100, 530, 3, .phases = true, .unequal = true},
    {"prime length", "circulant", "cos", 97, 97, 2, .phases = true},
    {"learned diagonals", "circulant-diagonal", "cos", 64, 200, 5, .phases = true},
    {"sparse rows", "dense", "cos", 5000, 20, 3, .phases = true},
    {"sparse rows, circulant", "circulant", "cos", 5000, 5000, 2, .phases = true},
    {"two layers", "dense", "cos", 54, 128, 2, .phases = true, .inner = "dense:256"},
    {"circulant below dense", "dense", "cos", 784, 64, 10, .phases = true, .inner = "circulant:784"},
    {"eight layers", "dense", "cos", 9, 530, 3, .phases = true,
     .inner = "dense:70,circulant:97,dense:64,circulant-diagonal:64,dense:1,dense:300,circulant:301"},
    {"sparse rows, three layers", "dense", "cos", 5000, 20, 3, .phases = true, .inner = "dense:90,circulant:90"},
    {"sparse rows, asinh", "dense", "relu", 4097, 33, 0, .asinh = true},
};

static void check_kind(const model_kind *kind, uint64_t seed) {
    cnm_error error = {0};
    cnm_model *model = make_model(kind);
    const size_t columns = kind->columns, outputs = model->outputs;
    twin_rows rows = twin_make(seed, ROWS, columns, 0.7);
    float *scores = take(ROWS * outputs, sizeof *scores), *alone = take(outputs, sizeof *alone);
    row_predictor *predictor;
    for (size_t i = 0; model->input.fill != NULL && i < ROWS * columns; i += 7) {
        rows.values[i] = NAN;
    }
    check_ok(model_scores(model, &rows.dense, 2, scores, &error), &error);
    check_ok(row_predictor_create(&predictor, model, &error), &error);
    assert_true(allocations > 0);
    for (size_t i = 0; i < 2 * ROWS; i++) {
        const size_t row = i * 37 % ROWS;
        allocations = 0;
        row_predictor_scores(predictor, rows.values + row * columns, alone);
        assert_int_equal(allocations, 0);
        check_same_floats(alone, scores + row * outputs, outputs, kind->name);
    }
    row_predictor_destroy(predictor);
    free(scores);
    free(alone);
    twin_free(&rows);
    model_destroy(model);
}

static void a_row_alone_has_the_bits_of_a_batch(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(MODEL_KINDS); i++) {
        if (MODEL_KINDS[i].classes != 1 && !MODEL_KINDS[i].base) {
            check_kind(&MODEL_KINDS[i], i);
        }
    }
    for (size_t i = 0; i < COUNT_OF(LARGE); i++) {
        check_kind(&LARGE[i], 100 + i);
    }
}

static void a_map_without_a_head_is_refused(void **state) {
    (void)state;
    static const model_kind KIND = {"map only", "dense", "cos", 6, 11, 1, .phases = false};
    cnm_error error = {0};
    cnm_model *model = make_model(&KIND);
    row_predictor *predictor;
    check_refusal(row_predictor_create(&predictor, model, &error), CNM_BAD_ARGUMENT, &error, "predicts nothing");
    assert_null(predictor);
    row_predictor_destroy(NULL);
    model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_alone_has_the_bits_of_a_batch),
        cmocka_unit_test(a_map_without_a_head_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
