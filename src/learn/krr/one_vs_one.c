/* For the pair of classes c and j, with targets 1 for c and -1 for j, A a = y as in ridge.c for the rows of both. A row's weight is kept as seen from its
 * own class, weights[i][j] for row i of class c, so that
 *
 *   f_cj(x) = sum over rows i of c of weights[i][j] (k(x, i) + 1) - sum over rows i of j of weights[i][c] (k(x, i) + 1)
 *   score_c = 2 / outputs * sum over j of f_cj, cut at -1 and 1
 *
 * A row is left out of the pairs of its own class exactly; the others have not seen it. */
#include "learn/krr/one_vs_one.h"

#include <string.h>

#include "math/linalg/cholesky.h"

bool pairs_are_possible(const problem *task) {
    return task->task == TASK_CLASSIFY && task->outputs > 2 && task->outputs <= MACHINE_MOST_CLASSES;
}

/* ---- One pair ---- */

/* The rows of both classes, in self->members. */
static size_t list_members(ridge *self, int32_t one, int32_t other) {
    size_t count = 0;
    for (size_t i = 0; i < self->machine.of->rows; i++) {
        const int32_t class = self->machine.classes[i];
        self->members[count] = i;
        count += class == one || class == other;
    }
    return count;
}

static cnm_status solve_pair(ridge *self, size_t one, size_t other, double penalty, bool *found, cnm_error *err) {
    const size_t n = self->machine.of->rows, outputs = self->machine.outputs;
    const size_t count = list_members(self, (int32_t)one, (int32_t)other);
    for (size_t i = 0; i < count; i++) {
        const float *kernel = self->kernel + self->members[i] * n;
        for (size_t j = 0; j <= i; j++) {
            self->factor[i * count + j] = (double)kernel[self->members[j]] + 1.0 + (i == j ? penalty : 0.0);
        }
        self->weights[i] = self->machine.classes[self->members[i]] == (int32_t)one ? 1.0 : -1.0;
    }
    *found = count == 0 || cholesky_factor(self->factor, count, self->pool);
    if (!*found || count == 0) {
        return CNM_OK;
    }
    cholesky_solve_lower(self->factor, count, self->weights, 1);
    cholesky_solve_upper(self->factor, count, self->weights, 1);
    const cnm_status status = cholesky_inverse_diagonal(self->factor, count, self->pool, self->diagonal, err);
    for (size_t i = 0; status == CNM_OK && i < count; i++) {
        const bool first = self->machine.classes[self->members[i]] == (int32_t)one;
        const double weight = first ? self->weights[i] : -self->weights[i];
        const size_t cell = self->members[i] * outputs + (first ? other : one);
        self->machine.weights[cell] = (float)weight;
        self->targets[cell] = 1.0 - weight / self->diagonal[i]; /* what is said of it if it is left out */
    }
    return status;
}

/* ---- All of them ---- */

static void take_offsets(kernel_machine *self) {
    const size_t outputs = self->outputs;
    memset(self->offset, 0, outputs * outputs * sizeof *self->offset);
    for (size_t i = 0; i < self->of->rows; i++) {
        for (size_t j = 0; j < outputs; j++) {
            self->offset[(size_t)self->classes[i] * outputs + j] += self->weights[i * outputs + j];
        }
    }
}

/* left_out (outputs) of one row. */
static void leave_out(void *context, size_t row, size_t worker) {
    const ridge *self = context;
    const kernel_machine *machine = &self->machine;
    const size_t n = machine->of->rows, outputs = machine->outputs, own = (size_t)machine->classes[row];
    double sums[MACHINE_MOST_CLASSES * MACHINE_MOST_CLASSES];
    (void)worker;
    machine_pair_sums(machine, self->kernel + row * n, sums);
    for (size_t j = 0; j < outputs; j++) {
        sums[own * outputs + j] = self->targets[row * outputs + j];
        sums[j * outputs + own] = 0.0;
    }
    machine_vote(sums, outputs, self->left_out + row * outputs);
}

cnm_status pairs_solve(ridge *self, double penalty, bool *found, cnm_error *err) {
    const size_t n = self->machine.of->rows, outputs = self->machine.outputs;
    cnm_status status = CNM_OK;
    *found = true;
    memset(self->machine.weights, 0, n * outputs * sizeof *self->machine.weights);
    for (size_t one = 1; status == CNM_OK && *found && one < outputs; one++) {
        for (size_t other = 0; status == CNM_OK && *found && other < one; other++) {
            status = solve_pair(self, one, other, penalty, found, err);
        }
    }
    if (status == CNM_OK && *found) {
        take_offsets(&self->machine);
        threads_for(self->pool, n, leave_out, self);
    }
    return status;
}
