/* The decision thresholds that --metric sets: against formulas, against every threshold tried in
 * turn, and in trainings of uneven classes. */
#include "support/trainings.h"

#include "base/core/memory.h"
#include "learn/evaluate/decision_thresholds.h"
#include "learn/objective/losses.h"
#include "math/elementary/elementary.h"
#include "model/probability.h"

enum { HELD = 300, CLASSES = 4 };

/* ---- Balanced ---- */

static void balanced_divides_by_the_share_of_a_class(void **unused) {
    (void)unused;
    int32_t codes[] = {0, 0, 0, 0, 0, 0, 1, 1, 2, 0};
    float weights[] = {1, 1, 1, 1, 1, 1, 0.5F, 0.5F, 0.5F, 2.0F};
    dataset task = {.rows = {.rows = 10}, .outputs = 3, .classes = {.count = 4}, .codes = codes};
    double shift[3];
    thresholds_balanced(&task, 2.0, shift);
    check_near(shift[1] - shift[0], 2.0 * log(7.0 / 2.0), 1e-12, "counts", 1);
    check_near(shift[2] - shift[0], 2.0 * log(7.0 / 1.0), 1e-12, "counts", 2);
    check_near(shift[0], 2.0 * log(10.0 / 3.0 / 7.0), 1e-12, "from the mean class", 0);
    task.weights = weights;
    thresholds_balanced(&task, 1.0, shift);
    check_near(shift[1] - shift[0], log(8.0 / 1.0), 1e-12, "weights", 1);
    weights[8] = 0.0F;
    thresholds_balanced(&task, 1.0, shift);
    assert_true(shift[2] == 0.0); /* a class without weight */
    codes[8] = 1;
    task.weights = NULL;
    task.outputs = 1;
    thresholds_balanced(&task, 3.0, shift);
    check_near(shift[0], 3.0 * log(7.0 / 3.0), 1e-12, "one output", 0);
}

/* ---- F1 ---- */

typedef struct held_rows {
    float scores[HELD * CLASSES], weights[HELD];
} held_rows;

/* Makes scores of classes that get rarer with their index. */
static held_rows make_held(uint64_t seed, size_t outputs) {
    held_rows out;
    normals(seed, HELD * CLASSES, 2.0, out.scores);
    for (size_t i = 0; i < HELD; i++) {
        out.weights[i] = (float)(1 + (i % 3 == 0));
        for (size_t j = 0; j < outputs; j++) {
            out.scores[i * outputs + j] -= outputs == 1 ? 2.5F : 1.5F * (float)j;
        }
    }
    return out;
}

static double score_of(const held_rows *self, size_t outputs, size_t i, size_t j) {
    return outputs > 1 ? (double)self->scores[i * outputs + j] : j == 1 ? (double)self->scores[i] : 0.0;
}

/* Returns the mean F1 that is expected of decisions with these thresholds (classes). */
static double expected_f1(const held_rows *self, size_t outputs, double temperature, const double *shift) {
    const size_t classes = outputs > 1 ? outputs : 2;
    double right[CLASSES] = {0}, taken[CLASSES] = {0}, truth[CLASSES] = {0}, mean = 0.0;
    for (size_t i = 0; i < HELD; i++) {
        double p[CLASSES], sum = 0.0;
        size_t best = 0;
        for (size_t j = 0; j < classes; j++) {
            sum += p[j] = exp(score_of(self, outputs, i, j) / temperature);
            best = score_of(self, outputs, i, j) + shift[j] > score_of(self, outputs, i, best) + shift[best] ? j : best;
        }
        for (size_t j = 0; j < classes; j++) {
            truth[j] += (double)self->weights[i] * p[j] / sum;
        }
        right[best] += (double)self->weights[i] * p[best] / sum;
        taken[best] += (double)self->weights[i];
    }
    for (size_t j = 0; j < classes; j++) {
        mean += 2.0 * right[j] / (truth[j] + taken[j]) / (double)classes;
    }
    return mean;
}

static void f1_of_two_classes_is_the_best_of_all_thresholds(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const held_rows rows = make_held(seed, 1);
        cnm_error error = {0};
        double found, best = 0.0;
        check_ok(thresholds_f1(rows.scores, HELD, 1, rows.weights, 1.5, &found, &error), &error);
        for (size_t i = 0; i < HELD; i++) { /* a threshold just above each row's own score */
            const double shift[] = {0.0, 1e-6 - (double)rows.scores[i]};
            best = fmax(best, expected_f1(&rows, 1, 1.5, shift));
        }
        const double shift[] = {0.0, found}, none[] = {0.0, 0.0};
        check_near(expected_f1(&rows, 1, 1.5, shift), best, 1e-9, "two classes", seed);
        /* else this test shows nothing */
        assert_true(best > expected_f1(&rows, 1, 1.5, none) + 0.01);
    }
}

