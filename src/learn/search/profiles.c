/* Chooses steps, batch and profile from the shape of the rows. The profiles themselves are in
 * learn/tuning.h. */
#include "learn/search/profiles.h"

#include <math.h>
#include <string.h>

#include "learn/fit/frozen_map.h"
#include "learn/tuning.h"

/* Returns the parameters of a dense map and its head for each row: from 1 on it can memorise the
 * rows. */
static double parameters_a_row(const fit_session *self) {
    double count = (double)self->spec.features * (double)self->data->outputs;
    for (size_t i = 0; i <= self->spec.inner_count; i++) {
        const layer_spec one = map_spec_layer(&self->spec, i);
        count += (double)one.features * (double)(one.columns + 1);
    }
    return count / (double)self->data->rows.rows;
}

/* Stacks of layers bend more within the noise than one layer does, and where rows are many there is
 * nothing to regularise. */
static bool needs_no_noise(const fit_session *self) {
    return self->spec.inner_count > 0 && parameters_a_row(self) < TUNING.stack_noise_parameters;
}

static void set_profile(const fit_session *self, const facts *known, const profile *from, hyperparameters *to) {
    const settings *wanted = self->data->settings;
    const bool classes = self->data->task == TASK_CLASSIFY;
    const double decay = classes ? from->decay : from->decay_regression;
    const double lambda = classes ? from->lambda : from->lambda_regression;
    to->map_rate = wanted->map_rate < 0.0 ? from->map_rate : wanted->map_rate;
    to->map_mode = map_mode_of(to->map_rate);
    to->lambda = wanted->lambda > 0.0 ? wanted->lambda : lambda;
    to->width = wanted->gamma == GAMMA_AUTO ? from->width : 1.0;
    to->decay = wanted->decay < 0.0 ? decay : wanted->decay;
    to->noise = needs_no_noise(self) ? 0.0 : from->noise;
    to->difference_noise = known->shared_scale ? from->difference_noise : 0.0;
    for (augmentation_id id = 0; id < AUGMENTATIONS; id++) {
        to->augment[id] =
            wanted->augment[id] >= 0.0 && !augmentation_get(id)->images ? wanted->augment[id] : to->augment[id];
    }
}

/* Columns of one scale get difference noise, which regularises already, and images are translated
 * as well; unless rows are very few. */
static bool map_can_be_slow(const fit_session *self, const facts *known) {
    const settings *wanted = self->data->settings;
    const bool few = self->data->rows.rows < TUNING.few_difference_rows && known->images.width == 0;
    return wanted->method == METHOD_CNM && wanted->recipe == RECIPE_JOINT && wanted->map_rate != 1.0 &&
           self->spec.inner_count == 0 && projection_find(self->spec.projection)->own_parameters &&
           (!known->shared_scale || few);
}

bool map_is_slow(const fit_session *self, const facts *known) {
    return map_can_be_slow(self, known) &&
           parameters_a_row(self) > fmax(TUNING.slow_parameters, (double)self->data->rows.rows / TUNING.slow_rows);
}

bool frozen_is_compared_last(const fit_session *self, const facts *known) {
    const size_t rows = self->data->rows.rows;
    return map_can_be_slow(self, known) && head_can_be_solved(self) && rows > TUNING.frozen_last_rows[0] &&
           rows <= TUNING.frozen_last_rows[1] && self->spec.features >= DISTILL_LEAST_FEATURES;
}

/* Returns the scaling for few rows and slowly learned maps: standard, or what is nearly that where
 * some cells are outliers. */
static scaling_kind plain_scale(const fit_session *self, const facts *known) {
    const bool plain = known->scaling == SCALING_ASINH && self->data->settings->scale == 0;
    return !plain ? known->scaling : known->has_outlier_cells ? SCALING_WIDE : SCALING_STANDARD;
}

/* Regression is better learned with the map where an ensemble of kernel models adds what a frozen
 * one would. */
