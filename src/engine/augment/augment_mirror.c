/* Mirrors every other image, at random, left to right. */
#include "engine/augment/augmentations.h"
#include "math/linalg/image_ops.h"

static void apply(const augmentation_block *block) {
    for (size_t i = 0; i < block->rows; i++) {
        if (random_below(block->stream, block->first + i, 2) == 1) {
            image_mirror(block->image_width, block->columns / block->image_width, block->u + i * block->columns);
        }
    }
}

extern const augmentation_ops AUGMENTATION_MIRROR;
const augmentation_ops AUGMENTATION_MIRROR = {
    .name = "mirror", .stream = RANDOM_MIRROR, .images = true, .in_place = true, .apply = apply};
