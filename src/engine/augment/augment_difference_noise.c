/* Adds amount * n_i * (row i + a - row i + b) to row i within the block, cyclically; a and b are
 * the block's, n_i is the row's. New rows will differ from known ones in the directions in which
 * known rows differ; noise alike in all columns mostly points elsewhere. */
#include "engine/augment/augmentations.h"
#include "math/gemm/gemm.h"
#include "math/linalg/vector_ops.h"
#include "math/random/variates.h"

enum { FIRST_DIFFERENCE = 1 << 30 }; /* behind the numbers that pick rows */

static void apply(const augmentation_block *block) {
    const size_t rows = block->rows, columns = block->columns;
    const uint64_t index = block->index;
    float along[GEMM_ROWS];
    if (rows < 3) {
        return;
    }
    const size_t a = 1 + (size_t)random_below(block->stream, 2 * index, rows - 1);
    const size_t other = 1 + (size_t)random_below(block->stream, 2 * index + 1, rows - 2);
    const size_t b = other < a ? other : other + 1;
    variates_normal(block->stream, FIRST_DIFFERENCE + block->first, GEMM_ROWS, block->amount, along);
    for (size_t i = 0; i < rows; i++) {
        vector_add_difference(columns, along[i], block->before + (i + a) % rows * columns,
                              block->before + (i + b) % rows * columns, block->u + i * columns);
    }
}

static const double VALUES[] = {0.0, 0.1, 0.15, 0.25, 0.35};

extern const augmentation_ops AUGMENTATION_DIFFERENCE_NOISE;
const augmentation_ops AUGMENTATION_DIFFERENCE_NOISE = {.name = "difference_noise",
                                                        .stream = RANDOM_DIFFERENCE_NOISE,
                                                        .regularises = true,
                                                        .values = VALUES,
                                                        .count = sizeof VALUES / sizeof VALUES[0],
                                                        .apply = apply};
