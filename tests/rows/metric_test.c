/* Computes the largest absolute error of regression.
 *
 * An example of a metric: this file, and a line at the end of METRICS (learn/evaluate/metrics.c).
 * The word of --metric, its errors and the entry in a model's metadata follow from the two. */
#include <math.h>

#include "learn/evaluate/metrics.h"

cnm_status metric_test(const evaluation *self, double *loss, cnm_error *err);
cnm_status metric_test(const evaluation *self, double *loss, cnm_error *err) {
    (void)err;
    *loss = 0.0;
    for (size_t i = 0; i < self->count; i++) {
        const double target = (double)self->data->targets[self->positions[i]];
        *loss = fmax(*loss, fabs((double)self->scores[i] - target));
    }
    return CNM_OK;
}
