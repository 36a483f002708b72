/* Metrics of models against values computed by hand. */
#include "support/made_models.h"
#include "support/random_rows.h"

#include "model/evaluate.h"

/* A model of which only the classes and outputs count. */
static cnm_model *model_of_classes(size_t classes, bool words) {
    return make_model(&(model_kind){"judged", "identity", "identity", 2, 2, classes, .words = words});
}

static label_column texts(const char *const *labels, size_t count) {
    label_column out = {0};
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(labels_add_text(&out, labels[i], strlen(labels[i]), NULL), CNM_OK);
    }
    return out;
}

static evaluation *start(const cnm_model *model, bool keep) {
    cnm_error error = {0};
    evaluation *out;
    check_ok(evaluation_create(&out, model, keep, &error), &error);
    return out;
}

static void add(evaluation *self, const char *const *labels, const float *scores, size_t count) {
    cnm_error error = {0};
    label_column column = texts(labels, count);
    check_ok(evaluation_add(self, &column, scores, &error), &error);
    labels_free(&column);
}

static void check_figure(const evaluation *self, const char *name, double expected) {
    const double got = evaluation_get(self, name);
    if (isnan(expected) ? !isnan(got) : !(fabs(got - expected) <= 1e-12 * (1.0 + fabs(expected)))) {
        fail_msg("%s is %.17g, expected %.17g", name, got, expected);
    }
}

/* Labels -1, 0, 1 as numbers; scores decide the class. Truth by row:
 *         predicted -1  0  1
 *   -1              2   1  0
 *    0              0   1  0
 *    1              1   0  1
 * one label (9) that the model does not have. */
static void classes_are_counted(void **unused) {
    (void)unused;
    static const char *const LABELS[] = {"-1", "-1.0", "-1", "0", "1", "1e0", "9"};
    static const float SCORES[][3] = {{2, 1, 0}, {2, 0, 1}, {0, 2, 1}, {0, 1, -1}, {3, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    static const uint64_t CONFUSION[] = {2, 1, 0, 0, 1, 0, 1, 0, 1};
    cnm_model *model = model_of_classes(3, false);
    evaluation *self = start(model, true);
    add(self, LABELS, SCORES[0], 4);
    add(self, LABELS + 4, SCORES[4], 3);
    check_figure(self, "rows", 7);
    check_figure(self, "correct", 4);
    check_figure(self, "unknown", 1);
    check_figure(self, "accuracy", 4.0 / 7.0);
    check_figure(self, "balanced", (2.0 / 3.0 + 1.0 + 1.0 / 2.0) / 3.0);
    assert_memory_equal(self->confusion, CONFUSION, sizeof CONFUSION);
    const char *const absent[] = {"auc", "mse", "rmse", "mae", "r2", "nonsense", ""};
    for (size_t i = 0; i < COUNT_OF(absent); i++) {
        check_figure(self, absent[i], NAN);
    }
    evaluation_destroy(self);
    model_destroy(model);
}

static void balanced_leaves_absent_classes_out(void **unused) {
    (void)unused;
    static const char *const LABELS[] = {"-1", "-1", "1"};
    static const float SCORES[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cnm_model *model = model_of_classes(3, false);
    evaluation *self = start(model, false);
    check_figure(self, "accuracy", NAN); /* nothing was added yet */
    check_figure(self, "balanced", NAN);
    add(self, LABELS, SCORES[0], 3);
    check_figure(self, "balanced", 0.75);
    evaluation_destroy(self);
    model_destroy(model);
}

/* Numbers among words are words too. */
static void labels_of_words_are_compared_as_texts(void **unused) {
    (void)unused;
    const char *labels[] = {HARD_TEXTS[0], HARD_TEXTS[1], HARD_TEXTS[0], "zebra", "7"};
    static const float SCORES[][3] = {{1, 0, 0}, {0, 1, 0}, {2, 0, 1}, {1, 0, 0}, {1, 0, 0}};
    cnm_model *model = model_of_classes(3, true);
    evaluation *self = start(model, false);
    add(self, labels, SCORES[0], 5);
    check_figure(self, "correct", 3);
    check_figure(self, "unknown", 2);
    evaluation_destroy(self);
    model_destroy(model);
}

/* Scores 0.1 0.4 0.4 0.4 0.8 0.8, truths n p n n p n: of 2 * 4 pairs the first positive wins 1 and
 * ties 2, the second wins 3 and ties 1: (1 + 1 + 3 + 0.5) / 8. */
static void auc_counts_ties_half(void **unused) {
    (void)unused;
    static const char *const LABELS[] = {"-1", "0", "-1", "-1", "0", "-1"};
    static const float SCORES[] = {0.1F, 0.4F, 0.4F, 0.4F, 0.8F, 0.8F};
    cnm_model *model = model_of_classes(2, false);
    evaluation *kept = start(model, true), *dropped = start(model, false);
    check_figure(kept, "auc", NAN);
    add(kept, LABELS, SCORES, 2);
    add(kept, LABELS + 2, SCORES + 2, 4);
    add(dropped, LABELS, SCORES, 6);
    check_figure(kept, "auc", 5.5 / 8.0);
    check_figure(dropped, "auc", NAN);
    check_figure(kept, "accuracy", 2.0 / 6.0); /* all scores are positive: class 0 */
    evaluation_destroy(kept);
    evaluation_destroy(dropped);
    model_destroy(model);
}

/* Against counting all pairs, with many ties. */
static void auc_equals_counting_all_pairs(void **unused) {
    (void)unused;
    enum { ROWS = 300 };
    cnm_model *model = model_of_classes(2, false);
    evaluation *self = start(model, true);
    const char *labels[ROWS];
    float scores[ROWS];
    double pairs = 0.0, right = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        labels[i] = uniform(1, i) < 0.3 ? "0" : "-1";
        scores[i] = (float)floor(10.0 * uniform(2, i)) + (labels[i][0] == '0' ? 2.0F : 0.0F);
    }
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; labels[i][0] == '0' && j < ROWS; j++) {
            if (labels[j][0] == '-') {
                pairs += 1.0;
                right += scores[i] > scores[j] ? 1.0 : scores[i] == scores[j] ? 0.5 : 0.0;
            }
        }
    }
    add(self, labels, scores, ROWS);
    check_figure(self, "auc", right / pairs);
    evaluation_destroy(self);
    model_destroy(model);
}

