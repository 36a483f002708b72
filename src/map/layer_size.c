/* The bytes that a map's tensors need, and the limit on them: a map that would fill the machine is
 * refused with a message before anything is allocated. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/text/text.h"
#include "map/projections/projections.h"

/* Leaves out optional tensors: a map starts without them. */
size_t layer_bytes(const char *projection, size_t columns, size_t features) {
    const projection_ops *found = projection_find(projection);
    layer_tensor tensors[LAYER_TENSORS] = {0};
    if (found == NULL || columns == 0) {
        return SIZE_MAX;
    }
    const size_t count = found->describe(columns, features, tensors);
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        if (tensors[i].optional) {
            continue;
        }
        if (!size_multiply(tensors[i].rows, tensors[i].columns, &bytes) ||
            !size_multiply(bytes, sizeof(float), &bytes) || bytes > SIZE_MAX - total) {
            return SIZE_MAX;
        }
        total += bytes;
    }
    return total;
}

enum { AMOUNT_SIZE = TEXT_DOUBLE_SIZE + 320 + 8 };

/* Writes an amount such as "16.4 GB": decimal units, one digit after the point. */
static void write_amount(char out[AMOUNT_SIZE], size_t bytes) {
    static const char *const UNITS[] = {" bytes", " kB", " MB", " GB", " TB", " PB", " EB"};
    double amount = (double)bytes;
    size_t unit = 0;
    while (amount >= 1000 && unit + 1 < sizeof UNITS / sizeof *UNITS) {
        amount /= 1000;
        unit++;
    }
    const size_t length = text_fixed(out, amount, unit == 0 ? 0 : 1);
    memcpy(out + length, UNITS[unit], strlen(UNITS[unit]) + 1);
}

cnm_status layer_size_check(const projection_ops *projection, size_t columns, size_t features, cnm_error *err) {
    const size_t bytes = layer_bytes(projection->name, columns, features);
    const size_t circulant = layer_bytes(PROJECTION_CIRCULANT.name, columns, features);
    char needed[AMOUNT_SIZE], limit[AMOUNT_SIZE], instead[AMOUNT_SIZE];
    if (bytes <= MAP_BYTES_LIMIT) {
        return CNM_OK;
    }
    const bool helps = circulant <= MAP_BYTES_LIMIT;
    write_amount(needed, bytes);
    write_amount(limit, MAP_BYTES_LIMIT);
    write_amount(instead, circulant);
    return error_set(err, CNM_NO_MEMORY,
                     "a %s map of %zu columns and %zu features needs %s%s, over the limit of %s%s%s", projection->name,
                     columns, features, bytes == SIZE_MAX ? "more than " : "", needed, limit,
                     helps ? ": use --projection circulant, which needs " : "", helps ? instead : "");
}
