/* Models exported as C are compiled and loaded here: their scores have the bits of the reference
 * kernels for 32 and 16 bits, lie within the stated bound for 8, and their classes are the
 * library's.
 *
 * Bound: 1e-5 (1 + sum |W|) for each output, sqrt(2/k) being folded into W. */
#include "support/made_models.h"
#include "support/random_rows.h"
#include "support/reference_model.h"

#include <dlfcn.h>
#include <unistd.h>

#include "model/export/export.h"
#include "model/probability.h"

enum { ROWS = 150, NAME_SIZE = 32, WEIGHTS = 3 };

/* Beside the kinds of all tests: every radix, lengths with other factors in both ways of
 * convolving, one and two columns; and the losses that have their own probabilities. */
/* clang-format off */
static const model_kind OTHERS[] = {
    {"one column", "circulant", "cos", 1, 1, 2, .phases = true},
    {"one column, three blocks", "circulant", "cos", 1, 3, 2, .phases = true},
    {"two columns", "circulant", "cos", 2, 2, 2, .phases = true},
    {"two columns, two blocks", "circulant", "cos", 2, 4, 2, .phases = true},
    {"prime, few features", "circulant", "cos", 11, 5, 3, .phases = true},
    {"prime, one block", "circulant", "cos", 13, 13, 3, .phases = true},
    {"prime, three blocks", "circulant", "cos", 11, 30, 3, .phases = true},
    {"prime, two blocks", "circulant", "cos", 22, 44, 3, .phases = true, .unequal = true},
    {"powers of two", "circulant", "cos", 128, 128, 3, .phases = true},
    {"all radices, half", "circulant", "cos", 420, 300, 3, .phases = true},
    {"all radices, pairs", "circulant", "cos", 210, 430, 3, .phases = true},
    {"threes and fives", "circulant", "cos", 45, 45, 3, .phases = true},
    {"diagonals, prime", "circulant-diagonal", "cos", 13, 30, 3, .phases = true},
    {"diagonals, odd", "circulant-diagonal", "cos", 15, 40, 3, .phases = true},
    {"large theta", "dense", "cos", 40, 20, 3, .phases = true, .half = true, .size = 5},
    {"diagonals, even", "circulant-diagonal", "sigmoid", 28, 56, 3, .phases = true},
    {"three dense layers", "dense", "cos", 6, 20, 3, .phases = true, .asinh = true, .inner = "dense:30,dense:10"},
    {"dense between circulant", "circulant", "cos", 10, 7, 3, .phases = true, .inner = "circulant:20,dense:16"},
    {"all ways of convolving", "circulant-diagonal", "cos", 30, 18, 3, .phases = true, .unequal = true,
     .inner = "circulant:30,circulant:75,circulant:22,circulant-diagonal:9"},
    {"wide below narrow", "dense", "relu", 3, 4, 1, .phases = false, .inner = "dense:9,circulant:40,dense:12"},
    {"small theta, 16 bits", "dense", "cos", 40, 6, 3, .phases = true, .half = true, .size = -3,
     .inner = "dense:20"},
    {"eight layers", "circulant", "cos", 5, 6, 2, .phases = true,
     .inner = "dense:7,circulant-diagonal:14,dense:4,circulant:9,dense:8,circulant:8,circulant-diagonal:11"},
    {"columns below dense", "dense", "cos", 5, 12, 3, .phases = true, .offset = true, .fill = true, .asinh = true,
     .inner = "columns:6"},
    {"columns below circulant", "circulant", "relu", 4, 25, 2, .phases = false, .unequal = true, .inner = "columns:1"},
    {"columns, 16 bits", "dense", "sigmoid", 4, 9, 3, .phases = true, .half = true, .size = -3,
     .inner = "columns:5,dense:11"},
    {"knots below columns", "dense", "cos", 7, 6, 2, .phases = true, .knots = true, .inner = "columns:3,circulant:20"},
    {"circulant below dense", "dense", "cos", 28, 12, 3, .phases = true, .offset = true, .inner = "circulant:28"},
};
/* clang-format on */

enum { KIND_COUNT = COUNT_OF(MODEL_KINDS), ALL = KIND_COUNT + COUNT_OF(OTHERS) };

