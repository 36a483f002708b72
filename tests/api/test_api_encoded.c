/* Training on columns of words, numbers and times, and predicting rows of such columns. */
#include "api_support.h"

enum { PEOPLE = 160, PARTS = 4 }; /* id, city, age, noise */

static const char *const CITIES[] = {"Bonn", "Kiel", "Ulm"};
static const char *const NAMES[] = {"id", "city", "age", "noise"};
static const char *const QUICK[] = {"features", "16", "effort", "quick", NULL};

typedef struct people {
    double values[PEOPLE * PARTS];
    const char *labels[PEOPLE];
} people;

/* The label follows from the city and the age; every eighth age is missing. */
static void people_make(people *self) {
    for (size_t i = 0; i < PEOPLE; i++) {
        double *row = self->values + i * PARTS;
        const size_t city = (size_t)(1e6 + 1e5 * (double)number(3 * i)) % 3;
        row[0] = (double)i + 1.0;
        row[1] = (double)city;
        row[2] = i % 8 == 3 ? (double)NAN : 1.7e9 + 3600.0 * (double)number(3 * i + 1);
        row[3] = (double)number(3 * i + 2);
        self->labels[i] = city == 1 || row[2] > 1.7e9 + 1800.0 ? "yes" : "no";
    }
}

static people made;

/* Rows from..to of these people, with types and names; of a model where that is not NULL. */
static cnm_data *rows_of(size_t from, size_t to, const cnm_model *model) {
    cnm_error error = {0};
    cnm_data *data;
    check_ok(cnm_data_copy_double(&data, made.values + from * PARTS, to - from, PARTS, PARTS, model, &error), &error);
    check_ok(cnm_data_set_names(data, NAMES, &error), &error);
    check_ok(cnm_data_set_words(data, 1, CITIES, 3, &error), &error);
    check_ok(cnm_data_set_labels(data, made.labels + from, &error), &error);
    return data;
}

static cnm_model *trained(void) {
    cnm_data *data = rows_of(0, PEOPLE, NULL);
    cnm_model *model = train_with(data, QUICK);
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
    return "";
}

static void a_model_of_columns_tells_them(void **unused) {
    (void)unused;
    cnm_model *model = trained();
    assert_int_equal(cnm_model_columns(model), PARTS);
    for (size_t j = 0; j < PARTS; j++) {
        assert_string_equal(cnm_model_column_name(model, j), NAMES[j]);
    }
    assert_null(cnm_model_column_name(model, PARTS));
    assert_string_equal(described(model, "inputs"), "6");
    assert_string_equal(described(model, "words"), "city (3)");
    assert_string_equal(described(model, "indicators"), "age");
    assert_string_equal(described(model, "left_out"), "id (numbers the rows)");
    static const cnm_column_kind KINDS[] = {CNM_COLUMN_LEFT_OUT, CNM_COLUMN_WORDS, CNM_COLUMN_NUMBER, CNM_COLUMN_NUMBER,
                                            CNM_COLUMN_LEFT_OUT};
    static const char *const INPUTS[] = {"city=Bonn", "city=Kiel", "city=Ulm", "age", "age=missing", "noise"};
    for (size_t j = 0; j <= PARTS; j++) {
        assert_int_equal(cnm_model_column_kind(model, j), KINDS[j]);
    }
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(cnm_model_column_word(model, 1, i), CITIES[i]);
    }
    assert_null(cnm_model_column_word(model, 1, 3));
    assert_null(cnm_model_column_word(model, 2, 0));
    assert_int_equal(cnm_model_inputs(model), COUNT_OF(INPUTS));
    for (size_t i = 0; i < COUNT_OF(INPUTS); i++) {
        assert_string_equal(cnm_model_input_name(model, i), INPUTS[i]);
    }
    assert_null(cnm_model_input_name(model, COUNT_OF(INPUTS)));
    cnm_model_destroy(model);
}

static void what_training_never_saw_is_counted(void **unused) {
    static const char *const TOWNS[] = {"Kiel", "Jena", "Gera"};
    static const double VALUES[] = {1, 0, 5, 0, 2, 1, NAN, 0, 3, 2, 5, NAN, 4, NAN, 5, NAN};
    uint64_t words[PARTS] = {0}, missing[PARTS] = {0};
    cnm_error error = {0};
    (void)unused;
    cnm_data *whole = rows_of(0, 3, NULL), *data;
    check_ok(cnm_data_copy_double(&data, VALUES, 4, PARTS, PARTS, NULL, &error), &error);
    check_ok(cnm_data_set_words(data, 1, TOWNS, 3, &error), &error);
    cnm_model *model = trained(), *filled = train_with(whole, QUICK);
    check_ok(cnm_model_count_unseen(model, data, words, missing, &error), &error);
    check_ok(cnm_model_count_unseen(model, data, words, missing, &error), &error);
    assert_true(words[0] == 0 && words[1] == 4 && words[2] == 0 && words[3] == 0);
    assert_true(missing[0] + missing[1] + missing[2] + missing[3] == 0); /* the model has means */
    check_ok(cnm_model_count_unseen(filled, data, words, missing, &error), &error);
    assert_true(missing[0] == 0 && missing[1] == 0 && missing[2] == 1 && missing[3] == 2);
    cnm_model_destroy(model);
    cnm_model_destroy(filled);
    cnm_data_destroy(whole);
    cnm_data_destroy(data);
}

