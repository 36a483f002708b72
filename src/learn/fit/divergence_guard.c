/* Noticing a runaway, and going back. A step further back than the last piece of work is never needed: what was judged good is kept. */
#include "learn/fit/divergence_guard.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "learn/fit/fit_session.h"
#include "learn/objective/optimisers.h"

enum { ZERO_ROWS = 256, PARAMETERS = MAP_TENSORS + 2 };

static const double BEYOND = 1e6;

/* ---- How large a loss may be ---- */

cnm_status safeguard_create(safeguard *out, const problem *task, cnm_error *err) {
    const size_t outputs = task->outputs, all = task->rows.rows;
    float *scores = NULL;
    double sum = 0.0;
    *out = (safeguard){.bound = BEYOND};
    if (task->loss == NULL) {
        return CNM_OK;
    }
    const cnm_status status = memory_zeroed(&scores, 2 * ZERO_ROWS * outputs, sizeof *scores, "scores", err);
    for (size_t first = 0; status == CNM_OK && first < all; first += ZERO_ROWS) {
        const loss_batch batch = {.rows = all - first < ZERO_ROWS ? all - first : ZERO_ROWS,
                                  .outputs = outputs,
                                  .scores = scores,
                                  .classes = task->codes == NULL ? NULL : task->codes + first,
                                  .targets = task->targets == NULL ? NULL : task->targets + first,
                                  .weights = task->weights == NULL ? NULL : task->weights + first,
                                  .parameter = task->loss->parameter};
        sum += task->loss->evaluate(&batch, scores + ZERO_ROWS * outputs);
    }
    out->bound = BEYOND * fmax(1.0, sum / (double)all);
    memory_free(scores);
    return status;
}

void safeguard_free(safeguard *self) {
    memory_free(self->good);
    *self = (safeguard){0};
}

static bool is_sound(const training *self) {
    const double bound = self->safeguard.bound;
    return isfinite(self->loss) && (bound == 0.0 || self->loss <= bound);
}

/* ---- Good parameters ---- */

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

/* What the plan trains. */
static parameters list_parameters(const training *self, const train_plan *plan) {
    const map *own = self->map;
    parameters out = {0};
    if (plan->head_update != NULL) {
        list_array(&out, self->head.weights, (self->head.features + 1) * self->head.outputs);
    }
    if (plan->map_update != NULL) {
        list_array(&out, own->phase, own->features);
    }
    for (size_t i = 0; plan->map_update != NULL && i < own->tensor_count; i++) {
        list_array(&out, own->tensors[i].learned ? own->tensors[i].values : NULL,
                   own->tensors[i].rows * own->tensors[i].columns);
    }
    return out;
}

/* The bits of a float without its sign: they are in the order of sizes, infinities and what is no number behind them. */
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

/* Penalties and products of parameters above it would leave the range of floats, however small the steps. */
void safeguard_measure(training *self) {
    static const train_plan WHOLE = {.head_update = &UPDATE_SGD, .map_update = &UPDATE_SGD};
    enum { FACTOR = 12 << 23 }; /* 2^12, as added to the bits of a float */
    const uint32_t infinity = 0x7f800000;
    if (self->safeguard.limit != 0) {
        return;
    }
    const parameters drawn = list_parameters(self, &WHOLE);
    uint32_t limit = size_bits(0x1p64F);
    for (size_t i = 0; i < drawn.arrays; i++) {
        const uint32_t most = largest(drawn.values[i], drawn.counts[i]) + FACTOR;
        limit = most > limit ? most : limit;
    }
    self->safeguard.limit = limit < infinity ? limit : infinity - 1;
}

static void keep(training *self, const train_plan *plan) {
    const parameters present = list_parameters(self, plan);
    float *out = self->safeguard.good;
    for (size_t i = 0; i < present.arrays; i++) {
        memcpy(out, present.values[i], present.counts[i] * sizeof *out);
        out += present.counts[i];
    }
}

/* Keeps the present parameters where they are good; false where they are not. */
static bool keep_good(training *self, const train_plan *plan) {
    const parameters present = list_parameters(self, plan);
    bool good = is_sound(self);
    for (size_t i = 0; good && i < present.arrays; i++) {
        good = largest(present.values[i], present.counts[i]) <= self->safeguard.limit;
    }
    if (good) {
        keep(self, plan);
    }
    return good;
}

static void go_back(training *self, engine *runner, const train_plan *plan) {
    const parameters present = list_parameters(self, plan);
    const float *in = self->safeguard.good;
    for (size_t i = 0; i < present.arrays; i++) {
        memcpy(present.values[i], in, present.counts[i] * sizeof *in);
        in += present.counts[i];
    }
    map_refresh(self->map);
    engine_forget(runner);
}

cnm_status safeguard_begin(training *self, const train_plan *plan, cnm_error *err) {
    const size_t total = list_parameters(self, plan).total;
    const cnm_status status = memory_grow(&self->safeguard.good, &self->safeguard.capacity, total + 1, sizeof(float),
                                          "the last good parameters", err);
    if (status == CNM_OK) {
        keep(self, plan);
    }
    return status;
}

/* ---- Steps ---- */

/* From the good parameters on, with rates lowered once more; one step first, which tells whether they have a loss at all. */
static cnm_status lower(training *self, engine *runner, const train_plan *plan, uint64_t first, cnm_error *err) {
    train_plan careful = *plan;
    careful.lowered = ++self->safeguard.lowered;
    const cnm_status status = engine_run(runner, &careful, first, 1, &self->loss, err);
    if (status != CNM_OK) {
        return status;
    }
    if (!is_sound(self)) {
        return error_set(err, CNM_BAD_DATA,
                         "the training ran out of the range of numbers at step %llu: columns or targets are too large, "
                         "scale them (--scale standard)",
                         (unsigned long long)first);
    }
    if (self->safeguard.lowered > SAFEGUARD_MOST) {
        return error_set(err, CNM_BAD_DATA,
                         "the training runs away after step %llu, however small its steps: scale the columns "
                         "(--scale standard), take a smaller --theta-penalty or another --lambda",
                         (unsigned long long)(first - 1));
    }
    go_back(self, runner, plan);
    return CNM_OK;
}

cnm_status safeguard_run(training *self, engine *runner, const train_plan *plan, uint64_t first, uint64_t steps,
                         cnm_error *err) {
    const uint64_t before = self->safeguard.lowered;
    train_plan careful = *plan;
    careful.lowered = before;
    cnm_status status = engine_run(runner, &careful, first, steps, &self->loss, err);
    while (status == CNM_OK && !keep_good(self, plan)) {
        go_back(self, runner, plan);
        if (self->trial) {
            self->diverged = true;
            return CNM_OK;
        }
        status = lower(self, runner, plan, first, err);
        if (status == CNM_OK) {
            careful.lowered = self->safeguard.lowered;
            status = engine_run(runner, &careful, first, steps, &self->loss, err);
        }
    }
    if (status == CNM_OK && self->safeguard.lowered > before) {
        notice_send(
            self->problem.callbacks,
            "the training ran away after step %llu: it went back there, and its steps are %llu times smaller now",
            (unsigned long long)(first - 1), 1ULL << RATE_BITS * self->safeguard.lowered);
    }
    return status;
}
