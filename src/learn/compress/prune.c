/* What a feature is worth: how much the scores vary with it,
 *
 *   worth_i = deviation of z_i over training rows * |w_i|,   w_i = its row of the head, less the mean over the outputs for softmax
 *
 * (what all outputs share does not change a softmax). The mean of a feature that goes is put into the intercept, so that the scores lose
 * no more than they must. Only a dense map has features of its own: in a circulant one they share their parameters. */
#include "learn/compress/prune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "learn/fit/frozen_map.h"
#include "math/gemm/gemm.h"

enum { SAMPLE = 4096, SHARE_OF_STEPS = 5, JUDGEMENTS = 5 };

cnm_status prune_check(const training *self, cnm_error *err) {
    return self->problem.settings->prune == 0.0 || strcmp(self->spec.projection, "dense") == 0
               ? CNM_OK
               : error_set(err, CNM_UNSUPPORTED,
                           "--prune needs --projection dense: features of a %s map share their parameters, and none "
                           "can be taken out alone",
                           self->spec.projection);
}

/* ---- What features are worth ---- */

/* mean and square (features) sum up z and z^2 over the rows of a block. */
static void add_features(const training *self, const rows_view *rows, float *z, float *scratch, double *mean,
                         double *square) {
    const size_t k = self->map->features;
    map_features(self->map, rows, 1.0F, z, scratch);
    for (size_t i = 0; i < rows->rows; i++) {
        for (size_t j = 0; j < k; j++) {
            const double value = (double)z[i * k + j];
            mean[j] += value;
            square[j] += value * value;
        }
    }
}

/* mean and deviation (features) of z, without the map's scale, over up to SAMPLE rows that train, evenly spread. */
static cnm_status measure_features(const training *self, double *mean, double *deviation, cnm_error *err) {
    const size_t k = self->map->features, all = self->split.train_count, count = all < SAMPLE ? all : SAMPLE;
    size_t order[GEMM_ROWS];
    input_block block = {0};
    float *z = NULL, *scratch = NULL;
    cnm_status status = input_block_create(&block, &self->source, GEMM_ROWS, err);
    status = status == CNM_OK ? memory_take(&z, k * GEMM_ROWS, sizeof *z, "features", err) : status;
    status =
        status == CNM_OK ? memory_take(&scratch, map_scratch_size(self->map), sizeof *scratch, "scratch", err) : status;
    for (size_t first = 0; status == CNM_OK && first < count; first += GEMM_ROWS) {
        const size_t rows = count - first < GEMM_ROWS ? count - first : GEMM_ROWS;
        for (size_t i = 0; i < rows; i++) {
            order[i] = self->split.train[(size_t)((double)(first + i) * (double)all / (double)count)];
        }
        status = input_take(&self->source, order, 0, rows, &block, err);
        if (status == CNM_OK) {
            block.view.rows = rows;
            add_features(self, &block.view, z, scratch, mean, deviation);
        }
    }
    for (size_t j = 0; status == CNM_OK && j < k; j++) {
        mean[j] /= (double)count;
        deviation[j] = sqrt(fmax(deviation[j] / (double)count - mean[j] * mean[j], 0.0));
    }
    input_block_free(&block);
    memory_free(z);
    memory_free(scratch);
    return status;
}

static double row_norm(const float *row, size_t outputs, bool centred) {
    double mean = 0.0, sum = 0.0;
    for (size_t j = 0; centred && j < outputs; j++) {
        mean += (double)row[j] / (double)outputs;
    }
    for (size_t j = 0; j < outputs; j++) {
        sum += ((double)row[j] - mean) * ((double)row[j] - mean);
    }
    return sqrt(sum);
}

typedef struct ranked {
    double worth;
    size_t feature;
} ranked;

static int by_worth(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->worth != y->worth ? (x->worth < y->worth) - (x->worth > y->worth)
                                : (x->feature > y->feature) - (x->feature < y->feature);
}