static void f1_of_many_classes_cannot_be_improved_by_one_threshold(void **unused) {
    (void)unused;
    const held_rows rows = make_held(9, CLASSES);
    cnm_error error = {0};
    double shift[CLASSES];
    const double none[CLASSES] = {0};
    check_ok(thresholds_f1(rows.scores, HELD, CLASSES, rows.weights, 2.0, shift, &error), &error);
    const double reached = expected_f1(&rows, CLASSES, 2.0, shift);
    assert_true(reached > expected_f1(&rows, CLASSES, 2.0, none) + 0.01);
    for (size_t j = 0; j < CLASSES; j++) {
        for (int step = -80; step <= 80; step++) {
            double other[CLASSES];
            memcpy(other, shift, sizeof other);
            other[j] += 0.1 * step;
            /* three rounds are not exact to the last digit */
            if (expected_f1(&rows, CLASSES, 2.0, other) > reached + 1e-3) {
                fail_msg("class %zu: a shift by %.1f is better", j, 0.1 * step);
            }
        }
    }
}

/* ---- Trainings ---- */

/* Makes classes that are normal around a centre each; class i has one row in every[i], the first
 * class the rest. */
static table *make_uneven(uint64_t seed, size_t rows, size_t classes, const size_t *every) {
    static const char *const WORDS[] = {"often", "rare", "seldom"};
    static const float PLACES[][2] = {{0, 0}, {1.6F, 0}, {0, 1.6F}};
    table *out = table_make(rows, 2);
    normals(seed, rows * 2, 1.0, out->values);
    for (size_t i = 0; i < rows; i++) {
        size_t class = 0;
        for (size_t c = 1; c < classes; c++) {
            class = i % every[c] == c ? c : class;
        }
        out->values[2 * i] += PLACES[class][0];
        out->values[2 * i + 1] += PLACES[class][1];
        label_text(out, WORDS[class]);
    }
    return out;
}

static const size_t EVERY[] = {0, 20, 10};

static settings uneven(setting_method method, setting_metric metric) {
    settings out = quick(method);
    out.features = 16;
    out.metric = (int)metric;
    out.effort = EFFORT_QUICK;
    out.noise = out.difference_noise = out.decay = -1.0;
    return out;
}

/* The mean probability of class c. */
static double mean_probability(const cnm_model *model, const table *rows, size_t c) {
    const rows_view view = table_view(rows);
    float *scores = take(rows->rows * model->outputs, sizeof *scores);
    cnm_error error = {0};
    probability_rule rule;
    double p[3], sum = 0.0;
    check_ok(model_scores(model, &view, 1, scores, &error), &error);
    check_ok(probability_rule_create(&rule, model, &error), &error);
    for (size_t i = 0; i < rows->rows; i++) {
        probability_row(&rule, scores + i * model->outputs, p);
        sum += p[c];
    }
    free(scores);
    return sum / (double)rows->rows;
}

/* The best rule's balanced accuracy is 2 Phi(0.8) / 2 = 0.788 for two classes. 1,000 of 20,000 new
 * rows are of the rare class: their accuracy has a standard error of 0.007, of which half enters. A
 * threshold that is off by a quarter of the distance costs 0.011. */
static void balanced_and_f1_improve_their_metric(void **unused) {
    (void)unused;
    table *rows = make_uneven(21, 2000, 2, EVERY), *fresh = make_uneven(22, 20000, 2, EVERY);
    settings plain = uneven(METHOD_CNM, METRIC_ACCURACY), even = uneven(METHOD_CNM, METRIC_BALANCED);
    settings mean = uneven(METHOD_CNM, METRIC_F1);
    cnm_model *models[] = {train(rows, &plain), train(rows, &even), train(rows, &mean)};
    assert_null(models[0]->decision_offset);
    check_figure_above(models[1], fresh, "balanced", 0.788 - 0.011 - 2 * 0.0035, "balanced");
    check_figure_above(models[1], fresh, "balanced", figure_of(models[0], fresh, "balanced") + 0.1,
                       "balanced to plain");
    check_figure_above(models[2], fresh, "f1", figure_of(models[0], fresh, "f1") + 0.03, "f1 to plain");
    check_figure_above(models[2], fresh, "f1", figure_of(models[1], fresh, "f1") + 0.03, "f1 to balanced");
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        model_destroy(models[i]);
    }
    table_destroy(rows);
    table_destroy(fresh);
}

