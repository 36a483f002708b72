/* The pupil's rows are x + t (x' - x''), t = 0 or normal, x' and x'' other rows: they lie where rows could, so that a map which is right on
 * them is right on rows to come. The machine scores them once. The head is solved for on the map as it was drawn; then both learn together
 * from
 *
 *   |s - m|^2 / (2 v)     s: the pupil's scores, m: the machine's, v: the variance of m
 *
 * which has no noise in it, so there is nothing to hold back. */
#include "learn/imitate.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "learn/machine.h"
#include "learn/solve.h"
#include "learn/updates.h"
#include "math/variates.h"

enum { MOST_ROWS = 20000, MOST_CELLS = 1 << 23, STEPS = 3000, BATCH = 256 };

static const double FAR = 1.0;            /* deviation of t */
static const double RATE = 0.02;          /* of theta in its unit, of phases, and of the head in its own */
static const double START_PENALTY = 1e-3; /* of the head at the start, as a share of the features' mean square */

typedef struct lesson {
    size_t rows, columns, outputs;
    float *values; /* (rows, columns) */
    float *wanted; /* (rows, outputs) the machine's scores */
    double weight; /* 1 / v */
    size_t *order; /* (rows) 0, 1, 2 ... */
} lesson;

static uint64_t steps_of(const training *self) { return self->recipe.steps < STEPS ? self->recipe.steps : STEPS; }

/* ---- Rows and what the machine says of them ---- */

/* Three in ten are rows themselves. */
static void make_row(const lesson *self, const float *rows, size_t count, uint64_t seed, size_t row) {
    const random_stream choice = {seed, RANDOM_LESSON, 0}, length = {seed, RANDOM_LESSON, 1};
    const size_t d = self->columns;
    const float *from = rows + row % count * d;
    const float *one = rows + random_below(choice, 2 * row, count) * d;
    const float *other = rows + random_below(choice, 2 * row + 1, count) * d;
    float t = 0.0F;
    if (row / count % 10 >= 3) {
        variates_normal(length, row, 1, FAR, &t);
    }
    for (size_t j = 0; j < d; j++) {
        self->values[row * d + j] = from[j] + t * (one[j] - other[j]);
    }
}

static double variance_of(const float *values, size_t rows, size_t outputs) {
    double sum = 0.0;
    for (size_t j = 0; j < outputs; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < rows; i++) {
            mean += (double)values[i * outputs + j];
            square += (double)values[i * outputs + j] * (double)values[i * outputs + j];
        }
        mean /= (double)rows;
        sum += square / (double)rows - mean * mean;
    }
    return sum / (double)outputs;
}

static void lesson_free(lesson *self) {
    memory_free(self->values);
    memory_free(self->wanted);
    memory_free(self->order);
}

static cnm_status lesson_create(lesson *out, const training *self, cnm_error *err) {
    const settings *wanted = self->problem.settings;
    const size_t columns = self->problem.rows.columns, fitting = MOST_CELLS / columns;
    const size_t most = fitting < MOST_ROWS ? fitting : MOST_ROWS;
    const uint64_t steps = steps_of(self);
    const size_t rows = steps < most / BATCH ? (size_t)steps * BATCH : most;
    *out = (lesson){.rows = rows, .columns = columns, .outputs = self->problem.outputs};
    float *own = NULL;
    cnm_status status = memory_take(&own, self->split.train_count, columns * sizeof *own, "rows", err);
    status =
        status == CNM_OK ? memory_take(&out->values, rows, columns * sizeof(float), "rows to imitate on", err) : status;
    status = status == CNM_OK ? memory_zeroed(&out->wanted, rows, out->outputs * sizeof(float), "scores", err) : status;
    status = status == CNM_OK ? memory_take(&out->order, rows, sizeof *out->order, "an order", err) : status;
    if (status == CNM_OK) {
        input_take_dense(&self->source, self->split.train, 0, 0, self->split.train_count, own);
    }
    for (size_t i = 0; status == CNM_OK && i < rows; i++) {
        out->order[i] = i;
        make_row(out, own, self->split.train_count, wanted->seed, i);
    }
    memory_free(own);
    return status;
}

/* Adds a share of what a machine says. */
static cnm_status ask_machine(const lesson *self, const training *of, const train_plan *plan, double gamma, float share,
                              cnm_error *err) {
    const size_t count = self->rows * self->outputs;
    kernel_machine machine = {0};
    float *scores = NULL;
    cnm_status status = machine_find(&machine, of, gamma, plan, err);
    status = status == CNM_OK ? memory_take(&scores, count, sizeof *scores, "scores", err) : status;
    status = status == CNM_OK ? machine_scores(&machine, self->values, self->rows,
                                               (size_t)of->problem.settings->threads, scores, err)
                              : status;
    for (size_t i = 0; status == CNM_OK && i < count; i++) {
        self->wanted[i] += share * scores[i];
    }
    memory_free(scores);
    machine_free(&machine);
    return status;
}