static void columns_are_learned_from(void **unused) {
    cnm_error error = {0};
    int32_t classes[PEOPLE];
    size_t right = 0;
    (void)unused;
    cnm_model *model = trained();
    cnm_data *data = rows_of(0, PEOPLE, model);
    check_ok(cnm_predict_classes(model, data, 1, classes, &error), &error);
    for (size_t i = 0; i < PEOPLE; i++) {
        right += strcmp(cnm_model_label(model, (size_t)classes[i]), made.labels[i]) == 0;
    }
    assert_true(right >= PEOPLE * 9 / 10);
    cnm_data_destroy(data);
    cnm_model_destroy(model);
}

static void a_model_file_keeps_the_columns(void **unused) {
    cnm_error error = {0};
    static unsigned char bytes[1 << 16], again[1 << 16];
    size_t size, second;
    float before[PEOPLE], after[PEOPLE];
    (void)unused;
    cnm_model *model = trained(), *back;
    cnm_data *data = rows_of(0, PEOPLE, model);
    check_ok(cnm_model_to_bytes(model, bytes, sizeof bytes, &size, &error), &error);
    check_ok(cnm_model_from_bytes(&back, bytes, size, &error), &error);
    check_ok(cnm_model_to_bytes(back, again, sizeof again, &second, &error), &error);
    assert_int_equal(size, second);
    assert_memory_equal(bytes, again, size);
    check_ok(cnm_predict_scores(model, data, 1, before, &error), &error);
    check_ok(cnm_predict_scores(back, data, 1, after, &error), &error);
    assert_memory_equal(before, after, sizeof before);
    assert_string_equal(cnm_model_column_name(back, 1), "city");
    cnm_data_destroy(data);
    cnm_model_destroy(model);
    cnm_model_destroy(back);
}

/* The bits of a row depend on that row and the model: not on the other rows, nor on their words. */
static void a_row_alone_has_the_bits_of_a_row_among_others(void **unused) {
    cnm_error error = {0};
    float all[PEOPLE], one;
    (void)unused;
    cnm_model *model = trained();
    cnm_data *data = rows_of(0, PEOPLE, model);
    check_ok(cnm_predict_scores(model, data, 2, all, &error), &error);
    for (size_t i = 0; i < PEOPLE; i++) {
        const char *city = CITIES[(size_t)made.values[i * PARTS + 1]];
        double row[PARTS];
        cnm_data *alone;
        memcpy(row, made.values + i * PARTS, sizeof row);
        row[1] = 0.0;
        check_ok(cnm_data_copy_double(&alone, row, 1, PARTS, PARTS, model, &error), &error);
        check_ok(cnm_data_set_words(alone, 1, &city, 1, &error), &error);
        check_ok(cnm_predict_scores(model, alone, 1, &one, &error), &error);
        assert_memory_equal(&one, &all[i], sizeof one);
        cnm_data_destroy(alone);
    }
    cnm_data_destroy(data);
    cnm_model_destroy(model);
}

/* Fills the features of a row as the encoder makes them: three cities, age, its indicator,
 * noise. */
static void features_of(const double *row, double *out) {
    for (size_t c = 0; c < 3; c++) {
        out[c] = (size_t)row[1] == c ? 1.0 : 0.0;
    }
    out[3] = row[2];
    out[4] = isnan(row[2]) ? 1.0 : 0.0;
    out[5] = row[3];
}

static void features_are_predicted_like_the_columns_they_are_of(void **unused) {
    static double features[PEOPLE * 6];
    cnm_error error = {0};
    float columns[PEOPLE], same[PEOPLE], z[16 * PEOPLE], other[16 * PEOPLE];
    (void)unused;
    cnm_model *model = trained();
    for (size_t i = 0; i < PEOPLE; i++) {
        features_of(made.values + i * PARTS, features + i * 6);
    }
    cnm_data *rows = rows_of(0, PEOPLE, model), *data;
    check_ok(cnm_data_copy_double(&data, features, PEOPLE, 6, 6, model, &error), &error);
    check_ok(cnm_predict_scores(model, rows, 1, columns, &error), &error);
    check_ok(cnm_predict_scores(model, data, 1, same, &error), &error);
    assert_memory_equal(columns, same, sizeof columns);
    check_ok(cnm_transform(model, rows, 1, z, &error), &error);
    check_ok(cnm_transform(model, data, 1, other, &error), &error);
    assert_memory_equal(z, other, sizeof z);
    cnm_data_destroy(rows);
    cnm_data_destroy(data);
    cnm_model_destroy(model);
}

