/* Minimises over theta and the phases the mean over pairs of rows of e^2, e = K(x, x') - Z(x)^T
 * Z(x') (kernel_approximation_loss.h).
 *
 * A step takes all ordered pairs of a batch but the diagonal; its size is k (1 - (t - 1) / T) in
 * units where the kernel has width 1. */
#include "learn/fit/fit_kernel_approximation.h"

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "engine/plan.h"
#include "learn/fit/fit_linear_head.h"
#include "learn/fit/fit_steps.h"
#include "learn/fit/kernel_approximation_loss.h"
#include "math/gemm/gemm.h"

enum { BATCH = 500, STEPS = 1000, SAMPLE = 1000 };

/* ---- The approximation error ---- */

/* Fills *error with the mean squared error over the pairs of up to SAMPLE rows: validation rows
 * where there are some, else random training rows; and *constant with that of the best constant,
 * the mean of K. */
static cnm_status measure(const fit_session *self, double *error, double *constant, cnm_error *err) {
    const row_split *split = &self->split;
    const bool held = split->held_count > 1;
    const size_t all = held ? split->held_count : split->train_count, count = all < SAMPLE ? all : SAMPLE;
    const size_t k = self->map->features, padded = (count + GEMM_ROWS - 1) / GEMM_ROWS * GEMM_ROWS;
    size_t *order = NULL;
    input_block block = {0};
    float *z = NULL, *scratch = NULL;
    pair_loss pairs = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&order, all, sizeof *order, "a sample of rows", err));
    random_order((random_stream){self->spec.seed, RANDOM_VALIDATION, 0}, all, order);
    for (size_t i = 0; i < all; i++) {
        order[i] = held ? split->held[order[i]] : split->train[order[i]];
    }
    TRY_DONE(input_block_create(&block, &self->source, count, err));
    TRY_DONE(input_take(&self->source, order, 0, count, &block, err));
    TRY_DONE(memory_take(&z, padded * k, sizeof *z, "features", err));
    TRY_DONE(memory_take(&scratch, map_scratch_size(self->map), sizeof *scratch, "scratch", err));
    TRY_DONE(pair_loss_create(&pairs, self->spec.kernel, self->spec.gamma, count, err));
    for (size_t first = 0; first < count; first += GEMM_ROWS) {
        const rows_view u = rows_slice(block.view, first, GEMM_ROWS);
        map_forward(self->map, &u, z + first * k, scratch);
    }
    thread_pool *threads = thread_pool_create((size_t)self->data->settings->threads);
    *error = pair_loss_evaluate(&pairs, &block.view, z, k, (double)self->map->scale, threads, NULL);
    thread_pool_destroy(threads);
    *constant = pair_loss_constant(&pairs, count);
done:
    pair_loss_free(&pairs);
    memory_free(scratch);
    memory_free(z);
    input_block_free(&block);
    memory_free(order);
    return status;
}

/* ---- Learning ---- */

static train_plan make_plan(fit_session *self, const feature_loss *loss) {
    const settings *wanted = self->data->settings;
    const uint64_t rows = self->split.train_count, batch = wanted->batch > 0 ? wanted->batch : BATCH;
    const double unit = fit_session_unit(self);
    const uint64_t size = batch < rows ? batch : rows;
    return (train_plan){
        .feature_loss = loss,
        .map_update = UPDATE_SGD,
        .rate = RATE_LINEAR,
        .head_rate = (double)self->map->features,
        .tensor_rate = unit * unit,
        .tensor_l1 = wanted->theta_penalty == PENALTY_L1 ? wanted->theta_penalty_weight : 0.0,
        .tensor_l2 = wanted->theta_penalty == PENALTY_L2 ? wanted->theta_penalty_weight : 0.0,
        .feature_scale = self->feature_scale,
        .batch = (size_t)size,
        .stream = RANDOM_MAP_BATCHES,
        .seed = wanted->seed,
        .steps = wanted->map_steps > 0 ? wanted->map_steps : STEPS,
    };
}

static cnm_status learn_map(fit_session *self, cnm_error *err) {
    pair_loss pairs;
    feature_loss loss = {pair_loss_evaluate, &pairs};
    const train_plan plan = make_plan(self, &loss);
    progress_meter meter = progress_start(self->data->callbacks, FIT_MAP_PHASE, plan.steps);
    engine *runner = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(pair_loss_create(&pairs, self->spec.kernel, self->spec.gamma, plan.batch, err));
    TRY_DONE(fit_session_engine(self, plan.batch, &runner, err));
    TRY_DONE(fit_steps_run(self, runner, &plan, &meter, 1, plan.steps, err));
    if (self->data->task == TASK_MAP) {
        checkpoint_finish(self, runner, &meter);
    }
done:
    engine_destroy(runner);
    pair_loss_free(&pairs);
    return status;
}

cnm_status fit_kernel_approximation(fit_session *self, cnm_error *err) {
    double unused;
    if (self->split.train_count < 2) {
        return error_set(err, CNM_BAD_DATA,
                         "--method kernel-approximation learns from pairs of rows: at least two rows are needed");
    }
    TRY(measure(self, &self->kernel_error[1], &self->kernel_error[2], err));
    TRY(learn_map(self, err));
    TRY(measure(self, &self->kernel_error[0], &unused, err));
    return self->data->task == TASK_MAP ? CNM_OK : fit_linear_head(self, err);
}
