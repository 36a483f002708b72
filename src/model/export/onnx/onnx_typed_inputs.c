/* Writes what an encoder does: words to features of 0 and 1, indicators of missing cells.
 *
 *   numbers   (N, 1) → less the base, in double, where there is one
 * words     (N, 1) → LabelEncoder: the number of the word's feature, -1 for none → Equal to 0 ..
 * c-1
 *   missing   IsNaN, or the empty text
 *   X         Concat of all, in the order of the features */
#include <stdio.h>
#include <string.h>

#include "base/core/memory.h"
#include "model/export/onnx/onnx_columns.h"
#include "model/export/onnx/onnx_layers.h"

/* Names of the rest of a graph, which no input may have. A name that the other files of this folder
 * begin to use is to be added here: no test finds it. */
static const char *const TAKEN[] = {
    "X",           "fill",
    "missing",     "filled",
    "offset",      "centred",
    "rounded",     "scale",
    "scaled",      "least",
    "largest",     "above",
    "within",      "bent",
    "labels",      "label",
    "index",       "zero",
    "axes",        "positive",
    "column",      "decision_offset",
    "log_odds",    "inverse_temperature",
    "tempered",    "opposite",
    "both",        "probabilities",
    "softplus",    "logarithms",
    "unit",        "features",
    "head",        "bias",
    "scores",      "variable",
    "knot_at",     "knot_apart",
    "knot_rise",   "knot_first",
    "part_none",   "part_all",
    "knot_axis",   "knot_column",
    "knot_beyond", "knot_share",
    "knot_begun",  "knot_part",
    "knot_risen",  "knot_sum",
    "scored",
};

typedef struct typed_inputs {
    protobuf_writer *graph;
    const cnm_model *model;
    dictionary taken;    /* names of the graph; they live here */
    const char **pieces; /* (count) what X is made of */
    size_t count;
} typed_inputs;

/* Takes a name that no other thing in the graph has: `wanted`, or that and a number. */
static const char *take_name(typed_inputs *self, const char *wanted) {
    const size_t length = strlen(wanted), room = length + 24;
    int32_t code = 0;
    char *name;
    if (!PROTOBUF_TRY(self->graph, memory_take(&name, room, 1, "names", self->graph->err))) {
        return "";
    }
    memcpy(name, wanted, length + 1);
    for (size_t i = 2; dictionary_find(&self->taken, name, strlen(name)) >= 0; i++) {
        (void)snprintf(name + length, room - length, "_%zu", i);
    }
    const bool taken =
        PROTOBUF_TRY(self->graph, dictionary_add(&self->taken, name, strlen(name), &code, self->graph->err));
    memory_free(name);
    return taken ? self->taken.texts[code] : "";
}

/* Adds a node with one or two inputs and a name of its own, which it returns. */
static const char *add_step(typed_inputs *self, const char *operation, const char *first, const char *second) {
    const char *output = take_name(self, operation);
    onnx_add_node(self->graph, &(onnx_node){.operation = operation, .output = output, .inputs = {first, second}});
    return output;
}

static const char *add_cast(typed_inputs *self, const char *input) {
    const char *output = take_name(self, "Cast");
    onnx_add_node(self->graph, &(onnx_node){.operation = "Cast",
                                            .output = output,
                                            .inputs = {input},
                                            .attributes = {{.name = "to", .integer = ONNX_FLOAT}}});
    return output;
}

/* ---- Numbers and times ---- */

static void add_number(typed_inputs *self, const column_encoding *column, const char *name) {
    const double base = self->model->input.base == NULL ? 0.0 : self->model->input.base[column->feature];
    onnx_add_input(self->graph, name, base != 0.0 ? ONNX_DOUBLE : ONNX_FLOAT, 1);
    const char *at = name;
    if (base != 0.0) {
        const char *constant = take_name(self, "base");
        onnx_add_doubles(self->graph, constant, &base, 1);
        at = add_cast(self, add_step(self, "Sub", at, constant));
    }
    self->pieces[self->count++] = at;
    if (column->indicator) {
        self->pieces[self->count++] = add_cast(self, add_step(self, "IsNaN", at, NULL));
    }
}

/* ---- Words ---- */

/* Adds the numbers of words' features: words (count) texts, the last of which is empty and stands
 * for a missing one. */