static void probabilities_keep_the_frequencies(void **unused) {
    (void)unused;
    table *rows = make_uneven(23, 2000, 2, EVERY), *fresh = make_uneven(24, 4000, 2, EVERY);
    static const setting_metric METRICS[] = {METRIC_BALANCED, METRIC_F1};
    settings weighed = uneven(METHOD_CNM, METRIC_BALANCED);
    weighed.class_weight = (char[]){"balanced"};
    for (size_t i = 0; i < COUNT_OF(METRICS); i++) {
        const settings wanted = uneven(METHOD_CNM, METRICS[i]), usual = uneven(METHOD_CNM, METRIC_ACCURACY);
        cnm_model *model = train(rows, &wanted), *plain = train(rows, &usual);
        check_near(mean_probability(model, fresh, 1), 0.05, 0.02, "mean probability", i);
        assert_true(figure_of(model, fresh, "logloss") <= figure_of(plain, fresh, "logloss") + 0.01);
        model_destroy(model);
        model_destroy(plain);
    }
    /* weighs classes while it trains, and takes the weights out again */
    settings margins = uneven(METHOD_RFF, METRIC_BALANCED);
    cnm_model *hinge = train(rows, &margins);
    check_near(mean_probability(hinge, fresh, 1), 0.05, 0.03, "mean probability of margins", 0);
    check_figure_above(hinge, fresh, "balanced", 0.72, "margins");
    model_destroy(hinge);
    /* class weights change the probabilities */
    cnm_model *model = train(rows, &weighed);
    assert_null(model->decision_offset);
    assert_true(mean_probability(model, fresh, 1) > 0.15);
    model_destroy(model);
    table_destroy(rows);
    table_destroy(fresh);
}

static void every_loss_and_method_has_thresholds(void **unused) {
    (void)unused;
    table *rows = make_uneven(25, 2000, 3, EVERY), *fresh = make_uneven(26, 4000, 3, EVERY);
    static const setting_method METHODS[] = {METHOD_CNM, METHOD_RFF, METHOD_LINEAR};
    for (size_t m = 0; m < COUNT_OF(METHODS); m++) {
        for (int loss = 1; loss <= 5; loss++) {
            settings wanted = uneven(METHODS[m], METRIC_BALANCED), off = wanted;
            wanted.loss = off.loss = loss;
            off.class_weight = (char[]){"none"};
            cnm_model *model = train(rows, &wanted), *plain = train(rows, &off);
            assert_non_null(model->decision_offset);
            assert_null(plain->decision_offset);
            check_figure_above(model, fresh, "balanced", figure_of(plain, fresh, "balanced") + 0.05,
                               loss_table(&(size_t){0})[loss - 1]->name);
            model_destroy(model);
            model_destroy(plain);
        }
    }
    table_destroy(rows);
    table_destroy(fresh);
}

/* The first iterations of the alternating recipe balance the classes. Weights that balance them
 * already change nothing then. */
static void alternating_balances_classes_once(void **unused) {
    (void)unused;
    table *rows = make_uneven(33, 1000, 3, EVERY);
    settings plain = uneven(METHOD_CNM, METRIC_ACCURACY), even;
    plain.recipe = RECIPE_ALTERNATING;
    plain.loss = 1; /* hinge */
    plain.epochs = 0;
    plain.iterations = 1;
    plain.head_steps = 20;
    plain.dtype = DTYPE_F32;
    even = plain;
    even.class_weight = (char[]){"balanced"};
    cnm_model *models[] = {train(rows, &plain), train(rows, &even)};
    /* weights are floats, and 20 steps add them up */
    for (size_t i = 0; i < models[0]->map->features * 3; i++) {
        check_near((double)models[1]->weights[i], (double)models[0]->weights[i], 1e-4, "head", i);
    }
    model_destroy(models[0]);
    model_destroy(models[1]);
    table_destroy(rows);
}

/* Thresholds are no part of what is learned: a warm start without --metric from a model with
 * thresholds or without gives the same. */
