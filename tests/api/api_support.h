/* What the tests of the public functions share: checked calls and small data. They see cnm.h
 * only. */
#ifndef CNM_TESTS_API_SUPPORT_H
#define CNM_TESTS_API_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cnm/cnm.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static inline void check_ok(cnm_status status, const cnm_error *error) {
    if (status != CNM_OK) {
        fail_msg("status %d: %s", (int)status, error->message);
    }
}

static inline void check_refusal(cnm_status status, cnm_status expected, const cnm_error *error, const char *words) {
    if (status != expected || error->status != expected) {
        fail_msg("status %d (in the error: %d) instead of %d (\"%s\"), expected: %s", (int)status, (int)error->status,
                 (int)expected, status == CNM_OK ? "" : error->message, words);
    }
    if (strstr(error->message, words) == NULL) {
        fail_msg("\"%s\" lacks \"%s\"", error->message, words);
    }
}

/* Returns options from pairs of texts, NULL-ended. */
static inline cnm_options *options_of(const char *const *pairs) {
    cnm_error error = {0};
    cnm_options *options;
    check_ok(cnm_options_create(&options, &error), &error);
    for (; pairs != NULL && *pairs != NULL; pairs += 2) {
        check_ok(cnm_options_set(options, pairs[0], pairs[1], &error), &error);
    }
    return options;
}

/* Returns a number in [-1, 1) that looks random and depends on i alone. */
static inline float number(size_t i) {
    uint32_t x = (uint32_t)i * 2654435761U + 12345U;
    x ^= x >> 15;
    x *= 2246822519U;
    x ^= x >> 13;
    return (float)(x >> 8) / 8388608.0F - 1.0F;
}

/* rows rows of 3 columns; the label says whether the first two columns add up to more than 0. */
enum { ROWS = 120, COLUMNS = 3 };

typedef struct sample {
    float values[ROWS * COLUMNS];
    double numbers[ROWS];
    const char *words[ROWS];
} sample;

static inline void sample_make(sample *self) {
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        self->values[i] = number(i);
    }
    for (size_t i = 0; i < ROWS; i++) {
        float *row = self->values + i * COLUMNS;
        const float side = row[0] + row[1] > 0.0F ? 1.0F : -1.0F;
        row[0] += 0.2F * side;
        self->numbers[i] = (double)(3.0F * row[0] - row[1] + 0.5F);
        self->words[i] = side > 0.0F ? "up" : "down";
    }
}

static inline cnm_data *sample_view(const sample *self) {
    cnm_error error = {0};
    cnm_data *data;
    check_ok(cnm_data_view_dense(&data, self->values, ROWS, COLUMNS, COLUMNS, &error), &error);
    return data;
}

static inline cnm_data *labelled_view(const sample *self) {
    cnm_error error = {0};
    cnm_data *data = sample_view(self);
    check_ok(cnm_data_set_labels(data, self->words, &error), &error);
    return data;
}

/* Returns a metric of an evaluation. */
static inline double metric_of(const cnm_evaluation *evaluation, const char *name) {
    cnm_error error = {0};
    double value = 0.0;
    check_ok(cnm_evaluation_get(evaluation, name, &value, &error), &error);
    return value;
}

/* Trains quickly; pairs as for options_of. */
static inline cnm_model *train_with(const cnm_data *data, const char *const *pairs) {
    cnm_error error = {0};
    cnm_options *options = options_of(pairs);
    cnm_model *model;
    check_ok(cnm_options_set(options, "epochs", "40", &error), &error);
    check_ok(cnm_options_set(options, "batch", "30", &error), &error);
    check_ok(cnm_train(&model, data, options, NULL, &error), &error);
    cnm_options_destroy(options);
    return model;
}

#endif
