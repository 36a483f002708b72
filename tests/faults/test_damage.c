/* Damaged model files: random bits flipped and random lengths cut, of models of every method,
 * projection, task and width of weights. All are refused with a sentence that names the file, and
 * with no more memory than 1 MiB and four times the file's size. Damage that keeps the checksum
 * right is tests/fuzz/fuzz_fields.c. $CNM_DAMAGE: flips for each model (1000), and a tenth as many
 * cuts. */
#include "api/api_support.h"
#include "base/core/faults.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/file/file.h"
#include "learn/fit/checkpoint_file.h"
#include "model/model.h"

enum { FEW = 60, MOST_OPTIONS = 12 };

static const struct {
    const char *name;
    const char *pairs[MOST_OPTIONS];
} METHODS[] = {
    {"joint", {"epochs", "1", "effort", "quick", "features", "5"}},
    {"alternating",
     {"recipe", "alternating", "iterations", "1", "head-steps", "1", "map-steps", "1", "features", "40"}},
    {"rff", {"method", "rff", "epochs", "1", "features", "40"}},
    {"kernel", {"method", "kernel-approximation", "map-steps", "1", "epochs", "1", "features", "5"}},
    {"linear", {"method", "linear", "epochs", "1"}},
    {"stack", {"layers", "columns:1,circulant:7,4", "scale", "quantile", "epochs", "1", "effort", "quick"}},
};
static const char *const PROJECTIONS[] = {"dense", "circulant", "circulant-diagonal"};
static const char *const WEIGHTS[] = {"f32", "f16"};
enum { TASKS = 4 }; /* two classes, three classes, regression, a map */

static sample made;
static size_t flips = 1000, cuts = 100, models, refused;

static cnm_data *data_for(size_t task) {
    cnm_error error = {0};
    cnm_data *data;
    check_ok(cnm_data_view_dense(&data, made.values, FEW, COLUMNS, COLUMNS, &error), &error);
    if (task == 2) {
        check_ok(cnm_data_set_targets(data, made.numbers, &error), &error);
    } else if (task < 2) {
        const char *labels[FEW];
        for (size_t i = 0; i < FEW; i++) {
            labels[i] = task == 1 && made.values[i * COLUMNS + 2] > 0.3F ? "level" : made.words[i];
        }
        check_ok(cnm_data_set_labels(data, labels, &error), &error);
    }
    return data;
}

/* Whether --projection says something: there is a map, of one layer. */
static bool takes_projection(size_t method) {
    return strcmp(METHODS[method].name, "linear") != 0 && strcmp(METHODS[method].name, "stack") != 0;
}

/* The model's bytes, or NULL where method and task do not go together. */
static unsigned char *make_file(size_t method, size_t projection, size_t weights, size_t task, size_t *size) {
    cnm_error error = {0};
    unsigned char *bytes = NULL;
    cnm_model *model = NULL;
    cnm_options *options = options_of(METHODS[method].pairs);
    cnm_data *data = data_for(task);
    check_ok(cnm_options_set(options, "dtype", WEIGHTS[weights], &error), &error);
    check_ok(cnm_options_set(options, "threads", "1", &error), &error);
    const char *const task_name = task == 2 ? "regress" : task == 3 ? "map" : "classify";
    bool possible = cnm_options_set(options, "task", task_name, &error) == CNM_OK;
    if (takes_projection(method)) {
        check_ok(cnm_options_set(options, "projection", PROJECTIONS[projection], &error), &error);
    }
    if (task == 3) { /* no head to train */
        check_ok(cnm_options_set(options, "epochs", "auto", &error), &error);
    }
    possible = possible && cnm_options_check(options, &error) == CNM_OK;
    if (possible) {
        check_ok(cnm_train(&model, data, options, NULL, &error), &error);
        check_ok(model_to_bytes(model, &bytes, size, &error), &error);
    }
    cnm_model_destroy(model);
    cnm_data_destroy(data);
    cnm_options_destroy(options);
    return bytes;
}

static void check_refused(const unsigned char *bytes, size_t size, const char *what, size_t place) {
    cnm_error error = {0};
    cnm_model *model = (cnm_model *)&error;
    faults_forget_peak();
    const cnm_status status = model_from_bytes(&model, bytes, size, "damaged.cnm", &error);
    if (status == CNM_OK || model != NULL || strstr(error.message, "damaged.cnm") == NULL) {
        fail_msg("%s %zu: status %d, \"%s\"", what, place, (int)status, error.message);
    }
    if (faults_peak() + size > ((size_t)1 << 20) + 4 * size) {
        fail_msg("%s %zu: %zu bytes for a file of %zu", what, place, faults_peak() + size, size);
    }
    refused++;
}

