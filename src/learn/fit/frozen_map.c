/* A drawn map's features of all rows, and the head that is solved for with them. */
#include "learn/fit/frozen_map.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/threads/threads.h"
#include "learn/fit/lbfgs_head.h"
#include "math/gemm/gemm.h"

enum { MOST_CELLS = 1 << 25, MOST_FEATURES = 1024, MOST_WEIGHTS = 1 << 16 };

bool head_can_be_solved(const training *self) {
    static const char *const SMOOTH[] = {"squared-hinge", "logistic", "softmax", "squared", "huber"};
    const settings *wanted = self->problem.settings;
    size_t cells;
    bool smooth = false;
    for (size_t i = 0; self->problem.loss != NULL && i < sizeof SMOOTH / sizeof SMOOTH[0]; i++) {
        smooth = smooth || strcmp(self->problem.loss->name, SMOOTH[i]) == 0;
    }
    return smooth && wanted->method == METHOD_CNM && wanted->recipe == RECIPE_JOINT && !self->continues &&
           self->spec.features <= MOST_FEATURES && self->problem.outputs <= MOST_WEIGHTS / self->spec.features &&
           size_multiply(self->problem.rows.rows, self->spec.features + self->problem.outputs, &cells) &&
           cells <= MOST_CELLS;
}

bool head_is_solved(const training *self) { return self->recipe.hold == 1.0 && head_can_be_solved(self); }

/* A solution takes each row's projection, half the products of its
 * features with each other, and two passes a round; beside the rows a factor, and a round what is solved with it. */
double solve_steps(const training *self) {
    const double rows = 0.8 * (double)self->problem.rows.rows, outputs = (double)self->problem.outputs; /* of a fold */
    const double columns = (double)self->problem.rows.columns, features = (double)self->spec.features;
    const double step = (double)self->recipe.batch * joint_row_work(self);
    const double passes = rows * features * (columns + 0.5 * features + 2.0 * SOLVER_ROUNDS * outputs);
    return (passes + features * features * (features / 6.0 + SOLVER_ROUNDS * outputs)) / step;
}

/* ---- Features ---- */

typedef struct feature_task {
    const training *of;
    float *z; /* (rows, features + 1) times `scale`, the last 1 */
    float scale;
    cnm_status *statuses; /* of each block of rows */
} feature_task;

static void take_block(void *context, size_t index, size_t worker) {
    const feature_task *self = context;
    const map *own = self->of->map;
    const size_t first = index * GEMM_ROWS, left = self->of->split.train_count - first;
    const size_t count = left < GEMM_ROWS ? left : GEMM_ROWS, k = own->features;
    input_block block = {0};
    float *z = NULL, *scratch = NULL;
    (void)worker;
    cnm_status status = input_block_create(&block, &self->of->source, GEMM_ROWS, NULL);
    status = status == CNM_OK ? memory_take(&z, GEMM_ROWS * k, sizeof *z, "features", NULL) : status;
    status = status == CNM_OK ? memory_take(&scratch, map_scratch_size(own), sizeof *scratch, "scratch", NULL) : status;
    status = status == CNM_OK ? input_take(&self->of->source, self->of->split.train + first, 0, count, &block, NULL)
                              : status;
    if (status == CNM_OK) {
        map_forward(own, &block.view, z, NULL, scratch);
    }
    for (size_t i = 0; status == CNM_OK && i < count; i++) {
        float *out = self->z + (first + i) * (k + 1);
        for (size_t j = 0; j < k; j++) {
            out[j] = self->scale * z[i * k + j];
        }
        out[k] = 1.0F;
    }
    self->statuses[index] = status;
    memory_free(scratch);
    memory_free(z);
    input_block_free(&block);
}

static cnm_status take_features(const training *self, const train_plan *plan, float *z, cnm_error *err) {
    const size_t blocks = (self->split.train_count + GEMM_ROWS - 1) / GEMM_ROWS;
    feature_task task = {.of = self, .z = z, .scale = (float)plan->feature_scale};
    cnm_status status = memory_take(&task.statuses, blocks, sizeof *task.statuses, "features", err);
    if (status == CNM_OK) {
        thread_pool *pool = thread_pool_create((size_t)self->problem.settings->threads);
        threads_for(pool, blocks, take_block, &task);
        thread_pool_destroy(pool);
    }
    for (size_t i = 0; status == CNM_OK && i < blocks; i++) {
        status = task.statuses[i] == CNM_OK ? CNM_OK : error_set(err, task.statuses[i], "out of memory for features");
    }
    memory_free(task.statuses);
    return status;
}

cnm_status solve_head(training *self, const train_plan *plan, cnm_error *err) {
    const size_t k = self->map->features;
    float *z = NULL;
    if (!head_is_solved(self)) {
        return CNM_OK;
    }
    cnm_status status = memory_take(&z, self->split.train_count, (k + 1) * sizeof *z, "features", err);
    status = status == CNM_OK ? take_features(self, plan, z, err) : status;
    status = status == CNM_OK ? solver_run(self, plan, z, k, self->head.weights, err) : status;
    memory_free(z);
    return status;
}
