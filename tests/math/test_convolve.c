/* convolve: the transforms against the plain loops, by property, and row by row. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "math/fft/convolve.h"
#include "math/simd/simd_dispatch.h"

static const random_stream STREAM = {13, RANDOM_TEST, 3};

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

static double norm(const float *x, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)x[i] * (double)x[i];
    }
    return sqrt(sum);
}

/* A plan with its filters transformed. */
typedef struct fixture {
    convolver *plan;
    size_t d, k, blocks;
    float *r, *spectrum, *scratch;
} fixture;

static fixture begin(size_t d, size_t k, float *r) {
    fixture self = {NULL, d, k, (k + d - 1) / d, r, NULL, NULL};
    assert_int_equal(convolver_create(&self.plan, d, k, NULL), CNM_OK);
    assert_int_equal(convolver_blocks(self.plan), self.blocks);
    self.spectrum = take(convolver_spectrum_size(self.plan));
    self.scratch = take(convolver_scratch_size(self.plan));
    convolver_transform_filters(self.plan, r, self.spectrum, self.scratch);
    return self;
}

static void end(fixture *self) {
    convolver_destroy(self->plan);
    free(self->r);
    free(self->spectrum);
    free(self->scratch);
}

/* Rounding of a transform grows with the logarithm of its length, at most 4 d here; each of its
 * stages and the product round |r| |x| by a few 2^-24. */
static double bound(size_t d) { return 1e-7 * (2 + log2((double)d)); }

static void check_forward(const fixture *f, size_t rows) {
    const size_t ld_x = f->d + 3, ld_out = f->k + 2;
    float *x = take_random(rows * ld_x, 100000), *dense = take(rows * f->d), *expected = take(rows * f->k);
    float *out = take(rows * ld_out);
    for (size_t i = 0; i < rows * ld_out; i++) {
        out[i] = 777.0f;
    }
    for (size_t row = 0; row < rows; row++) {
        memcpy(dense + row * f->d, x + row * ld_x, f->d * sizeof *x);
    }
    convolve_reference(f->d, f->k, f->r, dense, rows, expected);
    convolver_forward(f->plan, f->spectrum, x, ld_x, rows, out, ld_out, f->scratch);
    for (size_t row = 0; row < rows; row++) {
        const double size = norm(f->r, f->blocks * f->d) * norm(dense + row * f->d, f->d);
        for (size_t o = 0; o < ld_out; o++) {
            const double wanted = o < f->k ? (double)expected[row * f->k + o] : 777.0;
            const double error = fabs((double)out[row * ld_out + o] - wanted);
            if (!(error <= (o < f->k ? bound(f->d) * size : 0))) {
                fail_msg("d %zu, k %zu, row %zu, output %zu: off by %g", f->d, f->k, row, o, error);
            }
        }
    }
    free(x);
    free(dense);
    free(expected);
    free(out);
}

static void check_gradient(const fixture *f, size_t rows) {
    float *x = take_random(rows * f->d, 300000), *g = take_random(rows * f->k, 400000);
    float *expected = take(f->blocks * f->d), *gradient = take(f->blocks * f->d);
    float *sum = calloc(convolver_spectrum_size(f->plan) + 1, sizeof *sum);
    assert_non_null(sum);
    correlate_reference(f->d, f->k, x, g, rows, expected);
    convolver_accumulate(f->plan, x, f->d, g, f->k, rows, sum, f->scratch);
    convolver_finish(f->plan, sum, gradient, f->scratch);
    const double size = norm(x, rows * f->d) * norm(g, rows * f->k);
    for (size_t i = 0; i < f->blocks * f->d; i++) {
        const double error = fabs((double)gradient[i] - (double)expected[i]);
        if (!(error <= bound(f->d) * size)) {
            fail_msg("d %zu, k %zu: gradient %zu off by %g", f->d, f->k, i, error);
        }
    }
    free(x);
    free(g);
    free(expected);
    free(gradient);
    free(sum);
}

