/* Circular convolution of many rows with a few filters: the plan, and the loop over groups of LANES
 * rows.
 *
 * The transform has length n = d where d has only the factors 2, 3, 5 and 7; otherwise the
 * circulant is embedded exactly in a length n >= d + min(k, d) - 1: x padded with zeros, filter f[m
 * mod n] = r[m mod d] for m = -(d-1) .. min(k, d)-1, the first outputs kept. A lane carries one row
 * and nothing else, so rows cannot round or poison each other.
 *
 * Error of an output against double sums, measured for the lengths of the tests: below 1e-7
 * log2(2n) |r| |x|, |.| the Euclidean norm. */
#include "math/fft/convolve.h"

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/fft/convolve_plan.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static cnm_status check_size(const convolver *self, cnm_error *err) {
    size_t scratch, spectrum;
    if (self->n == 0 || !size_multiply(self->n, 4 * LANES * sizeof(float), &scratch) ||
        !size_multiply(self->n, 2 * sizeof(float), &spectrum) || !size_multiply(spectrum, self->pairs, &spectrum)) {
        return error_set(err, CNM_NO_MEMORY, "a circulant map of %zu columns and %zu features does not fit in memory",
                         self->d, self->k);
    }
    return CNM_OK;
}

/* Plans lengths and the method. One block with an odd length stays with pairs: half of an even
 * length in which it fits would be no shorter. */
static cnm_status plan(convolver *self, cnm_error *err) {
    const size_t d = self->d, outputs = smaller(self->k, d);
    self->blocks = (self->k - 1) / d + 1;
    self->pairs = self->blocks / 2 + self->blocks % 2;
    self->n = fft_is_length(d) ? d : fft_length(d + outputs - 1, self->blocks == 1);
    self->method = self->blocks == 1 && self->n % 2 == 0 ? &CONVOLVE_ONE_FILTER : &CONVOLVE_PAIRS;
    TRY(check_size(self, err));
    TRY(self->method->prepare(self, err));
    return row_plan_create(&self->row, &self->shape, convolver_scratch_size(self), err);
}

cnm_status convolver_create(convolver **out, size_t d, size_t k, cnm_error *err) {
    convolver *self;
    cnm_status status = CNM_OK;
    *out = NULL;
    if (d == 0 || k == 0) {
        return error_set(err, CNM_BAD_ARGUMENT, "a convolution needs at least one column and one output");
    }
    TRY(memory_zeroed(&self, 1, sizeof *self, "a convolution", err));
    self->d = d;
    self->k = k;
    TRY_DONE(plan(self, err));
    *out = self;
    self = NULL;
done:
    convolver_destroy(self);
    return status;
}

void convolver_destroy(convolver *self) {
    if (self != NULL) {
        fft_destroy(&self->shape);
        row_plan_destroy(&self->row);
        memory_free(self->partner);
        memory_free(self->turns);
        memory_free(self);
    }
}

size_t convolver_blocks(const convolver *self) { return self->blocks; }

size_t convolver_spectrum_size(const convolver *self) { return self->pairs * self->n * 2; }

size_t convolver_buffer_size(const convolver *self) { return self->shape.n * 2 * LANES; }

size_t convolver_scratch_size(const convolver *self) { return 2 * convolver_buffer_size(self); }

size_t convolver_width(const convolver *self, size_t b) { return smaller(self->d, self->k - b * self->d); }

float convolver_filter_element(const convolver *self, const float *r, size_t m) {
    const size_t behind = self->n - m; /* m stands for -behind as well */
    if (m < convolver_width(self, 0) || self->n == self->d) {
        return r[m];
    }
    return behind < self->d ? r[self->d - behind] : 0.0f;
}

/* Adds both places of r[m] in the filter: at m, if outputs reach that far, and at m - d. */
float convolver_gradient_element(const convolver *self, const float *correlation, size_t step, size_t m) {
    if (self->n == self->d || m == 0) {
        return correlation[m * step];
    }
    const float behind = correlation[(self->n - self->d + m) * step];
    return m < convolver_width(self, 0) ? correlation[m * step] + behind : behind;
}

void convolver_transform_filters(const convolver *self, const float *r, float *spectrum, float *scratch) {
    self->method->transform_filters(self, r, spectrum, scratch);
}

void convolver_forward_scaled(const convolver *self, const float *spectrum, const convolve_input *input, size_t rows,
                              float *out, size_t ld_out, float *scratch) {
    convolve_input here = *input;
    size_t row = 0;
    for (; row + self->row.rows < rows; row += LANES) {
        here.x = input->x + row * input->ld;
        self->method->forward(self, spectrum, &here, smaller(LANES, rows - row), out + row * ld_out, ld_out, scratch);
    }
    for (; row < rows; row++) { /* the last few, one by one */
        here.x = input->x + row * input->ld;
        self->method->forward_row(self, spectrum, &here, out + row * ld_out, scratch);
    }
}

void convolver_forward(const convolver *self, const float *spectrum, const float *x, size_t ld_x, size_t rows,
                       float *out, size_t ld_out, float *scratch) {
    convolver_forward_scaled(self, spectrum, &(convolve_input){x, ld_x, NULL}, rows, out, ld_out, scratch);
}

void convolver_accumulate(const convolver *self, const float *x, size_t ld_x, const float *g, size_t ld_g, size_t rows,
                          float *sum, float *scratch) {
    for (size_t row = 0; row < rows; row += LANES) {
        self->method->accumulate(self, x + row * ld_x, ld_x, g + row * ld_g, ld_g, smaller(LANES, rows - row), sum,
                                 scratch);
    }
}

void convolver_finish(const convolver *self, const float *sum, float *gradient, float *scratch) {
    self->method->finish(self, sum, gradient, scratch);
}

convolver_shape convolver_describe(const convolver *self) {
    convolver_shape out = {
        .length = self->n, .transform = self->shape.n, .one_filter = self->method == &CONVOLVE_ONE_FILTER};
    for (size_t s = 0; s < self->shape.stage_count; s++) {
        out.radices[s] = self->shape.stages[s].radix;
    }
    return out;
}
