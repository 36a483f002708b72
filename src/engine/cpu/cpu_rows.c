/* The rows of a batch on their way to the map: taken from where they lie, prepared, moved along with others, and given noise. Not for
 * rows that stay sparse. */
#include <string.h>

#include "engine/cpu/cpu.h"
#include "math/linalg/vector_ops.h"
#include "math/gemm/gemm.h"
#include "math/random/cheap_normal.h"
#include "math/linalg/image_ops.h"
#include "math/random/variates.h"

enum {
    CELLS_AHEAD = 3072, /* to be fetched while others are taken ... */
    ROWS_AHEAD = 16,    /* ... but no more rows than these */
    NOISE_RUN = 512,    /* values of short rows that get their noise together */
    NOISE_COLUMNS = 256 /* of a long row, likewise */
};
enum { FIRST_DRIFT = 1 << 30 }; /* behind the numbers that pick partners */

size_t cpu_block_rows(size_t count, size_t block) {
    const size_t left = count - block * GEMM_ROWS;
    return left < GEMM_ROWS ? left : GEMM_ROWS;
}

/* Asks for columns from .. to of a row that will be taken soon: rows of a batch lie anywhere. */
static void expect_columns(const rows_view *rows, size_t row, size_t from, size_t to) {
#if defined(__GNUC__)
    for (size_t j = from; j < to; j += 16) {
        __builtin_prefetch(rows->values + row * rows->stride + j, 0, 3);
    }
#else
    (void)rows, (void)row, (void)from, (void)to;
#endif
}

bool cpu_rows_move(const train_plan *plan) { return plan->drift > 0.0 || plan->shift > 0.0 || plan->mirror; }

static void mirror_rows(const batch_pass *self, size_t block, float *u) {
    const size_t columns = self->engine->setup.rows->stage->columns, rows = cpu_block_rows(self->count, block);
    const random_stream stream = {self->plan->seed, RANDOM_MIRROR, (uint32_t)self->step};
    for (size_t i = 0; i < rows; i++) {
        if (random_below(stream, block * GEMM_ROWS + i, 2) == 1) {
            picture_mirror(self->plan->picture, columns / self->plan->picture, u + i * columns);
        }
    }
}

/* Each picture of the block by two normal numbers of cells, to first order. */
static void shift_rows(const batch_pass *self, size_t block, const float *still, float *u) {
    const size_t columns = self->engine->setup.rows->stage->columns, rows = cpu_block_rows(self->count, block);
    const size_t width = self->plan->picture;
    const random_stream stream = {self->plan->seed, RANDOM_SHIFT, (uint32_t)self->step};
    float by[2 * GEMM_ROWS];
    variates_normal(stream, 2 * block * GEMM_ROWS, 2 * GEMM_ROWS, 0.5 * self->plan->shift, by);
    for (size_t i = 0; i < rows; i++) {
        picture_add_slopes(width, columns / width, by[2 * i], by[2 * i + 1], still + i * columns, u + i * columns);
    }
}

/* Row i += drift n_i (row i + a - row i + b) within the block, cyclically; a and b are the block's, n_i the row's. The directions in which
 * rows differ are those in which new rows will differ from old ones; noise alike in all columns is mostly elsewhere. */
static void drift_rows(const batch_pass *self, size_t block, const float *still, float *u) {
    const size_t columns = self->engine->setup.rows->stage->columns, rows = cpu_block_rows(self->count, block);
    const random_stream stream = {self->plan->seed, RANDOM_DRIFT, (uint32_t)self->step};
    float along[GEMM_ROWS];
    if (rows < 3) {
        return;
    }
    const size_t a = 1 + (size_t)random_below(stream, 2 * block, rows - 1);
    const size_t other = 1 + (size_t)random_below(stream, 2 * block + 1, rows - 2), b = other < a ? other : other + 1;
    variates_normal(stream, FIRST_DRIFT + block * GEMM_ROWS, GEMM_ROWS, self->plan->drift, along);
    for (size_t i = 0; i < rows; i++) {
        array_add_difference(columns, along[i], still + (i + a) % rows * columns, still + (i + b) % rows * columns,
                             u + i * columns);
    }
}

/* A whole block, from where its rows are before any of them moves. */
static void move_rows(const batch_pass *self, size_t block, size_t worker, float *u) {
    const size_t columns = self->engine->setup.rows->stage->columns, rows = cpu_block_rows(self->count, block);
    float *still = self->engine->still + worker * GEMM_ROWS * columns;
    if (self->plan->mirror) {
        mirror_rows(self, block, u);
    }
    memcpy(still, u, rows * columns * sizeof *u);
    if (self->plan->drift > 0.0) {
        drift_rows(self, block, still, u);
    }
    if (self->plan->shift > 0.0) {
        shift_rows(self, block, still, u);
    }
}

