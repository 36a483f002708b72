/* Files of format 1 load, and show their record under the present names. test_golden.c checks that
 * they predict as before. */
#include "model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/memory.h"
#include "base/file/file.h"
#include "model/file/model_file_format_1.h"
#include "model/probability.h"

/* What a file's record shows of a key; NULL: nothing. */
typedef struct shown {
    const char *file, *key, *value;
} shown;

static const shown SHOWN[] = {
    {"old-head-solver", "head_solver", "lbfgs"},
    {"old-head-solver", "map_rate", "0"},
    {"old-head-solver", "decision_offset", "0.46544483"},
    {"old-images", "map_rate", "0.75"},
    {"old-images", "difference_noise", "0.1"},
    {"old-images", "translate", "0.5"},
    {"old-images", "method", "cnm"},
    {"old-continued", "warm_start", "from an earlier model"},
    {"old-logistic", RECORD_PROBABILITY, "one-vs-rest"},
    {"old-logistic", "loss", "logistic"},
    {"old-logistic", "decision_offset", "-0.5226368, 0.093682416, 1.0705252"},
    {"trained-kernel-map", "method", "kernel-approximation"},
    {"trained-kernel-map", "kernel", "gaussian"},
    {"trained-joint", "dtype", "f16"},
    {"trained-joint", RECORD_PROBABILITY, NULL},
};

enum { SHOWN_COUNT = sizeof SHOWN / sizeof SHOWN[0] };

/* Keys of format 1 that no model shows any more. */
static const char *const GONE[] = {"hold", "drift", "shift", "weights", "head", "continued", "decision_shift"};

static cnm_model *load(const char *name) {
    char path[512];
    unsigned char *bytes;
    size_t size;
    cnm_error error = {0};
    cnm_model *model;
    (void)snprintf(path, sizeof path, CNM_TESTS_FOLDER "/golden/1/%s.cnm", name);
    assert_int_equal(file_read_all(path, 0, &bytes, &size, &error), CNM_OK);
    assert_int_equal(model_from_bytes(&model, bytes, size, path, &error), CNM_OK);
    memory_free(bytes);
    return model;
}

static void check_shown(const cnm_model *model, const shown *expected) {
    const char *value = record_get(&model->description, expected->key);
    if (expected->value == NULL) {
        assert_null(value);
    } else {
        assert_non_null(value);
        assert_string_equal(value, expected->value);
    }
    for (size_t i = 0; i < sizeof GONE / sizeof GONE[0]; i++) {
        assert_null(record_get(&model->description, GONE[i]));
    }
}

static void records_are_shown_under_present_names(void **unused) {
    (void)unused;
    for (size_t i = 0; i < SHOWN_COUNT; i++) {
        cnm_model *model = load(SHOWN[i].file);
        check_shown(model, &SHOWN[i]);
        model_destroy(model);
    }
}

/* Entries that no golden file has, and texts that no format 1 file had. */
static void entries_are_renamed_one_by_one(void **unused) {
    (void)unused;
    record out = {0};
    assert_int_equal(format_1_add(&out,
                                  "imi"
                                  "tates",
                                  "itself", NULL),
                     CNM_OK);
    assert_string_equal(record_get(&out, "distilled_from"), "kernel-ensemble");
    assert_int_equal(format_1_add(&out, "hold", "0.9", NULL), CNM_OK);
    assert_string_equal(record_get(&out, "map_rate"), "0.1");
    assert_int_equal(format_1_add(&out, "head", "found", NULL), CNM_OK);
    assert_string_equal(record_get(&out, "head"), "found");
    /* A key that is there already. */
    assert_int_equal(format_1_add(&out, "map_rate", "0.5", NULL), CNM_OK);
    assert_string_equal(record_get(&out, "map_rate"), "0.1");
    assert_int_equal(format_1_add(&out, "drift", "much", NULL), CNM_OK);
    assert_string_equal(record_get(&out, "difference_noise"), "much");
    assert_int_equal(out.count, 4);
    record_free(&out);
}

/* A file of format 1, written again, is of format 2, and is read with the same record. */
static void written_again_they_are_of_format_2(void **unused) {
    (void)unused;
    for (size_t i = 0; i < SHOWN_COUNT; i++) {
        cnm_model *old = load(SHOWN[i].file), *model;
        unsigned char *bytes, *again;
        size_t size, again_size;
        assert_int_equal(model_to_bytes(old, &bytes, &size, NULL), CNM_OK);
        assert_int_equal(model_from_bytes(&model, bytes, size, "again", NULL), CNM_OK);
        check_shown(model, &SHOWN[i]);
        assert_int_equal(model_to_bytes(model, &again, &again_size, NULL), CNM_OK);
        assert_int_equal(again_size, size);
        assert_memory_equal(again, bytes, size);
        assert_int_equal(model->decision_offset == NULL, old->decision_offset == NULL);
        memory_free(bytes);
        memory_free(again);
        model_destroy(model);
        model_destroy(old);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_shown_under_present_names),
        cmocka_unit_test(entries_are_renamed_one_by_one),
        cmocka_unit_test(written_again_they_are_of_format_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
