/* Convolution with two filters at once: x is transformed as a complex sequence without imaginary
 * part, multiplied by the spectrum of r_1 + i r_2 and transformed back; the real part is block 1's
 * output, the imaginary part block 2's. An odd last block, or the only block of an odd length, has
 * no second filter.
 *
 * Gradient: conj(X) times the spectrum of g_1 + i g_2, summed over rows, transformed back by
 * finish. spectrum and sum: (pairs, n, 2). */
#include "math/elementary/contraction.h"

#include <string.h>

#include "math/fft/convolve_plan.h"

static cnm_status prepare(convolver *self, cnm_error *err) { return fft_create(&self->shape, self->n, err); }

/* Transforms filters, which lie across the lanes: pair first + lane in each. */
static void transform_filters(const convolver *self, const float *r, float *spectrum, float *scratch) {
    const size_t n = self->n, d = self->d;
    const float scale = 1.0f / (float)n;
    for (size_t first = 0; first < self->pairs; first += LANES) {
        for (size_t m = 0; m < n; m++) {
            for (size_t part = 0; part < 2; part++) {
                for (size_t lane = 0; lane < LANES; lane++) {
                    const size_t b = 2 * (first + lane) + part;
                    scratch[(2 * m + part) * LANES + lane] =
                        b < self->blocks ? scale * convolver_filter_element(self, r + b * d, m) : 0.0f;
                }
            }
        }
        fft_forward(&self->shape, scratch);
        for (size_t lane = 0; lane < LANES && first + lane < self->pairs; lane++) {
            for (size_t i = 0; i < 2 * n; i++) {
                spectrum[(first + lane) * 2 * n + i] = scratch[i * LANES + lane];
            }
        }
    }
}

static void load_x(const convolver *self, const simd_table *run, const convolve_input *input, size_t rows,
                   float *data) {
    run->load_lanes(input->x, input->ld, rows, self->d, self->n, 2 * LANES, input->factor, data);
    run->load_lanes(input->x, input->ld, 0, 0, self->n, 2 * LANES, NULL, data + LANES);
    fft_forward(&self->shape, data);
}

static void forward(const convolver *self, const float *spectrum, const convolve_input *input, size_t rows, float *out,
                    size_t ld_out, float *scratch) {
    const simd_table *run = simd_active();
    float *product = scratch + convolver_buffer_size(self);
    load_x(self, run, input, rows, scratch);
    for (size_t pair = 0; pair < self->pairs; pair++) {
        run->multiply(self->n, scratch, spectrum + pair * 2 * self->n, product);
        fft_inverse(&self->shape, product);
        for (size_t b = 2 * pair; b < 2 * pair + 2 && b < self->blocks; b++) {
            run->store_lanes(product + b % 2 * LANES, 2 * LANES, rows, convolver_width(self, b), out + b * self->d,
                             ld_out);
        }
    }
}

/* Computes product = z times a pair's spectrum, as multiply_spectrum does. */
static void multiply_row(const convolver *self, const float *spectrum, const row_arrays *arrays) {
    for (size_t p = 0; p < self->n; p++) {
        const size_t at = self->row.place[p];
        const float re = arrays->lanes[at], im = arrays->lanes[at + LANES];
        arrays->product[at] = re * spectrum[2 * p] - im * spectrum[2 * p + 1];
        arrays->product[at + LANES] = re * spectrum[2 * p + 1] + im * spectrum[2 * p];
    }
}

static void forward_row(const convolver *self, const float *spectrum, const convolve_input *input, float *out,
                        float *scratch) {
    row_arrays arrays = row_cut_scratch(&self->row, scratch);
    for (size_t j = 0; j < self->d; j++) {
        arrays.re[j] = input->x[j] * (input->factor == NULL ? 1.0F : input->factor[j]);
    }
    memset(arrays.re + self->d, 0, (self->n - self->d) * sizeof(float));
    memset(arrays.im, 0, self->n * sizeof(float));
    row_forward(&self->row, &self->shape, &arrays);
    for (size_t pair = 0; pair < self->pairs; pair++) {
        multiply_row(self, spectrum + pair * 2 * self->n, &arrays);
        row_inverse(&self->row, &self->shape, &arrays);
        for (size_t b = 2 * pair; b < 2 * pair + 2 && b < self->blocks; b++) {
            memcpy(out + b * self->d, b % 2 == 0 ? arrays.re : arrays.im, convolver_width(self, b) * sizeof(float));
        }
    }
}

static void accumulate(const convolver *self, const float *x, size_t ld_x, const float *g, size_t ld_g, size_t rows,
                       float *sum, float *scratch) {
    const simd_table *run = simd_active();
    float *slope = scratch + convolver_buffer_size(self);
    load_x(self, run, &(convolve_input){x, ld_x, NULL}, rows, scratch);
    for (size_t pair = 0; pair < self->pairs; pair++) {
        for (size_t b = 2 * pair; b < 2 * pair + 2; b++) {
            const bool there = b < self->blocks;
            run->load_lanes(there ? g + b * self->d : g, ld_g, there ? rows : 0, there ? convolver_width(self, b) : 0,
                            self->n, 2 * LANES, NULL, slope + b % 2 * LANES);
        }
        fft_forward(&self->shape, slope);
        run->correlate(self->n, scratch, slope, sum + pair * 2 * self->n);
    }
}

static void finish(const convolver *self, const float *sum, float *gradient, float *scratch) {
    const size_t n = self->n;
    const float scale = 1.0f / (float)n;
    for (size_t first = 0; first < self->pairs; first += LANES) {
        for (size_t i = 0; i < 2 * n; i++) {
            for (size_t lane = 0; lane < LANES; lane++) {
                const size_t pair = first + lane;
                scratch[i * LANES + lane] = pair < self->pairs ? scale * sum[pair * 2 * n + i] : 0.0f;
            }
        }
        fft_inverse(&self->shape, scratch);
        for (size_t b = 2 * first; b < 2 * (first + LANES) && b < self->blocks; b++) {
            const float *correlation = scratch + b % 2 * LANES + b / 2 - first;
            for (size_t m = 0; m < self->d; m++) {
                gradient[b * self->d + m] = convolver_gradient_element(self, correlation, 2 * LANES, m);
            }
        }
    }
}

const convolve_method CONVOLVE_PAIRS = {prepare, transform_filters, forward, forward_row, accumulate, finish};
