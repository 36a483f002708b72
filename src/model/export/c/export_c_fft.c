/* Writes circular convolution as C99: complex transforms in place, with the operations of
 * convolve_one_filter.c, convolve_pairs.c and simd_butterflies.h in their order, one row at a time.
 * Filters are transformed at every call: a table of them takes half the space of a table of
 * spectra, and no more memory, because the product overwrites it. */
#include "model/export/c/export_c_fft.h"

#include <stdio.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/elementary/elementary.h"

static const char ADD[] = "static number add(number a, number b) {\n"
                          "    const number sum = {a.re + b.re, a.im + b.im};\n"
                          "    return sum;\n"
                          "}\n\n";

static const char ARITHMETIC[] =
    "static number times(number a, float re, float im) {\n"
    "    const number product = {a.re * re - a.im * im, a.re * im + a.im * re};\n"
    "    return product;\n"
    "}\n\n"
    "/* exp(-2 pi i m / count) */\n"
    "static number turn(const circulant_layer *self, size_t m) {\n"
    "    const float *at = self->turns + 2 * (m < self->turn_count ? m : self->count - m);\n"
    "    const number value = {at[0], m < self->turn_count ? at[1] : -at[1]};\n"
    "    return value;\n"
    "}\n\n";

static const char SUBTRACT[] = "static number subtract(number a, number b) {\n"
                               "    const number difference = {a.re - b.re, a.im - b.im};\n"
                               "    return difference;\n"
                               "}\n\n";

static const char TURNED[] = "/* v[q] = a - i b and v[other] = a + i b; the other way round on the way back. */\n"
                             "static void put_pair(number *v, size_t q, size_t other, number a, number b, int back) {\n"
                             "    const number less = {a.re + b.im, a.im - b.re}, more = {a.re - b.im, a.im + b.re};\n"
                             "    v[q] = back ? more : less;\n"
                             "    v[other] = back ? less : more;\n"
                             "}\n\n";

static const char SCALED[] = "static number scaled(number a, float factor) {\n"
                             "    const number product = {a.re * factor, a.im * factor};\n"
                             "    return product;\n"
                             "}\n\n";

static const char RADIX_2[] = "static void butterfly_2(number *v, int back) {\n"
                              "    const number sum = add(v[0], v[1]);\n"
                              "    (void)back;\n"
                              "    v[1] = subtract(v[0], v[1]);\n"
                              "    v[0] = sum;\n"
                              "}\n\n";

static const char RADIX_3[] = "static void butterfly_3(number *v, int back) {\n"
                              "    const number sum = add(v[1], v[2]), less = subtract(v[1], v[2]);\n"
                              "    const number a = subtract(v[0], scaled(sum, 0.5f));\n"
                              "    v[0] = add(v[0], sum);\n"
                              "    put_pair(v, 1, 2, a, scaled(less, 0.866025404f), back);\n"
                              "}\n\n";

static const char RADIX_4[] = "static void butterfly_4(number *v, int back) {\n"
                              "    const number even = add(v[0], v[2]), even_less = subtract(v[0], v[2]);\n"
                              "    const number odd = add(v[1], v[3]), odd_less = subtract(v[1], v[3]);\n"
                              "    v[0] = add(even, odd);\n"
                              "    v[2] = subtract(even, odd);\n"
                              "    put_pair(v, 1, 3, even_less, odd_less, back);\n"
                              "}\n\n";

static const char RADIX_5[] =
    "static void butterfly_5(number *v, int back) {\n"
    "    const float c1 = 0.309016994f, c2 = -0.809016994f, s1 = 0.951056516f, s2 = 0.587785252f;\n"
    "    const number sum1 = add(v[1], v[4]), sum2 = add(v[2], v[3]);\n"
    "    const number less1 = subtract(v[1], v[4]), less2 = subtract(v[2], v[3]);\n"
    "    const number a1 = add(v[0], add(scaled(sum1, c1), scaled(sum2, c2)));\n"
    "    const number a2 = add(v[0], add(scaled(sum1, c2), scaled(sum2, c1)));\n"
    "    v[0] = add(v[0], add(sum1, sum2));\n"
    "    put_pair(v, 1, 4, a1, add(scaled(less1, s1), scaled(less2, s2)), back);\n"
    "    put_pair(v, 2, 3, a2, subtract(scaled(less1, s2), scaled(less2, s1)), back);\n"
    "}\n\n";