static void check_size(size_t d, size_t k, size_t rows) {
    fixture f = begin(d, k, take_random(((k + d - 1) / d) * d, 7));
    check_forward(&f, rows);
    check_gradient(&f, rows);
    end(&f);
}

static void every_small_length_matches_the_plain_loops(void **state) {
    (void)state;
    for (size_t d = 1; d <= 64; d++) {
        const size_t features[] = {1, d / 2, d - 1, d, d + 1, 2 * d, 2 * d + d / 3, 3 * d, 5 * d - 1};
        for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
            if (features[i] > 0) {
                check_size(d, features[i], 1 + (d + i) % 19);
            }
        }
    }
}

static void long_lengths_match_the_plain_loops(void **state) {
    (void)state;
    static const size_t LENGTHS[] = {100, 256, 400, 784, 1000, 1009, 2047};
    for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
        const size_t d = LENGTHS[i];
        check_size(d, d / 3, 2);
        check_size(d, d, 3);
        check_size(d, 2 * d + 5, 1);
    }
    check_size(3, 3 * 70, 2); /* more pairs of blocks than lanes */
}

static void convolution_is_linear(void **state) {
    (void)state;
    enum { D = 90, K = 200 };
    fixture f = begin(D, K, take_random(3 * D, 7));
    float *x = take_random(3 * D, 50), out[3][K];
    for (size_t i = 0; i < D; i++) {
        x[2 * D + i] = 0.5f * x[i] - 2.0f * x[D + i];
    }
    convolver_forward(f.plan, f.spectrum, x, D, 3, out[0], K, f.scratch);
    const double size = norm(f.r, 3 * D) * 3 * norm(x, 3 * D);
    for (size_t o = 0; o < K; o++) {
        const double sum = 0.5 * (double)out[0][o] - 2.0 * (double)out[1][o];
        assert_true(fabs((double)out[2][o] - sum) <= bound(D) * size);
    }
    free(x);
    end(&f);
}

/* Checks that x = 1 at place s gives the filter, translated by s. */
static void an_impulse_gives_the_translated_filter(void **state) {
    (void)state;
    static const size_t LENGTHS[] = {16, 22, 35, 37};
    for (size_t which = 0; which < 4; which++) {
        const size_t d = LENGTHS[which];
        for (size_t blocks = 1; blocks <= 3; blocks++) {
            fixture f = begin(d, blocks * d, take_random(blocks * d, 7));
            float *x = calloc(d * d, sizeof *x), *out = take(d * blocks * d);
            assert_non_null(x);
            for (size_t s = 0; s < d; s++) {
                x[s * d + s] = 1.0f;
            }
            convolver_forward(f.plan, f.spectrum, x, d, d, out, blocks * d, f.scratch);
            for (size_t i = 0; i < d * blocks * d; i++) {
                const size_t s = i / (blocks * d), b = i / d % blocks, place = (i % d + d - s) % d;
                assert_true(fabs((double)out[i] - (double)f.r[b * d + place]) <= bound(d) * norm(f.r, blocks * d));
            }
            free(x);
            free(out);
            end(&f);
        }
    }
}

static void translating_a_row_translates_its_output(void **state) {
    (void)state;
    enum { D = 60 };
    fixture f = begin(D, D, take_random(D, 7));
    float *x = take_random(2 * D, 50), out[2][D];
    for (size_t i = 0; i < D; i++) {
        x[D + (i + 17) % D] = x[i];
    }
    convolver_forward(f.plan, f.spectrum, x, D, 2, out[0], D, f.scratch);
    for (size_t i = 0; i < D; i++) {
        assert_true(fabs((double)out[1][(i + 17) % D] - (double)out[0][i]) <= 2 * bound(D) * norm(f.r, D) * norm(x, D));
    }
    free(x);
    end(&f);
}

