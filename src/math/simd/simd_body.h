/* The SIMD code of one level. The including file has set SIMD_TABLE, SIMD_NAME, TILE_TALLEST,
 * VECTOR_FLOATS and VECTOR_MULTIPLY_ADD(a, b, c) = a * b + c and VECTOR_OF(float); SIMD_PLAIN where
 * products are not by tiles. */
#include "math/simd/simd_dispatch.h"

#include "math/simd/simd_across.h"
#include "math/simd/simd_adam.h"
#include "math/simd/simd_arrays.h"
#include "math/simd/simd_butterflies.h"
#include "math/simd/simd_dots.h"
#include "math/simd/simd_exponential.h"
#include "math/simd/simd_narrow.h"
#include "math/simd/simd_noise.h"
#include "math/simd/simd_numbers.h"
#include "math/simd/simd_row.h"
#include "math/simd/simd_sincos.h"
#include "math/simd/simd_spectrum.h"
#include "math/simd/simd_tile.h"
#include "math/simd/simd_transpose.h"
#include "math/simd/simd_variates.h"

#if !defined(SIMD_PLAIN)
#define SIMD_PLAIN false
#endif

extern const simd_table SIMD_TABLE;

const simd_table SIMD_TABLE = {
    SIMD_NAME,
    SIMD_PLAIN,
    TILE_TALLEST,
    VECTOR_FLOATS,
    pack,
    ALL_TILES,
    row_run,
    narrow_rows,
    narrow_columns,
    {[2] = forward_2, [3] = forward_3, [4] = forward_4, [5] = forward_5, [7] = forward_7},
    {[2] = inverse_2, [3] = inverse_3, [4] = inverse_4, [5] = inverse_5, [7] = inverse_7},
    {[2] = across_forward_2,
     [3] = across_forward_3,
     [4] = across_forward_4,
     [5] = across_forward_5,
     [7] = across_forward_7},
    {[2] = across_inverse_2,
     [3] = across_inverse_3,
     [4] = across_inverse_4,
     [5] = across_inverse_5,
     [7] = across_inverse_7},
    load_lanes,
    store_lanes,
    multiply_spectrum,
    multiply_one_filter,
    correlate,
    correlate_one_filter,
    sincos_run,
    cosine_rows_run,
    cosine_tile_run,
    adam_run,
    exp_run,
    log_run,
    asinh_run,
    dot_products_run,
    random_run,
    normal_run,
    scale_product,
    add_difference,
    translate_scale,
    sum_arrays,
    column_sums,
    scale_columns,
    publish,
    publish_end,
    noise_run,
    random_bits_run,
    numbers_run,
    number_lines_run,
};
