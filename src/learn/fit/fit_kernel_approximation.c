/* A map learned to approximate a kernel: theta minimises the mean over pairs of e^2, e = K(x, x') - Z(x)^T Z(x') (pair_loss.h).
 *
 * A step takes a batch of rows and all its ordered pairs but the diagonal. Step: k (1 - (t - 1) / T) in units where the kernel has
 * width 1. */
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "learn/fit/kernel_approximation_loss.h"
#include "learn/fit/fit_session.h"
#include "learn/objective/optimisers.h"
#include "math/gemm/gemm.h"

enum { BATCH = 500, STEPS = 1000, SAMPLE = 1000 };

/* tensor_rate holds unit^2, head_rate k. */
static double rate_kernel(const update_call *call) {
    const train_plan *plan = call->plan;
    const double eta = plan->head_rate * call->step_scale * (1.0 - (double)(call->step - 1) / (double)plan->steps);
    return call->kind == PARAMETER_TENSOR ? plan->tensor_rate * eta : eta;
}

/* ---- How well a map approximates ---- */

/* *error = mean squared error over pairs of up to SAMPLE rows: held ones where there are some, else training rows in random order.
 * *constant = that of the best constant, the mean of K. */
static cnm_status measure(const training *self, double *error, double *constant, cnm_error *err) {
    const row_split *split = &self->split;
    const bool held = split->held_count > 1;
    const size_t all = held ? split->held_count : split->train_count, count = all < SAMPLE ? all : SAMPLE;
    const size_t k = self->map->features, padded = (count + GEMM_ROWS - 1) / GEMM_ROWS * GEMM_ROWS;
    size_t *order = NULL;
    input_block block = {0};
    float *z = NULL, *scratch = NULL;
    pair_loss pairs = {0};
    cnm_status status = memory_take(&order, all, sizeof *order, "a sample of rows", err);
    if (status == CNM_OK) {
        random_order((random_stream){self->spec.seed, RANDOM_VALIDATION, 0}, all, order);
        for (size_t i = 0; i < all; i++) {
            order[i] = held ? split->held[order[i]] : split->train[order[i]];
        }
        status = input_block_create(&block, &self->source, count, err);
    }
    status = status != CNM_OK ? status : input_take(&self->source, order, 0, count, &block, err);
    status = status != CNM_OK ? status : memory_take(&z, padded * k, sizeof *z, "features", err);
    status =
        status != CNM_OK ? status : memory_take(&scratch, map_scratch_size(self->map), sizeof *scratch, "scratch", err);
    status = status != CNM_OK ? status : pair_loss_create(&pairs, self->spec.kernel, self->spec.gamma, count, err);
    if (status == CNM_OK) {
        for (size_t first = 0; first < count; first += GEMM_ROWS) {
            const rows_view u = rows_slice(block.view, first, GEMM_ROWS);
            map_forward(self->map, &u, z + first * k, NULL, scratch);
        }
        thread_pool *threads = thread_pool_create((size_t)self->problem.settings->threads);
        *error = pair_loss_evaluate(&pairs, &block.view, z, k, (double)self->map->scale, threads, NULL);
        thread_pool_destroy(threads);
        *constant = pair_loss_constant(&pairs, count);
    }
    pair_loss_free(&pairs);
    memory_free(scratch);
    memory_free(z);
    input_block_free(&block);
    memory_free(order);
    return status;
}

/* ---- Learning ---- */

static train_plan make_plan(training *self, const feature_loss *loss) {
    const settings *wanted = self->problem.settings;
    const uint64_t rows = self->split.train_count, batch = wanted->batch > 0 ? wanted->batch : BATCH;
    const double unit = training_unit(self);
    const uint64_t size = batch < rows ? batch : rows;
    return (train_plan){
        .feature_loss = loss,
        .map_update = &UPDATE_SGD,
        .rate = rate_kernel,
        .head_rate = (double)self->map->features,
        .tensor_rate = unit * unit,
        .tensor_l1 = wanted->theta_penalty == PENALTY_L1 ? wanted->theta_penalty_weight : 0.0,
        .tensor_l2 = wanted->theta_penalty == PENALTY_L2 ? wanted->theta_penalty_weight : 0.0,
        .feature_scale = self->feature_scale,
        .batch = (size_t)size,
        .purpose = RANDOM_MAP_BATCHES,
        .seed = wanted->seed,
        .steps = wanted->map_steps > 0 ? wanted->map_steps : STEPS,
    };
}

static cnm_status learn_map(training *self, cnm_error *err) {
    pair_loss pairs;
    feature_loss loss = {pair_loss_evaluate, &pairs};
    const train_plan plan = make_plan(self, &loss);
    progress_meter meter = progress_start(self->problem.callbacks, "kernel", plan.steps);
    engine *runner = NULL;
    cnm_status status = pair_loss_create(&pairs, self->spec.kernel, self->spec.gamma, plan.batch, err);
    if (status == CNM_OK) {
        status = training_engine(self, plan.batch, &runner, err);
    }
    if (status == CNM_OK) {
        status = training_run(self, runner, &plan, &meter, 1, plan.steps, err);
    }
    if (status == CNM_OK && self->problem.task == TASK_MAP) {
        checkpoint_finish(self, runner, &meter);
    }
    engine_destroy(runner);
    pair_loss_free(&pairs);
    return status;
}

cnm_status fit_kernel(training *self, cnm_error *err) {
    double unused;
    if (self->split.train_count < 2) {
        return error_set(err, CNM_BAD_DATA, "--method kernel learns from pairs of rows: at least two rows are needed");
    }
    cnm_status status = measure(self, &self->kernel_error[1], &self->kernel_error[2], err);
    if (status == CNM_OK) {
        status = learn_map(self, err);
    }
    if (status == CNM_OK) {
        status = measure(self, &self->kernel_error[0], &unused, err);
    }
    if (status == CNM_OK && self->problem.task != TASK_MAP) {
        status = fit_head(self, err);
    }
    return status;
}
