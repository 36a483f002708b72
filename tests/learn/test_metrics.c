/* Search losses of scores, against pairs counted one by one and values computed by hand. */
#include "support/random_rows.h"

#include "learn/evaluate/metrics.h"
#include "learn/objective/losses.h"
#include "learn/settings.h"
#include "model/model.h"

/* Sums of a few hundred doubles, and our own exp and log: a few ulps each. */
#define BOUND 1e-12

static size_t all_rows = 2000; /* of the data set: where they are few, errors weigh less */
static const char *loss_of_numbers = "squared";
static double quantile; /* of the quantile loss */
/* decision thresholds suit the metric, as they do unless --class-weight is given */
static bool shifts;

/* A data set with only what evaluation reads; scores belong to positions, not to rows. */
static double judged(setting_metric metric, size_t classes, size_t outputs, const int32_t *codes, const float *targets,
                     const float *weights, const size_t *positions, size_t count, const float *scores) {
    cnm_error error = {0};
    double loss = NAN;
    const settings wanted = {
        .map_rate = 1.0, .metric = (int)metric, .quantile = quantile, .class_weight = shifts ? NULL : (char[]){"none"}};
    const dataset task = {.settings = &wanted,
                          .rows = {.rows = all_rows},
                          .loss = loss_find(codes == NULL ? loss_of_numbers : "softmax"),
                          .task = codes == NULL ? TASK_REGRESS : TASK_CLASSIFY,
                          .outputs = outputs,
                          .classes = {.count = classes},
                          .codes = (int32_t *)(uintptr_t)codes,
                          .targets = (float *)(uintptr_t)targets,
                          .weights = (float *)(uintptr_t)weights};
    check_ok(metric_loss(&task, positions, count, scores, &loss, &error), &error);
    return loss;
}

/* ---- AUC ---- */

enum { ROWS = 300, HELD = 120 };

typedef struct ranking {
    int32_t codes[ROWS];
    float weights[ROWS];
    size_t positions[HELD];
    float scores[HELD], pairs[2 * HELD]; /* of two outputs: their difference counts */
} ranking;

/* Scores in steps of a quarter, so that many are equal, within a class and across. */
static void fill_ranking(ranking *self, uint64_t seed) {
    for (size_t i = 0; i < ROWS; i++) {
        self->codes[i] = uniform(seed, i) < 0.3;
        self->weights[i] = (float)(0.25 * floor(8.0 * uniform(seed + 1, i)));
    }
    for (size_t n = 0; n < HELD; n++) {
        const size_t row = self->positions[n] = ROWS - 1 - 2 * n;
        self->scores[n] = (float)(0.25 * floor(8.0 * uniform(seed + 2, n) + 2.0 * self->codes[row] - 5.0));
        self->pairs[2 * n] = 1.5F - self->scores[n];
        self->pairs[2 * n + 1] = 1.5F;
    }
}

/* Counts pairs of a row of class 1 and one of class 0: 1 where the first has the larger score, a
 * half where they are equal. */
static double counted_auc(const ranking *self, bool weighted) {
    double right = 0.0, all = 0.0;
    for (size_t a = 0; a < HELD; a++) {
        for (size_t b = 0; b < HELD; b++) {
            const size_t x = self->positions[a], y = self->positions[b];
            const double weight = weighted ? (double)self->weights[x] * (double)self->weights[y] : 1.0;
            if (self->codes[x] == 1 && self->codes[y] == 0) {
                const double won = self->scores[a] > self->scores[b] ? 1.0 : 0.0;
                right += weight * (self->scores[a] == self->scores[b] ? 0.5 : won);
                all += weight;
            }
        }
    }
    return right / all;
}

static void auc_is_the_share_of_pairs_in_order(void **unused) {
    (void)unused;
    for (uint64_t seed = 10; seed < 30; seed += 5) {
        ranking self;
        fill_ranking(&self, seed);
        for (size_t weighted = 0; weighted < 2; weighted++) {
            const float *weights = weighted == 1 ? self.weights : NULL;
            const double expected = 1.0 - counted_auc(&self, weighted == 1);
            const double one = judged(METRIC_AUC, 2, 1, self.codes, NULL, weights, self.positions, HELD, self.scores);
            const double two = judged(METRIC_AUC, 2, 2, self.codes, NULL, weights, self.positions, HELD, self.pairs);
            assert_true(expected > 0.02 && expected < 0.48);
            check_near(one, expected, BOUND, "one score", (size_t)seed);
            check_near(two, expected, BOUND, "two scores", (size_t)seed);
        }
    }
}