static const model_kind *kind_of(size_t i) { return i < KIND_COUNT ? &MODEL_KINDS[i] : &OTHERS[i - KIND_COUNT]; }

/* All three precisions for the kinds of all tests, for stacks, and for every second other kind. */
static size_t weights_of(size_t i) {
    return i < KIND_COUNT || kind_of(i)->inner != NULL || (i - KIND_COUNT) % 2 == 1 ? WEIGHTS : 1;
}

/* Model i, with a loss, a temperature and decision thresholds that change with i. */
static cnm_model *model_of(size_t i) {
    static const char *const LOSSES[] = {"softmax", "logistic", "hinge"};
    cnm_model *model = make_model(kind_of(i));
    assert_int_equal(record_set(&model->record, "loss", LOSSES[i % 3], NULL), CNM_OK);
    if (i % 3 == 1) {
        assert_int_equal(record_set(&model->record, RECORD_PROBABILITY, "one-vs-rest", NULL), CNM_OK);
    }
    if (i % 3 == 2) {
        assert_int_equal(record_set(&model->record, RECORD_TEMPERATURE, "0.4", NULL), CNM_OK);
    }
    if (i % 4 < 2 && model->task == TASK_CLASSIFY) { /* both numbers of outputs, all losses */
        model->decision_offset = take_owned(model->outputs, sizeof *model->decision_offset);
        normals(82 + i, model->outputs, 1.5, model->decision_offset);
    }
    return model;
}

static const char *const WEIGHTS_NAMES[WEIGHTS] = {"f32", "f16", "i8"};

typedef void scores_function(const float *x, float *scores);
typedef int predict_function(const float *x);
typedef float value_function(const float *x);

static char folder[] = "/tmp/cnm_export_XXXXXX";

/* ---- Compiling ---- */

static void write_text(const char *name, const char *ending, const text_buffer *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text->bytes, 1, text->length, file), text->length);
    assert_int_equal(fclose(file), 0);
}

static void name_of(size_t kind, size_t weights, char out[NAME_SIZE]) {
    snprintf(out, NAME_SIZE, "kind%zu_%s", kind, WEIGHTS_NAMES[weights]);
}

static const char *compiler(void) {
    const char *named = getenv("CC");
    return named != NULL && named[0] != '\0' ? named : "cc";
}

static bool is_here(const char *program) {
    char command[256];
    snprintf(command, sizeof command, "%s --version > /dev/null 2>&1", program);
    return system(command) == 0;
}

#define WARNINGS "-std=c99 -Wall -Wextra -Wconversion -Wshadow -pedantic -Werror "

/* Every program once more, for the warnings of another compiler; and the headers for C++. */
static void compile_elsewhere(void) {
    static const char *const COMMANDS[][2] = {
        {"clang", "clang -fsyntax-only " WARNINGS "*_f32.c"},
        {"g++", "cat *.h > all.hpp && g++ -fsyntax-only -Wall -Wextra -pedantic -Werror all.hpp && rm all.hpp"},
    };
    for (size_t i = 0; i < COUNT_OF(COMMANDS); i++) {
        char command[512];
        snprintf(command, sizeof command, "cd %s && %s", folder, COMMANDS[i][1]);
        if (is_here(COMMANDS[i][0])) {
            assert_int_equal(system(command), 0);
        }
    }
}

/* All programs in one library; NULL when there is no compiler. */
static void *compile_all(void) {
    char command[512], path[128];
    if (!is_here(compiler())) {
        return NULL;
    }
    snprintf(command, sizeof command, "cd %s && %s " WARNINGS "-O1 -ffp-contract=off -fPIC -shared -o all.so *.c -lm",
             folder, compiler());
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/all.so", folder);
    void *library = dlopen(path, RTLD_NOW);
    assert_non_null(library);
    return library;
}

/* A function of the program NAME; ISO C has no cast from void *. */
static void find(void *library, const char *name, const char *what, void *function) {
    char symbol[2 * NAME_SIZE];
    snprintf(symbol, sizeof symbol, "%s_%s", name, what);
    void *found = dlsym(library, symbol);
    assert_non_null(found);
    memcpy(function, &found, sizeof found);
}

