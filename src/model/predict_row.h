/* One row at a time through a model, with all memory taken beforehand: the bits of model_scores without its blocks. */
#ifndef CNM_MODEL_PREDICT_ROW_H
#define CNM_MODEL_PREDICT_ROW_H

#include "model/model.h"

typedef struct cnm_predictor one_row;

/* For a model with a head, which must outlive it. */
cnm_status one_row_create(one_row **out, const cnm_model *model, cnm_error *err);
void one_row_destroy(one_row *self);

/* scores (outputs) of row (columns), whose base is 0. Allocates nothing. One thread at a time. */
void one_row_scores(one_row *self, const float *row, float *scores);

#endif