static void auc_of_one_class_alone_is_constant(void **unused) {
    (void)unused;
    static const int32_t CODES[] = {1, 1, 1};
    static const size_t AT[] = {0, 1, 2};
    static const float SCORES[] = {-1, 0, 1};
    check_near(judged(METRIC_AUC, 2, 1, CODES, NULL, NULL, AT, 3, SCORES), 0.5, 0.0, "one class", 0);
}

/* ---- Cross-entropy and errors ---- */

/* Three rows of four are right, all by the same score. Taken t times, the best temperature is the t
 * with sigmoid(t score) = 3/4, where the mean is the entropy of (3/4, 1/4). */
static const int32_t QUARTER[] = {1, 0, 0, 1, 1};
static const size_t QUARTER_AT[] = {0, 1, 3, 4};
static const float QUARTER_SIGNS[] = {1, -1, 1, -1};

static double quarter_entropy(void) { return 0.75 * log(4.0 / 3.0) + 0.25 * log(4.0); }

static double quarter(setting_metric metric, double score) {
    float scores[4];
    for (size_t i = 0; i < 4; i++) {
        scores[i] = (float)(score * (double)QUARTER_SIGNS[i]);
    }
    return judged(metric, 2, 1, QUARTER, NULL, NULL, QUARTER_AT, 4, scores);
}

/* Scores are rounded to float: at the minimum that moves the entropy by the square of 6e-8 only. */
static void logloss_takes_the_best_temperature(void **unused) {
    (void)unused;
    /* the inverses of some temperatures on the list */
    static const double TIMES[] = {0.25, 0.5, 1.0, 5.0};
    for (size_t i = 0; i < COUNT_OF(TIMES); i++) {
        check_near(quarter(METRIC_LOGLOSS, TIMES[i] * log(3.0)), quarter_entropy(), BOUND, "logloss", i);
    }
    check_near(quarter(METRIC_LOGLOSS, 0.0), log(2.0), BOUND, "no opinion", 0);
}

/* One error of four, and half an error more. */
static void accuracy_is_cross_entropy_times_errors(void **unused) {
    (void)unused;
    const double expected = sqrt(quarter_entropy() * 1.5 / 4.0);
    static const setting_metric METRICS[] = {METRIC_AUTO, METRIC_ACCURACY};
    for (size_t i = 0; i < COUNT_OF(METRICS); i++) {
        check_near(quarter(METRICS[i], log(3.0)), expected, BOUND, "accuracy", i);
    }
    static const float RIGHT[] = {9, -9, 9, 9};
    const double none = judged(METRIC_ACCURACY, 2, 1, QUARTER, NULL, NULL, QUARTER_AT, 4, RIGHT);
    assert_true(none > 0.0); /* no error at all does not hide the entropy */
}

static void cross_entropy_weighs_more_where_rows_are_few(void **unused) {
    (void)unused;
    const double entropy = quarter_entropy(), errors = 1.5 / 4.0;
    all_rows = 1499;
    const double few = quarter(METRIC_ACCURACY, log(3.0));
    all_rows = 1500;
    const double many = quarter(METRIC_ACCURACY, log(3.0));
    all_rows = 2000;
    check_near(few, pow(entropy, 0.75) * pow(errors, 0.25), BOUND, "few rows", 0);
    check_near(many, sqrt(entropy * errors), BOUND, "many rows", 0);
}

/* Scores of 0 give log(classes) at any temperature and class 0 as the decision. Class 0 has 3 rows
 * of weight 1, 1, 2; class 1 two of weight 2, 4; class 2 one of weight 6: weights sum to 16, of
 * which 12 are wrong; half an error more weighs 16 / 6 / 2. */
