/* What the tests of engines share: losses and updates of their own (the real ones live a room above), a scene with rows, map
 * and head, and its mean loss in double. */
#ifndef CNM_TESTS_ENGINE_SUPPORT_H
#define CNM_TESTS_ENGINE_SUPPORT_H

#include "model/model_support.h"

#include "engine/engine.h"

enum { MOST_OUTPUTS = 4 };

/* ---- Losses of one row in double, with their slopes ---- */

typedef double row_loss(const double *scores, size_t outputs, size_t class, double target, double *slope);

static inline double softmax_row(const double *scores, size_t outputs, size_t class, double target, double *slope) {
    double sum = 0.0;
    (void)target;
    for (size_t j = 0; j < outputs; j++) {
        sum += exp(scores[j]);
    }
    for (size_t j = 0; j < outputs; j++) {
        slope[j] = exp(scores[j]) / sum - (j == class ? 1.0 : 0.0);
    }
    return log(sum) - scores[class];
}

static inline double logistic_row(const double *scores, size_t outputs, size_t class, double target, double *slope) {
    double sum = 0.0;
    (void)target;
    for (size_t j = 0; j < outputs; j++) {
        const double y = (outputs == 1 ? class == 1 : class == j) ? 1.0 : -1.0;
        sum += log1p(exp(-y * scores[j]));
        slope[j] = -y / (1.0 + exp(y * scores[j]));
    }
    return sum;
}

static inline double hinge_row(const double *scores, size_t outputs, size_t class, double target, double *slope) {
    double sum = 0.0;
    (void)target;
    for (size_t j = 0; j < outputs; j++) {
        const double y = (outputs == 1 ? class == 1 : class == j) ? 1.0 : -1.0, gap = 1.0 - y * scores[j];
        sum += gap > 0.0 ? gap : 0.0;
        slope[j] = gap > 0.0 ? -y : 0.0;
    }
    return sum;
}

static inline double squared_row(const double *scores, size_t outputs, size_t class, double target, double *slope) {
    (void)outputs, (void)class;
    slope[0] = scores[0] - target;
    return 0.5 * slope[0] * slope[0];
}

/* A loss_ops function from a row's loss. */
static inline double evaluate_rows(const loss_batch *batch, float *slope, row_loss *loss) {
    double sum = 0.0;
    for (size_t i = 0; i < batch->rows; i++) {
        double scores[MOST_OUTPUTS] = {0}, slopes[MOST_OUTPUTS] = {0};
        const double weight = batch->weights == NULL ? 1.0 : (double)batch->weights[i];
        for (size_t j = 0; j < batch->outputs; j++) {
            scores[j] = (double)batch->scores[i * batch->outputs + j];
        }
        sum += weight * loss(scores, batch->outputs, batch->classes == NULL ? 0 : (size_t)batch->classes[i],
                             batch->targets == NULL ? 0.0 : (double)batch->targets[i], slopes);
        for (size_t j = 0; j < batch->outputs; j++) {
            slope[i * batch->outputs + j] = (float)(weight * slopes[j]);
        }
    }
    return sum;
}

#define TEST_LOSS(name)                                                                                                \
    static inline double name##_batch(const loss_batch *batch, float *slope) {                                         \
        return evaluate_rows(batch, slope, name##_row);                                                                \
    }

TEST_LOSS(softmax)
TEST_LOSS(logistic)
TEST_LOSS(hinge)
TEST_LOSS(squared)

typedef struct test_loss {
    loss_ops ops;
    row_loss *row;
    size_t outputs;
} test_loss;

static const test_loss TEST_LOSSES[] = {
    {{.name = "softmax", .evaluate = softmax_batch, .task = TASK_CLASSIFY}, softmax_row, 3},
    {{.name = "logistic", .evaluate = logistic_batch, .task = TASK_CLASSIFY}, logistic_row, 1},
    {{.name = "squared", .evaluate = squared_batch, .task = TASK_REGRESS}, squared_row, 1},
    {{.name = "hinge", .evaluate = hinge_batch, .task = TASK_CLASSIFY}, hinge_row, 3},
};

/* ---- Updates ---- */