static const char RADIX_7[] =
    "static number mix(number x, float c1, number y, float c2, number z, float c3) {\n"
    "    return add(add(scaled(x, c1), scaled(y, c2)), scaled(z, c3));\n"
    "}\n\n"
    "static void butterfly_7(number *v, int back) {\n"
    "    const float c1 = 0.623489802f, c2 = -0.222520934f, c3 = -0.900968868f;\n"
    "    const float s1 = 0.781831482f, s2 = 0.974927912f, s3 = 0.433883739f;\n"
    "    const number sum1 = add(v[1], v[6]), sum2 = add(v[2], v[5]), sum3 = add(v[3], v[4]);\n"
    "    const number less1 = subtract(v[1], v[6]), less2 = subtract(v[2], v[5]), less3 = subtract(v[3], v[4]);\n"
    "    const number a1 = add(v[0], mix(sum1, c1, sum2, c2, sum3, c3));\n"
    "    const number a2 = add(v[0], mix(sum1, c2, sum2, c3, sum3, c1));\n"
    "    const number a3 = add(v[0], mix(sum1, c3, sum2, c1, sum3, c2));\n"
    "    v[0] = add(v[0], add(add(sum1, sum2), sum3));\n"
    "    put_pair(v, 1, 6, a1, mix(less1, s1, less2, s2, less3, s3), back);\n"
    "    put_pair(v, 2, 5, a2, mix(less1, s2, less2, -s3, less3, -s1), back);\n"
    "    put_pair(v, 3, 4, a3, mix(less1, s3, less2, -s1, less3, s2), back);\n"
    "}\n\n";

enum { RADIX_MOST = 7 };

/* By radix: text, and bytes of code. */
static const struct {
    const char *text;
    size_t code;
} BUTTERFLIES[RADIX_MOST + 1] = {
    [2] = {RADIX_2, 60}, [3] = {RADIX_3, 180}, [4] = {RADIX_4, 250}, [5] = {RADIX_5, 400}, [7] = {RADIX_7, 500}};

/* Of the rest, in bytes. A compiler makes the functions for one layer smaller than for several. */
enum { CODE_PAIRS = 600, CODE_HALF = 1100, FRAMES_PAIRS = 170, FRAMES_HALF = 280, FRAMES_SEVERAL = 160 };

static const char PASSES[] =
    "static void twist(const circulant_layer *self, number *v, size_t radix, size_t m, int back) {\n"
    "    for (size_t q = 1; q < radix && m > 0; q++) {\n"
    "        const number factor = turn(self, m * q);\n"
    "        v[q] = times(v[q], factor.re, back ? -factor.im : factor.im);\n"
    "    }\n"
    "}\n"
    "\n"
    "/* One stage: groups of `length` numbers, `radix` of them at a time. */\n"
    "static void pass(const circulant_layer *self, number *data, size_t radix, size_t length, int back) {\n"
    "    const size_t part = length / radix;\n"
    "    for (size_t start = 0; start < self->count; start += length) {\n"
    "        for (size_t j = 0; j < part; j++) {\n"
    "            number v[8] = {{0.0f, 0.0f}}, *at = data + start + j;\n"
    "            for (size_t q = 0; q < radix; q++) {\n"
    "                v[q] = at[q * part];\n"
    "            }\n"
    "            if (back) {\n"
    "                twist(self, v, radix, j * (self->count / length), 1);\n"
    "            }\n"
    "            butterfly(v, radix, back);\n"
    "            if (!back) {\n"
    "                twist(self, v, radix, j * (self->count / length), 0);\n"
    "            }\n"
    "            for (size_t q = 0; q < radix; q++) {\n"
    "                at[q * part] = v[q];\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "}\n"
    "\n"
    "static void forward(const circulant_layer *self, number *data) {\n"
    "    size_t length = self->count;\n"
    "    for (size_t i = 0; self->radices[i] != 0; i++) {\n"
    "        pass(self, data, self->radices[i], length, 0);\n"
    "        length /= self->radices[i];\n"
    "    }\n"
    "}\n"
    "\n"
    "/* Undoes forward, times count. */\n"
    "static void backward(const circulant_layer *self, number *data) {\n"
    "    size_t length = 1, stages = 0;\n"
    "    while (self->radices[stages] != 0) {\n"
    "        stages++;\n"
    "    }\n"
    "    for (size_t i = stages; i > 0; i--) {\n"
    "        length *= self->radices[i - 1];\n"
    "        pass(self, data, self->radices[i - 1], length, 1);\n"
    "    }\n"
    "}\n"
    "\n";

