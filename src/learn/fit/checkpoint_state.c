/* Lists the parameters once, for saving and for restoring. */
#include "learn/fit/checkpoint_state.h"

#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/fit/divergence_guard.h"

static const char FINISHED[] = "finished", LOWERED_AFTER[] = "lowered_after";

typedef struct parameter_array {
    char name[MAP_NAME_SIZE];
    float *values;
    size_t count;
} parameter_array;

enum { ARRAYS = MAP_ARRAYS + 1 };

/* Lists the arrays of a map and a head, without optional tensors that the map does not have;
 * returns how many. */
static size_t list_arrays(parameter_array out[ARRAYS], const map *own, const linear_head *shape, float *head) {
    map_array arrays[MAP_ARRAYS];
    const size_t listed = map_list(own, arrays);
    size_t count = 0;
    for (size_t i = 0; i < listed; i++) {
        if (*arrays[i].values != NULL) {
            out[count] = (parameter_array){.values = *arrays[i].values, .count = arrays[i].rows * arrays[i].columns};
            memcpy(out[count++].name, arrays[i].name, MAP_NAME_SIZE);
        }
    }
    if (shape->outputs > 0) {
        out[count++] = (parameter_array){"head", head, (shape->features + 1) * shape->outputs};
    }
    return count;
}

static void array_name(char out[STATE_NAME_SIZE], const char *prefix, const char *name) {
    (void)snprintf(out, STATE_NAME_SIZE, "%.15s.%.31s", prefix, name);
}

/* ---- Saving ---- */

static void add_arrays(state_arrays *out, const char *prefix, const map *own, const linear_head *shape, float *head) {
    parameter_array arrays[ARRAYS];
    const size_t count = list_arrays(arrays, own, shape, head);
    for (size_t i = 0; i < count; i++) {
        char *name = out->names[out->count];
        array_name(name, prefix, arrays[i].name);
        out->items[out->count++] = (archive_tensor){
            .name = name, .type = TENSOR_F32, .dimensions = 1, .shape = {arrays[i].count}, .bytes = arrays[i].values};
    }
}

/* Returns the session whose model is kept: this one, or the one whose steps it follows. */
static const fit_session *main_of(const fit_session *self) { return self->finished == NULL ? self : self->finished; }

void state_list(state_arrays *out, const fit_session *of, engine *runner) {
    const fit_session *own = main_of(of);
    out->count = 0;
    add_arrays(out, "map", of->map, &of->head, of->head.weights);
    if (own != of) {
        add_arrays(out, FINISHED, own->map, &own->head, own->head.weights);
    }
    if (own->best.any) {
        add_arrays(out, "best", own->best.map, &own->head, own->best.weights);
    }
    out->count += engine_save(runner, out->items + out->count);
}

cnm_status state_describe(record *out, const fit_session *of, cnm_error *err) {
    const fit_session *own = main_of(of);
    TRY(record_set_double(out, "loss", own->loss, err));
    TRY(record_set_count(out, "patience", own->patience, err));
    TRY(record_set_count(out, "lowered", own->guard.lowered, err));
    TRY(record_set_count(out, LOWERED_AFTER, of->guard.lowered, err));
    TRY(record_set_count(out, "shortened", own->time.shortened, err));
    TRY(record_set_count(out, "held", own->best.any, err));
    TRY(record_set_count(out, "steps_made", own->made, err));
    TRY(record_set_count(out, "steps_made_before", own->made_before, err));
    TRY(record_set_count(out, "best_step", own->best.step, err));
    TRY(record_set_double(out, "best_score", own->best.score, err));
    return record_set_double(out, "best_loss", own->best.loss, err);
}

/* ---- Restoring ---- */

