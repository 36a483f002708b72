/* Exports as a program asks for them: what is refused and how, files that are written whole or not
 * at all, and every allocation failing once. tests/model/test_export_c.c and tests/export look at
 * what is written. */
#include "api/api_support.h"

/* The library's one source of memory, replaced: the allocation after `allocations_left` others
 * fails. */
static size_t allocations_left = SIZE_MAX;

void *aligned_alloc(size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size) {
    void *pointer = NULL;
    if (allocations_left == 0) {
        allocations_left = SIZE_MAX;
        return NULL;
    }
    allocations_left -= allocations_left != SIZE_MAX;
    return posix_memalign(&pointer, alignment, size) == 0 ? pointer : NULL;
}

enum { MODELS = 6 };

static const char SOURCE[] = "test_api_export.c.tmp.c", HEADER[] = "test_api_export.c.tmp.h",
                  ONNX[] = "test_api_export.onnx";

#define SHORT "epochs", "1", "effort", "quick", "threads", "1"

static const char *const OPTIONS[MODELS][14] = {
    {SHORT, "features", "6", "scale", "asinh", NULL},
    {SHORT, "features", "6", "projection", "circulant", "scale", "standard", NULL},
    {SHORT, "features", "3", "projection", "circulant", "scale", "none", NULL},
    {SHORT, "features", "6", "projection", "circulant-diagonal", NULL},
    {"epochs", "1", "threads", "1", "method", "linear", NULL},
    {SHORT, "layers", "columns:2,circulant:7,dense:9,dense:4", "scale", "quantile", NULL},
};

static cnm_model *models[MODELS];

