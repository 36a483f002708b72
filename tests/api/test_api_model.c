/* Training, prediction, model files and evaluation through the public functions. */
#include "api/api_support.h"

static sample made;
static cnm_data *labelled;
static cnm_model *model;

static const char *const LINEAR[] = {"method", "linear", NULL};
static const char *const MAP[] = {"method", "rff", "task", "map", "features", "16", NULL};
static const char *const FEATURES[] = {"features", "128", NULL};
static const char *const REGRESS[] = {"method", "linear", "task", "regress", NULL};

/* One model serves most tests; it is never changed. */
static int prepare(void **unused) {
    (void)unused;
    sample_make(&made);
    labelled = labelled_view(&made);
    model = train_with(labelled, FEATURES);
    return 0;
}

static int clean(void **unused) {
    (void)unused;
    cnm_model_destroy(model);
    cnm_data_destroy(labelled);
    return 0;
}

static cnm_model *regression_model(cnm_data **data) {
    cnm_error error = {0};
    *data = sample_view(&made);
    check_ok(cnm_data_set_targets(*data, made.numbers, &error), &error);
    return train_with(*data, REGRESS);
}

static cnm_model *map_model(void) {
    cnm_error error = {0};
    cnm_data *data = sample_view(&made);
    cnm_options *options = options_of(MAP);
    cnm_model *out;
    check_ok(cnm_train(&out, data, options, NULL, &error), &error);
    cnm_options_destroy(options);
    cnm_data_destroy(data);
    return out;
}

/* ---- What it says about itself ---- */

static void versions_and_statuses_have_words(void **unused) {
    (void)unused;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", CNM_VERSION_MAJOR, CNM_VERSION_MINOR, CNM_VERSION_PATCH);
    assert_string_equal(cnm_version(), version);
    for (int status = CNM_OK; status <= CNM_CANCELLED; status++) {
        assert_true(strlen(cnm_status_text((cnm_status)status)) > 3);
        for (int other = CNM_OK; other < status; other++) {
            assert_string_not_equal(cnm_status_text((cnm_status)status), cnm_status_text((cnm_status)other));
        }
    }
    assert_string_equal(cnm_status_text((cnm_status)99), "unknown status");
    assert_string_equal(cnm_status_text((cnm_status)-1), "unknown status");
}

static const char *described(const cnm_model *of, const char *wanted) {
    const char *key, *value;
    for (size_t i = 0; cnm_model_describe(of, i, &key, &value); i++) {
        if (strcmp(key, wanted) == 0) {
            return value;
        }
    }
    return "(none)";
}

static void a_model_describes_itself(void **unused) {
    (void)unused;
    static const char *const ENTRIES[][2] = {{"task", "classify"},   {"columns", "3"},        {"features", "128"},
                                             {"outputs", "1"},       {"projection", "dense"}, {"activation", "cos"},
                                             {"labels", "down, up"}, {"method", "cnm"},       {"loss", "softmax"},
                                             {"kernel", "gaussian"}, {"seed", "1"},           {"training_rows", "120"}};
    for (size_t i = 0; i < COUNT_OF(ENTRIES); i++) {
        assert_string_equal(described(model, ENTRIES[i][0]), ENTRIES[i][1]);
    }
    assert_true(strtoul(described(model, "bytes"), NULL, 10) > 128 * 5 * 2);
    assert_int_equal(cnm_model_columns(model), 3);
    assert_int_equal(cnm_model_features(model), 128);
    assert_int_equal(cnm_model_outputs(model), 1);
    assert_int_equal(cnm_model_classes(model), 2);
    assert_string_equal(cnm_model_label(model, 0), "down");
    assert_string_equal(cnm_model_label(model, 1), "up");
    assert_null(cnm_model_label(model, 2));
    const char *key = "kept", *value = "kept";
    assert_false(cnm_model_describe(model, 10000, &key, &value));
    assert_string_equal(key, "kept");
}

/* No entry is there twice: tools look entries up by their key. */
static void a_description_has_no_key_twice(void **unused) {
    (void)unused;
    const char *key, *value, *other;
    for (size_t i = 0; cnm_model_describe(model, i, &key, &value); i++) {
        for (size_t j = 0; j < i; j++) {
            assert_true(cnm_model_describe(model, j, &other, &value));
            assert_string_not_equal(key, other);
        }
    }
}

/* ---- Prediction ---- */

