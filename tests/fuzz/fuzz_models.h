/* Uses a sound model: called by every target that comes to have one. */
#ifndef CNM_TESTS_FUZZ_MODELS_H
#define CNM_TESTS_FUZZ_MODELS_H

#include "model/model.h"

/* Loads bytes as a model and, where they are one, predicts, describes, saves and loads again. */
void try_model(const unsigned char *bytes, size_t size);

#endif
