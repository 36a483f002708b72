/* An ensemble of kernel ridge models: its members agree with elimination, its loss is
 * leave-one-out, copies of rows do not count, the scaling, kernel and feature weights that suit the
 * rows are found, and any number of threads gives the same bits. */
#include "support/made_models.h"
#include "support/made_session.h"

#include "data/scale/scaling.h"
#include "learn/detect/detect_row_outliers.h"
#include "learn/distill/kernel_ensemble.h"

enum { ROWS = 200, HALF = ROWS / 2, COLUMNS = 3, MOST_OUTPUTS = 3 };
static const double MUCH = 1e12; /* work */

static void make_few(made_session *self, const char *loss, size_t outputs) {
    make_session(self, &(made_shape){.rows = ROWS,
                                     .columns = COLUMNS,
                                     .features = 16,
                                     .outputs = outputs,
                                     .loss = loss,
                                     .chosen = {.map_rate = 1.0, .batch = 16, .steps = 100}});
    self->settings.scale = 1 + SCALING_NONE; /* unscaled */
}

static kernel_ensemble find_with(const made_session *self, const facts *known, double work) {
    cnm_error error = {0};
    kernel_ensemble out;
    check_ok(kernel_ensemble_fit(&out, &self->session, known, work, MUCH, &error), &error);
    return out;
}

static kernel_ensemble find(const made_session *self, double work) {
    static const facts NOTHING = {0};
    return find_with(self, &NOTHING, work);
}

/* Scales the rows by --scale auto, of which the map has `kind`. */
static void scale_rows(made_session *self, scaling_kind kind) {
    cnm_error error = {0};
    fit_session *of = &self->session;
    self->settings.scale = 0;
    check_ok(scaled_rows_create(&self->scaled, &self->data, kind, &error), &error);
    input_unbind(&of->source);
    check_ok(
        input_bind(&of->source, &self->scaled.input, &self->data.rows, of->map->layers[0]->projection->sparse, &error),
        &error);
}

/* Returns k(a, b) + 1 in double. */
static double kernel_between(const made_session *self, const kernel_model *model, size_t a, size_t b) {
    double square = 0.0;
    for (size_t j = 0; j < COLUMNS; j++) {
        const double weight = model->of->weights == NULL ? 1.0 : (double)model->of->weights[j];
        const double off = (double)self->rows->values[a * COLUMNS + j] - (double)self->rows->values[b * COLUMNS + j];
        square += weight * weight * off * off;
    }
    return 1.0 + (model->kind == KRR_GAUSSIAN ? exp(-model->gamma * square) : exp(-sqrt(2.0 * model->gamma * square)));
}

static double target_of(const made_session *self, size_t row, size_t output) {
    return self->data.task == TASK_REGRESS       ? (double)self->targets[row]
           : self->codes[row] == (int32_t)output ? 1.0
                                                 : -1.0;
}

/* Solves for weights (HALF) by elimination; `without`: a training row that is left out (HALF: none
 * is). */
static void eliminate(const made_session *self, const kernel_model *model, double penalty, size_t output,
                      size_t without, double *weights) {
    static double a[HALF][HALF + 1];
    for (size_t i = 0; i < HALF; i++) {
        const bool out = i == without;
        for (size_t j = 0; j < HALF; j++) {
            a[i][j] = out || j == without ? 0.0 : kernel_between(self, model, 2 * i, 2 * j);
        }
        a[i][i] = out ? 1.0 : a[i][i] + penalty;
        a[i][HALF] = out ? 0.0 : target_of(self, 2 * i, output);
    }
    for (size_t i = 0; i < HALF; i++) { /* positive definite: no pivots are needed */
        for (size_t r = 0; r < HALF; r++) {
            const double factor = a[r][i] / a[i][i];
            for (size_t j = i; r != i && j <= HALF; j++) {
                a[r][j] -= factor * a[i][j];
            }
        }
    }
    for (size_t i = 0; i < HALF; i++) {
        weights[i] = a[i][HALF] / a[i][i];
    }
}

/* Recovers the penalty: the residual of a training row is the penalty times the row's weight. */
static double penalty_of(const made_session *self, const kernel_model *model) {
    double left = 0.0, all = 0.0;
    for (size_t i = 0; i < HALF; i++) {
        double predicted = target_of(self, 2 * i, 0);
        for (size_t j = 0; j < HALF; j++) {
            predicted -= kernel_between(self, model, 2 * i, 2 * j) * (double)model->weights[j * model->outputs];
        }
        left += predicted * (double)model->weights[i * model->outputs];
        all += pow((double)model->weights[i * model->outputs], 2.0);
    }
    return left / all;
}

