/* Held-back rows: the split, and the best parameters seen on them. */
#include "learn/dataset/split.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "learn/evaluate/metrics.h"
#include "learn/dataset/split_groups.h"

/* How many rows each class has; one "class" for regression. */
static cnm_status count_classes(const problem *task, size_t **counts, cnm_error *err) {
    const size_t classes = task->codes == NULL ? 1 : task->classes.count;
    const cnm_status status = memory_zeroed(counts, classes, sizeof **counts, "classes", err);
    for (size_t i = 0; status == CNM_OK && i < task->rows.rows; i++) {
        (*counts)[task->codes == NULL ? 0 : (size_t)task->codes[i]]++;
    }
    return status;
}

/* Whether the row of this rank among `count` (of its class, or of all) is held back. */
typedef bool held_rule(size_t rank, size_t count, double parameter);

static bool held_last(size_t rank, size_t count, double fraction) {
    return rank >= count - (size_t)(fraction * (double)count);
}

static bool held_spread(size_t rank, size_t count, double turn) {
    enum { PARTS = 200, LAST = 180, BLOCK = 9 };
    const size_t turned = (rank + (size_t)(turn * (double)count)) % count;
    const size_t part = (size_t)((double)turned * PARTS / (double)count);
    return turned > 0 && (part >= LAST || part % BLOCK == BLOCK - 1);
}

typedef struct split_rule {
    held_rule *held;
    double parameter;
    bool by_class;
} split_rule;

static void take_sides(row_split *out, const problem *task, const split_rule *rule, const size_t *counts,
                       size_t *seen) {
    out->train_count = out->held_count = 0;
    for (size_t i = 0; i < task->rows.rows; i++) {
        const size_t class = task->codes == NULL ? 0 : (size_t)task->codes[i];
        const bool held = rule->by_class ? rule->held(seen[class]++, counts[class], rule->parameter)
                                         : rule->held(i, task->rows.rows, rule->parameter);
        if (held && counts[class] > 1) { /* the only row of a class is one to learn from */
            out->held[out->held_count++] = i;
        } else {
            out->train[out->train_count++] = i;
        }
    }
}

/* Whether each class of some size has about its share among the held rows; seen (classes) is overwritten. */
static bool classes_are_mixed(const row_split *split, const problem *task, const size_t *counts, size_t *seen) {
    enum { SOME = 25 };
    const double share = (double)split->held_count / (double)task->rows.rows;
    bool mixed = true;
    memset(seen, 0, task->classes.count * sizeof *seen);
    for (size_t i = 0; i < split->held_count; i++) {
        seen[task->codes[split->held[i]]]++;
    }
    for (size_t j = 0; j < task->classes.count; j++) {
        const double expected = share * (double)counts[j];
        mixed = mixed && (counts[j] < SOME || ((double)seen[j] > expected / 3.0 && (double)seen[j] < expected * 2.0));
    }
    memset(seen, 0, task->classes.count * sizeof *seen);
    return mixed;
}

static cnm_status split_by(row_split *out, const problem *task, split_rule rule, cnm_error *err) {
    const size_t rows = task->rows.rows;
    size_t *counts = NULL, *seen = NULL;
    *out = (row_split){0};
    cnm_status status = memory_take(&out->train, rows, sizeof *out->train, "a split of rows", err);
    if (status == CNM_OK) {
        status = memory_take(&out->held, rows, sizeof *out->held, "a split of rows", err);
    }
    if (status == CNM_OK) {
        status = count_classes(task, &counts, err);
    }
    if (status == CNM_OK) {
        status = memory_zeroed(&seen, task->codes == NULL ? 1 : task->classes.count, sizeof *seen, "classes", err);
    }
    if (status == CNM_OK) {
        take_sides(out, task, &rule, counts, seen);
        if (!rule.by_class && task->codes != NULL && !classes_are_mixed(out, task, counts, seen)) {
            rule.by_class = true;
            take_sides(out, task, &rule, counts, seen);
        }
    }
    memory_free(counts);
    memory_free(seen);
    if (status == CNM_OK && rule.parameter > 0.0 && out->held_count == 0) {
        status = error_set(err, CNM_BAD_DATA, "%zu rows are too few to hold some back for validation", rows);
    }
    if (status != CNM_OK) {
        split_free(out);
    }
    return status;
}

cnm_status split_create(row_split *out, const problem *task, double fraction, cnm_error *err) {
    if (task->groups != NULL && fraction > 0.0) {
        return split_groups(out, task, fraction, err);
    }
    return split_by(out, task, (split_rule){held_last, fraction, true}, err);
}

cnm_status split_create_spread(row_split *out, const problem *task, size_t fold, cnm_error *err) {
    if (task->groups != NULL) {
        return split_groups_fold(out, task, fold, err);
    }
    return split_by(out, task, (split_rule){held_spread, 0.2 * (double)fold, false}, err);
}

