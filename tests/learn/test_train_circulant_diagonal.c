/* Circulant maps with learned diagonals: every method, sparse rows, and a warm start. */
#include "support/trainings.h"

#include "base/core/memory.h"

enum { CIRCULANT_DIAGONAL = 2 };

static settings diagonal(setting_method method, size_t features) {
    settings wanted = quick(method);
    wanted.projection = CIRCULANT_DIAGONAL;
    wanted.features = features;
    return wanted;
}

static void every_method_learns(void **unused) {
    (void)unused;
    table *rows = make_rings(5, 400, 6), *fresh = make_rings(6, 400, 6);
    settings joint = diagonal(METHOD_CNM, 12), turns = diagonal(METHOD_CNM, 12), kernel = diagonal(METHOD_KERNEL, 100);
    settings random = diagonal(METHOD_RFF, 200);
    joint.epochs = 0;
    turns.recipe = RECIPE_ALTERNATING;
    turns.epochs = 0;
    turns.iterations = 60;
    kernel.map_steps = 100;
    const struct {
        const settings *wanted;
        const char *what;
        double least;
    } cases[] = {
        {&joint, "joint", 0.98}, {&turns, "alternating", 0.95}, {&kernel, "kernel", 0.9}, {&random, "rff", 0.9}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        cnm_model *model = train(rows, cases[i].wanted);
        check_figure_above(model, fresh, "accuracy", cases[i].least, cases[i].what);
        assert_string_equal(model->map->layers[0]->projection->name, "circulant-diagonal");
        model_destroy(model);
    }
    table_destroy(rows);
    table_destroy(fresh);
}

/* A learned diagonal shrinks columns of noise, which random signs cannot. */
static void a_learned_diagonal_shrinks_columns_of_noise(void **unused) {
    (void)unused;
    enum { D = 6 };
    table *rows = make_rings(7, 1000, D);
    for (size_t i = 0; i < rows->rows * D; i++) {
        rows->values[i] *= i % D < 2 ? 1.0F : 10.0F; /* as large as the others */
    }
    settings wanted = diagonal(METHOD_CNM, 2 * D);
    wanted.epochs = 0;
    cnm_model *model = train(rows, &wanted);
    double used = 0.0, unused_columns = 0.0;
    for (size_t i = 0; i < 2 * D; i++) {
        *(i % D < 2 ? &used : &unused_columns) +=
            fabs((double)model->map->layers[0]->tensors[1].values[i]) / (i % D < 2 ? 4.0 : 8.0);
    }
    assert_true(used > 3.0 * unused_columns);
    model_destroy(model);
    table_destroy(rows);
}

/* Makes CSR rows of more than 4,096 columns, which are not centred and stay sparse. */
static table *make_sparse(uint64_t seed, size_t rows) {
    enum { COLUMNS = 5000, CELLS = 3 };
    table *out = table_make(rows, 1);
    memory_free(out->values);
    out->columns = COLUMNS;
    out->values = take_owned(rows * CELLS, sizeof(float));
    out->index = take_owned(rows * CELLS, sizeof(uint32_t));
    out->starts = take_owned(rows + 1, sizeof(size_t));
    for (size_t i = 0; i < rows; i++) {
        /* words 0 to 99 for one class, 2000 to 2099 for the other */
        for (size_t j = 0; j < CELLS; j++) {
            const size_t word = 100 * j / CELLS + (size_t)(33.0 * uniform(seed, i * CELLS + j)) + (i % 2) * 2000;
            out->index[i * CELLS + j] = (uint32_t)word;
            out->values[i * CELLS + j] = 1.0F;
        }
        out->starts[i + 1] = (i + 1) * CELLS;
        label_number(out, (double)(i % 2));
    }
    return out;
}

static void sparse_rows_are_learned_from(void **unused) {
    (void)unused;
    table *rows = make_sparse(8, 300), *fresh = make_sparse(9, 200);
    const settings wanted = diagonal(METHOD_CNM, 16);
    cnm_model *model = train(rows, &wanted);
    check_figure_above(model, fresh, "accuracy", 0.95, "sparse");
    model_destroy(model);
    table_destroy(rows);
    table_destroy(fresh);
}

static void a_warm_start_continues_and_adds_features(void **unused) {
    (void)unused;
    cnm_error error = {0};
    table *rows = make_rings(10, 300, 4), *more = make_rings(11, 300, 4), *fresh = make_rings(12, 400, 4);
    const settings first = diagonal(METHOD_CNM, 8);
    cnm_model *start = train(rows, &first), *next;
    /* on new rows; then with two and a half blocks more */
    for (size_t features = 8; features <= 20; features += 12) {
        settings wanted = diagonal(METHOD_CNM, features);
        wanted.epochs = 5;
        check_ok(learn_train(&next, more, NULL, &wanted, start, NULL, &error), &error);
        assert_int_equal(next->map->features, features);
        check_figure_above(next, fresh, "accuracy", figure_of(start, fresh, "accuracy") - 0.02, "after going on");
        model_destroy(next);
    }
    model_destroy(start);
    table_destroy(rows);
    table_destroy(more);
    table_destroy(fresh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_learns),
        cmocka_unit_test(a_learned_diagonal_shrinks_columns_of_noise),
        cmocka_unit_test(sparse_rows_are_learned_from),
        cmocka_unit_test(a_warm_start_continues_and_adds_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
