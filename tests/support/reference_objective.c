#include "support/reference_objective.h"

#include "support/reference_model.h"

static void meet(kinks *met, size_t sides[2], double distance) {
    met->nearest = fmin(met->nearest, fabs(distance));
    sides[distance > 0.0]++;
}

/* ---- Losses of one row ---- */

typedef struct row_target {
    size_t outputs, class;
    double target, parameter;
} row_target;

typedef double exact_loss(const row_target *wanted, const double *scores, kinks *met);

static double exact_margin(const row_target *wanted, const double *scores, size_t output) {
    return wanted->class == (wanted->outputs == 1 ? 1 : output) ? scores[output] : -scores[output];
}

static double exact_hinge(const row_target *wanted, const double *scores, kinks *met) {
    double sum = 0.0;
    for (size_t j = 0; j < wanted->outputs; j++) {
        const double gap = 1.0 - exact_margin(wanted, scores, j);
        meet(met, met->loss, gap);
        sum += fmax(gap, 0.0);
    }
    return sum;
}

static double exact_squared_hinge(const row_target *wanted, const double *scores, kinks *met) {
    double sum = 0.0;
    for (size_t j = 0; j < wanted->outputs; j++) {
        const double gap = 1.0 - exact_margin(wanted, scores, j);
        meet(met, met->loss, gap);
        sum += pow(fmax(gap, 0.0), 2.0);
    }
    return sum;
}

static double exact_logistic(const row_target *wanted, const double *scores, kinks *met) {
    double sum = 0.0;
    (void)met;
    for (size_t j = 0; j < wanted->outputs; j++) {
        sum += log1p(exp(-exact_margin(wanted, scores, j)));
    }
    return sum;
}

static double exact_softmax(const row_target *wanted, const double *scores, kinks *met) {
    double sum = 0.0;
    (void)met;
    for (size_t j = 0; j < wanted->outputs; j++) {
        sum += exp(scores[j] - scores[wanted->class]);
    }
    return log(sum);
}

/* Kinks where the margin is 1, and where two rivals are equal. */
static double exact_crammer_singer(const row_target *wanted, const double *scores, kinks *met) {
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

static double exact_squared(const row_target *wanted, const double *scores, kinks *met) {
    (void)met;
    return pow(scores[0] - wanted->target, 2.0) / 2.0;
}

static double exact_huber(const row_target *wanted, const double *scores, kinks *met) {
    const double residual = fabs(scores[0] - wanted->target), delta = wanted->parameter;
    meet(met, met->loss, residual - delta);
    return residual < delta ? residual * residual / 2.0 : delta * residual - delta * delta / 2.0;
}

static double exact_epsilon(const row_target *wanted, const double *scores, kinks *met) {
    const double beyond = fabs(scores[0] - wanted->target) - wanted->parameter;
    meet(met, met->loss, beyond);
    return fmax(beyond, 0.0);
}

static double exact_quantile(const row_target *wanted, const double *scores, kinks *met) {
    const double below = wanted->target - scores[0];
    meet(met, met->loss, below);
    return fmax(wanted->parameter * below, (wanted->parameter - 1.0) * below);
}

static double exact_absolute(const row_target *wanted, const double *scores, kinks *met) {
    meet(met, met->loss, scores[0] - wanted->target);
    return fabs(scores[0] - wanted->target);
}

/* The last one is a row of builds for tests (tests/rows). */
static exact_loss *exact_find(const char *name) {
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
                  {"epsilon", exact_epsilon},
                  {"quantile", exact_quantile},
                  {"test-absolute", exact_absolute}};
    for (size_t i = 0; i < COUNT_OF(LOSSES); i++) {
        if (strcmp(LOSSES[i].name, name) == 0) {
            return LOSSES[i].value;
        }
    }
    fail_msg("the loss %s is not known here: add it", name);
    return NULL;
}

/* ---- The objective ---- */