/* Checks a row alone, and at every place among neighbours of NaN, infinities and 1e30. */
static void a_row_keeps_its_bits_among_any_others(void **state) {
    (void)state;
    enum { ROWS = 19 };
    static const float STRANGE[] = {NAN, 1e30f, -1e30f, INFINITY};
    static const size_t SIZES[][2] = {{48, 48}, {48, 20}, {48, 100}, {45, 45}, {22, 22}, {22, 50}, {1, 3}, {2, 2}};
    for (size_t which = 0; which < sizeof SIZES / sizeof SIZES[0]; which++) {
        const size_t d = SIZES[which][0], k = SIZES[which][1];
        fixture f = begin(d, k, take_random((k + d - 1) / d * d, 7));
        float *row = take_random(d, 900), *x = take(ROWS * d), *alone = take(k), *out = take(ROWS * k);
        convolver_forward(f.plan, f.spectrum, row, d, 1, alone, k, f.scratch);
        for (size_t place = 0; place < ROWS; place++) {
            for (size_t i = 0; i < ROWS * d; i++) {
                x[i] = i / d == place ? row[i % d] : STRANGE[(i / 3) % 4];
            }
            convolver_forward(f.plan, f.spectrum, x, d, ROWS, out, k, f.scratch);
            assert_memory_equal(out + place * k, alone, k * sizeof *out);
        }
        free(row);
        free(x);
        free(alone);
        free(out);
        end(&f);
    }
}

/* Compares 1 to 16 rows, which take different paths, with 16, for every kind of length; ordinary
 * rows, rows of zeros of both signs with few other values, and an infinity. */
static void few_rows_have_the_bits_of_many(void **state) {
    (void)state;
    enum { ROWS = 16 };
    for (size_t d = 1; d <= 400; d += d < 100 ? 1 : d % 50 == 0 ? 20 : 10) {
        for (size_t k = d / 2 + 1; k <= 2 * d + 3; k += d / 2 + 1) {
            fixture f = begin(d, k, take_random((k + d - 1) / d * d, 7));
            float *x = take_random(ROWS * d, 900), *many = take(ROWS * k), *few = take(ROWS * k);
            for (size_t i = 0; i < 4 * d; i++) {
                x[i] = i % 5 == 0 ? x[i] : i % 2 == 0 ? -0.0F : 0.0F;
            }
            x[5 * d + d / 2] = INFINITY;
            convolver_forward(f.plan, f.spectrum, x, d, ROWS, many, k, f.scratch);
            for (size_t rows = 1; rows < ROWS; rows += 1 + rows / 3) {
                for (size_t first = 0; first + rows <= ROWS; first += rows) {
                    convolver_forward(f.plan, f.spectrum, x + first * d, d, rows, few + first * k, k, f.scratch);
                }
                for (size_t i = 0; i < ROWS / rows * rows * k; i++) {
                    if (memcmp(&few[i], &many[i], sizeof *few) != 0 && !(isnan(few[i]) && isnan(many[i]))) {
                        fail_msg("d %zu, k %zu, %zu rows: element %zu is %g and %g", d, k, rows, i, (double)few[i],
                                 (double)many[i]);
                    }
                }
            }
            free(x);
            free(many);
            free(few);
            end(&f);
        }
    }
}

/* Sets expected (4, length) to what the passes over lanes give for one row in the first of them,
 * forward and inverse, re and im. */
static void pass_in_lanes(size_t radix, size_t part, const float *data, const float *twiddles, float *expected) {
    const size_t length = radix * part;
    float *lanes = calloc(length * 2 * LANES, sizeof *lanes), *turns = take(2 * length);
    assert_non_null(lanes);
    for (size_t j = 0; j < part; j++) {
        for (size_t q = 0; q < 2 * (radix - 1); q++) {
            turns[j * (radix - 1) * 2 + q] = twiddles[q * part + j];
        }
    }
    for (size_t direction = 0; direction < 2; direction++) {
        for (size_t i = 0; i < 2 * length; i++) {
            lanes[(i % length * 2 + i / length) * LANES] = data[i];
        }
        const simd_table *run = simd_level(0);
        (direction == 0 ? run->forward : run->inverse)[radix](lanes, length, 1, turns);
        for (size_t i = 0; i < 2 * length; i++) {
            expected[direction * 2 * length + i] = lanes[(i % length * 2 + i / length) * LANES];
        }
    }
    free(lanes);
    free(turns);
}

