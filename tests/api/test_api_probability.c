/* Probabilities of classes through the public functions: what they are for each loss, and what
 * calibration gains. */
#include "api/api_support.h"

enum { CLASSES = 3, MANY = 900 };

/* Three classes that overlap: no score is always right. */
typedef struct mixture {
    float values[MANY * 2];
    const char *labels[MANY];
} mixture;

static mixture first, second; /* to train on, and to judge */

static void mixture_make(mixture *self, size_t from) {
    static const char *const NAMES[] = {"a", "b", "c"};
    static const float PLACES[][2] = {{0.0F, 0.7F}, {0.6F, -0.4F}, {-0.6F, -0.4F}};
    for (size_t i = 0; i < MANY; i++) {
        const size_t class = i % CLASSES;
        self->labels[i] = NAMES[class];
        for (size_t j = 0; j < 2; j++) {
            self->values[2 * i + j] = PLACES[class][j] + number(from + 4 * i + j) + number(from + 4 * i + 2 + j);
        }
    }
}

/* Classes c and b become one where `two`. */
static cnm_data *view_of(const mixture *self, bool two) {
    static const char *labels[MANY];
    cnm_error error = {0};
    cnm_data *data;
    for (size_t i = 0; i < MANY; i++) {
        labels[i] = two && self->labels[i][0] == 'c' ? "b" : self->labels[i];
    }
    check_ok(cnm_data_view_dense(&data, self->values, MANY, 2, 2, &error), &error);
    check_ok(cnm_data_set_labels(data, labels, &error), &error);
    return data;
}

static cnm_model *train_loss(bool two, const char *method, const char *loss, const char *validation) {
    cnm_data *data = view_of(&first, two);
    const char *const pairs[] = {"method", method,  "loss",  loss, "validation", validation,
                                 "effort", "quick", "batch", "30", NULL};
    const bool learned = strcmp(method, "cnm") == 0;
    const char *const plain[] = {"method", method, "loss", loss, NULL};
    cnm_model *model = train_with(data, learned ? pairs : plain);
    cnm_data_destroy(data);
    return model;
}

static const char *described(const cnm_model *model, const char *wanted) {
    const char *key, *value;
    for (size_t i = 0; cnm_model_describe(model, i, &key, &value); i++) {
        if (strcmp(key, wanted) == 0) {
            return value;
        }
    }
    return NULL;
}

typedef struct predictions {
    float scores[MANY * CLASSES];
    double probabilities[MANY * CLASSES];
    size_t outputs, classes;
} predictions;

static predictions made;

static void predict(const cnm_model *model, bool two) {
    cnm_error error = {0};
    cnm_data *data = view_of(&second, two);
    made.outputs = cnm_model_outputs(model);
    made.classes = cnm_model_classes(model);
    check_ok(cnm_predict_scores(model, data, 1, made.scores, &error), &error);
    check_ok(cnm_predict_probabilities(model, data, 1, made.probabilities, &error), &error);
    cnm_data_destroy(data);
}

static double score_of(size_t i, size_t j) {
    return made.outputs > 1 ? (double)made.scores[i * made.outputs + j] : j == 1 ? (double)made.scores[i] : 0.0;
}

/* Mean of -log p at the row's class; temperature 0: of the probabilities, else of softmax(scores /
 * temperature). */
static double entropy(bool two, double temperature) {
    double sum = 0.0;
    for (size_t i = 0; i < MANY; i++) {
        const size_t truth = two && i % CLASSES == 2 ? 1 : i % CLASSES;
        double total = 0.0;
        for (size_t j = 0; temperature > 0.0 && j < made.classes; j++) {
            total += exp((score_of(i, j) - score_of(i, truth)) / temperature);
        }
        sum += temperature > 0.0 ? log(total) : -log(made.probabilities[i * made.classes + truth]);
    }
    return sum / MANY;
}

static const char *const LOSSES[] = {"softmax", "logistic", "hinge", "squared-hinge", "crammer-singer"};
static const char *const METHODS[] = {"cnm", "rff", "linear"};

static void rows_add_up_and_are_ordered_as_scores(void **unused) {
    (void)unused;
    for (size_t n = 0; n < 2 * COUNT_OF(LOSSES) * COUNT_OF(METHODS); n++) {
        const bool two = n % 2 == 1;
        cnm_model *model = train_loss(two, METHODS[n / 2 % COUNT_OF(METHODS)], LOSSES[n / 2 / COUNT_OF(METHODS)], "0");
        predict(model, two);
        for (size_t i = 0; i < MANY; i++) {
            const double *p = made.probabilities + i * made.classes;
            double sum = 0.0;
            for (size_t j = 0; j < made.classes; j++) {
                sum += p[j];
                assert_true(p[j] >= 0.0 && p[j] <= 1.0);
                assert_true(j == 0 || (p[j] > p[j - 1]) == (score_of(i, j) > score_of(i, j - 1)));
            }
            assert_true(fabs(sum - 1.0) <= 4.0 * 2.3e-16 * (double)made.classes);
        }
        cnm_model_destroy(model);
    }
}

