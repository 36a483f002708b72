/* Streams of random numbers: the known generator, open intervals, moments within bounds,
 * independence of streams. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/philox.h"
#include "base/core/random.h"

enum { DRAWS = 1000000 };

static const random_stream TEST = {20240229, RANDOM_TEST, 0};

/* The known answers that the authors of Philox publish for Philox4x32-10: a key and a counter of
 * zeros, of ones, and of the digits of pi. */
static void philox_gives_the_known_answers(void **state) {
    (void)state;
    static const struct {
        uint32_t key[2], counter[4], expected[4];
    } known[] = {
        {{0, 0}, {0, 0, 0, 0}, {0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}},
        {{0xffffffffU, 0xffffffffU},
         {0xffffffffU, 0xffffffffU, 0xffffffffU, 0xffffffffU},
         {0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}},
        {{0xa4093822U, 0x299f31d0U},
         {0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U},
         {0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t words[4];
        memcpy(words, known[i].counter, sizeof words);
        philox4x32(known[i].key[0], known[i].key[1], words);
        assert_memory_equal(words, known[i].expected, sizeof words);
    }
}

static void words_are_philox_of_key_seed_and_counter_index_id_part(void **state) {
    (void)state;
    uint32_t expected[4] = {0x76543210U, 0xfedcba98U, RANDOM_PHASE, 77}, words[4];
    philox4x32(0x89abcdefU, 0x01234567U, expected);
    random_words((random_stream){UINT64_C(0x0123456789abcdef), RANDOM_PHASE, 77}, UINT64_C(0xfedcba9876543210), words);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(words[i], expected[i]);
    }
}

/* Of n draws the mean has standard deviation sqrt(1/12n), the mean square sqrt(4/45n); 5 of them
 * leave a chance of 6e-7. */
static void uniform_is_inside_the_open_interval_with_its_moments(void **state) {
    (void)state;
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        const double u = random_uniform(TEST, i);
        assert_true(u > 0 && u < 1);
        assert_int_equal((uint64_t)(u * 0x1p53) % 2, 1); /* odd, so neither end can come out */
        sum += u;
        squares += u * u;
    }
    assert_true(fabs(sum / DRAWS - 1.0 / 2) < 5 * sqrt(1.0 / 12 / DRAWS));
    assert_true(fabs(squares / DRAWS - 1.0 / 3) < 5 * sqrt(4.0 / 45 / DRAWS));
}

/* Each of 10 values falls about n/10 times, standard deviation sqrt(0.09 n). */
static void below_stays_below_its_bound_and_is_even(void **state) {
    (void)state;
    double counts[10] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        const uint64_t value = random_below(TEST, i, 10);
        assert_true(value < 10);
        counts[value]++;
        assert_int_equal(random_below(TEST, i, 1), 0);
    }
    for (int i = 0; i < 10; i++) {
        assert_true(fabs(counts[i] - DRAWS / 10.0) < 5 * sqrt(0.09 * DRAWS));
    }
}

static void below_reaches_beyond_32_bits(void **state) {
    (void)state;
    const uint64_t bound = UINT64_C(3) << 60;
    uint64_t largest = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        const uint64_t value = random_below(TEST, i, bound);
        assert_true(value < bound);
        largest = value > largest ? value : largest;
    }
    assert_true(largest > bound / 10 * 9); /* misses with chance 0.9^1000 */
}

static void order_is_a_permutation_of_every_count(void **state) {
    (void)state;
    enum { MOST = 300 };
    size_t order[MOST];
    for (size_t count = 0; count <= MOST; count++) {
        int seen[MOST] = {0};
        random_order(TEST, count, order);
        for (size_t i = 0; i < count; i++) {
            assert_true(order[i] < count);
            assert_int_equal(seen[order[i]]++, 0);
        }
    }
}

/* Every item takes every place about equally often: over n orders n/8 times, standard deviation
 * below sqrt(n/8). */
static void order_is_even(void **state) {
    (void)state;
    enum { ORDERS = 20000, COUNT = 8 };
    double counts[COUNT][COUNT] = {{0}};
    for (uint32_t part = 0; part < ORDERS; part++) {
        size_t order[COUNT];
        random_order((random_stream){5, RANDOM_TEST, part}, COUNT, order);
        for (size_t i = 0; i < COUNT; i++) {
            counts[i][order[i]]++;
        }
    }
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++) {
            assert_true(fabs(counts[i][j] - ORDERS / 8.0) < 5 * sqrt(ORDERS / 8.0));
        }
    }
}

static void seeds_ids_parts_and_indices_give_other_numbers(void **state) {
    (void)state;
    const random_stream others[] = {{TEST.seed + 1, TEST.id, TEST.part},
                                    {TEST.seed + (UINT64_C(1) << 32), TEST.id, TEST.part},
                                    {TEST.seed, RANDOM_THETA, TEST.part},
                                    {TEST.seed, TEST.id, TEST.part + 1}};
    for (uint64_t i = 0; i < 1000; i++) {
        const double u = random_uniform(TEST, i);
        assert_true(u == random_uniform(TEST, i));
        for (size_t j = 0; j < sizeof others / sizeof others[0]; j++) {
            assert_true(u != random_uniform(others[j], i));
        }
        assert_true(u != random_uniform(TEST, i + 1));
        assert_true(u != random_uniform(TEST, i + (UINT64_C(1) << 32)));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(words_are_philox_of_key_seed_and_counter_index_id_part),
        cmocka_unit_test(uniform_is_inside_the_open_interval_with_its_moments),
        cmocka_unit_test(below_stays_below_its_bound_and_is_even),
        cmocka_unit_test(below_reaches_beyond_32_bits),
        cmocka_unit_test(order_is_a_permutation_of_every_count),
        cmocka_unit_test(order_is_even),
        cmocka_unit_test(seeds_ids_parts_and_indices_give_other_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
