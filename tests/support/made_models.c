#include "support/made_models.h"

#include "base/core/float16.h"
#include "map/layers_text.h"
#include "support/random_rows.h"

/* clang-format off */
const model_kind MODEL_KINDS[] = {
    {"dense two classes", "dense", "cos", 3, 5, 2, .phases = true},
    {"dense words", "dense", "cos", 13, 40, 5, .phases = true, .offset = true, .names = true, .words = true},
    {"dense sigmoid", "dense", "sigmoid", 7, 9, 3, .phases = true, .offset = true, .fill = true},
    {"dense relu, no phases", "dense", "relu", 7, 9, 0, .phases = false},
    {"dense asinh", "dense", "cos", 7, 70, 2, .phases = true, .offset = true, .asinh = true, .fill = true,
     .words = true},
    {"dense base", "dense", "cos", 4, 16, 0, .phases = true, .offset = true, .base = true, .fill = true},
    {"circulant few features", "circulant", "cos", 12, 5, 4, .phases = true},
    {"circulant many features", "circulant", "cos", 7, 25, 2, .phases = true, .offset = true, .names = true},
    {"circulant diagonal", "circulant", "cos", 9, 9, 3, .phases = true, .unequal = true, .offset = true, .words = true},
    {"circulant base asinh", "circulant", "relu", 5, 8, 0, .unequal = true, .offset = true, .base = true,
     .asinh = true},
    {"identity", "identity", "identity", 6, 6, 2, .offset = true, .words = true},
    {"identity regression", "identity", "identity", 6, 6, 0, .asinh = true},
    {"map only", "dense", "cos", 6, 11, 1, .phases = true, .offset = true},
    {"circulant map only", "circulant", "cos", 6, 11, 1, .unequal = true},
    {"learned diagonals", "circulant-diagonal", "cos", 9, 20, 3, .phases = true, .offset = true, .words = true},
    {"learned diagonals, 16 bits", "circulant-diagonal", "cos", 9, 20, 3, .phases = true, .offset = true, .half = true},
    {"dense, 16 bits", "dense", "cos", 13, 40, 2, .phases = true, .offset = true, .half = true, .size = -4},
    {"circulant, 16 bits", "circulant", "sigmoid", 7, 25, 0, .phases = true, .unequal = true, .half = true, .size = 6},
    {"identity, 16 bits", "identity", "identity", 6, 6, 4, .offset = true, .half = true},
    {"two layers", "dense", "cos", 5, 7, 3, .phases = true, .offset = true, .words = true, .inner = "dense:12"},
    {"three layers", "dense", "sigmoid", 6, 9, 0, .phases = true, .fill = true, .unequal = true,
     .inner = "circulant:14,circulant-diagonal:8"},
    {"two layers, 16 bits", "circulant", "cos", 7, 10, 2, .phases = true, .half = true, .size = -1, .inner = "dense:6"},
    {"columns below dense", "dense", "cos", 4, 11, 0, .phases = true, .offset = true, .fill = true, .unequal = true,
     .names = true, .inner = "columns:3"},
    {"knots", "dense", "cos", 6, 9, 3, .phases = true, .offset = true, .fill = true, .knots = true},
    {"two layers, map only", "dense", "cos", 4, 5, 1, .phases = true, .inner = "circulant:9"},
};
/* clang-format on */

const char *const HARD_TEXTS[8] = {"\"quoted\"",  "\\n",       "a\nb",      "back\\slash",
                                   "caf\xc3\xa9", "tab\there", "two words", "x"};

map *drawn_map(const map_spec *spec) {
    cnm_error error = {0};
    map *self;
    check_ok(map_draw(&self, spec, &error), &error);
    return self;
}

static void give_labels(cnm_model *model, const model_kind *kind) {
    model->classes = (class_set){.count = kind->classes, .numeric = !kind->words};
    model->classes.labels = take_owned(kind->classes, sizeof(char *));
    for (size_t i = 0; i < kind->classes; i++) {
        char number[32];
        snprintf(number, sizeof number, "%d", (int)i - 1);
        model->classes.labels[i] = copy_owned(kind->words ? HARD_TEXTS[i % COUNT_OF(HARD_TEXTS)] : number);
    }
}

