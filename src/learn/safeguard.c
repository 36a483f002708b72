/* Noticing a runaway, and going back. A step further back than the last piece of work is never needed: what was judged good is kept. */
#include "learn/safeguard.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/training.h"

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

static bool all_finite(const float *values, size_t count) {
    const uint32_t exponent = 0x7f800000; /* all ones: an infinity, or no number */
    bool bad = false;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

/* Keeps the present parameters where they are good; false where they are not. */
static bool keep_good(training *self, const train_plan *plan) {
    const parameters present = list_parameters(self, plan);
    float *out = self->safeguard.good;
    bool good = is_sound(self);
    for (size_t i = 0; good && i < present.arrays; i++) {
        good = all_finite(present.values[i], present.counts[i]);
    }
    for (size_t i = 0; good && i < present.arrays; i++) {
        memcpy(out, present.values[i], present.counts[i] * sizeof *out);
        out += present.counts[i];
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
    const double before = self->loss;
    if (status == CNM_OK) {
        self->loss = 0.0;
        (void)keep_good(self, plan);
        self->loss = before;
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
