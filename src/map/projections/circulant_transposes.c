/* The transposes of circulant blocks. */
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "map/projections/circulant.h"

cnm_status circulant_transposes_create(circulant_transposes *self, size_t blocks, size_t columns, cnm_error *err) {
    static const char WHAT[] = "transformed filters";
    size_t count;
    *self = (circulant_transposes){.blocks = blocks};
    TRY(convolver_create(&self->plan, columns, columns, err));
    self->spectrum_size = convolver_spectrum_size(self->plan);
    if (!size_multiply(blocks, self->spectrum_size, &count)) {
        count = SIZE_MAX; /* refused with a message */
    }
    TRY(memory_zeroed(&self->spectra, count, sizeof(float), WHAT, err));
    TRY(memory_take(&self->filter, columns, sizeof(float), WHAT, err));
    return memory_take(&self->scratch, convolver_scratch_size(self->plan), sizeof(float), WHAT, err);
}

void circulant_transposes_free(circulant_transposes *self) {
    convolver_destroy(self->plan);
    memory_free(self->spectra);
    memory_free(self->filter);
    memory_free(self->scratch);
    *self = (circulant_transposes){0};
}

void circulant_transposes_refresh(circulant_transposes *self, const float *filters, size_t columns) {
    for (size_t b = 0; b < self->blocks; b++) {
        const float *r = filters + b * columns;
        for (size_t m = 0; m < columns; m++) {
            self->filter[m] = r[(columns - m) % columns];
        }
        convolver_transform_filters(self->plan, self->filter, self->spectra + b * self->spectrum_size, self->scratch);
    }
}

void circulant_copy_rows(size_t rows, size_t width, const float *from, size_t from_stride, float *to,
                         size_t to_stride) {
    for (size_t i = 0; i < rows; i++) {
        memcpy(to + i * to_stride, from + i * from_stride, width * sizeof *to);
    }
}

size_t circulant_block_width(const layer *self, size_t b) {
    const size_t left = self->features - b * self->columns;
    return left < self->columns ? left : self->columns;
}

size_t circulant_back_scratch(const circulant_transposes *self, size_t columns) {
    return 2 * circulant_aligned(CIRCULANT_ROWS * columns) + circulant_aligned(convolver_scratch_size(self->plan));
}

/* Adds factor .* x (rows, d) to out. */
static void add_scaled(const float *x, const float *factor, size_t rows, size_t d, float *out) {
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < d; j++) {
            out[i * d + j] += factor[j] * x[i * d + j];
        }
    }
}

void circulant_back(const circulant_transposes *self, const layer *own, const float *factor, size_t factor_step,
                    const float *g, size_t rows, float *out, float *scratch) {
    const size_t d = own->columns, k = own->features, block = circulant_aligned(CIRCULANT_ROWS * d);
    float *whole = scratch, *turned = scratch + block, *rest = scratch + 2 * block;
    memset(out, 0, rows * d * sizeof *out);
    for (size_t first = 0; first < rows; first += CIRCULANT_ROWS) {
        const size_t some = rows - first < CIRCULANT_ROWS ? rows - first : CIRCULANT_ROWS;
        for (size_t b = 0; b < self->blocks; b++) {
            memset(whole, 0, some * d * sizeof *whole);
            circulant_copy_rows(some, circulant_block_width(own, b), g + first * k + b * d, k, whole, d);
            convolver_forward(self->plan, self->spectra + b * self->spectrum_size, whole, d, some, turned, d, rest);
            add_scaled(turned, factor + b * factor_step, some, d, out + first * d);
        }
    }
}
