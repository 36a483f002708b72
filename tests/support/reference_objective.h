/* What the trainers minimise, in double precision with plain loops: the mean loss of a map and a
 * head over a few rows, or of a map over pairs of rows, with penalties. Also how near a point is to
 * a kink, where there is no gradient to compare with. */
#ifndef CNM_TESTS_SUPPORT_REFERENCE_OBJECTIVE_H
#define CNM_TESTS_SUPPORT_REFERENCE_OBJECTIVE_H

#include "support/checks.h"

#include "engine/engine.h"

enum {
    POINT_ROWS = 12,
    POINT_COLUMNS = 5,
    POINT_OUTPUTS = 3,
    POINT_FEATURES = 7,
    POINT_PARAMETERS = 100
}; /* at most */

#define POINT_GAMMA 0.3 /* of the kernel */

/* Penalties: (lambda / 2) |W|^2 on the head with its intercept; l1 |p|_1 and (l2 / 2) |p|^2 on
 * theta or filters. */
typedef struct penalty_weights {
    const char *name;
    double lambda, l1, l2;
} penalty_weights;

/* classes 1: regression. loss NULL: pairs of rows instead, and no head. */
typedef struct gradient_case {
    const char *projection, *activation;
    size_t features;
    bool phases, weighted;
    const loss_ops *loss;
    size_t classes;
    map_kernel kernel;
    const penalty_weights *penalty;
} gradient_case;

/* Rows, their labels, and parameters, in float for the engine and in double. */
typedef struct objective_point {
    const gradient_case *is;
    float values[POINT_ROWS * POINT_COLUMNS], targets[POINT_ROWS], weights[POINT_ROWS];
    int32_t classes[POINT_ROWS];
    map *map;
    linear_head head;
    double scale; /* of features in scores */
    /* where theta (or filters) and phases begin, and how many parameters there are */
    size_t tensor, phase, count;
    double at[POINT_PARAMETERS]; /* head (features + 1, outputs), theta or filters, phases */
} objective_point;

/* How near the kinks are, and how many arguments lie below and above them. */
typedef struct kinks {
    double nearest;
    size_t relu[2], loss[2];
} kinks;

/* Returns the mean loss at a point, without penalties; adds to *met the kinks that it meets. */
double objective_loss(const objective_point *self, kinks *met);

/* Returns the mean loss with penalties. */
double objective_value(const objective_point *self, kinks *met);

#endif
