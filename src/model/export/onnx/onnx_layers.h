/* The layers of a map in an ONNX graph. Inside the model module. */
#ifndef CNM_MODEL_EXPORT_ONNX_ONNX_LAYERS_H
#define CNM_MODEL_EXPORT_ONNX_ONNX_LAYERS_H

#include "map/map.h"
#include "model/export/onnx/onnx_graph.h"

/* Constants and values of a layer. */
typedef enum onnx_layer_name {
    NAME_THETA,
    NAME_PHASE,
    NAME_PROJECTED,
    NAME_ACTIVATED,
    /* of a layer of single columns */
    NAME_FREQUENCY,
    NAME_FREQUENCY_PHASE,
    NAME_MIX,
    NAME_GAIN,
    NAME_AXES,
    NAME_APART,
    NAME_TURNED,
    NAME_SHIFTED,
    NAME_WAVES,
    NAME_SUMS,
    NAME_MIXED,
    NAME_KEPT,
    ONNX_LAYER_NAMES
} onnx_layer_name;

/* Their texts in a layer: theta, or layer2.theta for the second; and so on. */
typedef struct onnx_layer_names {
    char all[ONNX_LAYER_NAMES][MAP_NAME_SIZE];
} onnx_layer_names;

/* Names what belongs to layer i, from 0. */
void onnx_name_layer(size_t i, onnx_layer_names *out);

/* Adds all layers behind the prepared columns: the features without the map's scale. Fills names,
 * which must live as long as the chain. */
cnm_status onnx_add_map(onnx_chain *self, const map *own, onnx_layer_names names[MAP_LAYERS], cnm_error *err);

#endif
