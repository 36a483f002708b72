/* Numbers of steps and rows, and the table of manners. Measured: docs/decisions/0013-automatic-choice.md. */
#include "learn/search/profiles.h"

#include <math.h>
#include <string.h>

#include "learn/distill/distill_ensemble.h"
#include "learn/detect/detect_row_outliers.h"
#include "learn/fit/frozen_map.h"

enum {
    LEAST_STEPS = 5000,
    EPOCHS = 25,
    MOST_EPOCHS = 1000,
    LARGE_MAP_EPOCHS = 250,
    CONTINUED_EPOCHS = 3,
    QUICK_SHARE = 3,
    LARGEST_BATCH = 256,
    SMALLEST_BATCH = 16
};

/* ---- Manners ---- */

/* How map and head learn together. The more both are held back, the nearer the model stays to a kernel machine: what noisy rows want
 * where they are few. */
typedef struct manner {
    double hold, width;
    double lambda, lambda_numbers; /* for classes, and for numbers to learn */
    double decay, decay_numbers;
    double noise;
    double drift; /* where columns are alike */
} manner;

/* Where rows are many. */
static const manner EAGER = {.width = 1.0, .decay = 0.03, .decay_numbers = 0.03, .noise = 0.25, .drift = 0.25};
/* Where they are few. */
static const manner GENTLE = {.hold = 0.8,
                              .width = 0.5,
                              .lambda = 1e-3,
                              .lambda_numbers = 1e-3,
                              .decay = 0.1,
                              .decay_numbers = 0.3,
                              .noise = 0.1,
                              .drift = 0.25};
/* Few, and each to be trusted as it is. */
static const manner BRISK = {
    .hold = 0.75, .width = 1.0, .lambda_numbers = 1e-3, .decay = 0.1, .decay_numbers = 0.03, .noise = 0.1};
/* The map stays random, and the head is solved for: few rows, and no direction matters more. */
static const manner DRAWN = {.hold = 1.0, .width = 1.0, .lambda = 1e-3, .lambda_numbers = 1e-3};

bool columns_are_alike(const training *self) {
    enum { MANY = 64 };
    return self->problem.scaling.kind == SCALING_GLOBAL && self->problem.rows.columns >= MANY;
}

static void set_manner(const training *self, const manner *from, recipe *to) {
    const settings *wanted = self->problem.settings;
    const bool classes = self->problem.task == TASK_CLASSIFY;
    const double decay = classes ? from->decay : from->decay_numbers;
    const double lambda = classes ? from->lambda : from->lambda_numbers;
    to->hold = wanted->hold < 0.0 ? from->hold : wanted->hold;
    to->lambda = wanted->lambda > 0.0 ? wanted->lambda : lambda;
    to->width = wanted->gamma == GAMMA_AUTO ? from->width : 1.0;
    to->decay = wanted->decay < 0.0 ? decay : wanted->decay;
    to->noise = wanted->noise < 0.0 ? from->noise : wanted->noise;
    to->drift = wanted->drift >= 0.0 ? wanted->drift : columns_are_alike(self) ? from->drift : 0.0;
}

/* Parameters of a dense map for each row: from 1 on it can learn the rows by heart, the sooner the oftener it sees them. */
static double parameters_a_row(const training *self) {
    const double each = (double)(self->problem.rows.columns + 1 + self->problem.outputs);
    return (double)self->spec.features * each / (double)self->problem.rows.rows;
}

/* Rows that drift are held back by that already, pictures by being moved as well; very few rows are not. */
static bool rows_are_too_few_to_drift(const training *self) {
    return self->problem.rows.rows < 1000 && self->recipe.picture == 0;
}

static bool map_can_be_held(const training *self) {
    const settings *wanted = self->problem.settings;
    return wanted->method == METHOD_CNM && wanted->recipe == RECIPE_JOINT && wanted->hold != 0.0 &&
           strcmp(self->spec.projection, "dense") == 0 && (!columns_are_alike(self) || rows_are_too_few_to_drift(self));
}

bool map_is_gentle(const training *self) {
    static const double FEW = 0.5, ENOUGH_ROWS = 5700.0; /* to learn one parameter each without holding back */
    return map_can_be_held(self) && parameters_a_row(self) > fmax(FEW, (double)self->problem.rows.rows / ENOUGH_ROWS);
}

