/* Frees a session, and derives sessions and engines from it. */
#include "learn/fit/fit_session.h"

#include <math.h>

#include "base/core/memory.h"

void fit_session_free(fit_session *self) {
    input_unbind(&self->source);
    map_destroy(self->map);
    head_free(&self->head);
    early_stopping_free(&self->best);
    memory_free(self->guard.kept);
    self->map = NULL;
    self->guard.kept = NULL;
}

fit_session fit_session_after(const fit_session *self, const char *phase) {
    return (fit_session){
        .data = self->data,
        .scaled = self->scaled,
        .weights = self->weights,
        .split = self->split,
        .spec = self->spec,
        .feature_scale = self->feature_scale,
        .bandwidth = self->bandwidth,
        .chosen = self->chosen,
        .patience = self->patience,
        .lambda = self->lambda,
        .batch = self->batch,
        .steps = self->steps,
        .loss = self->loss,
        .warm = self->warm,
        .role = self->role,
        .time = {.started = self->time.started, .shortened = self->time.shortened},
        .guard = {.bound = self->guard.bound, .limit = self->guard.limit, .lowered = self->guard.lowered},
        .finished = self,
        .phase = phase,
        .checkpoint = self->checkpoint,
    };
}

cnm_status fit_session_record(fit_session *self, double validation, cnm_error *err) {
    self->present.validation = validation;
    return self->history == NULL || self->role == FIT_TRIAL ? CNM_OK : history_add(self->history, &self->present, err);
}

double fit_session_score(const fit_session *self) { return self->best.any ? self->best.score : NAN; }

cnm_status fit_session_engine(fit_session *self, size_t batch, engine **out, cnm_error *err) {
    const dataset *data = self->data;
    return engine_create(out,
                         &(engine_setup){.rows = &self->source,
                                         .positions = self->split.train,
                                         .count = self->split.train_count,
                                         .classes = data->codes,
                                         .targets = data->targets,
                                         .weights = self->weights,
                                         .map = self->map,
                                         .head = &self->head,
                                         .batch = batch,
                                         .threads = (size_t)data->settings->threads},
                         err);
}

double fit_session_unit(const fit_session *self) {
    return self->spec.kernel == KERNEL_GAUSSIAN ? sqrt(2.0 * self->spec.gamma) : self->spec.gamma;
}

static double layer_unit(const map_spec *spec, size_t i) {
    const layer_spec one = map_spec_layer(spec, i);
    return one.kernel == KERNEL_GAUSSIAN ? sqrt(2.0 * one.gamma) : one.gamma;
}

void fit_session_layer_units(const fit_session *self, train_plan *plan) {
    for (size_t i = 0; self->spec.inner_count > 0 && i <= self->spec.inner_count; i++) {
        plan->layer_unit[i] = layer_unit(&self->spec, i) / fit_session_unit(self);
    }
}

double fit_session_row_work(const fit_session *self) {
    const double outputs = (double)self->data->outputs;
    return 2.0 * map_spec_products(&self->spec) + 3.0 * (double)self->spec.features * outputs;
}

double fit_session_step_time(const fit_session *self, size_t batch) {
    /* What a cosine with its slope takes, and a step whatever its rows. Measured. */
    const double cosine = 20.0, step = 90000.0;
    size_t features = self->spec.features;
    for (size_t i = 0; i < self->spec.inner_count; i++) {
        features += self->spec.inner[i].features;
    }
    return (double)batch * (fit_session_row_work(self) + cosine * (double)features) + step;
}
