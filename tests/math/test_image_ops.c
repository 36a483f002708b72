/* First-order translations of images: those of a plane are the same everywhere but at its edges,
 * where they are half as large across the edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/linalg/image_ops.h"

enum { MOST = 12 };

/* Checks x = 2 column + 16 line: all values, and what is added to them, are small multiples of
 * 1/2. */
static void check(size_t width, size_t height) {
    float x[MOST * MOST], out[MOST * MOST + 1];
    for (size_t i = 0; i < width * height; i++) {
        x[i] = (float)(2 * (i % width) + 16 * (i / width));
        out[i] = 1.0F;
    }
    out[width * height] = 7.0F;
    image_add_translation(width, height, 0.5F, -0.25F, x, out);
    for (size_t i = 0; i < width * height; i++) {
        const size_t line = i / width, column = i % width;
        const float across = column == 0 || column + 1 == width ? 2.0F : 4.0F;
        const float down = line == 0 || line + 1 == height ? 16.0F : 32.0F;
        assert_true(out[i] == 1.0F + 0.5F * across - 0.25F * down);
    }
    assert_true(out[width * height] == 7.0F);
}

static void a_plane_has_the_same_slope_everywhere(void **unused) {
    (void)unused;
    for (size_t width = 2; width <= MOST; width++) {
        for (size_t height = 2; height <= MOST; height++) {
            check(width, height);
        }
    }
}

static void left_and_right_change(void **unused) {
    (void)unused;
    float x[] = {1, 2, 3, 4, 5, 6, 7}, even[] = {1, 2, 3, 4};
    static const float EXPECTED[] = {3, 2, 1, 6, 5, 4, 7}, EVEN[] = {4, 3, 2, 1};
    image_mirror(3, 2, x);
    image_mirror(4, 1, even);
    assert_memory_equal(x, EXPECTED, sizeof x);
    assert_memory_equal(even, EVEN, sizeof even);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_plane_has_the_same_slope_everywhere),
                                       cmocka_unit_test(left_and_right_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
