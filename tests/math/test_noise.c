/* Noise for training rows: its moments, its range, and that splitting does not change it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "math/noise.h"

enum { COUNT = 1 << 20 };
static const random_stream STREAM = {7, RANDOM_TEST, 3};

/* Mean and variance of COUNT values lie within five standard errors (the variance's is below sqrt(2 / COUNT)). */
static void has_mean_0_and_deviation_1(void **state) {
    static float values[COUNT];
    double sum = 0.0, squares = 0.0;
    (void)state;
    memset(values, 0, sizeof values);
    noise_add(STREAM, 0, COUNT, 1.0, values);
    for (size_t i = 0; i < COUNT; i++) {
        sum += (double)values[i];
        squares += (double)values[i] * (double)values[i];
        assert_true(fabsf(values[i]) < 3.5F);
    }
    assert_true(fabs(sum / COUNT) < 5.0 / sqrt((double)COUNT));
    assert_true(fabs(squares / COUNT - 1.0) < 5.0 * sqrt(2.0 / (double)COUNT));
}

static void pieces_equal_the_whole_and_are_added(void **state) {
    float whole[103], pieces[103];
    (void)state;
    for (size_t i = 0; i < 103; i++) {
        whole[i] = pieces[i] = (float)i;
    }
    noise_add(STREAM, 0, 103, 0.25, whole);
    noise_add(STREAM, 0, 40, 0.25, pieces);
    noise_add(STREAM, 40, 63, 0.25, pieces + 40);
    assert_memory_equal(whole, pieces, sizeof whole);
    assert_true(whole[7] != 7.0F && fabsf(whole[7] - 7.0F) < 1.0F);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_mean_0_and_deviation_1),
        cmocka_unit_test(pieces_equal_the_whole_and_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
