/* A place for the result that is NULL is an error with a name, not a crash. */
#include "api/api_support.h"

static void a_null_output_is_named(void **unused) {
    static const float VALUES[] = {1, 2};
    static const double DOUBLES[] = {1, 2};
    static const uint32_t INDEX[] = {0};
    static const size_t STARTS[] = {0, 1};
    cnm_error errors[13] = {{0}};
    (void)unused;
    const cnm_status statuses[] = {
        cnm_data_load(NULL, "x.csv", NULL, NULL, NULL, &errors[0]),
        cnm_data_view_dense(NULL, VALUES, 1, 2, 2, &errors[1]),
        cnm_data_view_csr(NULL, VALUES, INDEX, STARTS, 1, 1, &errors[2]),
        cnm_data_copy_double(NULL, DOUBLES, 1, 2, 2, NULL, &errors[3]),
        cnm_reader_open(NULL, "x.csv", NULL, NULL, NULL, &errors[4]),
        cnm_reader_next(NULL, 1, NULL, &errors[5]),
        cnm_train(NULL, NULL, NULL, NULL, &errors[6]),
        cnm_train_continue(NULL, NULL, NULL, NULL, NULL, &errors[7]),
        cnm_model_load(NULL, "x.cnm", &errors[8]),
        cnm_evaluation_create(NULL, NULL, 0, &errors[9]),
        cnm_predictor_create(NULL, NULL, &errors[10]),
        cnm_options_create(NULL, &errors[11]),
        cnm_train_validated(NULL, NULL, NULL, NULL, NULL, NULL, &errors[12]),
    };
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        assert_int_equal(statuses[i], CNM_BAD_ARGUMENT);
        assert_string_equal(errors[i].message, "out must not be NULL");
    }
}

/* Callbacks that were not begun as CNM_CALLBACKS_INIT could hold anything. */
static void callbacks_without_a_size_are_refused(void **unused) {
    (void)unused;
    const cnm_callbacks none = {0};
    cnm_error error = {0};
    cnm_data *data;
    cnm_reader *reader;
    check_refusal(cnm_data_load(&data, "x.csv", NULL, NULL, &none, &error), CNM_BAD_ARGUMENT, &error,
                  "CNM_CALLBACKS_INIT");
    check_refusal(cnm_reader_open(&reader, "x.csv", NULL, NULL, &none, &error), CNM_BAD_ARGUMENT, &error,
                  "CNM_CALLBACKS_INIT");
    assert_true(data == NULL && reader == NULL);
    const cnm_callbacks begun = CNM_CALLBACKS_INIT;
    check_refusal(cnm_data_load(&data, "/nowhere/x.csv", NULL, NULL, &begun, &error), CNM_IO_FAILED, &error, "x.csv");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_null_output_is_named),
        cmocka_unit_test(callbacks_without_a_size_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
