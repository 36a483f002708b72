/* From prepared rows to a map that is drawn for them. */
#include <string.h>

#include "learn/train/warm_start.h"
#include "learn/fit/fit_session.h"

/* gamma is in units of the scaled rows. The recipe's width widens or narrows what the rule says, unless the caller named a gamma. */
static void choose_gamma(training *self) {
    const settings *wanted = self->problem.settings;
    const double width = self->recipe.width > 0.0 ? self->recipe.width : 1.0;
    const double factor = self->spec.kernel == KERNEL_GAUSSIAN ? width * width : width;
    const double choices[] = {[GAMMA_AUTO] = self->bandwidth.knn * factor,
                              [GAMMA_KNN] = self->bandwidth.knn,
                              [GAMMA_PAPER] = self->bandwidth.paper,
                              [GAMMA_NUMBER] = wanted->gamma_number};
    self->spec.gamma = choices[wanted->gamma];
}

/* Features that stay as they are drawn had better not repeat each other; those that learn part by themselves. */
static void choose_init(training *self) {
    const settings *wanted = self->problem.settings;
    const bool stays =
        wanted->method == METHOD_CNM && wanted->recipe == RECIPE_JOINT && self->recipe.hold == 1.0 && wanted->init == 0;
    if (stays && strcmp(self->spec.projection, "dense") == 0 && self->spec.kernel == KERNEL_GAUSSIAN) {
        self->spec.init = INIT_ORTHOGONAL;
    }
}

/* A rule for gamma does, and so does noise, which is in units of them; a random or kernel map with a gamma of its own does without. */
static bool needs_distances(const settings *wanted) {
    return wanted->gamma != GAMMA_NUMBER || wanted->method == METHOD_CNM;
}

/* The projection decides how rows are taken, so rows are bound to a map that exists: gamma needs rows, hence the first, undrawn
 * map where the bandwidth is to be found. */
cnm_status training_draw(training *self, cnm_error *err) {
    const settings *wanted = self->problem.settings;
    cnm_status status = map_create(&self->map, &self->spec, err);
    if (status == CNM_OK) {
        status = input_bind(&self->source, &self->problem.input, &self->problem.rows, self->map, err);
    }
    if (status != CNM_OK || strcmp(self->spec.projection, "identity") == 0) {
        return status;
    }
    if (!self->measured && needs_distances(wanted)) {
        status = bandwidth_estimate(&self->bandwidth, &self->source, self->spec.kernel, wanted->seed,
                                    (size_t)wanted->threads, err);
        self->measured = status == CNM_OK;
    }
    map_destroy(self->map);
    self->map = NULL;
    if (status == CNM_OK) {
        choose_gamma(self);
        choose_init(self);
        status = map_draw(&self->map, &self->spec, err);
    }
    return status;
}

cnm_status training_begin(training *self, const cnm_model *start, cnm_error *err) {
    cnm_status status = training_draw(self, err);
    if (status == CNM_OK) {
        self->feature_scale = (double)self->map->scale;
        status = head_create(&self->head, self->map->features, self->problem.outputs, err);
    }
    if (status == CNM_OK && start != NULL) {
        self->feature_scale *= JOINT_GAIN;
        status = start_parameters(self, start, err);
    }
    return status;
}