static void predictions_agree_with_each_other(void **unused) {
    (void)unused;
    cnm_error error = {0};
    float scores[ROWS], again[ROWS];
    int32_t classes[ROWS];
    size_t right = 0;
    check_ok(cnm_predict_scores(model, labelled, 1, scores, &error), &error);
    check_ok(cnm_predict_scores(model, labelled, 0, again, &error), &error);
    check_ok(cnm_predict_classes(model, labelled, 2, classes, &error), &error);
    assert_memory_equal(scores, again, sizeof scores);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(classes[i], cnm_model_decide(model, &scores[i]));
        right += strcmp(cnm_model_label(model, (size_t)classes[i]), made.words[i]) == 0;
    }
    assert_true(right > ROWS * 95 / 100);
}

static void the_same_rows_sparse_predict_the_same_bits(void **unused) {
    (void)unused;
    static uint32_t index[ROWS * COLUMNS];
    static size_t starts[ROWS + 1];
    cnm_error error = {0};
    float dense[ROWS], sparse[ROWS];
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        index[i] = (uint32_t)(i % COLUMNS);
        starts[i / COLUMNS + 1] = i + 1;
    }
    cnm_data *data;
    check_ok(cnm_data_view_csr(&data, made.values, index, starts, ROWS, COLUMNS, &error), &error);
    check_ok(cnm_predict_scores(model, labelled, 1, dense, &error), &error);
    check_ok(cnm_predict_scores(model, data, 1, sparse, &error), &error);
    assert_memory_equal(dense, sparse, sizeof dense);
    cnm_data_destroy(data);
}

static void a_transform_has_the_kernels_length(void **unused) {
    (void)unused;
    static float z[ROWS * 128];
    cnm_error error = {0};
    cnm_model *random = train_with(labelled, (const char *const[]){"method", "rff", NULL});
    check_ok(cnm_transform(random, labelled, 2, z, &error), &error);
    cnm_model_destroy(random);
    for (size_t i = 0; i < ROWS; i++) {
        double squares = 0.0;
        for (size_t j = 0; j < 128; j++) {
            squares += (double)z[i * 128 + j] * (double)z[i * 128 + j];
        }
        assert_true(squares > 0.5 && squares < 1.5); /* K(x, x) = 1, give or take four deviations of its estimate */
    }
}

static void what_a_model_cannot_do_is_refused(void **unused) {
    (void)unused;
    cnm_error error = {0};
    float scores[ROWS];
    int32_t classes[ROWS];
    cnm_data *numbers, *narrow;
    cnm_model *only_map = map_model(), *regression = regression_model(&numbers);
    check_ok(cnm_data_view_dense(&narrow, made.values, 10, 2, 2, &error), &error);
    check_refusal(cnm_predict_scores(model, narrow, 1, scores, &error), CNM_BAD_ARGUMENT, &error,
                  "the rows have 2 columns, the model expects 3");
    check_refusal(cnm_predict_scores(only_map, labelled, 1, scores, &error), CNM_BAD_ARGUMENT, &error,
                  "without a head");
    check_refusal(cnm_predict_classes(only_map, labelled, 1, classes, &error), CNM_BAD_ARGUMENT, &error, "classes");
    check_refusal(cnm_predict_classes(regression, labelled, 1, classes, &error), CNM_BAD_ARGUMENT, &error,
                  "does not predict classes");
    assert_int_equal(cnm_model_outputs(only_map), 0);
    assert_int_equal(cnm_model_classes(regression), 0);
    assert_null(cnm_model_label(regression, 0));
    cnm_model_destroy(only_map);
    cnm_model_destroy(regression);
    cnm_data_destroy(numbers);
    cnm_data_destroy(narrow);
}

/* ---- Evaluation ---- */

