/* Limited-memory BFGS on all rows at once.
 *
 *   f(W) = (1/n) sum over rows of loss(z^T W) + (lambda / 2) |W|^2      z: features times feature_scale, and a 1 for the intercept
 *
 * in coordinates V = L^T W, where L L^T = c (1/n) sum z z^T + (lambda + r) I is about the curvature of f: features that are nearly alike
 * would take thousands of steps without. c is a usual second derivative of the loss; r keeps what rounding leaves of the sum positive
 * definite. Scores are linear in W, so the length of a step is found on scores alone.
 *
 * Rows are dealt to PARTS parts whatever the number of threads, and sums over parts are taken in order: the same bits for any number. */
#include "learn/fit/lbfgs_head.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/threads/threads.h"
#include "math/linalg/cholesky.h"
#include "math/linalg/lbfgs.h"
#include "math/elementary/denormals.h"
#include "math/gemm/gemm.h"
#include "math/linalg/reduce.h"

enum { PARTS = 16 };

typedef struct head_solver {
    const training *of;
    const train_plan *plan;
    thread_pool *pool;
    size_t rows, inner, outputs; /* inner: features + 1 */
    size_t part_rows;            /* in each part but the last */
    const float *z;              /* (rows, inner) */
    float *scores, *along;       /* (rows, outputs) of the weights, and of the direction */
    float *moved, *slopes;       /* (rows, outputs) scores after a step, and what the loss makes of them */
    float *gradients;            /* (PARTS, inner, outputs) */
    float *single;               /* (inner, outputs) weights or direction as products take them */
    double losses[PARTS];
    double *factor;                     /* (inner, inner) L */
    double *weights, *direction, *step; /* (inner, outputs) W, and a direction in V and in W */
    double *slope, *before;             /* (inner, outputs) gradient in V, now and one step ago */
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

/* along = z times `single`. */
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

/* Loss and slopes at `moved`. */
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

/* f at weights + length * step, whose scores become `moved`. */
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

/* The gradient in V of what value_at() saw last, at the weights as they are now. */
static void take_slope(head_solver *self) {
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

/* L, from the features of all rows. */
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

/* The factor of curve * sum / rows + (lambda + ridge) I; false where rounding left nothing positive definite. */
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

static cnm_status take_factor(head_solver *self, cnm_error *err) {
    enum { TRIES = 8 }; /* the last ridge is ten times the trace: more than any rounding */
    const size_t inner = self->inner;
    const double curve = self->of->problem.task == TASK_CLASSIFY ? 0.1 : 1.0;
    curvature_task task = {self, NULL};
    const cnm_status status = memory_take(&task.sum, inner * inner, sizeof *task.sum, "curvature", err);
    if (status != CNM_OK) {
        return status;
    }
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

/* step = the direction in W, and `along` its scores. */
static void take_step_along(head_solver *self) {
    const size_t count = self->inner * self->outputs;
    memcpy(self->step, self->direction, count * sizeof *self->step);
    cholesky_solve_upper(self->factor, self->inner, self->step, self->outputs);
    for (size_t i = 0; i < count; i++) {
        self->single[i] = (float)self->step[i];
    }
    threads_for(self->pool, PARTS, multiply_part, self);
}

/* A length at which f falls enough (Armijo), from 1 down; 0 where there is none. *value is f there. */
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
        const double lowest = -0.5 * fall * length * length / (reached - start - fall * length); /* of a parabola */
        length = isfinite(lowest) ? fmin(0.5 * length, fmax(0.1 * length, lowest)) : 0.1 * length;
    }
    return 0.0;
}

static void go_down(head_solver *self, descent *memory) {
    static const double SETTLED = 1e-4;
    const size_t count = self->inner * self->outputs;
    double value = value_at(self, 0.0);
    take_slope(self);
    for (int round = 0, calm = 0; round < SOLVER_ROUNDS && calm < 3; round++) {
        const double last = value;
        double fall = 0.0;
        descent_direction(memory, self->slope, self->direction);
        for (size_t i = 0; i < count; i++) {
            fall += self->direction[i] * self->slope[i];
        }
        take_step_along(self);
        const double length = fall < 0.0 ? find_length(self, fall, &value) : 0.0;
        if (length == 0.0) {
            return;
        }
        for (size_t i = 0; i < count; i++) {
            self->weights[i] += length * self->step[i];
        }
        memcpy(self->scores, self->moved, self->rows * self->outputs * sizeof *self->scores);
        memcpy(self->before, self->slope, count * sizeof *self->before);
        take_slope(self);
        descent_note(memory, self->direction, length, self->before, self->slope);
        calm = last - value <= SETTLED * fabs(value) ? calm + 1 : 0;
    }
}

/* ---- The whole ---- */

static cnm_status gather_labels(head_solver *self, cnm_error *err) {
    const problem *task = &self->of->problem;
    cnm_status status = CNM_OK;
    if (task->codes != NULL) {
        status = memory_take(&self->classes, self->rows, sizeof *self->classes, "labels", err);
    }
    if (status == CNM_OK && task->targets != NULL) {
        status = memory_take(&self->targets, self->rows, sizeof *self->targets, "labels", err);
    }
    if (status == CNM_OK && task->weights != NULL) {
        status = memory_take(&self->row_weights, self->rows, sizeof *self->row_weights, "weights", err);
    }
    for (size_t i = 0; status == CNM_OK && i < self->rows; i++) {
        const size_t at = self->of->split.train[i];
        if (self->classes != NULL) {
            self->classes[i] = task->codes[at];
        }
        if (self->targets != NULL) {
            self->targets[i] = task->targets[at];
        }
        if (self->row_weights != NULL) {
            self->row_weights[i] = task->weights[at];
        }
    }
    return status;
}

static cnm_status take_arrays(head_solver *self, cnm_error *err) {
    const size_t count = self->inner * self->outputs, cells = self->rows * self->outputs;
    float **const singles[] = {&self->scores, &self->along, &self->moved, &self->slopes};
    double **const doubles[] = {&self->weights, &self->direction, &self->step, &self->slope, &self->before};
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < sizeof singles / sizeof singles[0]; i++) {
        status = memory_zeroed(singles[i], cells, sizeof **singles[i], "scores", err);
    }
    for (size_t i = 0; status == CNM_OK && i < sizeof doubles / sizeof doubles[0]; i++) {
        status = memory_zeroed(doubles[i], count, sizeof **doubles[i], "weights", err);
    }
    status = status == CNM_OK ? memory_take(&self->single, count, sizeof *self->single, "weights", err) : status;
    status = status == CNM_OK ? memory_take(&self->gradients, PARTS * count, sizeof(float), "gradients", err) : status;
    status = status == CNM_OK ? memory_take(&self->factor, self->inner, self->inner * sizeof(double), "curvature", err)
                              : status;
    return status == CNM_OK ? gather_labels(self, err) : status;
}

