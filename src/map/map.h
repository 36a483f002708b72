/* One feature map: a projection, then an activation. Z(x) = scale * activation(project(u) + phase), u = prepared rows.
 *
 * Not here: what rows are (data), how inputs are scaled (model/preprocess.h), what is minimised (learn).
 * A new projection is one file and one row in PROJECTIONS (projection.c); a new activation one row in ACTIVATIONS. */
#ifndef CNM_MAP_MAP_H
#define CNM_MAP_MAP_H

#include <stdbool.h>

#include "base/core/rows_view.h"
#include "base/threads/threads.h"
#include "cnm/types.h"

typedef struct map map;

/* One stored array of a map. */
typedef struct map_tensor {
    const char *name; /* "theta", "filters", "signs", "diagonal": also its name in the model file */
    size_t rows, columns;
    bool learned; /* gets gradients */
    /* Of a learned one: by how much a plain gradient step must be smaller than for a dense theta, because one entry serves
     * several features: 1 for theta, 1 / columns for filters. */
    double step_scale;
    double rate_scale; /* Of a learned one: by how much an adaptive step (Adam) is larger than for a dense theta */
    bool factor;       /* entries multiply columns: of size 1 at the start, where others are in the unit of theta */
    bool signs;        /* holds only -1 and +1: one bit each in the model file */
    /* May be absent (values NULL): a diagonal that nothing was folded into yet. Whoever loads one allocates it with memory_take. */
    bool optional;
    float *values; /* (rows, columns); owned by the map */
} map_tensor;

enum { MAP_TENSORS = 4 };

typedef enum map_kernel { KERNEL_GAUSSIAN, KERNEL_LAPLACIAN, KERNEL_CAUCHY } map_kernel;
typedef enum map_init { INIT_RANDOM, INIT_ORTHOGONAL } map_init;

/* What a map is to be. */
typedef struct map_spec {
    const char *projection; /* "dense", "circulant", "circulant-diagonal", "identity" (features = columns: linear) */
    const char *activation; /* "cos", "sigmoid", "relu", "identity" */
    size_t columns, features;
    map_kernel kernel;
    map_init init;
    double gamma;
    bool phases; /* draw uniform phases; false: no phase array at all */
    uint64_t seed;
} map_spec;

/* Some of a map's features: first .. first + count. */
typedef struct feature_part {
    size_t first, count;
} feature_part;

/* Their columns of the first tensor, as (columns, count) with `stride` floats from row to row; behind each row `ahead` floats of
 * the features that will be asked for next. Of the rows, and of those behind them that will be
 * projected next, the first `far` are not in this core's caches. */
typedef struct part_columns {
    const float *values;
    size_t count, stride, ahead, far;
} part_columns;

/* A projection's row. Functions get the whole map: its tensors, and `state`, which the projection owns. */
typedef struct projection_ops {
    const char *name;
    /* Fills names, shapes and learned flags for (columns, features); returns how many tensors. */
    size_t (*describe)(size_t columns, size_t features, map_tensor tensors[MAP_TENSORS]);
    /* Allocates `state` (plans); frees it. Either may be NULL. */
    cnm_status (*create)(map *self, cnm_error *err);
    void (*destroy)(map *self);
    /* Draws the tensors for spec's kernel, gamma, init and seed. */
    cnm_status (*draw)(map *self, const map_spec *spec, cnm_error *err);
    /* Brings derived state (transformed filters) up to date after tensors changed; may be NULL. */
    void (*refresh)(map *self);
    /* out (rows, features) = projection of u, dense, or sparse where `sparse` says so. scratch: scratch_size floats.
     * Single-threaded. */
    void (*forward)(const map *self, const rows_view *u, float *out, float *scratch);
    size_t (*scratch_size)(const map *self);
    /* gradients[i] (shape of tensor i; NULL where it is not learned) = gradient of a sum over rows, given g (rows, features) =
     * slope with respect to the projection. Any number of rows; runs in parallel inside, the same bits for any pool.
     * work: gradient_work_size(map, rows, its workers) floats. */
    void (*gradient)(const map *self, const rows_view *u, const float *g, float *const gradients[MAP_TENSORS],
                     thread_pool *threads, float *work);
    size_t (*gradient_work_size)(const map *self, size_t rows, size_t threads);
    /* Where a feature depends on its own column of the first tensor alone, and there is no other; NULL elsewhere. out (rows,
     * own->count), out_stride floats from row to row, = projections of some features, for dense u; and rows column .. column +
     * columns of their gradient, out (columns, count), from g (rows, count). Single-threaded. */
    void (*forward_part)(const rows_view *u, const part_columns *own, float *out, size_t out_stride);
    void (*gradient_part)(const rows_view *u, const float *g, size_t count, size_t column, size_t columns, float *out);
    /* theta (columns, features): the explicit matrix, for exports and tests. */
    cnm_status (*to_dense)(const map *self, float *theta, cnm_error *err);
    /* Multiplies input column j by factor[j] for good: folds scales into the tensors, or into a stored diagonal. On failure
     * nothing has changed. NULL for the identity: the head on top of it absorbs the scales of its inputs. */
    cnm_status (*scale_columns)(map *self, const double *factor, cnm_error *err);
    /* Makes the first features of self those of `smaller`, a map of the same projection and columns with at most as many
     * features; NULL where there is nothing to take over. The others keep what was drawn for them. */
    cnm_status (*adopt)(map *self, const map *smaller, cnm_error *err);
    bool sparse; /* forward and gradient take CSR rows as they are */
} projection_ops;

