/* Old models must predict the same numbers for ever: tests/golden/FORMAT/NAME.cnm with NAME.scores,
 * which has rows and their scores. Reference loops give them to the bit, all others within the
 * bound of support/reference_model.h, once for each of the two.
 *
 * NAME.scores: a line a row: the columns (nan: missing; less the model's base), a bar, the scores
 * or features; as %a writes them
 *
 * `model_test_golden --write FOLDER` makes what is missing in FOLDER: models of every kind, and the
 * .scores of any model that has none. Files that are there are never written again. */
#include "support/made_models.h"
#include "support/random_rows.h"
#include "support/reference_model.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/memory.h"
#include "base/file/file.h"
#include "data/table/table_types.h"
#include "math/simd/simd_dispatch.h"
#include "model/model_columns.h"

enum { ROWS = 5, PATH_SIZE = 1024 };

static size_t width_of(const cnm_model *model) { return model->outputs > 0 ? model->outputs : model->map->features; }

static void run_model(const cnm_model *model, const float *values, float *out) {
    cnm_error error = {0};
    const size_t columns = model->input.columns;
    const rows_view rows = {
        .rows = ROWS, .columns = columns, .values = values, .stride = columns, .base = model->input.base};
    check_ok(model->outputs > 0 ? model_scores(model, &rows, 1, out, &error)
                                : model_transform(model, &rows, 1, out, &error),
             &error);
}

static cnm_model *load(const char *path, unsigned char **bytes, size_t *size) {
    cnm_error error = {0};
    cnm_model *model;
    check_ok(file_read_all(path, 0, bytes, size, &error), &error);
    check_ok(model_from_bytes(&model, *bytes, *size, path, &error), &error);
    return model;
}

/* ---- Golden files ---- */

static void read_scores(const char *path, const cnm_model *model, float *values, float *scores) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t columns = model->input.columns, width = width_of(model);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < columns + width; i++) {
            char word[64];
            if (i == columns) {
                assert_int_equal(fscanf(file, " %63s", word), 1);
                assert_string_equal(word, "|");
            }
            assert_int_equal(fscanf(file, " %63s", word), 1);
            *(i < columns ? &values[row * columns + i] : &scores[row * width + i - columns]) = strtof(word, NULL);
        }
    }
    (void)fclose(file);
}

/* Calls `use` for the path of each model in FOLDER, without its ending. */
static size_t each_model(const char *folder, void (*use)(const char *path)) {
    size_t count = 0;
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    for (struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending != NULL && strcmp(ending, ".cnm") == 0) {
            char path[PATH_SIZE];
            (void)snprintf(path, sizeof path, "%s/%.*s", folder, (int)(ending - entry->d_name), entry->d_name);
            use(path);
            count++;
        }
    }
    (void)closedir(opened);
    return count;
}

static const char *with_ending(const char *path, const char *ending) {
    static char out[PATH_SIZE + 16];
    (void)snprintf(out, sizeof out, "%s%s", path, ending);
    return out;
}

/* ---- The tests ---- */

static void check_bound(const cnm_model *model, const float *values, const float *expected, const float *got,
                        const char *what) {
    const size_t width = width_of(model);
    reference_model plain = reference_make(model);
    for (size_t row = 0; row < ROWS; row++) {
        reference_run(&plain, values + row * model->input.columns, model->input.base);
        for (size_t i = 0; i < width; i++) {
            double value, bound;
            reference_output(&plain, i, &value, &bound);
            check_near((double)got[row * width + i], (double)expected[row * width + i], 2 * bound, what, row);
        }
    }
    reference_free(&plain);
}

static void check_model(const char *path) {
    unsigned char *bytes, *again;
    size_t size, again_size;
    cnm_model *model = load(with_ending(path, ".cnm"), &bytes, &size);
    const size_t count = ROWS * width_of(model);
    float *values = take(ROWS * model->input.columns, sizeof *values), *expected = take(count, sizeof *expected);
    float *got = take(count, sizeof *got);
    read_scores(with_ending(path, ".scores"), model, values, expected);
    run_model(model, values, got);
    if (strcmp(simd_active()->name, "reference") == 0) {
        check_same_floats(got, expected, count, path);
    }
    check_bound(model, values, expected, got, path);
    assert_int_equal(model_to_bytes(model, &again, &again_size, NULL), CNM_OK);
    if (strstr(path, "/golden/1/") == NULL) { /* a file of format 1 is written in the present one */
        assert_int_equal(again_size, size);
        assert_memory_equal(again, bytes, size);
    }
    memory_free(again);
    memory_free(bytes);
    free(values);
    free(expected);
    free(got);
    model_destroy(model);
}