static void an_evaluation_adds_up_batches(void **unused) {
    (void)unused;
    cnm_error error = {0};
    float scores[ROWS];
    cnm_evaluation *whole, *parts;
    check_ok(cnm_predict_scores(model, labelled, 1, scores, &error), &error);
    check_ok(cnm_evaluation_create(&whole, model, 1, &error), &error);
    check_ok(cnm_evaluation_create(&parts, model, 1, &error), &error);
    check_ok(cnm_evaluation_add(whole, labelled, scores, &error), &error);
    for (size_t first = 0; first < ROWS; first += 50) {
        const size_t count = ROWS - first < 50 ? ROWS - first : 50;
        cnm_data *part;
        check_ok(cnm_data_view_dense(&part, made.values + first * COLUMNS, count, COLUMNS, COLUMNS, &error), &error);
        check_ok(cnm_data_set_labels(part, made.words + first, &error), &error);
        check_ok(cnm_evaluation_add(parts, part, scores + first, &error), &error);
        cnm_data_destroy(part);
    }
    static const char *const NAMES[] = {"rows", "correct", "unknown", "accuracy", "balanced", "auc"};
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        assert_true(metric_of(whole, NAMES[i]) == metric_of(parts, NAMES[i]));
    }
    assert_true(metric_of(whole, "rows") == ROWS);
    assert_true(metric_of(whole, "accuracy") > 0.95);
    assert_true(isnan(metric_of(whole, "mse")));
    double value = 5.0;
    check_refusal(cnm_evaluation_get(whole, "colour", &value, &error), CNM_BAD_ARGUMENT, &error,
                  "\"colour\": there are rows");
    check_refusal(cnm_evaluation_get(whole, NULL, &value, &error), CNM_BAD_ARGUMENT, &error, "name");
    check_refusal(cnm_evaluation_get(NULL, "rows", &value, &error), CNM_BAD_ARGUMENT, &error, "evaluation");
    check_refusal(cnm_evaluation_get(whole, "rows", NULL, &error), CNM_BAD_ARGUMENT, &error, "value");
    assert_true(value == 5.0);
    const uint64_t diagonal = cnm_evaluation_count(whole, 0, 0) + cnm_evaluation_count(whole, 1, 1);
    const uint64_t rest = cnm_evaluation_count(whole, 0, 1) + cnm_evaluation_count(whole, 1, 0);
    assert_true((double)diagonal == metric_of(whole, "correct") && diagonal + rest == ROWS);
    assert_true(cnm_evaluation_count(whole, 2, 0) == 0 && cnm_evaluation_count(whole, 0, SIZE_MAX) == 0);
    cnm_evaluation_destroy(whole);
    cnm_evaluation_destroy(parts);
    cnm_evaluation_destroy(NULL);
}

static void regression_is_evaluated_in_its_own_unit(void **unused) {
    (void)unused;
    cnm_error error = {0};
    float scores[ROWS];
    cnm_data *numbers;
    cnm_model *regression = regression_model(&numbers);
    cnm_evaluation *judged;
    check_ok(cnm_predict_scores(regression, numbers, 1, scores, &error), &error);
    check_ok(cnm_evaluation_create(&judged, regression, 0, &error), &error);
    check_ok(cnm_evaluation_add(judged, numbers, scores, &error), &error);
    assert_true(metric_of(judged, "r2") > 0.9);
    assert_true(isnan(metric_of(judged, "accuracy")));
    check_refusal(cnm_evaluation_add(judged, labelled, scores, &error), CNM_BAD_DATA, &error, "words");
    cnm_evaluation_destroy(judged);
    cnm_model_destroy(regression);
    cnm_data_destroy(numbers);
}

/* ---- Files ---- */

static void a_saved_model_comes_back(void **unused) {
    (void)unused;
    static const char PATH[] = "test_api_model.cnm";
    cnm_error error = {0};
    float before[ROWS], after[ROWS];
    const char *keys[2], *values[2];
    cnm_model *copy;
    check_ok(cnm_model_save(model, PATH, &error), &error);
    check_ok(cnm_model_load(&copy, PATH, &error), &error);
    check_ok(cnm_predict_scores(model, labelled, 1, before, &error), &error);
    check_ok(cnm_predict_scores(copy, labelled, 2, after, &error), &error);
    assert_memory_equal(before, after, sizeof before);
    for (size_t i = 0; cnm_model_describe(model, i, &keys[0], &values[0]); i++) {
        assert_true(cnm_model_describe(copy, i, &keys[1], &values[1]));
        assert_string_equal(keys[0], keys[1]);
        assert_string_equal(values[0], values[1]);
    }
    cnm_model_destroy(copy);
    remove(PATH);
    check_refusal(cnm_model_load(&copy, PATH, &error), CNM_IO_FAILED, &error, PATH);
    assert_null(copy);
    check_refusal(cnm_model_save(model, "no/such/folder/m.cnm", &error), CNM_IO_FAILED, &error, "no/such/folder");
}

static void what_is_no_model_is_refused_by_name(void **unused) {
    (void)unused;
    static const char PATH[] = "test_api_not_a_model.cnm";
    static const char *const CONTENTS[] = {"", "x", "1 1:2 2:3\n", "\x08\0\0\0\0\0\0\0{}      "};
    for (size_t i = 0; i < COUNT_OF(CONTENTS); i++) {
        cnm_error error = {0};
        cnm_model *none = (cnm_model *)&error;
        FILE *file = fopen(PATH, "wb");
        assert_non_null(file);
        const size_t size = i == 3 ? 16 : strlen(CONTENTS[i]);
        assert_int_equal(fwrite(CONTENTS[i], 1, size, file), size);
        assert_int_equal(fclose(file), 0);
        check_refusal(cnm_model_load(&none, PATH, &error), CNM_BAD_FORMAT, &error, PATH);
        assert_null(none);
    }
    remove(PATH);
}

