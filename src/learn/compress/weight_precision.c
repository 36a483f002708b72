/* Chooses 16 or 32 bits for a finished model.
 *
 * --dtype auto predicts up to SAMPLE training rows, in PARTS stretches over all of them. Rounded
 * weights are kept where at most one prediction in 1,000 changes; in regression, where the squared
 * change is at most 1e-6 of the scores' variance. A map without a head keeps 32 bits: how its
 * features will be used is not known. */
#include "learn/compress/weight_precision.h"

#include <math.h>
#include <string.h>

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/core/try.h"

enum { PARTS = 32, PART_ROWS = 64, SAMPLE = PARTS * PART_ROWS, ARRAYS = MAP_ARRAYS + 2, CHANGES_ONE_IN = 1000 };

static const double REGRESSION_CHANGE = 1e-6;

/* ---- The arrays ---- */

typedef struct weight_array {
    float *values;
    size_t count;
} weight_array;

typedef struct weight_arrays {
    weight_array items[ARRAYS];
    size_t count, total; /* total: elements of all arrays */
} weight_arrays;

static void list_array(weight_arrays *self, float *values, size_t count) {
    if (values != NULL) {
        self->items[self->count++] = (weight_array){values, count};
        self->total += count;
    }
}

static weight_arrays list_arrays(const cnm_model *model) {
    const map *own = model->map;
    weight_arrays out = {0};
    map_array arrays[MAP_ARRAYS];
    const size_t count = map_list(own, arrays);
    for (size_t i = 0; i < count; i++) {
        if (arrays[i].tensor == NULL || !arrays[i].tensor->signs) {
            list_array(&out, *arrays[i].values, arrays[i].rows * arrays[i].columns);
        }
    }
    list_array(&out, model->weights, own->features * model->outputs);
    list_array(&out, model->bias, model->outputs);
    return out;
}

/* Copies all arrays into `all`, or back. */
static void copy_arrays(const weight_arrays *self, float *all, bool back) {
    for (size_t i = 0; i < self->count; i++) {
        const size_t bytes = self->items[i].count * sizeof *all;
        memcpy(back ? self->items[i].values : all, back ? all : self->items[i].values, bytes);
        all += self->items[i].count;
    }
}

/* Moves the phases of a cosine to [-pi, pi), where half precision is finer. */
static void reduce_phases(layer *self) {
    const double turn = 6.28318530717958647692;
    float *phase = self->phase;
    const bool periodic = phase != NULL && self->activation->periodic;
    for (size_t i = 0; periodic && i < self->features; i++) {
        phase[i] = (float)((double)phase[i] - turn * floor((double)phase[i] / turn + 0.5));
    }
}

static void round_arrays(const cnm_model *model, const weight_arrays *arrays) {
    for (size_t i = 0; i < model->map->layer_count; i++) {
        reduce_phases(model->map->layers[i]);
    }
    for (size_t i = 0; i < arrays->count; i++) {
        float16_round(arrays->items[i].values, arrays->items[i].count);
    }
    map_refresh(model->map);
}

/* ---- Predictions for the sample ---- */

static cnm_status score_sample(const cnm_model *model, const rows_view *rows, size_t threads, float *scores,
                               cnm_error *err) {
    const size_t parts = rows->rows <= SAMPLE ? 1 : PARTS, each = rows->rows <= SAMPLE ? rows->rows : PART_ROWS;
    for (size_t i = 0; i < parts; i++) {
        const size_t first = i == 0 ? 0 : (rows->rows - each) / (parts - 1) * i;
        const rows_view part = rows_slice(*rows, first, each);
        TRY(model_scores(model, &part, threads, scores + i * each * model->outputs, err));
    }
    return CNM_OK;
}

static bool same_classes(const cnm_model *model, size_t rows, const float *before, const float *after) {
    size_t changed = 0;
    for (size_t i = 0; i < rows; i++) {
        changed += model_decide(model, before + i * model->outputs) != model_decide(model, after + i * model->outputs);
    }
    return changed <= rows / CHANGES_ONE_IN;
}

static bool same_targets(size_t rows, const float *before, const float *after) {
    double mean = 0.0, variance = 0.0, change = 0.0;
    for (size_t i = 0; i < rows; i++) {
        mean += (double)before[i] / (double)rows;
    }
    for (size_t i = 0; i < rows; i++) {
        const double distance = (double)before[i] - mean, difference = (double)after[i] - (double)before[i];
        variance += distance * distance;
        change += difference * difference;
    }
    return change <= REGRESSION_CHANGE * variance;
}

/* Rounds the arrays, and restores them where predictions change. *kept: whether they stay
 * rounded. */
static cnm_status try_half(cnm_model *model, const rows_view *rows, size_t threads, bool *kept, cnm_error *err) {
    const weight_arrays arrays = list_arrays(model);
    const size_t sample = rows->rows < SAMPLE ? rows->rows : SAMPLE, scores = sample * model->outputs;
    float *exact = NULL, *before = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&exact, arrays.total, sizeof *exact, "weights", err));
    TRY_DONE(memory_take(&before, 2 * scores, sizeof *before, "scores", err));
    copy_arrays(&arrays, exact, false);
    TRY_DONE(score_sample(model, rows, threads, before, err));
    round_arrays(model, &arrays);
    TRY_DONE(score_sample(model, rows, threads, before + scores, err));
    *kept = model->task == TASK_CLASSIFY ? same_classes(model, sample, before, before + scores)
                                         : same_targets(sample, before, before + scores);
    if (!*kept) {
        copy_arrays(&arrays, exact, true);
        map_refresh(model->map);
    }
done:
    memory_free(exact);
    memory_free(before);
    return status;
}

cnm_status weight_precision_apply(cnm_model *model, const rows_view *rows, const settings *wanted, cnm_error *err) {
    bool half = wanted->dtype == DTYPE_F16;
    if (half) {
        const weight_arrays arrays = list_arrays(model);
        round_arrays(model, &arrays);
    } else if (wanted->dtype == DTYPE_AUTO && model->task != TASK_MAP) {
        TRY(try_half(model, rows, (size_t)wanted->threads, &half, err));
    }
    return record_set(&model->record, "dtype", half ? "f16" : "f32", err);
}
