/* What trainers minimise, in double with plain loops: the mean loss of a map and a head over a few rows, or of a map over their
 * pairs, with penalties. It also says how near a point is to a kink, where there is no slope to compare with. */
#ifndef CNM_TESTS_LEARN_OBJECTIVE_H
#define CNM_TESTS_LEARN_OBJECTIVE_H

#include "model/model_support.h"

#include "engine/engine.h"

enum { ROWS = 12, COLUMNS = 5, MOST_OUTPUTS = 3, MOST_FEATURES = 7, MOST_PARAMETERS = 100 };

static const double GAMMA = 0.3; /* of the kernel */

/* Penalties: (lambda / 2) |W|^2 on the head with its intercept; l1 |p|_1 and (l2 / 2) |p|^2 on theta or filters. */
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

/* A point: rows, what they should be, and parameters, in float for the engine and in double. */
typedef struct point {
    const gradient_case *is;
    float values[ROWS * COLUMNS], targets[ROWS], weights[ROWS];
    int32_t classes[ROWS];
    map *map;
    linear_head head;
    double scale;                /* of features in scores */
    size_t tensor, phase, count; /* where theta (or filters) and phases begin, and how many parameters there are */
    double at[MOST_PARAMETERS];  /* head (features + 1, outputs), theta or filters, phases */
} point;

/* How near the kinks are, and how many arguments lie below and above them. */
typedef struct kinks {
    double nearest;
    size_t relu[2], loss[2];
} kinks;

static inline void meet(kinks *met, size_t sides[2], double distance) {
    met->nearest = fmin(met->nearest, fabs(distance));
    sides[distance > 0.0]++;
}

/* ---- Losses of one row ---- */

typedef struct exact_target {
    size_t outputs, class;
    double target, parameter;
} exact_target;

static inline double exact_margin(const exact_target *wanted, const double *scores, size_t output) {
    return wanted->class == (wanted->outputs == 1 ? 1 : output) ? scores[output] : -scores[output];
}

static inline double exact_hinge(const exact_target *wanted, const double *scores, kinks *met) {
    double sum = 0.0;
    for (size_t j = 0; j < wanted->outputs; j++) {
        const double gap = 1.0 - exact_margin(wanted, scores, j);
        meet(met, met->loss, gap);
        sum += fmax(gap, 0.0);
    }
    return sum;
}

static inline double exact_squared_hinge(const exact_target *wanted, const double *scores, kinks *met) {
    double sum = 0.0;
    for (size_t j = 0; j < wanted->outputs; j++) {
        const double gap = 1.0 - exact_margin(wanted, scores, j);
        meet(met, met->loss, gap);
        sum += pow(fmax(gap, 0.0), 2.0);
    }
    return sum;
}

static inline double exact_logistic(const exact_target *wanted, const double *scores, kinks *met) {
    double sum = 0.0;
    (void)met;
    for (size_t j = 0; j < wanted->outputs; j++) {
        sum += log1p(exp(-exact_margin(wanted, scores, j)));
    }
    return sum;
}

static inline double exact_softmax(const exact_target *wanted, const double *scores, kinks *met) {
    double sum = 0.0;
    (void)met;
    for (size_t j = 0; j < wanted->outputs; j++) {
        sum += exp(scores[j] - scores[wanted->class]);
    }
    return log(sum);
}

/* Kinks where the margin is 1, and where two rivals are equal. */
static inline double exact_crammer_singer(const exact_target *wanted, const double *scores, kinks *met) {
    double first = -INFINITY, second = -INFINITY;
    for (size_t j = 0; j < wanted->outputs; j++) {
        if (j != wanted->class) {
            second = fmax(second, fmin(first, scores[j]));
            first = fmax(first, scores[j]);
        }
    }
    const double gap = 1.0 + first - scores[wanted->class];
    meet(met, met->loss, gap);
    met->nearest = fmin(met->nearest, first - second);
    return fmax(gap, 0.0);
}

static inline double exact_squared(const exact_target *wanted, const double *scores, kinks *met) {
    (void)met;
    return pow(scores[0] - wanted->target, 2.0) / 2.0;
}

static inline double exact_huber(const exact_target *wanted, const double *scores, kinks *met) {
    const double residual = fabs(scores[0] - wanted->target), delta = wanted->parameter;
    meet(met, met->loss, residual - delta);
    return residual < delta ? residual * residual / 2.0 : delta * residual - delta * delta / 2.0;
}

static inline double exact_epsilon(const exact_target *wanted, const double *scores, kinks *met) {
    const double beyond = fabs(scores[0] - wanted->target) - wanted->parameter;
    meet(met, met->loss, beyond);
    return fmax(beyond, 0.0);
}

typedef double exact_loss(const exact_target *wanted, const double *scores, kinks *met);