void split_thin(row_split *self, size_t most) {
    if (self->held_count > most) {
        for (size_t i = 0; i < most; i++) {
            self->held[i] = self->held[(size_t)((double)i * (double)self->held_count / (double)most)];
        }
        self->held_count = most;
    }
}

void split_free(row_split *self) {
    memory_free(self->train);
    memory_free(self->held);
    *self = (row_split){0};
}

/* ---- Judging ---- */

static size_t largest(const float *scores, size_t outputs) {
    size_t best = 0;
    for (size_t j = 1; j < outputs; j++) {
        best = scores[j] > scores[best] ? j : best;
    }
    return outputs == 1 ? scores[0] > 0.0F : best;
}

static double accuracy(const problem *task, const row_split *split, const float *scores) {
    size_t right = 0;
    for (size_t i = 0; i < split->held_count; i++) {
        right += largest(scores + i * task->outputs, task->outputs) == (size_t)task->codes[split->held[i]];
    }
    return (double)right / (double)split->held_count;
}

/* 1 - mean squared error: targets have deviation 1, so this is R2 but for the held rows' own mean. */
static double explained(const problem *task, const row_split *split, const float *scores) {
    double sum = 0.0;
    for (size_t i = 0; i < split->held_count; i++) {
        const double error = (double)scores[i] - (double)task->targets[split->held[i]];
        sum += error * error;
    }
    return 1.0 - sum / (double)split->held_count;
}

/* Mean loss on the held rows; the slopes go over the scores' place in `work`. */
static double mean_loss(const problem *task, const train_plan *plan, const row_split *split, const float *scores,
                        float *work) {
    double sum = 0.0;
    for (size_t i = 0; i < split->held_count; i++) {
        const int32_t class = task->codes == NULL ? 0 : task->codes[split->held[i]];
        const float target = task->targets == NULL ? 0.0F : task->targets[split->held[i]];
        const loss_batch one = {.rows = 1,
                                .outputs = task->outputs,
                                .scores = scores + i * task->outputs,
                                .classes = &class,
                                .targets = &target,
                                .parameter = plan->loss_parameter};
        sum += plan->loss->evaluate(&one, work);
    }
    return sum / (double)split->held_count;
}

static cnm_status keep_best(best_so_far *self, const map *present, const linear_head *head, cnm_error *err) {
    const size_t count = (head->features + 1) * head->outputs;
    map *copy;
    cnm_status status = map_copy(&copy, present, err);
    if (status == CNM_OK && self->weights == NULL) {
        status = memory_take(&self->weights, count, sizeof *self->weights, "the best head", err);
    }
    if (status != CNM_OK) {
        map_destroy(copy);
        return status;
    }
    map_destroy(self->map);
    self->map = copy;
    memcpy(self->weights, head->weights, count * sizeof *self->weights);
    self->any = true;
    return CNM_OK;
}

cnm_status best_consider(best_so_far *self, engine *runner, const train_plan *plan, const problem *task,
                         const row_split *split, const map *present, const linear_head *head, bool *improved,
                         cnm_error *err) {
    float *scores;
    *improved = false;
    cnm_status status =
        memory_take(&scores, (split->held_count + 1) * task->outputs, sizeof *scores, "scores of held rows", err);
    if (status == CNM_OK) {
        status = engine_scores(runner, plan, split->held, split->held_count, scores, err);
    }
    const bool named = task->settings->metric > METRIC_ACCURACY;
    double loss = 0.0;
    if (status == CNM_OK && named) {
        status = judge_scores(task, split->held, split->held_count, scores, &loss, err);
    }
    if (status == CNM_OK) {
        const double score = task->codes != NULL ? accuracy(task, split, scores) : explained(task, split, scores);
        if (!named) {
            loss = mean_loss(task, plan, split, scores, scores + split->held_count * task->outputs);
        }
        *improved =
            !self->any || (!named && score > self->score) || ((named || score == self->score) && loss < self->loss);
        if (*improved) {
            self->score = score;
            self->loss = loss;
            status = keep_best(self, present, head, err);
        }
    }
    memory_free(scores);
    return status;
}

void best_restore(const best_so_far *self, map *target, linear_head *head) {
    if (!self->any) {
        return;
    }
    for (size_t i = 0; i < target->tensor_count; i++) {
        if (target->tensors[i].values != NULL) {
            memcpy(target->tensors[i].values, self->map->tensors[i].values,
                   target->tensors[i].rows * target->tensors[i].columns * sizeof(float));
        }
    }
    if (target->phase != NULL) {
        memcpy(target->phase, self->map->phase, target->features * sizeof(float));
    }
    memcpy(head->weights, self->weights, (head->features + 1) * head->outputs * sizeof(float));
    map_refresh(target);
}

void best_free(best_so_far *self) {
    map_destroy(self->map);
    memory_free(self->weights);
    *self = (best_so_far){0};
}