/* ---- Training ---- */

static int count_calls(const cnm_progress *progress, void *user) {
    size_t *calls = user;
    assert_true(progress->done <= progress->total);
    ++*calls;
    return 0;
}

static int stop(const cnm_progress *progress, void *user) {
    (void)progress, (void)user;
    return 1;
}

static void progress_is_reported_and_may_stop(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_options *options = options_of(LINEAR);
    size_t calls = 0;
    cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .progress = count_calls, .user = &calls};
    cnm_model *out;
    check_ok(cnm_options_set(options, "epochs", "2", &error), &error);
    check_ok(cnm_train(&out, labelled, options, &callbacks, &error), &error);
    assert_true(calls >= 1);
    assert_false(cnm_model_stopped(out));
    cnm_model_destroy(out);
    callbacks.progress = stop;
    check_ok(cnm_options_set(options, "epochs", "1000000", &error), &error);
    cnm_error untouched = {CNM_OK, "as it was"};
    check_ok(cnm_train(&out, labelled, options, &callbacks, &untouched), &untouched);
    assert_string_equal(untouched.message, "as it was");
    assert_true(cnm_model_stopped(out));
    float scores[ROWS];
    check_ok(cnm_predict_scores(out, labelled, 1, scores, &error), &error);
    cnm_model_destroy(out);
    cnm_options_destroy(options);
}

static void options_reach_the_model(void **unused) {
    (void)unused;
    static const char *const PAIRS[] = {"features", "10",    "projection", "circulant", "kernel",
                                        "cauchy",   "phase", "none",       "gamma",     "0.25",
                                        "seed",     "7",     "scale",      "range",     NULL};
    cnm_model *out = train_with(labelled, PAIRS);
    static const char *const ENTRIES[][2] = {{"features", "10"}, {"projection", "circulant"}, {"kernel", "cauchy"},
                                             {"phases", "none"}, {"gamma", "0.25"},           {"seed", "7"},
                                             {"scale", "range"}};
    for (size_t i = 0; i < COUNT_OF(ENTRIES); i++) {
        assert_string_equal(described(out, ENTRIES[i][0]), ENTRIES[i][1]);
    }
    cnm_model_destroy(out);
}

/* ---- Errors ---- */

static void failures_leave_outputs_null(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_data *bare = sample_view(&made);
    cnm_model *only_map = map_model(), *no_model = (cnm_model *)&error;
    cnm_data *no_data = (cnm_data *)&error;
    cnm_reader *no_reader = (cnm_reader *)&error;
    cnm_evaluation *no_evaluation = (cnm_evaluation *)&error;
    cnm_options *shuffled = options_of((const char *const[]){"shuffle", "1", NULL});
#define CHECK_NULL(output, call, status, words)                                                                        \
    do {                                                                                                               \
        (output) = (void *)&error;                                                                                     \
        check_refusal(call, status, &error, words);                                                                    \
        assert_null(output);                                                                                           \
    } while (0)
    CHECK_NULL(no_model, cnm_train(&no_model, NULL, NULL, NULL, &error), CNM_BAD_ARGUMENT, "data must not be NULL");
    CHECK_NULL(no_model, cnm_train(&no_model, bare, NULL, NULL, &error), CNM_BAD_DATA, "no labels");
    CHECK_NULL(no_model, cnm_train_continue(&no_model, NULL, labelled, NULL, NULL, &error), CNM_BAD_ARGUMENT, "model");
    CHECK_NULL(no_model, cnm_train_continue(&no_model, model, NULL, NULL, NULL, &error), CNM_BAD_ARGUMENT, "data");
    CHECK_NULL(no_model, cnm_model_load(&no_model, NULL, &error), CNM_BAD_ARGUMENT, "path must not be NULL");
    CHECK_NULL(no_model, cnm_model_load(&no_model, "no such file", &error), CNM_IO_FAILED, "no such file");
    CHECK_NULL(no_data, cnm_data_load(&no_data, NULL, NULL, NULL, NULL, &error), CNM_BAD_ARGUMENT, "path");
    CHECK_NULL(no_data, cnm_data_load(&no_data, "no such file", NULL, NULL, NULL, &error), CNM_IO_FAILED,
               "no such file");
    CHECK_NULL(no_reader, cnm_reader_open(&no_reader, NULL, NULL, NULL, NULL, &error), CNM_BAD_ARGUMENT, "path");
    CHECK_NULL(no_reader, cnm_reader_open(&no_reader, "no such file", NULL, NULL, NULL, &error), CNM_IO_FAILED,
               "no such");
    CHECK_NULL(no_reader, cnm_reader_open(&no_reader, "any", shuffled, NULL, NULL, &error), CNM_BAD_ARGUMENT,
               "--shuffle");
    CHECK_NULL(no_data, cnm_reader_next(NULL, 10, &no_data, &error), CNM_BAD_ARGUMENT, "reader must not be NULL");
    CHECK_NULL(no_evaluation, cnm_evaluation_create(&no_evaluation, NULL, 0, &error), CNM_BAD_ARGUMENT, "model");
    CHECK_NULL(no_evaluation, cnm_evaluation_create(&no_evaluation, only_map, 0, &error), CNM_BAD_ARGUMENT, "head");
#undef CHECK_NULL
    cnm_options_destroy(shuffled);
    cnm_model_destroy(only_map);
    cnm_data_destroy(bare);
}

