/* The map of an exported C program: its layers, and the function that runs them one after another.
 * Inside the model module.
 *
 * A kind of layer is one function, however many layers there are of it. With one layer of a kind
 * its sizes and tables are written into the function; with more they are the members of a struct,
 * of which each layer has a constant. */
#ifndef CNM_MODEL_EXPORT_C_EXPORT_C_LAYERS_H
#define CNM_MODEL_EXPORT_C_EXPORT_C_LAYERS_H

#include "map/map.h"
#include "model/export/c/c_writer.h"
#include "model/export/export.h"

enum { C_ARRAY_SIZE = 64, C_INPUT_SIZE = 96 };

/* The layers of a map that one function of a program computes, from the first on. */
typedef struct layer_group {
    const map *map;
    const layer *layers[MAP_LAYERS];
    size_t count;
    export_dtype weights;
} layer_group;

/* Fills out with the C name of an array of a layer: theta; in a map of several layers
 * layer1_theta. */
void layer_array(const map *self, const layer *own, const char *array, char out[C_ARRAY_SIZE]);
/* Fills out with the expression for input `index` of a layer whose argument is x: a column of a
 * row, a feature of the layer below, or where the group has both what self->first says. */
void layer_input(const layer_group *self, const char *index, char out[C_INPUT_SIZE]);
/* Returns whether the group's struct has a member `first`: its inputs are of both kinds. */
bool layer_group_mixed(const layer_group *self);
/* Writes the beginning of a layer's constant, "static const TYPE layer2 = {", and the members that
 * every layer has. Members beside those are up to the caller, who ends it with "};". */
void emit_layer_begin(c_writer *out, const layer_group *self, size_t i, const char *type);

/* Writes all layers, then static void map_row(const float *x, float *z), which leaves the features
 * of the map, without its scale, in z (map_row_size). Its arrays are added to out->stack. */
void emit_map(c_writer *out, const map *self, export_dtype weights);
/* Returns the floats of z: at least the map's features, more where those of an inner layer pass
 * through z. */
size_t map_row_size(const map *self);

#endif
