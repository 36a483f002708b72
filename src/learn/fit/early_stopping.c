/* Evaluates the present parameters on validation rows, and keeps a copy of the best. */
#include "learn/fit/early_stopping.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/evaluate/metrics.h"

static size_t largest(const float *scores, size_t outputs) {
    size_t best = 0;
    for (size_t j = 1; j < outputs; j++) {
        best = scores[j] > scores[best] ? j : best;
    }
    return outputs == 1 ? scores[0] > 0.0F : best;
}

static double accuracy(const dataset *data, const row_split *split, const float *scores) {
    size_t right = 0;
    for (size_t i = 0; i < split->held_count; i++) {
        right += largest(scores + i * data->outputs, data->outputs) == (size_t)data->codes[split->held[i]];
    }
    return (double)right / (double)split->held_count;
}

/* Returns 1 - mean squared error: targets have deviation 1, so this is R2 but for the mean of the
 * validation rows. */
static double r_squared(const dataset *data, const row_split *split, const float *scores) {
    double sum = 0.0;
    for (size_t i = 0; i < split->held_count; i++) {
        const double error = (double)scores[i] - (double)data->targets[split->held[i]];
        sum += error * error;
    }
    return 1.0 - sum / (double)split->held_count;
}

/* Returns the mean loss on the validation rows. work (outputs) takes the slopes. */
static double mean_loss(const dataset *data, const train_plan *plan, const row_split *split, const float *scores,
                        float *work) {
    double sum = 0.0;
    for (size_t i = 0; i < split->held_count; i++) {
        const int32_t class = data->codes == NULL ? 0 : data->codes[split->held[i]];
        const float target = data->targets == NULL ? 0.0F : data->targets[split->held[i]];
        const loss_batch one = {.rows = 1,
                                .outputs = data->outputs,
                                .scores = scores + i * data->outputs,
                                .classes = &class,
                                .targets = &target,
                                .parameter = plan->loss_parameter};
        sum += plan->loss->evaluate(&one, work);
    }
    return sum / (double)split->held_count;
}

static cnm_status keep_best(early_stopping *self, const map *present, const linear_head *head, cnm_error *err) {
    const size_t count = (head->features + 1) * head->outputs;
    map *copy = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(map_copy(&copy, present, err));
    if (self->weights == NULL) {
        TRY_DONE(memory_take(&self->weights, count, sizeof *self->weights, "the best head", err));
    }
    map_destroy(self->map);
    self->map = copy;
    copy = NULL;
    memcpy(self->weights, head->weights, count * sizeof *self->weights);
    self->any = true;
done:
    map_destroy(copy);
    return status;
}

cnm_status early_stopping_update(early_stopping *self, engine *runner, const train_plan *plan, const dataset *data,
                                 const row_split *split, const map *present, const linear_head *head, bool *improved,
                                 double *score, cnm_error *err) {
    const bool named = data->settings->metric > METRIC_ACCURACY;
    const size_t cells = split->held_count * data->outputs;
    float *scores;
    double loss = 0.0;
    cnm_status status = CNM_OK;
    *improved = false;
    TRY(memory_take(&scores, cells + data->outputs, sizeof *scores, "scores of validation rows", err));
    TRY_DONE(engine_scores(runner, plan, split->held, split->held_count, scores, err));
    if (named) {
        TRY_DONE(metric_loss(data, split->held, split->held_count, scores, &loss, err));
    }
    *score = data->codes != NULL ? accuracy(data, split, scores) : r_squared(data, split, scores);
    if (!named) {
        loss = mean_loss(data, plan, split, scores, scores + cells);
    }
    *improved =
        !self->any || (!named && *score > self->score) || ((named || *score == self->score) && loss < self->loss);
    if (*improved) {
        self->score = *score;
        self->loss = loss;
        TRY_DONE(keep_best(self, present, head, err));
    }
done:
    memory_free(scores);
    return status;
}

void early_stopping_restore(const early_stopping *self, map *target, linear_head *head) {
    if (!self->any) {
        return;
    }
    map_assign(target, self->map);
    memcpy(head->weights, self->weights, (head->features + 1) * head->outputs * sizeof(float));
}

void early_stopping_free(early_stopping *self) {
    map_destroy(self->map);
    memory_free(self->weights);
    *self = (early_stopping){0};
}