/* Returns theta (column, feature); for circulant blocks R_ij D_j = r_{(i-j) mod d} D_j. */
static double exact_theta(const objective_point *self, size_t column, size_t feature) {
    const double *tensor = self->at + self->tensor;
    if (strcmp(self->is->projection, "dense") == 0) {
        return tensor[column * self->is->features + feature];
    }
    const size_t block = feature / POINT_COLUMNS,
                 shift = (feature % POINT_COLUMNS + POINT_COLUMNS - column) % POINT_COLUMNS;
    return (double)self->map->layers[0]->tensors[1].values[column] * tensor[block * POINT_COLUMNS + shift];
}

/* z (features) of one row, without the scale. */
static void exact_features(const objective_point *self, size_t row, double *z, kinks *met) {
    for (size_t i = 0; i < self->is->features; i++) {
        double p = self->phase < self->count ? self->at[self->phase + i] : 0.0;
        for (size_t j = 0; j < POINT_COLUMNS; j++) {
            p += (double)self->values[row * POINT_COLUMNS + j] * exact_theta(self, j, i);
        }
        if (strcmp(self->is->activation, "relu") == 0) {
            meet(met, met->relu, p);
        }
        z[i] = reference_activation(self->is->activation, p);
    }
}

/* The mean over rows of weight * loss. */
static double exact_task(const objective_point *self, kinks *met) {
    const size_t k = self->is->features, outputs = self->head.outputs;
    exact_loss *loss = exact_find(self->is->loss->name);
    double sum = 0.0;
    for (size_t i = 0; i < POINT_ROWS; i++) {
        double z[POINT_FEATURES], scores[POINT_OUTPUTS];
        exact_features(self, i, z, met);
        for (size_t j = 0; j < outputs; j++) {
            scores[j] = self->at[k * outputs + j];
            for (size_t f = 0; f < k; f++) {
                scores[j] += self->scale * z[f] * self->at[f * outputs + j];
            }
        }
        const row_target wanted = {outputs, (size_t)self->classes[i], (double)self->targets[i],
                                   self->is->loss->parameter};
        sum += (self->is->weighted ? (double)self->weights[i] : 1.0) * loss(&wanted, scores, met);
    }
    return sum / POINT_ROWS;
}

static double exact_kernel(map_kernel kernel, const float *x, const float *y) {
    double squares = 0.0, absolute = 0.0, product = 1.0;
    for (size_t j = 0; j < POINT_COLUMNS; j++) {
        const double z = (double)x[j] - (double)y[j];
        squares += z * z;
        absolute += fabs(z);
        product /= 1.0 + POINT_GAMMA * POINT_GAMMA * z * z;
    }
    const double values[] = {exp(-POINT_GAMMA * squares), exp(-POINT_GAMMA * absolute), product};
    return values[kernel];
}

/* The mean over ordered pairs of different rows of (K - Z^T Z')^2. */
static double exact_pairs(const objective_point *self, kinks *met) {
    double z[POINT_ROWS][POINT_FEATURES], sum = 0.0;
    for (size_t i = 0; i < POINT_ROWS; i++) {
        exact_features(self, i, z[i], met);
    }
    for (size_t i = 0; i < POINT_ROWS; i++) {
        for (size_t j = 0; j < POINT_ROWS; j++) {
            double error =
                exact_kernel(self->is->kernel, self->values + i * POINT_COLUMNS, self->values + j * POINT_COLUMNS);
            for (size_t f = 0; f < self->is->features; f++) {
                error -= self->scale * self->scale * z[i][f] * z[j][f];
            }
            sum += i == j ? 0.0 : error * error;
        }
    }
    return sum / (POINT_ROWS * (POINT_ROWS - 1));
}

double objective_loss(const objective_point *self, kinks *met) {
    return self->is->loss == NULL ? exact_pairs(self, met) : exact_task(self, met);
}

double objective_value(const objective_point *self, kinks *met) {
    const penalty_weights *penalty = self->is->penalty;
    double sum = objective_loss(self, met);
    for (size_t i = 0; i < self->tensor; i++) {
        sum += penalty->lambda / 2.0 * self->at[i] * self->at[i];
    }
    for (size_t i = self->tensor; i < self->phase; i++) {
        sum += penalty->l1 * fabs(self->at[i]) + penalty->l2 / 2.0 * self->at[i] * self->at[i];
        met->nearest = penalty->l1 > 0.0 ? fmin(met->nearest, fabs(self->at[i])) : met->nearest;
    }
    return sum;
}