static inline exact_loss *exact_find(const char *name) {
    static const struct {
        const char *name;
        exact_loss *value;
    } LOSSES[] = {{"hinge", exact_hinge},
                  {"squared-hinge", exact_squared_hinge},
                  {"logistic", exact_logistic},
                  {"softmax", exact_softmax},
                  {"crammer-singer", exact_crammer_singer},
                  {"squared", exact_squared},
                  {"huber", exact_huber},
                  {"epsilon", exact_epsilon}};
    for (size_t i = 0; i < COUNT_OF(LOSSES); i++) {
        if (strcmp(LOSSES[i].name, name) == 0) {
            return LOSSES[i].value;
        }
    }
    fail_msg("the loss %s is not known here: add it", name);
    return NULL;
}

/* ---- The objective ---- */

/* theta (column, feature), explicit; for circulant blocks R_ij D_j = r_{(i-j) mod d} D_j. */
static inline double exact_theta(const point *self, size_t column, size_t feature) {
    const double *tensor = self->at + self->tensor;
    if (strcmp(self->is->projection, "dense") == 0) {
        return tensor[column * self->is->features + feature];
    }
    const size_t block = feature / COLUMNS, shift = (feature % COLUMNS + COLUMNS - column) % COLUMNS;
    return (double)self->map->tensors[1].values[column] * tensor[block * COLUMNS + shift];
}

/* z (features) of one row, without the scale. */
static inline void exact_features(const point *self, size_t row, double *z, kinks *met) {
    for (size_t i = 0; i < self->is->features; i++) {
        double p = self->phase < self->count ? self->at[self->phase + i] : 0.0;
        for (size_t j = 0; j < COLUMNS; j++) {
            p += (double)self->values[row * COLUMNS + j] * exact_theta(self, j, i);
        }
        if (strcmp(self->is->activation, "relu") == 0) {
            meet(met, met->relu, p);
        }
        z[i] = plain_activation(self->is->activation, p);
    }
}

/* The mean over rows of weight * loss. */
static inline double exact_task(const point *self, kinks *met) {
    const size_t k = self->is->features, outputs = self->head.outputs;
    exact_loss *loss = exact_find(self->is->loss->name);
    double sum = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        double z[MOST_FEATURES], scores[MOST_OUTPUTS];
        exact_features(self, i, z, met);
        for (size_t j = 0; j < outputs; j++) {
            scores[j] = self->at[k * outputs + j];
            for (size_t f = 0; f < k; f++) {
                scores[j] += self->scale * z[f] * self->at[f * outputs + j];
            }
        }
        const exact_target wanted = {outputs, (size_t)self->classes[i], (double)self->targets[i],
                                     self->is->loss->parameter};
        sum += (self->is->weighted ? (double)self->weights[i] : 1.0) * loss(&wanted, scores, met);
    }
    return sum / ROWS;
}

static inline double exact_kernel(map_kernel kernel, const float *x, const float *y) {
    double squares = 0.0, absolute = 0.0, product = 1.0;
    for (size_t j = 0; j < COLUMNS; j++) {
        const double z = (double)x[j] - (double)y[j];
        squares += z * z;
        absolute += fabs(z);
        product /= 1.0 + GAMMA * GAMMA * z * z;
    }
    const double values[] = {exp(-GAMMA * squares), exp(-GAMMA * absolute), product};
    return values[kernel];
}

/* The mean over ordered pairs of different rows of (K - Z^T Z')^2. */
static inline double exact_pairs(const point *self, kinks *met) {
    double z[ROWS][MOST_FEATURES], sum = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        exact_features(self, i, z[i], met);
    }
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < ROWS; j++) {
            double error = exact_kernel(self->is->kernel, self->values + i * COLUMNS, self->values + j * COLUMNS);
            for (size_t f = 0; f < self->is->features; f++) {
                error -= self->scale * self->scale * z[i][f] * z[j][f];
            }
            sum += i == j ? 0.0 : error * error;
        }
    }
    return sum / (ROWS * (ROWS - 1));
}

static inline double exact_loss_part(const point *self, kinks *met) {
    return self->is->loss == NULL ? exact_pairs(self, met) : exact_task(self, met);
}

static inline double exact_objective(const point *self, kinks *met) {
    const penalty_weights *penalty = self->is->penalty;
    double sum = exact_loss_part(self, met);
    for (size_t i = 0; i < self->tensor; i++) {
        sum += penalty->lambda / 2.0 * self->at[i] * self->at[i];
    }
    for (size_t i = self->tensor; i < self->phase; i++) {
        sum += penalty->l1 * fabs(self->at[i]) + penalty->l2 / 2.0 * self->at[i] * self->at[i];
        met->nearest = penalty->l1 > 0.0 ? fmin(met->nearest, fabs(self->at[i])) : met->nearest;
    }
    return sum;
}

#endif
