/* The table of projections. */
#include <string.h>

#include "map/projections/projections.h"

#define ADDRESS_OF(ID) &PROJECTION_##ID,
static const projection_ops *const PROJECTIONS[] = {PROJECTION_LIST(ADDRESS_OF)};
enum { PROJECTION_COUNT = sizeof PROJECTIONS / sizeof *PROJECTIONS, NAMED_COUNT = PROJECTION_COUNT - 2 };

const projection_ops *const *projection_table(size_t *count) {
    *count = NAMED_COUNT;
    return PROJECTIONS;
}

int projection_index(const projection_ops *row) {
    int index = 0;
    while (index < NAMED_COUNT && PROJECTIONS[index] != row) {
        index++;
    }
    return index < NAMED_COUNT ? index : -1;
}

const projection_ops *projection_find(const char *name) {
    for (size_t i = 0; i < PROJECTION_COUNT; i++) {
        if (strcmp(PROJECTIONS[i]->name, name) == 0) {
            return PROJECTIONS[i];
        }
    }
    return NULL;
}
