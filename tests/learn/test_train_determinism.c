/* The same bits for any number of threads, others for another seed: every method. */
#include "support/trainings.h"

#include "base/core/memory.h"
#include "data/scale/scaling.h"

static void any_number_of_threads_gives_the_same_model(void **unused) {
    (void)unused;
    method_case cases[METHOD_CASES];
    method_cases(cases);
    table *rows = make_rings(14, 230, 7);
    for (size_t i = 0; i < METHOD_CASES; i++) {
        cases[i].wanted.threads = 1;
        cnm_model *one = train(rows, &cases[i].wanted);
        for (size_t t = 1; t < COUNT_OF(THREADS); t++) {
            cases[i].wanted.threads = THREADS[t];
            cnm_model *many = train(rows, &cases[i].wanted);
            check_same_model(one, many, true, cases[i].what);
            model_destroy(many);
        }
        model_destroy(one);
    }
    table_destroy(rows);
}

static void a_seed_decides_the_model(void **unused) {
    (void)unused;
    method_case cases[METHOD_CASES];
    method_cases(cases);
    table *rows = make_rings(15, 230, 7);
    for (size_t i = 0; i < METHOD_CASES; i++) {
        cnm_model *first = train(rows, &cases[i].wanted), *again = train(rows, &cases[i].wanted);
        check_same_model(first, again, true, cases[i].what);
        cases[i].wanted.seed = 2;
        cnm_model *other = train(rows, &cases[i].wanted);
        check_same_model(first, other, false, cases[i].what);
        bool differs = false; /* in its parameters, not only in the seed of its metadata */
        for (size_t j = 0; j < first->map->features; j++) {
            differs = differs || first->weights[j] != other->weights[j];
        }
        assert_true(differs);
        model_destroy(first);
        model_destroy(again);
        model_destroy(other);
    }
    table_destroy(rows);
}

static void threads_and_seeds_of_learned_maps(void **state) {
    (void)state;
    table *rows = make_rings(1, 300, 7);
    for (size_t i = 0; i < COUNT_OF(FIT_METHODS); i++) {
        settings wanted = fit_settings(&FIT_METHODS[i], 70);
        wanted.iterations = 3;
        wanted.map_steps = 10;
        wanted.epochs = 5;
        cnm_model *models[3];
        for (size_t t = 0; t < 3; t++) {
            static const uint64_t COUNTS[] = {1, 2, 7};
            wanted.threads = COUNTS[t];
            models[t] = train(rows, &wanted);
        }
        check_same_model(models[0], models[1], true, FIT_METHODS[i].name);
        check_same_model(models[0], models[2], true, FIT_METHODS[i].name);
        wanted.seed = 2;
        cnm_model *other = train(rows, &wanted);
        check_same_model(models[0], other, false, FIT_METHODS[i].name);
        for (size_t t = 0; t < 3; t++) {
            model_destroy(models[t]);
        }
        model_destroy(other);
    }
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_model),
        cmocka_unit_test(a_seed_decides_the_model),
        cmocka_unit_test(threads_and_seeds_of_learned_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
