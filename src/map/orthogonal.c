/* Orthogonal random features (Yu, Suresh, Choromanski, Holtmann-Rice & Kumar 2016): orthogonal
 * directions cover the sphere more evenly than independent ones, so the kernel's estimate has a
 * lower variance (Gaussian kernel only: the density must be rotation-invariant).
 *
 * A block of up to d directions is the Gram-Schmidt basis of as many Gaussian vectors, uniformly
 * distributed over the orthogonal frames. The basis depends on the vectors' directions alone, and a
 * Gaussian vector's length (chi-distributed with d degrees of freedom) is independent of its
 * direction: each direction is given the length of the vector it was made from, so that a single
 * column is exactly as if drawn from N(0, 2 gamma I) and the estimate stays unbiased.
 *
 * Almost all of the work is in products of matrices: the first half of a block is made orthogonal,
 * its components are removed from the second half, and that is made orthogonal in turn. */
#include "math/elementary/contraction.h"

#include "map/orthogonal.h"

#include <math.h>

#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "math/gemm/gemm.h"
#include "math/linalg/reduce.h"
#include "math/random/variates.h"

enum {
    SLICE = 128, /* rows in one product */
    WHOLE = 48,  /* columns of whole tiles of a product */
    STRIP = 16   /* features written to theta together: whole cache lines */
};

/* Bounds on the share of a vector's length that remains once the rows before it are removed. Below
 * CLOSE the remainder carries more than five times the usual rounding error, and the rows are
 * removed once more; below LEAST it is mostly rounding, and another vector is drawn. Directions
 * come out orthogonal to a few 1e-6. */
static const double CLOSE = 0.2, LEAST = 1e-3;

/* One block of directions. */
typedef struct frame {
    uint64_t seed;
    size_t columns, first; /* the first feature of the block */
    /* (width, columns): Gaussian vectors that become directions of length 1 */
    float *rows;
    float *along;    /* (SLICE, width): components of some rows along others */
    double *lengths; /* (width), of the vectors */
} frame;

static double length_of(const frame *self, size_t i) {
    return sqrt(reduce_squares(self->rows + i * self->columns, self->columns));
}

/* Fills row i with Gaussian vector `number` of its feature: variates number * columns and on of the
 * feature's own stream. */
static void draw_vector(frame *self, size_t i, size_t number) {
    const random_stream stream = {self->seed, RANDOM_THETA, (uint32_t)(self->first + i)};
    float *row = self->rows + i * self->columns;
    variates_normal(stream, (uint64_t)number * self->columns, self->columns, 1.0, row);
    self->lengths[i] = length_of(self, i);
}

/* Removes from rows at .. at + count <= at + SLICE their components along the directions before ..
 * before + others. */
static void remove_from(frame *self, size_t at, size_t count, size_t before, size_t others) {
    const size_t d = self->columns;
    const float *rows = self->rows + at * d, *directions = self->rows + before * d;
    gemm_call products = {.k = d, .lda = d, .c = self->along};
    if (count == 1) { /* directions times the row: they need not be transposed */
        products.m = others, products.n = 1;
        products.a = directions, products.b = rows;
        products.ldb = products.ldc = 1;
    } else {
        products.m = count, products.n = products.ldc = others;
        products.a = rows, products.b = directions;
        products.ldb = d;
        products.transpose_b = true;
    }
    gemm(&products);
    for (size_t i = 0; i < count * others; i++) {
        self->along[i] = -self->along[i];
    }
    gemm(&(gemm_call){.add = true,
                      .m = count,
                      .n = d,
                      .k = others,
                      .a = self->along,
                      .lda = others,
                      .b = directions,
                      .ldb = d,
                      .c = self->rows + at * d,
                      .ldc = d});
}

static void remove_from_all(frame *self, size_t at, size_t count, size_t before, size_t others) {
    for (size_t done = 0; others > 0 && done < count; done += SLICE) {
        remove_from(self, at + done, count - done < SLICE ? count - done : SLICE, before, others);
    }
}

/* Makes row i orthogonal to the rows before it and of length 1. They are fewer than `columns`, so
 * the loop ends. */
static void finish_direction(frame *self, size_t i) {
    float *row = self->rows + i * self->columns;
    double before = self->lengths[i], after = length_of(self, i);
    for (size_t number = 1; !(after > CLOSE * before); number++) {
        if (!(after > LEAST * before)) {
            draw_vector(self, i, number);
            after = self->lengths[i];
        }
        before = after;
        remove_from_all(self, i, 1, 0, i);
        after = length_of(self, i);
    }
    const float factor = (float)(1.0 / after);
    for (size_t j = 0; j < self->columns; j++) {
        row[j] *= factor;
    }
}

/* Turns rows first .. first + count, from which the rows before them were removed, into directions.
 * Recurses as deep as the logarithm of count. */
static void make_orthogonal(frame *self, size_t first, size_t count) { // NOLINT(misc-no-recursion)
    if (count == 1) {
        finish_direction(self, first);
        return;
    }
    const size_t half = count < (size_t)2 * WHOLE ? count / 2 : count / 2 / WHOLE * WHOLE;
    make_orthogonal(self, first, half);
    remove_from_all(self, first + half, count - half, first, half);
    make_orthogonal(self, first + half, count - half);
}

/* Writes theta's columns of the block: directions with their vectors' lengths times
 * sqrt(2 gamma). */
static void write_block(const frame *self, size_t width, double gamma, size_t features, float *theta) {
    const double unit = sqrt(2 * gamma);
    for (size_t first = 0; first < width; first += STRIP) {
        const size_t count = width - first < STRIP ? width - first : STRIP;
        for (size_t j = 0; j < self->columns; j++) {
            for (size_t i = first; i < first + count; i++) {
                theta[j * features + self->first + i] =
                    (float)(unit * self->lengths[i] * (double)self->rows[i * self->columns + j]);
            }
        }
    }
}

cnm_status orthogonal_draw(size_t columns, size_t features, double gamma, uint64_t seed, float *theta, cnm_error *err) {
    const size_t width = columns < features ? columns : features;
    frame self = {.seed = seed, .columns = columns};
    size_t size, along;
    cnm_status status;
    if (!size_multiply(width, columns, &size) || !size_multiply(width, SLICE, &along)) {
        size = along = SIZE_MAX; /* memory_take refuses it with its message */
    }
    TRY_DONE(memory_take(&self.rows, size, sizeof *self.rows, "orthogonal directions", err));
    TRY_DONE(memory_take(&self.along, along, sizeof *self.along, "orthogonal directions", err));
    TRY_DONE(memory_take(&self.lengths, width, sizeof *self.lengths, "orthogonal directions", err));
    for (; self.first < features; self.first += width) {
        const size_t count = features - self.first < width ? features - self.first : width;
        for (size_t i = 0; i < count; i++) {
            draw_vector(&self, i, 0);
        }
        make_orthogonal(&self, 0, count);
        write_block(&self, count, gamma, features, theta);
    }
done:
    memory_free(self.rows);
    memory_free(self.along);
    memory_free(self.lengths);
    return status;
}