static void other_columns_are_refused_with_both_numbers_or_names(void **unused) {
    static const char *const OTHERS[] = {"id", "town", "age", "noise"};
    cnm_error error = {0};
    float scores[PEOPLE];
    (void)unused;
    cnm_model *model = trained();
    cnm_data *data;
    check_ok(cnm_data_copy_double(&data, made.values, PEOPLE / PARTS, 5, 5, NULL, &error), &error);
    check_refusal(cnm_predict_scores(model, data, 1, scores, &error), CNM_BAD_ARGUMENT, &error,
                  "the rows have 5 columns, the model expects 4, or the 6 features that it makes of them");
    cnm_data_destroy(data);
    data = rows_of(0, PEOPLE, model);
    check_ok(cnm_data_set_names(data, OTHERS, &error), &error);
    check_refusal(cnm_predict_scores(model, data, 1, scores, &error), CNM_BAD_ARGUMENT, &error,
                  "column 2 of the rows is \"town\", the model expects \"city\"");
    cnm_data_destroy(data);
    cnm_model_destroy(model);
}

static void missing_cells_are_filled_unless_error_is_the_word(void **unused) {
    static const char *const STRICT[] = {"missing", "error", "features", "16", "effort", "quick", NULL};
    cnm_error error = {0};
    float scores[PEOPLE];
    cnm_model *model;
    (void)unused;
    cnm_data *data = rows_of(0, PEOPLE, NULL), *whole = rows_of(0, 3, NULL);
    cnm_options *options = options_of(STRICT);
    check_refusal(cnm_train(&model, data, options, NULL, &error), CNM_BAD_DATA, &error, "row 4, column");
    check_ok(cnm_train(&model, whole, options, NULL, &error), &error);
    check_refusal(cnm_predict_scores(model, data, 1, scores, &error), CNM_BAD_DATA, &error, "missing");
    cnm_model_destroy(model);
    check_ok(cnm_train(&model, whole, NULL, NULL, &error), &error);
    check_ok(cnm_predict_scores(model, data, 1, scores, &error), &error);
    for (size_t i = 0; i < PEOPLE; i++) {
        assert_true(isfinite(scores[i]));
    }
    cnm_model_destroy(model);
    cnm_options_destroy(options);
    cnm_data_destroy(data);
    cnm_data_destroy(whole);
}

static void a_warm_start_encodes_as_the_first_training_did(void **unused) {
    static const char *const MORE[] = {"epochs", "2", NULL};
    cnm_error error = {0};
    float scores[PEOPLE], again[PEOPLE];
    (void)unused;
    cnm_model *model = trained(), *next, *second;
    cnm_data *half = rows_of(80, PEOPLE, model), *data = rows_of(0, PEOPLE, model);
    cnm_options *options = options_of(MORE);
    check_ok(cnm_train_continue(&next, model, half, options, NULL, &error), &error);
    check_ok(cnm_train_continue(&second, model, half, options, NULL, &error), &error);
    assert_int_equal(cnm_model_columns(next), PARTS);
    assert_string_equal(described(next, "left_out"), "id (numbers the rows)");
    check_ok(cnm_predict_scores(next, data, 1, scores, &error), &error);
    check_ok(cnm_predict_scores(second, data, 1, again, &error), &error);
    assert_memory_equal(scores, again, sizeof scores);
    cnm_options_destroy(options);
    cnm_data_destroy(data);
    cnm_data_destroy(half);
    cnm_model_destroy(model);
    cnm_model_destroy(next);
    cnm_model_destroy(second);
}

static int prepare(void **unused) {
    (void)unused;
    people_make(&made);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_of_columns_tells_them),
        cmocka_unit_test(what_training_never_saw_is_counted),
        cmocka_unit_test(columns_are_learned_from),
        cmocka_unit_test(a_model_file_keeps_the_columns),
        cmocka_unit_test(a_row_alone_has_the_bits_of_a_row_among_others),
        cmocka_unit_test(features_are_predicted_like_the_columns_they_are_of),
        cmocka_unit_test(other_columns_are_refused_with_both_numbers_or_names),
        cmocka_unit_test(missing_cells_are_filled_unless_error_is_the_word),
        cmocka_unit_test(a_warm_start_encodes_as_the_first_training_did),
    };
    return cmocka_run_group_tests_name("api_encoded", tests, prepare, NULL);
}
