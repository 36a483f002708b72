/* One temperature T for all classes (Platt's and Guo's scaling without an intercept), so that the most probable class stays the one
 * with the largest score: with t = 1 / T
 *
 *   minimise over t the mean of  log(sum over j of exp(t s_j)) - t ((1 - e) s_y + e mean of the s_j, j not y),   e = 1 / (n + 2)
 *
 * which is convex in t. The share e of the other classes is Platt's: it keeps T above 0 where every row is on its right side. */
#include "learn/calibrate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/shift.h"
#include "math/elementary.h"

enum { LEAST_HELD = 8, MOST_HELD = 4000, SHARE_OF_STEPS = 5, LEAST_STEPS = 2000, ROUNDS = 60 };

typedef struct calibration {
    const float *scores;
    size_t count, outputs, classes;
    const int32_t *truth;
    const float *weights;
    double smoothing; /* e */
} calibration;

static double score_of(const calibration *self, size_t i, size_t j) {
    return self->outputs > 1 ? (double)self->scores[i * self->outputs + j] : j == 1 ? (double)self->scores[i] : 0.0;
}

/* First and second derivative of one row's term: the mean of s under softmax(t s) less the wanted one, and its variance. */
static void row_slopes(const calibration *self, size_t i, double t, double *slope, double *curve) {
    const size_t truth = (size_t)self->truth[i];
    double largest = -INFINITY, sum = 0.0, mean = 0.0, square = 0.0, others = 0.0;
    for (size_t j = 0; j < self->classes; j++) {
        largest = fmax(largest, score_of(self, i, j));
    }
    for (size_t j = 0; j < self->classes; j++) {
        const double s = score_of(self, i, j) - largest, share = elementary_exp(t * s);
        sum += share;
        mean += share * s;
        square += share * s * s;
        others += j == truth ? 0.0 : s;
    }
    mean /= sum;
    *curve = square / sum - mean * mean;
    *slope = mean - (1.0 - self->smoothing) * (score_of(self, i, truth) - largest) -
             self->smoothing * others / (double)(self->classes - 1);
}

static void all_slopes(const calibration *self, double t, double *slope, double *curve) {
    *slope = *curve = 0.0;
    for (size_t i = 0; i < self->count; i++) {
        const double weight = self->weights == NULL ? 1.0 : (double)self->weights[i];
        double first, second;
        row_slopes(self, i, t, &first, &second);
        *slope += weight * first;
        *curve += weight * second;
    }
}

/* Newton's steps on t, inside a bracket that shrinks. */
double calibrate_temperature(const float *scores, size_t count, size_t outputs, const int32_t *classes,
                             const float *weights) {
    const calibration self = {
        scores, count, outputs, outputs > 1 ? outputs : 2, classes, weights, 1.0 / ((double)count + 2.0)};
    double low = 1e-6, high = 1e6, t = 1.0;
    for (int round = 0; round < ROUNDS && high - low > 1e-9 * high; round++) {
        double slope, curve;
        all_slopes(&self, t, &slope, &curve);
        *(slope < 0.0 ? &low : &high) = t;
        const double next = curve > 0.0 ? t - slope / curve : 0.0;
        const double before = t;
        t = next > low && next < high ? next : sqrt(low * high);
        if (fabs(t - before) <= 1e-9 * t) {
            break;
        }
    }
    return 1.0 / t;
}

/* ---- Rows to calibrate on ---- */