size_t profile_alternatives(const fit_session *self, const facts *known, bool distill_may_follow,
                            hyperparameters others[OTHER_PROFILES]) {
    const bool ensemble = distill_may_follow && self->spec.features >= DISTILL_LEAST_FEATURES;
    const bool frozen = !frozen_is_compared_last(self, known) && (self->data->task == TASK_CLASSIFY || !ensemble);
    size_t count = 0;
    if (!map_is_slow(self, known)) {
        return 0;
    }
    others[count] = self->chosen;
    set_profile(self, known, &TUNING.few_clean_rows, &others[count++]);
    if (frozen) {
        others[count] = self->chosen;
        set_profile(self, known, &TUNING.frozen_map, &others[count++]);
    }
    return count;
}

void profile_frozen(const fit_session *self, const facts *known, hyperparameters *out) {
    *out = self->chosen;
    out->scale = plain_scale(self, known);
    set_profile(self, known, &TUNING.frozen_map, out);
}

/* ---- The default ---- */

/* Over-parameterised maps overfit in the later ones of many epochs; slowly learned ones need
 * them. */
static double most_epochs(const fit_session *self, const facts *known) {
    return (double)(parameters_a_row(self) < 1.0 || map_is_slow(self, known) ? TUNING.most_epochs
                                                                             : TUNING.large_map_epochs);
}

/* Returns the columns that a step has to multiply. Stacks of layers that share their parameters
 * have cheap steps whatever the columns, and few parameters that move slowly. */
static double columns_of_steps(const fit_session *self) {
    bool shared = self->spec.inner_count > 0;
    for (size_t i = 0; i <= self->spec.inner_count; i++) {
        const layer_spec one = map_spec_layer(&self->spec, i);
        const projection_ops *projection = projection_find(one.projection);
        shared = shared && !projection->own_parameters && !projection->prepares;
    }
    return shared ? 0.0 : (double)self->data->rows.columns;
}

/* Steps are cheap where columns are few, and more of them do no harm: 16,000 up to 64 columns,
 * 5,000 from 346 on; at least 25 epochs, and no more than most_epochs() beyond 5,000 steps. A third
 * of all that for --effort quick. */
static uint64_t default_steps(const fit_session *self, const facts *known, uint64_t batches) {
    const double wide = DEFAULT_MOST_STEPS * 128.0 / (columns_of_steps(self) + 64.0);
    const double enough = fmin(fmin(wide, DEFAULT_MOST_STEPS), most_epochs(self, known) * (double)batches);
    const uint64_t some = enough < (double)TUNING.least_steps ? TUNING.least_steps : (uint64_t)enough;
    const uint64_t least = self->warm ? 0 : some, epochs = self->warm ? TUNING.warm_epochs : TUNING.epochs;
    const uint64_t steps = epochs * batches > least ? epochs * batches : least;
    return self->data->settings->effort == EFFORT_QUICK && !self->warm ? steps / TUNING.quick_divisor : steps;
}

void profile_default(fit_session *self, const facts *known) {
    const settings *wanted = self->data->settings;
    const bool slow = map_is_slow(self, known);
    const uint64_t all = self->data->rows.rows, rows = all - (uint64_t)(wanted->validation * (double)all);
    const uint64_t usual = rows / 16 < TUNING.least_batch  ? TUNING.least_batch
                           : rows / 16 < TUNING.most_batch ? rows / 16
                                                           : TUNING.most_batch;
    const uint64_t wish = wanted->batch > 0 ? wanted->batch : usual, batch = wish < rows ? wish : rows;
    self->chosen = (hyperparameters){
        .scale = slow ? plain_scale(self, known) : known->scaling,
        .image_width = known->images.width,
        .batch = batch,
        .steps = wanted->epochs > 0 ? wanted->epochs * (rows / batch) : default_steps(self, known, rows / batch),
    };
    for (augmentation_id id = 0; id < AUGMENTATIONS; id++) {
        self->chosen.augment[id] = augmentation_get(id)->usual;
    }
    self->chosen.translate = known->images.translate;
    self->chosen.mirror = known->images.mirror ? 1.0 : 0.0;
    set_profile(self, known,
                !slow                     ? &TUNING.many_rows
                : wanted->map_rate == 0.0 ? &TUNING.frozen_map
                                          : &TUNING.few_noisy_rows,
                &self->chosen);
}
