/* gemm: every implementation, and the library's own at every SIMD level, against double sums; and
 * the promise that a row's bits depend on that row alone. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "base/threads/threads.h"
#include "math/gemm/gemm.h"
#include "math/gemm/gemm_table.h"

static const random_stream STREAM = {11, RANDOM_TEST, 2};

static float *take(size_t count) {
    float *out = malloc((count + 1) * sizeof *out);
    assert_non_null(out);
    return out;
}

static float *take_random(size_t count, uint64_t first) {
    float *out = take(count);
    for (size_t i = 0; i < count; i++) {
        out[i] = (float)(2 * random_uniform(STREAM, first + i) - 1);
    }
    return out;
}

static void run(const gemm_ops *ops, const gemm_call *call) { ops->run(call); }

static float element(const float *matrix, size_t leading, bool transposed, size_t row, size_t column) {
    return transposed ? matrix[column * leading + row] : matrix[row * leading + column];
}

/* |error| <= (k + 2) eps sum |a| |b|, the bound for any order of summation; gaps between rows of c
 * stay untouched. */
static void check_product(const gemm_call *p, const float *before, const float *after, const char *name) {
    for (size_t i = 0; i < p->m; i++) {
        for (size_t j = 0; j < p->ldc; j++) {
            const float value = after[i * p->ldc + j];
            if (j >= p->n) {
                assert_memory_equal(&value, &before[i * p->ldc + j], sizeof value);
                continue;
            }
            double sum = p->add ? (double)before[i * p->ldc + j] : 0, size = fabs(sum);
            for (size_t l = 0; l < p->k; l++) {
                const double term = (double)element(p->a, p->lda, p->transpose_a, i, l) *
                                    (double)element(p->b, p->ldb, p->transpose_b, l, j);
                sum += term;
                size += fabs(term);
            }
            if (!(fabs((double)value - sum) <= (double)(p->k + 2) * (double)FLT_EPSILON * size)) {
                fail_msg("%s: m %zu n %zu k %zu, transposed %d %d, add %d: c[%zu][%zu] = %g instead of %g", name, p->m,
                         p->n, p->k, p->transpose_a, p->transpose_b, p->add, i, j, (double)value, sum);
            }
        }
    }
}

static void check_shape(size_t m, size_t n, size_t k, bool transpose_a, bool transpose_b, bool add) {
    size_t count;
    const gemm_ops *ops = gemm_implementations(&count);
    const size_t lda = (transpose_a ? m : k) + 3, ldb = (transpose_b ? k : n) + 2, ldc = n + 5;
    float *a = take_random((transpose_a ? k : m) * lda, 0), *b = take_random((transpose_b ? n : k) * ldb, 1000000);
    float *before = take_random(m * ldc, 2000000), *after = take(m * ldc);
    if (!add) { /* c must not be read then */
        for (size_t i = 0; i < m * ldc; i++) {
            before[i] = NAN;
        }
    }
    const gemm_call call = {transpose_a, transpose_b, add, m, n, k, a, lda, b, ldb, after, ldc, 0, m % 2 * m};
    for (size_t i = 0; i < count; i++) {
        memcpy(after, before, m * ldc * sizeof *after);
        run(&ops[i], &call);
        check_product(&call, before, after, ops[i].name);
    }
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        memcpy(after, before, m * ldc * sizeof *after);
        gemm_portable_on(&call, simd_level(level));
        check_product(&call, before, after, simd_level(level)->name);
    }
    memcpy(after, before, m * ldc * sizeof *after);
    gemm(&call);
    check_product(&call, before, after, "default");
    free(a);
    free(b);
    free(before);
    free(after);
}

static void products_are_right_for_all_transposes_and_shapes(void **state) {
    (void)state;
    static const size_t SHAPES[][3] = {
        {0, 5, 5},     {5, 0, 5},     {5, 5, 0},    {1, 1, 1},     {1, 7, 3},     {3, 1, 9},    {7, 16, 1},
        {150, 3, 300}, {64, 4, 256},  {70, 2, 515}, {8, 48, 16},   {9, 49, 17},   {64, 10, 33}, {64, 64, 22},
        {64, 1, 64},   {65, 100, 70}, {130, 33, 9}, {64, 97, 257}, {12, 50, 600}, {1, 150, 40}, {1, 5, 300}};
    for (size_t s = 0; s < sizeof SHAPES / sizeof SHAPES[0]; s++) {
        for (unsigned variant = 0; variant < 8; variant++) {
            check_shape(SHAPES[s][0], SHAPES[s][1], SHAPES[s][2], variant & 1, variant & 2, variant & 4);
        }
    }
}

static void all_small_shapes_are_right(void **state) {
    (void)state;
    for (size_t m = 1; m <= 18; m++) {
        for (size_t n = 1; n <= 18; n++) {
            check_shape(m, n, m * 5 % 7 + n, m % 2, n % 2, (m + n) % 3 == 0);
        }
    }
}

/* Compares row 0 of `reference`, computed among zero rows, with the same row at every place of
 * blocks of m rows among strange neighbours. With transpose_a the same holds for columns of the
 * stored a. */