/* An activation's row. Arrays (count); in place is allowed. The slope is d activation / d p. */
typedef struct activation_ops {
    const char *name;
    void (*value)(const float *p, size_t count, float *z);
    void (*value_and_slope)(const float *p, size_t count, float *z, float *slope);
    double (*scale)(size_t features); /* sqrt(2/k) for cos, sigmoid and relu; 1 for identity */
    /* value_and_slope in place for rows of projections, with the phases (columns) added; and value likewise, times scale, for rows
     * `stride` floats apart. NULL: one after the other does as well. */
    void (*shifted_rows)(size_t rows, size_t columns, const float *phase, float *z, float *slope);
    void (*shifted_tile)(size_t rows, size_t columns, const float *phase, float scale, float *z, size_t stride);
} activation_ops;

struct map {
    const projection_ops *projection;
    const activation_ops *activation;
    size_t columns, features, tensor_count;
    map_tensor tensors[MAP_TENSORS];
    float *phase; /* (features), or NULL */
    float scale;  /* of the activation; features carry it unless the caller folds it into a head */
    void *state;  /* the projection's own */
};

const projection_ops *projection_find(const char *name); /* NULL when unknown */
const activation_ops *activation_find(const char *name);

/* Bytes that the tensors of such a map need in memory, optional ones left out; SIZE_MAX when that overflows. */
size_t map_bytes(const char *projection, size_t columns, size_t features);

/* Maps over this many bytes are refused: 4 GiB. */
#define MAP_BYTES_LIMIT ((size_t)1 << 32)

/* An undrawn map (tensors zero, optional ones absent), for loading; with phases when asked. A map over MAP_BYTES_LIMIT is
 * CNM_NO_MEMORY with the memory it needs, and what a circulant one would. */
cnm_status map_create(map **out, const map_spec *spec, cnm_error *err);
/* A map drawn at random as spec says. */
cnm_status map_draw(map **out, const map_spec *spec, cnm_error *err);
cnm_status map_copy(map **out, const map *self, cnm_error *err);
void map_destroy(map *self);

/* projection->adopt, the phases, and a refresh. The two maps must agree in projection, columns and in having phases. */
cnm_status map_adopt(map *self, const map *smaller, cnm_error *err);

/* To be called after tensors or phases were changed from outside. */
void map_refresh(map *self);

/* Floats of scratch that one worker needs for map_forward. */
size_t map_scratch_size(const map *self);

/* z (rows, features) = scale * activation(projection(u) + phase), eq. 5 of the paper with the bias written out. Tile by tile: a
 * dense map's features are finished while they are in the first-level cache, as long as u has no more than GEMM_ROWS rows. */
void map_features(const map *self, const rows_view *u, float scale, float *z, float *scratch);

/* One block for a training: z (GEMM_ROWS, features) as above, without scale; slope likewise when not NULL. u has at most GEMM_ROWS
 * rows; rows of z and slope beyond them hold 0. */
void map_forward(const map *self, const rows_view *u, float *z, float *slope, float *scratch);

/* The same for some features from `first` on, whose columns of the first tensor are `own`, and any number of dense rows, without
 * padding: z, slope (rows, own->count). Only where the projection has forward_part. */
void map_forward_part(const map *self, const rows_view *u, size_t first, const part_columns *own, float *z,
                      float *slope);

/* Gradients of all learned tensors and the phases (phase_gradient may be NULL) for g (rows, features) = d loss /
 * d (projection + phase). */
void map_gradient(const map *self, const rows_view *u, const float *g, float *const gradients[MAP_TENSORS],
                  float *phase_gradient, thread_pool *threads, float *work);
size_t map_gradient_work_size(const map *self, size_t rows, size_t threads);

/* K(x, y) of two dense rows of `columns` floats. */
double kernel_value(map_kernel kernel, double gamma, const float *x, const float *y, size_t columns);
/* The kernel's name, and back (false when unknown). */
const char *kernel_name(map_kernel kernel);
bool kernel_find(const char *name, map_kernel *kernel);

#endif