static cnm_status restore_array(const checkpoint_file *from, const char *name, float *values, size_t count,
                                cnm_error *err) {
    const archive_tensor *found = archive_find(from->archive, name);
    const size_t size = count * sizeof *values;
    if (found == NULL || found->type != TENSOR_F32 || found->size != size) {
        return error_set(err, CNM_BAD_FORMAT, "its array %s has %zu bytes, expected %zu", name,
                         found == NULL ? 0 : found->size, size);
    }
    memcpy(values, found->bytes, size);
    return CNM_OK;
}

static cnm_status restore_arrays(const checkpoint_file *from, const char *prefix, const map *own,
                                 const linear_head *shape, float *head, cnm_error *err) {
    parameter_array arrays[ARRAYS];
    const size_t count = list_arrays(arrays, own, shape, head);
    for (size_t i = 0; i < count; i++) {
        char name[STATE_NAME_SIZE];
        array_name(name, prefix, arrays[i].name);
        TRY(restore_array(from, name, arrays[i].values, arrays[i].count, err));
    }
    return CNM_OK;
}

static cnm_status restore_parameters(fit_session *self, const checkpoint_file *from, const char *prefix,
                                     cnm_error *err) {
    const cnm_status status = restore_arrays(from, prefix, self->map, &self->head, self->head.weights, err);
    map_refresh(self->map);
    return status;
}

static cnm_status restore_lowered(fit_session *self, const checkpoint_file *from, const char *key, cnm_error *err) {
    TRY(checkpoint_file_count(from, key, &self->guard.lowered, err));
    return self->guard.lowered > DIVERGENCE_GUARD_MOST
               ? error_set(err, CNM_BAD_FORMAT, "its rates were lowered more often than can be")
               : CNM_OK;
}

static cnm_status restore_best(fit_session *self, const checkpoint_file *from, cnm_error *err) {
    early_stopping *best = &self->best;
    const size_t count = (self->head.features + 1) * self->head.outputs;
    uint64_t held;
    TRY(checkpoint_file_count(from, "held", &held, err));
    TRY(checkpoint_file_count(from, "best_step", &best->step, err));
    TRY(checkpoint_file_number(from, "best_score", &best->score, err));
    TRY(checkpoint_file_number(from, "best_loss", &best->loss, err));
    if (held == 0) {
        return CNM_OK;
    }
    map_destroy(best->map);
    best->any = false;
    TRY(map_copy(&best->map, self->map, err));
    if (best->weights == NULL) {
        TRY(memory_take(&best->weights, count, sizeof *best->weights, "the best head", err));
    }
    TRY(restore_arrays(from, "best", best->map, &self->head, best->weights, err));
    best->any = true;
    return CNM_OK;
}

static cnm_status restore_values(fit_session *self, const checkpoint_file *from, cnm_error *err) {
    uint64_t shortened;
    TRY(checkpoint_file_number(from, "loss", &self->loss, err));
    TRY(checkpoint_file_count(from, "patience", &self->patience, err));
    TRY(checkpoint_file_count(from, "steps_made", &self->made, err));
    TRY(checkpoint_file_count(from, "steps_made_before", &self->made_before, err));
    TRY(restore_lowered(self, from, "lowered", err));
    TRY(checkpoint_file_count(from, "shortened", &shortened, err));
    self->time.shortened = self->time.shortened || shortened != 0;
    return restore_best(self, from, err);
}

cnm_status state_restore_finished(fit_session *self, const checkpoint_file *from, cnm_error *err) {
    const bool apart = archive_find(from->archive, "finished.head") != NULL;
    TRY(restore_parameters(self, from, apart ? FINISHED : "map", err));
    return restore_values(self, from, err);
}

cnm_status state_restore(fit_session *self, engine *runner, const checkpoint_file *from, cnm_error *err) {
    TRY(restore_parameters(self, from, "map", err));
    /* The other values belong to the finished session where this one follows its steps. */
    TRY(self->finished == NULL ? restore_values(self, from, err) : restore_lowered(self, from, LOWERED_AFTER, err));
    return engine_restore(runner, from->archive, err);
}