/* Momentum and a second moment: enough memory to notice when an engine mixes it up. */
static inline void momentum_apply(const update_call *call) {
    for (size_t i = 0; i < call->rows * call->columns; i++) {
        call->moments[0][i] = 0.8F * call->moments[0][i] + call->gradient[i];
        call->moments[1][i] += call->gradient[i] * call->gradient[i];
        call->values[i] -= (float)call->rate * call->moments[0][i] / (1.0F + call->moments[1][i]);
    }
}

static const update_ops MOMENTUM = {.name = "momentum", .moments = 2, .whole = false, .apply = momentum_apply};
static const update_ops MOMENTUM_WHOLE = {.name = "momentum", .moments = 2, .whole = true, .apply = momentum_apply};

static inline double rate_falling(const update_call *call) { return 0.2 / (double)(call->step + 3); }

/* ---- A scene ---- */

typedef struct scene_spec {
    const char *projection, *activation;
    size_t rows, columns, features, loss; /* loss: a number in TEST_LOSSES */
    bool sparse, weighted, scaled;
    double filled; /* fraction of cells that are not 0; 0 stands for all */
} scene_spec;

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

static inline void scene_make(scene *self, const scene_spec *spec) {
    cnm_error error = {0};
    *self = (scene){.spec = *spec, .outputs = TEST_LOSSES[spec->loss].outputs};
    self->rows = twin_make(21, spec->rows, spec->columns, spec->filled == 0.0 ? 1.0 : spec->filled);
    self->stage.columns = spec->columns;
    if (spec->scaled) {
        self->stage.offset = taken(spec->columns, sizeof(double));
        self->stage.scale = taken(spec->columns, sizeof(float));
        for (size_t j = 0; j < spec->columns; j++) {
            self->stage.offset[j] = (double)(float)(uniform(22, j) - 0.5);
            self->stage.scale[j] = (float)(0.5 + uniform(23, j));
        }
    }
    self->map = drawn_map(&(map_spec){.projection = spec->projection,
                                      .activation = spec->activation,
                                      .columns = spec->columns,
                                      .features = spec->features,
                                      .gamma = 0.5 / (double)spec->columns,
                                      .phases = strcmp(spec->projection, "identity") != 0,
                                      .seed = 3});
    check_ok(input_bind(&self->source, &self->stage, spec->sparse ? &self->rows.sparse : &self->rows.dense, self->map,
                        &error),
             &error);
    check_ok(head_create(&self->head, spec->features, self->outputs, &error), &error);
    normals(24, (spec->features + 1) * self->outputs, 0.8, self->head.weights);
    self->classes = take(spec->rows, sizeof *self->classes);
    self->targets = take(spec->rows, sizeof *self->targets);
    self->weights = take(spec->rows, sizeof *self->weights);
    normals(25, spec->rows, 1.0, self->targets);
    for (size_t i = 0; i < spec->rows; i++) {
        self->classes[i] = (int32_t)(i * 5 % (self->outputs == 1 ? 2 : self->outputs));
        self->weights[i] = (float)(2.0 * uniform(26, i));
    }
}

static inline void scene_free(scene *self) {
    input_unbind(&self->source);
    input_free(&self->stage);
    map_destroy(self->map);
    head_free(&self->head);
    twin_free(&self->rows);
    free(self->classes);
    free(self->targets);
    free(self->weights);
}

static inline engine *scene_engine(scene *self, size_t batch, size_t threads) {
    const bool classify = TEST_LOSSES[self->spec.loss].ops.task == TASK_CLASSIFY;
    cnm_error error = {0};
    engine *out;
    check_ok(engine_create(&out,
                           &(engine_setup){.rows = &self->source,
                                           .classes = classify ? self->classes : NULL,
                                           .targets = classify ? NULL : self->targets,
                                           .weights = self->spec.weighted ? self->weights : NULL,
                                           .map = self->map,
                                           .head = &self->head,
                                           .batch = batch,
                                           .threads = threads},
                           &error),
             &error);
    return out;
}

static inline train_plan scene_plan(const scene *self, size_t batch) {
    return (train_plan){.loss = &TEST_LOSSES[self->spec.loss].ops,
                        .head_update = &MOMENTUM,
                        .map_update = &MOMENTUM,
                        .rate = rate_falling,
                        .feature_scale = 0.7,
                        .batch = batch,
                        .purpose = RANDOM_BATCHES,
                        .seed = 9,
                        .steps = 100};
}

