/* Normal noise on every cell. The engine adds it while rows are copied (cpu/cpu_rows.c): that hides
 * its cost behind the memory's. */
#include "engine/augment/augmentations.h"

static const double VALUES[] = {0.0, 0.1, 0.25, 0.5, 1.0};

extern const augmentation_ops AUGMENTATION_NOISE;
const augmentation_ops AUGMENTATION_NOISE = {.name = "noise",
                                             .stream = RANDOM_NOISE,
                                             .regularises = true,
                                             .learned_map_only = true,
                                             .bandwidth_unit = true,
                                             .values = VALUES,
                                             .count = sizeof VALUES / sizeof VALUES[0]};