/* A real row in half as many complex numbers: see convolve_one_filter.c for A, B and w. */
static const char HALF[] =
    "/* The frequency that forward leaves at a place, and the place of a frequency. */\n"
    "static size_t frequency_at(const circulant_layer *self, size_t place) {\n"
    "    size_t frequency = 0, step = 1, part = self->count;\n"
    "    for (size_t i = 0; self->radices[i] != 0; i++) {\n"
    "        part /= self->radices[i];\n"
    "        frequency += step * (place / part);\n"
    "        place %= part;\n"
    "        step *= self->radices[i];\n"
    "    }\n"
    "    return frequency;\n"
    "}\n"
    "\n"
    "static size_t place_of(const circulant_layer *self, size_t frequency) {\n"
    "    size_t place = 0, part = self->count;\n"
    "    for (size_t i = 0; self->radices[i] != 0; i++) {\n"
    "        part /= self->radices[i];\n"
    "        place += frequency % self->radices[i] * part;\n"
    "        frequency /= self->radices[i];\n"
    "    }\n"
    "    return place;\n"
    "}\n"
    "\n"
    "/* One number of the product; r and x of its frequency, the mirrors of minus that, w of its frequency. */\n"
    "static number product(number r, number r_mirror, number x, number x_mirror, number w) {\n"
    "    const number even = {0.5f * (r.re + r_mirror.re), 0.5f * (r.im - r_mirror.im)};\n"
    "    const number odd = {0.5f * (r.im + r_mirror.im), 0.5f * (r_mirror.re - r.re)};\n"
    "    const float turned_re = w.re * odd.re - w.im * odd.im, turned_im = w.re * odd.im + w.im * odd.re;\n"
    "    const number conjugate = {x_mirror.re, -x_mirror.im};\n"
    "    return add(times(x, even.re - 0.5f * (odd.im - turned_im), even.im + 0.5f * (odd.re - turned_re)),\n"
    "               times(conjugate, -0.5f * (odd.im + turned_im), 0.5f * (odd.re + turned_re)));\n"
    "}\n"
    "\n"
    "/* A real row of even length, two neighbours a number. */\n"
    "static void load_half(const circulant_layer *self, const float *x, size_t block, number *row) {\n"
    "    for (size_t m = 0; m < self->count; m++) {\n"
    "        row[m].re = entry(self, x, block, 2 * m);\n"
    "        row[m].im = entry(self, x, block, 2 * m + 1);\n"
    "    }\n"
    "    forward(self, row);\n"
    "}\n"
    "\n"
    "static void convolve_half(const circulant_layer *self, const number *row, size_t block, number *work, float *p) "
    "{\n"
    "    const size_t count = self->count, columns = self->columns;\n"
    "    const float unit = 1.0f / (float)count;\n"
    "    for (size_t m = 0; m < count; m++) {\n"
    "        work[m].re = unit * filter(self, block, 2 * m);\n"
    "        work[m].im = unit * filter(self, block, 2 * m + 1);\n"
    "    }\n"
    "    forward(self, work);\n"
    "    for (size_t here = 0; here < count; here++) {\n"
    "        const size_t f = frequency_at(self, here), g = (count - f) % count, there = place_of(self, g);\n"
    "        if (here <= there) {\n"
    "            const number first = product(work[here], work[there], row[here], row[there], turn(self, f));\n"
    "            work[there] = product(work[there], work[here], row[there], row[here], turn(self, g));\n"
    "            work[here] = first;\n"
    "        }\n"
    "    }\n"
    "    backward(self, work);\n"
    "    for (size_t i = 0; i < columns && block * columns + i < self->features; i++) {\n"
    "        p[block * columns + i] = i % 2 == 0 ? work[i / 2].re : work[i / 2].im;\n"
    "    }\n"
    "}\n"
    "\n";