/* The row to be asked for while row i of a block is taken, which may be one of the next block; false: none. */
static bool row_ahead(const batch_pass *self, size_t block, size_t i, size_t *row) {
    const rows_view *rows = &self->engine->setup.rows->rows;
    const size_t columns = rows->columns, place = block * GEMM_ROWS + i;
    const size_t ahead = columns > CELLS_AHEAD / ROWS_AHEAD ? 1 + CELLS_AHEAD / columns : ROWS_AHEAD;
    if (self->batch == NULL || rows_are_sparse(rows) || place + ahead >= self->count) {
        return false;
    }
    *row = self->batch[place + ahead];
    return true;
}

/* A block's rows u, to which noise is added. */
typedef struct noisy_block {
    const batch_pass *pass;
    size_t block, columns;
    float *u;
} noisy_block;

/* u = x + noise from `place` in the block on. */
static void add_noise(const noisy_block *self, size_t place, size_t count, const float *x) {
    const train_plan *plan = self->pass->plan;
    const random_stream stream = {plan->seed, RANDOM_NOISE, (uint32_t)self->pass->step};
    noise_add(stream, self->block * GEMM_ROWS * self->columns + place, count, plan->noise, x, self->u + place);
}

/* Row i, which is x, on its way into the block. Whole groups get their noise as they are copied, a group that began with the row before
 * where it lies; the row ahead is fetched meanwhile, some columns at a time. Returns where the noise ends. */
static size_t copy_with_noise(const noisy_block *self, size_t i, const float *x, bool last) {
    const size_t columns = self->columns, place = i * columns, begun = place % NOISE_TOGETHER;
    const size_t head = begun == 0 ? 0 : NOISE_TOGETHER - begun;
    const size_t end = last ? columns : head + (columns - head) / NOISE_TOGETHER * NOISE_TOGETHER;
    float *to = self->u + place;
    size_t later;
    const bool expects = row_ahead(self->pass, self->block, i, &later);
    if (head > 0) {
        memcpy(to, x, head * sizeof *to);
        add_noise(self, place - begun, NOISE_TOGETHER, to - begun);
    }
    for (size_t at = head; at < end; at += NOISE_COLUMNS) {
        const size_t count = end - at < NOISE_COLUMNS ? end - at : NOISE_COLUMNS;
        if (expects) {
            expect_columns(&self->pass->engine->setup.rows->rows, later, at - head,
                           at + count == end ? columns : at - head + count);
        }
        add_noise(self, place + at, count, x + at);
    }
    memcpy(to + end, x + end, (columns - end) * sizeof *to);
    return place + end;
}

/* Rows with noise that do not move, long ones or of whole groups. What is to be done to a row before is done aside, in the nearest cache. */
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
            array_publish(ready - done, u + done, published + done);
        }
        done = ready;
    }
}

/* Noise follows the rows in runs of whole groups while they are in the nearest cache, and hides the fetching of later rows and the
 * publishing of earlier ones. */
void cpu_prepare_rows(const batch_pass *self, size_t block, size_t worker, float *u, float *published) {
    const input_source *source = self->engine->setup.rows;
    const size_t columns = source->stage->columns, rows = cpu_block_rows(self->count, block), first = block * GEMM_ROWS;
    const size_t *order = self->batch == NULL ? NULL : self->batch + first;
    const random_stream stream = {self->plan->seed, RANDOM_NOISE, (uint32_t)self->step};
    size_t done = 0, later;
    const bool moves = cpu_rows_move(self->plan);
    if (self->plan->noise > 0.0 && !moves && (columns % NOISE_TOGETHER == 0 || columns >= NOISE_COLUMNS)) {
        prepare_noisy(self, block, worker, u, published);
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        if (row_ahead(self, block, i, &later)) {
            expect_columns(&source->rows, later, 0, columns);
        }
        input_take_dense(source, order, first, i, i + 1, u);
        const bool waits = moves && i + 1 < rows; /* the whole block moves before noise comes */
        if (moves && i + 1 == rows) {
            move_rows(self, block, worker, u);
        }
        const size_t ready = waits ? 0 : i + 1 == rows ? rows * columns : (i + 1) * columns / NOISE_RUN * NOISE_RUN;
        if (self->plan->noise > 0.0 && ready > done) {
            noise_add(stream, first * columns + done, ready - done, self->plan->noise, u + done, u + done);
        }
        if (published != NULL && ready > done) {
            array_publish(ready - done, u + done, published + done);
        }
        done = ready > done ? ready : done;
    }
}
