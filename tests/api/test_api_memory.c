/* Every allocation of every public operation fails once: a status, outputs NULL, nothing leaked (a
 * leak sanitizer sees those) and nothing broken. Where the library can do without, the operation
 * may succeed all the same. */
#include "api/api_support.h"

/* The library's one source of memory, replaced: the allocation after `allocations_left` others
 * fails. */
static size_t allocations_left = SIZE_MAX;

void *aligned_alloc(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size) {
    void *pointer = NULL;
    if (allocations_left == 0) {
        allocations_left = SIZE_MAX; /* one failure only: what comes after must work */
        return NULL;
    }
    allocations_left -= allocations_left != SIZE_MAX;
    return posix_memalign(&pointer, alignment, size) == 0 ? pointer : NULL;
}

static sample made;
static cnm_data *labelled;
static cnm_model *model;
static const char ROWS_PATH[] = "test_api_memory.csv", MODEL_PATH[] = "test_api_memory.cnm";

/* ---- One operation a row: returns its status and sets *done where something came of it ---- */

typedef cnm_status operation(const char *const *pairs, bool *done, cnm_error *err);

static cnm_status train(const char *const *pairs, bool *done, cnm_error *err) {
    cnm_options *options = NULL;
    cnm_model *out = (cnm_model *)&made;
    cnm_status status = cnm_options_create(&options, err);
    for (; status == CNM_OK && *pairs != NULL; pairs += 2) {
        status = cnm_options_set(options, pairs[0], pairs[1], err);
    }
    if (status == CNM_OK) {
        status = cnm_train(&out, labelled, options, NULL, err);
        *done = out != NULL;
        cnm_model_destroy(out);
    }
    cnm_options_destroy(options);
    return status;
}

static cnm_status predict(const char *const *pairs, bool *done, cnm_error *err) {
    static float scores[ROWS], z[ROWS * 16];
    static int32_t classes[ROWS];
    (void)pairs;
    cnm_status status = cnm_predict_scores(model, labelled, 1, scores, err);
    status = status == CNM_OK ? cnm_predict_classes(model, labelled, 1, classes, err) : status;
    status = status == CNM_OK ? cnm_transform(model, labelled, 1, z, err) : status;
    *done = status == CNM_OK;
    return status;
}

static cnm_status evaluate(const char *const *pairs, bool *done, cnm_error *err) {
    static const float SCORES[ROWS] = {0};
    cnm_evaluation *out = (cnm_evaluation *)&made;
    (void)pairs;
    cnm_status status = cnm_evaluation_create(&out, model, 1, err);
    *done = out != NULL;
    if (status == CNM_OK) {
        status = cnm_evaluation_add(out, labelled, SCORES, err);
        *done = status == CNM_OK;
        const double area = metric_of(out, "auc"); /* NaN where it had no memory */
        assert_true(status != CNM_OK || isnan(area) || area == 0.5);
    }
    cnm_evaluation_destroy(out);
    return status;
}

static cnm_status save_model(const char *const *pairs, bool *done, cnm_error *err) {
    (void)pairs;
    const cnm_status status = cnm_model_save(model, MODEL_PATH, err);
    *done = status == CNM_OK;
    return status;
}

static cnm_status load_model(const char *const *pairs, bool *done, cnm_error *err) {
    cnm_model *out = (cnm_model *)&made;
    (void)pairs;
    const cnm_status status = cnm_model_load(&out, MODEL_PATH, err);
    *done = out != NULL;
    cnm_model_destroy(out);
    return status;
}

static cnm_status save_rows(const char *const *pairs, bool *done, cnm_error *err) {
    (void)pairs;
    const cnm_status status = cnm_data_save(labelled, ROWS_PATH, NULL, NULL, err);
    *done = status == CNM_OK;
    return status;
}

static cnm_status load_rows(const char *const *pairs, bool *done, cnm_error *err) {
    cnm_data *out = (cnm_data *)&made;
    (void)pairs;
    const cnm_status status = cnm_data_load(&out, ROWS_PATH, NULL, model, NULL, err);
    *done = out != NULL;
    cnm_data_destroy(out);
    return status;
}

static cnm_status read_batches(const char *const *pairs, bool *done, cnm_error *err) {
    cnm_reader *reader = (cnm_reader *)&made;
    (void)pairs;
    cnm_status status = cnm_reader_open(&reader, ROWS_PATH, NULL, NULL, NULL, err);
    *done = reader != NULL;
    while (status == CNM_OK) {
        cnm_data *part = (cnm_data *)&made;
        status = cnm_reader_next(reader, 50, &part, err);
        if (status != CNM_OK) {
            assert_null(part);
            *done = false;
        }
        if (part == NULL) {
            break;
        }
        cnm_data_destroy(part);
    }
    cnm_reader_destroy(reader);
    return status;
}