static void passes_across_have_the_bits_of_passes_over_lanes(void **state) {
    (void)state;
    static const size_t RADICES[] = {2, 3, 4, 5, 7}, PARTS[] = {1, 3, 8, 15, 16, 17, 40};
    for (size_t i = 0; i < 5 * 7; i++) {
        const size_t radix = RADICES[i % 5], part = PARTS[i / 5], length = radix * part;
        float *data = take_random(2 * length, 0), *twiddles = take_random(2 * length, 5000);
        float *expected = take(4 * length), *out = take(4 * length);
        pass_in_lanes(radix, part, data, twiddles, expected);
        for (size_t level = 0; simd_level(level) != NULL; level++) {
            const simd_table *run = simd_level(level);
            run->across_forward[radix](&(across_pass){length, twiddles, data, data + length, out, out + length});
            run->across_inverse[radix](
                &(across_pass){length, twiddles, data, data + length, out + 2 * length, out + 3 * length});
            assert_memory_equal(out, expected, 4 * length * sizeof *out);
        }
        free(data);
        free(twiddles);
        free(expected);
        free(out);
    }
}

/* Compares factors given to the convolver with rows multiplied before. */
static void factors_on_the_way_in_change_no_bit(void **state) {
    (void)state;
    enum { ROWS = 35 };
    static const size_t SIZES[][2] = {{48, 48}, {45, 45}, {49, 130}, {22, 22}, {100, 30}, {97, 97}, {1, 3}};
    for (size_t which = 0; which < sizeof SIZES / sizeof SIZES[0]; which++) {
        const size_t d = SIZES[which][0], k = SIZES[which][1], ld = d + 3;
        fixture f = begin(d, k, take_random((k + d - 1) / d * d, 7));
        float *x = take_random(ROWS * ld, 900), *factor = take_random(ld, 77), *product = take(ROWS * ld);
        float *expected = take(ROWS * k), *out = take(ROWS * k);
        for (size_t i = 0; i < ROWS * ld; i++) {
            product[i] = i % ld < d ? x[i] * factor[i % ld] : NAN;
        }
        for (size_t rows = 1; rows <= ROWS; rows += 1 + rows / 2) {
            convolver_forward(f.plan, f.spectrum, product, ld, rows, expected, k, f.scratch);
            convolver_forward_scaled(f.plan, f.spectrum, &(convolve_input){x, ld, factor}, rows, out, k, f.scratch);
            assert_memory_equal(out, expected, rows * k * sizeof *out);
        }
        free(x);
        free(factor);
        free(product);
        free(expected);
        free(out);
        end(&f);
    }
}

static void parts_of_a_gradient_add_up(void **state) {
    (void)state;
    enum { D = 56, K = 56, ROWS = 50 };
    for (size_t k = K; k <= 3 * K; k += K) {
        fixture f = begin(D, k, take_random(k, 7));
        const size_t size = convolver_spectrum_size(f.plan);
        float *x = take_random(ROWS * D, 50), *g = take_random(ROWS * k, 9000), *whole = calloc(size, sizeof *whole);
        float *parts = calloc(size, sizeof *parts), *expected = take(k), *gradient = take(k);
        assert_true(whole != NULL && parts != NULL);
        convolver_accumulate(f.plan, x, D, g, k, ROWS, whole, f.scratch);
        convolver_finish(f.plan, whole, expected, f.scratch);
        for (size_t first = 0; first < ROWS; first += 13) {
            const size_t rows = ROWS - first < 13 ? ROWS - first : 13;
            convolver_accumulate(f.plan, x + first * D, D, g + first * k, k, rows, parts, f.scratch);
        }
        convolver_finish(f.plan, parts, gradient, f.scratch);
        const double most = bound(D) * norm(x, ROWS * D) * norm(g, ROWS * k);
        for (size_t i = 0; i < k; i++) {
            assert_true(fabs((double)gradient[i] - (double)expected[i]) <= most);
        }
        free(x);
        free(g);
        free(whole);
        free(parts);
        free(expected);
        free(gradient);
        end(&f);
    }
}

