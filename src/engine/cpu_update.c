/* Updates of the head, the map's tensors and its phases: whole, or in parallel slices. */
#include "engine/cpu.h"

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

static void update_array(const engine *cpu, const update_ops *ops, update_call call) {
    update task = {ops, call};
    task.call.rate = call.plan->rate(&call);
    if (ops->whole) {
        ops->apply(&task.call);
    } else {
        threads_for(cpu->threads, (call.rows * call.columns + SLICE - 1) / SLICE, update_slice, &task);
    }
}

static void update_map(engine *self, const train_plan *plan, uint64_t step) {
    map *own = self->setup.map;
    for (size_t i = 0; i < own->tensor_count; i++) {
        if (own->tensors[i].learned) {
            update_array(self, plan->map_update,
                         (update_call){.plan = plan,
                                       .kind = own->tensors[i].factor ? PARAMETER_FACTOR : PARAMETER_TENSOR,
                                       .step = step,
                                       .step_scale = own->tensors[i].step_scale,
                                       .rate_scale = own->tensors[i].rate_scale,
                                       .rows = own->tensors[i].rows,
                                       .columns = own->tensors[i].columns,
                                       .values = own->tensors[i].values,
                                       .gradient = self->gradients[i],
                                       .moments = {self->tensor_moments[i][0], self->tensor_moments[i][1]}});
        }
    }
    if (own->phase != NULL) {
        update_array(self, plan->map_update,
                     (update_call){.plan = plan,
                                   .kind = PARAMETER_PHASE,
                                   .step = step,
                                   .step_scale = 1.0,
                                   .rate_scale = 1.0,
                                   .rows = 1,
                                   .columns = own->features,
                                   .values = own->phase,
                                   .gradient = self->phase_gradient,
                                   .moments = {self->phase_moments[0], self->phase_moments[1]}});
    }
    map_refresh(own);
    self->cached = false;
}

void cpu_update(engine *self, const train_plan *plan, uint64_t step) {
    const linear_head *head = self->setup.head;
    if (plan->head_update != NULL) {
        update_array(self, plan->head_update,
                     (update_call){.plan = plan,
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
    if (plan->map_update != NULL) {
        update_map(self, plan, step);
    }
}
