/* Noise for training rows: its moments, its range, its words, and that splitting does not change
 * it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "math/random/cheap_normal.h"
#include "math/simd/simd_dispatch.h"

enum { COUNT = 1 << 20 };
static const random_stream STREAM = {7, RANDOM_TEST, 3};

/* Mean and variance of COUNT values lie within five standard errors (the variance's is below sqrt(2
 * / COUNT)). */
static void has_the_moments_and_tails_of_four_digits(void **state) {
    static float values[COUNT];
    double sum = 0.0, squares = 0.0, fourths = 0.0;
    size_t beyond = 0;
    (void)state;
    memset(values, 0, sizeof values);
    cheap_normal_add(STREAM, 0, COUNT, 1.0, values, values);
    for (size_t i = 0; i < COUNT; i++) {
        const double square = (double)values[i] * (double)values[i];
        sum += (double)values[i];
        squares += square;
        fourths += square * square;
        beyond += square > 4.0;
        assert_true(square < 3.3 * 3.3);
    }
    assert_true(fabs(sum / COUNT) < 5.0 / sqrt((double)COUNT));
    assert_true(fabs(squares / COUNT - 1.0) < 5.0 * sqrt(2.0 / (double)COUNT));
    /* Kurtosis 3 - 0.3 (1 + 2 / 255); its standard error is below sqrt(E x^8 / COUNT) < sqrt(105 /
     * COUNT). */
    assert_true(fabs(fourths / COUNT - 2.6976) < 5.0 * sqrt(105.0 / (double)COUNT));
    /* |sum - 30| > 18.4: 2 * 1365 of 65536 sums, 4.17 %, as a normal variate's 4.55 % beyond 2. */
    assert_true(fabs((double)beyond / COUNT - 0.04166) < 5.0 * sqrt(0.04 / (double)COUNT));
}

static void pieces_equal_the_whole_and_are_added(void **state) {
    float whole[103], pieces[103];
    (void)state;
    for (size_t i = 0; i < 103; i++) {
        whole[i] = pieces[i] = (float)i;
    }
    cheap_normal_add(STREAM, 0, 103, 0.25, whole, whole);
    cheap_normal_add(STREAM, 0, 64, 0.25, pieces, pieces);
    cheap_normal_add(STREAM, 64, 39, 0.25, pieces + 64, pieces + 64);
    assert_memory_equal(whole, pieces, sizeof whole);
    assert_true(whole[7] != 7.0F && fabsf(whole[7] - 7.0F) < 1.0F);
    float apart[103], plain[103];
    for (size_t i = 0; i < 103; i++) {
        plain[i] = (float)i;
    }
    cheap_normal_add(STREAM, 0, 103, 0.25, plain, apart);
    assert_memory_equal(whole, apart, sizeof whole);
}

static const double UNIT = 1.0 / 9.219544457292887; /* 1 / sqrt(85) */

/* Returns value number i of a stream, word by word: 64 values from 8 counters, lower digits
 * first. */
static float expected(random_stream stream, uint64_t i) {
    uint32_t words[4];
    const uint64_t place = i % 32;
    random_words(stream, i / 64 * 8 + place / 4, words);
    const uint32_t word = words[place % 4] >> (i % 64 < 32 ? 0 : 4);
    const uint32_t sum = (word & 15U) + (word >> 8 & 15U) + (word >> 16 & 15U) + (word >> 24 & 15U);
    return (float)UNIT * ((float)sum - 30.0F);
}

/* Also checks counters that pass 2^32. */
static void every_level_makes_the_words_of_the_generator(void **state) {
    static const uint64_t FIRSTS[] = {0, 4096, (UINT64_C(1) << 35) - 128, (UINT64_C(1) << 40) + 64};
    const random_stream stream = {UINT64_C(0x123456789abcdef), RANDOM_TEST, 0xfedcba98U};
    (void)state;
    for (size_t which = 0; which < 4; which++) {
        float got[300], zeros[300] = {0};
        for (size_t level = 0; simd_level(level) != NULL; level++) {
            const random_counter counter = {stream.seed, FIRSTS[which] / 8, stream.id, stream.part};
            memset(got, 0, sizeof got);
            const size_t done = simd_level(level)->noise(&counter, 300, (float)UNIT, zeros, got);
            assert_true(done <= 300 && done % 64 == 0);
            for (size_t i = 0; i < 300; i++) {
                assert_true(got[i] == (i < done ? expected(stream, FIRSTS[which] + i) : 0.0F));
            }
        }
        memset(got, 0, sizeof got);
        cheap_normal_add(stream, FIRSTS[which], 300, 1.0, got, got);
        for (size_t i = 0; i < 300; i++) {
            assert_true(got[i] == expected(stream, FIRSTS[which] + i));
        }
    }
}

/* Checks neighbours, neighbouring rows (784 apart), the two halves of a group and two steps for
 * independence: their correlations lie within five standard errors of 0. */
static void values_do_not_depend_on_each_other(void **state) {
    static const size_t LAGS[] = {1, 2, 3, 4, 31, 32, 33, 64, 784};
    static float values[COUNT], next[COUNT];
    const double bound = 5.0 / sqrt((double)COUNT);
    double across = 0.0;
    (void)state;
    memset(values, 0, sizeof values);
    memset(next, 0, sizeof next);
    cheap_normal_add(STREAM, 0, COUNT, 1.0, values, values);
    cheap_normal_add((random_stream){STREAM.seed, STREAM.id, STREAM.part + 1}, 0, COUNT, 1.0, next, next);
    for (size_t l = 0; l < sizeof LAGS / sizeof LAGS[0]; l++) {
        double sum = 0.0;
        for (size_t i = LAGS[l]; i < COUNT; i++) {
            sum += (double)values[i] * (double)values[i - LAGS[l]];
        }
        assert_true(fabs(sum / COUNT) < bound);
    }
    for (size_t i = 0; i < COUNT; i++) {
        across += (double)values[i] * (double)next[i];
    }
    assert_true(fabs(across / COUNT) < bound);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_moments_and_tails_of_four_digits),
        cmocka_unit_test(pieces_equal_the_whole_and_are_added),
        cmocka_unit_test(values_do_not_depend_on_each_other),
        cmocka_unit_test(every_level_makes_the_words_of_the_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