static void members_agree_with_elimination(void **unused) {
    (void)unused;
    static const char *const LOSSES[] = {"squared", "softmax"};
    for (size_t n = 0; n < COUNT_OF(LOSSES); n++) {
        const size_t outputs = n == 0 ? 1 : MOST_OUTPUTS;
        float held[HALF * COLUMNS], scores[HALF * MOST_OUTPUTS];
        cnm_error error = {0};
        made_session self;
        make_few(&self, LOSSES[n], outputs);
        kernel_ensemble found = find(&self, MUCH);
        size_t against_all = 0; /* one-vs-one models: test_one_vs_one.c */
        for (size_t i = 0; i < HALF; i++) {
            memcpy(held + i * COLUMNS, self.rows->values + (2 * i + 1) * COLUMNS, COLUMNS * sizeof *held);
        }
        for (size_t k = 0; k < found.count; k++) {
            const kernel_model *model = &found.models[k];
            if (model->classes != NULL) {
                continue;
            }
            against_all++;
            const double penalty = penalty_of(&self, model);
            check_ok(kernel_model_scores(model, held, HALF, 1, scores, &error), &error);
            for (size_t output = 0; output < outputs; output++) {
                double weights[HALF];
                eliminate(&self, model, penalty, output, HALF, weights);
                for (size_t i = 0; i < HALF; i++) {
                    double wanted = 0.0;
                    for (size_t j = 0; j < HALF; j++) {
                        wanted += kernel_between(&self, model, 2 * i + 1, 2 * j) * weights[j];
                    }
                    check_near((double)scores[i * outputs + output], wanted, 1e-3, LOSSES[n], i);
                }
            }
        }
        assert_int_equal(against_all, KRR_KERNELS * (1 + ENSEMBLE_ROUNDS)); /* all are kept here */
        kernel_ensemble_free(&found);
        free_session(&self);
    }
}

/* The root mean square error of models that leave the row out. */
static void the_loss_is_leave_one_out(void **unused) {
    (void)unused;
    double sum = 0.0;
    made_session self;
    make_few(&self, "squared", 1);
    kernel_ensemble found = find(&self, MUCH);
    const kernel_model *model = &found.models[0];
    const double penalty = penalty_of(&self, model);
    for (size_t i = 0; i < HALF; i++) {
        double weights[HALF], predicted = 0.0;
        eliminate(&self, model, penalty, 0, i, weights);
        for (size_t j = 0; j < HALF; j++) {
            predicted += kernel_between(&self, model, 2 * i, 2 * j) * weights[j];
        }
        sum += pow(predicted - target_of(&self, 2 * i, 0), 2.0);
    }
    check_near(found.loss, sqrt(sum / HALF), 1e-4, "loss", 0);
    kernel_ensemble_free(&found);
    free_session(&self);
}

/* Replaces the second half of the training rows by copies of the first. */
static void copy_rows(made_session *self) {
    for (size_t i = HALF / 2; i < HALF; i++) {
        const size_t to = 2 * i, from = 2 * (i - HALF / 2);
        memcpy(self->rows->values + to * COLUMNS, self->rows->values + from * COLUMNS, COLUMNS * sizeof(float));
        self->targets[to] = self->targets[from];
        self->codes[to] = self->codes[from];
    }
}

/* Copies do not change which model is best; if they counted, the one that interpolates each row
 * would be. */
static void copies_do_not_count_in_the_loss(void **unused) {
    (void)unused;
    made_session once, twice;
    make_few(&once, "squared", 1);
    make_few(&twice, "squared", 1);
    copy_rows(&twice);
    once.session.split.train_count = HALF / 2;
    kernel_ensemble alone = find(&once, MUCH), among = find(&twice, MUCH);
    assert_true(among.count > 0);
    check_near(among.models[0].gamma, alone.models[0].gamma, 0.05 * alone.models[0].gamma, "gamma", 0);
    assert_true(fabs(penalty_of(&twice, &among.models[0])) > 1e-3);
    for (size_t i = 1; i < HALF; i++) { /* all rows alike */
        memcpy(twice.rows->values + 2 * i * COLUMNS, twice.rows->values, COLUMNS * sizeof(float));
    }
    kernel_ensemble none = find(&twice, MUCH);
    assert_int_equal(none.count, 0);
    kernel_ensemble_free(&alone);
    kernel_ensemble_free(&among);
    kernel_ensemble_free(&none);
    free_session(&once);
    free_session(&twice);
}

