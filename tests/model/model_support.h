/* What the tests of models, engines and trainings share: checked calls, random rows dense and sparse, models made by hand, and
 * a plain double-precision model to compare with. */
#ifndef CNM_TESTS_MODEL_SUPPORT_H
#define CNM_TESTS_MODEL_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "math/gemm/gemm.h"
#include "math/random/variates.h"
#include "model/model.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const size_t THREADS[] = {1, 2, 7};

static inline void *take(size_t count, size_t size) {
    void *pointer = calloc(count + 1, size);
    assert_non_null(pointer);
    return pointer;
}

/* The call that filled `error` went well. */
static inline void check_ok(cnm_status status, const cnm_error *error) {
    if (status != CNM_OK) {
        fail_msg("status %d: %s", (int)status, error->message);
    }
}

/* It failed as expected, with a message that has these words in it. */
static inline void check_refusal(cnm_status status, cnm_status expected, const cnm_error *error, const char *words) {
    if (status != expected) {
        fail_msg("status %d instead of %d (\"%s\"), expected: %s", (int)status, (int)expected,
                 status == CNM_OK ? "" : error->message, words);
    }
    if (strstr(error->message, words) == NULL) {
        fail_msg("\"%s\" lacks \"%s\"", error->message, words);
    }
}

static inline void check_same_floats(const float *a, const float *b, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0) {
            fail_msg("%s: element %zu is %.9g and %.9g", what, i, (double)a[i], (double)b[i]);
        }
    }
}

static inline void check_near(double got, double expected, double bound, const char *what, size_t i) {
    if (!(fabs(got - expected) <= bound)) {
        fail_msg("%s: element %zu is %.9g, expected %.9g within %.3g", what, i, got, expected, bound);
    }
}

static inline double uniform(uint64_t seed, uint64_t index) {
    return random_uniform((random_stream){seed, RANDOM_TEST, 0}, index);
}

static inline void normals(uint64_t seed, size_t count, double scale, float *out) {
    variates_normal((random_stream){seed, RANDOM_TEST, 1}, 0, count, scale, out);
}

/* The same numbers dense and as CSR. */
typedef struct twin_rows {
    rows_view dense, sparse;
    float *values, *stored;
    size_t *starts;
    uint32_t *index;
} twin_rows;

/* Normal entries, of which a fraction `filled` is kept; entry i is the same whatever is kept. */
static inline twin_rows twin_make(uint64_t seed, size_t rows, size_t columns, double filled) {
    const random_stream values = {seed, RANDOM_TEST, 1}, kept = {seed, RANDOM_TEST, 2};
    uint32_t words[4] = {0};
    twin_rows out = {0};
    size_t count = 0;
    out.values = take(rows * columns, sizeof(float));
    out.stored = take(rows * columns, sizeof(float));
    out.index = take(rows * columns, sizeof(uint32_t));
    out.starts = take(rows + 1, sizeof(size_t));
    for (size_t i = 0; i < rows * columns; i++) {
        if (i % 4 == 0) {
            random_words(kept, i / 4, words);
        }
        if ((double)words[i % 4] < 4294967296.0 * filled) {
            variates_normal(values, i, 1, 1.0, &out.values[i]);
            out.stored[count] = out.values[i];
            out.index[count++] = (uint32_t)(i % columns);
        }
        out.starts[i / columns + 1] = count;
    }
    out.dense = (rows_view){.rows = rows, .columns = columns, .values = out.values, .stride = columns};
    out.sparse =
        (rows_view){.rows = rows, .columns = columns, .values = out.stored, .starts = out.starts, .index = out.index};
    return out;
}

static inline void twin_free(twin_rows *self) {
    free(self->values);
    free(self->stored);
    free(self->starts);
    free(self->index);
}

static inline map *drawn_map(const map_spec *spec) {
    cnm_error error = {0};
    map *self;
    check_ok(map_draw(&self, spec, &error), &error);
    return self;
}

/* ---- Models made by hand ---- */

/* What a model is to have. classes 0: regression; 1: a map without a head. */
typedef struct model_kind {
    const char *name, *projection, *activation;
    size_t columns, features, classes;
    bool phases, unequal, offset, asinh, base, fill, names, words;
    bool half;   /* weights of 16 bits */
    double size; /* of the map's tensors, as a power of ten */
} model_kind;

/* Labels and names that a careless list would break, ascending as classes are. */
static const char *const HARD_TEXTS[] = {"\"quoted\"",  "\\n",       "a\nb",      "back\\slash",
                                         "caf\xc3\xa9", "tab\there", "two words", "x"};

static inline char *copied_text(const char *text) {
    char *copy;
    assert_int_equal(memory_copy_text(&copy, text, NULL), CNM_OK);
    return copy;
}

static inline void *taken(size_t count, size_t size) {
    void *pointer;
    assert_int_equal(memory_zeroed(&pointer, count, size, "a test", NULL), CNM_OK);
    return pointer;
}

static inline void give_labels(cnm_model *model, const model_kind *kind) {
    model->classes = (class_set){.count = kind->classes, .numeric = !kind->words};
    model->classes.labels = taken(kind->classes, sizeof(char *));
    for (size_t i = 0; i < kind->classes; i++) {
        char number[32];
        snprintf(number, sizeof number, "%d", (int)i - 1);
        model->classes.labels[i] = copied_text(kind->words ? HARD_TEXTS[i % COUNT_OF(HARD_TEXTS)] : number);
    }
}

