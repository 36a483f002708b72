/* Validation keeps the parameters that were best on the validation rows. */
#include "support/trainings.h"

#include "base/core/random.h"
#include "learn/objective/losses.h"
#include "math/random/variates.h"

/* The kept parameters are the best seen, so their score on the validation rows is the one in the
 * metadata. */
static void validation_keeps_the_best(void **state) {
    (void)state;
    table *rows = make_rings(1, 300, 8);
    for (size_t i = 0; i < 4; i++) {
        settings wanted = fit_settings(&FIT_METHODS[i], 12);
        wanted.validation = 0.25;
        wanted.patience = 3;
        cnm_model *model = train(rows, &wanted);
        table *held = make_rings(1, 300, 8);
        size_t order[300], count = 0;
        for (size_t row = 0; row < 300; row++) { /* the last quarter of each class: 37 of 150 */
            if (row / 2 >= 150 - 37) {
                order[count++] = row;
            }
        }
        assert_int_equal(table_keep(held, order, count, NULL), CNM_OK);
        assert_true(fabs(figure_of(model, held, "accuracy") - number_of(model, "validation_score")) < 1e-9);
        table_destroy(held);
        model_destroy(model);
    }
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validation_keeps_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
