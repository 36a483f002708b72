/* Choosing 16 or 32 bits for a finished model.
 *
 * --weights auto looks at up to SAMPLE training rows, in PLACES stretches over all of them. Rounded weights are kept where at most one
 * prediction in 1,000 changes: classes; for numbers, the squared change is at most 1e-6 of the scores' variance. A map alone keeps
 * 32 bits: what its features are for is not known here. */
#include "learn/compress/weight_precision.h"

#include <math.h>
#include <string.h>

#include "base/core/float16.h"
#include "base/core/memory.h"

enum { PLACES = 32, PLACE_ROWS = 64, SAMPLE = PLACES * PLACE_ROWS, ARRAYS = MAP_TENSORS + 3, CHANGES_ONE_IN = 1000 };

static const double NUMBERS_CHANGE = 1e-6;

/* ---- The arrays ---- */

typedef struct weight_array {
    float *values;
    size_t count;
} weight_array;

typedef struct weight_arrays {
    weight_array items[ARRAYS];
    size_t count, total; /* total: numbers in all of them */
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
    for (size_t i = 0; i < own->tensor_count; i++) {
        if (!own->tensors[i].signs) {
            list_array(&out, own->tensors[i].values, own->tensors[i].rows * own->tensors[i].columns);
        }
    }
    list_array(&out, own->phase, own->features);
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

/* Phases of a cosine first go to [-pi, pi), where halves lie closer together. */
static void round_arrays(const cnm_model *model, const weight_arrays *arrays) {
    const double turn = 6.28318530717958647692;
    float *phase = model->map->phase;
    const bool periodic = phase != NULL && strcmp(model->map->activation->name, "cos") == 0;
    for (size_t i = 0; periodic && i < model->map->features; i++) {
        phase[i] = (float)((double)phase[i] - turn * floor((double)phase[i] / turn + 0.5));
    }
    for (size_t i = 0; i < arrays->count; i++) {
        half_round(arrays->items[i].values, arrays->items[i].count);
    }
    map_refresh(model->map);
}

/* ---- Predictions for the sample ---- */

static cnm_status score_sample(const cnm_model *model, const rows_view *rows, size_t threads, float *scores,
                               cnm_error *err) {
    const size_t places = rows->rows <= SAMPLE ? 1 : PLACES, each = rows->rows <= SAMPLE ? rows->rows : PLACE_ROWS;
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < places; i++) {
        const size_t first = i == 0 ? 0 : (rows->rows - each) / (places - 1) * i;
        const rows_view part = rows_slice(*rows, first, each);
        status = model_scores(model, &part, threads, scores + i * each * model->outputs, err);
    }
    return status;
}

static bool same_classes(const cnm_model *model, size_t rows, const float *before, const float *after) {
    size_t changed = 0;
    for (size_t i = 0; i < rows; i++) {
        changed += model_decide(model, before + i * model->outputs) != model_decide(model, after + i * model->outputs);
    }
    return changed <= rows / CHANGES_ONE_IN;
}

static bool same_numbers(size_t rows, const float *before, const float *after) {
    double mean = 0.0, variance = 0.0, change = 0.0;
    for (size_t i = 0; i < rows; i++) {
        mean += (double)before[i] / (double)rows;
    }
    for (size_t i = 0; i < rows; i++) {
        const double distance = (double)before[i] - mean, difference = (double)after[i] - (double)before[i];
        variance += distance * distance;
        change += difference * difference;
    }
    return change <= NUMBERS_CHANGE * variance;
}

/* Rounds, and takes it back where predictions change; *kept says which. */
static cnm_status try_rounding(cnm_model *model, const rows_view *rows, size_t threads, bool *kept, cnm_error *err) {
    const weight_arrays arrays = list_arrays(model);
    const size_t sample = rows->rows < SAMPLE ? rows->rows : SAMPLE, scores = sample * model->outputs;
    float *exact = NULL, *before = NULL;
    cnm_status status = memory_take(&exact, arrays.total, sizeof *exact, "weights", err);
    if (status == CNM_OK) {
        status = memory_take(&before, 2 * scores, sizeof *before, "scores", err);
    }
    if (status == CNM_OK) {
        copy_arrays(&arrays, exact, false);
        status = score_sample(model, rows, threads, before, err);
    }
    if (status == CNM_OK) {
        round_arrays(model, &arrays);
        status = score_sample(model, rows, threads, before + scores, err);
        *kept = status == CNM_OK && (model->task == TASK_CLASSIFY ? same_classes(model, sample, before, before + scores)
                                                                  : same_numbers(sample, before, before + scores));
        if (!*kept) {
            copy_arrays(&arrays, exact, true);
            map_refresh(model->map);
        }
    }
    memory_free(exact);
    memory_free(before);
    return status;
}

cnm_status rounding_apply(cnm_model *model, const rows_view *rows, const settings *wanted, cnm_error *err) {
    bool half = wanted->weights == WEIGHTS_HALF;
    cnm_status status = CNM_OK;
    if (half) {
        const weight_arrays arrays = list_arrays(model);
        round_arrays(model, &arrays);
    } else if (wanted->weights == WEIGHTS_AUTO && model->task != TASK_MAP) {
        status = try_rounding(model, rows, (size_t)wanted->threads, &half, err);
    }
    return status == CNM_OK ? record_set(&model->record, "weights", half ? "f16" : "f32", err) : status;
}
