/* Circular convolution alone, against FFTW: rows in memory times one filter, real-to-complex
 * transforms of a batch, product, and back.
 *
 * FFTW, single precision, is planned with FFTW_MEASURE for batches of 16 rows (which stay in the
 * caches) and for one row at a time; the faster of the two counts, the filter's spectrum is ready
 * in both, and its product is a plain loop. First checked: both give what double sums give. Usage:
 * convolve [--quick]. Not through the public header: a map does more than this. */
#include <complex.h>
#include <fftw3.h>

#include "../floor.h"
#include "math/fft/convolve.h"

enum { ROWS = 64, BATCH = 16 };

typedef struct peer {
    size_t d, batch, bins;
    float *rows;
    fftwf_complex *spectra, *filter;
    fftwf_plan forward, backward;
} peer;

static peer peer_create(size_t d, size_t batch, const float *r) {
    peer self = {.d = d, .batch = batch, .bins = d / 2 + 1};
    const int length = (int)d, count = (int)batch, bins = (int)self.bins;
    self.rows = fftwf_alloc_real(d * batch);
    self.spectra = fftwf_alloc_complex(self.bins * batch);
    self.filter = fftwf_alloc_complex(self.bins * batch);
    if (self.rows == NULL || self.spectra == NULL || self.filter == NULL) {
        fail("out of memory");
    }
    self.forward = fftwf_plan_many_dft_r2c(1, &length, count, self.rows, NULL, 1, length, self.spectra, NULL, 1, bins,
                                           FFTW_MEASURE);
    self.backward = fftwf_plan_many_dft_c2r(1, &length, count, self.spectra, NULL, 1, bins, self.rows, NULL, 1, length,
                                            FFTW_MEASURE);
    for (size_t i = 0; i < batch * d; i++) {
        self.rows[i] = r[i % d] / (float)d;
    }
    fftwf_execute_dft_r2c(self.forward, self.rows, self.filter);
    return self;
}

static void peer_destroy(peer *self) {
    fftwf_destroy_plan(self->forward);
    fftwf_destroy_plan(self->backward);
    fftwf_free(self->rows);
    fftwf_free(self->spectra);
    fftwf_free(self->filter);
}

/* out (ROWS, d) from x (ROWS, d), which are both aligned as fftwf_alloc_real aligns. */
static void peer_run(const peer *self, float *x, float *out) {
    for (size_t row = 0; row < ROWS; row += self->batch) {
        fftwf_execute_dft_r2c(self->forward, x + row * self->d, self->spectra);
        for (size_t b = 0; b < self->batch; b++) {
            float *z = (float *)(self->spectra + b * self->bins);
            const float *f = (const float *)self->filter;
            for (size_t i = 0; i < 2 * self->bins; i += 2) {
                const float re = z[i] * f[i] - z[i + 1] * f[i + 1], im = z[i] * f[i + 1] + z[i + 1] * f[i];
                z[i] = re;
                z[i + 1] = im;
            }
        }
        fftwf_execute_dft_c2r(self->backward, self->spectra, out + row * self->d);
    }
}

/* Largest error of the first row against double sums, over |r| |x|. */
static double largest_error(size_t d, const float *r, const float *x, const float *out) {
    float *right = take(d, sizeof *right);
    double most = 0.0, r_squares = 0.0, x_squares = 0.0;
    convolve_reference(d, d, r, x, 1, right);
    for (size_t i = 0; i < d; i++) {
        most = fmax(most, fabs((double)out[i] - (double)right[i]));
        r_squares += (double)r[i] * (double)r[i];
        x_squares += (double)x[i] * (double)x[i];
    }
    free(right);
    return most / sqrt(r_squares * x_squares);
}

static void run(size_t d, int quick) {
    convolver *plan;
    cnm_error error;
    double own = INFINITY, alone = INFINITY, theirs = INFINITY;
    float *r = take(d, sizeof *r), *x = fftwf_alloc_real(ROWS * d), *out = fftwf_alloc_real(ROWS * d);
    check(convolver_create(&plan, d, d, &error), &error);
    float *spectrum = take(convolver_spectrum_size(plan), sizeof *spectrum);
    float *scratch = fftwf_alloc_real(convolver_scratch_size(plan));
    fill_uniform(r, d, 5);
    peer peers[] = {peer_create(d, BATCH, r), peer_create(d, 1, r)};
    fill_uniform(x, ROWS * d, 6);
    convolver_transform_filters(plan, r, spectrum, scratch);
    convolver_forward(plan, spectrum, x, d, ROWS, out, d, scratch);
    double worst = largest_error(d, r, x, out);
    for (size_t i = 0; i < 2; i++) {
        peer_run(&peers[i], x, out);
        worst = fmax(worst, largest_error(d, r, x, out));
    }
    if (!(worst < 1e-6)) {
        fail("a convolution is wrong");
    }
    for (size_t try = 0; try < (size_t)(quick ? 1000 : 6000) * 784 / d; try++) {
        double start = now();
        convolver_forward(plan, spectrum, x, d, ROWS, out, d, scratch);
        own = fmin(own, (now() - start) / ROWS);
        start = now();
        convolver_forward(plan, spectrum, x, d, 1, out, d, scratch);
        alone = fmin(alone, now() - start);
        for (size_t i = 0; i < 2; i++) {
            start = now();
            peer_run(&peers[i], x, out);
            theirs = fmin(theirs, (now() - start) / ROWS);
        }
    }
    char name[64];
    snprintf(name, sizeof name, "convolve_%zu", d);
    figure(name, own);
    snprintf(name, sizeof name, "convolve_%zu_alone", d);
    figure(name, alone);
    snprintf(name, sizeof name, "convolve_%zu_fftw", d);
    figure(name, theirs);
    printf("d %5zu  cnm %.3f us a row, %.3f for one row alone; FFTW %.3f, %.2f times as long\n", d, 1e6 * own,
           1e6 * alone, 1e6 * theirs, theirs / own);
    peer_destroy(&peers[0]);
    peer_destroy(&peers[1]);
    convolver_destroy(plan);
    free(r);
    free(spectrum);
    fftwf_free(x);
    fftwf_free(out);
    fftwf_free(scratch);
}

int main(int count, char **arguments) {
    static const size_t LENGTHS[] = {256, 784, 1024, 4096};
    const int quick = count == 2 && strcmp(arguments[1], "--quick") == 0;
    for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
        run(LENGTHS[i], quick);
    }
    return 0;
}
