/* For the pair of classes c and j, with targets 1 for c and -1 for j, solves A a = y as in
 * kernel_ridge.c for the rows of both. The weight of row i of class c is stored with the sign for
 * its own class, in weights[i][j], so that
 *
 *   f_cj(x) = sum over rows i of c of weights[i][j] (k(x, i) + 1)
 *             - sum over rows i of j of weights[i][c] (k(x, i) + 1)
 *   score_c = 2 / outputs * sum over j of f_cj, clipped to [-1, 1]
 *
 * Leave-one-out scores are exact for the pairs of a row's own class; other pairs lack the row. */
#include "learn/krr/one_vs_one.h"

#include <string.h>

#include "base/core/try.h"
#include "math/linalg/cholesky.h"

bool one_vs_one_applies(const dataset *data) {
    return data->task == TASK_CLASSIFY && data->outputs > 2 && data->outputs <= KERNEL_MODEL_MOST_CLASSES;
}

/* ---- One pair ---- */

/* Fills members with the rows of both classes, and returns how many there are. */
static size_t list_members(kernel_ridge *self, int32_t one, int32_t other) {
    size_t count = 0;
    for (size_t i = 0; i < self->model.of->rows; i++) {
        const int32_t class = self->model.classes[i];
        self->members[count] = i;
        count += class == one || class == other;
    }
    return count;
}

static cnm_status solve_pair(kernel_ridge *self, size_t one, size_t other, double penalty, bool *found,
                             cnm_error *err) {
    const size_t n = self->model.of->rows, outputs = self->model.outputs;
    const size_t count = list_members(self, (int32_t)one, (int32_t)other);
    for (size_t i = 0; i < count; i++) {
        const float *kernel = self->kernel + self->members[i] * n;
        for (size_t j = 0; j <= i; j++) {
            self->factor[i * count + j] = (double)kernel[self->members[j]] + 1.0 + (i == j ? penalty : 0.0);
        }
        self->weights[i] = self->model.classes[self->members[i]] == (int32_t)one ? 1.0 : -1.0;
    }
    *found = count == 0 || cholesky_factor(self->factor, count, self->pool);
    if (!*found || count == 0) {
        return CNM_OK;
    }
    cholesky_solve_lower(self->factor, count, self->weights, 1);
    cholesky_solve_upper(self->factor, count, self->weights, 1);
    TRY(cholesky_inverse_diagonal(self->factor, count, self->pool, self->diagonal, err));
    for (size_t i = 0; i < count; i++) {
        const bool first = self->model.classes[self->members[i]] == (int32_t)one;
        const double weight = first ? self->weights[i] : -self->weights[i];
        const size_t cell = self->members[i] * outputs + (first ? other : one);
        self->model.weights[cell] = (float)weight;
        self->targets[cell] = 1.0 - weight / self->diagonal[i]; /* leave-one-out */
    }
    return CNM_OK;
}

/* ---- All pairs ---- */

static void sum_offsets(kernel_model *self) {
    const size_t outputs = self->outputs;
    memset(self->offset, 0, outputs * outputs * sizeof *self->offset);
    for (size_t i = 0; i < self->of->rows; i++) {
        for (size_t j = 0; j < outputs; j++) {
            self->offset[(size_t)self->classes[i] * outputs + j] += self->weights[i * outputs + j];
        }
    }
}

/* Fills left_out (outputs) of one row. */
static void leave_out(void *context, size_t row, size_t worker) {
    const kernel_ridge *self = context;
    const kernel_model *model = &self->model;
    const size_t n = model->of->rows, outputs = model->outputs, own = (size_t)model->classes[row];
    double sums[KERNEL_MODEL_MOST_CLASSES * KERNEL_MODEL_MOST_CLASSES];
    (void)worker;
    kernel_model_pair_sums(model, self->kernel + row * n, sums);
    for (size_t j = 0; j < outputs; j++) {
        sums[own * outputs + j] = self->targets[row * outputs + j];
        sums[j * outputs + own] = 0.0;
    }
    kernel_model_vote(sums, outputs, self->left_out + row * outputs);
}

cnm_status one_vs_one_fit(kernel_ridge *self, krr_kernel kind, double width, double penalty, bool *found,
                          cnm_error *err) {
    const size_t n = self->model.of->rows, outputs = self->model.outputs;
    *found = true;
    kernel_ridge_set_kernel(self, kind, width);
    memset(self->model.weights, 0, n * outputs * sizeof *self->model.weights);
    for (size_t one = 1; one < outputs; one++) {
        for (size_t other = 0; other < one; other++) {
            TRY(solve_pair(self, one, other, penalty, found, err));
            if (!*found) {
                return CNM_OK;
            }
        }
    }
    sum_offsets(&self->model);
    threads_for(self->pool, n, leave_out, self);
    return CNM_OK;
}