static void row_and_class_weights_count(void **unused) {
    (void)unused;
    static const int32_t CODES[] = {0, 1, 2, 0, 1, 0};
    static const float WEIGHTS[] = {1, 2, 6, 1, 4, 2}, ZERO[18] = {0};
    static const size_t AT[] = {5, 4, 3, 2, 1, 0};
    check_near(judged(METRIC_ACCURACY, 3, 3, CODES, NULL, WEIGHTS, AT, 6, ZERO),
               sqrt(log(3.0) * (12.0 + 16.0 / 12.0) / 16.0), BOUND, "weighted accuracy", 0);
    check_near(judged(METRIC_ACCURACY, 3, 3, CODES, NULL, NULL, AT, 6, ZERO), sqrt(log(3.0) * 3.5 / 6.0), BOUND,
               "plain accuracy", 0);
    /* every class weighs 1 of 3: two of three wrong, and half of a sixth of 3 more */
    for (size_t weighted = 0; weighted < 2; weighted++) {
        const float *weights = weighted == 1 ? WEIGHTS : NULL;
        check_near(judged(METRIC_BALANCED, 3, 3, CODES, NULL, weights, AT, 6, ZERO),
                   sqrt(log(3.0) * (2.0 + 0.25) / 3.0), BOUND, "balanced", weighted);
        check_near(judged(METRIC_AUC, 3, 3, CODES, NULL, weights, AT, 6, ZERO),
                   judged(METRIC_BALANCED, 3, 3, CODES, NULL, weights, AT, 6, ZERO), 0.0, "auc of three classes",
                   weighted);
    }
}

/* ---- F1 ---- */

/* Truth and decision: 00 01 11 12 22 20. Unweighted: each class is right once, has two rows and is
 * taken twice: 2 / 4. With weights 1 2 3 4 5 6: class 0 right 1, rows 3, taken 7; class 1 right 3,
 * rows 7, taken 5; class 2 right 5, rows 11, taken 9. */
static void f1_is_the_mean_over_classes(void **unused) {
    (void)unused;
    static const int32_t CODES[] = {0, 0, 1, 1, 2, 2, 0};
    static const float WEIGHTS[] = {1, 2, 3, 4, 5, 6, 100};
    static const size_t AT[] = {0, 1, 2, 3, 4, 5};
    static const float SCORES[] = {3, 1, 2, 1, 3, 2, 1, 3, 2, 1, 2, 3, 2, 1, 3, 3, 2, 1};
    check_near(judged(METRIC_F1, 3, 3, CODES, NULL, NULL, AT, 6, SCORES), 0.5, BOUND, "f1", 0);
    check_near(judged(METRIC_F1, 3, 3, CODES, NULL, WEIGHTS, AT, 6, SCORES),
               1.0 - (2.0 / 10.0 + 6.0 / 12.0 + 10.0 / 20.0) / 3.0, BOUND, "weighted f1", 0);
}

/* ---- Decision thresholds ---- */

