/* One layer of a map: a projection, then an activation. z = scale * activation(project(u) + phase),
 * u = prepared rows, or the features of the layer below.
 *
 * Not here: how layers make a map (map.h), what rows are (data), how inputs are scaled
 * (model/preprocess.h), what is minimised (learn). A new projection is one file and one row in
 * PROJECTION_LIST; a new activation one row in ACTIVATIONS (activation.c). What other modules must
 * know of either is a trait in the row: nobody compares names. */
#ifndef CNM_MAP_LAYER_H
#define CNM_MAP_LAYER_H

#include <stdbool.h>

#include "base/core/rows_view.h"
#include "base/threads/threads.h"
#include "cnm/types.h"

typedef struct layer layer;

/* One stored array of a layer. */
typedef struct layer_tensor {
    const char *name; /* "theta", "filters", "signs", "diagonal": also its name in the model file */
    size_t rows, columns;
    bool learned; /* gets gradients */
    /* Factor on a plain gradient step of a learned tensor: less than 1 where one entry serves
     * several features (1 for theta, 1 / columns for filters). */
    double step_scale;
    double rate_scale; /* factor on the learning rate of a learned tensor under Adam */
    /* Entries have a unit of their own, rate_scale under a rate of 1, and do not decay: factors on
     * columns, phases. Those of other tensors have the unit of theta. */
    bool factor;
    bool signs; /* holds only -1 and +1: one bit each in the model file */
    /* May be absent (values NULL): a diagonal that no scale was folded into yet. Code that loads
     * one allocates it with memory_take. */
    bool optional;
    float *values; /* (rows, columns); owned by the layer */
} layer_tensor;

enum { LAYER_TENSORS = 4 };

typedef enum map_kernel { KERNEL_GAUSSIAN, KERNEL_LAPLACIAN, KERNEL_CAUCHY } map_kernel;
typedef enum map_init { INIT_RANDOM, INIT_ORTHOGONAL } map_init;

/* Specifies a layer to create. */
typedef struct layer_spec {
    const char *projection; /* a name that projection_find knows */
    const char *activation; /* a name that activation_find knows */
    size_t columns;
    size_t features; /* or the number that the projection has them from (projection_ops.features) */
    map_kernel kernel;
    map_init init;
    double gamma;
    bool phases; /* draw uniform phases; false: no phase array at all */
    uint64_t seed;
    /* The layer's number in its map, from 0: layers draw from streams of their own, and those above
     * the first can give the slope of their input. */
    uint32_t number;
} layer_spec;

/* Some of a layer's features: first .. first + count. */
typedef struct feature_part {
    size_t first, count;
} feature_part;

/* The columns of the first tensor that belong to a feature_part, as (columns, count) with `stride`
 * floats from row to row; behind each row `ahead` floats of the features that will be asked for
 * next. Of the rows, and of those behind them that will be projected next, the first `far` are not
 * in this core's caches. */
typedef struct part_columns {
    const float *values;
    size_t count, stride, ahead, far;
} part_columns;

/* One row of the table of projections. Functions get the whole layer: its tensors, and `state`,
 * which the projection owns. */
