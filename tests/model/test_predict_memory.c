/* The memory of a prediction does not grow with its rows: no features of all rows are ever stored,
 * of no layer. Only one thread is looked at; each more has a block of its own. */
#include "support/made_models.h"
#include "support/random_rows.h"

#include "model/model.h"

/* The library's one source of memory, replaced by one that adds up. */
static size_t taken;

void *aligned_alloc(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size) {
    void *pointer = NULL;
    taken += size;
    return posix_memalign(&pointer, alignment, size) == 0 ? pointer : NULL;
}

enum { FEW = 70, MANY = 1500 };

static const model_kind KINDS[] = {
    {"one layer", "dense", "cos", 20, 300, 2, .phases = true, .offset = true},
    {"circulant", "circulant", "cos", 97, 200, 3, .phases = true, .offset = true},
    {"two layers", "dense", "cos", 54, 128, 2, .phases = true, .offset = true, .inner = "dense:256"},
    {"wide below narrow", "dense", "cos", 30, 5, 0, .phases = true, .inner = "circulant:700,dense:300"},
    {"columns and knots", "dense", "cos", 8, 40, 4, .phases = true, .knots = true, .inner = "columns:4"},
};

/* Returns the bytes that are taken for scores of so many rows. */
static size_t bytes_for(const cnm_model *model, const twin_rows *rows, size_t count, float *scores) {
    cnm_error error = {0};
    const rows_view view = rows_slice(rows->dense, 0, count);
    taken = 0;
    check_ok(model_scores(model, &view, 1, scores, &error), &error);
    return taken;
}

static void memory_does_not_grow_with_the_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        cnm_model *model = make_model(&KINDS[i]);
        twin_rows rows = twin_make(i, MANY, KINDS[i].columns, 1.0);
        float *scores = take(MANY * model->outputs, sizeof *scores);
        const size_t few = bytes_for(model, &rows, FEW, scores);
        assert_true(few > 0);
        if (bytes_for(model, &rows, MANY, scores) != few) {
            fail_msg("%s: %zu bytes for %d rows, %zu for %d", KINDS[i].name, few, FEW, taken, MANY);
        }
        free(scores);
        twin_free(&rows);
        model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_does_not_grow_with_the_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
