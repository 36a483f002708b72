/* Convolution with one filter in an even length n, by complex transforms of h = n / 2: z[j] = x[2j]
 * + i x[2j + 1].
 *
 * Let Xe, Xo, Re, Ro be the spectra of the even and odd elements and w = exp(-2 pi i f / h). Then
 * Ye = Xe Re + w Xo Ro and Yo = Xe Ro + Xo Re; with Xe = (Z[f] + conj Z[-f]) / 2 and Xo = (Z[f] -
 * conj Z[-f]) / 2i the joint spectrum is
 *
 *     Y[f] = Ye + i Yo = A[f] Z[f] + B[f] conj(Z[-f]),
 *     A = Re + (i/2) (1 - w) Ro,
 *     B = (i/2) (1 + w) Ro.
 *
 * spectrum: (h, 4), A and B for each place.
 *
 * Gradient: even elements E = conj(Xe) Ge + conj(Xo) Go, odd ones O = conj(Xe) Go + conj(w Xo) Ge.
 * Frequencies f and -f hold conjugates, so sum (h, 4) has E and O, times 4, for the earlier place
 * of each two. */
#include "math/elementary/contraction.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/elementary/elementary.h"
#include "math/fft/convolve_plan.h"

/* Fills partner and turns; place (h), of each frequency, is scratch. */
static void fill_tables(convolver *self, size_t *place) {
    const size_t h = self->shape.n;
    for (size_t p = 0; p < h; p++) {
        place[fft_frequency(&self->shape, p)] = p;
    }
    for (size_t p = 0; p < h; p++) {
        const size_t frequency = fft_frequency(&self->shape, p);
        double s, c;
        elementary_sincos_turns((double)frequency / (double)h, &s, &c);
        self->partner[p] = place[(h - frequency) % h];
        self->turns[2 * p] = (float)c;
        self->turns[2 * p + 1] = (float)-s;
    }
}

static cnm_status prepare(convolver *self, cnm_error *err) {
    const size_t h = self->n / 2;
    size_t *place = NULL;
    const memory_want wants[] = {{&self->partner, h, sizeof *self->partner, "a convolution"},
                                 {&self->turns, h, 2 * sizeof *self->turns, "a convolution"},
                                 {&place, h, sizeof *place, "a convolution"}};
    TRY(fft_create(&self->shape, h, err));
    TRY(memory_take_all(err, wants, 3));
    fill_tables(self, place);
    memory_free(place);
    return CNM_OK;
}

/* Transforms the filter; only lane 0 is used. */
static void transform_filters(const convolver *self, const float *r, float *spectrum, float *scratch) {
    const size_t h = self->shape.n;
    const float scale = 1.0f / (float)h;
    memset(scratch, 0, convolver_buffer_size(self) * sizeof *scratch);
    for (size_t m = 0; m < self->n; m++) {
        scratch[m * LANES] = scale * convolver_filter_element(self, r, m);
    }
    fft_forward(&self->shape, scratch);
    for (size_t p = 0; p < h; p++) {
        const float *z = scratch + 2 * p * LANES, *mirror = scratch + 2 * self->partner[p] * LANES;
        const float even_re = 0.5f * (z[0] + mirror[0]), even_im = 0.5f * (z[LANES] - mirror[LANES]);
        const float odd_re = 0.5f * (z[LANES] + mirror[LANES]), odd_im = 0.5f * (mirror[0] - z[0]);
        const float c = self->turns[2 * p], s = self->turns[2 * p + 1];
        /* (i/2) (1 -+ w) Ro */
        const float turned_re = c * odd_re - s * odd_im, turned_im = c * odd_im + s * odd_re;
        spectrum[4 * p] = even_re - 0.5f * (odd_im - turned_im);
        spectrum[4 * p + 1] = even_im + 0.5f * (odd_re - turned_re);
        spectrum[4 * p + 2] = -0.5f * (odd_im + turned_im);
        spectrum[4 * p + 3] = 0.5f * (odd_re + turned_re);
    }
}

static void forward(const convolver *self, const float *spectrum, const convolve_input *input, size_t rows, float *out,
                    size_t ld_out, float *scratch) {
    const simd_table *run = simd_active();
    float *product = scratch + convolver_buffer_size(self);
    run->load_lanes(input->x, input->ld, rows, self->d, self->n, LANES, input->factor, scratch);
    fft_forward(&self->shape, scratch);
    run->multiply_one_filter(self->shape.n, scratch, self->partner, spectrum, product);
    fft_inverse(&self->shape, product);
    run->store_lanes(product, LANES, rows, self->k, out, ld_out);
}

