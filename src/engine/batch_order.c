/* Shuffles the rows once an epoch. */
#include "engine/batch_order.h"

#include "base/core/memory.h"
#include "base/core/random.h"
#include "math/random/shuffle.h"

cnm_status batch_order_create(batch_order *out, const size_t *positions, size_t rows, cnm_error *err) {
    *out = (batch_order){.positions = positions, .rows = rows};
    return memory_take(&out->order, rows, sizeof *out->order, "the order of rows", err);
}

void batch_order_free(batch_order *self) {
    memory_free(self->order);
    *self = (batch_order){0};
}

const size_t *batch_order_rows(batch_order *self, const train_plan *plan, uint64_t step, size_t *count) {
    const size_t size = plan->batch < self->rows ? plan->batch : self->rows;
    const uint64_t per_epoch = self->rows / size, epoch = (step - 1) / per_epoch;
    if (self->epoch != epoch + 1 || self->stream != plan->stream || self->seed != plan->seed) {
        shuffle((random_stream){plan->seed, plan->stream, (uint32_t)epoch}, self->rows, self->order);
        for (size_t i = 0; self->positions != NULL && i < self->rows; i++) {
            self->order[i] = self->positions[self->order[i]];
        }
        self->epoch = epoch + 1;
        self->stream = plan->stream;
        self->seed = plan->seed;
    }
    *count = size;
    return self->order + (size_t)((step - 1) % per_epoch) * size;
}
