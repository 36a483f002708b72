/* Translates each image of the block by two normal numbers of pixels, to first order. */
#include "engine/augment/augmentations.h"
#include "math/gemm/gemm.h"
#include "math/linalg/image_ops.h"
#include "math/random/variates.h"

static void apply(const augmentation_block *block) {
    const size_t width = block->image_width, columns = block->columns;
    float by[2 * GEMM_ROWS];
    variates_normal(block->stream, 2 * block->first, 2 * GEMM_ROWS, 0.5 * block->amount, by);
    for (size_t i = 0; i < block->rows; i++) {
        image_add_translation(width, columns / width, by[2 * i], by[2 * i + 1], block->before + i * columns,
                              block->u + i * columns);
    }
}

static const double VALUES[] = {0.0, 0.4, 0.8};

extern const augmentation_ops AUGMENTATION_TRANSLATE;
const augmentation_ops AUGMENTATION_TRANSLATE = {.name = "translate",
                                                 .stream = RANDOM_TRANSLATION,
                                                 .images = true,
                                                 .values = VALUES,
                                                 .count = sizeof VALUES / sizeof VALUES[0],
                                                 .apply = apply};