typedef struct projection_ops {
    const char *name;
    const char *help; /* one line for the option's help */

    /* Traits. */
    bool identity; /* features are the columns: nothing is drawn or learned, and gamma has no use */
    /* Each feature has parameters of its own: features can be pruned, a smaller layer is a sample
     * of a larger one, and the map can be frozen, solved for and distilled into. */
    bool own_parameters;
    bool sparse;     /* forward and gradient take CSR rows as they are */
    bool orthogonal; /* draws INIT_ORTHOGONAL, for the Gaussian kernel */
    /* Estimates kernels other than the Gaussian without bias, but with more variance than a dense
     * layer does. */
    bool gaussian_preferred;
    /* Prepares rows for another layer: is the first of a stack and never the last, has no
     * activation but its own and no phases outside its tensors, and does not take the kernel, gamma
     * and init of the map, which belong to the layer above. */
    bool prepares;
    /* Where it prepares: the deviation of its first tensor at the start. */
    double unit;

    /* Returns the features of a layer from the number in its specification; NULL: they are that
     * number. */
    size_t (*features)(size_t columns, size_t number);
    /* Fills names, shapes and learned flags for (columns, features); returns how many tensors. */
    size_t (*describe)(size_t columns, size_t features, layer_tensor tensors[LAYER_TENSORS]);
    /* Allocates `state` (plans); frees it. Either may be NULL. */
    cnm_status (*create)(layer *self, cnm_error *err);
    void (*destroy)(layer *self);
    /* Draws the tensors for spec's kernel, gamma, init and seed. */
    cnm_status (*draw)(layer *self, const layer_spec *spec, cnm_error *err);
    /* Brings derived state (transformed filters) up to date after tensors changed; may be NULL. */
    void (*refresh)(layer *self);
    /* Fills out (rows, features) with the projection of u: dense, or CSR where `sparse` is set.
     * scratch: scratch_size floats. Single-threaded. */
    void (*forward)(const layer *self, const rows_view *u, float *out, float *scratch);
    size_t (*scratch_size)(const layer *self);
    /* Fills gradients[i] (shape of tensor i; NULL where it is not learned) with the gradient of a
     * sum over rows, given g (rows, features) = slope with respect to the projection. Takes any
     * number of rows; runs in parallel inside, with the same bits for any pool. work:
     * gradient_work_size(layer, rows, the pool's workers) floats. */
    void (*gradient)(const layer *self, const rows_view *u, const float *g, float *const gradients[LAYER_TENSORS],
                     thread_pool *threads, float *work);
    size_t (*gradient_work_size)(const layer *self, size_t rows, size_t threads);
    /* Both NULL unless the layer has one tensor, of which each feature has a column. forward_part
     * fills out (rows, own->count), out_stride floats from row to row, with the projections of some
     * features, for dense u; gradient_part fills out (columns, count) with rows column .. column +
     * columns of their gradient, from g (rows, count). Single-threaded. */
    void (*forward_part)(const rows_view *u, const part_columns *own, float *out, size_t out_stride);
    void (*gradient_part)(const rows_view *u, const float *g, size_t count, size_t column, size_t columns, float *out);
    /* Fills out (rows, columns) with the slope with respect to u, g theta^T, from g (rows,
     * features), at most GEMM_ROWS rows. Only for layers above the first. scratch: scratch_size
     * floats. NULL: there is no layer of this projection above the first. Single-threaded. */
    void (*back)(const layer *self, const float *g, size_t rows, float *out, float *scratch);
    /* Fills theta (columns, features), the explicit matrix, for exports and tests. */
    cnm_status (*to_dense)(const layer *self, float *theta, cnm_error *err);
    /* Multiplies input column j by factor[j] for good: folds scales into the tensors, or into a
     * stored diagonal. On failure nothing has changed. NULL for the identity: the head on top of it
     * absorbs the scales of its inputs. */
    cnm_status (*scale_columns)(layer *self, const double *factor, cnm_error *err);
    /* Makes the first features of self those of `smaller`, a layer of the same projection and
     * columns with at most as many features; NULL where there is nothing to take over. The others
     * keep what was drawn for them. */
    cnm_status (*adopt)(layer *self, const layer *smaller, cnm_error *err);
} projection_ops;

/* One row of the table of activations. Arrays (count); in place is allowed. The slope is
 * d activation / d p. */
typedef struct activation_ops {
    const char *name;

    /* Traits. */
    bool periodic; /* with period 2 pi: phases may be reduced to one period */
    bool kernel;   /* with random theta and phases the features estimate the spec's kernel */

    void (*value)(const float *p, size_t count, float *z);
    void (*value_and_slope)(const float *p, size_t count, float *z, float *slope);
    double (*scale)(size_t features); /* sqrt(2/k) for cos, sigmoid and relu; 1 for identity */
    /* phased_rows computes value_and_slope in place for rows of projections, with the phases
     * (columns) added; phased_tile computes value likewise, times scale, for rows `stride` floats
     * apart. NULL where adding phases first costs nothing. */
    void (*phased_rows)(size_t rows, size_t columns, const float *phase, float *z, float *slope);
    void (*phased_tile)(size_t rows, size_t columns, const float *phase, float scale, float *z, size_t stride);
} activation_ops;

struct layer {
    const projection_ops *projection;
    const activation_ops *activation;
    size_t columns, features, tensor_count;
    size_t number_given; /* layer_spec.features, from which the features follow */
    layer_tensor tensors[LAYER_TENSORS];
    float *phase;    /* (features), or NULL */
    float scale;     /* of the activation; features carry it unless the caller folds it into a head */
    uint32_t number; /* in its map, from 0 */
    void *state;     /* the projection's own */
};

/* Return the row of that name, or NULL when the name is unknown. */
const projection_ops *projection_find(const char *name);
const activation_ops *activation_find(const char *name);

