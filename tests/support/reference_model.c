#include "support/reference_model.h"

/* ---- The parts ---- */

double reference_activation(const char *name, double p) {
    return strcmp(name, "cos") == 0       ? cos(p)
           : strcmp(name, "sigmoid") == 0 ? 1.0 / (1.0 + exp(-p))
           : strcmp(name, "relu") == 0    ? (p > 0.0 ? p : 0.0)
                                          : p;
}

/* The function through the knots of a column at t. */
static double through_knots(const knot_table *knots, size_t column, double t) {
    const size_t first = knots->starts[column], last = knots->starts[column + 1] - 1;
    const float *at = knots->at, *value = knots->value;
    for (size_t i = first; i <= last; i++) {
        if (t <= (double)at[i]) {
            return i == first ? (double)value[i]
                              : (double)value[i] - ((double)at[i] - t) * ((double)value[i] - (double)value[i - 1]) /
                                                       ((double)at[i] - (double)at[i - 1]);
        }
    }
    return (double)value[last];
}

void reference_input(const input_stage *stage, const float *v, const double *base, double *u) {
    for (size_t j = 0; j < stage->columns; j++) {
        double x = (double)v[j] + (base == NULL ? 0.0 : base[j]);
        x = isnan(x) && stage->fill != NULL ? stage->fill[j] : x;
        x = (x - (stage->offset == NULL ? 0.0 : stage->offset[j])) *
            (stage->scale == NULL ? 1.0 : (double)stage->scale[j]);
        u[j] = stage->asinh ? asinh(x) : stage->knots != NULL ? through_knots(stage->knots, j, x) : x;
    }
}

/* ---- A whole model ---- */

/* Whether a layer treats columns one by one, and so has no theta. */
static bool by_columns(const layer *self) { return strcmp(self->projection->name, "columns") == 0; }

/* Returns theta (columns, features), to be freed with free(), or NULL. */
static float *theta_of(const layer *self) {
    if (by_columns(self)) {
        return NULL;
    }
    float *theta = take(self->columns * self->features, sizeof *theta);
    assert_int_equal(self->projection->to_dense(self, theta, NULL), CNM_OK);
    return theta;
}

reference_model reference_make(const cnm_model *model) {
    const map *own = model->map;
    reference_model out = {.model = model, .u = take(model->input.columns, sizeof(double))};
    for (size_t i = 0; i < own->layer_count; i++) {
        const size_t k = own->layers[i]->features;
        out.layers[i] = (reference_layer){theta_of(own->layers[i]), take(k, sizeof(double)), take(k, sizeof(double))};
    }
    out.z = out.layers[own->layer_count - 1].z;
    out.z_bound = out.layers[own->layer_count - 1].bound;
    return out;
}

void reference_free(reference_model *self) {
    for (size_t i = 0; i < self->model->map->layer_count; i++) {
        free(self->layers[i].theta);
        free(self->layers[i].z);
        free(self->layers[i].bound);
    }
    free(self->u);
}

/* Returns the size of what a row's prepared columns are computed from. */
static double size_of_row(const input_stage *input, const float *row, const double *base) {
    double squares = 0.0, steepest = 1.0;
    for (size_t i = 0; input->knots != NULL && i < input->knots->starts[input->columns]; i++) {
        steepest = fmax(steepest, (double)input->knots->slope[i]);
    }
    for (size_t j = 0; j < input->columns; j++) {
        const double relative = (base == NULL ? 0.0 : base[j]),
                     fill = input->fill == NULL ? 0.0 : input->fill[j] - relative;
        const double shift = (input->offset == NULL ? 0.0 : input->offset[j]) - relative;
        const double stored = isnan(row[j]) ? fill : (double)row[j];
        const double size = (fabs(stored) + fabs(shift)) * (input->scale == NULL ? 1.0 : (double)input->scale[j]);
        squares += size * size;
    }
    return steepest * sqrt(squares);
}

/* Computes the features of one layer from u (columns), which has the size `size` and lies within
 * u_bound (columns; NULL: 0) of what floats hold. */
static void run_layer(const layer *own, reference_layer *out, const double *u, const double *u_bound, double size) {
    for (size_t i = 0; i < own->features; i++) {
        const double phase = own->phase == NULL ? 0.0 : (double)own->phase[i];
        double p = phase, column = 0.0, passed = 0.0;
        for (size_t j = 0; j < own->columns; j++) {
            const double theta = (double)out->theta[j * own->features + i];
            p += u[j] * theta;
            column += theta * theta;
            passed += u_bound == NULL ? 0.0 : u_bound[j] * fabs(theta);
        }
        out->z[i] = reference_activation(own->activation->name, p);
        out->bound[i] = passed + ((double)own->columns + 16.0) * 6e-8 * (size * sqrt(column) + fabs(phase)) + 3e-7;
    }
}

/* The same of a layer of columns: g u, then sums of cosines (w u + b) a. */
static void run_columns(const layer *own, reference_layer *out, const double *u, double size) {
    const size_t d = own->columns, waves = own->tensors[0].columns, mixed = own->features / d - 1;
    const float *w = own->tensors[0].values, *b = own->tensors[1].values, *a = own->tensors[2].values;
    const float *g = own->tensors[3].values;
    for (size_t j = 0; j < d; j++) {
        const double gain = g == NULL ? 1.0 : (double)g[j];
        out->z[j] = gain * u[j];
        out->bound[j] = 16.0 * 6e-8 * fabs(gain) * size;
        for (size_t i = 0; i < mixed; i++) {
            double sum = 0.0, bound = 0.0;
            for (size_t m = j * waves; m < (j + 1) * waves; m++) {
                const double weight = (double)a[m * mixed + i], phase = (double)b[m];
                sum += weight * cos((double)w[m] * u[j] + phase);
                bound += fabs(weight) * (16.0 * 6e-8 * (fabs((double)w[m]) * size + fabs(phase)) + 3e-7 +
                                         ((double)waves + 2.0) * 6e-8);
            }
            out->z[d + j * mixed + i] = sum;
            out->bound[d + j * mixed + i] = bound;
        }
    }
}

void reference_run(reference_model *self, const float *row, const double *base) {
    const map *own = self->model->map;
    double size = size_of_row(&self->model->input, row, base);
    const double *u = self->u, *u_bound = NULL;
    reference_input(&self->model->input, row, base, self->u);
    for (size_t i = 0; i < own->layer_count; i++) {
        reference_layer *out = &self->layers[i];
        if (by_columns(own->layers[i])) { /* the first */
            run_columns(own->layers[i], out, u, size);
        } else {
            run_layer(own->layers[i], out, u, u_bound, size);
        }
        size = 0.0;
        for (size_t j = 0; j < own->layers[i]->features; j++) {
            size += pow(fabs(out->z[j]) + out->bound[j], 2.0);
        }
        size = sqrt(size);
        u = out->z;
        u_bound = out->bound;
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