static inline void give_input(cnm_model *model, const model_kind *kind) {
    const size_t columns = kind->columns;
    input_stage *input = &model->input;
    input->columns = columns;
    input->asinh = kind->asinh;
    input->offset = kind->offset ? taken(columns, sizeof(double)) : NULL;
    input->base = kind->base ? taken(columns, sizeof(double)) : NULL;
    input->fill = kind->fill ? taken(columns, sizeof(double)) : NULL;
    input->scale = kind->asinh ? taken(columns, sizeof(float)) : NULL;
    for (size_t j = 0; j < columns; j++) {
        const double centre = kind->base ? 1.7e9 : 0.0;
        if (kind->base) {
            input->base[j] = centre + (double)j;
        }
        if (kind->offset) {
            input->offset[j] = kind->base ? centre + uniform(71, j) : (double)(float)(uniform(71, j) - 0.5);
        }
        if (kind->fill) {
            input->fill[j] = centre + 2.0 * uniform(72, j) - 1.0;
        }
        if (kind->asinh) {
            input->scale[j] = (float)(0.5 + uniform(73, j));
        }
    }
}

/* As a training leaves a model that is kept in 16 bits. */
static inline void give_halves(cnm_model *model, const model_kind *kind) {
    map *own = model->map;
    for (size_t i = 0; i < own->tensor_count; i++) {
        map_tensor *tensor = &own->tensors[i];
        for (size_t j = 0; !tensor->signs && tensor->values != NULL && j < tensor->rows * tensor->columns; j++) {
            tensor->values[j] *= (float)pow(10.0, kind->size);
        }
        half_round(tensor->values, tensor->values == NULL ? 0 : tensor->rows * tensor->columns);
    }
    half_round(own->phase, own->phase == NULL ? 0 : own->features);
    half_round(model->weights, own->features * model->outputs);
    half_round(model->bias, model->outputs);
    map_refresh(own);
    assert_int_equal(record_set(&model->record, "weights", "f16", NULL), CNM_OK);
}

static inline cnm_model *make_model(const model_kind *kind) {
    cnm_error error = {0};
    cnm_model *model;
    check_ok(model_create(&model, &error), &error);
    model->task = kind->classes == 0 ? TASK_REGRESS : kind->classes == 1 ? TASK_MAP : TASK_CLASSIFY;
    model->map = drawn_map(&(map_spec){.projection = kind->projection,
                                       .activation = kind->activation,
                                       .columns = kind->columns,
                                       .features = kind->features,
                                       .gamma = 0.3,
                                       .phases = kind->phases,
                                       .seed = 5});
    if (kind->unequal) {
        double *factor = take(kind->columns, sizeof *factor);
        for (size_t j = 0; j < kind->columns; j++) {
            factor[j] = 0.5 + uniform(74, j);
        }
        check_ok(model->map->projection->scale_columns(model->map, factor, &error), &error);
        map_refresh(model->map);
        free(factor);
    }
    give_input(model, kind);
    if (kind->classes != 1) {
        model->outputs = kind->classes > 2 ? kind->classes : 1;
        model->weights = taken(kind->features * model->outputs, sizeof(float));
        model->bias = taken(model->outputs, sizeof(float));
        normals(75, kind->features * model->outputs, 1.0, model->weights);
        normals(76, model->outputs, 1.0, model->bias);
    }
    if (kind->classes > 1) {
        give_labels(model, kind);
    }
    if (kind->names) {
        model->names = taken(kind->columns, sizeof(char *));
        for (size_t j = 0; j < kind->columns; j++) {
            model->names[j] = copied_text(HARD_TEXTS[j % COUNT_OF(HARD_TEXTS)]);
        }
    }
    check_ok(record_set(&model->record, "method", "rff", &error), &error);
    check_ok(record_set(&model->record, "remark", "quotes \" and \\ and\nlines", &error), &error);
    if (kind->half) {
        give_halves(model, kind);
    }
    check_ok(model_describe(model, 0, &error), &error);
    return model;
}

/* ---- The same in double, with plain loops ---- */

static inline double plain_activation(const char *name, double p) {
    return strcmp(name, "cos") == 0       ? cos(p)
           : strcmp(name, "sigmoid") == 0 ? 1.0 / (1.0 + exp(-p))
           : strcmp(name, "relu") == 0    ? (p > 0.0 ? p : 0.0)
                                          : p;
}

/* u (columns) of one row: v is what is stored, base what its column adds. */
static inline void plain_input(const input_stage *stage, const float *v, const double *base, double *u) {
    for (size_t j = 0; j < stage->columns; j++) {
        double x = (double)v[j] + (base == NULL ? 0.0 : base[j]);
        x = isnan(x) && stage->fill != NULL ? stage->fill[j] : x;
        x = (x - (stage->offset == NULL ? 0.0 : stage->offset[j])) *
            (stage->scale == NULL ? 1.0 : (double)stage->scale[j]);
        u[j] = stage->asinh ? asinh(x) : x;
    }
}

/* z (features), without the map's scale; theta (columns, features) explicit. */
static inline void plain_features(const map *self, const float *theta, const double *u, double *z) {
    for (size_t i = 0; i < self->features; i++) {
        double p = self->phase == NULL ? 0.0 : (double)self->phase[i];
        for (size_t j = 0; j < self->columns; j++) {
            p += u[j] * (double)theta[j * self->features + i];
        }
        z[i] = plain_activation(self->activation->name, p);
    }
}

static inline float *plain_theta(const map *self) {
    float *theta = take(self->columns * self->features, sizeof *theta);
    assert_int_equal(self->projection->to_dense(self, theta, NULL), CNM_OK);
    return theta;
}

#endif