/* ---- Comparing ---- */

/* Makes rows that take every branch: missing cells where the model fills them and, where asked,
 * values far from zero. */
static float *make_rows(const cnm_model *model, bool far) {
    const size_t columns = model->input.columns;
    float *values = take(ROWS * columns, sizeof *values);
    normals(81, ROWS * columns, 1.0, values);
    for (size_t i = 0; i < ROWS * columns; i++) {
        values[i] *= far && i % 17 == 0 ? 1e6F : i % 23 == 0 ? 1e-9F : 1.0F;
        if (model->input.fill != NULL && i % 11 == 0) {
            values[i] = NAN;
        }
    }
    return values;
}

/* The base stands for what a caller of the program subtracts. */
static rows_view view_of(const cnm_model *model, const float *values) {
    return (rows_view){.rows = ROWS,
                       .columns = model->input.columns,
                       .values = values,
                       .stride = model->input.columns,
                       .base = model->input.base};
}

static double bound_of(const cnm_model *model, size_t output) {
    double sum = 0.0;
    for (size_t i = 0; i < model->map->features; i++) {
        sum += fabs((double)model->weights[i * model->outputs + output]);
    }
    return 1e-5 * (1.0 + sum);
}

/* The activation's values are bounded, or the rows are small: then a bound on scores means
 * something. */
static bool bounded(const cnm_model *model) {
    return strcmp(map_last(model->map)->activation->name, "cos") == 0 ||
           strcmp(map_last(model->map)->activation->name, "sigmoid") == 0;
}

static void check_scores(const cnm_model *model, size_t weights, const char *name, const float *got,
                         const float *expected) {
    if (weights < EXPORT_I8) {
        check_same_floats(got, expected, model->outputs, name);
        return;
    }
    for (size_t j = 0; bounded(model) && j < model->outputs; j++) {
        check_near((double)got[j], (double)expected[j], bound_of(model, j), name, j);
    }
}

static void check_answers(void *library, const cnm_model *model, const char *name, const float *x,
                          const float *scores) {
    if (model->task == TASK_REGRESS) {
        value_function *value;
        find(library, name, "value", &value);
        const float got = value(x);
        check_same_floats(&got, scores, 1, name);
        return;
    }
    predict_function *predict;
    scores_function *probabilities;
    probability_rule rule;
    float got[8];
    double expected[8];
    find(library, name, "predict", &predict);
    find(library, name, "probabilities", &probabilities);
    assert_int_equal(predict(x), model_decide(model, scores));
    probabilities(x, got);
    assert_int_equal(probability_rule_create(&rule, model, NULL), CNM_OK);
    probability_row(&rule, scores, expected);
    for (size_t i = 0; i < model->classes.count; i++) {
        check_near((double)got[i], expected[i], 2e-6, name, i);
    }
}

static void check_labels(void *library, const cnm_model *model, const char *name) {
    char symbol[2 * NAME_SIZE];
    snprintf(symbol, sizeof symbol, "%s_labels", name);
    const char *const *labels = dlsym(library, symbol);
    assert_int_equal(labels != NULL, model->classes.count > 0);
    for (size_t i = 0; i < model->classes.count; i++) {
        assert_string_equal(labels[i], model->classes.labels[i]);
    }
}

/* Only a dense matrix of 8 bits is summed otherwise than the library does: far from zero its
 * cosines mean nothing then. */
static bool same_projection(const cnm_model *model, size_t weights) {
    bool dense = false;
    for (size_t i = 0; i < model->map->layer_count; i++) {
        dense = dense || strcmp(model->map->layers[i]->projection->name, "dense") == 0;
    }
    return weights < EXPORT_I8 || !dense;
}

