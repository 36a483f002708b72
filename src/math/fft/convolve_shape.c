/* What a convolution's plan looks like from outside. */
#include "math/fft/convolve_plan.h"

convolver_shape convolver_describe(const convolver *self) {
    convolver_shape out = {.length = self->n, .transform = self->shape.n, .half = self->way == &CONVOLVE_HALF};
    for (size_t s = 0; s < self->shape.stage_count; s++) {
        out.radices[s] = self->shape.stages[s].radix;
    }
    return out;
}
