#include "support/checks.h"

const size_t THREADS[3] = {1, 2, 7};

void *take(size_t count, size_t size) {
    void *pointer = calloc(count + 1, size);
    assert_non_null(pointer);
    return pointer;
}

void *take_owned(size_t count, size_t size) {
    void *pointer;
    assert_int_equal(memory_zeroed(&pointer, count, size, "a test", NULL), CNM_OK);
    return pointer;
}

char *copy_owned(const char *text) {
    char *copy;
    assert_int_equal(memory_copy_text(&copy, text, NULL), CNM_OK);
    return copy;
}

void check_ok(cnm_status status, const cnm_error *error) {
    if (status != CNM_OK) {
        fail_msg("status %d: %s", (int)status, error->message);
    }
}

void check_refusal(cnm_status status, cnm_status expected, const cnm_error *error, const char *words) {
    if (status != expected) {
        fail_msg("status %d instead of %d (\"%s\"), expected: %s", (int)status, (int)expected,
                 status == CNM_OK ? "" : error->message, words);
    }
    if (strstr(error->message, words) == NULL) {
        fail_msg("\"%s\" lacks \"%s\"", error->message, words);
    }
}

void check_same_floats(const float *a, const float *b, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0) {
            fail_msg("%s: element %zu is %.9g and %.9g", what, i, (double)a[i], (double)b[i]);
        }
    }
}

void check_near(double got, double expected, double bound, const char *what, size_t i) {
    if (!(fabs(got - expected) <= bound)) {
        fail_msg("%s: element %zu is %.9g, expected %.9g within %.3g", what, i, got, expected, bound);
    }
}