static const char PAIRS[] =
    "/* A real row with nothing beside it, for filters of one block or of two. */\n"
    "static void load_pairs(const circulant_layer *self, const float *x, size_t block, number *row) {\n"
    "    for (size_t m = 0; m < self->count; m++) {\n"
    "        row[m].re = entry(self, x, block, m);\n"
    "        row[m].im = 0.0f;\n"
    "    }\n"
    "    forward(self, row);\n"
    "}\n"
    "\n"
    "static void convolve_pairs(const circulant_layer *self, const number *row, size_t block, number *work, float *p) "
    "{\n"
    "    const size_t columns = self->columns;\n"
    "    const float unit = 1.0f / (float)self->count;\n"
    "    const int second = self->step > 1 && block + 1 < self->blocks;\n"
    "    for (size_t m = 0; m < self->count; m++) {\n"
    "        work[m].re = unit * filter(self, block, m);\n"
    "        work[m].im = second ? unit * filter(self, block + 1, m) : 0.0f;\n"
    "    }\n"
    "    forward(self, work);\n"
    "    for (size_t m = 0; m < self->count; m++) {\n"
    "        work[m] = times(row[m], work[m].re, work[m].im);\n"
    "    }\n"
    "    backward(self, work);\n"
    "    for (size_t i = 0; i < columns && block * columns + i < self->features; i++) {\n"
    "        p[block * columns + i] = work[i].re;\n"
    "    }\n"
    "    for (size_t i = 0; second && i < columns && (block + 1) * columns + i < self->features; i++) {\n"
    "        p[(block + 1) * columns + i] = work[i].im;\n"
    "    }\n"
    "}\n"
    "\n";

/* ---- The plan ---- */

cnm_status fft_plan(fft_text *out, size_t d, size_t k, cnm_error *err) {
    convolver *plan;
    TRY(convolver_create(&plan, d, k, err));
    *out = (fft_text){.shape = convolver_describe(plan), .columns = d, .width = k < d ? k : d};
    out->together = !out->shape.one_filter && k > d;
    convolver_destroy(plan);
    for (size_t i = 0; out->shape.radices[i] != 0; i++) {
        const size_t radix = out->shape.radices[i];
        if (radix > RADIX_MOST || BUTTERFLIES[radix].text == NULL) {
            return error_set(err, CNM_UNSUPPORTED, "a convolution of radix %zu cannot be exported", radix);
        }
    }
    return CNM_OK;
}

/* ---- The text ---- */

static void turn_of(size_t m, size_t count, float out[2]) {
    double s, c;
    elementary_sincos_turns((double)m / (double)count, &s, &c);
    out[0] = (float)c;
    out[1] = (float)-s;
}

/* Returns half of the circle where the other half has the same numbers, else all of it. */
static size_t turns_needed(size_t count) {
    for (size_t m = count / 2 + 1; m < count; m++) {
        float direct[2], mirrored[2];
        turn_of(m, count, direct);
        turn_of(count - m, count, mirrored);
        if (direct[0] != mirrored[0] || direct[1] != -mirrored[1]) {
            return count;
        }
    }
    return count / 2 + 1 < count ? count / 2 + 1 : count;
}

/* Writes the tables of transforms of one count. */
static void emit_tables(c_writer *out, const fft_text *plan) {
    const size_t count = plan->shape.transform, needed = turns_needed(count);
    float *values;
    uint8_t radices[CONVOLVER_STAGES + 1] = {0};
    char name[40];
    size_t stages = 0;
    for (; plan->shape.radices[stages] != 0; stages++) {
        radices[stages] = (uint8_t)plan->shape.radices[stages];
    }
    if (!EMIT_TRY(out, memory_take(&values, needed, 2 * sizeof *values, "a table", out->err))) {
        return;
    }
    for (size_t m = 0; m < needed; m++) {
        turn_of(m, count, values + 2 * m);
    }
    (void)snprintf(name, sizeof name, "turns_%zu", count);
    emit_floats(out, name, values, 2 * needed);
    (void)snprintf(name, sizeof name, "radices_%zu", count);
    emit_octets(out, name, radices, stages + 1);
    emit(out, "\n");
    memory_free(values);
}

void emit_fft_tables(c_writer *out, const fft_text *plans, size_t count) {
    emit(out, "\ntypedef struct {\n    float re, im;\n} number;\n\n");
    for (size_t i = 0; i < count; i++) { /* of each count once: it says what the radices are */
        bool had = false;
        for (size_t j = 0; j < i; j++) {
            had = had || plans[j].shape.transform == plans[i].shape.transform;
        }
        if (!had) {
            emit_tables(out, &plans[i]);
        }
    }
}

