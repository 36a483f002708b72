/* Prepares the rows of a batch for the map and augments them, in the order of AUGMENTATION_LIST.
 * Not for rows that stay sparse. */
#include <string.h>

#include "engine/cpu/cpu.h"
#include "math/gemm/gemm.h"
#include "math/linalg/vector_ops.h"
#include "math/random/cheap_normal.h"

enum {
    CELLS_AHEAD = 3072, /* cells to prefetch while others are taken ... */
    ROWS_AHEAD = 16,    /* ... but no more rows than these */
    NOISE_RUN = 512,    /* values of short rows that get their noise together */
    NOISE_COLUMNS = 256 /* values of a long row that get their noise together */
};

size_t cpu_block_rows(size_t count, size_t block) {
    const size_t left = count - block * GEMM_ROWS;
    return left < GEMM_ROWS ? left : GEMM_ROWS;
}

/* Prefetches columns from .. to of a row that will be taken soon: rows of a batch lie anywhere. */
static void expect_columns(const rows_view *rows, size_t row, size_t from, size_t to) {
#if defined(__GNUC__)
    for (size_t j = from; j < to; j += 16) {
        __builtin_prefetch(rows->values + row * rows->stride + j, 0, 3);
    }
#else
    (void)rows, (void)row, (void)from, (void)to;
#endif
}

bool cpu_rows_move(const train_plan *plan) {
    for (augmentation_id id = 0; id < AUGMENTATIONS; id++) {
        if (plan->augment[id] > 0.0 && augmentation_get(id)->apply != NULL) {
            return true;
        }
    }
    return false;
}

/* Augments a whole block by all but noise; `still` keeps its rows as they were before. */
static void move_rows(const batch_pass *self, size_t block, size_t worker, float *u) {
    const train_plan *plan = self->plan;
    const size_t columns = self->engine->setup.rows->stage->columns, rows = cpu_block_rows(self->count, block);
    float *still = self->engine->still + worker * GEMM_ROWS * columns;
    bool kept = false;
    for (augmentation_id id = 0; id < AUGMENTATIONS; id++) {
        const augmentation_ops *row = augmentation_get(id);
        if (!(plan->augment[id] > 0.0) || row->apply == NULL) {
            continue;
        }
        if (!kept && !row->in_place) {
            memcpy(still, u, rows * columns * sizeof *u);
            kept = true;
        }
        row->apply(&(augmentation_block){.u = u,
                                         .before = still,
                                         .rows = rows,
                                         .columns = columns,
                                         .first = block * GEMM_ROWS,
                                         .index = block,
                                         .image_width = plan->image_width,
                                         .amount = plan->augment[id],
                                         .stream = {plan->seed, row->stream, (uint32_t)self->step}});
    }
}

/* Finds the row to prefetch while row i of a block is taken, which may be one of the next block;
 * returns false where there is none. */
static bool row_ahead(const batch_pass *self, size_t block, size_t i, size_t *row) {
    const rows_view *rows = &self->engine->setup.rows->rows;
    const size_t columns = rows->columns, start = block * GEMM_ROWS + i;
    const size_t ahead = columns > CELLS_AHEAD / ROWS_AHEAD ? 1 + CELLS_AHEAD / columns : ROWS_AHEAD;
    if (self->batch == NULL || rows_are_sparse(rows) || start + ahead >= self->count) {
        return false;
    }
    *row = self->batch[start + ahead];
    return true;
}

/* A block's rows u, to which noise is added. */
typedef struct noisy_block {
    const batch_pass *pass;
    size_t block, columns;
    float *u;
} noisy_block;

/* Adds noise from `first` in the block on: u = x + noise. */
static void add_noise(const noisy_block *self, size_t first, size_t count, const float *x) {
    const train_plan *plan = self->pass->plan;
    const random_stream stream = {plan->seed, RANDOM_NOISE, (uint32_t)self->pass->step};
    cheap_normal_add(stream, self->block * GEMM_ROWS * self->columns + first, count, plan->noise, x, self->u + first);
}

/* Copies row i, which is x, into the block. Whole groups get their noise as they are copied; a
 * group that began with the row before gets it in place. The row ahead is prefetched meanwhile,
 * some columns at a time. Returns where the noise ends. */