static inline double run_steps(engine *runner, const train_plan *plan, uint64_t first, uint64_t count) {
    cnm_error error = {0};
    double loss;
    check_ok(engine_run(runner, plan, first, count, &loss, &error), &error);
    return loss;
}

/* All parameters in one array, to be freed: head, learned tensors, phases. */
static inline float *scene_parameters(const scene *self, size_t *count) {
    const size_t head = (self->head.features + 1) * self->outputs;
    size_t used = head;
    float *all = take(head + self->spec.features * (self->spec.columns + 2) + self->spec.columns, sizeof *all);
    memcpy(all, self->head.weights, head * sizeof *all);
    for (size_t i = 0; i < self->map->tensor_count; i++) {
        const map_tensor *tensor = &self->map->tensors[i];
        if (tensor->learned) {
            memcpy(all + used, tensor->values, tensor->rows * tensor->columns * sizeof *all);
            used += tensor->rows * tensor->columns;
        }
    }
    if (self->map->phase != NULL) {
        memcpy(all + used, self->map->phase, self->spec.features * sizeof *all);
        used += self->spec.features;
    }
    *count = used;
    return all;
}

/* ---- The scene in double ---- */

/* Every parameter as double; filters of a circulant map stay filters. */
typedef struct exact_parameters {
    size_t count;
    double *values; /* head (features + 1, outputs), tensor, phases, in this order */
    size_t tensor, phase;
} exact_parameters;

static inline exact_parameters exact_make(const scene *self) {
    exact_parameters out = {0};
    float *all = scene_parameters(self, &out.count);
    out.values = take(out.count, sizeof *out.values);
    for (size_t i = 0; i < out.count; i++) {
        out.values[i] = (double)all[i];
    }
    out.tensor = (self->head.features + 1) * self->outputs;
    out.phase = self->map->phase == NULL ? out.count : out.count - self->spec.features;
    free(all);
    return out;
}

/* theta (column, feature) from theta itself, or R_ij D_j = r_{(i-j) mod d} D_j, or the identity. */
static inline double exact_theta(const scene *self, const exact_parameters *at, size_t column, size_t feature) {
    const size_t d = self->spec.columns, k = self->spec.features;
    const double *tensor = at->values + at->tensor;
    if (strcmp(self->spec.projection, "dense") == 0) {
        return tensor[column * k + feature];
    }
    if (strcmp(self->spec.projection, "identity") == 0) {
        return column == feature ? 1.0 : 0.0;
    }
    const double sign = (double)self->map->tensors[1].values[column];
    return sign * tensor[feature / d * d + (feature % d + d - column) % d];
}

/* z (features) and scores (outputs) of one row. */
static inline void exact_row(const scene *self, const exact_parameters *at, size_t row, double scale, double *z,
                             double *scores) {
    const size_t d = self->spec.columns, k = self->spec.features, outputs = self->outputs;
    double *u = take(d, sizeof *u);
    plain_input(&self->stage, self->rows.values + row * d, NULL, u);
    for (size_t j = 0; j < outputs; j++) {
        scores[j] = at->values[k * outputs + j];
    }
    for (size_t i = 0; i < k; i++) {
        double p = at->phase < at->count ? at->values[at->phase + i] : 0.0;
        for (size_t j = 0; j < d; j++) {
            p += u[j] == 0.0 ? 0.0 : u[j] * exact_theta(self, at, j, i);
        }
        z[i] = plain_activation(self->spec.activation, p);
        for (size_t j = 0; j < outputs; j++) {
            scores[j] += scale * z[i] * at->values[i * outputs + j];
        }
    }
    free(u);
}

/* The mean over all rows of weight * loss. */
static inline double exact_loss(const scene *self, const exact_parameters *at, double scale) {
    double *z = take(self->spec.features, sizeof *z), sum = 0.0;
    for (size_t i = 0; i < self->spec.rows; i++) {
        double scores[MOST_OUTPUTS] = {0}, slopes[MOST_OUTPUTS] = {0};
        exact_row(self, at, i, scale, z, scores);
        sum += (self->spec.weighted ? (double)self->weights[i] : 1.0) *
               TEST_LOSSES[self->spec.loss].row(scores, self->outputs, (size_t)self->classes[i],
                                                (double)self->targets[i], slopes);
    }
    free(z);
    return sum / (double)self->spec.rows;
}

#endif
