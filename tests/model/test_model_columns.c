/* Models that take columns: those of older files by the names of their inputs, and rows that come in
 * several blocks. */
#include "support/made_models.h"
#include "support/made_tables.h"
#include "support/random_rows.h"

#include "base/core/memory.h"
#include "data/table/table_types.h"
#include "model/model_columns.h"

enum { INPUTS = 5, COLUMNS = 3 };

static const char *const NAMES[INPUTS] = {"age", "city=Bonn", "city=Kiel", "city=Ulm", "score"};
static const model_kind KIND = {"older", "dense", "cos", INPUTS, 16, 2, .phases = true, .offset = true};

/* Saves a model without an encoder, with those names, and loads it. */
static cnm_model *older_model(unsigned char **bytes, size_t *size) {
    cnm_error error = {0};
    cnm_model *model = make_model(&KIND), *out;
    model->names = take_owned(INPUTS, sizeof(char *));
    for (size_t j = 0; j < INPUTS; j++) {
        model->names[j] = copy_owned(NAMES[j]);
    }
    check_ok(model_to_bytes(model, bytes, size, &error), &error);
    check_ok(model_from_bytes(&out, *bytes, *size, "f", &error), &error);
    model_destroy(model);
    return out;
}

/* Rows of age, city and score; of the inputs too, in the same order. */
static table *city_rows(size_t rows, float *inputs) {
    table *out = table_make(rows, COLUMNS);
    check_ok(table_make_types(out, NULL), NULL);
    out->types[1].kind = COLUMN_WORDS;
    for (size_t c = 0; c < 4; c++) {
        static const char *const CITIES[] = {"Ulm", "Bonn", "Jena", "Kiel"};
        int32_t code;
        check_ok(dictionary_add(&out->types[1].words, CITIES[c], strlen(CITIES[c]), &code, NULL), NULL);
    }
    for (size_t i = 0; i < rows; i++) {
        static const size_t PLACES[] = {3, 1, 0, 2}; /* of the city's input; 0: none */
        const size_t city = i * 7 % 4;
        float *row = inputs + i * INPUTS;
        memset(row, 0, INPUTS * sizeof *row);
        row[0] = out->values[i * COLUMNS] = (float)uniform(1, i);
        row[4] = out->values[i * COLUMNS + 2] = (float)uniform(2, i);
        out->values[i * COLUMNS + 1] = (float)city;
        if (PLACES[city] > 0) {
            row[PLACES[city]] = 1.0F;
        }
    }
    return out;
}

static void an_older_model_takes_columns_and_inputs(void **unused) {
    enum { ROWS = 70 };
    cnm_error error = {0};
    unsigned char *bytes, *again;
    size_t size, again_size;
    float inputs[ROWS * INPUTS], expected[ROWS], got[ROWS];
    (void)unused;
    cnm_model *model = older_model(&bytes, &size);
    table *rows = city_rows(ROWS, inputs);
    assert_int_equal(model_columns(model), COLUMNS);
    assert_string_equal(model_column_name(model, 1), "city");
    const rows_view view = {.rows = ROWS, .columns = INPUTS, .values = inputs, .stride = INPUTS};
    check_ok(model_scores(model, &view, 1, expected, &error), &error);
    check_ok(model_table_scores(model, rows, 1, got, &error), &error);
    check_same_floats(got, expected, ROWS, "columns");
    table plain = {.rows = ROWS, .columns = INPUTS, .values = inputs, .borrowed = true};
    check_ok(model_table_scores(model, &plain, 1, got, &error), &error);
    check_same_floats(got, expected, ROWS, "inputs");
    check_ok(model_to_bytes(model, &again, &again_size, &error), &error);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size); /* the file stays one without an encoder */
    memory_free(again);
    memory_free(bytes);
    table_destroy(rows);
    model_destroy(model);
}

/* More rows than are encoded at once. */
static void blocks_of_rows_join(void **unused) {
    enum { ROWS = 839000 }; /* of 5 inputs: a block is 838,848 rows */
    cnm_error error = {0};
    unsigned char *bytes;
    size_t size;
    (void)unused;
    cnm_model *model = older_model(&bytes, &size);
    float *inputs = take((size_t)ROWS * INPUTS, sizeof *inputs), *got = take(ROWS, sizeof *got), one;
    table *rows = city_rows(ROWS, inputs);
    check_ok(model_table_scores(model, rows, 2, got, &error), &error);
    for (size_t i = 838700; i < ROWS; i += 37) {
        const rows_view view = {.rows = 1, .columns = INPUTS, .values = inputs + i * INPUTS, .stride = INPUTS};
        check_ok(model_scores(model, &view, 1, &one, &error), &error);
        check_same_floats(&got[i], &one, 1, "a row near the end of a block");
    }
    free(inputs);
    free(got);
    memory_free(bytes);
    table_destroy(rows);
    model_destroy(model);
}

/* Where there are as many columns as inputs, names decide. */
static void names_tell_columns_from_inputs(void **unused) {
    static const char TEXT[] = "{\"columns\": [{\"name\": \"id\", \"use\": \"row id\"}, "
                               "{\"name\": \"age\", \"indicator\": 1}]}";
    static const model_kind TWO = {"two", "dense", "cos", 2, 8, 2, .phases = true};
    static const char *const INPUT_NAMES[] = {"age", "age=missing"}, *const COLUMN_NAMES[] = {"id", "age"},
                             *const OTHERS[] = {"age", "id"};
    cnm_error error = {0};
    encoder *by;
    bool encode;
    float values[2] = {0, 1};
    (void)unused;
    cnm_model *model = make_model(&TWO);
    check_ok(encoder_from_text(&by, TEXT, strlen(TEXT), &error), &error);
    check_ok(model_set_encoder(model, by, false, &error), &error);
    model->names = take_owned(2, sizeof(char *));
    for (size_t j = 0; j < 2; j++) {
        model->names[j] = copy_owned(by->names[j]);
    }
    table rows = {.rows = 1, .columns = 2, .values = values, .borrowed = true};
    check_ok(model_check_table(model, &rows, &encode, &error), &error);
    assert_true(encode);
    rows.names = (char **)(uintptr_t)INPUT_NAMES;
    check_ok(model_check_table(model, &rows, &encode, &error), &error);
    assert_false(encode);
    rows.names = (char **)(uintptr_t)COLUMN_NAMES;
    check_ok(model_check_table(model, &rows, &encode, &error), &error);
    assert_true(encode);
    rows.names = (char **)(uintptr_t)OTHERS;
    assert_int_equal(model_check_table(model, &rows, &encode, &error), CNM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "column 1 of the rows is \"age\", the model expects \"id\""));
    model_destroy(model);
}

/* Words where a model without an encoder has numbers. */
static void words_need_an_encoder(void **unused) {
    cnm_error error = {0};
    float score;
    (void)unused;
    cnm_model *model = make_model(&KIND);
    table *rows = table_make(1, INPUTS);
    check_ok(table_make_types(rows, NULL), NULL);
    rows->types[3].kind = COLUMN_WORDS;
    assert_int_equal(model_table_scores(model, rows, 1, &score, &error), CNM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "column 4 of the rows has words, the model expects numbers"));
    table_destroy(rows);
    model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_older_model_takes_columns_and_inputs),
        cmocka_unit_test(blocks_of_rows_join),
        cmocka_unit_test(names_tell_columns_from_inputs),
        cmocka_unit_test(words_need_an_encoder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
