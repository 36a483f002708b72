/* Saves, restores and forgets what the CPU engine remembers from one run to the next, map and head
 * aside: moments and the mean head. Buffers and the order of rows follow from the plan and the
 * step. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "engine/cpu/cpu.h"

static const char *const HEAD_NAMES[2] = {"head.first_moment", "head.second_moment"};
#define TENSOR_PAIR(prefix, i)                                                                                         \
    { prefix "tensor" #i ".first_moment", prefix "tensor" #i ".second_moment" }
#define LAYER_NAMES(prefix)                                                                                            \
    {                                                                                                                  \
        {prefix "phase.first_moment", prefix "phase.second_moment"}, {                                                 \
            TENSOR_PAIR(prefix, 0), TENSOR_PAIR(prefix, 1), TENSOR_PAIR(prefix, 2), TENSOR_PAIR(prefix, 3)             \
        }                                                                                                              \
    }
static const struct {
    const char *phase[2], *tensors[LAYER_TENSORS][2];
} LAYER[MAP_LAYERS] = {LAYER_NAMES(""),        LAYER_NAMES("layer2."), LAYER_NAMES("layer3."), LAYER_NAMES("layer4."),
                       LAYER_NAMES("layer5."), LAYER_NAMES("layer6."), LAYER_NAMES("layer7."), LAYER_NAMES("layer8.")};
static const char AVERAGE[] = "head.average", AVERAGED[] = "head.averaged";

/* An array that exists once a plan has needed it. */
typedef struct moments {
    const char *name;
    float **values;
    size_t count, more; /* more: space behind them, for keeping them by parts */
} moments;

enum { MOMENTS = 2 * (1 + MAP_LAYERS * (1 + LAYER_TENSORS)) };

static size_t head_size(const cpu_engine *self) { return (self->setup.head->features + 1) * self->setup.head->outputs; }

/* Lists moment j of a layer's arrays from out[count] on; returns their number in all. */
static size_t list_layer(cpu_engine *self, size_t number, size_t j, moments *out, size_t count) {
    const layer *own = self->setup.map->layers[number];
    layer_memory *memory = &self->layers[number];
    out[count++] = (moments){LAYER[number].phase[j], &memory->phase_moments[j], own->features, 0};
    for (size_t i = 0; i < own->tensor_count; i++) {
        out[count++] =
            (moments){LAYER[number].tensors[i][j], &memory->tensor_moments[i][j],
                      own->tensors[i].rows * own->tensors[i].columns, cpu_part_gaps(own->tensors[i].columns)};
    }
    return count;
}

static size_t list_moments(cpu_engine *self, moments out[MOMENTS]) {
    size_t count = 0;
    for (size_t j = 0; j < 2; j++) {
        out[count++] = (moments){HEAD_NAMES[j], &self->head_moments[j], head_size(self), 0};
        for (size_t number = 0; number < self->setup.map->layer_count; number++) {
            count = list_layer(self, number, j, out, count);
        }
    }
    return count;
}

size_t cpu_save(engine *base, archive_tensor out[ENGINE_ARRAYS]) {
    cpu_engine *self = (cpu_engine *)base;
    moments all[MOMENTS];
    size_t used = 0;
    const size_t count = list_moments(self, all);
    cpu_parts_leave(self);
    for (size_t i = 0; i < count; i++) {
        if (*all[i].values != NULL) {
            out[used++] = (archive_tensor){.name = all[i].name,
                                           .type = TENSOR_F32,
                                           .dimensions = 1,
                                           .shape = {all[i].count},
                                           .bytes = *all[i].values};
        }
    }
    if (self->averaged > 0) {
        out[used++] = (archive_tensor){
            .name = AVERAGE, .type = TENSOR_F64, .dimensions = 1, .shape = {head_size(self)}, .bytes = self->average};
        out[used++] = (archive_tensor){
            .name = AVERAGED, .type = TENSOR_I64, .dimensions = 1, .shape = {1}, .bytes = &self->averaged};
    }
    return used;
}

/* Copies an array of the archive; *found is false where it has none of that name. */
static cnm_status take_back(const archive *from, const char *name, tensor_type type, size_t size, void *values,
                            bool *found, cnm_error *err) {
    const archive_tensor *tensor = archive_find(from, name);
    *found = tensor != NULL;
    if (tensor == NULL) {
        return CNM_OK;
    }
    if (tensor->type != type || tensor->size != size) {
        return error_set(err, CNM_BAD_FORMAT, "its array %s has %zu bytes, expected %zu", name, tensor->size, size);
    }
    memcpy(values, tensor->bytes, size);
    return CNM_OK;
}

static cnm_status restore_moments(const archive *from, const moments *array, cnm_error *err) {
    bool found;
    if (archive_find(from, array->name) != NULL && *array->values == NULL) {
        TRY(memory_zeroed(array->values, array->count + array->more, sizeof **array->values, "an optimiser's memory",
                          err));
    }
    if (*array->values == NULL) {
        return CNM_OK;
    }
    return take_back(from, array->name, TENSOR_F32, array->count * sizeof **array->values, *array->values, &found, err);
}

cnm_status cpu_restore(engine *base, const archive *from, cnm_error *err) {
    cpu_engine *self = (cpu_engine *)base;
    moments all[MOMENTS];
    const size_t count = list_moments(self, all);
    bool found = false;
    cpu_forget(base);
    for (size_t i = 0; i < count; i++) {
        TRY(restore_moments(from, &all[i], err));
    }
    TRY(take_back(from, AVERAGE, TENSOR_F64, head_size(self) * sizeof *self->average, self->average, &found, err));
    return found ? take_back(from, AVERAGED, TENSOR_I64, sizeof self->averaged, &self->averaged, &found, err) : CNM_OK;
}

void cpu_forget(engine *base) {
    cpu_engine *self = (cpu_engine *)base;
    moments all[MOMENTS];
    const size_t count = list_moments(self, all);
    cpu_parts_leave(self);
    for (size_t i = 0; i < count; i++) {
        if (*all[i].values != NULL) {
            memset(*all[i].values, 0, all[i].count * sizeof **all[i].values);
        }
    }
    memset(self->average, 0, head_size(self) * sizeof *self->average);
    self->averaged = 0;
    self->cached = false;
}
