/* The rows, each from a file of its own. */
#include "engine/augment/augmentations.h"

#define ROW_OF(ID, field, option, most, help) extern const augmentation_ops AUGMENTATION_##ID;
#define PLAIN_ROW_OF(ID, field) extern const augmentation_ops AUGMENTATION_##ID;
AUGMENTATION_LIST(ROW_OF, PLAIN_ROW_OF)

#define ADDRESS_OF(ID, field, option, most, help) &AUGMENTATION_##ID,
#define PLAIN_ADDRESS_OF(ID, field) &AUGMENTATION_##ID,
static const augmentation_ops *const ROWS[] = {AUGMENTATION_LIST(ADDRESS_OF, PLAIN_ADDRESS_OF)};

const augmentation_ops *augmentation_get(augmentation_id id) { return ROWS[id]; }