/* Runs a process for each set of SIMD loops: one process keeps to one. */
static void old_models_predict_the_same_scores(void **unused) {
    (void)unused;
    for (size_t i = 0; simd_level(i) != NULL; i++) {
        const pid_t child = fork();
        assert_int_not_equal(child, -1);
        if (child == 0) {
            assert_int_equal(setenv("CNM_SIMD", simd_level(i)->name, 1), 0);
            assert_string_equal(simd_active()->name, simd_level(i)->name);
            assert_true(each_model(CNM_TESTS_FOLDER "/golden/1", check_model) >= COUNT_OF(MODEL_KINDS));
            assert_true(each_model(CNM_TESTS_FOLDER "/golden/2", check_model) >= COUNT_OF(MODEL_KINDS));
            /* a failed check does not come here, but ends this process as a test that failed */
            _exit(0);
        }
        int result;
        assert_int_equal(waitpid(child, &result, 0), child);
        assert_int_equal(result, 0);
    }
}

/* ---- A model with an encoder ---- */

/* Columns: left out; words, with others and an indicator; a number far from 0; a time with an
 * indicator. */
static const char ENCODER[] = "{\"columns\": [{\"name\": \"id\", \"use\": \"row id\"}, "
                              "{\"name\": \"city\", \"kind\": \"words\", \"words\": [\"Bonn\", \"Kiel\"], "
                              "\"other\": 1, \"indicator\": 1}, "
                              "{\"name\": \"price\", \"base\": \"1700000000\", \"decimal\": \",\", \"units\": 1}, "
                              "{\"name\": \"day\", \"kind\": \"time\", \"order\": 1, \"indicator\": 1}]}";

enum { PRICE = 4, FEATURES = 7, ENCODED_ROWS = 4 };

static const model_kind ENCODED = {"encoder", "dense",        "cos",          FEATURES,    16,
                                   3,         .phases = true, .offset = true, .fill = true};

/* Makes a model whose inputs the encoder makes. */
static cnm_model *make_encoded(void) {
    cnm_error error = {0};
    cnm_model *model = make_model(&ENCODED);
    encoder *by;
    check_ok(encoder_from_text(&by, ENCODER, strlen(ENCODER), &error), &error);
    check_ok(model_set_encoder(model, by, false, &error), &error);
    model->input.base = take_owned(FEATURES, sizeof(double));
    model->input.base[PRICE] = 1.7e9;
    model->input.offset[PRICE] += 1.7e9;
    model->input.fill[PRICE] += 1.7e9;
    model->names = take_owned(FEATURES, sizeof(char *));
    for (size_t j = 0; j < FEATURES; j++) {
        model->names[j] = copy_owned(by->names[j]);
    }
    check_ok(model_describe(model, 0, &error), &error);
    return model;
}

/* Makes a column one of these words, a row each; NULL is missing. */
static void set_words(table *rows, size_t column, const char *const *words) {
    check_ok(table_make_types(rows, NULL), NULL);
    rows->types[column].kind = COLUMN_WORDS;
    for (size_t i = 0; i < ENCODED_ROWS; i++) {
        int32_t code = 0;
        if (words[i] != NULL) {
            check_ok(dictionary_add(&rows->types[column].words, words[i], strlen(words[i]), &code, NULL), NULL);
        }
        rows->values[i * rows->columns + column] = words[i] != NULL ? (float)code : NAN;
    }
}

/* Rows as they may come, whose features follow. */
static table *rows_of_columns(void) {
    table *rows;
    check_ok(table_create(&rows, NULL), NULL);
    rows->rows = ENCODED_ROWS;
    rows->columns = 4;
    rows->values = take_owned((size_t)ENCODED_ROWS * 4, sizeof(float));
    set_words(rows, 0, (const char *const[]){"1", "2", "3", "4"});
    set_words(rows, 1, (const char *const[]){"Kiel", NULL, "Ulm", "Bonn"});
    set_words(rows, 2, (const char *const[]){"1700000001,5 EUR", "1700000002", "n/a", "1700000000 EUR"});
    set_words(rows, 3, (const char *const[]){"3.1.1970", "01.02.1970", NULL, "2 Jan 1970"});
    return rows;
}

