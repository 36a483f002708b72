/* Writes the header of an exported C program, whose comment describes the model, its needs and its
 * use. */
#include "model/export/c/export_c_header.h"

#include <string.h>

#include "map/layers_text.h"
#include "model/export/c/export_c_columns.h"

enum { LINE = 110 };

static const char *const WEIGHTS[] = {"32 bits", "16 bits", "8 bits"};

/* Writes the columns' names in order, where the model has them. */
static void emit_names(c_writer *out, const cnm_model *model) {
    size_t used = LINE;
    if (model->names == NULL) {
        return;
    }
    emit(out, model->encoder != NULL ? " *\n * What x holds, in order:" : " *\n * The columns, in order:");
    for (size_t j = 0; j < model->input.columns; j++) {
        const size_t length = strlen(model->names[j]);
        const bool next_line = used + length > LINE;
        emit(out, next_line ? "\n *   " : " ");
        used = next_line ? length : used + length + 2;
        emit_remark(out, model->names[j]);
        emit(out, j + 1 < model->input.columns ? "," : "\n");
    }
}

static const char OWN_ROW[] = " *     struct @_columns row = {0};\n"
                              " *     row.... = ...;\n"
                              " *     float x[$_COLUMNS];\n"
                              " *     @_row(&row, x);\n";

/* Writes an example of a model whose columns have types. */
static void emit_typed_example(c_writer *out, const cnm_model *model) {
    emit(out, OWN_ROW);
    if (model->outputs == 0) {
        emit(out, " *     float z[$_FEATURES];\n *     @_features(x, z);\n");
    } else if (model->task == TASK_REGRESS) {
        emit(out, " *     float y = @_value(x);\n");
    } else {
        emit(out, " *     puts(@_labels[@_predict(x)]);\n");
    }
}

static void emit_example(c_writer *out, const cnm_model *model) {
    if (model->encoder != NULL) {
        emit_typed_example(out, model);
    } else if (model->outputs == 0) {
        emit(out, " *     float x[$_COLUMNS] = {...}, z[$_FEATURES];\n *     @_features(x, z);\n");
    } else if (model->task == TASK_REGRESS) {
        emit(out, " *     float x[$_COLUMNS] = {...}, y = @_value(x);\n");
    } else {
        emit(out, " *     float x[$_COLUMNS] = {...};\n *     puts(@_labels[@_predict(x)]);\n");
    }
}

/* Writes what the columns of a row are. */
static void emit_input(c_writer *out, const cnm_model *model) {
    if (model->encoder != NULL) {
        emit(out, " *\n * @_row makes x, features that are all numbers, from the columns of a row.\n");
        return;
    }
    emit(out, " *\n * x holds one row, its columns as they were for training");
    emit(out,
         model->input.base != NULL
             ? ", less @_base: (float)(value - @_base[j]),\n * because these columns lie too far from zero for a float"
             : ", not scaled");
    emit(out, model->input.fill != NULL ? "; NaN stands for a missing value.\n" : ".\n");
}

/* Writes what the map is: "24 features (dense map, cos)", or the layers of a stack. */
static void emit_map_words(c_writer *out, const map *own) {
    const char *activation = map_last(own)->activation->name;
    if (own->layer_count == 1) {
        emit_format(out, "%zu features (%s map, %s)", own->features, map_last(own)->projection->name, activation);
        return;
    }
    char layers[LAYERS_TEXT_SIZE];
    layers_write(own, layers);
    emit_format(out, "%zu layers (%s; %s)", own->layer_count, layers, activation);
}

static void emit_comment(c_writer *out, const cnm_model *model, export_dtype weights, const export_need *need) {
    emit_format(out, "/* @: a model of %zu columns and ", model->input.columns);
    emit_map_words(out, model->map);
    emit_format(out, ", weights in %s. Made by cnm; not meant to be edited.\n *\n", WEIGHTS[weights]);
    emit_example(out, model);
    emit_input(out, model);
    emit_format(
        out,
        " * On a Cortex-M4 it takes %zu bytes of flash for constant tables, about %zu for code, and %zu bytes of "
        "stack.\n * Nothing is allocated and nothing kept: any number of threads may call.\n",
        need->tables, need->code, need->stack);
    emit_names(out, model);
    emit(out, " */\n");
}

static void emit_functions(c_writer *out, const cnm_model *model) {
    if (model->outputs == 0) {
        emit(out, "/* z ($_FEATURES), sqrt(2/k) included. */\nvoid @_features(const float *x, float *z);\n");
        return;
    }
    emit(out, "/* scores ($_OUTPUTS). */\nvoid @_scores(const float *x, float *scores);\n");
    if (model->task == TASK_REGRESS) {
        emit(out, "float @_value(const float *x);\n");
        return;
    }
    emit(out, "/* The class: a number for @_labels. */\n"
              "int @_predict(const float *x);\n"
              "/* probabilities ($_CLASSES), adding up to 1. */\n"
              "void @_probabilities(const float *x, float *probabilities);\n"
              "extern const char *const @_labels[$_CLASSES];\n");
}

void emit_header(c_writer *out, const cnm_model *model, export_dtype weights, const export_need *need) {
    emit_comment(out, model, weights, need);
    emit(out, "#ifndef $_H\n#define $_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    emit_format(out, "#define $_COLUMNS %zu\n#define $_FEATURES %zu\n", model->input.columns, model->map->features);
    if (model->outputs > 0) {
        emit_format(out, "#define $_OUTPUTS %zu\n", model->outputs);
    }
    if (model->classes.count > 0) {
        emit_format(out, "#define $_CLASSES %zu\n", model->classes.count);
    }
    emit(out, "\n");
    emit_column_types(out, model);
    if (model->input.base != NULL && model->encoder == NULL) {
        emit(out, "extern const double @_base[$_COLUMNS];\n");
    }
    emit_functions(out, model);
    emit(out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}
