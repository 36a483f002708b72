/* Noise for training rows: its moments, its range, its words, and that splitting does not change it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "math/kernels.h"
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

/* What noise.h promises of value number `i`, word by word. */
static float expected(random_stream stream, uint64_t i) {
    uint32_t words[4];
    random_words(stream, i / 4, words);
    const uint32_t word = words[i % 4];
    const uint32_t sum = (word & 255U) + (word >> 8 & 255U) + (word >> 16 & 255U) + (word >> 24);
    return (float)(1.0 / 147.80054127099806) * ((float)sum - 510.0F);
}

/* Counters that pass 2^32 on the way, too. */
static void every_level_makes_the_words_of_the_generator(void **state) {
    static const uint64_t FIRSTS[] = {0, 4096, (UINT64_C(1) << 34) - 64, (UINT64_C(1) << 40) + 4};
    const random_stream stream = {UINT64_C(0x123456789abcdef), RANDOM_TEST, 0xfedcba98U};
    (void)state;
    for (size_t level = 0; kernels_level(level) != NULL; level++) {
        for (size_t which = 0; which < 4; which++) {
            float got[130];
            const noise_counter counter = {stream.seed, FIRSTS[which] / 4, stream.purpose, stream.part};
            memset(got, 0, sizeof got);
            const size_t done = kernels_level(level)->noise(&counter, 130, (float)(1.0 / 147.80054127099806), got);
            assert_true(done <= 130 && done % 4 == 0);
            for (size_t i = 0; i < 130; i++) {
                assert_true(got[i] == (i < done ? expected(stream, FIRSTS[which] + i) : 0.0F));
            }
        }
    }
    float got[130];
    memset(got, 0, sizeof got);
    noise_add(stream, 4096, 130, 1.0, got);
    for (size_t i = 0; i < 130; i++) {
        assert_true(got[i] == expected(stream, 4096 + i));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_mean_0_and_deviation_1),
        cmocka_unit_test(pieces_equal_the_whole_and_are_added),
        cmocka_unit_test(every_level_makes_the_words_of_the_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
