/* The climb, choice by choice. */
#include "learn/search/coordinate_search.h"

#include <math.h>

/* ---- What can be chosen: each list in order, near values beside each other ---- */

/* Short trials flatter wider starts: at 4 a training loses what it gains early. Narrower ones do what decay does, less reliably; where
 * the map learns little, nothing else does it. A map that learns nothing has to be just right. */
static const double WIDTHS[] = {1.0, 2.0};
static const double GENTLE_WIDTHS[] = {0.5, 1.0, 2.0};
static const double DRAWN_WIDTHS[] = {0.12, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0};
/* Of the head of such a map, for width 1; as the fourth power of other widths: the narrower, the larger the weights that tell rows apart. */
static const double PENALTIES[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
static const double DECAYS[] = {0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0};
static const double NOISES[] = {0.0, 0.1, 0.25, 0.5, 1.0};
static const double DRIFTS[] = {0.0, 0.1, 0.15, 0.25, 0.35};
static const double SHIFTS[] = {0.0, 0.4, 0.8};
static const double SCALES[] = {SCALING_GLOBAL, SCALING_STANDARD, SCALING_ASINH};
static const double FAR_SCALES[] = {SCALING_ASINH, SCALING_WIDE};

typedef struct axis {
    const double *values;
    size_t count;
    bool all;   /* no order: every value is tried */
    bool holds; /* a training back from learning by heart, the more the larger */
    bool (*open)(const recipe_open *open, const recipe *now);
    double (*get)(const recipe *of);
    void (*set)(recipe *of, double value);
} axis;

static bool scale_open(const recipe_open *open, const recipe *now) {
    (void)now;
    return open->scale && !open->far;
}
static bool far_scale_open(const recipe_open *open, const recipe *now) {
    (void)now;
    return open->scale && open->far;
}
static bool width_open(const recipe_open *open, const recipe *now) { return open->width && now->hold == 0.0; }
static bool gentle_width_open(const recipe_open *open, const recipe *now) {
    return open->width && now->hold > 0.0 && now->hold < 1.0;
}
static bool drawn_width_open(const recipe_open *open, const recipe *now) {
    return open->width && now->hold == 1.0 && !open->lambda;
}
static bool width_and_lambda_open(const recipe_open *open, const recipe *now) {
    return open->width && now->hold == 1.0 && open->lambda;
}
static bool decay_open(const recipe_open *open, const recipe *now) { return open->decay && now->hold < 1.0; }
static bool penalty_open(const recipe_open *open, const recipe *now) { return open->lambda && now->hold == 1.0; }
static bool noise_open(const recipe_open *open, const recipe *now) { return open->noise && now->hold < 1.0; }
static bool drift_open(const recipe_open *open, const recipe *now) {
    (void)now;
    return open->drift;
}
static bool shift_open(const recipe_open *open, const recipe *now) {
    (void)now;
    return open->shift;
}
static double scale_get(const recipe *of) { return (double)of->scale; }
static double width_get(const recipe *of) { return of->width; }
static double decay_get(const recipe *of) { return of->decay; }
static double penalty_get(const recipe *of) { return of->lambda / pow(of->width, 4.0); }
static double noise_get(const recipe *of) { return of->noise; }
static double drift_get(const recipe *of) { return of->drift; }
static double shift_get(const recipe *of) { return of->shift; }
static void scale_set(recipe *of, double value) { of->scale = (scaling_kind)value; }
static void width_set(recipe *of, double value) { of->width = value; }
static void decay_set(recipe *of, double value) { of->decay = value; }
static void penalty_set(recipe *of, double value) { of->lambda = value * pow(of->width, 4.0); }
static void width_and_lambda_set(recipe *of, double value) {
    const double penalty = penalty_get(of);
    of->width = value;
    penalty_set(of, penalty);
}
static void noise_set(recipe *of, double value) { of->noise = value; }
static void drift_set(recipe *of, double value) { of->drift = value; }
static void shift_set(recipe *of, double value) { of->shift = value; }

#define LIST(values) values, sizeof values / sizeof values[0]

/* Decay first: the others are compared under the one that suits the rows. A penalty before the width and after it. */
static const axis AXES[] = {
    {LIST(DECAYS), false, true, decay_open, decay_get, decay_set},
    {LIST(SCALES), true, false, scale_open, scale_get, scale_set},
    {LIST(FAR_SCALES), true, false, far_scale_open, scale_get, scale_set},
    {LIST(WIDTHS), false, false, width_open, width_get, width_set},
    {LIST(GENTLE_WIDTHS), false, false, gentle_width_open, width_get, width_set},
    {LIST(DRAWN_WIDTHS), false, false, drawn_width_open, width_get, width_set},
    {LIST(PENALTIES), false, false, penalty_open, penalty_get, penalty_set},
    {LIST(DRAWN_WIDTHS), false, false, width_and_lambda_open, width_get, width_and_lambda_set},
    {LIST(PENALTIES), false, false, penalty_open, penalty_get, penalty_set},
    {LIST(NOISES), false, true, noise_open, noise_get, noise_set},
    {LIST(SHIFTS), false, false, shift_open, shift_get, shift_set},
    {LIST(DRIFTS), false, true, drift_open, drift_get, drift_set},
};

/* ---- The climb ---- */

static cnm_status judge_unless_known(const search_judge *judge, const recipe *tried, double *loss, bool *stop,
                                     cnm_error *err) {
    return isfinite(*loss) ? CNM_OK : judge->judge(judge->context, tried, loss, stop, err);
}

typedef struct climb {
    recipe best;
    double loss;
    size_t trials; /* left */
    const search_margins *margins;
    bool stop;
    const search_judge *judge;
} climb;

static double margin_of(const climb *self, const axis *along, double value) {
    return !along->holds                     ? self->margins->other
           : value < along->get(&self->best) ? self->margins->less
                                             : self->margins->more;
}

/* Tries one value; *better tells whether it is the best now. */
static cnm_status try_value(climb *self, const axis *along, double value, bool *better, cnm_error *err) {
    recipe tried = self->best;
    const double margin = margin_of(self, along, value);
    double loss = INFINITY;
    *better = false;
    if (self->trials == 0 || self->stop) {
        return CNM_OK;
    }
    self->trials--;
    along->set(&tried, value);
    const cnm_status status = self->judge->judge(self->judge->context, &tried, &loss, &self->stop, err);
    if (status == CNM_OK && !self->stop &&
        (isinf(self->loss) ? loss < self->loss : loss < self->loss - margin * fabs(self->loss))) {
        self->best = tried;
        self->loss = loss;
        *better = true;
    }
    return status;
}

static cnm_status try_all(climb *self, const axis *along, cnm_error *err) {
    const double start = along->get(&self->best);
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < along->count; i++) {
        bool better;
        if (along->values[i] != start) {
            status = try_value(self, along, along->values[i], &better, err);
        }
    }
    return status;
}

