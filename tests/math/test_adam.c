/* Adam on arrays: the same bits at every level and for any cut, no denormal numbers, NaN stays. A
 * test in learn compares its steps with the same in double. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "math/elementary/denormals.h"
#include "math/linalg/adam.h"
#include "math/random/variates.h"
#include "math/simd/simd_dispatch.h"

enum { COUNT = 203, STEPS = 9 };

typedef struct arrays {
    float values[COUNT], mean[COUNT], square[COUNT];
} arrays;

static void start(arrays *self) {
    memset(self, 0, sizeof *self);
    variates_normal((random_stream){1, RANDOM_TEST, 1}, 0, COUNT, 1.0, self->values);
}

/* Gradients of very different sizes. */
static void gradient_of(uint32_t step, float *gradient) {
    variates_normal((random_stream){2, RANDOM_TEST, step}, 0, COUNT, 1.0, gradient);
    for (size_t i = 0; i < COUNT; i++) {
        gradient[i] *= powf(10.0F, -(float)(i % 45));
    }
}

static adam_step step_of(uint32_t step) { return adam_prepare(step, 0.01, 0.999, 0.001, 0.002); }

static void every_level_and_cut_gives_the_same_bits(void **state) {
    (void)state;
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        arrays whole, cut;
        start(&whole);
        start(&cut);
        for (uint32_t number = 1; number <= STEPS; number++) {
            float gradient[COUNT];
            const adam_step step = step_of(number);
            gradient_of(number, gradient);
            simd_level(0)->adam(&step, COUNT, whole.values, gradient, whole.mean, whole.square);
            for (size_t i = 0; i < COUNT; i += 7) {
                const size_t size = COUNT - i < 7 ? COUNT - i : 7;
                simd_level(level)->adam(&step, i == 0 ? 100 : size, cut.values + i, gradient + i, cut.mean + i,
                                        cut.square + i);
                i += i == 0 ? 93 : 0; /* one long piece, then short ones */
            }
        }
        assert_memory_equal(&whole, &cut, sizeof whole);
    }
}

/* Decides by bits, because comparisons take denormal numbers for 0 too. */
static bool denormal(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7f800000U) == 0 && (bits & 0x7fffffU) != 0;
}

static float decimated(volatile float x) { return x / 10.0F; }

/* Checks that without gradients means decay to 0 and never through denormal numbers, and so do
 * values that only decay. */
static void nothing_decays_into_denormal_numbers(void **state) {
    (void)state;
    arrays self;
    float gradient[COUNT];
    const uint64_t before = denormals_flush_begin();
    start(&self);
    gradient_of(1, gradient);
    for (uint32_t number = 1; number <= 9000; number++) {
        const adam_step step = adam_prepare(number, 0.0, 0.98, 0.0, 0.0);
        adam_array(&step, COUNT, self.values, gradient, self.mean, self.square);
        for (size_t i = 0; i < COUNT; i++) {
            assert_false(denormal(self.values[i]) || denormal(self.mean[i]) || denormal(self.square[i]));
        }
        memset(gradient, 0, sizeof gradient);
    }
    denormals_flush_end(before);
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(self.values[i] == 0.0F && self.mean[i] == 0.0F && self.square[i] == 0.0F);
    }
    assert_true(denormal(decimated(FLT_MIN))); /* outside denormal numbers are what they were */
}

static void nan_stays_where_it_is(void **state) {
    (void)state;
    arrays self;
    float gradient[COUNT];
    const adam_step step = step_of(1);
    start(&self);
    gradient_of(1, gradient);
    gradient[20] = NAN;
    adam_array(&step, COUNT, self.values, gradient, self.mean, self.square);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(isnan(self.values[i]) != 0, i == 20);
    }
}

/* Compares up to the steps where the corrections are lost in rounding, and beyond; pow and squaring
 * differ by less than a float shows. */
static void corrections_are_those_of_the_step(void **state) {
    static const uint32_t NUMBERS[] = {1, 2, 10, 100, 511, 512, 513, 4095, 4096, 4097, 100000};
    (void)state;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++) {
        const adam_step step = adam_prepare(NUMBERS[i], 0.01, 1.0, 0.0, 0.0);
        const double rate = 0.01 / (1.0 - pow(ADAM_FIRST, NUMBERS[i]));
        const double root = 1.0 / sqrt(1.0 - pow(ADAM_SECOND, NUMBERS[i]));
        assert_true(fabs((double)step.rate - rate) <= 0x1p-23 * rate);
        assert_true(fabs((double)step.root - root) <= 0x1p-23 * root);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_and_cut_gives_the_same_bits),
        cmocka_unit_test(nothing_decays_into_denormal_numbers),
        cmocka_unit_test(nan_stays_where_it_is),
        cmocka_unit_test(corrections_are_those_of_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
