/* The training's own rows make room for the lesson's meanwhile:
 *
 *   scores          |s - m|^2 weight / 2     s: the pupil's, m: what is wanted
 *   probabilities   CE(m, softmax(s))
 *
 * There is nothing to hold back: no penalty, decay or noise. */
#include "learn/lesson.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "learn/entropy.h"
#include "learn/updates.h"
#include "math/variates.h"

enum { MOST_ROWS = 20000, MOST_CELLS = 1 << 23 };

/* ---- Rows ---- */

/* Three in ten are rows themselves. */
static void make_row(const lesson *self, const float *rows, size_t count, double far, uint64_t seed, size_t row) {
    const random_stream choice = {seed, RANDOM_LESSON, 0}, length = {seed, RANDOM_LESSON, 1};
    const size_t d = self->columns;
    const float *from = rows + row % count * d;
    const float *one = rows + random_below(choice, 2 * row, count) * d;
    const float *other = rows + random_below(choice, 2 * row + 1, count) * d;
    float t = 0.0F;
    if (row / count % 10 >= 3) {
        variates_normal(length, row, 1, far, &t);
    }
    for (size_t j = 0; j < d; j++) {
        self->values[row * d + j] = from[j] + t * (one[j] - other[j]);
    }
}

cnm_status lesson_create(lesson *out, const training *of, uint64_t steps, double far, cnm_error *err) {
    const size_t columns = of->problem.rows.columns, fitting = MOST_CELLS / columns;
    const size_t most = fitting < MOST_ROWS ? fitting : MOST_ROWS;
    const size_t rows = steps < most / LESSON_BATCH ? (size_t)steps * LESSON_BATCH : most;
    *out = (lesson){.rows = rows, .columns = columns, .outputs = of->problem.outputs, .weight = 1.0};
    float *own = NULL;
    cnm_status status = memory_take(&own, of->split.train_count, columns * sizeof *own, "rows", err);
    status =
        status == CNM_OK ? memory_take(&out->values, rows, columns * sizeof(float), "rows to imitate on", err) : status;
    status = status == CNM_OK ? memory_zeroed(&out->wanted, rows, out->outputs * sizeof(float), "scores", err) : status;
    status = status == CNM_OK ? memory_take(&out->order, rows, sizeof *out->order, "an order", err) : status;
    if (status == CNM_OK) {
        input_take_dense(&of->source, of->split.train, 0, 0, of->split.train_count, own);
    }
    for (size_t i = 0; status == CNM_OK && i < rows; i++) {
        out->order[i] = i;
        make_row(out, own, of->split.train_count, far, of->problem.settings->seed, i);
    }
    memory_free(own);
    return status;
}

void lesson_free(lesson *self) {
    memory_free(self->values);
    memory_free(self->wanted);
    memory_free(self->order);
    *self = (lesson){0};
}

void lesson_weigh(lesson *self) {
    double sum = 0.0;
    for (size_t j = 0; j < self->outputs; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < self->rows; i++) {
            const double value = (double)self->wanted[i * self->outputs + j];
            mean += value;
            square += value * value;
        }
        mean /= (double)self->rows;
        sum += square / (double)self->rows - mean * mean;
    }
    self->weight = 1.0 / fmax(sum / (double)self->outputs, 1e-12);
}

/* ---- In place of the training's own ---- */

typedef struct own_rows {
    problem problem;
    row_split split;
    input_source source;
} own_rows;

static cnm_status enter(const lesson *self, training *of, own_rows *kept, cnm_error *err) {
    *kept = (own_rows){of->problem, of->split, of->source};
    of->problem.rows =
        (rows_view){.rows = self->rows, .columns = self->columns, .values = self->values, .stride = self->columns};
    of->problem.input = (input_stage){.columns = self->columns};
    of->problem.codes = NULL;
    of->problem.targets = of->problem.weights = NULL;
    of->split = (row_split){.train = self->order, .train_count = self->rows};
    of->source = (input_source){0};
    return input_bind(&of->source, &of->problem.input, &of->problem.rows, of->map, err);
}

static void leave(training *of, const own_rows *kept) {
    input_unbind(&of->source);
    of->problem = kept->problem;
    of->split = kept->split;
    of->source = kept->source;
}

cnm_status lesson_scores(const lesson *self, training *of, float *scores, cnm_error *err) {
    const train_plan plan = {.loss = of->problem.loss,
                             .loss_parameter = of->problem.loss->parameter,
                             .feature_scale = of->feature_scale,
                             .batch = 1,
                             .steps = 1};
    own_rows kept;
    engine *runner = NULL;
    cnm_status status = enter(self, of, &kept, err);
    status = status == CNM_OK ? training_engine(of, plan.batch, &runner, err) : status;
    status = status == CNM_OK ? engine_scores(runner, &plan, self->order, self->rows, scores, err) : status;
    engine_destroy(runner);
    leave(of, &kept);
    return status;
}

/* ---- Learning ---- */

static double row_square(const lesson *self, const float *scores, const float *wanted, float *slope) {
    double sum = 0.0;
    for (size_t j = 0; j < self->outputs; j++) {
        const double off = (double)scores[j] - (double)wanted[j];
        sum += 0.5 * self->weight * off * off;
        slope[j] = (float)(self->weight * off);
    }
    return sum;
}

static double evaluate(const void *context, const loss_ops *loss, const loss_batch *batch, const size_t *positions,
                       float *slope) {
    const lesson *self = context;
    const size_t outputs = batch->outputs;
    double sum = 0.0;
    (void)loss;
    for (size_t i = 0; i < batch->rows; i++) {
        const float *scores = batch->scores + i * outputs, *wanted = self->wanted + positions[i] * outputs;
        float *own = slope + i * outputs;
        if (self->probabilities) {
            memset(own, 0, outputs * sizeof *own);
            sum += entropy_row(scores, wanted, outputs, 1.0, 1.0, own);
        } else {
            sum += row_square(self, scores, wanted, own);
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

/* On a training whose rows are the lesson's. */
static cnm_status follow(const lesson *self, training *of, train_plan plan, double rate, cnm_error *err) {
    const loss_hint hint = {evaluate, self};
    engine *runner;
    plan.hint = &hint;
    plan.lambda = plan.noise = plan.drift = plan.shift = plan.tensor_decay = plan.tensor_l1 = plan.tensor_l2 = 0.0;
    plan.mirror = false;
    plan.head_update = plan.map_update = &UPDATE_ADAM;
    plan.head_rate = rate * mean_size(of->head.weights, of->head.features * of->head.outputs);
    plan.tensor_rate = rate * training_unit(of);
    plan.phase_rate = rate;
    plan.batch = (size_t)of->batch;
    plan.steps = of->steps;
    cnm_status status = training_engine(of, plan.batch, &runner, err);
    status = status == CNM_OK ? joint_run(of, runner, &plan, err) : status;
    engine_destroy(runner);
    return status;
}

cnm_status lesson_learn(const lesson *self, training *of, uint64_t steps, double rate, cnm_error *err) {
    const train_plan usual = joint_plan(of);
    own_rows kept;
    cnm_status status = enter(self, of, &kept, err);
    of->batch = LESSON_BATCH;
    of->steps = steps;
    status = status == CNM_OK ? follow(self, of, usual, rate, err) : status;
    leave(of, &kept);
    return status;
}
