/* The path of every training: problem, bandwidth, map, method, model. */
#include "learn/train/train.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "learn/calibrate/temperature.h"
#include "learn/search/budgeted_search.h"
#include "learn/distill/distill_ensemble.h"
#include "learn/detect/detect_images.h"
#include "learn/compress/prune.h"
#include "learn/train/warm_start.h"
#include "learn/fit/fit_session.h"
#include "learn/search/profiles.h"

/* In the order of setting_recipe. */
static cnm_status fit_learned(training *self, cnm_error *err) {
    static cnm_status (*const RECIPES[])(training *, cnm_error *) = {fit_joint, fit_alternating};
    return RECIPES[self->problem.settings->recipe](self, err);
}

/* In the order of setting_method. */
static const method_ops METHODS[] = {
    {"cnm", NULL, NULL, fit_learned, false},
    {"rff", NULL, NULL, fit_head, false},
    {"kernel", NULL, NULL, fit_kernel, true},
    {"linear", "identity", "identity", fit_head, false},
};

/* In the order of the options' values. */
static const char *const PROJECTION_NAMES[] = {"dense", "circulant", "circulant-diagonal"};
static const char *const ACTIVATION_NAMES[] = {"cos", "sigmoid", "relu"};

enum { USUAL_FEATURES = 128 };

/* What map to draw, but for gamma. */
static void fill_spec(training *self, const method_ops *method) {
    const settings *wanted = self->problem.settings;
    const bool identity = method->projection != NULL;
    self->spec = (map_spec){
        .projection = identity ? method->projection : PROJECTION_NAMES[wanted->projection],
        .activation = identity ? method->activation : ACTIVATION_NAMES[wanted->activation],
        .columns = self->problem.rows.columns,
        .features = identity               ? self->problem.rows.columns
                    : wanted->features > 0 ? (size_t)wanted->features
                                           : USUAL_FEATURES,
        .kernel = (map_kernel)wanted->kernel,
        .init = wanted->init == 2 ? INIT_ORTHOGONAL : INIT_RANDOM,
        .gamma = 1.0,
        .phases = !identity && wanted->phase == 0,
        .seed = wanted->seed,
    };
}

static void warn_of_doubtful(const training *self) {
    const map_spec *spec = &self->spec;
    if (strncmp(spec->projection, "circulant", 9) == 0 && spec->kernel != KERNEL_GAUSSIAN) {
        notice_send(self->problem.callbacks,
                    "a circulant map for the %s kernel is right on average but noisier than a dense one: "
                    "--kernel gaussian or --projection dense do better",
                    kernel_name(spec->kernel));
    }
}

static void training_free(training *self) {
    input_unbind(&self->source);
    map_destroy(self->map);
    head_free(&self->head);
    split_free(&self->split);
    best_free(&self->best);
    memory_free(self->shift);
    safeguard_free(&self->safeguard);
    checkpoint_destroy(self->checkpoint);
    teacher_destroy(self->teacher);
    problem_free(&self->problem);
}

static bool is_joint(const training *self, const method_ops *method) {
    return method->fit == fit_learned && self->problem.settings->recipe == RECIPE_JOINT &&
           self->problem.task != TASK_MAP;
}

/* Map, head and method, on a problem that is ready. */
static cnm_status learn(training *self, const method_ops *method, const cnm_model *start, cnm_error *err) {
    fill_spec(self, method);
    warn_of_doubtful(self);
    cnm_status status = prune_check(self, err);
    status = status == CNM_OK && start != NULL ? start_problem(&self->problem, start, err) : status;
    status = status == CNM_OK ? teacher_create(&self->teacher, &self->problem, err) : status;
    status = status == CNM_OK ? safeguard_create(&self->safeguard, &self->problem, err) : status;
    if (status == CNM_OK) {
        self->continues = start != NULL && self->spec.features == start->map->features;
        status = is_joint(self, method) ? picture_find(self, err) : CNM_OK;
        recipe_usual(self);
        status = status == CNM_OK && is_joint(self, method) ? imitate_check(self, err) : status;
        status = status == CNM_OK && start == NULL && is_joint(self, method) ? choose_recipe(self, err) : status;
    }
    if (status == CNM_OK) {
        status = training_begin(self, start, err);
    }
    if (status == CNM_OK) {
        status = split_create(&self->split, &self->problem, self->problem.settings->validation, err);
    }
    if (status == CNM_OK && (self->problem.task != TASK_MAP || method->without_labels)) {
        status = method->fit(self, err);
    }
    status = status == CNM_OK ? prune(self, err) : status;
    return status == CNM_OK ? calibrate(self, self->pruned_from > 0 ? NULL : start, err) : status;
}

static cnm_status keep_names(cnm_model *model, const table *rows, const char *label_name, cnm_error *err) {
    cnm_status status = label_name == NULL ? CNM_OK : record_set(&model->record, "label_column", label_name, err);
    if (status != CNM_OK || rows->names == NULL) {
        return status;
    }
    status = memory_zeroed(&model->names, rows->columns, sizeof *model->names, "names", err);
    for (size_t i = 0; status == CNM_OK && i < rows->columns; i++) {
        status = memory_copy_text(&model->names[i], rows->names[i], err);
    }
    return status;
}

/* A training from its problem to the model. */
static cnm_status learn_model(training *self, cnm_model **out, const table *rows, const char *label_name,
                              const method_ops *method, const cnm_model *start, cnm_error *err) {
    cnm_status status = learn(self, method, start, err);
    status = status == CNM_OK ? checkpoint_check(self->checkpoint, err) : status;
    if (status == CNM_OK) {
        status = training_finish(self, out, err);
    }
    if (status == CNM_OK) {
        status = keep_names(*out, rows, label_name, err);
    }
    return status == CNM_OK ? model_describe(*out, 0, err) : status;
}

cnm_status learn_train(cnm_model **out, const table *rows, const char *label_name, const settings *wanted,
                       const cnm_model *start, const cnm_callbacks *callbacks, cnm_error *err) {
    training self = {.started = progress_clock()};
    settings chosen = *wanted;
    bool stopped = false;
    *out = NULL;
    cnm_status status = start == NULL ? CNM_OK : start_settings(&chosen, start, wanted, err);
    const method_ops *method = &METHODS[chosen.method];
    if (status == CNM_OK && chosen.task == WANT_MAP && method->projection != NULL) {
        status = error_set(err, CNM_BAD_ARGUMENT, "--task map needs a map, and --method %s has none", method->name);
    }
    if (status == CNM_OK) {
        status = problem_create(&self.problem, rows, &chosen, start, callbacks, err);
    }
    if (status == CNM_OK) {
        status = checkpoint_create(&self.checkpoint, rows, &chosen, start, callbacks, err);
        status = status == CNM_OK ? learn_model(&self, out, rows, label_name, method, start, err) : status;
        stopped = self.stopped;
        training_free(&self);
    }
    if (status != CNM_OK) {
        model_destroy(*out);
        *out = NULL;
        return status;
    }
    return stopped ? error_set(err, CNM_CANCELLED, "stopped before the end, as asked; the model so far is usable")
                   : CNM_OK;
}