static void softmax_models_give_the_softmax_of_their_scores(void **unused) {
    (void)unused;
    for (size_t two = 0; two < 2; two++) {
        cnm_model *model = train_loss(two == 1, "cnm", "softmax", "0");
        assert_null(described(model, "temperature"));
        predict(model, two == 1);
        for (size_t i = 0; i < MANY; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < made.classes; j++) {
                sum += exp(score_of(i, j));
            }
            for (size_t j = 0; j < made.classes; j++) {
                assert_true(fabs(made.probabilities[i * made.classes + j] - exp(score_of(i, j)) / sum) <= 1e-14);
            }
        }
        cnm_model_destroy(model);
    }
}

static void logistic_models_give_normalised_sigmoids(void **unused) {
    (void)unused;
    cnm_model *model = train_loss(false, "rff", "logistic", "0");
    predict(model, false);
    for (size_t i = 0; i < MANY; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < CLASSES; j++) {
            sum += 1.0 / (1.0 + exp(-score_of(i, j)));
        }
        for (size_t j = 0; j < CLASSES; j++) {
            const double expected = 1.0 / (1.0 + exp(-score_of(i, j))) / sum;
            assert_true(fabs(made.probabilities[i * CLASSES + j] - expected) <= 1e-14);
        }
    }
    cnm_model_destroy(model);
}

/* On new rows: as good as the best temperature there is but for the chance of the rows that it came
 * from, and all together better than scores taken as they are. */
static void margins_are_calibrated(void **unused) {
    (void)unused;
    static const char *const HELD[] = {"0", "0.2"};
    const double CHANCE =
        9.0 / (2.0 * MANY / 5); /* chi-squared / (2 n) for one parameter from n rows: three deviations */
    double gain = 0.0;
    for (size_t n = 0; n < 3 * COUNT_OF(METHODS) * 2 * COUNT_OF(HELD); n++) {
        const char *method = METHODS[n % COUNT_OF(METHODS)], *held = HELD[n / 18];
        const bool two = n / 9 % 2 == 1;
        if (strcmp(method, "cnm") != 0 && held[1] != '\0') {
            continue; /* rows are held back for learned maps only */
        }
        cnm_model *model = train_loss(two, method, LOSSES[2 + n / 3 % 3], held);
        assert_non_null(described(model, "temperature"));
        predict(model, two);
        double best = entropy(two, 1.0);
        for (double t = 0.05; t < 20.0; t *= 1.1) {
            best = fmin(best, entropy(two, t));
        }
        gain += entropy(two, 1.0) - entropy(two, 0.0);
        if (entropy(two, 0.0) > best + CHANCE) {
            fail_msg("%s %s %s %s: T = %s gives %g, 1 gives %g, the best %g", method, LOSSES[2 + n / 3 % 3],
                     two ? "two" : "three", held, described(model, "temperature"), entropy(two, 0.0), entropy(two, 1.0),
                     best);
        }
        cnm_model_destroy(model);
    }
    assert_true(gain > 24 * 0.02); /* 24 models */
}

/* Two columns of the mixture and many of noise: a map with more parameters than rows fits its own
 * rows much better than others, and a temperature from rows that it has seen would promise too
 * much. */
static void a_learned_map_is_calibrated_on_rows_it_has_not_seen(void **unused) {
    (void)unused;
    enum { WIDE = 32, FEW = 300 };
    static float rows[2][MANY * WIDE];
    static const char *const RECIPES[] = {"joint", "alternating"};
    const mixture *const from[] = {&first, &second};
    cnm_error error = {0};
    for (size_t i = 0; i < 2 * MANY * WIDE; i++) {
        const size_t part = i / (MANY * WIDE), row = i / WIDE % MANY, j = i % WIDE;
        rows[part][row * WIDE + j] = j < 2 ? from[part]->values[2 * row + j] : 0.7F * number(777 + i);
    }
    for (size_t n = 0; n < COUNT_OF(RECIPES); n++) {
        const bool turns = n == 1;
        cnm_data *train, *test;
        cnm_model *model;
        check_ok(cnm_data_view_dense(&train, rows[0], FEW, WIDE, WIDE, &error), &error);
        check_ok(cnm_data_set_labels(train, first.labels, &error), &error);
        check_ok(cnm_data_view_dense(&test, rows[1], MANY, WIDE, WIDE, &error), &error);
        cnm_options *options = options_of((const char *const[]){"loss", "hinge", "features", "128", "scale", "none",
                                                                "noise", "0", "decay", "0", "epochs", "100", NULL});
        cnm_options *alternating = options_of((const char *const[]){"recipe", "alternating", "features", "128",
                                                                    "iterations", "20", "lambda", "1e-4", NULL});
        check_ok(cnm_train(&model, train, turns ? alternating : options, NULL, &error), &error);
        made.outputs = made.classes = CLASSES;
        check_ok(cnm_predict_scores(model, test, 1, made.scores, &error), &error);
        check_ok(cnm_predict_probabilities(model, test, 1, made.probabilities, &error), &error);
        if (entropy(false, 0.0) > entropy(false, 1.0)) {
            fail_msg("%s: T = %s gives %g, 1 gives %g", RECIPES[n], described(model, "temperature"),
                     entropy(false, 0.0), entropy(false, 1.0));
        }
        cnm_options_destroy(options);
        cnm_options_destroy(alternating);
        cnm_model_destroy(model);
        cnm_data_destroy(train);
        cnm_data_destroy(test);
    }
}

