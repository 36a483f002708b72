/* reduce: sums against long double within a bound, and the order of the tree. */
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
#include "math/linalg/reduce.h"

enum { MOST = 100003 };

static const random_stream STREAM = {17, RANDOM_TEST, 4};
static const size_t COUNTS[] = {0, 1, 2, 7, 8, 9, 15, 511, 512, 513, 1024, 1025, 5000, 65536, MOST};

enum { COUNT_COUNT = sizeof COUNTS / sizeof COUNTS[0] };

typedef struct arrays {
    float x[MOST], y[MOST];
    double z[MOST];
} arrays;

static int fill(void **state) {
    arrays *self = malloc(sizeof *self);
    if (self == NULL) {
        return -1;
    }
    for (size_t i = 0; i < MOST; i++) {
        self->x[i] = (float)(random_uniform(STREAM, 2 * i) - 0.3);
        self->y[i] = (float)(random_uniform(STREAM, 2 * i + 1) - 0.7);
        self->z[i] = (double)self->x[i] / 3 + 1e6;
    }
    *state = self;
    return 0;
}

static int empty(void **state) {
    free(*state);
    return 0;
}

/* 64 additions in a lane, 3 across lanes, then the tree. */
static void check(size_t count, double value, long double exact, long double size) {
    const double terms = 70 + log2((double)count + 1);
    assert_true(fabsl((long double)value - exact) <= (long double)(terms * DBL_EPSILON) * size);
}

static void sums_are_within_the_bound(void **state) {
    const arrays *self = *state;
    for (size_t c = 0; c < COUNT_COUNT; c++) {
        long double sum = 0, sum_size = 0, squares = 0, dot = 0, dot_size = 0, doubles = 0, distance = 0;
        for (size_t i = 0; i < COUNTS[c]; i++) {
            const long double x = (long double)self->x[i], y = (long double)self->y[i];
            sum += x;
            sum_size += fabsl(x);
            squares += x * x;
            dot += x * y;
            dot_size += fabsl(x * y);
            doubles += (long double)self->z[i];
            distance += (x - y) * (x - y);
        }
        check(COUNTS[c], reduce_sum(self->x, COUNTS[c]), sum, sum_size);
        check(COUNTS[c], reduce_squares(self->x, COUNTS[c]), squares, squares);
        check(COUNTS[c], reduce_dot(self->x, self->y, COUNTS[c]), dot, dot_size);
        check(COUNTS[c], reduce_sum_double(self->z, COUNTS[c]), doubles, doubles);
        check(COUNTS[c], reduce_distance(self->x, self->y, COUNTS[c]), distance, distance);
    }
}

static void sums_do_not_overflow_where_floats_would(void **state) {
    (void)state;
    const float x[3] = {FLT_MAX, FLT_MAX, -FLT_MAX};
    assert_true(reduce_sum(x, 3) == (double)FLT_MAX);
    assert_true(reduce_squares(x, 3) == 3 * ((double)FLT_MAX * (double)FLT_MAX));
    assert_true(reduce_distance(x, x, 3) == 0);
}

/* Rows are added as ((0 + 1) + (2 + 3)) + (4 + ...): checked bit for bit for small counts. */
static float tree(const float *parts, size_t first, size_t count, size_t size, size_t column) {
    if (count == 1) {
        return parts[first * size + column];
    }
    size_t left = 1;
    while (2 * left < count) {
        left *= 2;
    }
    return tree(parts, first, left, size, column) + tree(parts, first + left, count - left, size, column);
}

static void rows_are_added_by_the_fixed_tree(void **state) {
    const arrays *self = *state;
    enum { SIZE = 5, ROWS = 40 };
    for (size_t count = 1; count <= ROWS; count++) {
        float parts[ROWS * SIZE];
        memcpy(parts, self->x, sizeof parts);
        reduce_rows(parts, count, SIZE);
        for (size_t column = 0; column < SIZE; column++) {
            const float expected = tree(self->x, 0, count, SIZE, column);
            assert_memory_equal(&parts[column], &expected, sizeof expected);
        }
    }
    reduce_rows(NULL, 0, SIZE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_within_the_bound),
        cmocka_unit_test(sums_do_not_overflow_where_floats_would),
        cmocka_unit_test(rows_are_added_by_the_fixed_tree),
    };
    return cmocka_run_group_tests(tests, fill, empty);
}
