/* Updates the head, the map's tensors and its phases: whole, or in parallel slices. */
#include <math.h>

#include "engine/cpu/cpu.h"

enum { SLICE = 16384 };

typedef struct update {
    const update_ops *ops;
    update_call call;
} update;

static void update_slice(void *context, size_t slice, size_t worker) {
    const update *self = context;
    update_call call = self->call;
    const size_t first = slice * SLICE, left = call.rows * call.columns - first;
    (void)worker;
    call.rows = 1;
    call.columns = left < SLICE ? left : SLICE;
    call.values += first;
    call.gradient += first;
    for (size_t j = 0; j < self->ops->moments; j++) {
        call.moments[j] += first;
    }
    self->ops->apply(&call);
}

static void update_array(const cpu_engine *cpu, const update_ops *ops, update_call call) {
    update task = {ops, call};
    if (ops->whole) {
        ops->apply(&task.call);
    } else {
        threads_for(cpu->threads, (call.rows * call.columns + SLICE - 1) / SLICE, update_slice, &task);
    }
}

static update_call with_rate(update_call call) {
    call.rate = ldexp(update_rate(&call), -RATE_BITS * (int)call.plan->lowered);
    return call;
}

update_call cpu_head_update(const cpu_engine *self, const train_plan *plan, uint64_t step) {
    const linear_head *head = self->setup.head;
    return with_rate((update_call){.plan = plan,
                                   .kind = PARAMETER_HEAD,
                                   .step = step,
                                   .step_scale = 1.0,
                                   .rate_scale = 1.0,
                                   .rows = head->features + 1,
                                   .columns = head->outputs,
                                   .values = head->weights,
                                   .gradient = self->head_gradient,
                                   .moments = {self->head_moments[0], self->head_moments[1]}});
}

update_call cpu_tensor_update(const cpu_engine *self, const train_plan *plan, uint64_t step, size_t number, size_t i) {
    const layer_memory *memory = &self->layers[number];
    const layer_tensor *tensor = &self->setup.map->layers[number]->tensors[i];
    return with_rate((update_call){.plan = plan,
                                   .layer = number,
                                   .kind = tensor->factor ? PARAMETER_FACTOR : PARAMETER_TENSOR,
                                   .step = step,
                                   .step_scale = tensor->step_scale,
                                   .rate_scale = tensor->rate_scale,
                                   .rows = tensor->rows,
                                   .columns = tensor->columns,
                                   .values = tensor->values,
                                   .gradient = memory->gradients[i],
                                   .moments = {memory->tensor_moments[i][0], memory->tensor_moments[i][1]}});
}

update_call cpu_phase_update(const cpu_engine *self, const train_plan *plan, uint64_t step, size_t number) {
    const layer_memory *memory = &self->layers[number];
    const layer *own = self->setup.map->layers[number];
    return with_rate((update_call){.plan = plan,
                                   .layer = number,
                                   .kind = PARAMETER_PHASE,
                                   .step = step,
                                   .step_scale = 1.0,
                                   .rate_scale = 1.0,
                                   .rows = 1,
                                   .columns = own->features,
                                   .values = own->phase,
                                   .gradient = memory->phase_gradient,
                                   .moments = {memory->phase_moments[0], memory->phase_moments[1]}});
}

static void update_layer(const cpu_engine *self, const train_plan *plan, uint64_t step, size_t number,
                         const update_ops *ops) {
    const layer *own = self->setup.map->layers[number];
    for (size_t i = 0; i < own->tensor_count; i++) {
        if (own->tensors[i].learned) {
            update_array(self, ops, cpu_tensor_update(self, plan, step, number, i));
        }
    }
    if (own->phase != NULL) {
        update_array(self, ops, cpu_phase_update(self, plan, step, number));
    }
}

void cpu_update(cpu_engine *self, const train_plan *plan, uint64_t step) {
    const update_ops *for_head = update_find(plan, plan->head_update), *for_map = update_find(plan, plan->map_update);
    if (for_head != NULL) {
        update_array(self, for_head, cpu_head_update(self, plan, step));
    }
    if (for_map == NULL) {
        return;
    }
    for (size_t number = 0; number < self->setup.map->layer_count; number++) {
        if (!plan->layer_fixed[number]) {
            update_layer(self, plan, step, number, for_map);
        }
    }
    map_refresh(self->setup.map);
    self->cached = false;
}
