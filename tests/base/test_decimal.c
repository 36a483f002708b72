/* The 128-bit estimates behind reading and writing: within their slack for every power, checked by
 * exact integers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "base/text/bigint.h"
#include "base/text/decimal.h"

static void set_uint128(bigint *out, uint128 value) {
    const uint32_t limbs[] = {(uint32_t)(value.high >> 32), (uint32_t)value.high, (uint32_t)(value.low >> 32),
                              (uint32_t)value.low};
    bigint_set(out, limbs[0]);
    for (int i = 1; i < 4; i++) {
        bigint_multiply_power_of_two(out, 32);
        bigint_multiply(out, 1, limbs[i]);
    }
}

/* Compares head * 10^power with bound * 2^exponent. */
static int compare(uint64_t head, int power, uint128 bound, int exponent) {
    bigint left, right;
    bigint_set(&left, head);
    set_uint128(&right, bound);
    bigint_multiply_power_of_five(power > 0 ? &left : &right, (unsigned)abs(power));
    bigint_multiply_power_of_two(power > exponent ? &left : &right, (unsigned)abs(power - exponent));
    return bigint_compare(&left, &right);
}

static void estimates_are_within_their_slack(void **state) {
    (void)state;
    for (int power = DECIMAL_LOWEST; power <= DECIMAL_HIGHEST; power++) {
        for (uint64_t i = 0; i < 20; i++) {
            const uint64_t bits = random_below((random_stream){8, RANDOM_TEST, 0}, i, UINT64_MAX);
            const uint64_t head = i == 0 ? 1 : i == 1 ? UINT64_MAX : bits >> bits % 64 | 1;
            const decimal_estimate estimate = decimal_scale(head, power);
            assert_true(estimate.top.high >> 63 == 1);
            assert_true(compare(head, power, estimate.top, estimate.exponent) >= 0);
            const uint128 above = uint128_add(estimate.top, DECIMAL_SLACK);
            assert_true(above.high == 0 || compare(head, power, above, estimate.exponent) < 0);
        }
    }
}

/* With head 1 and a power of the table the slack is 2: one unit for the table, doubled once. */
static void powers_are_right_to_their_last_bit(void **state) {
    (void)state;
    for (int power = DECIMAL_LOWEST; power <= DECIMAL_HIGHEST; power += 28) {
        const decimal_estimate estimate = decimal_scale(1, power);
        assert_true(compare(1, power, estimate.top, estimate.exponent) >= 0);
        assert_true(compare(1, power, uint128_add(estimate.top, 2), estimate.exponent) < 0);
    }
}

static void wide_products_add_up(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        const random_stream stream = {9, RANDOM_TEST, 0};
        const uint64_t a = random_below(stream, 3 * i, UINT64_MAX), b = random_below(stream, 3 * i + 1, UINT64_MAX);
        const uint64_t split = random_below(stream, 3 * i + 2, a);
        const uint128 whole = uint128_multiply(a, b);
        const uint128 first = uint128_multiply(split, b), second = uint128_multiply(a - split, b);
        uint128 sum = uint128_add(first, second.low);
        sum.high += second.high;
        assert_true(sum.high == whole.high && sum.low == whole.low && whole.low == a * b);
    }
    const uint128 largest = uint128_multiply(UINT64_MAX, UINT64_MAX);
    assert_true(largest.high == UINT64_MAX - 1 && largest.low == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_are_within_their_slack),
        cmocka_unit_test(powers_are_right_to_their_last_bit),
        cmocka_unit_test(wide_products_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
