/* Models made by hand, without a training: every projection, activation, preprocessing, task and
 * kind of label at least once. */
#ifndef CNM_TESTS_SUPPORT_MADE_MODELS_H
#define CNM_TESTS_SUPPORT_MADE_MODELS_H

#include "support/checks.h"

#include "model/model.h"

/* What a model is to have. classes 0: regression; 1: a map without a head. */
typedef struct model_kind {
    const char *name, *projection, *activation;
    size_t columns, features, classes;
    bool phases, unequal, offset, asinh, base, fill, names, words;
    bool knots;        /* functions of columns through 1 to 5 knots each */
    bool half;         /* stored in 16 bits */
    double size;       /* of the map's tensors, as a power of ten */
    const char *inner; /* layers below the last, as in map/layers_text.h; NULL: none */
} model_kind;

/* The kinds that the tests of prediction, of the model file and of the export go through. */
extern const model_kind MODEL_KINDS[25];

/* Texts that a careless reader of lists would break, in ascending order: the labels and names of
 * made models. */
extern const char *const HARD_TEXTS[8];

/* Makes a model of a kind. */
cnm_model *make_model(const model_kind *kind);

/* Draws the random map of a specification; a failure ends the test. */
map *drawn_map(const map_spec *spec);

#endif