/* Rows that repeat with other targets are no copies: for a regression an ensemble is found, for
 * classes none. */
static void rows_that_repeat_with_other_targets_are_no_copies(void **unused) {
    (void)unused;
    for (size_t outputs = 1; outputs <= 2; outputs++) {
        made_session self;
        make_few(&self, outputs == 1 ? "squared" : "softmax", outputs);
        for (size_t i = HALF / 3; i < HALF; i++) {
            const size_t to = 2 * i, from = 2 * (i % (HALF / 3));
            memcpy(self.rows->values + to * COLUMNS, self.rows->values + from * COLUMNS, COLUMNS * sizeof(float));
        }
        kernel_ensemble found = find(&self, MUCH);
        assert_int_equal(found.count > 0, outputs == 1);
        assert_true(outputs == 2 || found.models[0].of->rows == HALF);
        kernel_ensemble_free(&found);
        free_session(&self);
    }
}

/* Eight bands: one-vs-rest, a band in the middle has both sides of the rest around it; one-vs-one,
 * a wide kernel separates each pair. */
static void many_classes_are_separated_one_vs_one(void **unused) {
    (void)unused;
    enum { BANDS = 8 };
    made_session self;
    make_few(&self, "softmax", BANDS);
    for (size_t i = 0; i < ROWS; i++) {
        float *row = self.rows->values + i * COLUMNS;
        self.codes[i] = (int32_t)(i / 2 % BANDS);
        row[0] = 0.5F * ((float)self.codes[i] + (float)uniform(11, i));
        row[1] = 0.3F * (row[1] - row[0]);
    }
    kernel_ensemble found = find(&self, MUCH);
    assert_true(found.count > 0 && found.models[0].classes != NULL);
    kernel_ensemble_free(&found);
    free_session(&self);
}

/* With little work the search sees fewer rows; the members are fitted on all. */
static void the_work_is_bounded(void **unused) {
    (void)unused;
    made_session self;
    make_few(&self, "softmax", 2);
    const double trials = KRR_KERNELS * (KRR_TRIALS + ENSEMBLE_ROUNDS * KRR_LOCAL_TRIALS);
    kernel_ensemble some = find(&self, trials * 45.0 * 45.0 * 45.0 / 3.0),
                    none = find(&self, trials * 30.0 * 30.0 * 30.0 / 3.0);
    assert_true(some.count > 0);
    assert_int_equal(some.models[0].of->rows, HALF);
    assert_int_equal(none.count, 0);
    kernel_ensemble_free(&some);
    kernel_ensemble_free(&none);
    free_session(&self);
}

static void check_one_scaling(const kernel_ensemble *found) {
    for (size_t i = 1; i < found->row_sets; i++) {
        assert_int_equal(found->rows[i]->scale, found->rows[0]->scale);
    }
}

/* One column in other units hides the others unless each has its own scale. The ensemble finds
 * that, whatever the map's scaling is, and gives the same scores to rows under another. Where
 * --scale is given, feature weights make up for it. */
static void scalings_are_searched(void **unused) {
    (void)unused;
    enum { LARGE = 1000 };
    static const scaling_kind KINDS[] = {SCALING_GLOBAL, SCALING_STANDARD, SCALING_ASINH};
    float predicted[COUNT_OF(KINDS)][HALF];
    for (size_t n = 0; n < COUNT_OF(KINDS); n++) {
        cnm_error error = {0};
        float held[HALF * COLUMNS];
        size_t positions[HALF];
        made_session self;
        make_few(&self, "squared", 1);
        for (size_t i = 0; i < ROWS; i++) {
            self.rows->values[i * COLUMNS + 1] = LARGE * (float)(2.0 + uniform(9, i));
            self.targets[i] = (float)(self.rows->values[i * COLUMNS] + 0.2 * uniform(8, i));
            positions[i / 2] = i / 2 * 2 + 1;
        }
        scale_rows(&self, KINDS[n]);
        kernel_ensemble found = find(&self, MUCH);
        assert_true(found.count > 0 && found.count <= ENSEMBLE_CANDIDATES);
        /* the noise of the targets has a standard deviation of 0.06 */
        assert_true(found.loss < 0.08);
        /* no member where one column hides the others */
        for (size_t i = 0; i < found.row_sets; i++) {
            assert_true(KINDS[n] != SCALING_GLOBAL || found.rows[i]->units.columns == COLUMNS);
        }
        input_take_dense(&self.session.source, positions, 0, 0, HALF, held);
        check_ok(kernel_model_scores(&found.models[0], held, HALF, 1, predicted[n], &error), &error);
        /* Feature weights come from gradients in other units, too: their rounding adds to the
         * bound. */
        const double bound = found.models[0].of->weights == NULL ? 1e-3 : 3e-3;
        for (size_t i = 0; i < HALF; i++) {
            check_near((double)predicted[n][i], (double)predicted[0][i], bound, "score", i);
        }
        kernel_ensemble_free(&found);
        self.settings.scale = 1 + (int)KINDS[n]; /* --scale: there is no other */
        found = find(&self, MUCH);
        check_one_scaling(&found);
        assert_true(found.models[0].of->weights != NULL || KINDS[n] != SCALING_GLOBAL);
        kernel_ensemble_free(&found);
        self.settings.scale = 0; /* too little work for all scalings */
        check_ok(kernel_ensemble_fit(&found, &self.session, &(facts){0}, MUCH,
                                     kernel_ensemble_work(&self.session, HALF, ENSEMBLE_SCALINGS) - 1.0, &error),
                 &error);
        check_one_scaling(&found);
        kernel_ensemble_free(&found);
        scaled_rows_free(&self.scaled);
        free_session(&self);
    }
}

