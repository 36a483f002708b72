/* A map learned to approximate a kernel: theta minimises the mean over pairs of e^2, e = K(x, x') - Z(x)^T Z(x').
 *
 * A step takes a batch of rows and all its ordered pairs but the diagonal. With z the activations, Z = s z:
 *   d loss / d z_i = -(4 s^2 / pairs) sum_j e_ij z_j
 * (each unordered pair counts twice), which the map's own gradient carries on to theta and the phases. Step: k (1 - (t - 1) / T) in
 * units where the kernel has width 1. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "learn/distance.h"
#include "learn/training.h"
#include "learn/updates.h"
#include "math/gemm.h"

enum { BATCH = 500, STEPS = 1000, SAMPLE = 1000, TILE = 64 };

/* tensor_rate holds unit^2, head_rate k. */
static double rate_kernel(const update_call *call) {
    const train_plan *plan = call->plan;
    const double eta = plan->head_rate * call->step_scale * (1.0 - (double)(call->step - 1) / (double)plan->steps);
    return call->kind == PARAMETER_TENSOR ? plan->tensor_rate * eta : eta;
}

/* ---- The loss on pairs ---- */

typedef struct pair_loss {
    map_kernel kernel;
    double gamma;
    float *kernels;                          /* (rows, rows): K */
    float *errors;                           /* (rows, rows): Z Z^T, then K - Z Z^T, 0 on the diagonal */
    double *row_error;                       /* (rows): sums over the other rows of e^2, ... */
    double *row_kernel, *row_kernel_squares; /* ... K and K^2 */
    double *squares;                         /* (rows): squared lengths */
    /* of the batch at hand: */
    const rows_view *u;
    const float *z;
    size_t features;
    double scale; /* s^2 */
    float *slope;
} pair_loss;

/* Rows tile * TILE ... of the matrices of kernels and errors, and their sums. */
static void error_tile(void *context, size_t tile, size_t worker) {
    pair_loss *self = context;
    const size_t rows = self->u->rows, first = tile * TILE, k = self->features;
    const size_t count = rows - first < TILE ? rows - first : TILE;
    (void)worker;
    distance_kernels(self->u, self->squares, first, count, self->kernel, self->gamma, self->kernels + first * rows);
    gemm(&(gemm_call){.transpose_b = true,
                      .m = count,
                      .n = rows,
                      .k = k,
                      .a = self->z + first * k,
                      .lda = k,
                      .b = self->z,
                      .ldb = k,
                      .c = self->errors + first * rows,
                      .ldc = rows});
    for (size_t i = first; i < first + count; i++) {
        double squares = 0.0, kernels = 0.0, kernel_squares = 0.0;
        for (size_t j = 0; j < rows; j++) {
            const double value = i == j ? 0.0 : (double)self->kernels[i * rows + j];
            const double error = i == j ? 0.0 : value - self->scale * (double)self->errors[i * rows + j];
            self->errors[i * rows + j] = (float)error;
            squares += error * error;
            kernels += value;
            kernel_squares += value * value;
        }
        self->row_error[i] = squares;
        self->row_kernel[i] = kernels;
        self->row_kernel_squares[i] = kernel_squares;
    }
}

static void slope_tile(void *context, size_t tile, size_t worker) {
    pair_loss *self = context;
    const size_t rows = self->u->rows, first = tile * TILE, k = self->features;
    const size_t count = rows - first < TILE ? rows - first : TILE;
    const float factor = (float)(-4.0 * self->scale / ((double)rows * (double)(rows - 1)));
    (void)worker;
    gemm(&(gemm_call){.m = count,
                      .n = k,
                      .k = rows,
                      .a = self->errors + first * rows,
                      .lda = rows,
                      .b = self->z,
                      .ldb = k,
                      .c = self->slope + first * k,
                      .ldc = k});
    for (size_t i = first * k; i < (first + count) * k; i++) {
        self->slope[i] *= factor;
    }
}

static double sum(const double *values, size_t count) {
    double total = 0.0;
    for (size_t i = 0; i < count; i++) {
        total += values[i];
    }
    return total;
}

static double evaluate_pairs(void *context, const rows_view *u, const float *z, size_t features, double feature_scale,
                             size_t threads, float *slope) {
    pair_loss *self = context;
    const size_t tiles = (u->rows + TILE - 1) / TILE;
    self->u = u;
    self->z = z;
    self->features = features;
    self->scale = feature_scale * feature_scale;
    self->slope = slope;
    distance_squares(u, self->squares);
    threads_for(threads, tiles, error_tile, self);
    if (slope != NULL) {
        threads_for(threads, tiles, slope_tile, self);
    }
    return sum(self->row_error, u->rows) / ((double)u->rows * (double)(u->rows - 1));
}

static cnm_status pair_loss_create(pair_loss *self, const map_spec *spec, size_t rows, cnm_error *err) {
    *self = (pair_loss){.kernel = spec->kernel, .gamma = spec->gamma};
    cnm_status status = memory_take(&self->errors, rows * rows, sizeof *self->errors, "pairs of rows", err);
    if (status == CNM_OK) {
        status = memory_take(&self->kernels, rows * rows, sizeof *self->kernels, "pairs of rows", err);
    }
    if (status == CNM_OK) {
        status = memory_take(&self->row_error, 4 * rows, sizeof *self->row_error, "pairs of rows", err);
    }
    if (status == CNM_OK) {
        self->row_kernel = self->row_error + rows;
        self->row_kernel_squares = self->row_kernel + rows;
        self->squares = self->row_kernel_squares + rows;
    }
    return status;
}

static void pair_loss_free(pair_loss *self) {
    memory_free(self->errors);
    memory_free(self->kernels);
    memory_free(self->row_error);
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
    status = status != CNM_OK ? status : pair_loss_create(&pairs, &self->spec, count, err);
    if (status == CNM_OK) {
        const double n = (double)count * (double)(count - 1);
        for (size_t first = 0; first < count; first += GEMM_ROWS) {
            const rows_view u = rows_slice(block.view, first, GEMM_ROWS);
            map_forward(self->map, &u, z + first * k, NULL, scratch);
        }
        *error = evaluate_pairs(&pairs, &block.view, z, k, (double)self->map->scale,
                                (size_t)self->problem.settings->threads, NULL);
        const double mean = sum(pairs.row_kernel, count) / n;
        *constant = sum(pairs.row_kernel_squares, count) / n - mean * mean;
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
    feature_loss loss = {evaluate_pairs, &pairs};
    const train_plan plan = make_plan(self, &loss);
    progress_meter meter = progress_start(self->problem.callbacks, "kernel", plan.steps);
    engine *runner = NULL;
    cnm_status status = pair_loss_create(&pairs, &self->spec, plan.batch, err);
    if (status == CNM_OK) {
        status = training_engine(self, plan.batch, &runner, err);
    }
    if (status == CNM_OK) {
        status = training_run(self, runner, &plan, &meter, 1, plan.steps, err);
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