/* The place on the list that is nearest to the present value. */
static size_t place_of(const axis *along, double value) {
    size_t place = 0;
    for (size_t i = 1; i < along->count; i++) {
        place = fabs(along->values[i] - value) < fabs(along->values[place] - value) ? i : place;
    }
    return place;
}

/* Both neighbours, then on in the direction of the better one for as long as that helps. */
static cnm_status climb_axis(climb *self, const axis *along, cnm_error *err) {
    size_t place = place_of(along, along->get(&self->best));
    bool below = false, above = false;
    cnm_status status = along->all ? try_all(self, along, err) : CNM_OK;
    if (along->all) {
        return status;
    }
    if (place > 0) {
        status = try_value(self, along, along->values[place - 1], &below, err);
    }
    if (status == CNM_OK && place + 1 < along->count) {
        status = try_value(self, along, along->values[place + 1], &above, err);
    }
    for (bool better = above || below; status == CNM_OK && better;) {
        place = above ? place + 1 : place - 1;
        better = false;
        if (above ? place + 1 < along->count : place > 0) {
            status = try_value(self, along, along->values[above ? place + 1 : place - 1], &better, err);
        }
    }
    return status;
}

cnm_status search_recipe(recipe *best, double *least, const recipe_open *open, size_t trials,
                         const search_margins *margins, const search_judge *judge, cnm_error *err) {
    climb self = {.best = *best, .loss = *least, .trials = trials, .margins = margins, .judge = judge};
    bool any = false;
    for (size_t i = 0; i < sizeof AXES / sizeof AXES[0]; i++) {
        any = any || AXES[i].open(open, best);
    }
    if (!any || trials == 0) {
        return CNM_OK;
    }
    self.trials -= isfinite(*least) ? 0 : 1;
    cnm_status status = judge_unless_known(judge, best, &self.loss, &self.stop, err);
    for (size_t i = 0; status == CNM_OK && i < sizeof AXES / sizeof AXES[0]; i++) {
        if (AXES[i].open(open, best)) {
            status = climb_axis(&self, &AXES[i], err);
        }
    }
    if (status == CNM_OK) {
        *best = self.best;
        *least = self.loss;
    }
    return status;
}

cnm_status search_among(recipe *best, double *least, const search_rival *rivals, size_t count,
                        const search_judge *judge, cnm_error *err) {
    bool stop = false;
    recipe found = *best;
    cnm_status status = judge_unless_known(judge, best, least, &stop, err);
    const double start = *least;
    for (size_t i = 0; status == CNM_OK && !stop && i < count; i++) {
        double loss = rivals[i].loss;
        status = judge_unless_known(judge, &rivals[i].recipe, &loss, &stop, err);
        if (status == CNM_OK && !stop && loss < start * (1.0 - rivals[i].margin) && loss < *least) {
            found = rivals[i].recipe;
            *least = loss;
        }
    }
    if (status == CNM_OK) {
        *best = found;
    }
    return status;
}
