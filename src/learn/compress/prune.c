/* The importance of a feature is how much the scores vary with it,
 *
 *   importance_i = deviation of z_i over training rows * |w_i|
 *
 * where w_i is its row of the head, for softmax less its mean over the outputs, which a softmax
 * does not depend on. The mean of a pruned feature is added to the intercept. Only features of a
 * dense last layer are pruned: those of a circulant one share their parameters, and what a feature
 * of an inner layer is worth the head does not tell. */
#include "learn/compress/prune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/fit/fit_joint.h"
#include "learn/fit/fit_steps.h"
#include "learn/fit/frozen_map.h"
#include "math/gemm/gemm.h"

enum { SAMPLE = 4096, SHARE_OF_STEPS = 5, EVALUATIONS = 5 };

cnm_status prune_check(const fit_session *self, cnm_error *err) {
    return self->data->settings->prune == 0.0 || projection_find(self->spec.projection)->own_parameters
               ? CNM_OK
               : error_set(err, CNM_UNSUPPORTED,
                           "--prune needs --projection dense, or a dense last layer: features of a %s map share their "
                           "parameters, and none "
                           "can be taken out alone",
                           self->spec.projection);
}

/* ---- The importance of features ---- */

/* Adds z and z^2 of the rows of a block to mean and square (features). */
static void add_features(const fit_session *self, const rows_view *rows, float *z, float *scratch, double *mean,
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

/* Fills mean and deviation (features) of z, without the map's scale, over up to SAMPLE training
 * rows, evenly spread. */
static cnm_status measure_features(const fit_session *self, double *mean, double *deviation, cnm_error *err) {
    const size_t k = self->map->features, all = self->split.train_count, count = all < SAMPLE ? all : SAMPLE;
    size_t order[GEMM_ROWS];
    input_block block = {0};
    float *z = NULL, *scratch = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(input_block_create(&block, &self->source, GEMM_ROWS, err));
    TRY_DONE(memory_take(&z, k * GEMM_ROWS, sizeof *z, "features", err));
    TRY_DONE(memory_take(&scratch, map_scratch_size(self->map), sizeof *scratch, "scratch", err));
    for (size_t first = 0; first < count; first += GEMM_ROWS) {
        const size_t rows = count - first < GEMM_ROWS ? count - first : GEMM_ROWS;
        for (size_t i = 0; i < rows; i++) {
            order[i] = self->split.train[(size_t)((double)(first + i) * (double)all / (double)count)];
        }
        TRY_DONE(input_take(&self->source, order, 0, rows, &block, err));
        block.view.rows = rows;
        add_features(self, &block.view, z, scratch, mean, deviation);
    }
    for (size_t j = 0; j < k; j++) {
        mean[j] /= (double)count;
        deviation[j] = sqrt(fmax(deviation[j] / (double)count - mean[j] * mean[j], 0.0));
    }
done:
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
    double importance;
    size_t feature;
} ranked;

static int by_importance(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->importance != y->importance ? (x->importance < y->importance) - (x->importance > y->importance)
                                          : (x->feature > y->feature) - (x->feature < y->feature);
}

static int by_feature(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

/* Fills order (features) with the `kept` most important ones, ascending, then the others. */
static void rank_features(const fit_session *self, const double *deviation, size_t kept, ranked *order) {
    const size_t outputs = self->head.outputs;
    const bool centred = outputs > 1 && self->data->loss->centred;
    for (size_t i = 0; i < self->head.features; i++) {
        order[i] = (ranked){deviation[i] * row_norm(self->head.weights + i * outputs, outputs, centred), i};
    }
    qsort(order, self->head.features, sizeof *order, by_importance);
    qsort(order, kept, sizeof *order, by_feature);
}

/* ---- Taking features out ---- */

/* Copies the layers below the last. */
static cnm_status copy_inner(map *out, const map *from, cnm_error *err) {
    for (size_t i = 0; i + 1 < from->layer_count; i++) {
        layer *copy;
        TRY(layer_copy(&copy, from->layers[i], err));
        layer_destroy(out->layers[i]);
        out->layers[i] = copy;
    }
    return CNM_OK;
}

/* Creates a map of the first `kept` features of `order` in its last layer. */
static cnm_status narrow_map(const fit_session *self, const ranked *order, size_t kept, map **out, cnm_error *err) {
    const layer *wide = map_last(self->map);
    layer *narrow;
    map_spec spec = self->spec;
    spec.features = kept;
    spec.phases = wide->phase != NULL;
    TRY(map_create(out, &spec, err));
    TRY(copy_inner(*out, self->map, err));
    narrow = map_last(*out);
    for (size_t i = 0; i < kept; i++) {
        const size_t from = order[i].feature;
        for (size_t j = 0; j < wide->columns; j++) {
            narrow->tensors[0].values[j * kept + i] = wide->tensors[0].values[j * wide->features + from];
        }
        if (wide->phase != NULL) {
            narrow->phase[i] = wide->phase[from];
        }
    }
    return CNM_OK;
}

/* Fills the head. Scores only lose the deviations of the pruned features; the scale of fewer
 * features is larger. */
static void narrow_head(const fit_session *self, const ranked *order, const map *narrow, const double *mean,
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

cnm_status prune_features(fit_session *self, size_t kept, cnm_error *err) {
    const size_t k = self->map->features;
    double *mean = NULL, *deviation = NULL;
    ranked *order = NULL;
    map *narrow = NULL;
    linear_head head = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(memory_zeroed(&mean, k, sizeof *mean, "features", err));
    TRY_DONE(memory_zeroed(&deviation, k, sizeof *deviation, "features", err));
    TRY_DONE(memory_take(&order, k, sizeof *order, "features", err));
    TRY_DONE(measure_features(self, mean, deviation, err));
    rank_features(self, deviation, kept, order);
    TRY_DONE(narrow_map(self, order, kept, &narrow, err));
    TRY_DONE(head_create(&head, kept, self->head.outputs, err));
    narrow_head(self, order, narrow, mean, &head);
    map_destroy(self->map);
    head_free(&self->head);
    self->map = narrow;
    self->head = head;
    self->spec.features = kept;
    narrow = NULL;
done:
    map_destroy(narrow);
    memory_free(mean);
    memory_free(deviation);
    memory_free(order);
    return status;
}

/* ---- Training what is left ---- */

static cnm_status run(fit_session *self, engine *runner, const train_plan *plan, cnm_error *err) {
    const uint64_t stretch = plan->steps / EVALUATIONS + 1;
    progress_meter meter = progress_start(self->data->callbacks, "prune", plan->steps);
    cnm_status status = CNM_OK;
    for (uint64_t step = 1; step <= plan->steps && self->state != FIT_STOPPED; step += stretch) {
        const uint64_t left = plan->steps + 1 - step;
        TRY_DONE(fit_steps_run(self, runner, plan, &meter, step, left < stretch ? left : stretch, err));
        TRY_DONE(fit_steps_validate(self, runner, plan, err));
    }
    checkpoint_finish(self, runner, &meter);
done:
    early_stopping_restore(&self->best, self->map, &self->head);
    return status;
}

static cnm_status retrain(fit_session *self, cnm_error *err) {
    train_plan plan = joint_plan(self);
    engine *runner = NULL;
    cnm_status status = CNM_OK;
    plan.steps = plan.steps / SHARE_OF_STEPS + 1;
    self->steps += plan.steps;
    self->made_before = self->made;
    self->made = 0;
    early_stopping_free(&self->best); /* of the larger map */
    TRY_DONE(fit_session_engine(self, plan.batch, &runner, err));
    TRY_DONE(solve_head(self, &plan, err));
    TRY_DONE(run(self, runner, &plan, err));
done:
    engine_destroy(runner);
    return status;
}

cnm_status prune_run(fit_session *self, size_t *pruned_from, cnm_error *err) {
    const size_t all = self->map->features;
    const double share = self->data->settings->prune;
    const size_t gone = (size_t)(share * (double)all), kept = gone < all ? all - gone : 1;
    if (share == 0.0 || self->state == FIT_STOPPED || kept == all) {
        return CNM_OK;
    }
    *pruned_from = all;
    TRY(prune_features(self, kept, err));
    return retrain(self, err);
}
