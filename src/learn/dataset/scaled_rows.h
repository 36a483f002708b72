/* A scaling fitted to the rows of a data set, and the preprocessing stage that applies it. */
#ifndef CNM_LEARN_DATASET_SCALED_ROWS_H
#define CNM_LEARN_DATASET_SCALED_ROWS_H

#include "data/scale/scaling.h"
#include "learn/dataset/dataset.h"
#include "model/preprocess.h"

typedef struct scaled_rows {
    scaling scaling;
    input_stage input; /* see model/preprocess.h */
} scaled_rows;

/* Fits a scaling to the rows of the data set. On failure `out` owns nothing. */
cnm_status scaled_rows_create(scaled_rows *out, const dataset *data, scaling_kind kind, cnm_error *err);
void scaled_rows_free(scaled_rows *self);

#endif
