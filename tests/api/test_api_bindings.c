/* What other languages use instead of C structs: errors, callbacks, options as texts, arrays of a
 * model. */
#include "api/api_support.h"
#include "cnm/bindings.h"

static sample made;

static void an_error_needs_no_layout(void **unused) {
    (void)unused;
    cnm_error *error = cnm_error_create();
    cnm_options *options;
    assert_non_null(error);
    assert_string_equal(cnm_error_message(error), "");
    check_ok(cnm_options_create(&options, error), error);
    assert_int_equal(cnm_options_set(options, "featurs", "8", error), CNM_BAD_ARGUMENT);
    assert_string_equal(cnm_error_message(error), "there is no option --featurs; did you mean --features?");
    assert_string_equal(cnm_error_message(NULL), "");
    cnm_options_destroy(options);
    cnm_error_destroy(error);
    cnm_error_destroy(NULL);
}

static void check_text(size_t i, const char *field, const char *expected) {
    char text[CNM_OPTION_TEXT_SIZE];
    cnm_error error = {0};
    check_ok(cnm_options_text(i, field, text, sizeof text, &error), &error);
    assert_string_equal(text, expected);
}

static void options_are_given_as_texts(void **unused) {
    (void)unused;
    size_t i = 0;
    cnm_option_info info = CNM_OPTION_INFO_INIT;
    for (; cnm_options_describe(i, &info); i++) {
        char purpose[CNM_OPTION_TEXT_SIZE];
        check_text(i, "name", info.name);
        check_text(i, "type", info.type);
        check_text(i, "default", info.default_value);
        check_text(i, "values", info.values);
        check_text(i, "help", info.help);
        check_text(i, "group", info.group);
        assert_int_equal(cnm_options_text(i, "purpose", purpose, sizeof purpose, NULL), CNM_OK);
        assert_int_equal(strstr(purpose, "train") != NULL, (info.purpose & CNM_FOR_TRAIN) != 0);
        assert_int_equal(strstr(purpose, "data") != NULL, (info.purpose & CNM_FOR_DATA) != 0);
        assert_int_equal(strstr(purpose, "predict") != NULL, (info.purpose & CNM_FOR_PREDICT) != 0);
        assert_int_equal(strstr(purpose, "output") != NULL, (info.purpose & CNM_FOR_OUTPUT) != 0);
    }
    assert_int_equal(i, cnm_options_count());
    char text[4] = "as";
    cnm_error error = {0};
    check_refusal(cnm_options_text(i, "name", text, 4, &error), CNM_BAD_ARGUMENT, &error, "there is no option");
    check_refusal(cnm_options_text(0, "colour", text, 4, &error), CNM_BAD_ARGUMENT, &error, "\"colour\"");
    check_refusal(cnm_options_text(0, NULL, text, 4, &error), CNM_BAD_ARGUMENT, &error, "field");
    check_refusal(cnm_options_text(0, "name", NULL, 4, &error), CNM_BAD_ARGUMENT, &error, "out");
    check_refusal(cnm_options_text(0, "name", text, 4, &error), CNM_BAD_ARGUMENT, &error, "7 are needed");
    assert_string_equal(text, "as");
}

/* ---- Callbacks ---- */

static double number_in(const cnm_progress *progress, const char *field) {
    cnm_error error = {0};
    double value = -1.0;
    check_ok(cnm_progress_get(progress, field, &value, &error), &error);
    return value;
}

static int heard(const cnm_progress *progress, void *user) {
    assert_string_equal(cnm_progress_phase(progress), progress->phase);
    assert_true(number_in(progress, "done") == (double)progress->done);
    assert_true(number_in(progress, "total") == (double)progress->total);
    assert_true(number_in(progress, "loss") == progress->loss);
    assert_true(number_in(progress, "seconds") == progress->seconds);
    cnm_error error = {0};
    double value;
    check_refusal(cnm_progress_get(progress, "colour", &value, &error), CNM_BAD_ARGUMENT, &error, "\"colour\"");
    assert_true(progress->struct_size == sizeof *progress);
    ++*(int *)user;
    return 0;
}