/* Scores that follow the frequencies alone are, with thresholds, as good as none. */
static void balanced_takes_the_frequencies_out(void **unused) {
    (void)unused;
    static const int32_t CODES[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2};
    static const size_t AT[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const double COUNTS[] = {6, 3, 1};
    float knowing[30], nothing[30] = {0};
    for (size_t i = 0; i < 30; i++) {
        knowing[i] = (float)log(COUNTS[i % 3]);
    }
    const double plain = judged(METRIC_BALANCED, 3, 3, CODES, NULL, NULL, AT, 10, nothing);
    const double unshifted = judged(METRIC_BALANCED, 3, 3, CODES, NULL, NULL, AT, 10, knowing);
    shifts = true;
    const double got = judged(METRIC_BALANCED, 3, 3, CODES, NULL, NULL, AT, 10, knowing);
    shifts = false;
    assert_true(unshifted > plain + 0.003); /* the least temperature leaves little of them */
    /* Ties may fall to any class, but each is wrong for two classes of three; logarithms are
     * rounded to floats. */
    check_near(got * got, log(3.0) * (2.0 + 3.0 * 0.5 / 10.0) / 3.0, 1e-6, "balanced", 0);
}

/* Three rows of the second class have scores below 0, and yet far above the others': with
 * thresholds all decisions are right. */
static void f1_is_that_of_scores_with_thresholds(void **unused) {
    (void)unused;
    static const int32_t CODES[] = {1, 1, 1, 0, 0, 0, 0, 0, 0, 0};
    static const size_t AT[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const float SCORES[] = {-0.5F, -0.6F, -0.7F, -5, -6, -7, -8, -9, -9, -9};
    float pairs[20];
    for (size_t i = 0; i < 20; i++) {
        pairs[i] = i % 2 == 0 ? 1.5F - SCORES[i / 2] : 1.5F;
    }
    check_near(judged(METRIC_F1, 2, 1, CODES, NULL, NULL, AT, 10, SCORES), 1.0 - 0.5 * 14.0 / 17.0, BOUND, "f1", 0);
    shifts = true;
    check_near(judged(METRIC_F1, 2, 1, CODES, NULL, NULL, AT, 10, SCORES), 0.0, BOUND, "one output", 0);
    check_near(judged(METRIC_F1, 2, 2, CODES, NULL, NULL, AT, 10, pairs), 0.0, BOUND, "two outputs", 0);
    shifts = false;
}

/* ---- Regression ---- */

/* Errors 1, -2, 0.5 at rows of weight 1, 1, 4: squares 1 + 4 + 4 * 0.25 = 6, sizes 1 + 2 + 2 = 5,
 * of weight 6. */
static void errors_of_a_regression(void **unused) {
    (void)unused;
    static const float TARGETS[] = {0, 1, 2, 9}, WEIGHTS[] = {1, 1, 4, 7}, SCORES[] = {2.5F, -1, 1};
    static const size_t AT[] = {2, 1, 0};
    static const setting_metric ROOTS[] = {METRIC_AUTO, METRIC_RMSE};
    for (size_t i = 0; i < COUNT_OF(ROOTS); i++) {
        check_near(judged(ROOTS[i], 0, 1, NULL, TARGETS, WEIGHTS, AT, 3, SCORES), 1.0, BOUND, "rmse", i);
        check_near(judged(ROOTS[i], 0, 1, NULL, TARGETS, NULL, AT, 3, SCORES), sqrt(5.25 / 3.0), BOUND, "rmse", i);
    }
    check_near(judged(METRIC_MAE, 0, 1, NULL, TARGETS, WEIGHTS, AT, 3, SCORES), 5.0 / 6.0, BOUND, "mae", 0);
    check_near(judged(METRIC_MAE, 0, 1, NULL, TARGETS, NULL, AT, 3, SCORES), 3.5 / 3.0, BOUND, "mae", 1);
}

/* Residuals y - s of 1, -2 and 0.5: shares of q and 1 - q of them; 0 stands for the median. */
static void the_loss_of_a_quantile(void **unused) {
    static const float TARGETS[] = {9, 2, 1, 9, 0.5F}, SCORES[] = {1, 3, 0}, WEIGHTS[] = {9, 2, 1, 9, 4};
    static const size_t AT[] = {1, 2, 4};
    static const double QUANTILES[] = {0.9, 0.25, 0};
    (void)unused;
    loss_of_numbers = "quantile";
    for (size_t i = 0; i < 3; i++) {
        quantile = QUANTILES[i];
        const double q = quantile > 0.0 ? quantile : 0.5;
        const double own = (q * 1.0 + (1.0 - q) * 2.0 + q * 0.5) / 3.0;
        const double weighted = (2.0 * q * 1.0 + 1.0 * (1.0 - q) * 2.0 + 4.0 * q * 0.5) / 7.0;
        check_near(judged(METRIC_AUTO, 0, 1, NULL, TARGETS, NULL, AT, 3, SCORES), own, BOUND, "quantile", i);
        check_near(judged(METRIC_AUTO, 0, 1, NULL, TARGETS, WEIGHTS, AT, 3, SCORES), weighted, BOUND, "weighted", i);
        check_near(judged(METRIC_MAE, 0, 1, NULL, TARGETS, NULL, AT, 3, SCORES), 3.5 / 3.0, BOUND, "mae", i);
    }
    loss_of_numbers = "squared";
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auc_is_the_share_of_pairs_in_order),
        cmocka_unit_test(auc_of_one_class_alone_is_constant),
        cmocka_unit_test(logloss_takes_the_best_temperature),
        cmocka_unit_test(accuracy_is_cross_entropy_times_errors),
        cmocka_unit_test(cross_entropy_weighs_more_where_rows_are_few),
        cmocka_unit_test(row_and_class_weights_count),
        cmocka_unit_test(f1_is_the_mean_over_classes),
        cmocka_unit_test(balanced_takes_the_frequencies_out),
        cmocka_unit_test(f1_is_that_of_scores_with_thresholds),
        cmocka_unit_test(errors_of_a_regression),
        cmocka_unit_test(the_loss_of_a_quantile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
