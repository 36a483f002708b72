#include "support/made_session.h"

#include "base/core/memory.h"
#include "data/scale/scaling.h"
#include "learn/fit/fit_joint.h"
#include "learn/fit/frozen_map.h"
#include "learn/objective/losses.h"

void make_session(made_session *self, const made_shape *shape) {
    cnm_error error = {0};
    const size_t rows = shape->rows, outputs = shape->outputs;
    *self = (made_session){.settings = {.threads = 1, .seed = 4, .map_rate = -1.0},
                           .rows = make_rings(1, rows, shape->columns)};
    fit_session *of = &self->session;
    dataset *data = &self->data;
    of->data = data;
    of->scaled = &self->scaled;
    of->spec = (map_spec){.projection = "dense",
                          .activation = "cos",
                          .columns = shape->columns,
                          .features = shape->features,
                          .gamma = 0.5,
                          .phases = true,
                          .seed = 4};
    of->chosen = shape->chosen;
    of->chosen.map_mode = map_mode_of(of->chosen.map_rate);
    of->guard.bound = 1e6;
    data->settings = &self->settings;
    data->rows = table_view(self->rows);
    self->scaled.input = (input_stage){.columns = shape->columns};
    data->loss = loss_find(shape->loss);
    data->outputs = outputs;
    data->task = data->loss->task;
    data->classes.count = outputs > 1 ? outputs : 2;
    self->codes = take_owned(rows, sizeof *self->codes);
    self->targets = take_owned(rows, sizeof *self->targets);
    self->weights = take_owned(rows, sizeof *self->weights);
    for (size_t i = 0; i < rows; i++) {
        self->codes[i] = (int32_t)(3.0 * uniform(7, i) * (i % 3 == 0 ? 1.0 : 0.4)) % (int32_t)data->classes.count;
        self->targets[i] = (float)(self->rows->values[i * shape->columns] + uniform(8, i));
        self->weights[i] = (float)(1 + i % 3);
    }
    data->codes = data->task == TASK_CLASSIFY ? self->codes : NULL;
    data->targets = data->task == TASK_REGRESS ? self->targets : NULL;
    check_ok(map_draw(&of->map, &of->spec, &error), &error);
    check_ok(head_create(&of->head, shape->features, outputs, &error), &error);
    check_ok(input_bind(&of->source, &self->scaled.input, &data->rows, of->map, &error), &error);
    of->split.train = take(rows, sizeof *of->split.train);
    for (size_t i = 0; i < rows; i += 2) {
        of->split.train[of->split.train_count++] = i;
    }
    self->plan = joint_plan(of);
}

void make_solved_session(made_session *self, const made_shape *shape) {
    cnm_error error = {0};
    make_session(self, shape);
    self->settings.scale = 1 + SCALING_NONE;
    check_ok(solve_head(&self->session, &self->plan, &error), &error);
}

void free_session(made_session *self) {
    input_unbind(&self->session.source);
    map_destroy(self->session.map);
    head_free(&self->session.head);
    memory_free(self->session.guard.kept);
    free(self->session.split.train);
    memory_free(self->codes);
    memory_free(self->targets);
    memory_free(self->weights);
    table_destroy(self->rows);
}
