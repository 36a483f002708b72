/* variates: distributions by Kolmogorov and Smirnov's distance and by moments, and one number for
 * each place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/elementary/elementary.h"
#include "math/random/variates.h"
#include "math/simd/simd_dispatch.h"

enum { COUNT = 100000 };

static const double PI = 3.14159265358979323846;

typedef void draw(random_stream stream, uint64_t first, size_t count, double scale, float *out);

static double normal_below(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }
static double cauchy_below(double x) { return 0.5 + atan(x) / PI; }
static double laplace_below(double x) { return x < 0 ? 0.5 * exp(x) : 1 - 0.5 * exp(-x); }
static double uniform_below(double x) { return x; }

static const struct {
    const char *name;
    draw *draw;
    double (*below)(double x); /* probability of a smaller variate */
} DISTRIBUTIONS[] = {
    {"normal", variates_normal, normal_below},
    {"cauchy", variates_cauchy, cauchy_below},
    {"laplace", variates_laplace, laplace_below},
    {"uniform", variates_uniform, uniform_below},
};

enum { DISTRIBUTION_COUNT = sizeof DISTRIBUTIONS / sizeof DISTRIBUTIONS[0] };

static int by_value(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* sqrt(n) D exceeds 1.95 with probability 0.001 for the right distribution; the seeds are fixed. */
static void distances_to_the_distributions_are_small(void **state) {
    (void)state;
    float *x = malloc(COUNT * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < DISTRIBUTION_COUNT; i++) {
        for (uint32_t part = 0; part < 3; part++) {
            const double scale = part == 2 ? 0.25 : 1.0;
            DISTRIBUTIONS[i].draw((random_stream){5, RANDOM_TEST, part}, 1000, COUNT, scale, x);
            qsort(x, COUNT, sizeof *x, by_value);
            double distance = 0;
            for (size_t j = 0; j < COUNT; j++) {
                const double below = DISTRIBUTIONS[i].below((double)x[j] / scale);
                distance = fmax(distance, fmax((double)(j + 1) / COUNT - below, below - (double)j / COUNT));
            }
            if (!(sqrt((double)COUNT) * distance < 1.95)) {
                fail_msg("%s, part %u: distance %g", DISTRIBUTIONS[i].name, part, distance);
            }
        }
    }
    free(x);
}

/* Mean of power p over the normal and Laplace variates, within 4 standard deviations. */
static void moments_are_right(void **state) {
    (void)state;
    static const double NORMAL[] = {1, 0, 1, 0, 3, 0, 15, 0, 105}, LAPLACE[] = {1, 0, 2, 0, 24, 0, 720, 0, 40320};
    float *x = malloc(COUNT * sizeof *x);
    assert_non_null(x);
    for (int which = 0; which < 2; which++) {
        const double *moment = which == 0 ? NORMAL : LAPLACE;
        DISTRIBUTIONS[2 * which].draw((random_stream){9, RANDOM_TEST, 0}, 0, COUNT, 1.0, x);
        for (int power = 1; power <= 4; power++) {
            double sum = 0;
            for (size_t i = 0; i < COUNT; i++) {
                sum += pow((double)x[i], power);
            }
            const double deviation = sqrt((moment[2 * power] - moment[power] * moment[power]) / COUNT);
            assert_true(fabs(sum / COUNT - moment[power]) < 4 * deviation);
        }
    }
    free(x);
}

/* Neighbours share Philox words in the normal's pairs: their correlation must vanish all the
 * same. */
static void neighbours_are_uncorrelated(void **state) {
    (void)state;
    float *x = malloc(COUNT * sizeof *x);
    assert_non_null(x);
    variates_normal((random_stream){4, RANDOM_TEST, 0}, 0, COUNT, 1.0, x);
    for (size_t lag = 1; lag <= 4; lag++) {
        double product = 0, squares = 0;
        for (size_t i = 0; i + lag < COUNT; i++) {
            const double a = (double)x[i], b = (double)x[i + lag];
            product += a * b;
            squares += (a * a - 1) * (b * b - 1); /* variance 4 */
        }
        assert_true(fabs(product) < 4 * sqrt((double)COUNT));
        assert_true(fabs(squares) < 8 * sqrt((double)COUNT));
    }
    free(x);
}

static void a_variate_depends_on_its_number_alone(void **state) {
    (void)state;
    enum { SIZE = 64 };
    const random_stream stream = {(uint64_t)1 << 40, RANDOM_TEST, 7};
    const uint64_t origin = ((uint64_t)1 << 33) + 5;
    for (size_t i = 0; i < DISTRIBUTION_COUNT; i++) {
        float whole[SIZE], part[SIZE];
        DISTRIBUTIONS[i].draw(stream, origin, SIZE, 3.0, whole);
        for (size_t first = 0; first < SIZE; first++) {
            for (size_t count = 0; first + count <= SIZE; count++) {
                DISTRIBUTIONS[i].draw(stream, origin + first, count, 3.0, part);
                assert_memory_equal(part, whole + first, count * sizeof *part);
            }
        }
    }
}

static void streams_differ(void **state) {
    (void)state;
    float a[8], b[8];
    for (size_t i = 0; i < DISTRIBUTION_COUNT; i++) {
        DISTRIBUTIONS[i].draw((random_stream){1, RANDOM_TEST, 0}, 0, 8, 1.0, a);
        DISTRIBUTIONS[i].draw((random_stream){1, RANDOM_TEST, 1}, 0, 8, 1.0, b);
        assert_memory_not_equal(a, b, sizeof a);
        DISTRIBUTIONS[i].draw((random_stream){2, RANDOM_TEST, 0}, 0, 8, 1.0, b);
        assert_memory_not_equal(a, b, sizeof a);
    }
}

/* Scales that are no floats, or so small that u * scale often rounds up to the float nearest to
 * scale. */
static void uniform_stays_below_its_scale(void **state) {
    (void)state;
    const double scales[] = {2 * PI, 1.0, 0.1, 3 * 0x1p-149};
    float *x = malloc(COUNT * sizeof *x);
    assert_non_null(x);
    for (size_t s = 0; s < 4; s++) {
        variates_uniform((random_stream){1, RANDOM_TEST, 0}, 0, COUNT, scales[s], x);
        for (size_t i = 0; i < COUNT; i++) {
            assert_true(x[i] >= 0 && (double)x[i] < scales[s]);
        }
    }
    free(x);
}

/* Checks the promise that a seed gives the same numbers on every platform, by the bits of a few of
 * them. */
static void bits_are_the_promised_ones(void **state) {
    (void)state;
    static const float PROMISED[DISTRIBUTION_COUNT][3] = {{-0x1.64beacp-2f, -0x1.30e164p-3f, 0x1.0016d2p-2f},
                                                          {0x1.f9579p-1f, -0x1.560a4ap-2f, -0x1.08e9a4p+0f},
                                                          {0x1.5ea48cp-1f, -0x1.d66d12p-3f, -0x1.6e2ad6p-1f},
                                                          {0x1.7eeef6p-1f, 0x1.96ec54p-2f, 0x1.f4d8e8p-3f}};
    for (size_t i = 0; i < DISTRIBUTION_COUNT; i++) {
        float x[3];
        DISTRIBUTIONS[i].draw((random_stream){1, RANDOM_TEST, 0}, 0, 3, 1.0, x);
        assert_memory_equal(x, PROMISED[i], sizeof x);
    }
}

/* Makes a pair from the functions of elementary.h. */
static void expected_pair(uint64_t u, uint64_t v, double scale, float out[2]) {
    const double radius = sqrt(-2.0 * elementary_log(((double)u + 0.5) * 0x1p-52));
    double s, c;
    elementary_sincos_turns(((double)v + 0.5) * 0x1p-52, &s, &c);
    out[0] = (float)(scale * (radius * c));
    out[1] = (float)(scale * (radius * s));
}

/* Compares bits at the ends of the interval, around sqrt(1/2) and its halves, where the logarithm
 * changes its path, and around the eighths of a turn, where sine and cosine do; then random
 * ones. */
static void every_level_makes_the_same_pairs(void **state) {
    (void)state;
    enum { COUNT_OF_PAIRS = 400 };
    static const uint64_t FIXED[] = {0, 1, (UINT64_C(1) << 52) - 1, (UINT64_C(1) << 52) - 2};
    uint64_t u[COUNT_OF_PAIRS], v[COUNT_OF_PAIRS];
    for (size_t i = 0; i < COUNT_OF_PAIRS; i++) {
        const uint64_t root = (UINT64_C(0x16a09e667f3bcd) >> 1) >> i / 7 % 5, eighth = i / 7 % 9 * (UINT64_C(1) << 49);
        const random_stream stream = {3, RANDOM_TEST, 1};
        const bool chosen = i < 200;
        u[i] = i < 4 ? FIXED[i] : chosen ? root - 3 + i % 7 : random_below(stream, i, UINT64_C(1) << 52);
        v[i] = i < 4    ? FIXED[i]
               : chosen ? (eighth - 3 + i % 7) & ((UINT64_C(1) << 52) - 1)
                        : random_below(stream, i + 999, UINT64_C(1) << 52);
    }
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        float got[2 * COUNT_OF_PAIRS], pair[2];
        simd_level(level)->normal(COUNT_OF_PAIRS, u, v, 0.75, got);
        for (size_t i = 0; i < COUNT_OF_PAIRS; i++) {
            expected_pair(u[i], v[i], 0.75, pair);
            assert_memory_equal(got + 2 * i, pair, sizeof pair);
        }
    }
}

