/* Kernel approximation: a learned map has less error than a random one. */
#include "support/trainings.h"

#include "base/core/random.h"
#include "learn/objective/losses.h"
#include "math/random/variates.h"

/* For all kernels and projections the error on held-out pairs falls well below the random map's. */
static void a_kernel_map_has_less_error_than_a_random_one(void **state) {
    (void)state;
    table *rows = make_rings(3, 600, 5);
    for (int kernel = 0; kernel < 3; kernel++) {
        for (int projection = 0; projection < 2; projection++) {
            settings wanted = fit_settings(&FIT_METHODS[4 + projection], 16);
            wanted.kernel = kernel;
            wanted.validation = 0.3;
            wanted.task = WANT_MAP;
            cnm_model *model = train(rows, &wanted);
            assert_true(number_of(model, "kernel_error") < 0.7 * number_of(model, "kernel_error_random"));
            assert_int_equal(model->outputs, 0);
            model_destroy(model);
        }
    }
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_map_has_less_error_than_a_random_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
