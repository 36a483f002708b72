/* With A = K + 1 + lambda I, weights are a = A^-1 y, and without row i it would have got y_i - a_i / (A^-1)_ii: exactly, and for all rows from one
 * factor of A. That judges a width and a penalty. The best are looked for on a grid, from three of its places, each time to a better one
 * beside the best; widths are in units of how far rows lie from each other. */
#include "learn/ridge.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "learn/judge.h"
#include "learn/split_copies.h"
#include "math/cholesky.h"
#include "math/elementary.h"

enum { WIDTHS = 8, PENALTIES = 6, TRIALS = 16 };

static const double WIDTH[WIDTHS] = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0};
static const double PENALTY[PENALTIES] = {1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0};

/* ---- Rows, and the machines that they can have ---- */

typedef struct ridge_rows {
    const training *of;
    thread_pool *pool;
    const size_t *positions;
    kernel_machine machine; /* of the latest width and penalty */
    double spread;          /* mean square of the distance between rows */
    float *kernel;          /* (rows, rows) of this gamma; not known before the first */
    double *factor;         /* (rows, rows) */
    double *targets;        /* (rows, outputs) */
    double *weights;        /* (rows, outputs) */
    double *diagonal;       /* (rows) of the inverse */
    float *left_out;        /* (rows, outputs) what it would say of each row if it had not seen it */
} ridge_rows;

static double spread_of(const kernel_machine *self) {
    const size_t n = self->rows, d = self->columns;
    double sum = 0.0;
    for (size_t j = 0; j < d; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < n; i++) {
            mean += (double)self->centres[i * d + j];
        }
        mean /= (double)n;
        for (size_t i = 0; i < n; i++) {
            const double off = (double)self->centres[i * d + j] - mean;
            square += off * off;
        }
        sum += 2.0 * square / (double)(n - 1);
    }
    return sum;
}

static double target_of(const problem *task, size_t position, size_t output) {
    return task->task == TASK_CLASSIFY ? ((size_t)task->codes[position] == output ? 1.0 : -1.0)
                                       : (double)task->targets[position];
}

static void rows_free(ridge_rows *self) {
    machine_free(&self->machine);
    memory_free(self->kernel);
    memory_free(self->factor);
    memory_free(self->targets);
    memory_free(self->weights);
    memory_free(self->diagonal);
    memory_free(self->left_out);
}

static cnm_status rows_create(ridge_rows *out, const training *of, thread_pool *pool, const size_t *positions,
                              size_t rows, cnm_error *err) {
    const size_t outputs = of->problem.outputs;
    *out = (ridge_rows){.of = of, .pool = pool, .positions = positions};
    cnm_status status = machine_create(&out->machine, of, positions, rows, 0.0, err);
    status = status == CNM_OK ? memory_take(&out->kernel, rows, rows * sizeof(float), "a kernel", err) : status;
    status = status == CNM_OK ? memory_take(&out->factor, rows, rows * sizeof(double), "a kernel", err) : status;
    status = status == CNM_OK ? memory_take(&out->targets, rows, outputs * sizeof(double), "targets", err) : status;
    status = status == CNM_OK ? memory_take(&out->weights, rows, outputs * sizeof(double), "weights", err) : status;
    status = status == CNM_OK ? memory_take(&out->diagonal, rows, sizeof(double), "weights", err) : status;
    status = status == CNM_OK ? memory_take(&out->left_out, rows, outputs * sizeof(float), "scores", err) : status;
    if (status == CNM_OK) {
        out->spread = spread_of(&out->machine);
    }
    for (size_t i = 0; status == CNM_OK && i < rows * outputs; i++) {
        out->targets[i] = target_of(&of->problem, positions[i / outputs], i % outputs);
    }
    return status;
}

