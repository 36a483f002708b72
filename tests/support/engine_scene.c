#include "support/engine_scene.h"

#include "base/core/random.h"

#include "support/made_models.h"
#include "support/reference_model.h"

const scene_spec SCENES[5] = {
    {.projection = "dense", .activation = "cos", .rows = 310, .columns = 70, .features = 90, .weighted = true},
    {.projection = "circulant", .activation = "cos", .rows = 310, .columns = 30, .features = 70, .scaled = true},
    {.projection = "dense", .activation = "relu", .rows = 310, .columns = 5, .features = 17, .loss = 2},
    {.projection = "dense",
     .activation = "cos",
     .rows = 170,
     .columns = 4200,
     .features = 6,
     .sparse = true,
     .filled = 0.01},
    {.projection = "circulant",
     .activation = "cos",
     .rows = 170,
     .columns = 4200,
     .features = 6,
     .sparse = true,
     .filled = 0.01},
};

void scene_make(scene *self, const scene_spec *spec) {
    cnm_error error = {0};
    *self = (scene){.spec = *spec, .outputs = TEST_LOSSES[spec->loss].outputs};
    self->rows = twin_make(21, spec->rows, spec->columns, spec->filled == 0.0 ? 1.0 : spec->filled);
    self->stage.columns = spec->columns;
    if (spec->scaled) {
        self->stage.offset = take_owned(spec->columns, sizeof(double));
        self->stage.scale = take_owned(spec->columns, sizeof(float));
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

void scene_free(scene *self) {
    input_unbind(&self->source);
    input_free(&self->stage);
    map_destroy(self->map);
    head_free(&self->head);
    twin_free(&self->rows);
    free(self->classes);
    free(self->targets);
    free(self->weights);
}

engine *scene_engine(scene *self, size_t batch, size_t threads) {
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

train_plan scene_plan(const scene *self, size_t batch) {
    return (train_plan){.loss = &TEST_LOSSES[self->spec.loss].ops,
                        .head_update = UPDATE_HOST,
                        .map_update = UPDATE_HOST,
                        .host_update = &MOMENTUM,
                        .rate = RATE_HOST,
                        .host_rate = rate_falling,
                        .feature_scale = 0.7,
                        .batch = batch,
                        .stream = RANDOM_BATCHES,
                        .seed = 9,
                        .steps = 100};
}

double run_steps(engine *runner, const train_plan *plan, uint64_t first, uint64_t count) {
    cnm_error error = {0};
    double loss;
    check_ok(engine_run(runner, plan, first, count, &loss, &error), &error);
    return loss;
}

float *scene_parameters(const scene *self, size_t *count) {
    const size_t head = (self->head.features + 1) * self->outputs;
    size_t used = head;
    float *all = take(head + self->spec.features * (self->spec.columns + 2) + self->spec.columns, sizeof *all);
    memcpy(all, self->head.weights, head * sizeof *all);
    for (size_t i = 0; i < self->map->layers[0]->tensor_count; i++) {
        const layer_tensor *tensor = &self->map->layers[0]->tensors[i];
        if (tensor->learned) {
            memcpy(all + used, tensor->values, tensor->rows * tensor->columns * sizeof *all);
            used += tensor->rows * tensor->columns;
        }
    }
    if (self->map->layers[0]->phase != NULL) {
        memcpy(all + used, self->map->layers[0]->phase, self->spec.features * sizeof *all);
        used += self->spec.features;
    }
    *count = used;
    return all;
}

/* ---- The scene in double ---- */

scene_point scene_point_make(const scene *self) {
    scene_point out = {0};
    float *all = scene_parameters(self, &out.count);
    out.values = take(out.count, sizeof *out.values);
    for (size_t i = 0; i < out.count; i++) {
        out.values[i] = (double)all[i];
    }
    out.tensor = (self->head.features + 1) * self->outputs;
    out.phase = self->map->layers[0]->phase == NULL ? out.count : out.count - self->spec.features;
    free(all);
    return out;
}

/* Returns theta (column, feature): the entry itself, or R_ij D_j = r_{(i-j) mod d} D_j, or the
 * identity. */
static double scene_theta(const scene *self, const scene_point *at, size_t column, size_t feature) {
    const size_t d = self->spec.columns, k = self->spec.features;
    const double *tensor = at->values + at->tensor;
    if (strcmp(self->spec.projection, "dense") == 0) {
        return tensor[column * k + feature];
    }
    if (strcmp(self->spec.projection, "identity") == 0) {
        return column == feature ? 1.0 : 0.0;
    }
    const double sign = (double)self->map->layers[0]->tensors[1].values[column];
    return sign * tensor[feature / d * d + (feature % d + d - column) % d];
}

void scene_row(const scene *self, const scene_point *at, size_t row, double scale, double *z, double *scores) {
    const size_t d = self->spec.columns, k = self->spec.features, outputs = self->outputs;
    double *u = take(d, sizeof *u);
    reference_input(&self->stage, self->rows.values + row * d, NULL, u);
    for (size_t j = 0; j < outputs; j++) {
        scores[j] = at->values[k * outputs + j];
    }
    for (size_t i = 0; i < k; i++) {
        double p = at->phase < at->count ? at->values[at->phase + i] : 0.0;
        for (size_t j = 0; j < d; j++) {
            p += u[j] == 0.0 ? 0.0 : u[j] * scene_theta(self, at, j, i);
        }
        z[i] = reference_activation(self->spec.activation, p);
        for (size_t j = 0; j < outputs; j++) {
            scores[j] += scale * z[i] * at->values[i * outputs + j];
        }
    }
    free(u);
}

double scene_loss(const scene *self, const scene_point *at, double scale) {
    double *z = take(self->spec.features, sizeof *z), sum = 0.0;
    for (size_t i = 0; i < self->spec.rows; i++) {
        double scores[ENGINE_OUTPUTS] = {0}, slopes[ENGINE_OUTPUTS] = {0};
        scene_row(self, at, i, scale, z, scores);
        sum += (self->spec.weighted ? (double)self->weights[i] : 1.0) *
               TEST_LOSSES[self->spec.loss].row(scores, self->outputs, (size_t)self->classes[i],
                                                (double)self->targets[i], slopes);
    }
    free(z);
    return sum / (double)self->spec.rows;
}
