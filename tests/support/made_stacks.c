#include "support/made_stacks.h"

#include "map/layers_text.h"

enum { WIDEST = 4096, MIXED = 4 };

map_spec stack_spec(const char *layers, size_t columns) {
    layer_shape shapes[MAP_LAYERS];
    size_t count;
    cnm_error error = {0};
    check_ok(layers_read(layers, shapes, &count, &error), &error);
    map_spec spec = {.projection = shapes[count - 1].projection,
                     .features = shapes[count - 1].features,
                     .activation = "cos",
                     .columns = columns,
                     .gamma = 0.5 / (double)columns,
                     .phases = true,
                     .seed = 11,
                     .inner_count = count - 1};
    for (size_t i = 0; i < spec.inner_count; i++) {
        spec.inner[i] = shapes[i];
    }
    return spec;
}

map *make_stack(const char *layers, size_t columns) {
    const map_spec spec = stack_spec(layers, columns);
    cnm_error error = {0};
    map *out;
    check_ok(map_draw(&out, &spec, &error), &error);
    return out;
}

stack_point stack_point_make(const map *self) {
    stack_point out = {0};
    out.count = map_list(self, out.arrays);
    for (size_t i = 0; i < out.count; i++) {
        const float *values = *out.arrays[i].values;
        const size_t cells = out.arrays[i].rows * out.arrays[i].columns;
        out.values[i] = values == NULL ? NULL : take(cells, sizeof(double));
        for (size_t j = 0; values != NULL && j < cells; j++) {
            out.values[i][j] = (double)values[j];
        }
    }
    return out;
}

void stack_point_free(stack_point *self) {
    for (size_t i = 0; i < self->count; i++) {
        free(self->values[i]);
    }
}

/* Returns a layer's array by its own name ("theta", "phase"), or NULL. */
static const double *array_of(const stack_point *at, const layer *owner, const char *name) {
    for (size_t i = 0; i < at->count; i++) {
        const map_array *array = &at->arrays[i];
        if (array->owner == owner && strcmp(array->tensor == NULL ? "phase" : array->tensor->name, name) == 0) {
            return at->values[i];
        }
    }
    return NULL;
}

/* Fills z with the column itself and its mixed cosines. */
static void columns_row(const layer *self, const stack_point *at, const double *u, double *z) {
    const double *frequency = array_of(at, self, "frequency"), *phase = array_of(at, self, "frequency_phase");
    const double *mix = array_of(at, self, "mix"), *gain = array_of(at, self, "gain");
    const size_t d = self->columns, cosines = self->tensors[0].columns;
    for (size_t j = 0; j < d; j++) {
        z[j] = (gain == NULL ? 1.0 : gain[j]) * u[j];
        for (size_t i = 0; i < MIXED; i++) {
            z[d + j * MIXED + i] = 0.0;
            for (size_t m = j * cosines; m < (j + 1) * cosines; m++) {
                z[d + j * MIXED + i] += mix[m * MIXED + i] * cos(frequency[m] * u[j] + phase[m]);
            }
        }
    }
}

/* The arrays of a layer that is a matrix; NULL where it has none of that name. */
typedef struct matrix_arrays {
    const double *theta, *filters, *signs, *diagonal, *phase;
} matrix_arrays;

/* Returns theta (column, feature). */
static double theta_of(const layer *self, const matrix_arrays *own, size_t column, size_t feature) {
    const size_t d = self->columns, block = feature / d * d;
    if (own->theta != NULL) {
        return own->theta[column * self->features + feature];
    }
    const double filter = own->filters[block + (feature % d + d - column) % d];
    if (own->signs == NULL) { /* every block has a diagonal of its own */
        return filter * own->diagonal[block + column];
    }
    return filter * own->signs[column] * (own->diagonal == NULL ? 1.0 : own->diagonal[column]);
}

static void layer_row(const layer *self, const stack_point *at, const double *u, double *z) {
    const matrix_arrays own = {array_of(at, self, "theta"), array_of(at, self, "filters"), array_of(at, self, "signs"),
                               array_of(at, self, "diagonal"), array_of(at, self, "phase")};
    if (own.theta == NULL && own.filters == NULL) {
        columns_row(self, at, u, z);
        return;
    }
    for (size_t i = 0; i < self->features; i++) {
        double sum = own.phase == NULL ? 0.0 : own.phase[i];
        for (size_t j = 0; j < self->columns; j++) {
            sum += u[j] * theta_of(self, &own, j, i);
        }
        z[i] = cos(sum);
    }
}

void stack_row(const map *self, const stack_point *at, const double *u, double *z) {
    double below[WIDEST], above[WIDEST];
    memcpy(below, u, self->columns * sizeof *below);
    for (size_t i = 0; i < self->layer_count; i++) {
        assert_true(self->layers[i]->features <= WIDEST);
        layer_row(self->layers[i], at, below, above);
        memcpy(below, above, self->layers[i]->features * sizeof *below);
    }
    memcpy(z, below, self->features * sizeof *z);
}
