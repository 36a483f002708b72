/* The table of projections. */
#include <string.h>

#include "map/projections/projections.h"

static const projection_ops *const PROJECTIONS[] = {&PROJECTION_DENSE, &PROJECTION_CIRCULANT,
                                                    &PROJECTION_CIRCULANT_DIAGONAL, &PROJECTION_IDENTITY};

const projection_ops *projection_find(const char *name) {
    for (size_t i = 0; i < sizeof PROJECTIONS / sizeof *PROJECTIONS; i++) {
        if (strcmp(PROJECTIONS[i]->name, name) == 0) {
            return PROJECTIONS[i];
        }
    }
    return NULL;
}