/* What the council says on average: its members under the recipe's scaling; or the recipe's machine alone. */
static cnm_status ask_all(lesson *self, const training *of, train_plan plan, cnm_error *err) {
    const recipe_council *council = &of->council;
    const recipe *own = &of->recipe;
    size_t count = 0;
    cnm_status status = CNM_OK;
    for (size_t i = 0; i < council->count; i++) {
        count += council->members[i].scale == own->scale;
    }
    for (size_t i = 0; status == CNM_OK && i < council->count; i++) {
        const recipe *member = &council->members[i];
        const double wider = member->width / own->width;
        if (member->scale == own->scale) {
            plan.lambda = member->lambda;
            status = ask_machine(self, of, &plan, of->spec.gamma * wider * wider, 1.0F / (float)count, err);
        }
    }
    if (status == CNM_OK && count == 0) {
        status = ask_machine(self, of, &plan, of->spec.gamma, 1.0F, err);
    }
    self->weight = status == CNM_OK ? 1.0 / fmax(variance_of(self->wanted, self->rows, self->outputs), 1e-12) : 0.0;
    return status;
}

/* ---- Learning from them ---- */

static double evaluate(const void *context, const loss_ops *loss, const loss_batch *batch, const size_t *positions,
                       float *slope) {
    const lesson *self = context;
    const size_t outputs = batch->outputs;
    double sum = 0.0;
    (void)loss;
    for (size_t i = 0; i < batch->rows; i++) {
        const float *wanted = self->wanted + positions[i] * outputs;
        for (size_t j = 0; j < outputs; j++) {
            const double off = (double)batch->scores[i * outputs + j] - (double)wanted[j];
            sum += 0.5 * self->weight * off * off;
            slope[i * outputs + j] = (float)(self->weight * off);
        }
    }
    return sum;
}

static double mean_size(const float *values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += fabs((double)values[i]);
    }
    return sum / (double)count;
}

/* Map and head, on a training whose rows are the lesson's. */
static cnm_status follow(training *self, const lesson *from, train_plan plan, cnm_error *err) {
    const loss_hint hint = {evaluate, from};
    engine *runner = NULL;
    plan.hint = &hint;
    plan.lambda = START_PENALTY * JOINT_GAIN * JOINT_GAIN / (double)self->map->features;
    cnm_status status = solve_features(self, &plan, err);
    if (status == CNM_OK) {
        plan.lambda = 0.0;
        plan.head_update = plan.map_update = &UPDATE_ADAM;
        plan.head_rate = RATE * mean_size(self->head.weights, self->head.features * self->head.outputs);
        plan.tensor_rate = RATE * training_unit(self);
        plan.phase_rate = RATE;
        plan.batch = BATCH;
        plan.steps = steps_of(self);
        self->batch = plan.batch;
        self->steps = plan.steps;
        status = training_engine(self, plan.batch, &runner, err);
    }
    status = status == CNM_OK ? joint_run(self, runner, &plan, err) : status;
    engine_destroy(runner);
    return status;
}

/* The training's own rows make room for the lesson's meanwhile. */
static cnm_status learn_lesson(training *self, const lesson *from, const train_plan *plan, cnm_error *err) {
    const problem kept = self->problem;
    const row_split split = self->split;
    const input_source source = self->source;
    self->problem.rows =
        (rows_view){.rows = from->rows, .columns = from->columns, .values = from->values, .stride = from->columns};
    self->problem.input = (input_stage){.columns = from->columns};
    self->problem.codes = NULL;
    self->problem.targets = self->problem.weights = NULL;
    self->split = (row_split){.train = from->order, .train_count = from->rows};
    self->source = (input_source){0};
    cnm_status status = input_bind(&self->source, &self->problem.input, &self->problem.rows, self->map, err);
    status = status == CNM_OK ? follow(self, from, *plan, err) : status;
    input_unbind(&self->source);
    self->problem = kept;
    self->split = split;
    self->source = source;
    return status;
}

cnm_status imitate_check(const training *self, cnm_error *err) {
    if (!self->recipe.imitate || machine_can_be_found(self)) {
        return CNM_OK;
    }
    return error_set(
        err, CNM_BAD_ARGUMENT,
        "--imitate yes needs up to 2000 dense rows (here are %zu of %zu columns), a dense map of up to 1024 cosines "
        "with phases, "
        "the Gaussian kernel and a smooth loss; it does not go with --validation, --prune, --teacher or --from",
        self->problem.rows.rows, self->problem.rows.columns);
}

cnm_status fit_imitation(training *self, cnm_error *err) {
    const train_plan plan = joint_plan(self);
    lesson from = {0};
    cnm_status status = lesson_create(&from, self, err);
    status = status == CNM_OK ? ask_all(&from, self, plan, err) : status;
    status = status == CNM_OK ? learn_lesson(self, &from, &plan, err) : status;
    lesson_free(&from);
    return status;
}
