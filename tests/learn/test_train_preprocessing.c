/* Preprocessing in trainings: scores do not depend on the units of columns, constant columns change
 * nothing, missing values are filled. */
#include "support/trainings.h"

#include "base/core/memory.h"
#include "data/scale/scaling.h"

/* ---- Scaling ---- */

/* Rounds values to multiples of 2^-8, so that adding and multiplying by powers of two is exact. */
static void put_on_grid(table *self) {
    for (size_t i = 0; i < self->rows * self->columns; i++) {
        self->values[i] = roundf(self->values[i] * 256.0F) / 256.0F;
    }
}

static void columns_in_other_units_give_the_same_scores(void **unused) {
    (void)unused;
    static const struct {
        scaling_kind kind;
        bool moves, stretches, alike; /* alike: only all columns together */
        const char *what;
    } CASES[] = {{SCALING_NONE, false, false, false, "none"},       {SCALING_GLOBAL, true, true, true, "global"},
                 {SCALING_STANDARD, true, true, false, "standard"}, {SCALING_RANGE, true, true, false, "range"},
                 {SCALING_ASINH, true, true, false, "asinh"},       {SCALING_WIDE, true, true, false, "wide"},
                 {SCALING_QUANTILE, true, true, false, "quantile"}};
    static const float FACTORS[] = {4.0F, 0.25F, 64.0F}, SHIFTS[] = {8.0F, -16.0F, 2.0F};
    for (size_t c = 0; c < COUNT_OF(CASES); c++) {
        for (int method = METHOD_RFF; method <= METHOD_LINEAR; method += METHOD_LINEAR - METHOD_RFF) {
            table *rows = make_rings(16, 200, 3), *changed = make_rings(16, 200, 3);
            put_on_grid(rows);
            put_on_grid(changed);
            for (size_t i = 0; i < 600; i++) {
                const float factor = !CASES[c].stretches ? 1.0F : FACTORS[CASES[c].alike ? 0 : i % 3];
                changed->values[i] = changed->values[i] * factor + (CASES[c].moves ? SHIFTS[i % 3] : 0.0F);
            }
            settings wanted = quick((setting_method)method);
            wanted.scale = (int)CASES[c].kind + 1;
            wanted.loss = 4; /* softmax: no kink that rounding could push a row over */
            cnm_model *models[2] = {train(rows, &wanted), train(changed, &wanted)};
            float scores[2][200], most = 0.0F;
            for (size_t m = 0; m < 2; m++) {
                const rows_view view = table_view(m == 0 ? rows : changed);
                assert_int_equal(model_scores(models[m], &view, 2, scores[m], NULL), CNM_OK);
                assert_string_equal(record_get(&models[m]->record, "scale"), CASES[c].what);
                assert_true(models[m]->input.asinh == scaling_is_asinh(CASES[c].kind));
                model_destroy(models[m]);
            }
            for (size_t i = 0; i < 200; i++) {
                most = fmaxf(most, fabsf(scores[0][i]));
            }
            /* rounding of 1e-7 that a few hundred steps carry on */
            for (size_t i = 0; i < 200; i++) {
                check_near((double)scores[1][i], (double)scores[0][i], 1e-2 * (double)most, CASES[c].what, i);
            }
            table_destroy(rows);
            table_destroy(changed);
        }
    }
}

/* Constant columns of any value change no decision. */
static void constant_columns_change_nothing(void **unused) {
    (void)unused;
    for (int scale = 0; scale <= SCALING_KINDS; scale++) {
        for (int method = METHOD_CNM; method <= METHOD_LINEAR; method++) {
            table *rows = make_rings(17, 200, 5);
            for (size_t i = 0; i < 200; i++) {
                rows->values[5 * i + 3] = 0.0F;
                rows->values[5 * i + 4] = scale == SCALING_NONE + 1 ? 0.5F : 12345.0F;
            }
            settings wanted = quick((setting_method)method);
            wanted.scale = scale;
            wanted.epochs = method == METHOD_CNM ? 5 : 40;
            wanted.map_steps = 5;
            wanted.projection = scale % 2;
            cnm_model *model = train(rows, &wanted);
            check_figure_above(model, rows, "accuracy", method == METHOD_LINEAR || method == METHOD_CNM ? 0.4 : 0.9,
                               "constant columns");
            for (size_t i = 0; i < model->map->features * model->outputs; i++) {
                assert_true(isfinite(model->weights[i]));
            }
            model_destroy(model);
            table_destroy(rows);
        }
    }
    table *all = table_make(20, 2); /* nothing varies at all */
    for (size_t i = 0; i < 20; i++) {
        label_number(all, (double)(i % 2));
    }
    const settings wanted = quick(METHOD_RFF);
    model_destroy(train(all, &wanted));
    table_destroy(all);
}

/* ---- Missing values ---- */

/* Missing cells are filled with the columns' means, in training and in prediction; the table itself
 * is not touched. */
static void missing_values_are_filled_and_the_means_kept(void **unused) {
    (void)unused;
    table *rows = make_sides(20, 200, 3);
    double mean = 0.0;
    rows->values[1] = rows->values[7] = NAN;
    rows->missing = 2;
    for (size_t i = 0; i < 200; i++) {
        mean += i == 0 || i == 2 ? 0.0 : (double)rows->values[3 * i + 1] / 198.0;
    }
    settings wanted = quick(METHOD_LINEAR);
    wanted.missing = 1;
    cnm_model *model = train(rows, &wanted);
    assert_true(isnan(rows->values[1]) && rows->missing == 2);
    assert_non_null(model->input.fill);
    check_near(model->input.fill[1], mean, 1e-6, "fill", 1);
    check_figure_above(model, rows, "accuracy", 0.95, "missing");
    model_destroy(model);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_in_other_units_give_the_same_scores),
        cmocka_unit_test(constant_columns_change_nothing),
        cmocka_unit_test(missing_values_are_filled_and_the_means_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
