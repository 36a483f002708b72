/* Minimises over all rows at once
 *
 *   f(W) = (1/n) sum over rows of loss(z^T W) + (lambda / 2) |W|^2
 *
 * where z are the features times feature_scale, and a 1 for the intercept. The iterations run in
 * coordinates V = L^T W, where L L^T = c (1/n) sum z z^T + (lambda + r) I approximates the Hessian
 * of f: without this preconditioner, features that are nearly collinear take thousands of steps. c
 * is a typical second derivative of the loss; the ridge r keeps the sum positive definite in spite
 * of rounding. Scores are linear in W, so the line search needs only scores.
 *
 * Rows are divided into PARTS parts, and sums over parts are taken in order: results do not depend
 * on the number of threads. */
#include "learn/fit/lbfgs_head.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/threads/threads.h"
#include "math/elementary/denormals.h"
#include "math/gemm/gemm.h"
#include "math/linalg/cholesky.h"
#include "math/linalg/lbfgs.h"
#include "math/linalg/reduce.h"

enum { PARTS = 16 };

typedef struct head_solver {
    const fit_session *of;
    const train_plan *plan;
    thread_pool *pool;
    size_t rows, inner, outputs; /* inner: features + 1 */
    size_t part_rows;            /* in each part but the last */
    const float *z;              /* (rows, inner) */
    float *scores, *along;       /* (rows, outputs) of the weights, of the step */
    float *moved, *slopes;       /* (rows, outputs) scores after a step, and their gradient */
    float *gradients;            /* (PARTS, inner, outputs) */
    float *single;               /* (inner, outputs) the step */
    double losses[PARTS];
    double *factor;                     /* (inner, inner) L */
    double *weights, *direction, *step; /* (inner, outputs) W; the direction in V and in W */
    double *slope, *before;             /* (inner, outputs) gradient in V, now and before */
    int32_t *classes;                   /* (rows) or NULL, as targets and row_weights */
    float *targets, *row_weights;
} head_solver;

/* ---- Parts of the rows ---- */

typedef struct part {
    size_t first, count;
} part;

static part part_of(const head_solver *self, size_t index) {
    const size_t first = index * self->part_rows < self->rows ? index * self->part_rows : self->rows;
    const size_t left = self->rows - first;
    return (part){first, left < self->part_rows ? left : self->part_rows};
}

/* Fills `along` with z times `single`. */
static void multiply_part(void *context, size_t index, size_t worker) {
    head_solver *self = context;
    const part mine = part_of(self, index);
    (void)worker;
    gemm(&(gemm_call){.m = mine.count,
                      .n = self->outputs,
                      .k = self->inner,
                      .a = self->z + mine.first * self->inner,
                      .lda = self->inner,
                      .b = self->single,
                      .ldb = self->outputs,
                      .c = self->along + mine.first * self->outputs,
                      .ldc = self->outputs});
}

/* Fills the loss and its slopes at the scores `moved`. */
static void evaluate_part(void *context, size_t index, size_t worker) {
    head_solver *self = context;
    const part mine = part_of(self, index);
    const train_plan *plan = self->plan;
    const loss_batch batch = {.rows = mine.count,
                              .outputs = self->outputs,
                              .scores = self->moved + mine.first * self->outputs,
                              .classes = self->classes == NULL ? NULL : self->classes + mine.first,
                              .targets = self->targets == NULL ? NULL : self->targets + mine.first,
                              .weights = self->row_weights == NULL ? NULL : self->row_weights + mine.first,
                              .parameter = plan->loss_parameter};
    float *slopes = self->slopes + mine.first * self->outputs;
    (void)worker;
    self->losses[index] = plan->hint == NULL ? plan->loss->evaluate(&batch, slopes)
                                             : plan->hint->evaluate(plan->hint->context, plan->loss, &batch,
                                                                    self->of->split.train + mine.first, slopes);
}

static void gradient_part(void *context, size_t index, size_t worker) {
    head_solver *self = context;
    const part mine = part_of(self, index);
    float *out = self->gradients + index * self->inner * self->outputs;
    (void)worker;
    if (mine.count == 0) {
        memset(out, 0, self->inner * self->outputs * sizeof *out);
        return;
    }
    gemm(&(gemm_call){.transpose_a = true,
                      .m = self->inner,
                      .n = self->outputs,
                      .k = mine.count,
                      .a = self->z + mine.first * self->inner,
                      .lda = self->inner,
                      .b = self->slopes + mine.first * self->outputs,
                      .ldb = self->outputs,
                      .c = out,
                      .ldc = self->outputs});
}

/* ---- The objective ---- */