static void callbacks_are_called(void **unused) {
    (void)unused;
    cnm_error error = {0};
    int count = 0;
    cnm_callbacks *callbacks = cnm_callbacks_create(heard, NULL, &count);
    cnm_data *data = labelled_view(&made);
    cnm_options *options = options_of((const char *const[]){"method", "linear", "epochs", "40", NULL});
    cnm_model *model;
    check_ok(cnm_train(&model, data, options, callbacks, &error), &error);
    assert_true(count > 0);
    cnm_model_destroy(model);
    cnm_options_destroy(options);
    cnm_data_destroy(data);
    cnm_callbacks_destroy(callbacks);
    cnm_callbacks_destroy(NULL);
}

/* ---- Arrays ---- */

enum { MOST = 4096 };

typedef struct array {
    size_t rows, columns;
    double values[MOST];
} array;

static array take(const cnm_model *model, const char *name) {
    cnm_error error = {0};
    array out = {0};
    size_t rows, columns;
    check_ok(cnm_model_array(model, name, &rows, &columns, NULL, &error), &error);
    assert_true(rows * columns <= MOST);
    check_ok(cnm_model_array(model, name, &out.rows, &out.columns, out.values, &error), &error);
    assert_int_equal(rows, out.rows);
    assert_int_equal(columns, out.columns);
    return out;
}

/* theta and phase of one layer. */
typedef struct layer_arrays {
    array theta, phase;
} layer_arrays;

static void take_layer(const cnm_model *model, size_t i, layer_arrays *out) {
    char name[32];
    (void)snprintf(name, sizeof name, i == 0 ? "theta" : "layer%zu.theta", i + 1);
    out->theta = take(model, name);
    (void)snprintf(name, sizeof name, i == 0 ? "phase" : "layer%zu.phase", i + 1);
    out->phase = take(model, name);
}

/* Replaces u by the features of a layer, in double. */
static void run_layer(const layer_arrays *self, double *u) {
    double z[64];
    for (size_t f = 0; f < self->theta.columns; f++) {
        z[f] = self->phase.rows == 0 ? 0.0 : self->phase.values[f];
        for (size_t j = 0; j < self->theta.rows; j++) {
            z[f] += u[j] * self->theta.values[j * self->theta.columns + f];
        }
        z[f] = cos(z[f]);
    }
    memcpy(u, z, self->theta.columns * sizeof *u);
}

/* Fills u with a row as the first layer takes it. */
static void prepare_row(const array *offset, const array *scale, size_t row, double *u) {
    for (size_t j = 0; j < COLUMNS; j++) {
        u[j] = (double)made.values[row * COLUMNS + j] - (offset->rows == 0 ? 0.0 : offset->values[j]);
        u[j] = scale->rows == 0 ? u[j] : asinh(u[j] * scale->values[j]);
    }
}

/* Checks the formula of advanced.h, in double. */
static void check_formula(size_t layers, const char *const *pairs) {
    cnm_error error = {0};
    cnm_data *data = labelled_view(&made);
    cnm_model *model = train_with(data, pairs);
    const size_t k = cnm_model_features(model), outputs = cnm_model_outputs(model);
    static float z[ROWS * 64], scores[ROWS];
    static layer_arrays stack[4];
    const array head = take(model, "head"), bias = take(model, "bias");
    const array offset = take(model, "offset"), scale = take(model, "scale");
    for (size_t i = 0; i < 4; i++) {
        take_layer(model, i, &stack[i]);
        assert_int_equal(stack[i].theta.rows > 0, i < layers);
    }
    assert_int_equal(stack[0].theta.rows, COLUMNS);
    assert_int_equal(stack[layers - 1].theta.columns, k);
    assert_int_equal(head.rows, k);
    assert_int_equal(head.columns, outputs);
    check_ok(cnm_transform(model, data, 1, z, &error), &error);
    check_ok(cnm_predict_scores(model, data, 1, scores, &error), &error);
    for (size_t i = 0; i < ROWS; i++) {
        double score = bias.values[0], size = fabs(score), u[64];
        prepare_row(&offset, &scale, i, u);
        for (size_t l = 0; l < layers; l++) {
            run_layer(&stack[l], u);
        }
        for (size_t f = 0; f < k; f++) {
            const double expected = sqrt(2.0 / (double)k) * u[f];
            assert_true(fabs((double)z[i * k + f] - expected) <= 1e-4);
            score += expected * head.values[f];
            size += fabs(expected * head.values[f]);
        }
        assert_true(fabs((double)scores[i] - score) <= 1e-4 * (1.0 + size));
    }
    cnm_model_destroy(model);
    cnm_data_destroy(data);
}

