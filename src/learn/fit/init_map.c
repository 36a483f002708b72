/* Chooses bandwidth, gamma and initialisation of a map. */
#include "learn/fit/init_map.h"

#include <string.h>

#include "base/core/try.h"
#include "learn/fit/warm_start.h"

/* Sets gamma, in units of the scaled rows. The width of the hyperparameters changes that of the
 * rule, not a gamma of the user's. */
static void choose_gamma(fit_session *self) {
    const settings *wanted = self->data->settings;
    const double width = self->chosen.width > 0.0 ? self->chosen.width : 1.0;
    const double factor = self->spec.kernel == KERNEL_GAUSSIAN ? width * width : width;
    const double choices[] = {[GAMMA_AUTO] = self->bandwidth.knn * factor,
                              [GAMMA_KNN] = self->bandwidth.knn,
                              [GAMMA_PAPER] = self->bandwidth.paper,
                              [GAMMA_NUMBER] = wanted->gamma_number};
    self->spec.gamma = choices[wanted->gamma];
}

/* Makes frozen features orthogonal, which covers more directions; learned ones move apart by
 * themselves. */
static void choose_init(fit_session *self) {
    const settings *wanted = self->data->settings;
    const bool frozen = wanted->method == METHOD_CNM && wanted->recipe == RECIPE_JOINT &&
                        self->chosen.map_mode == MAP_FROZEN && wanted->init == 0;
    if (frozen && map_spec_first(&self->spec)->orthogonal && self->spec.kernel == KERNEL_GAUSSIAN) {
        self->spec.init = INIT_ORTHOGONAL;
    }
}

/* Returns whether the bandwidth is needed: by a rule for gamma, or as the unit of noise. */
static bool needs_bandwidth(const settings *wanted) {
    return wanted->gamma != GAMMA_NUMBER || wanted->method == METHOD_CNM;
}

cnm_status init_map(fit_session *self, cnm_error *err) {
    const settings *wanted = self->data->settings;
    const projection_ops *projection = map_spec_first(&self->spec);
    TRY(input_bind(&self->source, &self->scaled->input, &self->data->rows, projection->sparse, err));
    if (projection->identity) {
        return map_create(&self->map, &self->spec, err);
    }
    if (self->bandwidth.sigma == 0.0 && needs_bandwidth(wanted)) {
        TRY(bandwidth_estimate(&self->bandwidth, &self->source, self->spec.kernel, wanted->seed,
                               (size_t)wanted->threads, err));
    }
    choose_gamma(self);
    choose_init(self);
    return map_draw(&self->map, &self->spec, err);
}

cnm_status init_map_and_head(fit_session *self, const cnm_model *start, cnm_error *err) {
    TRY(init_map(self, err));
    self->feature_scale = (double)self->map->scale;
    TRY(head_create(&self->head, self->map->features, self->data->outputs, err));
    if (start != NULL) {
        self->feature_scale *= JOINT_GAIN;
        TRY(warm_start_parameters(self, start, err));
    }
    return CNM_OK;
}