static void auc_of_one_class_is_nan(void **unused) {
    (void)unused;
    static const char *const LABELS[] = {"0", "0"};
    static const float SCORES[] = {0.5F, -0.5F};
    cnm_model *model = model_of_classes(2, false);
    evaluation *self = start(model, true);
    add(self, LABELS, SCORES, 2);
    check_figure(self, "auc", NAN);
    check_figure(self, "accuracy", 0.5);
    evaluation_destroy(self);
    model_destroy(model);
}

/* y = 1 2 4, predictions 1.5 2 3: errors 0.5 0 -1; the mean of y is 7/3, its squares around that
 * 42/9. */
static void errors_of_a_regression_are_measured(void **unused) {
    (void)unused;
    static const char *const LABELS[] = {"1", "2", "4"};
    static const float SCORES[] = {1.5F, 2.0F, 3.0F};
    cnm_model *model = model_of_classes(0, false);
    evaluation *self = start(model, false);
    add(self, LABELS, SCORES, 1);
    add(self, LABELS + 1, SCORES + 1, 2);
    check_figure(self, "rows", 3);
    check_figure(self, "mse", 1.25 / 3.0);
    check_figure(self, "rmse", sqrt(1.25 / 3.0));
    check_figure(self, "mae", 0.5);
    check_figure(self, "r2", 1.0 - 1.25 / (42.0 / 9.0));
    const char *const absent[] = {"accuracy", "correct", "unknown", "balanced", "auc"};
    for (size_t i = 0; i < COUNT_OF(absent); i++) {
        check_figure(self, absent[i], NAN);
    }
    evaluation_destroy(self);
    model_destroy(model);
}

/* y = 1e9 + small: R2 must not drown in the mean. */
static void regression_survives_a_large_mean(void **unused) {
    (void)unused;
    enum { ROWS = 1000 };
    cnm_model *model = model_of_classes(0, false);
    evaluation *self = start(model, false);
    label_column labels = {0};
    float scores[ROWS];
    double squares = 0.0, spread = 0.0, mean = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        const double y = 1e9 + 64.0 * floor(10.0 * uniform(3, i));
        assert_int_equal(labels_add_number(&labels, y, NULL), CNM_OK);
        scores[i] = 1e9F;
        squares += (y - 1e9) * (y - 1e9);
        mean += (y - 1e9) / ROWS;
    }
    for (size_t i = 0; i < ROWS; i++) {
        spread += pow(labels.numbers[i] - 1e9 - mean, 2.0);
    }
    check_ok(evaluation_add(self, &labels, scores, NULL), NULL);
    check_near(evaluation_get(self, "r2"), 1.0 - squares / spread, 1e-9, "r2", 0);
    labels_free(&labels);
    evaluation_destroy(self);
    model_destroy(model);
}

static void constant_targets_have_no_r2(void **unused) {
    (void)unused;
    static const char *const LABELS[] = {"3", "3"};
    static const float SCORES[] = {3.0F, 4.0F};
    cnm_model *model = model_of_classes(0, false);
    evaluation *self = start(model, false);
    add(self, LABELS, SCORES, 2);
    check_figure(self, "r2", NAN);
    check_figure(self, "mse", 0.5);
    evaluation_destroy(self);
    model_destroy(model);
}

static void rows_that_do_not_suit_the_task_are_refused(void **unused) {
    (void)unused;
    static const char *const LABELS[] = {"yes", "no"};
    static const float SCORES[] = {3.0F, 4.0F};
    cnm_error error = {0};
    cnm_model *numbers = model_of_classes(0, false), *only_map = model_of_classes(1, false);
    evaluation *self = start(numbers, false), *none = self;
    label_column words = texts(LABELS, 2);
    check_refusal(evaluation_add(self, &words, SCORES, &error), CNM_BAD_DATA, &error, "the labels are words");
    check_figure(self, "rows", 0);
    check_refusal(evaluation_create(&none, only_map, false, &error), CNM_BAD_ARGUMENT, &error, "map without a head");
    assert_null(none);
    labels_free(&words);
    evaluation_destroy(self);
    evaluation_destroy(NULL);
    model_destroy(numbers);
    model_destroy(only_map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_counted),
        cmocka_unit_test(balanced_leaves_absent_classes_out),
        cmocka_unit_test(labels_of_words_are_compared_as_texts),
        cmocka_unit_test(auc_counts_ties_half),
        cmocka_unit_test(auc_equals_counting_all_pairs),
        cmocka_unit_test(auc_of_one_class_is_nan),
        cmocka_unit_test(errors_of_a_regression_are_measured),
        cmocka_unit_test(regression_survives_a_large_mean),
        cmocka_unit_test(constant_targets_have_no_r2),
        cmocka_unit_test(rows_that_do_not_suit_the_task_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