/* Computes product = A z + B conj(z at the partner), as multiply_one_filter does. */
static void multiply_row(const convolver *self, const float *spectrum, const row_arrays *arrays) {
    const size_t *place = self->row.place;
    for (size_t p = 0; p < self->shape.n; p++) {
        const float *z = arrays->lanes + place[p], *mirror = arrays->lanes + place[self->partner[p]];
        const float *factor = spectrum + 4 * p;
        const float here_re = z[0] * factor[0] - z[LANES] * factor[1],
                    here_im = z[0] * factor[1] + z[LANES] * factor[0];
        const float conjugate = -mirror[LANES];
        const float there_re = mirror[0] * factor[2] - conjugate * factor[3];
        const float there_im = mirror[0] * factor[3] + conjugate * factor[2];
        arrays->product[place[p]] = here_re + there_re;
        arrays->product[place[p] + LANES] = here_im + there_im;
    }
}

/* Splits the row's elements into pairs, zeros behind them. */
static void split_row(const convolver *self, const convolve_input *input, const row_arrays *arrays) {
    const size_t pairs = self->d / 2;
    const float *x = input->x, *factor = input->factor;
    memset(arrays->re + pairs, 0, (self->shape.n - pairs) * sizeof(float));
    memset(arrays->im + pairs, 0, (self->shape.n - pairs) * sizeof(float));
    for (size_t j = 0; j < pairs; j++) {
        arrays->re[j] = x[2 * j] * (factor == NULL ? 1.0F : factor[2 * j]);
        arrays->im[j] = x[2 * j + 1] * (factor == NULL ? 1.0F : factor[2 * j + 1]);
    }
    if (self->d % 2 == 1) {
        arrays->re[pairs] = x[self->d - 1] * (factor == NULL ? 1.0F : factor[self->d - 1]);
    }
}

static void forward_row(const convolver *self, const float *spectrum, const convolve_input *input, float *out,
                        float *scratch) {
    row_arrays arrays = row_cut_scratch(&self->row, scratch);
    const size_t outputs = self->k / 2;
    split_row(self, input, &arrays);
    row_forward(&self->row, &self->shape, &arrays);
    multiply_row(self, spectrum, &arrays);
    row_inverse(&self->row, &self->shape, &arrays);
    for (size_t j = 0; j < outputs; j++) {
        out[2 * j] = arrays.re[j];
        out[2 * j + 1] = arrays.im[j];
    }
    if (self->k % 2 == 1) {
        out[self->k - 1] = arrays.re[outputs];
    }
}

static void accumulate(const convolver *self, const float *x, size_t ld_x, const float *g, size_t ld_g, size_t rows,
                       float *sum, float *scratch) {
    const simd_table *run = simd_active();
    float *slope = scratch + convolver_buffer_size(self);
    run->load_lanes(x, ld_x, rows, self->d, self->n, LANES, NULL, scratch);
    run->load_lanes(g, ld_g, rows, self->k, self->n, LANES, NULL, slope);
    fft_forward(&self->shape, scratch);
    fft_forward(&self->shape, slope);
    run->correlate_one_filter(self->shape.n, scratch, slope, self->partner, self->turns, sum);
}

/* Computes the gradient from Y = E + i O at the earlier place of f, conj(E) + i conj(O) at the
 * place of -f. Only lane 0 is used. */
static void finish(const convolver *self, const float *sum, float *gradient, float *scratch) {
    const size_t h = self->shape.n;
    const float scale = 0.25f / (float)h;
    memset(scratch, 0, convolver_buffer_size(self) * sizeof *scratch);
    for (size_t p = 0; p < h; p++) {
        const size_t q = self->partner[p];
        if (p <= q) {
            const float *pair = sum + 4 * p;
            scratch[2 * q * LANES] = scale * (pair[0] + pair[3]);
            scratch[(2 * q + 1) * LANES] = scale * (pair[2] - pair[1]);
            scratch[2 * p * LANES] = scale * (pair[0] - pair[3]);
            scratch[(2 * p + 1) * LANES] = scale * (pair[1] + pair[2]);
        }
    }
    fft_inverse(&self->shape, scratch);
    for (size_t m = 0; m < self->d; m++) {
        gradient[m] = convolver_gradient_element(self, scratch, LANES, m);
    }
}

const convolve_method CONVOLVE_ONE_FILTER = {prepare, transform_filters, forward, forward_row, accumulate, finish};
