/* Parameters and numbers of a training, listed once for both ways. */
#include "learn/fit/checkpoint_state.h"

#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"

static const char FINISHED[] = "finished", LOWERED_AFTER[] = "lowered_after";

/* One array of parameters, where it lives. */
typedef struct parameter_array {
    const char *name;
    float *values;
    size_t count;
} parameter_array;

enum { ARRAYS = MAP_TENSORS + 2 };

/* Those of a map and a head; optional tensors that are not there are left out. */
static size_t list_arrays(parameter_array out[ARRAYS], const map *own, const linear_head *shape, float *head) {
    size_t count = 0;
    for (size_t i = 0; i < own->tensor_count; i++) {
        const map_tensor *tensor = &own->tensors[i];
        if (tensor->values != NULL) {
            out[count++] = (parameter_array){tensor->name, tensor->values, tensor->rows * tensor->columns};
        }
    }
    if (own->phase != NULL) {
        out[count++] = (parameter_array){"phase", own->phase, own->features};
    }
    if (shape->outputs > 0) {
        out[count++] = (parameter_array){"head", head, (shape->features + 1) * shape->outputs};
    }
    return count;
}

static void array_name(char out[40], const char *prefix, const char *name) {
    (void)snprintf(out, 40, "%s.%s", prefix, name);
}

/* ---- Out ---- */

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

/* The training whose model it will be: of one that comes after its steps, that one. */
static const training *main_of(const training *self) { return self->finished == NULL ? self : self->finished; }

void state_list(state_arrays *out, const training *of, engine *runner) {
    const training *own = main_of(of);
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

cnm_status state_describe(record *out, const training *of, cnm_error *err) {
    const training *own = main_of(of);
    cnm_status status = record_set_double(out, "loss", own->loss, err);
    status = status == CNM_OK ? record_set_count(out, "patience", own->patience, err) : status;
    status = status == CNM_OK ? record_set_count(out, "lowered", own->safeguard.lowered, err) : status;
    status = status == CNM_OK ? record_set_count(out, LOWERED_AFTER, of->safeguard.lowered, err) : status;
    status = status == CNM_OK ? record_set_count(out, "shortened", own->shortened, err) : status;
    status = status == CNM_OK ? record_set_count(out, "held", own->best.any, err) : status;
    status = status == CNM_OK ? record_set_double(out, "best_score", own->best.score, err) : status;
    return status == CNM_OK ? record_set_double(out, "best_loss", own->best.loss, err) : status;
}

/* ---- Back ---- */

static cnm_status take_array(const checkpoint_file *from, const char *name, float *values, size_t count,
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

static cnm_status take_arrays(const checkpoint_file *from, const char *prefix, const map *own, const linear_head *shape,
                              float *head, cnm_error *err) {
    parameter_array arrays[ARRAYS];
    const size_t count = list_arrays(arrays, own, shape, head);
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < count; i++) {
        char name[40];
        array_name(name, prefix, arrays[i].name);
        status = take_array(from, name, arrays[i].values, arrays[i].count, err);
    }
    return status;
}

static cnm_status restore_parameters(training *self, const checkpoint_file *from, const char *prefix, cnm_error *err) {
    const cnm_status status = take_arrays(from, prefix, self->map, &self->head, self->head.weights, err);
    map_refresh(self->map);
    return status;
}

static cnm_status restore_lowered(training *self, const checkpoint_file *from, const char *key, cnm_error *err) {
    const cnm_status status = checkpoint_file_count(from, key, &self->safeguard.lowered, err);
    return status == CNM_OK && self->safeguard.lowered > SAFEGUARD_MOST
               ? error_set(err, CNM_BAD_FORMAT, "its rates were lowered more often than can be")
               : status;
}

static cnm_status restore_best(training *self, const checkpoint_file *from, cnm_error *err) {
    best_so_far *best = &self->best;
    uint64_t held;
    cnm_status status = checkpoint_file_count(from, "held", &held, err);
    status = status == CNM_OK ? checkpoint_file_number(from, "best_score", &best->score, err) : status;
    status = status == CNM_OK ? checkpoint_file_number(from, "best_loss", &best->loss, err) : status;
    if (status != CNM_OK || held == 0) {
        return status;
    }
    map_destroy(best->map);
    status = map_copy(&best->map, self->map, err);
    if (status == CNM_OK && best->weights == NULL) {
        status = memory_take(&best->weights, (self->head.features + 1) * self->head.outputs, sizeof *best->weights,
                             "the best head", err);
    }
    if (status == CNM_OK) {
        status = take_arrays(from, "best", best->map, &self->head, best->weights, err);
        best->any = status == CNM_OK;
    }
    return status;
}

static cnm_status restore_numbers(training *self, const checkpoint_file *from, cnm_error *err) {
    uint64_t shortened = 0;
    cnm_status status = checkpoint_file_number(from, "loss", &self->loss, err);
    status = status == CNM_OK ? checkpoint_file_count(from, "patience", &self->patience, err) : status;
    status = status == CNM_OK ? restore_lowered(self, from, "lowered", err) : status;
    status = status == CNM_OK ? checkpoint_file_count(from, "shortened", &shortened, err) : status;
    self->shortened = self->shortened || shortened != 0;
    return status == CNM_OK ? restore_best(self, from, err) : status;
}

cnm_status state_restore_finished(training *self, const checkpoint_file *from, cnm_error *err) {
    const bool apart = archive_find(from->archive, "finished.head") != NULL;
    const cnm_status status = restore_parameters(self, from, apart ? FINISHED : "map", err);
    return status == CNM_OK ? restore_numbers(self, from, err) : status;
}

cnm_status state_restore(training *self, engine *runner, const checkpoint_file *from, cnm_error *err) {
    cnm_status status = restore_parameters(self, from, "map", err);
    if (status == CNM_OK) { /* the numbers of a finished training are its own */
        status =
            self->finished == NULL ? restore_numbers(self, from, err) : restore_lowered(self, from, LOWERED_AFTER, err);
    }
    return status == CNM_OK ? engine_restore(runner, from->archive, err) : status;
}
