/* A whole model in double, with the error that float arithmetic may have. */
#ifndef CNM_TESTS_MODEL_PLAIN_H
#define CNM_TESTS_MODEL_PLAIN_H

#include "model/model_support.h"

/* The bound follows the arithmetic with eps = 6e-8. A projection sums d products of u and theta, or goes through transforms, whose
 * error is of the same size: (d + 16) eps |m| |theta_i| with m the size of what u was computed from. Activations have slopes up to
 * 1 and err by 3e-7 themselves; a score sums k products. */
typedef struct plain_model {
    const cnm_model *model;
    float *theta;
    double *u, *z, *z_bound;
} plain_model;

static inline plain_model plain_make(const cnm_model *model) {
    return (plain_model){.model = model,
                         .theta = plain_theta(model->map),
                         .u = take(model->input.columns, sizeof(double)),
                         .z = take(model->map->features, sizeof(double)),
                         .z_bound = take(model->map->features, sizeof(double))};
}

static inline void plain_free(plain_model *self) {
    free(self->theta);
    free(self->u);
    free(self->z);
    free(self->z_bound);
}

static inline void plain_run(plain_model *self, const float *row, const double *base) {
    const input_stage *input = &self->model->input;
    const map *own = self->model->map;
    double squares = 0.0;
    plain_input(input, row, base, self->u);
    plain_features(own, self->theta, self->u, self->z);
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
        const double phase = own->phase == NULL ? 0.0 : fabs((double)own->phase[i]);
        self->z_bound[i] = ((double)own->columns + 16.0) * 6e-8 * (sqrt(squares * column) + phase) + 3e-7;
    }
}

/* What output i of the row that was run is in double, and how far a sound score, or feature where there is no head, may be from it. */
static inline void plain_output(const plain_model *self, size_t i, double *value, double *bound) {
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

static inline void check_row(const plain_model *self, const float *got, const char *what, size_t row) {
    const cnm_model *model = self->model;
    for (size_t i = 0; i < (model->outputs > 0 ? model->outputs : model->map->features); i++) {
        double value, bound;
        plain_output(self, i, &value, &bound);
        check_near((double)got[i], value, bound, what, row);
    }
}

#endif