static const char *add_codes(typed_inputs *self, const column_encoding *column, const char *input, char **words,
                             int64_t *codes) {
    const size_t count = column->type.words.count, others = column->other ? 1 : 0;
    const char *output = take_name(self, "LabelEncoder");
    for (size_t i = 0; i < count; i++) {
        words[i] = column->type.words.texts[i];
        codes[i] = (int64_t)i;
    }
    words[count] = (char[]){""};
    codes[count] = column->indicator ? (int64_t)(count + others) : -1;
    onnx_add_node(self->graph,
                  &(onnx_node){.operation = "LabelEncoder",
                               .domain = "ai.onnx.ml",
                               .output = output,
                               .inputs = {input},
                               .attributes = {{.name = "keys_strings", .texts = words, .count = count + 1},
                                              {.name = "values_int64s", .integers = codes, .count = count + 1},
                                              {.name = "default_int64", .integer = others ? (int64_t)count : -1}}});
    return output;
}

static void add_words(typed_inputs *self, const column_encoding *column, const char *name) {
    const size_t most = column->type.words.count + 2; /* features: of others, and of missing words */
    const size_t features = most - (column->other ? 0 : 1) - (column->indicator ? 0 : 1);
    char **words = NULL;
    int64_t *codes = NULL;
    const memory_want wants[] = {{&words, most, sizeof *words, "words"}, {&codes, most, sizeof *codes, "words"}};
    onnx_add_input(self->graph, name, ONNX_STRING, 1);
    if (!PROTOBUF_TRY(self->graph, memory_take_all(self->graph->err, wants, 2))) {
        return;
    }
    const char *code = add_codes(self, column, name, words, codes), *positions = take_name(self, "positions");
    for (size_t i = 0; i < features; i++) {
        codes[i] = (int64_t)i;
    }
    onnx_add_integers(self->graph, positions, codes, features);
    self->pieces[self->count++] = add_cast(self, add_step(self, "Equal", code, positions));
    memory_free(words);
    memory_free(codes);
}

/* ---- All columns ---- */

static void take_names(typed_inputs *self, const char **inputs) {
    const encoder *columns = self->model->encoder;
    for (size_t i = 0; i < sizeof TAKEN / sizeof TAKEN[0]; i++) {
        (void)take_name(self, TAKEN[i]);
    }
    onnx_layer_names names;
    for (size_t i = 0; i < self->model->map->layer_count; i++) {
        onnx_name_layer(i, &names);
        for (size_t j = 0; j < ONNX_LAYER_NAMES; j++) {
            (void)take_name(self, names.all[j]);
        }
    }
    for (size_t j = 0; j < columns->columns; j++) {
        const char *name = columns->column[j].name;
        char number[32];
        (void)snprintf(number, sizeof number, "column_%zu", j + 1);
        inputs[j] = columns->column[j].use == COLUMN_USED ? take_name(self, name != NULL ? name : number) : NULL;
    }
}

static void add_all(typed_inputs *self, const char *const *inputs) {
    const encoder *columns = self->model->encoder;
    for (size_t j = 0; j < columns->columns; j++) {
        const column_encoding *column = &columns->column[j];
        if (column->use != COLUMN_USED) {
            continue;
        }
        (column->type.kind == COLUMN_WORDS ? add_words : add_number)(self, column, inputs[j]);
    }
    onnx_add_node(self->graph, &(onnx_node){.operation = "Concat",
                                            .output = "X",
                                            .many = self->pieces,
                                            .many_count = self->count,
                                            .attributes = {{.name = "axis", .integer = 1}}});
}

void onnx_add_typed_inputs(onnx_chain *chain, const cnm_model *model) {
    typed_inputs self = {.graph = &chain->graph, .model = model};
    const size_t columns = model->encoder->columns;
    const char **inputs = NULL;
    const memory_want wants[] = {{&inputs, columns, sizeof *inputs, "names"},
                                 {&self.pieces, 2 * columns, sizeof *self.pieces, "names"}};
    chain->at = "X";
    if (!PROTOBUF_TRY(self.graph, memory_take_all(self.graph->err, wants, 2))) {
        return;
    }
    take_names(&self, inputs);
    add_all(&self, inputs);
    memory_free(inputs);
    memory_free(self.pieces);
    dictionary_free(&self.taken);
}