static bool there(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

static void remove_all(void) {
    remove(SOURCE);
    remove(HEADER);
    remove(ONNX);
}

/* ---- Refusals ---- */

static void what_cannot_be_is_refused(void **unused) {
    const cnm_model *model = models[0];
    cnm_model *rounded;
    size_t flash, stack;
    cnm_error error = {0};
    (void)unused;
    check_refusal(cnm_model_export(NULL, "c", NULL, NULL, SOURCE, &error), CNM_BAD_ARGUMENT, &error, "model");
    check_refusal(cnm_model_export(model, NULL, NULL, NULL, SOURCE, &error), CNM_BAD_ARGUMENT, &error, "format must");
    check_refusal(cnm_model_export(model, "c", NULL, NULL, NULL, &error), CNM_BAD_ARGUMENT, &error, "path");
    check_refusal(cnm_model_export(model, "rust", NULL, NULL, SOURCE, &error), CNM_BAD_ARGUMENT, &error, "c or onnx");
    check_refusal(cnm_model_export(model, "c", "i4", NULL, SOURCE, &error), CNM_BAD_ARGUMENT, &error, "f16 or i8");
    check_refusal(cnm_model_export(model, "c", NULL, NULL, "x.txt", &error), CNM_BAD_ARGUMENT, &error, ".c");
    check_refusal(cnm_model_export(model, "c", NULL, NULL, "folder/.c", &error), CNM_BAD_ARGUMENT, &error, ".c");
    check_refusal(cnm_model_export(model, "c", NULL, NULL, "-", &error), CNM_BAD_ARGUMENT, &error, ".c");
    check_refusal(cnm_model_export(model, "c", NULL, "", SOURCE, &error), CNM_BAD_ARGUMENT, &error, "letters");
    check_refusal(cnm_model_export(model, "c", NULL, "9a", SOURCE, &error), CNM_BAD_ARGUMENT, &error, "letters");
    check_refusal(cnm_model_export(model, "onnx", "f16", NULL, ONNX, &error), CNM_UNSUPPORTED, &error, "32 bits");
    check_refusal(cnm_model_export(model, "c", NULL, NULL, "no/such/x.c", &error), CNM_IO_FAILED, &error, "no/such");
    check_refusal(cnm_model_round(NULL, model, "i8", &error), CNM_BAD_ARGUMENT, &error, "out");
    check_refusal(cnm_model_round(&rounded, NULL, "i8", &error), CNM_BAD_ARGUMENT, &error, "model");
    assert_null(rounded);
    check_refusal(cnm_model_round(&rounded, model, "f8", &error), CNM_BAD_ARGUMENT, &error, "f8");
    assert_null(rounded);
    check_refusal(cnm_model_footprint(model, "f8", &flash, &stack, &error), CNM_BAD_ARGUMENT, &error, "f8");
    check_refusal(cnm_model_footprint(model, NULL, NULL, &stack, &error), CNM_BAD_ARGUMENT, &error, "flash");
    check_refusal(cnm_model_footprint(model, NULL, &flash, NULL, &error), CNM_BAD_ARGUMENT, &error, "stack");
    assert_false(there(SOURCE) || there(HEADER) || there(ONNX));
}

/* ---- Rounding ---- */

/* Rounding again changes nothing in 16 bits; in 8 bits scores move by less than they are worth. */
static void rounding_keeps_what_it_can(void **unused) {
    static float before[ROWS], after[ROWS];
    sample made;
    cnm_error error = {0};
    (void)unused;
    sample_make(&made);
    cnm_data *rows = sample_view(&made);
    for (size_t i = 0; i < MODELS; i++) {
        cnm_model *once, *twice;
        check_ok(cnm_model_round(&once, models[i], "f16", &error), &error);
        check_ok(cnm_model_round(&twice, once, "f16", &error), &error);
        check_ok(cnm_predict_scores(once, rows, 1, before, &error), &error);
        check_ok(cnm_predict_scores(twice, rows, 1, after, &error), &error);
        assert_memory_equal(before, after, sizeof before);
        cnm_model_destroy(once);
        cnm_model_destroy(twice);
        check_ok(cnm_model_round(&once, models[i], "i8", &error), &error);
        check_ok(cnm_predict_scores(models[i], rows, 1, before, &error), &error);
        check_ok(cnm_predict_scores(once, rows, 1, after, &error), &error);
        float largest = 0.0F, moved = 0.0F;
        for (size_t row = 0; row < ROWS; row++) {
            largest = fmaxf(largest, fabsf(before[row]));
            moved = fmaxf(moved, fabsf(before[row] - after[row]));
        }
        assert_true(moved > 0.0F && moved < 0.05F * largest);
        cnm_model_destroy(once);
    }
    cnm_data_destroy(rows);
}

/* ---- Memory ---- */

static cnm_status export_c(const cnm_model *model, const char *weights, cnm_error *err) {
    return cnm_model_export(model, "c", weights, NULL, SOURCE, err);
}

static cnm_status export_onnx(const cnm_model *model, const char *weights, cnm_error *err) {
    (void)weights;
    return cnm_model_export(model, "onnx", NULL, NULL, ONNX, err);
}

static cnm_status round_model(const cnm_model *model, const char *weights, cnm_error *err) {
    cnm_model *out = models[0];
    const cnm_status status = cnm_model_round(&out, model, weights, err);
    assert_true((out != NULL) == (status == CNM_OK));
    cnm_model_destroy(out);
    return status;
}

static cnm_status ask_need(const cnm_model *model, const char *weights, cnm_error *err) {
    size_t flash = 0, stack = 0;
    const cnm_status status = cnm_model_footprint(model, weights, &flash, &stack, err);
    assert_true(status != CNM_OK || (flash > 100 && stack > 10));
    return status;
}

static const struct {
    const char *what, *weights;
    cnm_status (*run)(const cnm_model *model, const char *weights, cnm_error *err);
} OPERATIONS[] = {
    {"C in 32 bits", "f32", export_c}, {"C in 16 bits", "f16", export_c}, {"C in 8 bits", "i8", export_c},
    {"ONNX", NULL, export_onnx},       {"rounding", "i8", round_model},   {"need", "i8", ask_need},
};

static void every_allocation_failure_is_survived(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(OPERATIONS) * MODELS; i++) {
        size_t n = 0;
        remove_all();
        for (bool more = true; more; n++) {
            cnm_error error = {0};
            allocations_left = n;
            const cnm_status status =
                OPERATIONS[i / MODELS].run(models[i % MODELS], OPERATIONS[i / MODELS].weights, &error);
            more = allocations_left == SIZE_MAX;
            allocations_left = SIZE_MAX;
            if (status != (more ? CNM_NO_MEMORY : CNM_OK)) {
                fail_msg("%s, allocation %zu: status %d, \"%s\"", OPERATIONS[i / MODELS].what, n, (int)status,
                         error.message);
            }
            if (more && (there(SOURCE) || there(HEADER) || there(ONNX))) {
                fail_msg("%s, allocation %zu: a file is there after a failure", OPERATIONS[i / MODELS].what, n);
            }
        }
        assert_true(n > 2 && n < 2000);
    }
    remove_all();
}

static int prepare(void **unused) {
    sample made;
    (void)unused;
    sample_make(&made);
    cnm_data *labelled = labelled_view(&made);
    for (size_t i = 0; i < MODELS; i++) {
        models[i] = train_with(labelled, OPTIONS[i]);
    }
    cnm_data_destroy(labelled);
    return 0;
}

static int clean(void **unused) {
    (void)unused;
    for (size_t i = 0; i < MODELS; i++) {
        cnm_model_destroy(models[i]);
    }
    remove_all();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(rounding_keeps_what_it_can),
        cmocka_unit_test(every_allocation_failure_is_survived),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
