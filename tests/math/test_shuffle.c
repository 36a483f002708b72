/* shuffle: the order of random_order, at every SIMD level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/random/shuffle.h"
#include "math/simd/simd_dispatch.h"

static const random_stream STREAM = {UINT64_C(0x123456789abcdef0), RANDOM_TEST, 5};

static void gives_the_order_of_random_order(void **state) {
    static const size_t COUNTS[] = {0, 1, 2, 15, 16, 17, 255, 256, 257, 1000};
    size_t expected[1000], order[1000];
    (void)state;
    for (size_t i = 0; i < sizeof COUNTS / sizeof COUNTS[0]; i++) {
        random_order(STREAM, COUNTS[i], expected);
        shuffle(STREAM, COUNTS[i], order);
        for (size_t j = 0; j < COUNTS[i]; j++) {
            assert_int_equal(order[j], expected[j]);
        }
    }
}

/* Starts from a counter whose lower half is about to overflow. */
static void every_level_gives_the_words_of_philox(void **state) {
    const random_counter counter = {STREAM.seed, UINT64_C(0xfffffff0), STREAM.id, STREAM.part};
    uint64_t bits[100];
    (void)state;
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        const size_t done = simd_level(level)->random_bits(&counter, 100, bits);
        assert_true(done <= 100);
        for (size_t i = 0; i < done; i++) {
            uint32_t words[4];
            random_words(STREAM, counter.index + i, words);
            assert_int_equal(bits[i], (uint64_t)words[1] << 32 | words[0]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_order_of_random_order),
        cmocka_unit_test(every_level_gives_the_words_of_philox),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
