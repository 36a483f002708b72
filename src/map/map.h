/* A feature map: a stack of layers, of which the first takes prepared rows u and each other the
 * features of the one below it. A stack of one is the map of the paper:
 *
 *   Z(u) = scale * activation(project(u) + phase)
 *
 * Features pass from layer to layer without a scale: theta of the layer above contains it. Features
 * of the cosine stay in [-1, 1] whatever the layers, so a stack is as bounded as one layer. */
#ifndef CNM_MAP_MAP_H
#define CNM_MAP_MAP_H

#include "map/layer.h"

enum { MAP_LAYERS = 8 };

/* The kind and size of a layer. */
typedef struct layer_shape {
    const char *projection; /* a name that projection_find knows */
    size_t features;        /* or the number that the projection has them from */
} layer_shape;

/* Specifies a map to create. */
typedef struct map_spec {
    const char *projection;   /* of the last layer */
    const char *activation;   /* of all layers */
    size_t columns, features; /* of the rows, and of the last layer */
    map_kernel kernel;        /* of the first layer that does not prepare rows, as init and gamma */
    map_init init;
    double gamma;
    bool phases; /* draw uniform phases; false: no phase array at all */
    uint64_t seed;
    size_t inner_count; /* layers below the last */
    layer_shape inner[MAP_LAYERS - 1];
} map_spec;

typedef struct map {
    size_t columns, features; /* of the rows, and of the last layer */
    size_t layer_count;
    layer *layers[MAP_LAYERS]; /* owned */
    float scale;               /* of the last layer; features carry it unless the caller folds it into a head */
} map;

static inline layer *map_first(const map *self) { return self->layers[0]; }
static inline layer *map_last(const map *self) { return self->layers[self->layer_count - 1]; }

/* One stored array of a map, for code that treats all of them alike: a tensor or the phases. */
enum { MAP_ARRAYS = MAP_LAYERS * (LAYER_TENSORS + 1), MAP_NAME_SIZE = 32 };
typedef struct map_array {
    /* "theta", "phase"; of the layers above the first "layer2.theta", ...: also in the model
     * file */
    char name[MAP_NAME_SIZE];
    layer *owner;
    layer_tensor *tensor; /* NULL: the phases, (1, features) */
    size_t rows, columns;
    float **values; /* its pointer in the layer; it points to NULL where the array is absent */
} map_array;

/* Lists the arrays from the first layer on, absent ones too; returns how many. */
size_t map_list(const map *self, map_array out[MAP_ARRAYS]);

/* Returns the projection of the first layer of such a map. */
const projection_ops *map_spec_first(const map_spec *spec);
/* Returns the products of one row with all theta of such a map, were all its layers dense. */
double map_spec_products(const map_spec *spec);
/* Returns the specification of layer i. */
layer_spec map_spec_layer(const map_spec *spec, size_t i);

/* Creates a map with tensors of zeros (optional ones absent) and, where spec asks, phases, for
 * loading; fails as layer_create. */
cnm_status map_create(map **out, const map_spec *spec, cnm_error *err);
/* Creates a map and draws its tensors and phases at random: the first layer for spec's kernel, or
 * the one above a first layer that prepares rows; each other so that its projections have variance
 * 1, theta ~ N(0, 2 / features below) for features of variance 1/2 as those of the cosine. */
cnm_status map_draw(map **out, const map_spec *spec, cnm_error *err);
cnm_status map_copy(map **out, const map *self, cnm_error *err);
void map_destroy(map *self);

/* Copies all tensors and phases of `from`, a map of the same shape and with the same arrays. */
void map_assign(map *self, const map *from);

/* Makes the first features and phases of each layer those of `smaller` (layer_adopt), which has as
 * many layers: inner ones of the same size. */
cnm_status map_adopt(map *self, const map *smaller, cnm_error *err);

/* Brings derived state up to date: to be called after tensors or phases were changed from
 * outside. */
void map_refresh(map *self);

/* Returns the number of learned parameters that are stored. */
size_t map_parameters(const map *self);

/* Returns the floats of scratch that one worker needs for the functions below. */
size_t map_scratch_size(const map *self);

/* Computes z (rows, features) = scale * the features of u, which has at most GEMM_ROWS rows where
 * there is more than one layer. Features of inner layers are only ever in scratch. */
void map_features(const map *self, const rows_view *u, float scale, float *z, float *scratch);

/* Computes one block for a training without slopes: z (GEMM_ROWS, features) as map_features,
 * without scale. u has at most GEMM_ROWS rows; rows of z beyond them hold 0. */
void map_forward(const map *self, const rows_view *u, float *z, float *scratch);

#endif
