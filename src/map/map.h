/* One feature map: a projection, then an activation. Z(x) = scale * activation(project(u) + phase),
 * u = prepared rows.
 *
 * Not here: what rows are (data), how inputs are scaled (model/preprocess.h), what is minimised
 * (learn). A new projection is one file and one row in PROJECTION_LIST; a new activation
 * one row in ACTIVATIONS (activation.c). What other modules must know of either is a trait in the
 * row: nobody compares names. */
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
    /* Factor on a plain gradient step of a learned tensor: less than 1 where one entry serves
     * several features (1 for theta, 1 / columns for filters). */
    double step_scale;
    double rate_scale; /* factor on the learning rate of a learned tensor under Adam */
    /* Entries multiply columns and start at size 1; those of other tensors have the unit of
     * theta. */
    bool factor;
    bool signs; /* holds only -1 and +1: one bit each in the model file */
    /* May be absent (values NULL): a diagonal that no scale was folded into yet. Code that loads
     * one allocates it with memory_take. */
    bool optional;
    float *values; /* (rows, columns); owned by the map */
} map_tensor;

enum { MAP_TENSORS = 4 };

typedef enum map_kernel { KERNEL_GAUSSIAN, KERNEL_LAPLACIAN, KERNEL_CAUCHY } map_kernel;
typedef enum map_init { INIT_RANDOM, INIT_ORTHOGONAL } map_init;

