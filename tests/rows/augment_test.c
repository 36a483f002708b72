/* Sets random cells of a batch to 0, each with probability `amount` (dropout of inputs, Hinton et
 * al. 2012).
 *
 * An example of an augmentation: this file, and ROW(TEST, ...) in AUGMENTATION_LIST
 * (engine/augment/augmentations.h). The option --test-dropout, its rules, the entry in a model's
 * metadata and the amount in a plan follow from the two. */
#include "engine/augment/augmentations.h"

/* Draws a number for each cell of the batch: the same cells, however many threads there are. */
static void apply(const augmentation_block *block) {
    const uint64_t first = (uint64_t)block->first * block->columns;
    for (size_t i = 0; i < block->rows * block->columns; i++) {
        if (random_uniform(block->stream, first + i) < block->amount) {
            block->u[i] = 0.0F;
        }
    }
}

/* There are no `values`: the search leaves the amount as it is given, 0 (`usual`) without the
 * option. A row in src has a stream of its own (base/core/random.h). */
extern const augmentation_ops AUGMENTATION_TEST;
const augmentation_ops AUGMENTATION_TEST = {
    .name = "test_dropout", .stream = RANDOM_TEST, .regularises = true, .in_place = true, .apply = apply};
