/* The layers of a map as text, for options and model files: "128,64", "circulant:784,dense:64". */
#ifndef CNM_MAP_LAYERS_TEXT_H
#define CNM_MAP_LAYERS_TEXT_H

#include "map/map.h"

/* MAP_LAYERS times a projection's name and a number. */
enum { LAYERS_TEXT_SIZE = MAP_LAYERS * 48 };

/* Reads PROJECTION:FEATURES or FEATURES (a dense layer) for each layer, the first one first,
 * separated by commas. Fails with CNM_BAD_ARGUMENT and a sentence that says what was expected. */
cnm_status layers_read(const char *text, layer_shape layers[MAP_LAYERS], size_t *count, cnm_error *err);

/* Writes PROJECTION:FEATURES,... for all layers of a map. */
void layers_write(const map *self, char out[LAYERS_TEXT_SIZE]);

#endif