static int by_feature(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

/* order (features): the `kept` best ones, ascending, then the others. */
static void rank_features(const training *self, const double *deviation, size_t kept, ranked *order) {
    const size_t outputs = self->head.outputs;
    const bool centred = outputs > 1 && strcmp(self->problem.loss->name, "softmax") == 0;
    for (size_t i = 0; i < self->head.features; i++) {
        order[i] = (ranked){deviation[i] * row_norm(self->head.weights + i * outputs, outputs, centred), i};
    }
    qsort(order, self->head.features, sizeof *order, by_worth);
    qsort(order, kept, sizeof *order, by_feature);
}

/* ---- Taking features out ---- */

/* out: a map of the `kept` first features of order. */
static cnm_status narrow_map(const training *self, const ranked *order, size_t kept, map **out, cnm_error *err) {
    const map *wide = self->map;
    map_spec spec = self->spec;
    spec.features = kept;
    spec.phases = wide->phase != NULL;
    const cnm_status status = map_create(out, &spec, err);
    for (size_t i = 0; status == CNM_OK && i < kept; i++) {
        const size_t from = order[i].feature;
        for (size_t j = 0; j < wide->columns; j++) {
            (*out)->tensors[0].values[j * kept + i] = wide->tensors[0].values[j * wide->features + from];
        }
        if (wide->phase != NULL) {
            (*out)->phase[i] = wide->phase[from];
        }
    }
    return status;
}

/* Scores stay as they are but for the deviations of what goes: the scale of fewer features is larger. */
static void narrow_head(const training *self, const ranked *order, const map *narrow, const double *mean,
                        linear_head *out) {
    const size_t outputs = out->outputs, kept = out->features, all = self->head.features;
    const double ratio = (double)self->map->scale / (double)narrow->scale;
    float *intercept = out->weights + kept * outputs;
    memcpy(intercept, self->head.weights + all * outputs, outputs * sizeof *intercept);
    for (size_t i = 0; i < all; i++) {
        const float *from = self->head.weights + order[i].feature * outputs;
        const double factor = i < kept ? ratio : self->feature_scale * mean[order[i].feature];
        for (size_t j = 0; j < outputs; j++) {
            float *to = i < kept ? out->weights + i * outputs + j : intercept + j;
            *to = (float)((i < kept ? 0.0 : (double)*to) + factor * (double)from[j]);
        }
    }
}

cnm_status prune_features(training *self, size_t kept, cnm_error *err) {
    const size_t k = self->map->features;
    double *mean = NULL, *deviation = NULL;
    ranked *order = NULL;
    map *narrow = NULL;
    linear_head head = {0};
    cnm_status status = memory_zeroed(&mean, k, sizeof *mean, "features", err);
    status = status == CNM_OK ? memory_zeroed(&deviation, k, sizeof *deviation, "features", err) : status;
    status = status == CNM_OK ? memory_take(&order, k, sizeof *order, "features", err) : status;
    status = status == CNM_OK ? measure_features(self, mean, deviation, err) : status;
    if (status == CNM_OK) {
        rank_features(self, deviation, kept, order);
        status = narrow_map(self, order, kept, &narrow, err);
    }
    status = status == CNM_OK ? head_create(&head, kept, self->head.outputs, err) : status;
    if (status == CNM_OK) {
        narrow_head(self, order, narrow, mean, &head);
        map_destroy(self->map);
        head_free(&self->head);
        self->map = narrow;
        self->head = head;
        self->spec.features = kept;
    } else {
        map_destroy(narrow);
        head_free(&head);
    }
    memory_free(mean);
    memory_free(deviation);
    memory_free(order);
    return status;
}

/* ---- Training what is left ---- */

static cnm_status run(training *self, engine *runner, const train_plan *plan, cnm_error *err) {
    const uint64_t stretch = plan->steps / JUDGEMENTS + 1;
    progress_meter meter = progress_start(self->problem.callbacks, "prune", plan->steps);
    cnm_status status = CNM_OK;
    for (uint64_t step = 1; status == CNM_OK && step <= plan->steps && !self->stopped; step += stretch) {
        const uint64_t left = plan->steps + 1 - step;
        status = training_run(self, runner, plan, &meter, step, left < stretch ? left : stretch, err);
        status = status == CNM_OK ? training_judge(self, runner, plan, err) : status;
    }
    if (status == CNM_OK) {
        checkpoint_finish(self, runner, &meter);
    }
    best_restore(&self->best, self->map, &self->head);
    return status;
}

static cnm_status retrain(training *self, cnm_error *err) {
    train_plan plan = joint_plan(self);
    plan.steps = plan.steps / SHARE_OF_STEPS + 1;
    self->steps += plan.steps;
    best_free(&self->best); /* of the larger map */
    engine *runner;
    cnm_status status = training_engine(self, plan.batch, &runner, err);
    status = status == CNM_OK ? solve_head(self, &plan, err) : status;
    status = status == CNM_OK ? run(self, runner, &plan, err) : status;
    engine_destroy(runner);
    return status;
}

cnm_status prune(training *self, cnm_error *err) {
    const size_t all = self->map->features;
    const double share = self->problem.settings->prune;
    const size_t gone = (size_t)(share * (double)all), kept = gone < all ? all - gone : 1;
    if (share == 0.0 || self->stopped || kept == all) {
        return CNM_OK;
    }
    const cnm_status status = prune_features(self, kept, err);
    self->pruned_from = all;
    return status == CNM_OK ? retrain(self, err) : status;
}
