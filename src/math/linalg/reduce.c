/* Sums in a fixed order. The tree depends on the number of elements alone: runs of LEAF elements
 * are summed in LANES interleaved double accumulators, the runs are added pairwise. Error of a sum
 * of n floats: below (LEAF / LANES + log2(n)) * 2^-53 * sum |x|. */
#include "math/elementary/contraction.h"

#include "math/linalg/reduce.h"

enum { LANES = 8, LEAF = 512 };

/* Sums terms first .. first + count, count <= LEAF, of x and y of any type. */
typedef double leaf_sum(const void *x, const void *y, size_t first, size_t count);

static double add_lanes(const double lane[LANES]) {
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* Defines one leaf: TERM is an expression in i. Whole groups of LANES first, then the rest into the
 * first lanes. */
#define LEAF_SUM(name, type, TERM)                                                                                     \
    static double name(const void *left, const void *right, size_t first, size_t count) {                              \
        const type *x = (const type *)left + first;                                                                    \
        const type *y = (const type *)right + first;                                                                   \
        double lane[LANES] = {0};                                                                                      \
        size_t start = 0;                                                                                              \
        for (; start + LANES <= count; start += LANES) {                                                               \
            for (size_t l = 0; l < LANES; l++) {                                                                       \
                const size_t i = start + l;                                                                            \
                lane[l] += TERM;                                                                                       \
            }                                                                                                          \
        }                                                                                                              \
        for (size_t i = start; i < count; i++) {                                                                       \
            lane[i - start] += TERM;                                                                                   \
        }                                                                                                              \
        (void)x;                                                                                                       \
        (void)y;                                                                                                       \
        return add_lanes(lane);                                                                                        \
    }

LEAF_SUM(leaf_sum_float, float, (double)x[i])
LEAF_SUM(leaf_sum_double, double, x[i])
LEAF_SUM(leaf_dot, float, ((double)x[i] * (double)y[i]))
LEAF_SUM(leaf_distance, float, (((double)x[i] - (double)y[i]) * ((double)x[i] - (double)y[i])))

/* Sums the tree. The left part is the largest power of two times LEAF that is smaller than count:
 * appending never moves a boundary. */
static double tree(leaf_sum *leaf, const void *x, const void *y, size_t first, size_t count) {
    if (count <= LEAF) {
        return leaf(x, y, first, count);
    }
    size_t left = LEAF;
    while (left < count - left) {
        left *= 2;
    }
    const double sum = tree(leaf, x, y, first, left);
    return sum + tree(leaf, x, y, first + left, count - left);
}

double reduce_sum(const float *x, size_t count) { return tree(leaf_sum_float, x, x, 0, count); }

double reduce_squares(const float *x, size_t count) { return tree(leaf_dot, x, x, 0, count); }

double reduce_dot(const float *x, const float *y, size_t count) { return tree(leaf_dot, x, y, 0, count); }

double reduce_sum_double(const double *x, size_t count) { return tree(leaf_sum_double, x, x, 0, count); }

double reduce_distance(const float *x, const float *y, size_t count) { return tree(leaf_distance, x, y, 0, count); }

void reduce_rows(float *parts, size_t count, size_t size) {
    for (size_t step = 1; step < count; step *= 2) {
        for (size_t row = 0; row < count - step; row += 2 * step) {
            float *into = parts + row * size;
            const float *from = parts + (row + step) * size;
            for (size_t i = 0; i < size; i++) {
                into[i] += from[i];
            }
        }
    }
}