static void check_row(const gemm_ops *ops, size_t n, size_t k, bool transpose_a) {
    enum { MOST = 3 * GEMM_ROWS };
    static const float STRANGE[] = {NAN, 1e30f, -1e30f, INFINITY, 1.0f};
    float *row = take_random(k, 77), *b = take_random(k * n, 5000), *reference = take(GEMM_ROWS * n),
          *c = take(MOST * n);
    float *a = take(MOST * k);
    for (size_t m = GEMM_ROWS; m <= MOST; m += GEMM_ROWS) {
        const size_t lda = transpose_a ? m : k, row_step = transpose_a ? 1 : lda, term_step = transpose_a ? lda : 1;
        for (size_t place = 0; place < m; place += m == GEMM_ROWS ? 1 : 13) {
            for (size_t i = 0; i < m; i++) {
                for (size_t l = 0; l < k; l++) {
                    const float neighbour = m == GEMM_ROWS && place == 0 ? 0.0f : STRANGE[(i + l / 3) % 5];
                    a[i * row_step + l * term_step] = i == place ? row[l] : neighbour;
                }
            }
            const gemm_call call = {transpose_a, false, false, m, n, k, a, lda, b, n, c, n, 0, 0};
            run(ops, &call);
            if (m == GEMM_ROWS && place == 0) {
                memcpy(reference, c, GEMM_ROWS * n * sizeof *c);
            } else if (memcmp(reference, c + place * n, n * sizeof *c) != 0) {
                fail_msg("%s: n %zu, k %zu, %zu rows: row %zu has other bits than row 0 among zeros", ops->name, n, k,
                         m, place);
            }
        }
    }
    free(row);
    free(a);
    free(b);
    free(c);
    free(reference);
}

static void a_row_keeps_its_bits_among_any_others(void **state) {
    (void)state;
    static const size_t SHAPES[][2] = {{1, 22},   {10, 64},   {22, 64},   {64, 22},
                                       {64, 256}, {100, 257}, {129, 300}, {256, 784}};
    size_t count;
    const gemm_ops *ops = gemm_implementations(&count);
    for (size_t i = 0; i < count; i++) {
        for (size_t s = 0; s < sizeof SHAPES / sizeof SHAPES[0]; s++) {
            check_row(&ops[i], SHAPES[s][0], SHAPES[s][1], false);
            check_row(&ops[i], SHAPES[s][0], SHAPES[s][1], true);
        }
    }
}

/* Checks what only the library's own product promises: a row alone has the bits of a row in a
 * block, and a column those it has in any width, but for the widths below 5, which gemm_narrow.c
 * computes. */
static void ours_keeps_bits_for_any_number_of_rows_and_columns(void **state) {
    (void)state;
    enum { M = 70, N = 100, K = 270 };
    size_t count;
    const gemm_ops *ops = gemm_implementations(&count);
    float *a = take_random(M * K, 0), *b = take_random(K * N, 100000), *whole = take(M * N), *part = take(M * N);
    const gemm_call call = {false, false, false, M, N, K, a, K, b, N, whole, N, 0, 0};
    run(&ops[0], &call);
    for (size_t m = 1; m <= M; m += 3) {
        const size_t n = 5 + m * 37 % (N - 4);
        const gemm_call less = {false, false, false, m, n, K, a, K, b, N, part, N, N - n, M};
        run(&ops[0], &less);
        for (size_t i = 0; i < m; i++) {
            assert_memory_equal(part + i * N, whole + i * N, n * sizeof *part);
        }
    }
    free(a);
    free(b);
    free(whole);
    free(part);
}

/* Checks the same for the widths below 5. */
static void ours_keeps_bits_of_few_columns_for_any_number_of_rows(void **state) {
    (void)state;
    enum { M = 70, K = 531 };
    size_t count;
    const gemm_ops *ops = gemm_implementations(&count);
    float *a = take_random(M * K, 0), *b = take_random(K * 4, 100000), *whole = take(M * 4), *part = take(M * 4);
    for (size_t n = 1; n <= 4; n++) {
        run(&ops[0], &(gemm_call){.m = M, .n = n, .k = K, .a = a, .lda = K, .b = b, .ldb = n, .c = whole, .ldc = n});
        for (size_t i = 0; i < M; i++) {
            run(&ops[0],
                &(gemm_call){.m = 1, .n = n, .k = K, .a = a + i * K, .lda = K, .b = b, .ldb = n, .c = part, .ldc = n});
            assert_memory_equal(part, whole + i * n, n * sizeof *part);
        }
    }
    free(a);
    free(b);
    free(whole);
    free(part);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_right_for_all_transposes_and_shapes),
        cmocka_unit_test(all_small_shapes_are_right),
        cmocka_unit_test(a_row_keeps_its_bits_among_any_others),
        cmocka_unit_test(ours_keeps_bits_for_any_number_of_rows_and_columns),
        cmocka_unit_test(ours_keeps_bits_of_few_columns_for_any_number_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
