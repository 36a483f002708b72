/* The cross-entropy with soft labels: its gradient agrees with differences, many outputs are cut
 * into parts, and probabilities sum to 1. */
#include "support/random_rows.h"

#include "learn/distill/soft_labels.h"

enum { MOST = 200 };

static void fill(uint64_t seed, size_t outputs, double scale, float *scores, float *wanted) {
    double sum = 0.0;
    normals(seed, outputs, scale, scores);
    for (size_t j = 0; j < outputs; j++) {
        sum += uniform(seed, j);
    }
    for (size_t j = 0; j < outputs; j++) {
        wanted[j] = (float)(uniform(seed, j) / sum);
    }
}

static double plain(const float *scores, const float *wanted, size_t outputs, double temperature) {
    double sum = 0.0, value = 0.0;
    for (size_t j = 0; j < outputs; j++) {
        sum += exp((double)scores[j] / temperature);
    }
    for (size_t j = 0; j < outputs; j++) {
        value += (double)wanted[j] * (log(sum) - (double)scores[j] / temperature);
    }
    return value;
}

static void gradients_agree_with_differences(void **unused) {
    (void)unused;
    static const size_t OUTPUTS[] = {2, 3, 64, 65, MOST};
    for (size_t n = 0; n < COUNT_OF(OUTPUTS); n++) {
        const size_t outputs = OUTPUTS[n];
        const double temperature = n % 2 == 0 ? 1.0 : 2.0, weight = 1.5, step = 1e-3;
        float scores[MOST], wanted[MOST], slope[MOST], none[MOST];
        fill(n, outputs, 2.0, scores, wanted);
        for (size_t j = 0; j < outputs; j++) {
            slope[j] = 0.25F; /* the gradient is added to what is there */
        }
        const double value = soft_cross_entropy(scores, wanted, outputs, temperature, weight, slope);
        check_near(value, weight * plain(scores, wanted, outputs, temperature), 1e-6 * value, "entropy", n);
        for (size_t j = 0; j < outputs; j++) {
            const float kept = scores[j];
            scores[j] = kept + (float)step;
            const double up = soft_cross_entropy(scores, wanted, outputs, temperature, weight, none);
            scores[j] = kept - (float)step;
            const double down = soft_cross_entropy(scores, wanted, outputs, temperature, weight, none);
            scores[j] = kept;
            check_near((double)slope[j] - 0.25, (up - down) / (2.0 * step), 2e-4, "slope", j);
        }
    }
}

static void probabilities_sum_to_1(void **unused) {
    (void)unused;
    static const double SCALES[] = {0.0, 1.0, 100.0};
    for (size_t n = 0; n < 2 * COUNT_OF(SCALES); n++) {
        const size_t outputs = n % 2 == 0 ? 3 : MOST;
        float scores[MOST], wanted[MOST], logarithms[MOST];
        double sum = 0.0;
        fill(n, outputs, SCALES[n / 2], scores, wanted);
        memcpy(logarithms, scores, sizeof scores);
        log_softmax(logarithms, outputs);
        for (size_t j = 1; j < outputs; j++) {
            check_near((double)(logarithms[j] - logarithms[0]), (double)(scores[j] - scores[0]), 1e-3, "difference", j);
        }
        softmax(scores, outputs);
        for (size_t j = 0; j < outputs; j++) {
            check_near((double)scores[j], exp((double)logarithms[j]), 1e-6, "probability", j);
            sum += (double)scores[j];
        }
        check_near(sum, 1.0, 1e-4, "sum", n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_agree_with_differences),
        cmocka_unit_test(probabilities_sum_to_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