static bool has_margins(const training *self) {
    static const char *const MARGINS[] = {"hinge", "squared-hinge", "crammer-singer"};
    for (size_t i = 0; self->problem.loss != NULL && i < sizeof MARGINS / sizeof MARGINS[0]; i++) {
        if (strcmp(self->problem.loss->name, MARGINS[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_separate(const training *self) {
    return self->problem.outputs > 1 && strcmp(self->problem.loss->name, "logistic") == 0;
}

/* Keeps MOST_HELD positions, evenly spread. */
static void thin(row_split *split) {
    if (split->held_count > MOST_HELD) {
        for (size_t i = 0; i < MOST_HELD; i++) {
            split->held[i] = split->held[(size_t)((double)i * (double)split->held_count / MOST_HELD)];
        }
        split->held_count = MOST_HELD;
    }
}

/* T from the engine's scores of the held rows; and the shift for F1, which needs the same rows. */
static cnm_status find_temperature(const training *self, engine *runner, const train_plan *plan, double *out,
                                   cnm_error *err) {
    const size_t count = self->split.held_count, outputs = self->problem.outputs;
    float *scores = NULL, *weights = NULL;
    int32_t *classes = NULL;
    cnm_status status = memory_take(&scores, count * outputs, sizeof *scores, "scores of held rows", err);
    if (status == CNM_OK) {
        status = memory_take(&classes, count, sizeof *classes, "labels of held rows", err);
    }
    if (status == CNM_OK) {
        status = memory_take(&weights, count, sizeof *weights, "weights of held rows", err);
    }
    if (status == CNM_OK) {
        status = engine_scores(runner, plan, self->split.held, count, scores, err);
    }
    if (status == CNM_OK) {
        for (size_t i = 0; i < count; i++) {
            classes[i] = self->problem.codes[self->split.held[i]];
            weights[i] = self->problem.weights == NULL ? 1.0F : self->problem.weights[self->split.held[i]];
        }
        *out = calibrate_temperature(scores, count, outputs, classes, weights);
        if (self->shift != NULL && self->problem.settings->metric == METRIC_F1) {
            status = shift_f1(scores, count, outputs, weights, *out, self->shift, err);
        }
    }
    memory_free(scores);
    memory_free(classes);
    memory_free(weights);
    return status;
}

static cnm_status calibrate_held(training *self, double *out, cnm_error *err) {
    const train_plan plan = {.loss = self->problem.loss,
                             .loss_parameter = self->problem.loss->parameter,
                             .feature_scale = self->feature_scale,
                             .batch = 1,
                             .steps = 1};
    engine *runner;
    thin(&self->split);
    cnm_status status = training_engine(self, plan.batch, &runner, err);
    if (status == CNM_OK) {
        status = find_temperature(self, runner, &plan, out, err);
    }
    engine_destroy(runner);
    return status;
}

/* ---- A second training on four fifths of the rows ---- */

/* The head's steps of this training, a fifth of them where they are many, on a map that stays as it is. */
static train_plan shorter_plan(training *self) {
    train_plan plan = head_plan(self);
    const uint64_t some = plan.steps / SHARE_OF_STEPS, least = some < LEAST_STEPS ? LEAST_STEPS : some;
    plan.steps = plan.steps < least ? plan.steps : least;
    plan.average_from = plan.average_from > 0 ? plan.steps / 2 : 0;
    plan.reuse = plan.steps;
    return plan;
}

/* Runs a plan on the trial's rows, then finds T. Where the caller stops it there is none. */
static cnm_status run_trial(training *trial, const train_plan *plan, double *out, cnm_error *err) {
    progress_meter meter = progress_start(trial->problem.callbacks, "calibrate", plan->steps);
    engine *runner;
    cnm_status status = training_engine(trial, plan->batch, &runner, err);
    if (status == CNM_OK) {
        status = training_run(trial, runner, plan, &meter, 1, plan->steps, err);
    }
    if (status == CNM_OK && !trial->stopped) {
        checkpoint_finish(trial, runner, &meter);
        engine_use_average(runner);
        status = find_temperature(trial, runner, plan, out, err);
    }
    engine_destroy(runner);
    return status;
}

/* Labels play no part in the map: it is taken as it is. */
static cnm_status calibrate_head(training *trial, double *out, cnm_error *err) {
    cnm_status status = head_create(&trial->head, trial->map->features, trial->problem.outputs, err);
    if (status == CNM_OK) {
        const train_plan plan = shorter_plan(trial);
        status = run_trial(trial, &plan, out, err);
    }
    return status;
}

/* Half the turns; no row judges while it trains. */
static cnm_status calibrate_alternating(training *trial, double *out, cnm_error *err) {
    const size_t held = trial->split.held_count;
    settings shorter = *trial->problem.settings;
    shorter.iterations = (alternating_turns(&shorter) + 1) / 2;
    trial->problem.settings = &shorter;
    trial->split.held_count = 0;
    cnm_status status = fit_alternating(trial, err);
    trial->split.held_count = held;
    return status == CNM_OK && !trial->stopped ? calibrate_held(trial, out, err) : status;
}

/* Map and head from their beginning. */
static cnm_status calibrate_learned(training *trial, const cnm_model *start, double *out, cnm_error *err) {
    cnm_status status = training_begin(trial, start, err);
    if (status == CNM_OK && trial->problem.settings->recipe == RECIPE_ALTERNATING) {
        status = calibrate_alternating(trial, out, err);
    } else if (status == CNM_OK) {
        trial->recipe.steps = (trial->recipe.steps + 1) / 2;
        const train_plan plan = joint_plan(trial);
        status = run_trial(trial, &plan, out, err);
    }
    input_unbind(&trial->source);
    map_destroy(trial->map);
    return status;
}

static cnm_status calibrate_apart(training *self, const cnm_model *start, double *out, cnm_error *err) {
    const bool learned = self->problem.settings->method == METHOD_CNM;
    training trial = *self;
    trial.head = (linear_head){0};
    trial.best = (best_so_far){0};
    trial.deadline = 0.0;
    trial.safeguard.good = NULL;
    trial.safeguard.capacity = 0;
    trial.finished = self;
    cnm_status status = split_create_spread(&trial.split, &self->problem, 0, err);
    thin(&trial.split);
    if (status == CNM_OK && trial.split.held_count >= LEAST_HELD && trial.split.train_count >= LEAST_HELD) {
        const uint64_t rows = trial.split.train_count;
        trial.recipe.batch = trial.recipe.batch < rows ? trial.recipe.batch : rows;
        if (learned) {
            trial.map = NULL;
            trial.source = (input_source){0};
            status = calibrate_learned(&trial, start, out, err);
        } else {
            status = calibrate_head(&trial, out, err);
        }
    }
    self->stopped = trial.stopped;
    head_free(&trial.head);
    safeguard_free(&trial.safeguard);
    split_free(&trial.split);
    return status;
}

static cnm_status find_rows(training *self, const cnm_model *start, cnm_error *err) {
    if (self->split.held_count >= LEAST_HELD) {
        return calibrate_held(self, &self->temperature, err);
    }
    return self->problem.settings->time_limit > 0.0 ? CNM_OK : calibrate_apart(self, start, &self->temperature, err);
}

static void settle_shift(training *self) {
    const bool known = self->temperature > 0.0;
    if (self->problem.settings->metric == METRIC_BALANCED) {
        shift_balanced(&self->problem, known ? self->temperature : 1.0, self->shift);
    } else if (!known && !self->stopped) {
        notice_send(
            self->problem.callbacks,
            "--metric f1 shifts no class: rows are too few to hold some back, or --time-limit leaves no time to "
            "train without them; --validation holds rows back");
        memory_free(self->shift);
        self->shift = NULL;
    }
    if (is_separate(self)) { /* its probabilities are sigmoids, which have none */
        self->temperature = 0.0;
    }
}

cnm_status calibrate(training *self, const cnm_model *start, cnm_error *err) {
    cnm_status status = CNM_OK;
    self->temperature = 0.0;
    if (shift_wanted(&self->problem)) {
        status = memory_zeroed(&self->shift, self->problem.outputs, sizeof *self->shift, "shifts", err);
    }
    if (status == CNM_OK && !self->stopped && (self->shift != NULL || has_margins(self))) {
        status = find_rows(self, start, err);
    }
    if (status == CNM_OK && self->shift != NULL) {
        settle_shift(self);
    }
    return status;
}