static void damage(unsigned char *bytes, size_t size, uint64_t seed) {
    const random_stream stream = {seed, RANDOM_TEST, 0};
    for (size_t i = 0; i < flips; i++) {
        const size_t bit = (size_t)(random_uniform(stream, i) * (double)(8 * size));
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        check_refused(bytes, size, "bit", bit);
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
    for (size_t i = 0; i < cuts; i++) { /* in memory of its own, so that a byte read too far is seen */
        const size_t length = (size_t)(random_uniform(stream, flips + i) * (double)size);
        unsigned char *cut = NULL;
        assert_int_equal(memory_take(&cut, length, 1, "a test", NULL), CNM_OK);
        memcpy(cut, bytes, length);
        check_refused(cut, length, "length", length);
        memory_free(cut);
    }
}

static void every_damage_is_refused(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(METHODS) * COUNT_OF(PROJECTIONS) * COUNT_OF(WEIGHTS) * TASKS; i++) {
        const size_t task = i % 4, weights = i / 4 % 2, projection = i / 8 % 3, method = i / 24;
        size_t size;
        const bool linear = strcmp(METHODS[method].name, "linear") == 0; /* no map */
        unsigned char *bytes = (!takes_projection(method) && projection > 0) || (linear && task == 3)
                                   ? NULL
                                   : make_file(method, projection, weights, task, &size);
        if (bytes != NULL) {
            cnm_error error = {0};
            cnm_model *model;
            damage(bytes, size, i);
            check_ok(model_from_bytes(&model, bytes, size, "sound.cnm", &error), &error);
            cnm_model_destroy(model);
            models++;
        }
        memory_free(bytes);
    }
    (void)printf("%zu models, %zu flips and %zu cuts each: %zu refused\n", models, flips, cuts, refused);
    assert_int_equal(refused, models * (flips + cuts));
    assert_true(models > 60);
}

/* ---- States of trainings ---- */

static const char STATE[] = "test_damage.state";

static void check_state(const unsigned char *bytes, size_t size, const char *what, size_t place) {
    cnm_error error = {0};
    checkpoint_file read;
    FILE *file = fopen(STATE, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    faults_forget_peak();
    const cnm_status status = checkpoint_file_read(&read, STATE, &error);
    if (status == CNM_OK || read.archive != NULL || strstr(error.message, STATE) == NULL) {
        fail_msg("%s %zu: status %d, \"%s\"", what, place, (int)status, error.message);
    }
    if (faults_peak() > ((size_t)1 << 20) + 4 * size) {
        fail_msg("%s %zu: %zu bytes for a file of %zu", what, place, faults_peak(), size);
    }
    refused++;
}

static void every_damage_to_a_checkpoint_is_refused(void **unused) {
    static const char *const PAIRS[] = {"epochs",     "1",       "effort",     "quick",      "features",
                                        "5",          "threads", "1",          "validation", "0.3",
                                        "checkpoint", STATE,     "projection", "circulant",  NULL};
    const random_stream stream = {7, RANDOM_TEST, 0};
    (void)unused;
    cnm_error error = {0};
    cnm_options *options = options_of(PAIRS);
    cnm_data *data = data_for(1);
    cnm_model *model;
    unsigned char *bytes;
    size_t size;
    remove(STATE);
    check_ok(cnm_train(&model, data, options, NULL, &error), &error);
    check_ok(file_read_all(STATE, 0, &bytes, &size, &error), &error);
    refused = 0;
    for (size_t i = 0; i < flips; i++) {
        const size_t bit = (size_t)(random_uniform(stream, i) * (double)(8 * size));
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        check_state(bytes, size, "bit", bit);
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
    for (size_t i = 0; i < cuts; i++) { /* an empty file is none: the training starts afresh */
        const size_t length = 1 + (size_t)(random_uniform(stream, flips + i) * (double)(size - 1));
        check_state(bytes, length < size ? length : size - 1, "length", length);
    }
    (void)printf("a checkpoint of %zu bytes, %zu flips and %zu cuts: %zu refused\n", size, flips, cuts, refused);
    remove(STATE);
    memory_free(bytes);
    cnm_model_destroy(model);
    cnm_data_destroy(data);
    cnm_options_destroy(options);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_damage_is_refused),
                                       cmocka_unit_test(every_damage_to_a_checkpoint_is_refused)};
    const char *wanted = getenv("CNM_DAMAGE");
    sample_make(&made);
    if (wanted != NULL) {
        flips = strtoul(wanted, NULL, 10);
        cuts = flips / 10;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
