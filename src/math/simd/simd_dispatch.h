/* The innermost loops, compiled once for each kind of CPU: an architecture-free frame
 * (gemm_portable.c, sincos.c, convolve*.c) runs over this table.
 *
 * simd_LEVEL.c fills one table each by including the simd_*.h bodies: the reference in plain
 * floats, whose bits never change, then the baseline and, on x86-64 with gcc or clang, the levels
 * of newer CPUs. All but the products give the same bits at every level (no fused multiply-add). */
#ifndef CNM_MATH_SIMD_SIMD_DISPATCH_H
#define CNM_MATH_SIMD_SIMD_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cnm/types.h"
#include "math/linalg/adam.h"
#include "math/parse/parse_numbers.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define SIMD_X86_LEVELS 1
#endif

/* Rows side by side in a transform, and the most that a tile of a product has. */
enum { LANES = 16, TILE_VECTORS = 3, TILE_KINDS = 4, TILE_ROWS_MOST = 1 << (TILE_KINDS - 1), VECTOR_FLOATS_MOST = 16 };

/* The largest |x| of the main path of sin and cos, and the most columns of cosine_rows and
 * cosine_tile. */
enum { SINCOS_LIMIT = 50000, SINCOS_COLUMNS = 64 };

/* One tile of a product: c (rows, vectors * vector_floats) = a * b (+ c where add) over `depth`
 * terms in order. Element (i, l) of a is a[i * a_row + l * a_column]; rows of b are b_row floats
 * apart, of c ldc. Where ahead is not NULL, and add is false, ahead + l * ahead_step is prefetched
 * for each l: evenly, because a core waits once some twenty lines are on their way. */
typedef struct tile_operands {
    size_t depth;
    const float *a;
    size_t a_row, a_column;
    const float *b;
    size_t b_row;
    float *c;
    size_t ldc;
    bool add;
    const float *ahead;
    size_t ahead_step;
} tile_operands;

typedef void gemm_tile(const tile_operands *operands);

/* Runs one decimation step of groups transforms of `length`: data (groups, length, 2, LANES),
 * twiddles (length / radix, radix - 1, 2). */
typedef void butterfly_pass(float *data, size_t length, size_t groups, const float *twiddles);

/* One decimation step of one transform with its numbers side by side, from re, im (length) to
 * out_re, out_im; twiddles (radix - 1, 2, length / radix). */
typedef struct across_pass {
    size_t length;
    const float *twiddles, *re, *im;
    float *out_re, *out_im;
} across_pass;

typedef void across_function(const across_pass *p);

/* Values of cheap_normal.h that belong together: NOISE_GROUP / 8 counters, the first half from the
 * lower digits of their bytes. */
enum { NOISE_GROUP = 64 };

/* A position in a stream of random words: base/core/random.h. */
typedef struct random_counter {
    uint64_t seed, index;
    uint32_t id, part; /* the stream */
} random_counter;