bool drawn_is_tried_last(const training *self) {
    enum { FEW_ROWS = 2000, MANY_ROWS = 10000 };
    const size_t rows = self->problem.rows.rows;
    return map_can_be_held(self) && head_can_be_solved(self) && rows > FEW_ROWS && rows <= MANY_ROWS &&
           self->spec.features >= IMITATING_FEATURES;
}

/* Few rows, and maps that are held, are better off with plain deviations, or what is nearly that where some rows lie far out. */
static scaling_kind plain_scale(const training *self) {
    const scaling_kind kind = self->problem.scaling.kind;
    const bool plain = kind == SCALING_ASINH && self->problem.settings->scale == 0;
    return !plain ? kind : rows_reach_far(&self->problem) ? SCALING_WIDE : SCALING_STANDARD;
}

size_t recipe_other_manners(const training *self, recipe others[OTHER_MANNERS]) {
    const manner *const manners[OTHER_MANNERS] = {&BRISK, &DRAWN};
    /* Numbers are better learned with the map where kernel machines say the rest. */
    const bool machines = imitation_may_follow(self) && self->spec.features >= IMITATING_FEATURES;
    const bool stays = !drawn_is_tried_last(self) && (self->problem.task == TASK_CLASSIFY || !machines);
    size_t count = 0;
    if (!map_is_gentle(self)) {
        return 0;
    }
    for (size_t i = 0; i < OTHER_MANNERS; i++) {
        if (stays || manners[i] != &DRAWN) {
            others[count] = self->recipe;
            set_manner(self, manners[i], &others[count++]);
        }
    }
    return count;
}

void recipe_draw(const training *self, recipe *drawn) {
    *drawn = self->recipe;
    drawn->scale = plain_scale(self);
    set_manner(self, &DRAWN, drawn);
}

/* ---- The usual recipe ---- */

/* What a large map learns by heart, it learns in the later ones of many passes; a gentle one takes its time. */
static double most_epochs(const training *self) {
    return parameters_a_row(self) < 1.0 || map_is_gentle(self) ? MOST_EPOCHS : LARGE_MAP_EPOCHS;
}

/* Steps are cheap where columns are few, and more of them do no harm: 16,000 up to 64 columns, 5,000 from 346 on; at least 25 passes over
 * the rows, and no more than most_epochs() beyond 5,000 steps. A third of all that where it has to be quick. */
static uint64_t usual_steps(const training *self, uint64_t batches) {
    const double wide = USUAL_MOST_STEPS * 128.0 / ((double)self->problem.rows.columns + 64.0);
    const double enough = fmin(fmin(wide, USUAL_MOST_STEPS), most_epochs(self) * (double)batches);
    const uint64_t some = enough < LEAST_STEPS ? LEAST_STEPS : (uint64_t)enough;
    const uint64_t least = self->continues ? 0 : some, epochs = self->continues ? CONTINUED_EPOCHS : EPOCHS;
    const uint64_t steps = epochs * batches > least ? epochs * batches : least;
    return self->problem.settings->effort == EFFORT_QUICK && !self->continues ? steps / QUICK_SHARE : steps;
}

static scaling_kind usual_scale(const training *self) {
    return map_is_gentle(self) ? plain_scale(self) : self->problem.scaling.kind;
}

void recipe_usual(training *self) {
    const settings *wanted = self->problem.settings;
    const uint64_t all = self->problem.rows.rows, rows = all - (uint64_t)(wanted->validation * (double)all);
    const uint64_t usual = rows / 16 < SMALLEST_BATCH  ? SMALLEST_BATCH
                           : rows / 16 < LARGEST_BATCH ? rows / 16
                                                       : LARGEST_BATCH;
    const uint64_t wish = wanted->batch > 0 ? wanted->batch : usual, batch = wish < rows ? wish : rows;
    self->recipe = (recipe){
        .scale = usual_scale(self),
        .shift = self->recipe.shift,
        .mirror = self->recipe.mirror,
        .picture = self->recipe.picture,
        .batch = batch,
        .steps = wanted->epochs > 0 ? wanted->epochs * (rows / batch) : usual_steps(self, rows / batch),
    };
    set_manner(self, !map_is_gentle(self) ? &EAGER : wanted->hold == 1.0 ? &DRAWN : &GENTLE, &self->recipe);
}