static cnm_status make_rows(const char *const *pairs, bool *done, cnm_error *err) {
    static const double NUMBERS[] = {1.7e9, 1, 1.7e9 + 1, 2};
    static const char *const WORDS[] = {"a", "1"}, *const NAMES[] = {"x", "y"};
    cnm_data *out = (cnm_data *)&made;
    (void)pairs;
    cnm_status status = cnm_data_copy_double(&out, NUMBERS, 2, 2, 2, NULL, err);
    *done = out != NULL;
    status = status == CNM_OK ? cnm_data_set_labels(out, WORDS, err) : status;
    status = status == CNM_OK ? cnm_data_set_weights(out, NUMBERS, err) : status;
    status = status == CNM_OK ? cnm_data_set_groups(out, (const uint64_t[]){3, 4}, err) : status;
    status = status == CNM_OK ? cnm_data_set_names(out, NAMES, err) : status;
    status = status == CNM_OK ? cnm_data_set_targets(out, NUMBERS, err) : status;
    *done = status == CNM_OK;
    cnm_data_destroy(out);
    return status;
}

static cnm_status select_rows(const char *const *pairs, bool *done, cnm_error *err) {
    static const size_t POSITIONS[] = {7, 3, 3, 90};
    static size_t part[ROWS], classes;
    cnm_data *out = (cnm_data *)&made;
    (void)pairs;
    cnm_status status = cnm_data_select(&out, labelled, POSITIONS, COUNT_OF(POSITIONS), err);
    *done = out != NULL;
    if (status == CNM_OK) {
        status = cnm_data_folds(labelled, NULL, 5, part, &classes, err);
        status = status == CNM_OK ? cnm_data_hold_out(labelled, NULL, 0.2, part, err) : status;
        *done = status == CNM_OK;
    }
    cnm_data_destroy(out);
    return status;
}

#define BARE "epochs", "1", "batch", "40", "threads", "1"
#define SHORT BARE, "features", "6"

static const struct {
    const char *what;
    operation *run;
    const char *pairs[16];
} OPERATIONS[] = {
    {"train rff", train, {SHORT, "method", "rff", NULL}},
    {"train circulant", train, {SHORT, "projection", "circulant", "scale", "standard", NULL}},
    {"train diagonals", train, {SHORT, "projection", "circulant-diagonal", "dtype", "f16", NULL}},
    {"train orthogonal", train, {SHORT, "init", "orthogonal", "scale", "asinh", NULL}},
    {"train a head", train, {SHORT, "map-rate", "0", "effort", "quick", NULL}},
    {"train and distil", train, {SHORT, "distill", "yes", "effort", "quick", NULL}},
    {"train and estimate", train, {BARE, "method", "linear", "estimate", "yes", NULL}},
    {"train linear", train, {BARE, "method", "linear", NULL}},
    {"train a map", train, {"features", "6", "threads", "1", "method", "rff", "task", "map", NULL}},
    {"predict", predict, {NULL}},
    {"evaluate", evaluate, {NULL}},
    {"save a model", save_model, {NULL}},
    {"load a model", load_model, {NULL}},
    {"save rows", save_rows, {NULL}},
    {"load rows", load_rows, {NULL}},
    {"read batches", read_batches, {NULL}},
    {"rows from memory", make_rows, {NULL}},
    {"select rows", select_rows, {NULL}},
};

/* The n-th allocation fails, until an operation has fewer. */
static void every_allocation_failure_is_survived(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(OPERATIONS); i++) {
        size_t n = 0;
        for (bool more = true; more; n++) {
            cnm_error error = {0};
            bool done = false;
            allocations_left = n;
            const cnm_status status = OPERATIONS[i].run(OPERATIONS[i].pairs, &done, &error);
            more = allocations_left == SIZE_MAX; /* the failure took place */
            allocations_left = SIZE_MAX;
            if (status != CNM_OK && status != CNM_NO_MEMORY) {
                fail_msg("%s, allocation %zu: status %d, \"%s\"", OPERATIONS[i].what, n, (int)status, error.message);
            }
            if (done != (status == CNM_OK)) {
                fail_msg("%s, allocation %zu: an output is there after a failure, or none after success",
                         OPERATIONS[i].what, n);
            }
            if (status != CNM_OK && strstr(error.message, "out of memory") == NULL) {
                fail_msg("%s, allocation %zu: \"%s\"", OPERATIONS[i].what, n, error.message);
            }
            assert_true(n < 5000);
        }
        assert_true(n > 2);
    }
}

static int prepare(void **unused) {
    cnm_error error = {0};
    (void)unused;
    sample_make(&made);
    labelled = labelled_view(&made);
    model = train_with(labelled, (const char *const[]){"features", "16", NULL});
    check_ok(cnm_model_save(model, MODEL_PATH, &error), &error);
    check_ok(cnm_data_save(labelled, ROWS_PATH, NULL, NULL, &error), &error);
    return 0;
}

static int clean(void **unused) {
    (void)unused;
    cnm_model_destroy(model);
    cnm_data_destroy(labelled);
    remove(MODEL_PATH);
    remove(ROWS_PATH);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_failure_is_survived)};
    return cmocka_run_group_tests(tests, prepare, clean);
}
