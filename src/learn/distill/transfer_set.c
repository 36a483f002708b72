/* Makes rows in three ways, which suit different data: differences of rows go in all directions; a
 * step towards a neighbour stays near the rows where they fill few directions; and cells of other
 * rows are values that a column can have.
 *
 *   scores          |s - m|^2 weight / 2     s: the student's scores, m: the targets
 *   probabilities   CE(m, softmax(s)) */
#include "learn/distill/transfer_set.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "engine/plan.h"
#include "learn/distill/soft_labels.h"
#include "learn/fit/fit_joint.h"
#include "learn/tuning.h"
#include "math/elementary/elementary.h"
#include "math/random/variates.h"

/* ---- Rows ---- */

typedef struct row_source {
    const float *rows; /* (count, columns) */
    size_t count, columns;
    const neighbours *around;
    uint64_t seed;
} row_source;

static random_stream stream_of(const row_source *self, uint32_t part) {
    return (random_stream){self->seed, RANDOM_TRANSFER_SET, part};
}

/* Returns a random row. */
static const float *any_row(const row_source *self, uint64_t index) {
    return self->rows + random_below(stream_of(self, 0), index, self->count) * self->columns;
}

/* x <- x + t (one - other), t normal. */
static void move_row(const row_source *self, size_t row, const float *one, const float *other, double deviation,
                     float *x) {
    float t;
    variates_normal(stream_of(self, 1), row, 1, deviation, &t);
    for (size_t j = 0; j < self->columns; j++) {
        x[j] += t * (one[j] - other[j]);
    }
}

/* Takes up to a half of the cells, at random, from another row. */
static void cross_row(const row_source *self, size_t row, const float *other, float *x) {
    const double share = 0.5 * random_uniform(stream_of(self, 3), row);
    for (size_t j = 0; j < self->columns; j++) {
        if (random_uniform(stream_of(self, 2), (uint64_t)row * self->columns + j) < share) {
            x[j] = other[j];
        }
    }
}

static void make_row(const row_source *self, size_t row, float *x) {
    /* Of ten rounds over the training rows, those before which rows are copied, moved, and moved
     * towards neighbours; in the others cells are exchanged. */
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

size_t transfer_set_rows(const fit_session *of, uint64_t steps) {
    const size_t fitting = TUNING.transfer.most_cells / of->data->rows.columns;
    const size_t most = fitting < TUNING.transfer.most_rows ? fitting : TUNING.transfer.most_rows;
    const size_t each = TRANSFER_BATCH / TUNING.transfer.visits;
    return steps < most / each ? (size_t)steps * each : most;
}

cnm_status transfer_set_create(transfer_set *out, const fit_session *of, const neighbours *around, uint64_t steps,
                               cnm_error *err) {
    const size_t columns = of->data->rows.columns, count = of->split.train_count, rows = transfer_set_rows(of, steps);
    float *own = NULL;
    cnm_status status = CNM_OK;
    *out = (transfer_set){.rows = rows, .columns = columns, .outputs = of->data->outputs, .weight = 1.0};
    TRY_DONE(memory_take(&own, count, columns * sizeof *own, "rows", err));
    TRY_DONE(memory_take(&out->values, rows, columns * sizeof(float), "a transfer set", err));
    TRY_DONE(memory_zeroed(&out->targets, rows, out->outputs * sizeof(float), "soft targets", err));
    TRY_DONE(memory_take(&out->order, rows, sizeof *out->order, "an order", err));
    input_take_dense(&of->source, of->split.train, 0, 0, count, own);
    const row_source from = {own, count, columns, around, of->data->settings->seed};
    for (size_t i = 0; i < rows; i++) {
        out->order[i] = i;
        make_row(&from, i, out->values + i * columns);
    }
done:
    memory_free(own);
    return status;
}

void transfer_set_free(transfer_set *self) {
    memory_free(self->values);
    memory_free(self->targets);
    memory_free(self->order);
    *self = (transfer_set){0};
}

void transfer_set_weight(transfer_set *self) {
    double sum = 0.0;
    for (size_t j = 0; j < self->outputs; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < self->rows; i++) {
            const double value = (double)self->targets[i * self->outputs + j];
            mean += value;
            square += value * value;
        }
        mean /= (double)self->rows;
        sum += square / (double)self->rows - mean * mean;
    }
    self->weight = 1.0 / fmax(sum / (double)self->outputs, 1e-12);
}

/* ---- Sessions on the transfer set ---- */