/* Also checks counters that pass 2^32. */
static void every_level_makes_the_bits_of_the_generator(void **state) {
    (void)state;
    static const uint64_t FIRSTS[] = {0, 5, (UINT64_C(1) << 32) - 11, UINT64_C(1) << 40};
    const random_stream stream = {UINT64_C(0x123456789abcdef), RANDOM_TEST, 0xfedcba98U};
    for (size_t which = 0; which < 4; which++) {
        const random_counter counter = {stream.seed, FIRSTS[which], stream.id, stream.part};
        for (size_t level = 0; simd_level(level) != NULL; level++) {
            uint64_t u[37], v[37];
            const size_t done = simd_level(level)->random(&counter, 37, u, v);
            assert_true(done <= 37);
            for (size_t i = 0; i < done; i++) {
                uint32_t words[4];
                random_words(stream, FIRSTS[which] + i, words);
                assert_true(u[i] == ((uint64_t)words[0] << 20 | words[1] >> 12));
                assert_true(v[i] == ((uint64_t)words[2] << 20 | words[3] >> 12));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_to_the_distributions_are_small),
        cmocka_unit_test(moments_are_right),
        cmocka_unit_test(neighbours_are_uncorrelated),
        cmocka_unit_test(a_variate_depends_on_its_number_alone),
        cmocka_unit_test(streams_differ),
        cmocka_unit_test(uniform_stays_below_its_scale),
        cmocka_unit_test(bits_are_the_promised_ones),
        cmocka_unit_test(every_level_makes_the_same_pairs),
        cmocka_unit_test(every_level_makes_the_bits_of_the_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
