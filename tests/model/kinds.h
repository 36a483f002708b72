/* The kinds of models that the tests of prediction and of the file go through: every projection, activation, input stage, task
 * and kind of label at least once. */
#ifndef CNM_TESTS_MODEL_KINDS_H
#define CNM_TESTS_MODEL_KINDS_H

#include "model/model_support.h"

/* clang-format off */
static const model_kind KINDS[] = {
    {"dense two classes", "dense", "cos", 3, 5, 2, .phases = true},
    {"dense words", "dense", "cos", 13, 40, 5, .phases = true, .offset = true, .names = true, .words = true},
    {"dense sigmoid", "dense", "sigmoid", 7, 9, 3, .phases = true, .offset = true, .fill = true},
    {"dense relu, no phases", "dense", "relu", 7, 9, 0, .phases = false},
    {"dense asinh", "dense", "cos", 7, 70, 2, .phases = true, .offset = true, .asinh = true, .fill = true, .words = true},
    {"dense base", "dense", "cos", 4, 16, 0, .phases = true, .offset = true, .base = true, .fill = true},
    {"circulant few features", "circulant", "cos", 12, 5, 4, .phases = true},
    {"circulant many features", "circulant", "cos", 7, 25, 2, .phases = true, .offset = true, .names = true},
    {"circulant diagonal", "circulant", "cos", 9, 9, 3, .phases = true, .unequal = true, .offset = true, .words = true},
    {"circulant base asinh", "circulant", "relu", 5, 8, 0, .unequal = true, .offset = true, .base = true, .asinh = true},
    {"identity", "identity", "identity", 6, 6, 2, .offset = true, .words = true},
    {"identity regression", "identity", "identity", 6, 6, 0, .asinh = true},
    {"map only", "dense", "cos", 6, 11, 1, .phases = true, .offset = true},
    {"circulant map only", "circulant", "cos", 6, 11, 1, .unequal = true},
    {"learned diagonals", "circulant-diagonal", "cos", 9, 20, 3, .phases = true, .offset = true, .words = true},
    {"learned diagonals, 16 bits", "circulant-diagonal", "cos", 9, 20, 3, .phases = true, .offset = true, .half = true},
    {"dense, 16 bits", "dense", "cos", 13, 40, 2, .phases = true, .offset = true, .half = true, .size = -4},
    {"circulant, 16 bits", "circulant", "sigmoid", 7, 25, 0, .phases = true, .unequal = true, .half = true, .size = 6},
    {"identity, 16 bits", "identity", "identity", 6, 6, 4, .offset = true, .half = true},
};
/* clang-format on */

#endif