cnm_status transfer_session_create(transfer_session *out, const transfer_set *on, const fit_session *of,
                                   cnm_error *err) {
    *out = (transfer_session){
        .data = *of->data, .input = {.columns = on->columns}, .fit = fit_session_after(of, "distill")};
    out->fit.history = of->history;
    out->data.rows = (rows_view){.rows = on->rows, .columns = on->columns, .values = on->values, .stride = on->columns};
    out->data.codes = NULL;
    out->data.targets = out->data.weights = NULL;
    out->fit.data = &out->data;
    out->fit.weights = NULL;
    out->fit.split = (row_split){.train = on->order, .train_count = on->rows};
    out->fit.map = of->map;
    out->fit.head = of->head;
    return input_bind(&out->fit.source, &out->input, &out->data.rows, map_first(of->map)->projection->sparse, err);
}

cnm_status transfer_set_scores(const transfer_set *self, const fit_session *of, float *scores, cnm_error *err) {
    const train_plan plan = {.loss = of->data->loss,
                             .loss_parameter = dataset_loss_parameter(of->data),
                             .feature_scale = of->feature_scale,
                             .batch = 1,
                             .steps = 1};
    transfer_session view;
    engine *runner = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(transfer_session_create(&view, self, of, err));
    TRY_DONE(fit_session_engine(&view.fit, plan.batch, &runner, err));
    TRY_DONE(engine_scores(runner, &plan, self->order, self->rows, scores, err));
done:
    engine_destroy(runner);
    input_unbind(&view.fit.source);
    return status;
}

/* ---- The loss ---- */

static double squared_error(const transfer_set *self, const float *scores, const float *targets, float *slope) {
    double sum = 0.0;
    for (size_t j = 0; j < self->outputs; j++) {
        const double off = (double)scores[j] - (double)targets[j];
        sum += 0.5 * self->weight * off * off;
        slope[j] = (float)(self->weight * off);
    }
    return sum;
}

/* A loss_hint's function: the labels play no part. */
static double evaluate(const void *context, const loss_ops *loss, const loss_batch *batch, const size_t *positions,
                       float *slope) {
    const transfer_set *self = context;
    const size_t outputs = batch->outputs;
    double sum = 0.0;
    (void)loss;
    for (size_t i = 0; i < batch->rows; i++) {
        const float *scores = batch->scores + i * outputs, *targets = self->targets + positions[i] * outputs;
        float *own = slope + i * outputs;
        if (self->probabilities) {
            memset(own, 0, outputs * sizeof *own);
            sum += soft_cross_entropy(scores, targets, outputs, 1.0, 1.0, own);
        } else {
            sum += squared_error(self, scores, targets, own);
        }
    }
    return sum;
}

/* Returns what no scores can go below: the entropy of the probabilities. */
static double least_loss(const transfer_set *self) {
    double sum = 0.0;
    for (size_t i = 0; self->probabilities && i < self->rows * self->outputs; i++) {
        const double p = (double)self->targets[i];
        sum -= p > 0.0 ? p * elementary_log(p) : 0.0;
    }
    return sum;
}

cnm_status transfer_set_loss(const transfer_set *self, const fit_session *of, double *loss, cnm_error *err) {
    const size_t cells = self->rows * self->outputs;
    float *scores = NULL, *slope = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&scores, cells, sizeof *scores, "scores", err));
    TRY_DONE(memory_take(&slope, cells, sizeof *slope, "slopes", err));
    TRY_DONE(transfer_set_scores(self, of, scores, err));
    const loss_batch all = {.scores = scores, .rows = self->rows, .outputs = self->outputs};
    const double sum = evaluate(self, of->data->loss, &all, self->order, slope);
    *loss = (sum - least_loss(self)) / (double)self->rows;
done:
    memory_free(scores);
    memory_free(slope);
    return status;
}

/* ---- Fitting ---- */

static double mean_size(const float *values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += fabs((double)values[i]);
    }
    return sum / (double)count;
}

cnm_status transfer_set_fit(const transfer_set *self, transfer_session *student, uint64_t steps, double rate,
                            double map_factor, cnm_error *err) {
    const loss_hint hint = {evaluate, self};
    fit_session *fit = &student->fit;
    train_plan plan = joint_plan(fit);
    engine *runner = NULL;
    cnm_status status = CNM_OK;
    plan.hint = &hint;
    plan.lambda = plan.tensor_decay = plan.tensor_l1 = plan.tensor_l2 = 0.0;
    memset(plan.augment, 0, sizeof plan.augment);
    plan.head_update = plan.map_update = UPDATE_ADAM;
    plan.head_rate = rate * mean_size(fit->head.weights, fit->head.features * fit->head.outputs);
    plan.tensor_rate = map_factor * rate * fit_session_unit(fit);
    plan.phase_rate = rate;
    plan.batch = TRANSFER_BATCH;
    plan.steps = steps;
    fit->batch = TRANSFER_BATCH;
    fit->steps = steps;
    TRY_DONE(fit_session_engine(fit, plan.batch, &runner, err));
    TRY_DONE(joint_run(fit, runner, &plan, err));
done:
    engine_destroy(runner);
    return status;
}