/* Returns f at weights + length * step, whose scores become `moved`. */
static double value_at(head_solver *self, double length) {
    const size_t cells = self->rows * self->outputs, penalised = (self->inner - 1) * self->outputs;
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < cells; i++) {
        self->moved[i] = (float)((double)self->scores[i] + length * (double)self->along[i]);
    }
    threads_for(self->pool, PARTS, evaluate_part, self);
    for (size_t i = 0; i < PARTS; i++) {
        sum += self->losses[i];
    }
    for (size_t i = 0; i < penalised; i++) {
        const double w = self->weights[i] + length * self->step[i];
        squares += w * w;
    }
    return sum / (double)self->rows + 0.5 * self->plan->lambda * squares;
}

/* Fills the gradient in V at the present weights, from the slopes of the last value_at(). */
static void fill_slope(head_solver *self) {
    const size_t count = self->inner * self->outputs;
    threads_for(self->pool, PARTS, gradient_part, self);
    reduce_rows(self->gradients, PARTS, count);
    for (size_t i = 0; i < count; i++) {
        const bool penalised = i < count - self->outputs;
        self->slope[i] =
            (double)self->gradients[i] / (double)self->rows + (penalised ? self->plan->lambda * self->weights[i] : 0.0);
    }
    cholesky_solve_lower(self->factor, self->inner, self->slope, self->outputs);
}

/* The Gram matrix of the features. */
typedef struct curvature_task {
    const head_solver *solver;
    float *sum; /* (inner, inner), its lower half in blocks of GEMM_ROWS rows */
} curvature_task;

static void curvature_rows(void *context, size_t index, size_t worker) {
    const curvature_task *task = context;
    const head_solver *self = task->solver;
    const size_t first = index * GEMM_ROWS, left = self->inner - first, rows = left < GEMM_ROWS ? left : GEMM_ROWS;
    (void)worker;
    gemm(&(gemm_call){.transpose_a = true,
                      .m = rows,
                      .n = first + rows,
                      .k = self->rows,
                      .a = self->z + first,
                      .lda = self->inner,
                      .b = self->z,
                      .ldb = self->inner,
                      .c = task->sum + first * self->inner,
                      .ldc = self->inner});
}

/* Factorises curve * sum / rows + (lambda + ridge) I; returns false where rounding leaves it not
 * positive definite. */
static bool factor_with(head_solver *self, const float *sum, double curve, double ridge) {
    const size_t inner = self->inner;
    for (size_t i = 0; i < inner; i++) {
        for (size_t j = 0; j <= i; j++) {
            self->factor[i * inner + j] = (double)sum[i * inner + j] * curve / (double)self->rows;
        }
        self->factor[i * inner + i] += ridge + self->plan->lambda;
    }
    return cholesky_factor(self->factor, inner, self->pool);
}

static cnm_status find_factor(head_solver *self, cnm_error *err) {
    enum { TRIES = 8 }; /* the last ridge is ten times the trace, above any rounding error */
    const size_t inner = self->inner;
    const double curve = self->of->data->task == TASK_CLASSIFY ? 0.1 : 1.0;
    curvature_task task = {self, NULL};
    TRY(memory_take(&task.sum, inner * inner, sizeof *task.sum, "curvature", err));
    double trace = 0.0;
    threads_for(self->pool, (inner + GEMM_ROWS - 1) / GEMM_ROWS, curvature_rows, &task);
    for (size_t i = 0; i < inner; i++) {
        trace += (double)task.sum[i * inner + i] * curve / (double)self->rows;
    }
    double ridge = 1e-6 * trace;
    for (int tries = 0; tries < TRIES && !factor_with(self, task.sum, curve, ridge); tries++) {
        ridge *= 10.0;
    }
    memory_free(task.sum);
    return CNM_OK;
}

/* ---- Steps ---- */

/* Fills `step` with the direction in W, and `along` with its scores. */
static void fill_step(head_solver *self) {
    const size_t count = self->inner * self->outputs;
    memcpy(self->step, self->direction, count * sizeof *self->step);
    cholesky_solve_upper(self->factor, self->inner, self->step, self->outputs);
    for (size_t i = 0; i < count; i++) {
        self->single[i] = (float)self->step[i];
    }
    threads_for(self->pool, PARTS, multiply_part, self);
}

/* Returns a length from 1 down that satisfies the Armijo condition, with f there in *value; 0 where
 * there is none. */
static double find_length(head_solver *self, double fall, double *value) {
    static const double ENOUGH = 1e-4;
    const double start = *value;
    double length = 1.0;
    for (int tries = 0; tries < 20; tries++) {
        const double reached = value_at(self, length);
        if (reached <= start + ENOUGH * length * fall) {
            *value = reached;
            return length;
        }
        /* the minimum of the parabola through both values */
        const double lowest = -0.5 * fall * length * length / (reached - start - fall * length);
        length = isfinite(lowest) ? fmin(0.5 * length, fmax(0.1 * length, lowest)) : 0.1 * length;
    }
    return 0.0;
}

/* Adds a point to the history after an iteration. */
static cnm_status record_iteration(const fit_session *of, int iteration, double value, cnm_error *err) {
    const history_point point = {of->phase, (uint64_t)iteration, LBFGS_HEAD_ITERATIONS, value, NAN};
    return of->history == NULL || of->role == FIT_TRIAL ? CNM_OK : history_add(of->history, &point, err);
}