void emit_fft_members(c_writer *out) {
    emit(out, "    int half; /* one number for two neighbours of a row */\n"
              "    size_t length, wrap; /* of a convolution; where filters go round to their end */\n"
              "    size_t count, step; /* numbers in a transform, and blocks */\n"
              "    size_t turn_count; /* numbers in turns */\n"
              "    const float *turns; /* exp(-2 pi i m / count), as pairs */\n"
              "    const uint8_t *radices; /* of the stages of a transform, then 0 */\n");
}

void emit_fft_values(c_writer *out, const fft_text *plan) {
    const size_t count = plan->shape.transform, length = plan->shape.length;
    emit_format(out, "    .half = %d,\n    .length = %zu,\n    .wrap = %zu,\n", plan->shape.one_filter ? 1 : 0, length,
                length == plan->columns ? length : plan->width);
    emit_format(out, "    .count = %zu,\n    .step = %d,\n    .turn_count = %zu,\n", count, plan->together ? 2 : 1,
                turns_needed(count));
    emit_format(out, "    .turns = turns_%zu,\n    .radices = radices_%zu,\n", count, count);
    out->flash += 32;
}

size_t fft_numbers(const fft_text *plans, size_t count) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        most = plans[i].shape.transform > most ? plans[i].shape.transform : most;
    }
    return most;
}

/* Returns whether one_filter is `wanted` for some plan. */
static bool some_half(const fft_text *plans, size_t count, bool wanted) {
    for (size_t i = 0; i < count; i++) {
        if (plans[i].shape.one_filter == wanted) {
            return true;
        }
    }
    return false;
}

fft_calls fft_calls_of(const fft_text *plans, size_t count) {
    if (!some_half(plans, count, true)) {
        return (fft_calls){"load_pairs", "convolve_pairs"};
    }
    return some_half(plans, count, false)
               ? (fft_calls){"(self->half ? load_half : load_pairs)", "(self->half ? convolve_half : convolve_pairs)"}
               : (fft_calls){"load_half", "convolve_half"};
}

static void emit_butterflies(c_writer *out, const fft_text *plans, size_t count) {
    bool used[RADIX_MOST + 1] = {false}, any = false;
    for (size_t plan = 0; plan < count; plan++) {
        for (size_t i = 0; plans[plan].shape.radices[i] != 0; i++) {
            used[plans[plan].shape.radices[i]] = any = true;
        }
    }
    emit(out, any || some_half(plans, count, true) ? ADD : "");
    emit(out, any ? SUBTRACT : "");
    emit(out, used[3] || used[4] || used[5] || used[7] ? TURNED : "");
    emit(out, used[3] || used[5] || used[7] ? SCALED : "");
    for (size_t radix = 2; radix <= RADIX_MOST; radix++) {
        if (used[radix]) {
            emit(out, BUTTERFLIES[radix].text);
            out->code += BUTTERFLIES[radix].code;
        }
    }
    emit(out, "static void butterfly(number *v, size_t radix, int back) {\n");
    for (size_t radix = 2; radix <= RADIX_MOST; radix++) {
        if (used[radix]) {
            emit_format(out, "    if (radix == %zu) {\n        butterfly_%zu(v, back);\n    }\n", radix, radix);
        }
    }
    emit(out, any ? "}\n\n" : "    (void)v, (void)radix, (void)back;\n}\n\n");
}

void emit_fft(c_writer *out, const fft_text *plans, size_t count) {
    const bool half = some_half(plans, count, true), pairs = some_half(plans, count, false);
    emit(out, ARITHMETIC);
    emit_butterflies(out, plans, count);
    emit(out, PASSES);
    emit(out, half ? HALF : "");
    emit(out, pairs ? PAIRS : "");
    out->code += (half ? (size_t)CODE_HALF : 0) + (pairs ? (size_t)CODE_PAIRS : 0);
    out->stack += 4 * fft_numbers(plans, count) * sizeof(float);
    out->stack += (half ? (size_t)FRAMES_HALF : 0) + (pairs ? (size_t)FRAMES_PAIRS : 0);
    out->stack += count > 1 ? (size_t)FRAMES_SEVERAL : 0;
}
