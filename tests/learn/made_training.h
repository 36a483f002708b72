/* A training in the middle: its map is drawn, its head zero, its labels noisy, and every other row is held back. */
#ifndef CNM_TESTS_LEARN_MADE_TRAINING_H
#define CNM_TESTS_LEARN_MADE_TRAINING_H

#include "learn/learn_support.h"

#include "learn/objective/losses.h"
#include "learn/fit/fit_session.h"

typedef struct made {
    training training;
    settings settings;
    train_plan plan;
    table *rows;
    int32_t *codes;
    float *targets, *weights; /* weights: 1, 2 and 3, in no use */
} made;

typedef struct made_shape {
    size_t rows, columns, features, outputs;
    const char *loss;
    recipe recipe;
} made_shape;

static inline void make(made *self, const made_shape *shape) {
    cnm_error error = {0};
    const size_t rows = shape->rows, outputs = shape->outputs;
    *self = (made){.settings = {.threads = 1, .seed = 4, .hold = -1.0}, .rows = make_rings(1, rows, shape->columns)};
    training *of = &self->training;
    of->spec = (map_spec){.projection = "dense",
                          .activation = "cos",
                          .columns = shape->columns,
                          .features = shape->features,
                          .gamma = 0.5,
                          .phases = true,
                          .seed = 4};
    of->recipe = shape->recipe;
    of->safeguard.bound = 1e6;
    of->problem.settings = &self->settings;
    of->problem.rows = table_view(self->rows);
    of->problem.input = (input_stage){.columns = shape->columns};
    of->problem.loss = loss_find(shape->loss);
    of->problem.outputs = outputs;
    of->problem.task = of->problem.loss->task;
    of->problem.classes.count = outputs > 1 ? outputs : 2;
    self->codes = taken(rows, sizeof *self->codes);
    self->targets = taken(rows, sizeof *self->targets);
    self->weights = taken(rows, sizeof *self->weights);
    for (size_t i = 0; i < rows; i++) {
        self->codes[i] = (int32_t)(3.0 * uniform(7, i) * (i % 3 == 0 ? 1.0 : 0.4)) % (int32_t)of->problem.classes.count;
        self->targets[i] = (float)(self->rows->values[i * shape->columns] + uniform(8, i));
        self->weights[i] = (float)(1 + i % 3);
    }
    of->problem.codes = of->problem.task == TASK_CLASSIFY ? self->codes : NULL;
    of->problem.targets = of->problem.task == TASK_REGRESS ? self->targets : NULL;
    check_ok(map_draw(&of->map, &of->spec, &error), &error);
    check_ok(head_create(&of->head, shape->features, outputs, &error), &error);
    check_ok(input_bind(&of->source, &of->problem.input, &of->problem.rows, of->map, &error), &error);
    of->split.train = take(rows, sizeof *of->split.train);
    for (size_t i = 0; i < rows; i += 2) {
        of->split.train[of->split.train_count++] = i;
    }
    self->plan = joint_plan(of);
}

static inline void unmake(made *self) {
    input_unbind(&self->training.source);
    map_destroy(self->training.map);
    head_free(&self->training.head);
    safeguard_free(&self->training.safeguard);
    free(self->training.split.train);
    memory_free(self->codes);
    memory_free(self->targets);
    memory_free(self->weights);
    table_destroy(self->rows);
}

#endif