static cnm_status minimise(head_solver *self, lbfgs *memory, cnm_error *err) {
    static const double TOLERANCE = 1e-4;
    const size_t count = self->inner * self->outputs;
    double value = value_at(self, 0.0);
    fill_slope(self);
    for (int round = 0, settled = 0; round < LBFGS_HEAD_ITERATIONS && settled < 3; round++) {
        const double last = value;
        double fall = 0.0;
        lbfgs_direction(memory, self->slope, self->direction);
        for (size_t i = 0; i < count; i++) {
            fall += self->direction[i] * self->slope[i];
        }
        fill_step(self);
        const double length = fall < 0.0 ? find_length(self, fall, &value) : 0.0;
        if (length == 0.0) {
            return CNM_OK;
        }
        for (size_t i = 0; i < count; i++) {
            self->weights[i] += length * self->step[i];
        }
        memcpy(self->scores, self->moved, self->rows * self->outputs * sizeof *self->scores);
        memcpy(self->before, self->slope, count * sizeof *self->before);
        fill_slope(self);
        lbfgs_update(memory, self->direction, length, self->before, self->slope);
        settled = last - value <= TOLERANCE * fabs(value) ? settled + 1 : 0;
        TRY(record_iteration(self->of, round + 1, value, err));
    }
    return CNM_OK;
}

/* ---- The fit ---- */

/* Copies labels and weights of the training rows, in their order. */
static cnm_status gather_labels(head_solver *self, cnm_error *err) {
    const dataset *data = self->of->data;
    const float *weights = self->of->weights;
    if (data->codes != NULL) {
        TRY(memory_take(&self->classes, self->rows, sizeof *self->classes, "labels", err));
    }
    if (data->targets != NULL) {
        TRY(memory_take(&self->targets, self->rows, sizeof *self->targets, "labels", err));
    }
    if (weights != NULL) {
        TRY(memory_take(&self->row_weights, self->rows, sizeof *self->row_weights, "weights", err));
    }
    for (size_t i = 0; i < self->rows; i++) {
        const size_t at = self->of->split.train[i];
        if (self->classes != NULL) {
            self->classes[i] = data->codes[at];
        }
        if (self->targets != NULL) {
            self->targets[i] = data->targets[at];
        }
        if (self->row_weights != NULL) {
            self->row_weights[i] = weights[at];
        }
    }
    return CNM_OK;
}

static cnm_status create_arrays(head_solver *self, cnm_error *err) {
    const size_t count = self->inner * self->outputs, cells = self->rows * self->outputs;
    float **const singles[] = {&self->scores, &self->along, &self->moved, &self->slopes};
    double **const doubles[] = {&self->weights, &self->direction, &self->step, &self->slope, &self->before};
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++) {
        TRY(memory_zeroed(singles[i], cells, sizeof **singles[i], "scores", err));
    }
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
        TRY(memory_zeroed(doubles[i], count, sizeof **doubles[i], "weights", err));
    }
    TRY(memory_take(&self->single, count, sizeof *self->single, "weights", err));
    TRY(memory_take(&self->gradients, PARTS * count, sizeof(float), "gradients", err));
    TRY(memory_take(&self->factor, self->inner, self->inner * sizeof(double), "curvature", err));
    return gather_labels(self, err);
}

static void solver_free(head_solver *self) {
    void *const arrays[] = {self->scores, self->along,  self->moved,   self->slopes,    self->gradients,
                            self->single, self->factor, self->weights, self->direction, self->step,
                            self->slope,  self->before, self->classes, self->targets,   self->row_weights};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        memory_free(arrays[i]);
    }
}

cnm_status lbfgs_head_fit(const fit_session *of, const train_plan *plan, const float *z, size_t features,
                          float *weights, cnm_error *err) {
    const size_t rows = of->split.train_count, blocks = (rows + GEMM_ROWS - 1) / GEMM_ROWS;
    head_solver self = {.of = of,
                        .plan = plan,
                        .pool = thread_pool_create((size_t)of->data->settings->threads),
                        .rows = rows,
                        .inner = features + 1,
                        .outputs = of->data->outputs,
                        .part_rows = (blocks + PARTS - 1) / PARTS * GEMM_ROWS,
                        .z = z};
    const size_t count = self.inner * self.outputs;
    const uint64_t before = denormals_flush_begin();
    lbfgs memory = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(create_arrays(&self, err));
    TRY_DONE(lbfgs_create(&memory, count, err));
    TRY_DONE(find_factor(&self, err));
    TRY_DONE(minimise(&self, &memory, err));
    for (size_t i = 0; i < count; i++) {
        weights[i] = (float)self.weights[i];
    }
done:
    lbfgs_free(&memory);
    denormals_flush_end(before);
    thread_pool_destroy(self.pool);
    solver_free(&self);
    return status;
}
