/* Generates two interleaved spirals, and two bananas. */
#include "demo/demo_shapes.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Returns a uniform variate in (0, 1): the finaliser of SplitMix64 (Steele et al. 2014) of a
 * counter. */
static double uniform(uint64_t index, unsigned which) {
    uint64_t x = (index * 8 + which + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return ((double)(x >> 11) + 0.5) * 0x1p-53;
}

/* Fills a point with coordinates and Gaussian noise (Box and Muller 1958). */
static void add_noise(uint64_t index, double deviation, double x, double y, float point[2]) {
    const double radius = deviation * sqrt(-2 * log(uniform(index, 1))), angle = 2 * PI * uniform(index, 2);
    point[0] = (float)(x + radius * cos(angle));
    point[1] = (float)(y + radius * sin(angle));
}

/* Two turns for each class; the square root spreads the rows evenly over the length. */
static void spiral(uint64_t index, int class_number, float point[2]) {
    const double along = sqrt(uniform(index, 0)), angle = 4 * PI * along + PI * class_number;
    const double radius = 0.08 + 0.92 * along;
    add_noise(index, 0.035, radius * cos(angle), radius * sin(angle), point);
}

static void banana(uint64_t index, int class_number, float point[2]) {
    const double angle = PI * uniform(index, 0), side = class_number == 0 ? 1 : -1;
    add_noise(index, 0.1, 0.6 * side * cos(angle) - 0.3 * side, 0.7 * side * sin(angle) - 0.2 * side, point);
}

static const struct {
    const char *name;
    shape_point *point;
} SHAPES[] = {{"spiral", spiral}, {"banana", banana}};

shape_point *shape_find(const char *name) {
    for (size_t i = 0; i < sizeof SHAPES / sizeof SHAPES[0]; i++) {
        if (strcmp(SHAPES[i].name, name) == 0) {
            return SHAPES[i].point;
        }
    }
    return NULL;
}

void shape_fill(shape_point *shape, uint64_t first, size_t rows, float *points, int *classes) {
    for (size_t i = 0; i < rows; i++) {
        classes[i] = (int)(i % 2);
        shape(first + i, classes[i], points + 2 * i);
    }
}