/* The machine's weights for its gamma. False where rounding leaves no factor. */
static bool take_weights(ridge_rows *self, double penalty) {
    kernel_machine *machine = &self->machine;
    const size_t n = machine->rows, outputs = machine->outputs;
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

static bool set_machine(ridge_rows *self, double width, double penalty) {
    const double gamma = width / self->spread;
    if (self->machine.gamma != gamma) {
        self->machine.gamma = gamma;
        machine_kernel(&self->machine, self->pool, self->kernel);
    }
    return take_weights(self, penalty);
}

/* ---- How good one is ---- */

/* Mean cross-entropy of scores times `sharpness`. */
static double entropy_at(const ridge_rows *self, double sharpness) {
    const size_t outputs = self->machine.outputs;
    double sum = 0.0;
    for (size_t i = 0; i < self->machine.rows; i++) {
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
    return sum / (double)self->machine.rows;
}

/* Up from 1/2 for as long as the entropy falls: it has one valley. */
static double find_sharpness(const ridge_rows *self) {
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

/* Of the machine as it is. */
static cnm_status judge_machine(ridge_rows *self, double *loss, double *sharpness, cnm_error *err) {
    const size_t n = self->machine.rows, outputs = self->machine.outputs;
    const cnm_status status = cholesky_inverse_diagonal(self->factor, n, self->pool, self->diagonal, err);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t i = 0; i < n * outputs; i++) {
        self->left_out[i] = (float)(self->targets[i] - self->weights[i] / self->diagonal[i / outputs]);
    }
    *sharpness = self->of->problem.task == TASK_CLASSIFY ? find_sharpness(self) : 1.0;
    for (size_t i = 0; i < n * outputs; i++) {
        self->left_out[i] = (float)(*sharpness * (double)self->left_out[i]);
    }
    return judge_scores(&self->of->problem, self->positions, n, self->left_out, loss, err);
}

/* ---- The search ---- */

typedef struct ridge_search {
    ridge_rows *rows;
    double losses[WIDTHS][PENALTIES]; /* 0: not tried */
    double sharpness[WIDTHS][PENALTIES];
    size_t tried, width, penalty; /* where the best is */
    double least;
} ridge_search;

/* *better: it is the best so far. Nothing where it was tried before, or enough were. */
static cnm_status try_place(ridge_search *self, size_t width, size_t penalty, bool *better, cnm_error *err) {
    double *loss = &self->losses[width][penalty];
    *better = false;
    if (*loss != 0.0 || self->tried == TRIALS) {
        return CNM_OK;
    }
    self->tried++;
    *loss = INFINITY;
    if (!set_machine(self->rows, WIDTH[width], PENALTY[penalty])) {
        return CNM_OK;
    }
    const cnm_status status = judge_machine(self->rows, loss, &self->sharpness[width][penalty], err);
    *loss = status == CNM_OK && *loss >= 0.0 ? fmax(*loss, 1e-300) : INFINITY; /* 0 is for those not tried */
    *better = *loss < self->least;
    if (*better) {
        self->least = *loss;
        self->width = width;
        self->penalty = penalty;
    }
    return status;
}

/* The eight places beside the best, until one is better. */
static cnm_status look_around(ridge_search *self, bool *better, cnm_error *err) {
    static const int BESIDE[][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, 1}, {-1, 1}, {1, -1}};
    const int from[] = {(int)self->width, (int)self->penalty};
    cnm_status status = CNM_OK;
    *better = false;
    for (size_t i = 0; status == CNM_OK && !*better && i < sizeof BESIDE / sizeof BESIDE[0]; i++) {
        const int width = from[0] + BESIDE[i][0], penalty = from[1] + BESIDE[i][1];
        if (width >= 0 && width < WIDTHS && penalty >= 0 && penalty < PENALTIES) {
            status = try_place(self, (size_t)width, (size_t)penalty, better, err);
        }
    }
    return status;
}

static cnm_status climb(ridge_search *self, cnm_error *err) {
    static const size_t STARTS[][2] = {{4, 2}, {2, 1}, {5, 3}};
    bool better;
    cnm_status status = CNM_OK;
    self->least = INFINITY;
    for (size_t i = 0; status == CNM_OK && i < sizeof STARTS / sizeof STARTS[0]; i++) {
        status = try_place(self, STARTS[i][0], STARTS[i][1], &better, err);
    }
    do {
        status = status == CNM_OK ? look_around(self, &better, err) : status;
    } while (status == CNM_OK && better);
    return status;
}

/* ---- The council ---- */

/* The best place that is left; it is not tried again. */
static bool next_best(ridge_search *self, size_t *width, size_t *penalty) {
    double least = INFINITY;
    for (size_t i = 0; i < WIDTHS; i++) {
        for (size_t j = 0; j < PENALTIES; j++) {
            if (self->losses[i][j] != 0.0 && self->losses[i][j] < least) {
                least = self->losses[i][j];
                *width = i;
                *penalty = j;
            }
        }
    }
    if (isfinite(least)) {
        self->losses[*width][*penalty] = INFINITY;
    }
    return isfinite(least);
}

/* The members, of all rows. The first is judged by them again, unless some are copies: a row is not left out where its copy stays. */
static cnm_status convene(ridge_council *out, ridge_search *found, ridge_rows *all, bool copies, cnm_error *err) {
    size_t width = 0, penalty = 0;
    cnm_status status = CNM_OK;
    out->loss = found->least;
    while (status == CNM_OK && out->count < COUNCIL && next_best(found, &width, &penalty)) {
        if (!set_machine(all, WIDTH[width], PENALTY[penalty])) {
            continue;
        }
        double *sharpness = &out->sharpness[out->count];
        *sharpness = found->sharpness[width][penalty];
        status = out->count == 0 && !copies ? judge_machine(all, &out->loss, sharpness, err) : status;
        kernel_machine *member = &out->machines[out->count];
        const size_t outputs = all->machine.outputs;
        status = status == CNM_OK
                     ? machine_create(member, all->of, all->positions, all->machine.rows, all->machine.gamma, err)
                     : status;
        if (status == CNM_OK) {
            memcpy(member->weights, all->machine.weights, member->rows * outputs * sizeof *member->weights);
            memcpy(member->offset, all->machine.offset, outputs * sizeof *member->offset);
            out->count++;
        }
    }
    return status;
}

/* Means over rows; of the kernel as it is. Copies of a row are no other ones. */
static double nearness(const ridge_rows *self) {
    static const double COPY = 1e-5;
    const size_t n = self->machine.rows;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        double most = 0.0;
        for (size_t j = 0; j < n; j++) {
            const double value = (double)self->kernel[i * n + j];
            most = j != i && value < 1.0 - COPY * self->machine.gamma * self->spread && value > most ? value : most;
        }
        sum += most > 0.0 ? sqrt(-elementary_log(most) / (self->machine.gamma * self->spread)) : 1.0;
    }
    return fmin(sum / (double)n, 1.0);
}