static void an_old_encoder_makes_the_same_features(void **unused) {
    static const float EXPECTED[ENCODED_ROWS][FEATURES] = {
        {0, 1, 0, 0, 1.5F, 2, 0}, {0, 0, 0, 1, 2, 31, 0}, {0, 0, 1, 0, NAN, NAN, 1}, {1, 0, 0, 0, 0, 1, 0}};
    cnm_error error = {0};
    unsigned char *bytes;
    size_t size, unknown = 0;
    float direct[3 * ENCODED_ROWS], scores[3 * ENCODED_ROWS];
    table *encoded;
    (void)unused;
    cnm_model *model = load(CNM_TESTS_FOLDER "/golden/2/encoder.cnm", &bytes, &size);
    table *rows = rows_of_columns();
    check_ok(encoder_apply(model->encoder, rows, &encoded, &unknown, &error), &error);
    assert_int_equal(encoded->columns, FEATURES);
    for (size_t i = 0; i < (size_t)ENCODED_ROWS * FEATURES; i++) {
        const float got = encoded->values[i], expected = EXPECTED[i / FEATURES][i % FEATURES];
        assert_true(got == expected || (isnan(got) && isnan(expected)));
    }
    const rows_view view = table_view(encoded);
    check_ok(model_scores(model, &view, 1, direct, &error), &error);
    check_ok(model_table_scores(model, rows, 1, scores, &error), &error);
    check_same_floats(scores, direct, COUNT_OF(scores), "columns");
    table_destroy(rows);
    table_destroy(encoded);
    memory_free(bytes);
    model_destroy(model);
}

/* ---- Writing golden files ---- */

static void write_scores(const char *path) {
    unsigned char *bytes;
    size_t size;
    FILE *file = fopen(with_ending(path, ".scores"), "wx");
    if (file == NULL) {
        return; /* it is there */
    }
    cnm_model *model = load(with_ending(path, ".cnm"), &bytes, &size);
    const size_t columns = model->input.columns, width = width_of(model);
    float *values = take(ROWS * columns, sizeof *values), *scores = take(ROWS * width, sizeof *scores);
    normals(size, ROWS * columns, 1.0, values);
    for (size_t i = 0; model->input.fill != NULL && i < ROWS * columns; i += 7) {
        values[i] = NAN;
    }
    run_model(model, values, scores);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < columns; i++) {
            (void)fprintf(file, "%a ", (double)values[row * columns + i]);
        }
        (void)fprintf(file, "|");
        for (size_t i = 0; i < width; i++) {
            (void)fprintf(file, " %a", (double)scores[row * width + i]);
        }
        (void)fprintf(file, "\n");
    }
    assert_int_equal(fclose(file), 0);
    memory_free(bytes);
    free(values);
    free(scores);
    model_destroy(model);
}

/* Writes a model under a name, and frees it. */
static void write_model(cnm_model *model, const char *kind, const char *folder) {
    char name[PATH_SIZE];
    unsigned char *bytes;
    size_t size;
    (void)snprintf(name, sizeof name, "%s/%s.cnm", folder, kind);
    for (char *at = name + strlen(folder); *at != '\0'; at++) {
        *at = *at == ' ' || *at == ',' ? '-' : *at;
    }
    FILE *file = fopen(name, "wbx");
    if (file != NULL) {
        assert_int_equal(model_to_bytes(model, &bytes, &size, NULL), CNM_OK);
        assert_int_equal(fwrite(bytes, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
        memory_free(bytes);
    }
    model_destroy(model);
}

int main(int count, char **texts) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(old_models_predict_the_same_scores),
                                       cmocka_unit_test(an_old_encoder_makes_the_same_features)};
    if (count == 3 && strcmp(texts[1], "--write") == 0) {
        assert_int_equal(setenv("CNM_SIMD", "reference", 1), 0);
        for (size_t i = 0; i < COUNT_OF(MODEL_KINDS); i++) {
            write_model(make_model(&MODEL_KINDS[i]), MODEL_KINDS[i].name, texts[2]);
        }
        write_model(make_encoded(), ENCODED.name, texts[2]);
        (void)each_model(texts[2], write_scores);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