static void give_input(cnm_model *model, const model_kind *kind) {
    const size_t columns = kind->columns;
    input_stage *input = &model->input;
    input->columns = columns;
    input->asinh = kind->asinh;
    input->offset = kind->offset ? take_owned(columns, sizeof(double)) : NULL;
    input->base = kind->base ? take_owned(columns, sizeof(double)) : NULL;
    input->fill = kind->fill ? take_owned(columns, sizeof(double)) : NULL;
    input->scale = kind->asinh || kind->knots ? take_owned(columns, sizeof(float)) : NULL;
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
        if (input->scale != NULL) {
            input->scale[j] = (float)(0.5 + uniform(73, j));
        }
    }
}

/* Gives column j 1 + 7 j mod 5 knots, whose values fit in 16 bits. */
static void give_knots(cnm_model *model) {
    const size_t columns = model->input.columns;
    uint8_t *counts = take(columns, 1);
    for (size_t j = 0; j < columns; j++) {
        counts[j] = (uint8_t)(1 + 7 * j % 5);
    }
    assert_int_equal(knots_create(&model->input.knots, columns, counts, NULL), CNM_OK);
    knot_table *knots = model->input.knots;
    for (size_t j = 0; j < columns; j++) {
        for (size_t i = 0; i < counts[j]; i++) {
            const double at = (double)i + uniform(77, 5 * j + i) - 0.5 * counts[j];
            const double value = 0.7 * (double)i + 0.5 * uniform(78, 5 * j + i) - 1.0;
            knots->at[knots->starts[j] + i] = (float)at;
            knots->value[knots->starts[j] + i] = (float)value;
        }
    }
    float16_round(knots->value, knots->starts[columns]);
    assert_true(knots_prepare(knots));
    free(counts);
}

/* As a training leaves a model that is kept in 16 bits. */
static void give_halves(cnm_model *model, const model_kind *kind) {
    map_array arrays[MAP_ARRAYS];
    const size_t count = map_list(model->map, arrays);
    for (size_t i = 0; i < count; i++) {
        const layer_tensor *tensor = arrays[i].tensor;
        float *values = *arrays[i].values;
        const size_t cells = values == NULL ? 0 : arrays[i].rows * arrays[i].columns;
        for (size_t j = 0; tensor != NULL && !tensor->signs && j < cells; j++) {
            values[j] *= (float)pow(10.0, kind->size);
        }
        float16_round(values, cells);
    }
    float16_round(model->weights, model->map->features * model->outputs);
    float16_round(model->bias, model->outputs);
    map_refresh(model->map);
    assert_int_equal(record_set(&model->record, "dtype", "f16", NULL), CNM_OK);
}

/* The layers below the last. */
static void give_layers(map_spec *spec, const model_kind *kind) {
    layer_shape layers[MAP_LAYERS] = {{0}};
    if (kind->inner != NULL) {
        assert_int_equal(layers_read(kind->inner, layers, &spec->inner_count, NULL), CNM_OK);
    }
    for (size_t i = 0; i < spec->inner_count; i++) {
        spec->inner[i] = layers[i];
    }
}

cnm_model *make_model(const model_kind *kind) {
    cnm_error error = {0};
    cnm_model *model;
    check_ok(model_create(&model, &error), &error);
    model->task = kind->classes == 0 ? TASK_REGRESS : kind->classes == 1 ? TASK_MAP : TASK_CLASSIFY;
    map_spec spec = {.projection = kind->projection,
                     .activation = kind->activation,
                     .columns = kind->columns,
                     .features = kind->features,
                     .gamma = 0.3,
                     .phases = kind->phases,
                     .seed = 5};
    give_layers(&spec, kind);
    model->map = drawn_map(&spec);
    if (kind->unequal) {
        double *factor = take(kind->columns, sizeof *factor);
        for (size_t j = 0; j < kind->columns; j++) {
            factor[j] = 0.5 + uniform(74, j);
        }
        check_ok(layer_scale_columns(map_first(model->map), factor, &error), &error);
        free(factor);
    }
    give_input(model, kind);
    if (kind->knots) {
        give_knots(model);
    }
    if (kind->classes != 1) {
        model->outputs = kind->classes > 2 ? kind->classes : 1;
        model->weights = take_owned(kind->features * model->outputs, sizeof(float));
        model->bias = take_owned(model->outputs, sizeof(float));
        normals(75, kind->features * model->outputs, 1.0, model->weights);
        normals(76, model->outputs, 1.0, model->bias);
    }
    if (kind->classes > 1) {
        give_labels(model, kind);
    }
    if (kind->names) {
        model->names = take_owned(kind->columns, sizeof(char *));
        for (size_t j = 0; j < kind->columns; j++) {
            model->names[j] = copy_owned(HARD_TEXTS[j % COUNT_OF(HARD_TEXTS)]);
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
