/* Rows are made where rows could lie, in ways that suit different sets: differences of rows go into all directions; the way to a neighbour stays
 * where rows lie that fill few of them; and cells of other rows are values that a column can have.
 *
 * The training's own rows make room for the lesson's meanwhile:
 *
 *   scores          |s - m|^2 weight / 2     s: the pupil's, m: what is wanted
 *   probabilities   CE(m, softmax(s))
 *
 * There is nothing to hold back: no penalty, decay or noise. */
#include "learn/distill/transfer_set.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/random.h"
#include "learn/distill/soft_labels.h"
#include "learn/objective/optimisers.h"
#include "math/elementary/elementary.h"
#include "math/random/variates.h"

enum { MOST_ROWS = 40000, MOST_CELLS = 1 << 24 };
enum { SEEN = 4 }; /* times that a row is worth asking for */

/* ---- Rows ---- */

typedef struct row_source {
    const float *rows; /* (count, columns) */
    size_t count, columns;
    const neighbours *around;
    uint64_t seed;
} row_source;

static random_stream stream_of(const row_source *self, uint32_t part) {
    return (random_stream){self->seed, RANDOM_LESSON, part};
}

/* One of them, by chance. */
static const float *any_row(const row_source *self, uint64_t index) {
    return self->rows + random_below(stream_of(self, 0), index, self->count) * self->columns;
}

/* x + t (one - other) */
static void move_row(const row_source *self, size_t row, const float *one, const float *other, double deviation,
                     float *x) {
    float t;
    variates_normal(stream_of(self, 1), row, 1, deviation, &t);
    for (size_t j = 0; j < self->columns; j++) {
        x[j] += t * (one[j] - other[j]);
    }
}

/* Up to a half of the cells, by chance. */
static void cross_row(const row_source *self, size_t row, const float *other, float *x) {
    const double share = 0.5 * random_uniform(stream_of(self, 3), row);
    for (size_t j = 0; j < self->columns; j++) {
        if (random_uniform(stream_of(self, 2), (uint64_t)row * self->columns + j) < share) {
            x[j] = other[j];
        }
    }
}

static void make_row(const row_source *self, size_t row, float *x) {
    /* The turns before which rows are made so; in the others they are crossed. */
    enum { OWN = 3, MOVED = 5, BESIDE = 8, TURNS = 10 };
    const size_t turn = row / self->count % TURNS, from = row % self->count;
    const float *own = self->rows + from * self->columns;
    memcpy(x, own, self->columns * sizeof *x);
    if (turn >= OWN && turn < MOVED) {
        move_row(self, row, any_row(self, 2 * row), any_row(self, 2 * row + 1), self->around->near, x);
    } else if (turn >= MOVED && turn < BESIDE) {
        const size_t which = random_below(stream_of(self, 4), row, NEIGHBOURS);
        const float *near = self->rows + self->around->nearest[from * NEIGHBOURS + which] * self->columns;
        move_row(self, row, near, own, 1.0, x);
    } else if (turn >= BESIDE) {
        cross_row(self, row, any_row(self, 2 * row), x);
    }
}

cnm_status lesson_create(lesson *out, const training *of, const neighbours *around, uint64_t steps, cnm_error *err) {
    const size_t columns = of->problem.rows.columns, fitting = MOST_CELLS / columns, count = of->split.train_count;
    const size_t most = fitting < MOST_ROWS ? fitting : MOST_ROWS;
    const size_t each = LESSON_BATCH / SEEN, rows = steps < most / each ? (size_t)steps * each : most;
    *out = (lesson){.rows = rows, .columns = columns, .outputs = of->problem.outputs, .weight = 1.0};
    float *own = NULL;
    cnm_status status = memory_take(&own, count, columns * sizeof *own, "rows", err);
    status =
        status == CNM_OK ? memory_take(&out->values, rows, columns * sizeof(float), "rows to imitate on", err) : status;
    status = status == CNM_OK ? memory_zeroed(&out->wanted, rows, out->outputs * sizeof(float), "scores", err) : status;
    status = status == CNM_OK ? memory_take(&out->order, rows, sizeof *out->order, "an order", err) : status;
    if (status == CNM_OK) {
        input_take_dense(&of->source, of->split.train, 0, 0, count, own);
    }
    const row_source from = {own, count, columns, around, of->problem.settings->seed};
    for (size_t i = 0; status == CNM_OK && i < rows; i++) {
        out->order[i] = i;
        make_row(&from, i, out->values + i * columns);
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
static cnm_status follow(const lesson *self, training *of, train_plan plan, double rate, double pace, cnm_error *err) {
    const loss_hint hint = {evaluate, self};
    engine *runner;
    plan.hint = &hint;
    plan.lambda = plan.noise = plan.drift = plan.shift = plan.tensor_decay = plan.tensor_l1 = plan.tensor_l2 = 0.0;
    plan.mirror = false;
    plan.head_update = plan.map_update = &UPDATE_ADAM;
    plan.head_rate = rate * mean_size(of->head.weights, of->head.features * of->head.outputs);
    plan.tensor_rate = pace * rate * training_unit(of);
    plan.phase_rate = rate;
    plan.batch = (size_t)of->batch;
    plan.steps = of->steps;
    cnm_status status = training_engine(of, plan.batch, &runner, err);
    status = status == CNM_OK ? joint_run(of, runner, &plan, err) : status;
    engine_destroy(runner);
    return status;
}

cnm_status lesson_learn(const lesson *self, training *of, uint64_t steps, double rate, double pace, cnm_error *err) {
    const train_plan usual = joint_plan(of);
    own_rows kept;
    cnm_status status = enter(self, of, &kept, err);
    of->batch = LESSON_BATCH;
    of->steps = steps;
    status = status == CNM_OK ? follow(self, of, usual, rate, pace, err) : status;
    leave(of, &kept);
    return status;
}

/* What no scores can go below: the entropy of probabilities. */
static double least_loss(const lesson *self) {
    double sum = 0.0;
    for (size_t i = 0; self->probabilities && i < self->rows * self->outputs; i++) {
        const double wanted = (double)self->wanted[i];
        sum -= wanted > 0.0 ? wanted * elementary_log(wanted) : 0.0;
    }
    return sum;
}

cnm_status lesson_loss(const lesson *self, training *of, double *loss, cnm_error *err) {
    const size_t cells = self->rows * self->outputs;
    float *scores = NULL, *slope = NULL;
    cnm_status status = memory_take(&scores, cells, sizeof *scores, "scores", err);
    status = status == CNM_OK ? memory_take(&slope, cells, sizeof *slope, "slopes", err) : status;
    status = status == CNM_OK ? lesson_scores(self, of, scores, err) : status;
    if (status == CNM_OK) {
        const loss_batch all = {.scores = scores, .rows = self->rows, .outputs = self->outputs};
        const double sum = evaluate(self, of->problem.loss, &all, self->order, slope);
        *loss = (sum - least_loss(self)) / (double)self->rows;
    }
    memory_free(scores);
    memory_free(slope);
    return status;
}