static void solver_free(head_solver *self) {
    void *const arrays[] = {self->scores, self->along,  self->moved,   self->slopes,    self->gradients,
                            self->single, self->factor, self->weights, self->direction, self->step,
                            self->slope,  self->before, self->classes, self->targets,   self->row_weights};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        memory_free(arrays[i]);
    }
}

cnm_status solver_run(const training *of, const train_plan *plan, const float *z, size_t features, float *weights,
                      cnm_error *err) {
    const size_t rows = of->split.train_count, blocks = (rows + GEMM_ROWS - 1) / GEMM_ROWS;
    head_solver self = {.of = of,
                        .plan = plan,
                        .pool = thread_pool_create((size_t)of->problem.settings->threads),
                        .rows = rows,
                        .inner = features + 1,
                        .outputs = of->problem.outputs,
                        .part_rows = (blocks + PARTS - 1) / PARTS * GEMM_ROWS,
                        .z = z};
    const size_t count = self.inner * self.outputs;
    const uint64_t before = flush_begin();
    descent memory = {0};
    cnm_status status = take_arrays(&self, err);
    status = status == CNM_OK ? descent_create(&memory, count, err) : status;
    status = status == CNM_OK ? take_factor(&self, err) : status;
    if (status == CNM_OK) {
        go_down(&self, &memory);
        for (size_t i = 0; i < count; i++) {
            weights[i] = (float)self.weights[i];
        }
    }
    descent_free(&memory);
    flush_end(before);
    thread_pool_destroy(self.pool);
    solver_free(&self);
    return status;
}