/* With an outlier cell, in a column that does not matter, only scalings that bend are searched. */
static void rows_with_outliers_are_scaled_by_asinh(void **unused) {
    (void)unused;
    facts known = {0};
    made_session self;
    make_few(&self, "squared", 1);
    self.rows->values[6 * COLUMNS + 1] = 1e5F;
    for (size_t i = 0; i < ROWS; i++) {
        self.targets[i] = (float)(self.rows->values[i * COLUMNS] + 0.2 * uniform(8, i));
    }
    scale_rows(&self, SCALING_ASINH);
    known.has_outlier_cells = has_outlier_cells(&self.data.rows, &self.scaled.scaling);
    kernel_ensemble found = find_with(&self, &known, MUCH);
    size_t other = 0;
    for (size_t i = 0; i < found.row_sets; i++) {
        assert_true(found.rows[i]->units.columns == 0 || found.rows[i]->units.enters_asinh);
        other += found.rows[i]->units.columns > 0;
    }
    assert_true(found.count > 0 && other > 0);
    kernel_ensemble_free(&found);
    scaled_rows_free(&self.scaled);
    free_session(&self);
}

/* For targets with an edge the kernel with a kink is better. The one column that matters gets the
 * most weight, and a model with weights is best. */
static void kernels_and_feature_weights_are_searched(void **unused) {
    (void)unused;
    made_session self;
    make_few(&self, "squared", 1);
    for (size_t i = 0; i < ROWS; i++) {
        const float *row = self.rows->values + i * COLUMNS;
        self.targets[i] = row[0] < 0.0F ? -1.0F : 1.0F;
    }
    kernel_ensemble found = find(&self, MUCH);
    const kernel_rows *best = found.models[0].of;
    assert_int_equal(found.models[0].kind, KRR_EXPONENTIAL);
    assert_non_null(best->weights);
    for (size_t j = 1; j < COLUMNS; j++) {
        assert_true(best->weights[0] > 1.5F * best->weights[j]);
    }
    kernel_ensemble_free(&found);
    free_session(&self);
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    made_session self;
    make_few(&self, "softmax", 3);
    kernel_ensemble first = find(&self, MUCH);
    for (size_t i = 1; i < COUNT_OF(THREADS); i++) {
        self.settings.threads = THREADS[i];
        kernel_ensemble other = find(&self, MUCH);
        assert_true(other.loss == first.loss && other.count == first.count);
        for (size_t k = 0; k < first.count; k++) {
            check_same_floats(first.models[k].weights, other.models[k].weights, HALF * 3, "weights");
        }
        kernel_ensemble_free(&other);
    }
    kernel_ensemble_free(&first);
    free_session(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_agree_with_elimination),
        cmocka_unit_test(the_loss_is_leave_one_out),
        cmocka_unit_test(copies_do_not_count_in_the_loss),
        cmocka_unit_test(rows_that_repeat_with_other_targets_are_no_copies),
        cmocka_unit_test(many_classes_are_separated_one_vs_one),
        cmocka_unit_test(the_work_is_bounded),
        cmocka_unit_test(scalings_are_searched),
        cmocka_unit_test(rows_with_outliers_are_scaled_by_asinh),
        cmocka_unit_test(kernels_and_feature_weights_are_searched),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
