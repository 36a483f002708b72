/* Reads and writes lists of layers. */
#include "map/layers_text.h"

#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "base/text/text.h"

static const char EXPECTED[] = "expected FEATURES or PROJECTION:FEATURES for each layer, from the first to the last, "
                               "such as 128,64 or circulant:784,dense:64";

/* Returns the projection of these characters, or NULL: of no layer is it the identity. */
static const projection_ops *find_projection(const char *text, size_t length) {
    char name[32] = "";
    if (length >= sizeof name) {
        return NULL;
    }
    memcpy(name, text, length);
    const projection_ops *found = projection_find(name);
    return found == NULL || found->identity ? NULL : found;
}

static cnm_status read_layer(const char *text, size_t length, layer_shape *out, cnm_error *err) {
    const char *colon = memchr(text, ':', length), *number = colon != NULL ? colon + 1 : text;
    const projection_ops *projection =
        colon != NULL ? find_projection(text, (size_t)(colon - text)) : projection_find("dense");
    uint64_t features;
    if (projection == NULL || !text_is_count(number, text + length, &features) || features == 0 ||
        features > UINT32_MAX) {
        return error_set(err, CNM_BAD_ARGUMENT, "layers: found '%.*s', %s", (int)(length < 60 ? length : 60), text,
                         EXPECTED);
    }
    *out = (layer_shape){projection->name, (size_t)features};
    return CNM_OK;
}

cnm_status layers_read(const char *text, layer_shape layers[MAP_LAYERS], size_t *count, cnm_error *err) {
    *count = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        if (*count == MAP_LAYERS) {
            return error_set(err, CNM_BAD_ARGUMENT, "layers: found more than %d", MAP_LAYERS);
        }
        TRY(read_layer(at, length, &layers[(*count)++], err));
        at += length;
        if (*at == '\0') {
            return CNM_OK;
        }
    }
}

void layers_write(const map *self, char out[LAYERS_TEXT_SIZE]) {
    size_t used = 0;
    for (size_t i = 0; i < self->layer_count; i++) {
        used += (size_t)snprintf(out + used, LAYERS_TEXT_SIZE - used, "%s%s:%zu", i == 0 ? "" : ",",
                                 self->layers[i]->projection->name, self->layers[i]->number_given);
    }
}