static void check_program(void *library, const cnm_model *model, size_t weights, const char *name) {
    float *values = make_rows(model, same_projection(model, weights)), got[128];
    const rows_view rows = view_of(model, values);
    const size_t outputs = model->outputs > 0 ? model->outputs : model->map->features;
    float *expected = take(ROWS * outputs, sizeof *expected);
    cnm_error error = {0};
    scores_function *scores;
    find(library, name, model->outputs > 0 ? "scores" : "features", &scores);
    check_ok(model->outputs > 0 ? model_scores(model, &rows, 1, expected, &error)
                                : model_transform(model, &rows, 1, expected, &error),
             &error);
    for (size_t i = 0; i < ROWS; i++) {
        const float *x = values + i * model->input.columns, *want = expected + i * outputs;
        scores(x, got);
        if (model->outputs == 0) {
            check_near((double)got[0], (double)want[0], 1e-5, name, i);
            if (weights < EXPORT_I8) {
                check_same_floats(got, want, outputs, name);
            }
            continue;
        }
        check_scores(model, weights, name, got, want);
        check_answers(library, model, name, x, got);
    }
    check_labels(library, model, name);
    free(expected);
    free(values);
}

static void exported_programs_have_the_bits_of_the_library(void **state) {
    (void)state;
    cnm_error error = {0};
    for (size_t i = 0; i < ALL; i++) {
        cnm_model *model = model_of(i);
        for (size_t weights = 0; weights < weights_of(i); weights++) {
            char name[NAME_SIZE], header[NAME_SIZE + 2];
            export_c_text text;
            name_of(i, weights, name);
            snprintf(header, sizeof header, "%s.h", name);
            check_ok(export_c(&text, model, (export_dtype)weights, name, header, &error), &error);
            write_text(name, "c", &text.source);
            write_text(name, "h", &text.header);
            export_c_free(&text);
        }
        model_destroy(model);
    }
    void *library = compile_all();
    if (library == NULL) {
        skip();
    }
    compile_elsewhere();
    for (size_t i = 0; i < ALL; i++) {
        cnm_model *model = model_of(i);
        for (size_t weights = 0; weights < weights_of(i); weights++) {
            char name[NAME_SIZE];
            cnm_model *rounded;
            name_of(i, weights, name);
            check_ok(export_quantise(&rounded, model, (export_dtype)weights, &error), &error);
            check_program(library, rounded, weights, name);
            model_destroy(rounded);
        }
        model_destroy(model);
    }
    dlclose(library);
}

/* ---- Rounding ---- */

/* A model of 16 bits leaves in 16 bits as it is; every weight of 8 bits comes back within half a
 * step. */
static void rounding_moves_no_weight_further_than_half_a_step(void **state) {
    (void)state;
    cnm_error error = {0};
    for (size_t i = 0; i < KIND_COUNT; i++) {
        cnm_model *model = model_of(i), *rounded;
        check_ok(export_quantise(&rounded, model, kind_of(i)->half ? EXPORT_F16 : EXPORT_F32, &error), &error);
        map_array before[MAP_ARRAYS], after[MAP_ARRAYS];
        const size_t arrays = map_list(model->map, before);
        assert_int_equal(map_list(rounded->map, after), arrays);
        for (size_t t = 0; t < arrays; t++) {
            const size_t cells = *before[t].values == NULL ? 0 : before[t].rows * before[t].columns;
            check_same_floats(*after[t].values, *before[t].values, cells, kind_of(i)->name);
        }
        check_same_floats(rounded->weights, model->weights, model->map->features * model->outputs, kind_of(i)->name);
        model_destroy(rounded);
        check_ok(export_quantise(&rounded, model, EXPORT_I8, &error), &error);
        for (size_t j = 0; j < model->outputs; j++) {
            double largest = 0.0;
            for (size_t f = 0; f < model->map->features; f++) {
                largest = fmax(largest, fabs((double)model->weights[f * model->outputs + j]));
            }
            for (size_t f = 0; f < model->map->features; f++) {
                const size_t at = f * model->outputs + j;
                check_near((double)rounded->weights[at], (double)model->weights[at], largest * (0.5 / 127 + 1e-6) * 2,
                           kind_of(i)->name, at);
            }
        }
        model_destroy(rounded);
        model_destroy(model);
    }
}

static int remove_folder(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exported_programs_have_the_bits_of_the_library),
                                       cmocka_unit_test(rounding_moves_no_weight_further_than_half_a_step)};
    setenv("CNM_SIMD", "reference", 1);
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, remove_folder);
}