static void missing_arguments_are_named(void **unused) {
    (void)unused;
    cnm_error error = {0};
    float scores[ROWS] = {0};
    int32_t classes[ROWS];
    cnm_data *bare = sample_view(&made);
    cnm_evaluation *judged;
    check_ok(cnm_evaluation_create(&judged, model, 0, &error), &error);
    const struct {
        cnm_status status;
        const char *words;
    } cases[] = {
        {cnm_predict_scores(NULL, labelled, 1, scores, &error), "model must not be NULL"},
        {cnm_predict_scores(model, NULL, 1, scores, NULL), NULL},
        {cnm_predict_scores(model, labelled, 1, NULL, NULL), NULL},
        {cnm_predict_classes(NULL, labelled, 1, classes, NULL), NULL},
        {cnm_predict_classes(model, NULL, 1, classes, NULL), NULL},
        {cnm_predict_classes(model, labelled, 1, NULL, NULL), NULL},
        {cnm_transform(NULL, labelled, 1, scores, NULL), NULL},
        {cnm_transform(model, NULL, 1, scores, NULL), NULL},
        {cnm_transform(model, labelled, 1, NULL, NULL), NULL},
        {cnm_model_save(NULL, "x", NULL), NULL},
        {cnm_model_save(model, NULL, NULL), NULL},
        {cnm_data_save(NULL, "x", NULL, NULL, NULL), NULL},
        {cnm_data_save(labelled, NULL, NULL, NULL, NULL), NULL},
        {cnm_evaluation_add(NULL, labelled, scores, NULL), NULL},
        {cnm_evaluation_add(judged, NULL, scores, NULL), NULL},
        {cnm_evaluation_add(judged, labelled, NULL, NULL), NULL},
        {cnm_evaluation_add(judged, bare, scores, NULL), NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(cases[i].status, CNM_BAD_ARGUMENT);
    }
    check_refusal(cases[0].status, CNM_BAD_ARGUMENT, &error, cases[0].words);
    check_refusal(cnm_evaluation_add(judged, bare, scores, &error), CNM_BAD_ARGUMENT, &error, "without labels");
    cnm_evaluation_destroy(judged);
    cnm_data_destroy(bare);
    cnm_model_destroy(NULL);
    cnm_reader_destroy(NULL);
    cnm_options_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_and_statuses_have_words),
        cmocka_unit_test(a_model_describes_itself),
        cmocka_unit_test(a_description_has_no_key_twice),
        cmocka_unit_test(predictions_agree_with_each_other),
        cmocka_unit_test(the_same_rows_sparse_predict_the_same_bits),
        cmocka_unit_test(a_transform_has_the_kernels_length),
        cmocka_unit_test(what_a_model_cannot_do_is_refused),
        cmocka_unit_test(an_evaluation_adds_up_batches),
        cmocka_unit_test(regression_is_evaluated_in_its_own_unit),
        cmocka_unit_test(a_saved_model_comes_back),
        cmocka_unit_test(what_is_no_model_is_refused_by_name),
        cmocka_unit_test(progress_is_reported_and_may_stop),
        cmocka_unit_test(options_reach_the_model),
        cmocka_unit_test(failures_leave_outputs_null),
        cmocka_unit_test(missing_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