/* Every so many of the rows that are no copies: as many as the work allows. */
static size_t thin(size_t *positions, size_t count, double work) {
    const double fitting = cbrt(3.0 * work / TRIALS);
    const size_t kept = fitting < (double)count ? (size_t)fitting : count;
    for (size_t i = 0; i < kept; i++) {
        positions[i] = positions[i * count / kept];
    }
    return kept;
}

double ridge_work(size_t rows) {
    const double n = (double)rows;
    return (COUNCIL + 1) * n * n * n / 6.0;
}

static bool is_a_distance(double spread) { return spread > 0.0 && isfinite(spread); }

/* judging (count): the rows that the search sees. */
static cnm_status find_with(ridge_council *out, const training *of, thread_pool *pool, const size_t *judging,
                            size_t count, bool copies, cnm_error *err) {
    ridge_rows some = {0}, all = {0};
    ridge_search search = {.rows = &some};
    cnm_status status = rows_create(&some, of, pool, judging, count, err);
    status = status == CNM_OK ? rows_create(&all, of, pool, of->split.train, of->split.train_count, err) : status;
    if (status == CNM_OK && is_a_distance(some.spread) && is_a_distance(all.spread)) {
        status = climb(&search, err);
        status = status == CNM_OK ? convene(out, &search, &all, copies, err) : status;
        out->near = status == CNM_OK && out->count > 0 ? nearness(&all) : 1.0;
    }
    rows_free(&some);
    rows_free(&all);
    return status;
}

cnm_status ridge_find(ridge_council *out, const training *of, double work, cnm_error *err) {
    const size_t rows = of->split.train_count;
    size_t *judging = NULL, count = 0;
    *out = (ridge_council){.loss = INFINITY, .near = 1.0};
    cnm_status status = memory_take(&judging, rows, sizeof *judging, "rows", err);
    status =
        status == CNM_OK ? positions_without_copies(&of->problem, of->split.train, rows, judging, &count, err) : status;
    if (status == CNM_OK && 2 * count >= rows) {
        const bool copies = count < rows;
        count = thin(judging, count, work);
        thread_pool *pool = thread_pool_create((size_t)of->problem.settings->threads);
        status = count >= RIDGE_LEAST_ROWS ? find_with(out, of, pool, judging, count, copies, err) : CNM_OK;
        thread_pool_destroy(pool);
    }
    memory_free(judging);
    if (status != CNM_OK) {
        ridge_free(out);
    }
    return status;
}

void ridge_free(ridge_council *self) {
    for (size_t i = 0; i < COUNCIL; i++) {
        machine_free(&self->machines[i]);
    }
    self->count = 0;
}
