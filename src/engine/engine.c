/* The table of engines, and the calls of their functions. A new engine is one file and one row. */
#include "engine/engine.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "engine/cpu/cpu_engine.h"

static const engine_ops *const ENGINES[] = {&ENGINE_CPU};

enum { ENGINE_COUNT = sizeof ENGINES / sizeof ENGINES[0] };

const engine_ops *const *engine_table(size_t *count) {
    *count = ENGINE_COUNT;
    return ENGINES;
}

const engine_ops *engine_find(const char *name) {
    for (size_t i = 0; i < ENGINE_COUNT; i++) {
        if (strcmp(ENGINES[i]->name, name) == 0) {
            return ENGINES[i];
        }
    }
    return NULL;
}

cnm_status engine_create(engine **out, const engine_setup *setup, cnm_error *err) {
    const engine_ops *ops = setup->ops == NULL ? ENGINES[0] : setup->ops;
    *out = NULL;
    TRY(ops->create(out, setup, err));
    (*out)->ops = ops;
    return CNM_OK;
}

void engine_destroy(engine *self) {
    if (self != NULL) {
        self->ops->destroy(self);
    }
}

static cnm_status check_plan(const engine_ops *ops, const train_plan *plan, cnm_error *err) {
    const bool callbacks =
        plan->feature_loss != NULL || plan->hint != NULL || plan->host_update != NULL || plan->host_rate != NULL;
    if (callbacks && !ops->host_callbacks) {
        return error_set(err, CNM_UNSUPPORTED, "the engine %s cannot call functions of the host", ops->name);
    }
    if (plan->average_from > 0 && ops->use_average == NULL) {
        return error_set(err, CNM_UNSUPPORTED, "the engine %s cannot average the head over steps", ops->name);
    }
    return CNM_OK;
}

cnm_status engine_run(engine *self, const train_plan *plan, uint64_t first, uint64_t count, double *loss,
                      cnm_error *err) {
    TRY(check_plan(self->ops, plan, err));
    return self->ops->run(self, plan, first, count, loss, err);
}

void engine_use_average(engine *self) {
    if (self->ops->use_average != NULL) {
        self->ops->use_average(self);
    }
}

size_t engine_save(engine *self, archive_tensor out[ENGINE_ARRAYS]) {
    return self->ops->save == NULL ? 0 : self->ops->save(self, out);
}

cnm_status engine_restore(engine *self, const archive *from, cnm_error *err) {
    if (self->ops->restore == NULL) {
        return error_set(err, CNM_UNSUPPORTED, "the engine %s does not continue from checkpoints", self->ops->name);
    }
    return self->ops->restore(self, from, err);
}

void engine_forget(engine *self) { self->ops->forget(self); }

cnm_status engine_scores(engine *self, const train_plan *plan, const size_t *positions, size_t count, float *scores,
                         cnm_error *err) {
    return self->ops->scores(self, plan, positions, count, scores, err);
}
