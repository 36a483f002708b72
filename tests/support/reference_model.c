#include "support/reference_model.h"

/* ---- The parts ---- */

double reference_activation(const char *name, double p) {
    return strcmp(name, "cos") == 0       ? cos(p)
           : strcmp(name, "sigmoid") == 0 ? 1.0 / (1.0 + exp(-p))
           : strcmp(name, "relu") == 0    ? (p > 0.0 ? p : 0.0)
                                          : p;
}

void reference_input(const input_stage *stage, const float *v, const double *base, double *u) {
    for (size_t j = 0; j < stage->columns; j++) {
        double x = (double)v[j] + (base == NULL ? 0.0 : base[j]);
        x = isnan(x) && stage->fill != NULL ? stage->fill[j] : x;
        x = (x - (stage->offset == NULL ? 0.0 : stage->offset[j])) *
            (stage->scale == NULL ? 1.0 : (double)stage->scale[j]);
        u[j] = stage->asinh ? asinh(x) : x;
    }
}

void reference_features(const map *of, const float *theta, const double *u, double *z) {
    const layer *self = map_first(of);
    for (size_t i = 0; i < self->features; i++) {
        double p = self->phase == NULL ? 0.0 : (double)self->phase[i];
        for (size_t j = 0; j < self->columns; j++) {
            p += u[j] * (double)theta[j * self->features + i];
        }
        z[i] = reference_activation(self->activation->name, p);
    }
}

float *reference_theta(const map *of) {
    const layer *self = map_first(of);
    float *theta = take(self->columns * self->features, sizeof *theta);
    assert_int_equal(self->projection->to_dense(self, theta, NULL), CNM_OK);
    return theta;
}

/* ---- A whole model ---- */

reference_model reference_make(const cnm_model *model) {
    return (reference_model){.model = model,
                             .theta = reference_theta(model->map),
                             .u = take(model->input.columns, sizeof(double)),
                             .z = take(model->map->features, sizeof(double)),
                             .z_bound = take(model->map->features, sizeof(double))};
}

void reference_free(reference_model *self) {
    free(self->theta);
    free(self->u);
    free(self->z);
    free(self->z_bound);
}

void reference_run(reference_model *self, const float *row, const double *base) {
    const input_stage *input = &self->model->input;
    const map *own = self->model->map;
    double squares = 0.0;
    reference_input(input, row, base, self->u);
    reference_features(own, self->theta, self->u, self->z);
    for (size_t j = 0; j < input->columns; j++) {
        const double relative = (base == NULL ? 0.0 : base[j]),
                     fill = input->fill == NULL ? 0.0 : input->fill[j] - relative;
        const double shift = (input->offset == NULL ? 0.0 : input->offset[j]) - relative;
        const double stored = isnan(row[j]) ? fill : (double)row[j];
        const double size = (fabs(stored) + fabs(shift)) * (input->scale == NULL ? 1.0 : (double)input->scale[j]);
        squares += size * size;
    }
    for (size_t i = 0; i < own->features; i++) {
        double column = 0.0;
        for (size_t j = 0; j < own->columns; j++) {
            column += pow((double)self->theta[j * own->features + i], 2.0);
        }
        const double phase = map_first(own)->phase == NULL ? 0.0 : fabs((double)map_first(own)->phase[i]);
        self->z_bound[i] = ((double)own->columns + 16.0) * 6e-8 * (sqrt(squares * column) + phase) + 3e-7;
    }
}

void reference_output(const reference_model *self, size_t i, double *value, double *bound) {
    const cnm_model *model = self->model;
    const size_t k = model->map->features;
    if (model->outputs == 0) {
        *value = (double)model->map->scale * self->z[i];
        *bound = (double)model->map->scale * self->z_bound[i];
        return;
    }
    double size = 0.0;
    *value = (double)model->bias[i];
    *bound = 6e-8 * fabs(*value);
    for (size_t at = 0; at < k; at++) {
        const double weight = (double)model->weights[at * model->outputs + i];
        *value += weight * self->z[at];
        size += fabs(weight * self->z[at]);
        *bound += fabs(weight) * self->z_bound[at];
    }
    *bound += ((double)k + 2.0) * 6e-8 * size;
}

void check_reference_row(const reference_model *self, const float *got, const char *what, size_t row) {
    const cnm_model *model = self->model;
    for (size_t i = 0; i < (model->outputs > 0 ? model->outputs : model->map->features); i++) {
        double value, bound;
        reference_output(self, i, &value, &bound);
        check_near((double)got[i], value, bound, what, row);
    }
}
