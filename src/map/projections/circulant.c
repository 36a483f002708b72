/* Draws circulant maps, and sums over rows in groups. */
#include "map/projections/circulant.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "base/threads/threads.h"
#include "map/kernels.h"
#include "math/linalg/reduce.h"

enum {
    GROUP_ROWS = 64,  /* the least rows in one partial sum */
    GROUPS_MOST = 16, /* partial sums at most */
    ALIGN_FLOATS = 16
};

size_t circulant_blocks(size_t columns, size_t features) { return features / columns + (features % columns != 0); }

size_t circulant_aligned(size_t floats) { return (floats + ALIGN_FLOATS - 1) / ALIGN_FLOATS * ALIGN_FLOATS; }

cnm_status circulant_draw_filters(const layer_spec *spec, size_t blocks, float *filters, cnm_error *err) {
    TRY(kernel_check(spec->kernel, spec->gamma, err));
    if (spec->init == INIT_ORTHOGONAL) {
        return error_set(err, CNM_UNSUPPORTED, "--init orthogonal needs --projection dense, not %s", spec->projection);
    }
    for (size_t block = 0; block < blocks; block++) {
        const random_stream stream = {spec->seed, RANDOM_THETA, (uint32_t)block};
        kernel_draw(spec->kernel, spec->gamma, stream, 0, spec->columns, filters + block * spec->columns);
    }
    return CNM_OK;
}

void circulant_draw_signs(const layer_spec *spec, uint32_t part, float *signs) {
    const random_stream stream = {spec->seed, RANDOM_SIGNS, part};
    uint32_t words[4] = {0};
    for (size_t j = 0; j < spec->columns; j++) {
        if (j % 128 == 0) {
            random_words(stream, j / 128, words);
        }
        signs[j] = (words[j % 128 / 32] >> (j % 32) & 1) != 0 ? -1.0f : 1.0f;
    }
}

/* ---- Sums over rows ---- */

typedef struct row_groups {
    size_t count, rows; /* the last group may hold fewer rows; no rows are one empty group */
} row_groups;

static row_groups cut_rows(size_t rows) {
    const size_t wanted = rows / GROUP_ROWS + (rows % GROUP_ROWS != 0);
    const size_t most = wanted < GROUPS_MOST ? wanted : GROUPS_MOST;
    const size_t each = most == 0 ? 0 : rows / most + (rows % most != 0);
    return (row_groups){each == 0 ? 1 : rows / each + (rows % each != 0), each};
}

typedef struct group_job {
    const row_sum *sum;
    row_groups groups;
    float *sums;    /* (groups, sum_size) */
    float *scratch; /* (workers, scratch_size) */
} group_job;

static void add_group(void *context, size_t index, size_t worker) {
    const group_job *job = context;
    const row_sum *of = job->sum;
    const size_t start = index * job->groups.rows, all = of->u->rows;
    const size_t end = all - start < job->groups.rows ? all : start + job->groups.rows;
    float *sum = job->sums + index * of->sum_size, *scratch = job->scratch + worker * of->scratch_size;
    memset(sum, 0, of->sum_size * sizeof *sum);
    for (size_t first = start; first < end; first += CIRCULANT_ROWS) {
        of->add(of, first, end - first < CIRCULANT_ROWS ? end - first : CIRCULANT_ROWS, sum, scratch);
    }
}

size_t row_sum_work_size(size_t sum_size, size_t scratch_size, size_t rows, size_t threads) {
    const size_t groups = cut_rows(rows).count;
    const size_t wanted = threads == 0 ? threads_available() : threads;
    return groups * sum_size + (wanted < groups ? wanted : groups) * scratch_size;
}

float *row_sum_run(const row_sum *job, thread_pool *threads, float *work) {
    const row_groups groups = cut_rows(job->u->rows);
    float *scratch = work + groups.count * job->sum_size;
    threads_for(threads, groups.count, add_group, &(group_job){job, groups, work, scratch});
    reduce_rows(work, groups.count, job->sum_size);
    return scratch;
}
