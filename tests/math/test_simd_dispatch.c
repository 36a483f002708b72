/* The choice of a SIMD level: by name, by the machine, and by the environment; and the order of the
 * reference's products. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "math/gemm/gemm_table.h"
#include "math/simd/simd_dispatch.h"

static void every_level_is_found_by_its_name(void **state) {
    (void)state;
    size_t count = 0;
    for (; simd_level(count) != NULL; count++) {
        assert_ptr_equal(simd_named(simd_level(count)->name), simd_level(count));
    }
    assert_true(count >= 2);
    assert_string_equal(simd_level(0)->name, "reference");
    assert_string_equal(simd_level(1)->name, "baseline");
    assert_ptr_equal(simd_named(NULL), simd_level(count - 1));
    assert_ptr_equal(simd_named(""), simd_level(count - 1));
    assert_null(simd_named("Reference"));
    assert_null(simd_named("referenc"));
}

static void a_word_that_names_no_kernels_is_refused_with_those_there_are(void **state) {
    (void)state;
    cnm_error error = {CNM_OK, ""};
    assert_int_equal(setenv("CNM_SIMD", "fastest", 1), 0);
    assert_int_equal(simd_check(&error), CNM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "CNM_SIMD=fastest"));
    for (size_t i = 0; simd_level(i) != NULL; i++) {
        assert_non_null(strstr(error.message, simd_level(i)->name));
        assert_int_equal(setenv("CNM_SIMD", simd_level(i)->name, 1), 0);
        assert_int_equal(simd_check(&error), CNM_OK);
    }
    assert_int_equal(unsetenv("CNM_SIMD"), 0);
    assert_int_equal(simd_check(&error), CNM_OK);
}

/* main has set CNM_SIMD before the first call. */
static void the_environment_is_followed_and_asked_once(void **state) {
    (void)state;
    assert_string_equal(simd_active()->name, "reference");
    assert_int_equal(setenv("CNM_SIMD", "baseline", 1), 0);
    assert_string_equal(simd_active()->name, "reference");
}

/* The bits of sums in order, each product and each sum rounded, for shapes that others cut into
 * blocks and tiles. */
static void the_references_products_are_sums_in_order(void **state) {
    (void)state;
    enum { M = 3, N = 50, K = 700 };
    static float a[M * K], b[K * N], c[M * N];
    for (size_t i = 0; i < M * K; i++) {
        a[i] = (float)random_uniform((random_stream){3, RANDOM_TEST, 0}, i) - 0.5F;
    }
    for (size_t i = 0; i < K * N; i++) {
        b[i] = (float)random_uniform((random_stream){3, RANDOM_TEST, 1}, i) - 0.5F;
    }
    for (size_t n = 1; n <= N; n += 7) {
        gemm_portable_on(&(gemm_call){.m = M, .n = n, .k = K, .a = a, .lda = K, .b = b, .ldb = N, .c = c, .ldc = N},
                         simd_level(0));
        for (size_t i = 0; i < M; i++) {
            for (size_t j = 0; j < n; j++) {
                volatile float sum = 0;
                for (size_t l = 0; l < K; l++) {
                    volatile float product = a[i * K + l] * b[l * N + j];
                    sum = sum + product;
                }
                const float expected = sum;
                assert_memory_equal(&expected, &c[i * N + j], sizeof expected);
            }
        }
    }
}

int main(void) {
    if (setenv("CNM_SIMD", "reference", 1) != 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_is_followed_and_asked_once),
        cmocka_unit_test(every_level_is_found_by_its_name),
        cmocka_unit_test(a_word_that_names_no_kernels_is_refused_with_those_there_are),
        cmocka_unit_test(the_references_products_are_sums_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
