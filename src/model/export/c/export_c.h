/* The parts of an exported C program. Inside the model module.
 *
 * A projection and an activation each have a row in a table here, by the name they have in the map
 * module; a model whose parts have no row is refused with a sentence. */
#ifndef CNM_MODEL_EXPORT_C_EXPORT_C_H
#define CNM_MODEL_EXPORT_C_EXPORT_C_H

#include "model/export/c/c_writer.h"
#include "model/export/c/export_c_layers.h"
#include "model/export/packed_matrix.h"

/* Pieces that a program has once where anything in it needs them (c_writer.pieces). */
enum {
    PIECE_HALVES = 1 << 0,
    PIECE_POWERS = 1 << 1,
    PIECE_COSINE = 1 << 2,
    PIECE_DECAY = 1 << 3,
    PIECE_RELU = 1 << 4,
    PIECE_ASINH = 1 << 5,
    PIECE_SIGMOID = 1 << 6,
    PIECE_FAR = 1 << 7, /* cosines of large arguments: with the library's bits, or shorter */
    PIECE_FAR_SHORT = 1 << 8
};

/* Writes a set of pieces and those they need, in the order in which they call each other. */
void emit_pieces(c_writer *self, unsigned pieces);

typedef struct activation_export {
    const char *name;
    const char *call; /* the expression for a value p */
    unsigned pieces;
    bool bounded; /* features are of one size: rows of the head are alike, in packed_matrix.h */
} activation_export;

/* Returns NULL for a name without a row. */
const activation_export *activation_export_find(const char *name);

/* One projection in C. */
typedef struct projection_export {
    const char *name;
    const char *function; /* its name in C */
    /* Rounds the tensors of a layer of a map to what a program keeps of them. */
    cnm_status (*quantise)(const map *own, layer *self, export_dtype weights, cnm_error *err);
    /* Writes the tables, then static void FUNCTION(const float *x, float *p), which may call float
     * column(const float *x, size_t j); its arrays are added to out->stack. With several layers
     * also their constants, layer1 and so on, of which FUNCTION takes a pointer first. Projections
     * with the same emit share a function. */
    void (*emit)(c_writer *out, const layer_group *group);
} projection_export;

extern const projection_export EXPORT_DENSE, EXPORT_IDENTITY, EXPORT_CIRCULANT, EXPORT_CIRCULANT_DIAGONAL,
    EXPORT_COLUMNS;
const projection_export *projection_export_find(const char *name);

/* Fails with CNM_UNSUPPORTED unless the model's projection and activation have rows above. */
cnm_status export_c_check(const cnm_model *model, cnm_error *err);

/* Writes NAME_value, or NAME_predict, NAME_probabilities and NAME_labels, which use NAME_scores. */
void emit_predictions(c_writer *out, const cnm_model *model);

/* Writes the knots and float through_knots(size_t j, float t), column j's function of t. */
void emit_knots(c_writer *out, const knot_table *self);

/* ---- Matrices ---- */

/* Rounds a matrix in place to what an export keeps of it; alike as in packed_matrix_create. */
cnm_status quantise_matrix(float *values, size_t rows, size_t columns, export_dtype weights, bool alike,
                           cnm_error *err);

/* How one product is written: output[i] = scale * sum over j of input * factor * table[j * columns
 * + i]. Input and factor are expressions in j, the scale is one in i. */
typedef struct product_text {
    const char *table, *rows, *columns, *input, *output;
    const char *factor, *scale; /* NULL: those of the matrix */
} product_text;

void emit_matrix(c_writer *out, const char *name, const packed_matrix *self);
void emit_product(c_writer *out, const product_text *names, const packed_matrix *self);
/* Writes the expression that reads element `index` of a table, without scale and exponent. */
void emit_read(c_writer *out, const packed_matrix *self, const char *name, const char *index);

#endif
