/* Orthogonal random features: directions that repel each other cover the sphere more evenly than independent ones, so the
 * kernel's estimate has a lower variance (Gaussian kernel only: the density must be rotation-invariant).
 *
 * A block of up to d directions is the Gram-Schmidt basis of as many Gaussian vectors, uniformly distributed over the
 * orthogonal frames. Each direction is then given the length of an independent Gaussian vector (chi-distributed with d degrees
 * of freedom), so that a single column is exactly as if drawn from N(0, 2 gamma I) and the estimate stays unbiased. */
#include "math/contraction.h"

#include "map/orthogonal.h"

#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "math/variates.h"

enum { LANES = 8 };

/* Sum over eight interleaved partial sums: a fixed order that the compiler may keep in vectors. */
static double dot(const double *x, const double *y, size_t count) {
    double lanes[LANES] = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        for (size_t lane = 0; lane < LANES; lane++) {
            lanes[lane] += x[i + lane] * y[i + lane];
        }
    }
    for (; i < count; i++) {
        lanes[i % LANES] += x[i] * y[i];
    }
    double sum = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
        sum += lanes[lane];
    }
    return sum;
}

/* target (columns) = Gaussian vector number `part_index` of feature `feature`: variates part_index * columns and on of the
 * feature's own stream; returns its Euclidean length. Vector 0 and 2, 3, ... give directions, vector 1 the length. */
static double draw_vector(uint64_t seed, size_t feature, size_t number, size_t columns, float *variates,
                          double *target) {
    const random_stream stream = {seed, RANDOM_THETA, (uint32_t)feature};
    variates_normal(stream, (uint64_t)number * columns, columns, 1.0, variates);
    for (size_t j = 0; j < columns; j++) {
        target[j] = (double)variates[j];
    }
    return sqrt(dot(target, target, columns));
}

/* Row `place` of basis (.., columns) = a unit vector orthogonal to the rows before it, by modified Gram-Schmidt. What is
 * left of a vector that lay almost in their span is mostly rounding, so another is drawn then; the rows before are fewer
 * than `columns`, so that ends. Rows come out orthogonal to about 1e-16 * 1e6. */
static void next_direction(uint64_t seed, size_t feature, size_t place, size_t columns, float *variates,
                           double *basis) {
    const double least = 1e-6;
    double *row = basis + place * columns;
    double before, after;
    size_t number = 0;
    do {
        before = draw_vector(seed, feature, number, columns, variates, row);
        for (size_t i = 0; i < place; i++) {
            const double *other = basis + i * columns;
            const double along = dot(other, row, columns);
            for (size_t j = 0; j < columns; j++) {
                row[j] -= along * other[j];
            }
        }
        after = sqrt(dot(row, row, columns));
        number = number == 0 ? 2 : number + 1;
    } while (!(after > least * before));
    for (size_t j = 0; j < columns; j++) {
        row[j] /= after;
    }
}

cnm_status orthogonal_draw(size_t columns, size_t features, double gamma, uint64_t seed, float *theta, cnm_error *err) {
    const size_t width = columns < features ? columns : features;
    double *basis = NULL, *vector = NULL;
    float *variates = NULL;
    size_t size;
    cnm_status status = CNM_OK;
    if (!size_multiply(width, columns, &size)) {
        size = SIZE_MAX; /* memory_take refuses it with its message */
    }
    if ((status = memory_take(&basis, size, sizeof *basis, "orthogonal directions", err)) == CNM_OK &&
        (status = memory_take(&vector, columns, sizeof *vector, "orthogonal directions", err)) == CNM_OK &&
        (status = memory_take(&variates, columns, sizeof *variates, "orthogonal directions", err)) == CNM_OK) {
        for (size_t feature = 0; feature < features; feature++) {
            const size_t place = feature % width;
            next_direction(seed, feature, place, columns, variates, basis);
            const double length = sqrt(2 * gamma) * draw_vector(seed, feature, 1, columns, variates, vector);
            for (size_t j = 0; j < columns; j++) {
                theta[j * features + feature] = (float)(length * basis[place * columns + j]);
            }
        }
    }
    memory_free(basis);
    memory_free(vector);
    memory_free(variates);
    return status;
}
