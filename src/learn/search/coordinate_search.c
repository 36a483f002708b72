/* The lists of values, and the climb along each. */
#include "learn/search/coordinate_search.h"

#include <math.h>

#include "base/core/try.h"

/* ---- What can be chosen: each list in order, near values beside each other ---- */

/* Short trials favour wider starts: at 4 a training loses what it gains early. Narrower ones do
 * what decay does, less reliably; where the map is learned slowly, nothing else does it. The width
 * of a frozen map has to be just right. */
static const double WIDTHS[] = {1.0, 2.0};
static const double SLOW_WIDTHS[] = {0.5, 1.0, 2.0};
static const double FROZEN_WIDTHS[] = {0.12, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0};
/* Of the head of a frozen map, for width 1; as the fourth power of other widths: the narrower, the
 * larger the weights are. */
static const double PENALTIES[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
static const double DECAYS[] = {0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0};
static const double SCALES[] = {SCALING_GLOBAL, SCALING_STANDARD, SCALING_ASINH};
static const double OUTLIER_SCALES[] = {SCALING_ASINH, SCALING_WIDE};

typedef struct axis {
    const double *values;
    size_t count;
    bool all;         /* no order: every value is tried */
    bool regularises; /* the larger, the more */
    bool (*open)(const open_choices *open, const hyperparameters *now);
    double (*get)(const hyperparameters *of);
    void (*set)(hyperparameters *of, double value);
    augmentation_id augmentation; /* where these three are NULL: of its amount */
} axis;

static bool scale_open(const open_choices *open, const hyperparameters *now) {
    (void)now;
    return open->scale && !open->outliers;
}
static bool outlier_scale_open(const open_choices *open, const hyperparameters *now) {
    (void)now;
    return open->scale && open->outliers;
}
static bool width_open(const open_choices *open, const hyperparameters *now) {
    return open->width && now->map_mode == MAP_LEARNED;
}
static bool slow_width_open(const open_choices *open, const hyperparameters *now) {
    return open->width && now->map_mode == MAP_SLOW;
}
static bool frozen_width_open(const open_choices *open, const hyperparameters *now) {
    return open->width && now->map_mode == MAP_FROZEN && !open->lambda;
}
static bool width_and_lambda_open(const open_choices *open, const hyperparameters *now) {
    return open->width && now->map_mode == MAP_FROZEN && open->lambda;
}
static bool decay_open(const open_choices *open, const hyperparameters *now) {
    return open->decay && now->map_mode != MAP_FROZEN;
}
static bool penalty_open(const open_choices *open, const hyperparameters *now) {
    return open->lambda && now->map_mode == MAP_FROZEN;
}
static double scale_get(const hyperparameters *of) { return (double)of->scale; }
static double width_get(const hyperparameters *of) { return of->width; }
static double decay_get(const hyperparameters *of) { return of->decay; }
static double penalty_get(const hyperparameters *of) { return of->lambda / pow(of->width, 4.0); }
static void scale_set(hyperparameters *of, double value) { of->scale = (scaling_kind)value; }
static void width_set(hyperparameters *of, double value) { of->width = value; }
static void decay_set(hyperparameters *of, double value) { of->decay = value; }
static void penalty_set(hyperparameters *of, double value) { of->lambda = value * pow(of->width, 4.0); }
static void width_and_lambda_set(hyperparameters *of, double value) {
    const double penalty = penalty_get(of);
    of->width = value;
    penalty_set(of, penalty);
}

#define LIST(values) values, sizeof values / sizeof values[0]

/* Decay first: the others are compared under the one that suits the rows. A penalty before the
 * width and after it. */
static const axis AXES[] = {
    {LIST(DECAYS), false, true, decay_open, decay_get, decay_set, 0},
    {LIST(SCALES), true, false, scale_open, scale_get, scale_set, 0},
    {LIST(OUTLIER_SCALES), true, false, outlier_scale_open, scale_get, scale_set, 0},
    {LIST(WIDTHS), false, false, width_open, width_get, width_set, 0},
    {LIST(SLOW_WIDTHS), false, false, slow_width_open, width_get, width_set, 0},
    {LIST(FROZEN_WIDTHS), false, false, frozen_width_open, width_get, width_set, 0},
    {LIST(PENALTIES), false, false, penalty_open, penalty_get, penalty_set, 0},
    {LIST(FROZEN_WIDTHS), false, false, width_and_lambda_open, width_get, width_and_lambda_set, 0},
    {LIST(PENALTIES), false, false, penalty_open, penalty_get, penalty_set, 0},
};

enum { FIXED_AXES = sizeof AXES / sizeof AXES[0], ALL_AXES = FIXED_AXES + AUGMENTATIONS };

/* Returns an axis: those of AXES, then one for each augmentation, the last one first. */
static axis axis_at(size_t i) {
    if (i < FIXED_AXES) {
        return AXES[i];
    }
    const augmentation_id id = (augmentation_id)(ALL_AXES - 1 - i);
    const augmentation_ops *row = augmentation_get(id);
    return (axis){.values = row->values, .count = row->count, .regularises = row->regularises, .augmentation = id};
}

static bool is_open(const axis *along, const open_choices *open, const hyperparameters *now) {
    return along->open != NULL
               ? along->open(open, now)
               : along->count > 0 && open->augment[along->augmentation] &&
                     !(augmentation_get(along->augmentation)->learned_map_only && now->map_mode == MAP_FROZEN);
}

static double value_of(const axis *along, const hyperparameters *of) {
    return along->get != NULL ? along->get(of) : of->augment[along->augmentation];
}

static void set_value(const axis *along, hyperparameters *of, double value) {
    if (along->set != NULL) {
        along->set(of, value);
    } else {
        of->augment[along->augmentation] = value;
    }
}

/* ---- The climb ---- */

static cnm_status run_unless_known(const trial_function *trial, const hyperparameters *tried, double *loss, bool *stop,
                                   cnm_error *err) {
    return isfinite(*loss) ? CNM_OK : trial->run(trial->context, tried, loss, stop, err);
}

typedef struct climb {
    hyperparameters best;
    double loss;
    size_t trials; /* left */
    const search_margins *margins;
    bool stop;
    const trial_function *trial;
} climb;

static double margin_of(const climb *self, const axis *along, double value) {
    return !along->regularises                    ? self->margins->other
           : value < value_of(along, &self->best) ? self->margins->less
                                                  : self->margins->more;
}

/* Tries one value. *better: whether it is the best now. */
static cnm_status try_value(climb *self, const axis *along, double value, bool *better, cnm_error *err) {
    hyperparameters tried = self->best;
    const double margin = margin_of(self, along, value);
    double loss = INFINITY;
    *better = false;
    if (self->trials == 0 || self->stop) {
        return CNM_OK;
    }
    self->trials--;
    set_value(along, &tried, value);
    TRY(self->trial->run(self->trial->context, &tried, &loss, &self->stop, err));
    if (!self->stop && (isinf(self->loss) ? loss < self->loss : loss < self->loss - margin * fabs(self->loss))) {
        self->best = tried;
        self->loss = loss;
        *better = true;
    }
    return CNM_OK;
}

static cnm_status try_all(climb *self, const axis *along, cnm_error *err) {
    const double start = value_of(along, &self->best);
    for (size_t i = 0; i < along->count; i++) {
        bool better;
        if (along->values[i] != start) {
            TRY(try_value(self, along, along->values[i], &better, err));
        }
    }
    return CNM_OK;
}

/* Returns the position on the list that is nearest to the present value. */
static size_t nearest_position(const axis *along, double value) {
    size_t nearest = 0;
    for (size_t i = 1; i < along->count; i++) {
        nearest = fabs(along->values[i] - value) < fabs(along->values[nearest] - value) ? i : nearest;
    }
    return nearest;
}

/* Tries both neighbours, then goes on in the direction of the better one for as long as the loss
 * falls. */
static cnm_status climb_axis(climb *self, const axis *along, cnm_error *err) {
    size_t at = nearest_position(along, value_of(along, &self->best));
    bool below = false, above = false;
    if (along->all) {
        return try_all(self, along, err);
    }
    if (at > 0) {
        TRY(try_value(self, along, along->values[at - 1], &below, err));
    }
    if (at + 1 < along->count) {
        TRY(try_value(self, along, along->values[at + 1], &above, err));
    }
    for (bool better = above || below; better;) {
        at = above ? at + 1 : at - 1;
        better = false;
        if (above ? at + 1 < along->count : at > 0) {
            TRY(try_value(self, along, along->values[above ? at + 1 : at - 1], &better, err));
        }
    }
    return CNM_OK;
}

cnm_status coordinate_search(hyperparameters *best, double *loss, const open_choices *open, size_t trials,
                             const search_margins *margins, const trial_function *trial, cnm_error *err) {
    climb self = {.best = *best, .loss = *loss, .trials = trials, .margins = margins, .trial = trial};
    bool any = false;
    for (size_t i = 0; i < ALL_AXES; i++) {
        const axis along = axis_at(i);
        any = any || is_open(&along, open, best);
    }
    if (!any || trials == 0) {
        return CNM_OK;
    }
    self.trials -= isfinite(*loss) ? 0 : 1;
    TRY(run_unless_known(trial, best, &self.loss, &self.stop, err));
    for (size_t i = 0; i < ALL_AXES; i++) {
        const axis along = axis_at(i);
        if (is_open(&along, open, best)) {
            TRY(climb_axis(&self, &along, err));
        }
    }
    *best = self.best;
    *loss = self.loss;
    return CNM_OK;
}

cnm_status compare_alternatives(hyperparameters *best, double *loss, const alternative *others, size_t count,
                                const trial_function *trial, cnm_error *err) {
    bool stop = false;
    hyperparameters found = *best;
    TRY(run_unless_known(trial, best, loss, &stop, err));
    const double start = *loss;
    for (size_t i = 0; !stop && i < count; i++) {
        double other = others[i].loss;
        TRY(run_unless_known(trial, &others[i].chosen, &other, &stop, err));
        if (!stop && other < start * (1.0 - others[i].margin) && other < *loss) {
            found = others[i].chosen;
            *loss = other;
        }
    }
    *best = found;
    return CNM_OK;
}
