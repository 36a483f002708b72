/* cholesky: the factor multiplies back to its matrix, solutions multiply back to their right sides,
 * the inverse's diagonal is that of the solutions for units, any number of threads gives the same
 * bits, and other matrices are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "base/threads/threads.h"
#include "math/linalg/cholesky.h"

enum { MOST = 37, LARGE = 150, COLUMNS = 3 };

static double drawn(uint64_t i) { return random_uniform((random_stream){3, RANDOM_TEST, 5}, i) - 0.5; }

/* Makes a (n, n) = g g^T + I: its values are below n / 4 + 1, and its condition number, too. */
static void make(double *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (size_t k = 0; k < n; k++) {
                sum += drawn(i * n + k) * drawn(j * n + k);
            }
            a[i * n + j] = sum;
        }
    }
}

static void check(double got, double expected) {
    /* a few roundings of terms below 1, for each of n */
    if (!(fabs(got - expected) <= 1e-13 * MOST)) {
        fail_msg("%.17g instead of %.17g", got, expected);
    }
}

static void the_factor_multiplies_back(void **unused) {
    (void)unused;
    for (size_t n = 0; n <= MOST; n++) {
        double a[MOST * MOST] = {0}, l[MOST * MOST];
        make(a, n);
        memcpy(l, a, sizeof a);
        assert_true(cholesky_factor(l, n, NULL));
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                double sum = 0.0;
                for (size_t k = 0; k <= (i < j ? i : j); k++) {
                    sum += l[i * n + k] * l[j * n + k];
                }
                check(sum, a[i * n + j]);
                /* the upper half stays */
                assert_true(j <= i || l[i * n + j] == a[i * n + j]);
            }
        }
    }
}

static void solutions_multiply_back(void **unused) {
    (void)unused;
    const size_t n = MOST;
    double a[MOST * MOST], x[MOST * COLUMNS], right[MOST * COLUMNS];
    make(a, n);
    assert_true(cholesky_factor(a, n, NULL));
    for (int upper = 0; upper < 2; upper++) {
        for (size_t i = 0; i < n * COLUMNS; i++) {
            x[i] = right[i] = drawn(5000 + i);
        }
        (upper == 1 ? cholesky_solve_upper : cholesky_solve_lower)(a, n, x, COLUMNS);
        for (size_t i = 0; i < n * COLUMNS; i++) {
            const size_t row = i / COLUMNS, first = upper == 1 ? row : 0, last = upper == 1 ? n - 1 : row;
            double sum = 0.0;
            for (size_t k = first; k <= last; k++) {
                sum += (upper == 1 ? a[k * n + row] : a[row * n + k]) * x[k * COLUMNS + i % COLUMNS];
            }
            check(sum, right[i]);
        }
    }
}

/* More rows than a block of columns has, and than one task of a loop. */
static void large_ones_are_the_same_for_any_number_of_threads(void **unused) {
    (void)unused;
    static const size_t SIZES[] = {1, 31, 32, 33, 150};
    static double a[LARGE * LARGE], l[LARGE * LARGE], first[LARGE * LARGE], x[LARGE];
    for (size_t s = 0; s < sizeof SIZES / sizeof SIZES[0]; s++) {
        const size_t n = SIZES[s];
        double diagonal[LARGE], before[LARGE];
        cnm_error error;
        make(a, n);
        for (size_t threads = 1; threads <= 7; threads += 3) {
            thread_pool *pool = thread_pool_create(threads);
            memcpy(l, a, n * n * sizeof *l);
            assert_true(cholesky_factor(l, n, pool));
            assert_int_equal(cholesky_inverse_diagonal(l, n, pool, diagonal, &error), CNM_OK);
            thread_pool_destroy(pool);
            if (threads == 1) {
                memcpy(first, l, n * n * sizeof *l);
                memcpy(before, diagonal, n * sizeof *diagonal);
            }
            assert_memory_equal(first, l, n * n * sizeof *l);
            assert_memory_equal(before, diagonal, n * sizeof *diagonal);
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j <= i; j++) {
                double sum = 0.0;
                for (size_t k = 0; k <= j; k++) {
                    sum += l[i * n + k] * l[j * n + k];
                }
                check(sum, a[i * n + j]);
            }
            memset(x, 0, sizeof x);
            x[i] = 1.0;
            cholesky_solve_lower(l, n, x, 1);
            cholesky_solve_upper(l, n, x, 1);
            check(diagonal[i], x[i]);
        }
    }
}

static void other_matrices_are_refused(void **unused) {
    (void)unused;
    double indefinite[] = {1.0, 2.0, 2.0, 1.0}, zero[] = {0.0}, nan[] = {NAN};
    assert_false(cholesky_factor(indefinite, 2, NULL));
    assert_false(cholesky_factor(zero, 1, NULL));
    assert_false(cholesky_factor(nan, 1, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_factor_multiplies_back),
        cmocka_unit_test(solutions_multiply_back),
        cmocka_unit_test(large_ones_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(other_matrices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
