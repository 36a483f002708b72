/* What the tests of trainings share: tables of shapes that are easy or impossible for a linear model, and one call that trains. */
#ifndef CNM_TESTS_LEARN_SUPPORT_H
#define CNM_TESTS_LEARN_SUPPORT_H

#include "model/model_support.h"

#include "data/scale/scaling.h"
#include "learn/train/train.h"
#include "model/evaluate.h"

static inline table *table_make(size_t rows, size_t columns) {
    cnm_error error = {0};
    table *out;
    check_ok(table_create(&out, &error), &error);
    out->rows = rows;
    out->columns = columns;
    out->values = taken(rows * columns, sizeof(float));
    return out;
}

static inline void label_number(table *self, double value) {
    assert_int_equal(labels_add_number(&self->labels, value, NULL), CNM_OK);
    self->labelled = true;
}

static inline void label_text(table *self, const char *text) {
    assert_int_equal(labels_add_text(&self->labels, text, strlen(text), NULL), CNM_OK);
    self->labelled = true;
}

/* Two rings around the origin, of radius 1 (label -1) and 2 (label 1); then normal columns that mean nothing. */
static inline table *make_rings(uint64_t seed, size_t rows, size_t columns) {
    table *out = table_make(rows, columns);
    normals(seed, rows * columns, 0.1, out->values);
    for (size_t i = 0; i < rows; i++) {
        const double angle = 6.283185307179586 * uniform(seed, i), radius = 1.0 + (double)(i % 2);
        out->values[i * columns] += (float)(radius * cos(angle));
        out->values[i * columns + 1] += (float)(radius * sin(angle));
        label_number(out, i % 2 == 0 ? -1.0 : 1.0);
    }
    return out;
}

/* Normal rows, labelled by the side of a plane that they are on, with a gap. */
static inline table *make_sides(uint64_t seed, size_t rows, size_t columns) {
    table *out = table_make(rows, columns);
    normals(seed, rows * columns, 1.0, out->values);
    for (size_t i = 0; i < rows; i++) {
        float *row = out->values + i * columns;
        const float side = row[0] - 2.0F * row[columns - 1] + 0.5F > 0.0F ? 1.0F : -1.0F;
        row[0] += 0.3F * side;
        row[columns - 1] -= 0.3F * side;
        label_number(out, side > 0.0F ? 4.0 : 2.0);
    }
    return out;
}

/* Four clouds, labelled by words. */
static inline table *make_clouds(uint64_t seed, size_t rows) {
    static const char *const WORDS[] = {"north", "east", "south", "west"};
    static const float CENTRES[][2] = {{0, 3}, {3, 0}, {0, -3}, {-3, 0}};
    table *out = table_make(rows, 2);
    normals(seed, rows * 2, 0.6, out->values);
    for (size_t i = 0; i < rows; i++) {
        out->values[2 * i] += CENTRES[i % 4][0];
        out->values[2 * i + 1] += CENTRES[i % 4][1];
        label_text(out, WORDS[i % 4]);
    }
    return out;
}

/* Small trainings: a few hundred steps. */
static inline settings quick(setting_method method) {
    return (settings){.method = (int)method, .features = 100, .seed = 1, .threads = 2, .epochs = 60, .batch = 50};
}

/* From scratch, with no model to start from. */
static inline cnm_status learn(cnm_model **out, const table *rows, const char *label_name, const settings *wanted,
                               const cnm_callbacks *callbacks, cnm_error *err) {
    return learn_train(out, rows, label_name, wanted, NULL, callbacks, err);
}

static inline cnm_model *train(const table *rows, const settings *wanted) {
    cnm_error error = {0};
    cnm_model *model;
    check_ok(learn(&model, rows, NULL, wanted, NULL, &error), &error);
    return model;
}

static inline double figure_of(const cnm_model *model, const table *rows, const char *name) {
    cnm_error error = {0};
    const rows_view view = table_view(rows);
    float *scores = take(rows->rows * model->outputs, sizeof *scores);
    evaluation *judged;
    check_ok(model_scores(model, &view, 2, scores, &error), &error);
    check_ok(evaluation_create(&judged, model, true, &error), &error);
    check_ok(evaluation_add(judged, &rows->labels, scores, &error), &error);
    const double figure = evaluation_get(judged, name);
    evaluation_destroy(judged);
    free(scores);
    return figure;
}

static inline void check_figure_above(const cnm_model *model, const table *rows, const char *name, double least,
                                      const char *what) {
    const double got = figure_of(model, rows, name);
    if (!(got >= least)) {
        fail_msg("%s: %s is %.4f, expected at least %.4f", what, name, got, least);
    }
}

static inline void check_same_model(const cnm_model *a, const cnm_model *b, bool same, const char *what) {
    cnm_error error = {0};
    unsigned char *bytes[2];
    size_t sizes[2];
    check_ok(model_to_bytes(a, &bytes[0], &sizes[0], &error), &error);
    check_ok(model_to_bytes(b, &bytes[1], &sizes[1], &error), &error);
    const bool equal = sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0;
    if (equal != same) {
        fail_msg("%s: the models are %s", what, equal ? "the same" : "not the same");
    }
    memory_free(bytes[0]);
    memory_free(bytes[1]);
}

#endif