/* Specifies a map to create. */
typedef struct map_spec {
    const char *projection; /* a name that projection_find knows */
    const char *activation; /* a name that activation_find knows */
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

/* The columns of the first tensor that belong to a feature_part, as (columns, count) with `stride`
 * floats from row to row; behind each row `ahead` floats of the features that will be asked for
 * next. Of the rows, and of those behind them that will be projected next, the first `far` are not
 * in this core's caches. */
typedef struct part_columns {
    const float *values;
    size_t count, stride, ahead, far;
} part_columns;

/* One row of the table of projections. Functions get the whole map: its tensors, and `state`, which
 * the projection owns. */
typedef struct projection_ops {
    const char *name;
    const char *help; /* one line for the option's help */

    /* Traits. */
    bool identity; /* features are the columns: nothing is drawn or learned, and gamma has no use */
    /* Each feature has parameters of its own: features can be pruned, a smaller map is a sample of
     * a larger one, and the map can be frozen, solved for and distilled into. */
    bool own_parameters;
    bool sparse;     /* forward and gradient take CSR rows as they are */
    bool orthogonal; /* draws INIT_ORTHOGONAL, for the Gaussian kernel */
    /* Estimates kernels other than the Gaussian without bias, but with more variance than a dense
     * map does. */
    bool gaussian_preferred;

    /* Fills names, shapes and learned flags for (columns, features); returns how many tensors. */
    size_t (*describe)(size_t columns, size_t features, map_tensor tensors[MAP_TENSORS]);
    /* Allocates `state` (plans); frees it. Either may be NULL. */
    cnm_status (*create)(map *self, cnm_error *err);
    void (*destroy)(map *self);
    /* Draws the tensors for spec's kernel, gamma, init and seed. */
    cnm_status (*draw)(map *self, const map_spec *spec, cnm_error *err);
    /* Brings derived state (transformed filters) up to date after tensors changed; may be NULL. */
    void (*refresh)(map *self);
    /* Fills out (rows, features) with the projection of u: dense, or CSR where `sparse` is set.
     * scratch: scratch_size floats. Single-threaded. */
    void (*forward)(const map *self, const rows_view *u, float *out, float *scratch);
    size_t (*scratch_size)(const map *self);
    /* Fills gradients[i] (shape of tensor i; NULL where it is not learned) with the gradient of a
     * sum over rows, given g (rows, features) = slope with respect to the projection. Takes any
     * number of rows; runs in parallel inside, with the same bits for any pool. work:
     * gradient_work_size(map, rows, the pool's workers) floats. */
    void (*gradient)(const map *self, const rows_view *u, const float *g, float *const gradients[MAP_TENSORS],
                     thread_pool *threads, float *work);
    size_t (*gradient_work_size)(const map *self, size_t rows, size_t threads);
    /* Both NULL unless the map has one tensor, of which each feature has a column. forward_part
     * fills out (rows, own->count), out_stride floats from row to row, with the projections of some
     * features, for dense u; gradient_part fills out (columns, count) with rows column .. column +
     * columns of their gradient, from g (rows, count). Single-threaded. */
    void (*forward_part)(const rows_view *u, const part_columns *own, float *out, size_t out_stride);
    void (*gradient_part)(const rows_view *u, const float *g, size_t count, size_t column, size_t columns, float *out);
    /* Fills theta (columns, features), the explicit matrix, for exports and tests. */
    cnm_status (*to_dense)(const map *self, float *theta, cnm_error *err);
    /* Multiplies input column j by factor[j] for good: folds scales into the tensors, or into a
     * stored diagonal. On failure nothing has changed. NULL for the identity: the head on top of it
     * absorbs the scales of its inputs. */
    cnm_status (*scale_columns)(map *self, const double *factor, cnm_error *err);
    /* Makes the first features of self those of `smaller`, a map of the same projection and columns
     * with at most as many features; NULL where there is nothing to take over. The others keep what
     * was drawn for them. */
    cnm_status (*adopt)(map *self, const map *smaller, cnm_error *err);
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

struct map {
    const projection_ops *projection;
    const activation_ops *activation;
    size_t columns, features, tensor_count;
    map_tensor tensors[MAP_TENSORS];
    float *phase; /* (features), or NULL */
    float scale;  /* of the activation; features carry it unless the caller folds it into a head */
    void *state;  /* the projection's own */
};

/* Return the row of that name, or NULL when the name is unknown. */
const projection_ops *projection_find(const char *name);
const activation_ops *activation_find(const char *name);

/* Return the rows that options may name, in the order of the options' values, and how many they
 * are: all but the identity, which belongs to the linear method. */
const projection_ops *const *projection_table(size_t *count);
const activation_ops *activation_table(size_t *count);

/* Return the index of a row in its table, or -1 for the identity. */
int projection_index(const projection_ops *row);
int activation_index(const activation_ops *row);

/* Returns the bytes that the tensors of such a map need in memory, optional ones left out; SIZE_MAX
 * when the number overflows. */
size_t map_bytes(const char *projection, size_t columns, size_t features);

/* Maps over this many bytes are refused: 4 GiB. */
#define MAP_BYTES_LIMIT ((size_t)1 << 32)

/* Fails with CNM_NO_MEMORY, and a message with what to do instead, when the tensors of such a map
 * pass MAP_BYTES_LIMIT. */
cnm_status map_size_check(const projection_ops *projection, size_t columns, size_t features, cnm_error *err);

/* Creates a map with tensors of zeros (optional ones absent) and, where spec asks, phases, for
 * loading. A map over MAP_BYTES_LIMIT is refused with CNM_NO_MEMORY; the message has the bytes that
 * this map and a circulant one need. */
cnm_status map_create(map **out, const map_spec *spec, cnm_error *err);
/* Creates a map and draws its tensors and phases at random. */
cnm_status map_draw(map **out, const map_spec *spec, cnm_error *err);
cnm_status map_copy(map **out, const map *self, cnm_error *err);
void map_destroy(map *self);

/* Makes the first features and phases of self those of `smaller` (projection_ops.adopt), and
 * refreshes self. The two maps must agree in projection, columns and in having phases. */
cnm_status map_adopt(map *self, const map *smaller, cnm_error *err);

/* Brings derived state up to date: to be called after tensors or phases were changed from
 * outside. */
void map_refresh(map *self);

/* Returns the floats of scratch that one worker needs for map_forward. */
size_t map_scratch_size(const map *self);

/* Computes z (rows, features) = scale * activation(projection(u) + phase), eq. 5 of the paper with
 * the bias written out. Works tile by tile: a dense map's features are finished while they are in
 * the first-level cache, as long as u has no more than GEMM_ROWS rows. */
void map_features(const map *self, const rows_view *u, float scale, float *z, float *scratch);

/* Computes one block for a training: z (GEMM_ROWS, features) as map_features, without scale, and
 * the slope where that is not NULL. u has at most GEMM_ROWS rows; rows of z and slope beyond them
 * hold 0. */
void map_forward(const map *self, const rows_view *u, float *z, float *slope, float *scratch);

/* Does the same for some features from `first` on, whose columns of the first tensor are `own`, and
 * any number of dense rows, without padding: z, slope (rows, own->count). Only for projections with
 * forward_part. */
void map_forward_part(const map *self, const rows_view *u, size_t first, const part_columns *own, float *z,
                      float *slope);

/* Computes the gradients of all learned tensors and the phases (phase_gradient may be NULL) for
 * g (rows, features) = d loss / d (projection + phase). */
void map_gradient(const map *self, const rows_view *u, const float *g, float *const gradients[MAP_TENSORS],
                  float *phase_gradient, thread_pool *threads, float *work);
size_t map_gradient_work_size(const map *self, size_t rows, size_t threads);

/* Returns K(x, y) of two dense rows of `columns` floats. */
double kernel_value(map_kernel kernel, double gamma, const float *x, const float *y, size_t columns);
/* Returns the kernel's name, or NULL behind the last kernel. */
const char *kernel_name(map_kernel kernel);
/* Finds the kernel of that name; returns false when the name is unknown. */
bool kernel_find(const char *name, map_kernel *kernel);

#endif