static void a_warm_start_takes_thresholds_out(void **unused) {
    (void)unused;
    table *rows = make_uneven(27, 1000, 3, EVERY);
    settings even = uneven(METHOD_CNM, METRIC_BALANCED), plain = even, more = even;
    cnm_error error = {0};
    plain.class_weight = more.class_weight = (char[]){"none"};
    even.dtype = plain.dtype = more.dtype = DTYPE_F32;
    more.epochs = 1;
    cnm_model *starts[] = {train(rows, &even), train(rows, &plain)}, *ends[2];
    for (size_t i = 0; i < 2; i++) {
        check_ok(learn_train(&ends[i], rows, NULL, &more, starts[i], NULL, &error), &error);
        assert_null(ends[i]->decision_offset);
    }
    for (size_t j = 0; j < 3;
         j++) { /* a float's rounding of biases near 10, times the steps of Adam that it may turn */
        check_near((double)ends[0]->bias[j], (double)ends[1]->bias[j], 1e-3, "bias", j);
        assert_true(fabs((double)starts[0]->bias[j] - (double)starts[1]->bias[j]) > 0.1);
    }
    for (size_t i = 0; i < 2; i++) {
        model_destroy(starts[i]);
        model_destroy(ends[i]);
    }
    table_destroy(rows);
}

static void a_file_keeps_the_thresholds(void **unused) {
    (void)unused;
    table *rows = make_uneven(28, 600, 3, EVERY);
    const settings wanted = uneven(METHOD_RFF, METRIC_F1);
    cnm_model *model = train(rows, &wanted), *back;
    cnm_error error = {0};
    unsigned char *bytes;
    size_t size;
    check_ok(model_to_bytes(model, &bytes, &size, &error), &error);
    check_ok(model_from_bytes(&back, bytes, size, "memory", &error), &error);
    check_same_floats(back->decision_offset, model->decision_offset, model->outputs, "shift");
    check_same_model(model, back, true, "saved and loaded");
    assert_non_null(record_get(&back->description, "decision_offset"));
    memory_free(bytes);
    model_destroy(model);
    model_destroy(back);
    table_destroy(rows);
}

/* ---- Validation rows ---- */

/* Makes rows first .. first + rows of a wave with heavy-tailed noise. */
static table *make_noisy(size_t first, size_t rows) {
    table *out = table_make(rows, 1);
    for (size_t i = 0; i < rows; i++) {
        const double x = 6.0 * uniform(31, first + i), u = uniform(32, first + i) - 0.5;
        out->values[i] = (float)x;
        label_number(out, sin(x) + 0.15 * u / (0.51 - fabs(u)));
    }
    return out;
}

/* The parameters that are kept are the best on validation rows by the metric itself. */
static void validation_rows_are_scored_by_the_metric(void **unused) {
    (void)unused;
    table *rows = make_noisy(0, 150), *held = make_noisy(100, 50);
    settings roots = uneven(METHOD_CNM, METRIC_RMSE), sizes;
    roots.task = WANT_REGRESS;
    roots.loss = 6; /* squared */
    roots.validation = 1.0 / 3.0;
    roots.dtype = DTYPE_F32;
    roots.noise = roots.decay = 0.0;
    sizes = roots;
    sizes.metric = METRIC_MAE;
    cnm_model *by_root = train(rows, &roots), *by_size = train(rows, &sizes);
    assert_true(figure_of(by_size, held, "mae") < figure_of(by_root, held, "mae"));
    assert_true(figure_of(by_root, held, "rmse") < figure_of(by_size, held, "rmse"));
    model_destroy(by_root);
    model_destroy(by_size);
    table_destroy(rows);
    table_destroy(held);
}

/* ---- Too few rows ---- */

static void notice(const char *text, void *user) { *(bool *)user = strstr(text, "--metric f1") != NULL; }

static void f1_of_few_rows_gives_a_notice_and_no_thresholds(void **unused) {
    (void)unused;
    table *rows = make_uneven(29, 30, 2, (const size_t[]){0, 5});
    const settings wanted = uneven(METHOD_LINEAR, METRIC_F1);
    bool said = false;
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .notice = notice, .user = &said};
    cnm_error error = {0};
    cnm_model *model;
    check_ok(learn(&model, rows, NULL, &wanted, &callbacks, &error), &error);
    assert_true(said);
    assert_null(model->decision_offset);
    model_destroy(model);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balanced_divides_by_the_share_of_a_class),
        cmocka_unit_test(f1_of_two_classes_is_the_best_of_all_thresholds),
        cmocka_unit_test(f1_of_many_classes_cannot_be_improved_by_one_threshold),
        cmocka_unit_test(balanced_and_f1_improve_their_metric),
        cmocka_unit_test(probabilities_keep_the_frequencies),
        cmocka_unit_test(every_loss_and_method_has_thresholds),
        cmocka_unit_test(alternating_balances_classes_once),
        cmocka_unit_test(a_warm_start_takes_thresholds_out),
        cmocka_unit_test(a_file_keeps_the_thresholds),
        cmocka_unit_test(validation_rows_are_scored_by_the_metric),
        cmocka_unit_test(f1_of_few_rows_gives_a_notice_and_no_thresholds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
