/* What an engine works on: rows, preprocessing, map and head, and the mean loss of all that in
 * double. */
#ifndef CNM_TESTS_SUPPORT_ENGINE_SCENE_H
#define CNM_TESTS_SUPPORT_ENGINE_SCENE_H

#include "support/engine_losses.h"
#include "support/random_rows.h"

#include "engine/engine.h"

typedef struct scene_spec {
    const char *projection, *activation;
    size_t rows, columns, features, loss; /* loss: a row of TEST_LOSSES */
    bool sparse, weighted, scaled;
    double filled; /* fraction of cells that are not 0; 0 stands for all */
} scene_spec;

/* Scenes of 310 rows, which batches of 150 cut into three blocks of which the last is short, two
 * batches an epoch, with features enough for several tiles; and from the fourth on of columns so
 * many that rows go through the map as CSR. */
extern const scene_spec SCENES[5];

typedef struct scene {
    scene_spec spec;
    twin_rows rows;
    input_stage stage;
    input_source source;
    map *map;
    linear_head head;
    int32_t *classes;
    float *targets, *weights;
    size_t outputs;
} scene;

void scene_make(scene *self, const scene_spec *spec);
void scene_free(scene *self);

/* Creates an engine on the scene. */
engine *scene_engine(scene *self, size_t batch, size_t threads);

/* Returns a plan that learns map and head with MOMENTUM. */
train_plan scene_plan(const scene *self, size_t batch);

/* Runs steps first .. first + count and returns their mean loss. */
double run_steps(engine *runner, const train_plan *plan, uint64_t first, uint64_t count);

/* Returns all parameters in one array, to be freed: head, learned tensors, phases. */
float *scene_parameters(const scene *self, size_t *count);

/* ---- The scene in double ---- */

/* Every parameter in double; filters of a circulant map stay filters. */
typedef struct scene_point {
    size_t count;
    double *values; /* head (features + 1, outputs), tensor, phases, in this order */
    size_t tensor, phase;
} scene_point;

scene_point scene_point_make(const scene *self);

/* Fills z (features) and scores (outputs) of one row. */
void scene_row(const scene *self, const scene_point *at, size_t row, double scale, double *z, double *scores);

/* Returns the mean over all rows of weight * loss. */
double scene_loss(const scene *self, const scene_point *at, double scale);

#endif
