/* Numbers from a program's memory at the edge: what a file's reader would have refused is refused
 * here too, or gives a sound model. */
#include "api/api_support.h"

enum { FEW = 60 };

static sample made;

/* Trains on `values` (FEW, COLUMNS) with the sample's words; the model goes to *model, where the
 * caller wants it. */
static cnm_status train_on(const float *values, const char *const *pairs, cnm_model **model, cnm_error *error) {
    cnm_data *data;
    cnm_model *own = NULL;
    cnm_options *options = options_of(pairs);
    check_ok(cnm_data_view_dense(&data, values, FEW, COLUMNS, COLUMNS, error), error);
    check_ok(cnm_data_set_labels(data, made.words, error), error);
    const cnm_status status = cnm_train(&own, data, options, NULL, error);
    assert_true((status == CNM_OK) == (own != NULL));
    if (model != NULL) {
        *model = own;
    } else {
        cnm_model_destroy(own);
    }
    cnm_data_destroy(data);
    cnm_options_destroy(options);
    return status;
}

static const char *const METHODS[][11] = {
    {"missing", "error", "features", "6", "epochs", "5", "effort", "quick", NULL},
    {"missing", "error", "features", "6", "epochs", "5", "effort", "quick", "projection", "circulant", NULL},
    {"missing", "error", "method", "rff", "features", "6", "epochs", "5", NULL},
    {"missing", "error", "method", "linear", "epochs", "5", NULL},
};

static void values_that_are_not_finite_are_refused(void **unused) {
    static const float BAD[] = {INFINITY, -INFINITY, NAN};
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(METHODS) * COUNT_OF(BAD); i++) {
        float values[FEW * COLUMNS];
        cnm_error error = {0};
        memcpy(values, made.values, sizeof values);
        values[17] = BAD[i % COUNT_OF(BAD)];
        check_refusal(train_on(values, METHODS[i / COUNT_OF(BAD)], NULL, &error), CNM_BAD_DATA, &error, "row 6");
    }
}

/* A row that holds what is not a number gets scores that are none, or far out; its neighbours keep
 * their bits. */
static void a_row_that_is_not_finite_spoils_no_other(void **unused) {
    static const float BAD[] = {INFINITY, -INFINITY, NAN};
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(METHODS); i++) {
        cnm_error error = {0};
        cnm_model *model;
        check_ok(train_on(made.values, METHODS[i], &model, &error), &error);
        for (size_t j = 0; j < COUNT_OF(BAD); j++) {
            float values[FEW * COLUMNS], good[FEW], scores[FEW];
            cnm_data *data;
            memcpy(values, made.values, sizeof values);
            check_ok(cnm_data_view_dense(&data, values, FEW, COLUMNS, COLUMNS, &error), &error);
            check_ok(cnm_predict_scores(model, data, 1, good, &error), &error);
            values[17] = BAD[j];
            if (isnan(BAD[j])) {
                check_refusal(cnm_predict_scores(model, data, 1, scores, &error), CNM_BAD_DATA, &error, "missing");
                cnm_data_destroy(data);
                continue;
            }
            check_ok(cnm_predict_scores(model, data, 1, scores, &error), &error);
            assert_memory_equal(scores, good, 5 * sizeof *scores);
            assert_memory_equal(scores + 6, good + 6, (FEW - 6) * sizeof *scores);
            cnm_data_destroy(data);
        }
        cnm_model_destroy(model);
    }
}

static int prepare(void **unused) {
    (void)unused;
    sample_make(&made);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_that_are_not_finite_are_refused),
        cmocka_unit_test(a_row_that_is_not_finite_spoils_no_other),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
