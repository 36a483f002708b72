/* With A = K + 1 + lambda I, the weights are a = A^-1 y, and the leave-one-out score of row i is
 * y_i - a_i / (A^-1)_ii: exact, and for all rows from one factor of A (Rifkin & Lippert 2007). */
#include "learn/krr/kernel_ridge.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/evaluate/metrics.h"
#include "learn/objective/losses.h"
#include "math/elementary/elementary.h"
#include "math/linalg/cholesky.h"

/* ---- Rows ---- */

static double target_of(const dataset *data, size_t position, size_t output) {
    return data->task == TASK_CLASSIFY ? ((size_t)data->codes[position] == output ? 1.0 : -1.0)
                                       : (double)data->targets[position];
}

cnm_status kernel_ridge_create(kernel_ridge *out, const dataset *data, const kernel_rows *rows, const size_t *positions,
                               bool one_vs_one, thread_pool *pool, cnm_error *err) {
    const size_t n = rows->rows, outputs = data->outputs;
    *out = (kernel_ridge){.data = data, .pool = pool, .positions = positions, .spread = kernel_rows_spread(rows)};
    cnm_status status = CNM_OK;
    TRY_DONE(kernel_model_create(&out->model, rows, outputs, one_vs_one, err));
    TRY_DONE(memory_take(&out->kernel, n, n * sizeof(float), "a kernel", err));
    TRY_DONE(memory_take(&out->factor, n, n * sizeof(double), "a kernel", err));
    TRY_DONE(memory_take(&out->targets, n, outputs * sizeof(double), "targets", err));
    TRY_DONE(memory_take(&out->weights, n, outputs * sizeof(double), "weights", err));
    TRY_DONE(memory_take(&out->diagonal, n, sizeof(double), "weights", err));
    TRY_DONE(memory_take(&out->left_out, n, outputs * sizeof(float), "scores", err));
    if (one_vs_one) {
        TRY_DONE(memory_take(&out->members, n, sizeof *out->members, "rows of a pair", err));
    }
    for (size_t i = 0; one_vs_one && i < n; i++) {
        out->model.classes[i] = data->codes[positions[i]];
    }
    for (size_t i = 0; i < n * outputs; i++) {
        out->targets[i] = target_of(data, positions[i / outputs], i % outputs);
    }
done:
    if (status != CNM_OK) {
        kernel_ridge_free(out);
    }
    return status;
}

void kernel_ridge_free(kernel_ridge *self) {
    kernel_model_free(&self->model);
    memory_free(self->kernel);
    memory_free(self->factor);
    memory_free(self->targets);
    memory_free(self->weights);
    memory_free(self->diagonal);
    memory_free(self->left_out);
    memory_free(self->members);
    *self = (kernel_ridge){0};
}

bool kernel_ridge_is_possible(const kernel_ridge *self) { return self->spread > 0.0 && isfinite(self->spread); }

/* ---- Weights ---- */

static bool solve(kernel_ridge *self, double penalty) {
    kernel_model *model = &self->model;
    const size_t n = model->of->rows, outputs = model->outputs;
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
            model->weights[i * outputs + j] = (float)self->weights[i * outputs + j];
        }
        model->offset[j] = (float)sum;
    }
    return true;
}

void kernel_ridge_set_kernel(kernel_ridge *self, krr_kernel kind, double width) {
    const double gamma = width / self->spread;
    if (self->model.gamma != gamma || self->model.kind != kind) {
        self->model.kind = kind;
        self->model.gamma = gamma;
        kernel_matrix_fill(self->model.of, kind, gamma, self->pool, self->kernel);
    }
}

cnm_status kernel_ridge_leave_one_out(kernel_ridge *self, cnm_error *err) {
    if (self->model.classes != NULL) { /* one_vs_one_fit has filled left_out */
        return CNM_OK;
    }
    const size_t n = self->model.of->rows, outputs = self->model.outputs;
    TRY(cholesky_inverse_diagonal(self->factor, n, self->pool, self->diagonal, err));
    for (size_t i = 0; i < n * outputs; i++) {
        self->left_out[i] = (float)(self->targets[i] - self->weights[i] / self->diagonal[i / outputs]);
    }
    return CNM_OK;
}

bool kernel_ridge_fit(kernel_ridge *self, krr_kernel kind, double width, double penalty) {
    kernel_ridge_set_kernel(self, kind, width);
    return solve(self, penalty);
}

/* ---- Evaluation ---- */

/* Returns the mean cross-entropy of leave-one-out scores times inverse_temperature. */
static double mean_cross_entropy(const kernel_ridge *self, double inverse_temperature) {
    const size_t outputs = self->model.outputs;
    double sum = 0.0;
    for (size_t i = 0; i < self->model.of->rows; i++) {
        const float *scores = self->left_out + i * outputs;
        const double own = (double)scores[self->data->codes[self->positions[i]]];
        const double largest = class_score_largest(self->left_out, outputs, i, outputs);
        double powers = 0.0;
        for (size_t j = 0; j < outputs; j++) {
            powers += elementary_exp(inverse_temperature * ((double)scores[j] - largest));
        }
        sum += elementary_log(powers) + inverse_temperature * (largest - own);
    }
    return sum / (double)self->model.of->rows;
}

/* Returns the inverse temperature of least cross-entropy, which has one minimum: goes up from 1/2
 * for as long as the cross-entropy falls. */
static double fit_inverse_temperature(const kernel_ridge *self) {
    enum { MOST = 17 };
    double best = 0.5, least = mean_cross_entropy(self, best);
    for (int i = 0; i < MOST; i++) {
        const double next = 1.3 * best, loss = mean_cross_entropy(self, next);
        if (!(loss < least)) {
            break;
        }
        best = next;
        least = loss;
    }
    return best;
}

cnm_status kernel_ridge_evaluate(kernel_ridge *self, double *loss, double *inverse_temperature, cnm_error *err) {
    const size_t n = self->model.of->rows, outputs = self->model.outputs;
    TRY(kernel_ridge_leave_one_out(self, err));
    *inverse_temperature = self->data->task == TASK_CLASSIFY ? fit_inverse_temperature(self) : 1.0;
    for (size_t i = 0; i < n * outputs; i++) {
        self->left_out[i] = (float)(*inverse_temperature * (double)self->left_out[i]);
    }
    return metric_loss(self->data, self->positions, n, self->left_out, loss, err);
}