typedef struct simd_table {
    const char *name;
    bool plain;     /* products are gemm_reference's */
    size_t tallest; /* kind of tile */
    size_t vector_floats;
    /* Packs out (depth, padded) = source (depth, width) with `stride` floats from row to row, or
     * the transpose of source (width, depth); zeros behind width. */
    void (*pack)(const float *source, size_t stride, bool transposed, size_t depth, size_t width, size_t padded,
                 float *out);
    /* Tiles by kind, up to the tallest: 2^kind rows; and by the number of vectors, 1 to
     * TILE_VECTORS. */
    gemm_tile *tile[TILE_KINDS][TILE_VECTORS + 1];
    /* Computes one row of a product, c (columns) = a (depth) b (depth, columns) (+ c where add),
     * depth > 0. */
    void (*row)(size_t depth, const float *a, const float *b, size_t ldb, size_t columns, bool add, float *c);
    /* Compute one column of a product, out (rows), over `depth` terms: a (rows, depth) and b
     * (depth) in place; or a (depth, rows), with rows a multiple of vector_floats. */
    void (*narrow_rows)(size_t depth, const float *a, size_t lda, size_t rows, const float *b, float *out);
    void (*narrow_columns)(size_t depth, const float *a, size_t lda, size_t rows, const float *b, float *out);
    /* Transforms of LANES rows, documented in simd_butterflies.h and simd_spectrum.h. */
    butterfly_pass *forward[8], *inverse[8]; /* by radix: 2, 3, 4, 5 and 7 */
    across_function *across_forward[8], *across_inverse[8];
    void (*load_lanes)(const float *x, size_t ld, size_t rows, size_t count, size_t total, size_t step,
                       const float *factor, float *data);
    void (*store_lanes)(const float *data, size_t step, size_t rows, size_t count, float *out, size_t ld);
    void (*multiply)(size_t n, const float *x, const float *spectrum, float *out);
    void (*multiply_one_filter)(size_t h, const float *z, const size_t *partner, const float *spectrum, float *out);
    void (*correlate)(size_t n, const float *x, const float *g, float *sum);
    void (*correlate_one_filter)(size_t h, const float *x, const float *g, const size_t *partner, const float *turns,
                                 float *sum);
    /* Computes elements that lie apart from the outputs; sine may be NULL. Returns false when some
     * |x| is beyond SINCOS_LIMIT: the results of those are meaningless. */
    bool (*sincos)(const float *x, size_t count, float *sine, float *cosine);
    size_t (*cosine_rows)(size_t rows, size_t columns, const float *phase, float *p, float *slope);
    size_t (*cosine_tile)(size_t rows, size_t columns, const float *phase, float scale, float *p, size_t stride);
    /* As in adam.h and exp_log.h. */
    void (*adam)(const adam_step *step, size_t count, float *values, const float *gradient, float *mean, float *square);
    void (*exponential)(const double *x, size_t count, double least, double *out);
    void (*logarithm)(const double *x, size_t count, double *out);
    bool (*asinh)(const float *x, size_t count, float *out);
    /* As in dot_products.h. */
    void (*dot_products)(size_t depth, const double *x, const double *y, size_t stride, size_t rows, double *out);
    /* Makes u and v (pairs), the 52 random bits of each pair of normal variates, for as many pairs
     * as it returns: variates.c does the rest. normal makes the variates, out (2 pairs). */
    size_t (*random)(const random_counter *counter, size_t pairs, uint64_t *u, uint64_t *v);
    void (*normal)(size_t pairs, const uint64_t *u, const uint64_t *v, double scale, float *out);
    /* As in vector_ops.h. */
    void (*scale_product)(size_t count, float factor, const float *by, float *out);
    void (*add_difference)(size_t count, float factor, const float *a, const float *b, float *out);
    void (*translate_scale)(size_t count, const float *x, const float *offset, const float *scale, float *out);
    void (*sum_arrays)(size_t arrays, size_t step, size_t count, const float *x, float *out);
    void (*column_sums)(size_t rows, size_t columns, const float *x, float *out);
    void (*scale_columns)(size_t rows, size_t columns, float factor, const float *by, float *out, double *sums);
    void (*publish)(size_t count, const float *from, float *to);
    void (*publish_end)(void);
    /* Sets out[i] = x[i] + unit * (sum of digits - 30) for the whole groups in count; x is out or
     * lies apart. Returns how many values: cheap_normal.c does the rest. */
    size_t (*noise)(const random_counter *counter, size_t count, float unit, const float *x, float *out);
    /* Makes 64 bits from each counter, the first two words; returns how many: shuffle.c does the
     * rest. */
    size_t (*random_bits)(const random_counter *counter, size_t count, uint64_t *out);
    /* As in parse_numbers.h; 0 lines from levels that read every line by itself. */
    size_t (*numbers)(number_text *text);
    size_t (*number_lines)(number_text *text, size_t columns);
} simd_table;

/* Returns the level that the environment's CNM_SIMD names ("reference", "baseline", "avx2",
 * "avx512"); the best of this machine where CNM_SIMD is unset or names none. The same for the whole
 * process. */
const simd_table *simd_active(void);

/* Returns CNM_BAD_ARGUMENT when CNM_SIMD names a level that this machine does not run: simd_active
 * does not fail, but takes the best. */
cnm_status simd_check(cnm_error *err);

/* Returns level i of those this machine runs, from the reference up; NULL behind the last. */
const simd_table *simd_level(size_t i);

/* Returns the level of that name, or the best for NULL and ""; NULL when this machine has none
 * such. */
const simd_table *simd_named(const char *name);

#endif