static size_t copy_with_noise(const noisy_block *self, size_t i, const float *x, bool last) {
    const size_t columns = self->columns, start = i * columns, begun = start % CHEAP_NORMAL_GROUP;
    const size_t head = begun == 0 ? 0 : CHEAP_NORMAL_GROUP - begun;
    const size_t end = last ? columns : head + (columns - head) / CHEAP_NORMAL_GROUP * CHEAP_NORMAL_GROUP;
    float *to = self->u + start;
    size_t later;
    const bool expects = row_ahead(self->pass, self->block, i, &later);
    if (head > 0) {
        memcpy(to, x, head * sizeof *to);
        add_noise(self, start - begun, CHEAP_NORMAL_GROUP, to - begun);
    }
    for (size_t at = head; at < end; at += NOISE_COLUMNS) {
        const size_t count = end - at < NOISE_COLUMNS ? end - at : NOISE_COLUMNS;
        if (expects) {
            expect_columns(&self->pass->engine->setup.rows->rows, later, at - head,
                           at + count == end ? columns : at - head + count);
        }
        add_noise(self, start + at, count, x + at);
    }
    memcpy(to + end, x + end, (columns - end) * sizeof *to);
    return start + end;
}

/* Prepares rows with noise and no other augmentation, long rows or rows of whole groups. A row that
 * has to be transformed first is transformed aside, in the nearest cache. */
static void prepare_noisy(const batch_pass *self, size_t block, size_t worker, float *u, float *published) {
    const input_source *source = self->engine->setup.rows;
    const size_t columns = source->stage->columns, first = block * GEMM_ROWS, rows = cpu_block_rows(self->count, block);
    const noisy_block noisy = {self, block, columns, u};
    const bool plain = input_is_plain(source);
    float *aside = self->engine->still + worker * GEMM_ROWS * columns;
    for (size_t i = 0, done = 0; i < rows; i++) {
        const size_t row = self->batch == NULL ? first + i : self->batch[first + i];
        if (!plain) {
            input_take_dense(source, &row, 0, 0, 1, aside);
        }
        const float *x = plain ? source->rows.values + row * source->rows.stride : aside;
        const size_t ready = copy_with_noise(&noisy, i, x, i + 1 == rows);
        if (published != NULL) {
            vector_publish(ready - done, u + done, published + done);
        }
        done = ready;
    }
}

/* Noise is added in runs of whole groups while rows are in the nearest cache, which hides the
 * prefetching of later rows and the publishing of earlier ones. */
void cpu_prepare_rows(const batch_pass *self, size_t block, size_t worker, float *u, float *published) {
    const input_source *source = self->engine->setup.rows;
    const size_t columns = source->stage->columns, rows = cpu_block_rows(self->count, block), first = block * GEMM_ROWS;
    const size_t *order = self->batch == NULL ? NULL : self->batch + first;
    const random_stream stream = {self->plan->seed, RANDOM_NOISE, (uint32_t)self->step};
    size_t done = 0, later;
    const bool moves = cpu_rows_move(self->plan);
    if (self->plan->noise > 0.0 && !moves && (columns % CHEAP_NORMAL_GROUP == 0 || columns >= NOISE_COLUMNS)) {
        prepare_noisy(self, block, worker, u, published);
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        if (row_ahead(self, block, i, &later)) {
            expect_columns(&source->rows, later, 0, columns);
        }
        input_take_dense(source, order, first, i, i + 1, u);
        const bool waits = moves && i + 1 < rows; /* noise comes after the whole block moved */
        if (moves && i + 1 == rows) {
            move_rows(self, block, worker, u);
        }
        const size_t ready = waits ? 0 : i + 1 == rows ? rows * columns : (i + 1) * columns / NOISE_RUN * NOISE_RUN;
        if (self->plan->noise > 0.0 && ready > done) {
            cheap_normal_add(stream, first * columns + done, ready - done, self->plan->noise, u + done, u + done);
        }
        if (published != NULL && ready > done) {
            vector_publish(ready - done, u + done, published + done);
        }
        done = ready > done ? ready : done;
    }
}