/* Return the rows that options may name, in the order of the options' values, and how many they
 * are: of projections all but the identity, which belongs to the linear method, and those that
 * prepare rows for another layer. */
const projection_ops *const *projection_table(size_t *count);
const activation_ops *activation_table(size_t *count);

/* Return the index of a row in its table, or -1 for the identity. */
int projection_index(const projection_ops *row);
int activation_index(const activation_ops *row);

/* Returns the features of such a layer (projection_ops.features). */
size_t layer_spec_features(const layer_spec *spec);

/* Returns the bytes that the tensors of such a layer need in memory, optional ones left out;
 * SIZE_MAX when the number overflows. */
size_t layer_bytes(const char *projection, size_t columns, size_t features);

/* Layers over this many bytes are refused: 4 GiB. */
#define MAP_BYTES_LIMIT ((size_t)1 << 32)

/* Fails with CNM_NO_MEMORY, and a message with what to do instead, when the tensors of such a layer
 * pass MAP_BYTES_LIMIT. */
cnm_status layer_size_check(const projection_ops *projection, size_t columns, size_t features, cnm_error *err);

/* Creates a layer with tensors of zeros (optional ones absent) and, where spec asks, phases, for
 * loading. A layer over MAP_BYTES_LIMIT is refused with CNM_NO_MEMORY; the message has the bytes
 * that this layer and a circulant one need. */
cnm_status layer_create(layer **out, const layer_spec *spec, cnm_error *err);
/* Creates a layer and draws its tensors and phases at random. */
cnm_status layer_draw(layer **out, const layer_spec *spec, cnm_error *err);
cnm_status layer_copy(layer **out, const layer *self, cnm_error *err);
void layer_destroy(layer *self);

/* Copies tensors and phases of `from`, which has the same shapes and the same arrays. */
void layer_assign(layer *self, const layer *from);

/* Makes the first features and phases of self those of `smaller` (projection_ops.adopt), and
 * refreshes self. The two layers must agree in projection, columns and in having phases. */
cnm_status layer_adopt(layer *self, const layer *smaller, cnm_error *err);

/* Multiplies input column j by factor[j] for good (projection_ops.scale_columns), and refreshes
 * self. Only for projections that can. */
cnm_status layer_scale_columns(layer *self, const double *factor, cnm_error *err);

/* Brings derived state up to date: to be called after tensors or phases were changed from
 * outside. */
void layer_refresh(layer *self);

/* Returns the floats of scratch that one worker needs for layer_forward. */
size_t layer_scratch_size(const layer *self);

/* Computes z (rows, features) = scale * activation(projection(u) + phase), eq. 5 of the paper with
 * the bias written out. Works tile by tile: a dense map's features are finished while they are in
 * the first-level cache, as long as u has no more than GEMM_ROWS rows. */
void layer_features(const layer *self, const rows_view *u, float scale, float *z, float *scratch);

/* Computes one block for a training: z (GEMM_ROWS, features) as layer_features, without scale, and
 * the slope where that is not NULL. u has at most GEMM_ROWS rows; rows of z and slope beyond them
 * hold 0. */
void layer_forward(const layer *self, const rows_view *u, float *z, float *slope, float *scratch);

/* Does the same for some features from `first` on, whose columns of the first tensor are `own`, and
 * any number of dense rows, without padding: z, slope (rows, own->count). Only for projections with
 * forward_part. */
void layer_forward_part(const layer *self, const rows_view *u, size_t first, const part_columns *own, float *z,
                        float *slope);

/* Fills out (rows, columns) with the slope of a loss with respect to u, from g (rows, features) = d
 * loss / d (projection + phase), at most GEMM_ROWS rows. Only for layers above the first. */
void layer_back(const layer *self, const float *g, size_t rows, float *out, float *scratch);

/* Computes the gradients of all learned tensors and the phases (phase_gradient may be NULL) for
 * g (rows, features) = d loss / d (projection + phase). */
void layer_gradient(const layer *self, const rows_view *u, const float *g, float *const gradients[LAYER_TENSORS],
                    float *phase_gradient, thread_pool *threads, float *work);
size_t layer_gradient_work_size(const layer *self, size_t rows, size_t threads);

/* Returns K(x, y) of two dense rows of `columns` floats. */
double kernel_value(map_kernel kernel, double gamma, const float *x, const float *y, size_t columns);
/* Returns the kernel's name, or NULL behind the last kernel. */
const char *kernel_name(map_kernel kernel);
/* Finds the kernel of that name; returns false when the name is unknown. */
bool kernel_find(const char *name, map_kernel *kernel);

#endif
