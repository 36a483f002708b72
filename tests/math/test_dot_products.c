/* dot_products: sums of products within the bound of rounding, the same bits at every level and for
 * any division of the rows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "math/linalg/dot_products.h"
#include "math/simd/simd_dispatch.h"

enum { DEPTH = 75, ROWS = 11, STRIDE = DEPTH + 3 };

static void fill(uint64_t seed, size_t count, double *out) {
    for (size_t i = 0; i < count; i++) {
        out[i] = random_uniform((random_stream){seed, RANDOM_TEST, 1}, i) - 0.5;
    }
}

static void they_are_sums_of_products(void **unused) {
    (void)unused;
    double x[DEPTH], y[ROWS * STRIDE], out[ROWS + 1];
    fill(1, DEPTH, x);
    fill(2, ROWS * STRIDE, y);
    for (size_t depth = 0; depth <= DEPTH; depth++) {
        for (size_t rows = 0; rows <= ROWS; rows++) {
            out[rows] = 7.0;
            dot_products(depth, x, y, STRIDE, rows, out);
            assert_true(out[rows] == 7.0);
            for (size_t row = 0; row < rows; row++) {
                double sum = 0.0;
                for (size_t i = 0; i < depth; i++) {
                    sum += x[i] * y[row * STRIDE + i];
                }
                assert_true(fabs(out[row] - sum) <= 1e-16 * DEPTH); /* terms are at most 1/4 */
            }
        }
    }
}

static void every_level_gives_the_same_bits(void **unused) {
    (void)unused;
    double x[DEPTH], y[ROWS * STRIDE], first[ROWS], out[ROWS];
    for (uint64_t round = 0; round < 10; round++) {
        fill(round, DEPTH, x);
        fill(100 + round, ROWS * STRIDE, y);
        for (size_t depth = 0; depth <= DEPTH; depth++) {
            dot_products(depth, x, y, STRIDE, ROWS, first);
            for (size_t level = 0; simd_level(level) != NULL; level++) {
                simd_level(level)->dot_products(depth, x, y, STRIDE, ROWS, out);
                assert_memory_equal(first, out, sizeof out);
            }
            for (size_t row = 0; row < ROWS; row++) {
                dot_products(depth, x, y + row * STRIDE, STRIDE, 1, out + row);
            }
            assert_memory_equal(first, out, sizeof out);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_sums_of_products),
        cmocka_unit_test(every_level_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