static void arrays_give_the_models_formula(void **unused) {
    (void)unused;
    check_formula(1, (const char *const[]){"features", "16", "scale", "standard", "effort", "quick", NULL});
    check_formula(1, (const char *const[]){"features", "16", "scale", "asinh", "effort", "quick", NULL});
    check_formula(1, (const char *const[]){"features", "8", "phase", "none", "effort", "quick", NULL});
    check_formula(1, (const char *const[]){"features", "8", "projection", "circulant", "effort", "quick", NULL});
    check_formula(1,
                  (const char *const[]){"features", "8", "projection", "circulant-diagonal", "effort", "quick", NULL});
    check_formula(3, (const char *const[]){"layers", "20,circulant:31,12", "effort", "quick", "scale", "asinh", NULL});
}

static void layers_that_are_no_matrix_have_no_theta(void **unused) {
    (void)unused;
    cnm_data *data = labelled_view(&made);
    cnm_model *model = train_with(data, (const char *const[]){"layers", "columns:2,9", "effort", "quick", NULL});
    assert_int_equal(take(model, "theta").rows, 0);
    assert_int_equal(take(model, "phase").rows, 0);
    assert_int_equal(take(model, "layer2.theta").columns, 9);
    assert_int_equal(take(model, "layer2.phase").columns, 9);
    assert_int_equal(take(model, "layer3.theta").rows, 0);
    cnm_model_destroy(model);
    cnm_data_destroy(data);
}

static void absent_arrays_are_empty_and_unknown_ones_refused(void **unused) {
    (void)unused;
    cnm_error error = {0};
    size_t rows, columns;
    cnm_data *data = sample_view(&made);
    cnm_options *options = options_of((const char *const[]){"method", "rff", "task", "map", "features", "4", NULL});
    cnm_model *model;
    check_ok(cnm_train(&model, data, options, NULL, &error), &error);
    assert_int_equal(take(model, "head").rows, 0);
    assert_int_equal(take(model, "bias").rows, 0);
    assert_null(cnm_model_column_name(model, 0));
    check_refusal(cnm_model_array(model, "colour", &rows, &columns, NULL, &error), CNM_BAD_ARGUMENT, &error, "colour");
    check_refusal(cnm_model_array(NULL, "theta", &rows, &columns, NULL, &error), CNM_BAD_ARGUMENT, &error, "model");
    check_refusal(cnm_model_array(model, NULL, &rows, &columns, NULL, &error), CNM_BAD_ARGUMENT, &error, "name");
    check_refusal(cnm_model_array(model, "theta", NULL, &columns, NULL, &error), CNM_BAD_ARGUMENT, &error, "rows");
    cnm_model_destroy(model);
    check_ok(cnm_data_set_names(data, (const char *const[]){"x", "y", "z"}, &error), &error);
    check_ok(cnm_train(&model, data, options, NULL, &error), &error);
    assert_string_equal(cnm_model_column_name(model, 2), "z");
    assert_null(cnm_model_column_name(model, 3));
    cnm_model_destroy(model);
    cnm_options_destroy(options);
    cnm_data_destroy(data);
}

static int prepare(void **unused) {
    (void)unused;
    sample_make(&made);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_needs_no_layout),
        cmocka_unit_test(options_are_given_as_texts),
        cmocka_unit_test(callbacks_are_called),
        cmocka_unit_test(arrays_give_the_models_formula),
        cmocka_unit_test(layers_that_are_no_matrix_have_no_theta),
        cmocka_unit_test(absent_arrays_are_empty_and_unknown_ones_refused),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