/* Runs all that a level does around and in a transform, one after another, into out (FLOATS). */
enum { LENGTH = 4 * 3 * 5 * 7, FLOATS = LENGTH * 2 * LANES };

static void run_level(const simd_table *run, size_t radix, const float *data, const float *twiddles, float *out) {
    float *other = take(FLOATS);
    size_t partner[LENGTH];
    for (size_t p = 0; p < LENGTH; p++) {
        partner[p] = (LENGTH - p) % LENGTH;
    }
    run->load_lanes(data, 2 * LENGTH, 16, 2 * LENGTH - 3, 2 * LENGTH, LANES, twiddles, out);
    run->load_lanes(data, LENGTH, 11, LENGTH - 3, LENGTH, 2 * LANES, NULL, other);
    run->load_lanes(data, LENGTH, 0, 0, LENGTH, 2 * LANES, NULL, other + LANES);
    run->forward[radix](out, LENGTH / 2, 2, twiddles);
    run->forward[radix](other, LENGTH, 1, twiddles);
    run->correlate(LENGTH, out, other, out);
    run->correlate_one_filter(LENGTH, data, other, partner, twiddles, out);
    run->multiply(LENGTH, out, twiddles, out);
    run->multiply_one_filter(LENGTH, out, partner, twiddles, other);
    run->inverse[radix](other, LENGTH, 1, twiddles);
    memset(out, 0, FLOATS * sizeof *out);
    run->store_lanes(other, LANES, 16, 2 * LENGTH - 1, out, 2 * LENGTH);
    free(other);
}

static void levels_agree_bit_for_bit(void **state) {
    (void)state;
    static const size_t RADICES[] = {2, 3, 4, 5, 7};
    float *data = take_random(FLOATS, 0), *twiddles = take_random(4 * LENGTH, 500000);
    float *expected = take(FLOATS), *out = take(FLOATS);
    for (size_t i = 0; i < 5; i++) {
        run_level(simd_level(0), RADICES[i], data, twiddles, expected);
        for (size_t level = 1; simd_level(level) != NULL; level++) {
            run_level(simd_level(level), RADICES[i], data, twiddles, out);
            assert_memory_equal(expected, out, FLOATS * sizeof *out);
        }
    }
    free(data);
    free(twiddles);
    free(expected);
    free(out);
}

static void impossible_plans_are_refused(void **state) {
    (void)state;
    convolver *plan;
    cnm_error err = {CNM_OK, ""};
    assert_int_equal(convolver_create(&plan, 0, 1, &err), CNM_BAD_ARGUMENT);
    assert_null(plan);
    assert_int_equal(convolver_create(&plan, 1, 0, &err), CNM_BAD_ARGUMENT);
    assert_int_equal(convolver_create(&plan, SIZE_MAX / 2, 5, &err), CNM_NO_MEMORY);
    assert_int_equal(convolver_create(&plan, (size_t)1 << 60, (size_t)1 << 60, &err), CNM_NO_MEMORY);
    assert_null(plan);
    convolver_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_length_matches_the_plain_loops),
        cmocka_unit_test(long_lengths_match_the_plain_loops),
        cmocka_unit_test(convolution_is_linear),
        cmocka_unit_test(an_impulse_gives_the_translated_filter),
        cmocka_unit_test(translating_a_row_translates_its_output),
        cmocka_unit_test(a_row_keeps_its_bits_among_any_others),
        cmocka_unit_test(few_rows_have_the_bits_of_many),
        cmocka_unit_test(passes_across_have_the_bits_of_passes_over_lanes),
        cmocka_unit_test(factors_on_the_way_in_change_no_bit),
        cmocka_unit_test(parts_of_a_gradient_add_up),
        cmocka_unit_test(levels_agree_bit_for_bit),
        cmocka_unit_test(impossible_plans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
