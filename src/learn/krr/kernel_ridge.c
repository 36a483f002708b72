/* With A = K + 1 + lambda I, weights are a = A^-1 y, and without row i it would have got y_i - a_i / (A^-1)_ii: exactly, and for all rows from one
 * factor of A. */
#include "learn/krr/kernel_ridge.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "learn/evaluate/metrics.h"
#include "learn/krr/one_vs_one.h"
#include "math/linalg/cholesky.h"
#include "math/elementary/elementary.h"

/* ---- Its rows ---- */

static double target_of(const problem *task, size_t position, size_t output) {
    return task->task == TASK_CLASSIFY ? ((size_t)task->codes[position] == output ? 1.0 : -1.0)
                                       : (double)task->targets[position];
}

cnm_status ridge_create(ridge *out, const training *of, const machine_rows *rows, const size_t *positions, bool pairs,
                        thread_pool *pool, cnm_error *err) {
    const size_t n = rows->rows, outputs = of->problem.outputs;
    *out = (ridge){.of = of, .pool = pool, .positions = positions, .spread = machine_rows_spread(rows)};
    cnm_status status = machine_create(&out->machine, rows, outputs, pairs, err);
    status = status == CNM_OK ? memory_take(&out->kernel, n, n * sizeof(float), "a kernel", err) : status;
    status = status == CNM_OK ? memory_take(&out->factor, n, n * sizeof(double), "a kernel", err) : status;
    status = status == CNM_OK ? memory_take(&out->targets, n, outputs * sizeof(double), "targets", err) : status;
    status = status == CNM_OK ? memory_take(&out->weights, n, outputs * sizeof(double), "weights", err) : status;
    status = status == CNM_OK ? memory_take(&out->diagonal, n, sizeof(double), "weights", err) : status;
    status = status == CNM_OK ? memory_take(&out->left_out, n, outputs * sizeof(float), "scores", err) : status;
    if (status == CNM_OK && pairs) {
        status = memory_take(&out->members, n, sizeof *out->members, "rows of a pair", err);
    }
    if (status != CNM_OK) {
        ridge_free(out);
        return status;
    }
    for (size_t i = 0; pairs && i < n; i++) {
        out->machine.classes[i] = of->problem.codes[positions[i]];
    }
    for (size_t i = 0; i < n * outputs; i++) {
        out->targets[i] = target_of(&of->problem, positions[i / outputs], i % outputs);
    }
    return CNM_OK;
}

void ridge_free(ridge *self) {
    machine_free(&self->machine);
    memory_free(self->kernel);
    memory_free(self->factor);
    memory_free(self->targets);
    memory_free(self->weights);
    memory_free(self->diagonal);
    memory_free(self->left_out);
    memory_free(self->members);
    *self = (ridge){0};
}

bool ridge_is_possible(const ridge *self) { return self->spread > 0.0 && isfinite(self->spread); }

/* ---- Its weights ---- */

static bool take_weights(ridge *self, double penalty) {
    kernel_machine *machine = &self->machine;
    const size_t n = machine->of->rows, outputs = machine->outputs;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            self->factor[i * n + j] = (double)self->kernel[i * n + j] + 1.0;
        }
        self->factor[i * n + i] = 2.0 + penalty;
    }
    if (!cholesky_factor(self->factor, n, self->pool)) {
        return false;
    }
    memcpy(self->weights, self->targets, n * outputs * sizeof *self->weights);
    cholesky_solve_lower(self->factor, n, self->weights, outputs);
    cholesky_solve_upper(self->factor, n, self->weights, outputs);
    for (size_t j = 0; j < outputs; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < n; i++) {
            sum += self->weights[i * outputs + j];
            machine->weights[i * outputs + j] = (float)self->weights[i * outputs + j];
        }
        machine->offset[j] = (float)sum;
    }
    return true;
}

static void set_kernel(ridge *self, machine_kind kind, double gamma) {
    if (self->machine.gamma != gamma || self->machine.kind != kind) {
        self->machine.kind = kind;
        self->machine.gamma = gamma;
        machine_kernel(self->machine.of, kind, gamma, self->pool, self->kernel);
    }
}

cnm_status ridge_leave_out(ridge *self, cnm_error *err) {
    if (self->machine.classes != NULL) { /* pairs have told it when they were solved for */
        return CNM_OK;
    }
    const size_t n = self->machine.of->rows, outputs = self->machine.outputs;
    const cnm_status status = cholesky_inverse_diagonal(self->factor, n, self->pool, self->diagonal, err);
    for (size_t i = 0; status == CNM_OK && i < n * outputs; i++) {
        self->left_out[i] = (float)(self->targets[i] - self->weights[i] / self->diagonal[i / outputs]);
    }
    return status;
}

cnm_status ridge_solve(ridge *self, machine_kind kind, double width, double penalty, bool *found, cnm_error *err) {
    set_kernel(self, kind, width / self->spread);
    if (self->machine.classes != NULL) {
        return pairs_solve(self, penalty, found, err);
    }
    *found = take_weights(self, penalty);
    return CNM_OK;
}

/* ---- How good it is ---- */

/* Mean cross-entropy of scores times `sharpness`. */
static double entropy_at(const ridge *self, double sharpness) {
    const size_t outputs = self->machine.outputs;
    double sum = 0.0;
    for (size_t i = 0; i < self->machine.of->rows; i++) {
        const float *scores = self->left_out + i * outputs;
        const double own = (double)scores[self->of->problem.codes[self->positions[i]]];
        double largest = own, powers = 0.0;
        for (size_t j = 0; j < outputs; j++) {
            largest = fmax(largest, (double)scores[j]);
        }
        for (size_t j = 0; j < outputs; j++) {
            powers += elementary_exp(sharpness * ((double)scores[j] - largest));
        }
        sum += elementary_log(powers) + sharpness * (largest - own);
    }
    return sum / (double)self->machine.of->rows;
}

/* Up from 1/2 for as long as the entropy falls: it has one valley. */
static double find_sharpness(const ridge *self) {
    enum { MOST = 17 };
    double best = 0.5, least = entropy_at(self, best);
    for (int i = 0; i < MOST; i++) {
        const double next = 1.3 * best, entropy = entropy_at(self, next);
        if (!(entropy < least)) {
            break;
        }
        best = next;
        least = entropy;
    }
    return best;
}

cnm_status ridge_judge(ridge *self, double *loss, double *sharpness, cnm_error *err) {
    const size_t n = self->machine.of->rows, outputs = self->machine.outputs;
    const cnm_status status = ridge_leave_out(self, err);
    if (status != CNM_OK) {
        return status;
    }
    *sharpness = self->of->problem.task == TASK_CLASSIFY ? find_sharpness(self) : 1.0;
    for (size_t i = 0; i < n * outputs; i++) {
        self->left_out[i] = (float)(*sharpness * (double)self->left_out[i]);
    }
    return judge_scores(&self->of->problem, self->positions, n, self->left_out, loss, err);
}
