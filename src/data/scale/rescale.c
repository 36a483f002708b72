/* v = g(f^-1(u) factor + offset), factor = scale' / scale, offset = (offset - offset') scale'. */
#include "data/scale/rescale.h"

#include <math.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/elementary/elementary.h"
#include "math/elementary/exp_log.h"

cnm_status rescale_create(rescale *out, const scaling *from, const scaling *to, cnm_error *err) {
    const size_t columns = from->columns;
    cnm_status status;
    *out = (rescale){
        .columns = columns, .leaves_asinh = scaling_is_asinh(from->kind), .enters_asinh = scaling_is_asinh(to->kind)};
    TRY_DONE(memory_zeroed(&out->factor, columns, sizeof *out->factor, "a scaling", err));
    TRY_DONE(memory_zeroed(&out->offset, columns, sizeof *out->offset, "a scaling", err));
    for (size_t j = 0; j < columns; j++) {
        if (from->scale[j] > 0.0) {
            out->factor[j] = to->scale[j] / from->scale[j];
            out->offset[j] = (from->offset[j] - to->offset[j]) * to->scale[j];
        }
    }
    return CNM_OK;
done:
    rescale_free(out);
    return status;
}

void rescale_free(rescale *self) {
    memory_free(self->factor);
    memory_free(self->offset);
    *self = (rescale){0};
}

/* Returns sinh(x), below 1 by its series, whose next term is less than 3e-8 of the sum: the
 * difference of exponentials loses digits there. */
static double sine_hyperbolic(double x) {
    if (fabs(x) < 1.0) {
        const double square = x * x;
        return x * (1.0 + square / 6.0 * (1.0 + square / 20.0 * (1.0 + square / 42.0 * (1.0 + square / 72.0))));
    }
    return 0.5 * (elementary_exp(x) - elementary_exp(-x));
}

void rescale_rows(const rescale *self, size_t rows, const float *from, float *to) {
    for (size_t i = 0; i < rows; i++) {
        const float *u = from + i * self->columns;
        float *v = to + i * self->columns;
        for (size_t j = 0; j < self->columns; j++) {
            const double plain = self->leaves_asinh ? sine_hyperbolic((double)u[j]) : (double)u[j];
            v[j] = (float)fmax(fmin(plain * self->factor[j] + self->offset[j], RESCALE_MOST), -RESCALE_MOST);
        }
    }
    if (self->enters_asinh) {
        asinh_array(to, rows * self->columns);
    }
}
