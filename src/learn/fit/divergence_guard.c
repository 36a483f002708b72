/* Bounds of loss and parameters, and the parameters of the last chunk of steps within them. */
#include "learn/fit/divergence_guard.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "engine/plan.h"

enum { ZERO_ROWS = 256, PARAMETERS = MAP_ARRAYS + 1 };

static const double BEYOND = 1e6;

/* ---- How large a loss may be ---- */

cnm_status divergence_guard_create(divergence_guard *out, const dataset *data, cnm_error *err) {
    const size_t outputs = data->outputs, all = data->rows.rows;
    float *scores = NULL;
    double sum = 0.0;
    *out = (divergence_guard){.bound = BEYOND};
    if (data->loss == NULL) {
        return CNM_OK;
    }
    TRY(memory_zeroed(&scores, 2 * ZERO_ROWS * outputs, sizeof *scores, "scores", err));
    for (size_t first = 0; first < all; first += ZERO_ROWS) {
        const loss_batch batch = {.rows = all - first < ZERO_ROWS ? all - first : ZERO_ROWS,
                                  .outputs = outputs,
                                  .scores = scores,
                                  .classes = data->codes == NULL ? NULL : data->codes + first,
                                  .targets = data->targets == NULL ? NULL : data->targets + first,
                                  .weights = data->weights == NULL ? NULL : data->weights + first,
                                  .parameter = dataset_loss_parameter(data)};
        sum += data->loss->evaluate(&batch, scores + ZERO_ROWS * outputs);
    }
    out->bound = BEYOND * fmax(1.0, sum / (double)all);
    memory_free(scores);
    return CNM_OK;
}

static bool loss_is_bounded(const fit_session *self) {
    const double bound = self->guard.bound;
    return isfinite(self->loss) && (bound == 0.0 || self->loss <= bound);
}

/* ---- The kept parameters ---- */

typedef struct parameters {
    float *values[PARAMETERS];
    size_t counts[PARAMETERS], arrays, total;
} parameters;

static void list_array(parameters *self, float *values, size_t count) {
    if (values != NULL) {
        self->values[self->arrays] = values;
        self->counts[self->arrays++] = count;
        self->total += count;
    }
}

/* Lists the arrays that the plan trains. */
static parameters list_parameters(const fit_session *self, const train_plan *plan) {
    map_array arrays[MAP_ARRAYS];
    const size_t count = plan->map_update != UPDATE_NONE ? map_list(self->map, arrays) : 0;
    parameters out = {0};
    if (plan->head_update != UPDATE_NONE) {
        list_array(&out, self->head.weights, (self->head.features + 1) * self->head.outputs);
    }
    for (size_t i = 0; i < count; i++) {
        const bool learned = arrays[i].tensor == NULL || arrays[i].tensor->learned;
        list_array(&out, learned ? *arrays[i].values : NULL, arrays[i].rows * arrays[i].columns);
    }
    return out;
}

/* Returns the bits of a float without its sign. They are in the order of absolute values, with
 * infinity and NaN last. */
static uint32_t size_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x7fffffff;
}

static uint32_t largest(const float *values, size_t count) {
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t size = size_bits(values[i]);
        most = size > most ? size : most;
    }
    return most;
}

/* Penalties and products of parameters above the limit would overflow, however small the steps. */
void divergence_guard_measure(fit_session *self) {
    static const train_plan WHOLE = {.head_update = UPDATE_SGD, .map_update = UPDATE_SGD};
    enum { FACTOR = 12 << 23 }; /* 2^12, as added to the bits of a float */
    const uint32_t infinity = 0x7f800000;
    if (self->guard.limit != 0) {
        return;
    }
    const parameters initial = list_parameters(self, &WHOLE);
    uint32_t limit = size_bits(0x1p64F);
    for (size_t i = 0; i < initial.arrays; i++) {
        const uint32_t most = largest(initial.values[i], initial.counts[i]) + FACTOR;
        limit = most > limit ? most : limit;
    }
    self->guard.limit = limit < infinity ? limit : infinity - 1;
}

static void keep(fit_session *self, const train_plan *plan) {
    const parameters present = list_parameters(self, plan);
    float *out = self->guard.kept;
    for (size_t i = 0; i < present.arrays; i++) {
        memcpy(out, present.values[i], present.counts[i] * sizeof *out);
        out += present.counts[i];
    }
}

/* Keeps the present parameters where loss and parameters are within bounds; returns whether they
 * are. */
static bool keep_bounded(fit_session *self, const train_plan *plan) {
    const parameters present = list_parameters(self, plan);
    bool bounded = loss_is_bounded(self);
    for (size_t i = 0; bounded && i < present.arrays; i++) {
        bounded = largest(present.values[i], present.counts[i]) <= self->guard.limit;
    }
    if (bounded) {
        keep(self, plan);
    }
    return bounded;
}

static void restore(fit_session *self, engine *runner, const train_plan *plan) {
    const parameters present = list_parameters(self, plan);
    const float *in = self->guard.kept;
    for (size_t i = 0; i < present.arrays; i++) {
        memcpy(present.values[i], in, present.counts[i] * sizeof *in);
        in += present.counts[i];
    }
    map_refresh(self->map);
    engine_forget(runner);
}

cnm_status divergence_guard_begin(fit_session *self, const train_plan *plan, cnm_error *err) {
    const size_t total = list_parameters(self, plan).total;
    TRY(memory_grow(&self->guard.kept, &self->guard.capacity, total + 1, sizeof(float), "the last parameters", err));
    keep(self, plan);
    return CNM_OK;
}

/* ---- Steps ---- */

/* Lowers the rates once more, from the kept parameters on. One step first: it shows whether their
 * loss is finite at all. */
static cnm_status lower_rates(fit_session *self, engine *runner, const train_plan *plan, uint64_t first,
                              cnm_error *err) {
    train_plan careful = *plan;
    careful.lowered = ++self->guard.lowered;
    TRY(engine_run(runner, &careful, first, 1, &self->loss, err));
    if (!loss_is_bounded(self)) {
        return error_set(err, CNM_BAD_DATA,
                         "the training ran out of the range of numbers at step %llu: columns or targets are too large, "
                         "scale them (--scale standard)",
                         (unsigned long long)first);
    }
    if (self->guard.lowered > DIVERGENCE_GUARD_MOST) {
        return error_set(err, CNM_BAD_DATA,
                         "the training diverges after step %llu, however small its steps: scale the columns "
                         "(--scale standard), take a smaller --theta-penalty or another --lambda",
                         (unsigned long long)(first - 1));
    }
    restore(self, runner, plan);
    return CNM_OK;
}

cnm_status divergence_guard_run(fit_session *self, engine *runner, const train_plan *plan, uint64_t first,
                                uint64_t steps, cnm_error *err) {
    const uint64_t before = self->guard.lowered;
    train_plan careful = *plan;
    careful.lowered = before;
    TRY(engine_run(runner, &careful, first, steps, &self->loss, err));
    while (!keep_bounded(self, plan)) {
        restore(self, runner, plan);
        if (self->role == FIT_TRIAL) {
            self->state = FIT_DIVERGED;
            return CNM_OK;
        }
        TRY(lower_rates(self, runner, plan, first, err));
        careful.lowered = self->guard.lowered;
        TRY(engine_run(runner, &careful, first, steps, &self->loss, err));
    }
    if (self->guard.lowered > before) {
        notice_send(
            self->data->callbacks,
            "the training diverged after step %llu: it went back there, and its steps are %llu times smaller now",
            (unsigned long long)(first - 1), 1ULL << RATE_BITS * self->guard.lowered);
    }
    return CNM_OK;
}