static void an_evaluation_judges_probabilities(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_model *model = train_loss(false, "rff", "hinge", "0");
    cnm_data *data = view_of(&second, false);
    cnm_evaluation *judged;
    double right[15] = {0}, sure[15] = {0}, calibration = 0.0;
    predict(model, false);
    for (size_t i = 0; i < MANY; i++) {
        const double *p = made.probabilities + i * CLASSES;
        const size_t best = p[1] > p[0] ? (p[2] > p[1] ? 2 : 1) : (p[2] > p[0] ? 2 : 0);
        const size_t bin = p[best] < 1.0 ? (size_t)(p[best] * 15.0) : 14;
        right[bin] += best == i % CLASSES;
        sure[bin] += p[best];
    }
    for (size_t i = 0; i < 15; i++) {
        calibration += fabs(right[i] - sure[i]) / MANY;
    }
    check_ok(cnm_evaluation_create(&judged, model, 0, &error), &error);
    check_ok(cnm_evaluation_add(judged, data, made.scores, &error), &error);
    assert_true(fabs(metric_of(judged, "logloss") - entropy(false, 0.0)) <= 1e-12);
    assert_true(fabs(metric_of(judged, "calibration") - calibration) <= 1e-12);
    assert_true(calibration < 0.1);
    cnm_evaluation_destroy(judged);
    cnm_data_destroy(data);
    cnm_model_destroy(model);
}

static void a_temperature_survives_its_file_and_threads(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static double again[MANY * CLASSES];
    unsigned char *bytes;
    size_t size, told;
    cnm_data *data = view_of(&second, false), *train = view_of(&first, false);
    cnm_model *model = train_loss(false, "rff", "hinge", "0"), *copy, *threaded;
    predict(model, false);
    check_ok(cnm_model_to_bytes(model, NULL, 0, &size, &error), &error);
    bytes = malloc(size);
    check_ok(cnm_model_to_bytes(model, bytes, size, &told, &error), &error);
    assert_int_equal(size, told);
    check_ok(cnm_model_from_bytes(&copy, bytes, size, &error), &error);
    check_ok(cnm_predict_probabilities(copy, data, 7, again, &error), &error);
    assert_memory_equal(again, made.probabilities, sizeof again);
    threaded = train_with(train, (const char *const[]){"method", "rff", "loss", "hinge", "threads", "7", NULL});
    assert_string_equal(described(threaded, "temperature"), described(model, "temperature"));
    bytes[size - 1] ^= 1;
    cnm_model *broken = copy;
    check_refusal(cnm_model_from_bytes(&broken, bytes, size, &error), CNM_BAD_FORMAT, &error, "the model");
    assert_null(broken);
    free(bytes);
    cnm_model_destroy(threaded);
    cnm_model_destroy(copy);
    cnm_model_destroy(model);
    cnm_data_destroy(data);
    cnm_data_destroy(train);
}

static void what_has_no_classes_has_no_probabilities(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static double targets[MANY];
    cnm_data *data = view_of(&first, false);
    for (size_t i = 0; i < MANY; i++) {
        targets[i] = (double)first.values[2 * i];
    }
    check_ok(cnm_data_set_targets(data, targets, &error), &error);
    cnm_model *model = train_with(data, (const char *const[]){"method", "linear", "task", "regress", NULL});
    check_refusal(cnm_predict_probabilities(model, data, 1, made.probabilities, &error), CNM_BAD_ARGUMENT, &error,
                  "no probabilities");
    check_refusal(cnm_predict_probabilities(NULL, data, 1, made.probabilities, &error), CNM_BAD_ARGUMENT, &error,
                  "model must not be NULL");
    check_refusal(cnm_predict_probabilities(model, data, 1, NULL, &error), CNM_BAD_ARGUMENT, &error, "output");
    check_refusal(cnm_model_probabilities(model, NULL, 1, made.probabilities, &error), CNM_BAD_ARGUMENT, &error,
                  "scores");
    cnm_model_destroy(model);
    cnm_data_destroy(data);
}

static int prepare(void **unused) {
    (void)unused;
    mixture_make(&first, 0);
    mixture_make(&second, 100000);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_add_up_and_are_ordered_as_scores),
        cmocka_unit_test(softmax_models_give_the_softmax_of_their_scores),
        cmocka_unit_test(logistic_models_give_normalised_sigmoids),
        cmocka_unit_test(margins_are_calibrated),
        cmocka_unit_test(a_learned_map_is_calibrated_on_rows_it_has_not_seen),
        cmocka_unit_test(an_evaluation_judges_probabilities),
        cmocka_unit_test(a_temperature_survives_its_file_and_threads),
        cmocka_unit_test(what_has_no_classes_has_no_probabilities),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
