/* One kernel machine of some rows, in deviations, says of each what it would have said without it (ridge.h). The exponential kernel is wide, so that the machine follows straight lines and neighbours alike. Its share of the
 * variance that is foretold, rows left out, is 0.09 to 0.99 on real tails and below 0.02 where a few targets are made up. */
#include "learn/detect/detect_target_outliers.h"

#include <math.h>

#include "base/core/memory.h"
#include "learn/krr/kernel_ridge.h"
#include "learn/dataset/deduplicate.h"
#include "math/linalg/quickselect.h"

enum { MOST_ROWS = 1000, FARTHEST_ROWS = 100, LEAST_ROWS = 20, MOST_COLUMNS = 1024 };

static const double WIDTH = 0.03, PENALTY = 0.1, ENOUGH = 0.05;

/* Every column gets mean 0 and deviation 1, or is 0. */
static void standardise(machine_rows *self) {
    const size_t n = self->rows, d = self->columns;
    for (size_t j = 0; j < d; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < n; i++) {
            mean += (double)self->centres[i * d + j] / (double)n;
        }
        for (size_t i = 0; i < n; i++) {
            square += pow((double)self->centres[i * d + j] - mean, 2.0) / (double)n;
        }
        for (size_t i = 0; i < n; i++) {
            float *cell = &self->centres[i * d + j];
            *cell = square > 0.0 ? (float)(((double)*cell - mean) / sqrt(square)) : 0.0F;
            self->squares[i] += *cell * *cell;
        }
    }
}

/* Whether the machine says of its rows, each left out, what they are. */
static cnm_status judge(ridge *self, bool *out, cnm_error *err) {
    double off = 0.0, all = 0.0;
    bool solved = false;
    cnm_status status = CNM_OK;
    if (ridge_is_possible(self)) {
        status = ridge_solve(self, MACHINE_EXPONENTIAL, WIDTH, PENALTY, &solved, err);
    }
    status = status == CNM_OK && solved ? ridge_leave_out(self, err) : status;
    for (size_t i = 0; status == CNM_OK && solved && i < self->machine.of->rows; i++) {
        off += pow(self->targets[i] - (double)self->left_out[i], 2.0);
        all += self->targets[i] * self->targets[i];
    }
    *out = off < (1.0 - ENOUGH) * all;
    return status;
}

/* The rows at positions (count), and a training of their targets (rows of the task), which stays unscaled and unbound. */
static cnm_status ask_rows(const problem *task, float *targets, const size_t *positions, size_t count, bool *out,
                           cnm_error *err) {
    thread_pool *pool = thread_pool_create((size_t)task->settings->threads);
    training of = {.problem = *task};
    machine_rows rows = {.rows = count, .columns = task->rows.columns};
    ridge machine = {0};
    of.problem.task = TASK_REGRESS;
    of.problem.outputs = 1;
    of.problem.targets = targets;
    cnm_status status = memory_take(&rows.centres, count, rows.columns * sizeof *rows.centres, "rows", err);
    status = status == CNM_OK ? memory_zeroed(&rows.squares, count, sizeof *rows.squares, "rows", err) : status;
    if (status == CNM_OK) {
        rows_gather(task->rows, positions, count, rows.centres);
        standardise(&rows);
        status = ridge_create(&machine, &of, &rows, positions, false, pool, err);
    }
    status = status == CNM_OK ? judge(&machine, out, err) : status;
    ridge_free(&machine);
    machine_rows_free(&rows);
    thread_pool_destroy(pool);
    return status;
}

/* wanted (rows of the task): the numbers less their mean over the rows at positions (count), in units of their largest distance from it. */
static void centre(const double *numbers, size_t rows, const size_t *positions, size_t count, float *wanted) {
    double mean = 0.0, largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        mean += numbers[positions[i]] / (double)count;
    }
    for (size_t i = 0; i < rows; i++) {
        largest = fmax(largest, fabs(numbers[i] - mean));
    }
    for (size_t i = 0; i < rows; i++) {
        wanted[i] = largest > 0.0 ? (float)((numbers[i] - mean) / largest) : 0.0F;
    }
}

/* The first `some` of positions (count) become those whose targets lie farthest from the middle, which are what is asked about and may be few among
 * very many, and others spread evenly over the rest. */
static cnm_status pick_rows(const double *targets, double middle, size_t *positions, size_t count, size_t some,
                            cnm_error *err) {
    float *distances;
    size_t first = 0;
    if (some == count) {
        return CNM_OK;
    }
    const cnm_status status = memory_take(&distances, count, sizeof *distances, "targets", err);
    if (status == CNM_OK) {
        for (size_t i = 0; i < count; i++) {
            distances[i] = (float)fabs(targets[positions[i]] - middle);
        }
        const double least = (double)select_rank(distances, count, count - FARTHEST_ROWS);
        for (size_t i = 0; i < count && first < FARTHEST_ROWS; i++) {
            if (fabs(targets[positions[i]] - middle) > least) {
                const size_t far = positions[i];
                positions[i] = positions[first];
                positions[first++] = far;
            }
        }
        for (size_t i = 0; i < some - first; i++) {
            positions[first + i] = positions[first + i * (count - first) / (some - first)];
        }
    }
    memory_free(distances);
    return status;
}

cnm_status tails_are_foretold(const problem *task, const double *targets, double middle, bool *out, cnm_error *err) {
    const size_t rows = task->rows.rows;
    size_t *positions = NULL, count = 0;
    float *wanted = NULL;
    *out = false;
    if (task->rows.columns > MOST_COLUMNS) {
        return CNM_OK;
    }
    cnm_status status = memory_take(&positions, 2 * rows, sizeof *positions, "rows", err);
    for (size_t i = 0; status == CNM_OK && i < rows; i++) {
        positions[rows + i] = i;
    }
    status = status == CNM_OK ? positions_without_copies(task, positions + rows, rows, false, positions, &count, err)
                              : status;
    if (status == CNM_OK && count >= LEAST_ROWS) {
        const size_t some = count < MOST_ROWS ? count : MOST_ROWS;
        status = pick_rows(targets, middle, positions, count, some, err);
        status = status == CNM_OK ? memory_take(&wanted, rows, sizeof *wanted, "targets", err) : status;
        if (status == CNM_OK) {
            centre(targets, rows, positions, some, wanted);
            status = ask_rows(task, wanted, positions, some, out, err);
        }
    }
    memory_free(wanted);
    memory_free(positions);
    return status;
}
