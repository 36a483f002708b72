/* One row at a time through a model, with all memory taken beforehand: the bits of model_scores
 * without its blocks. */
#ifndef CNM_MODEL_PREDICT_ROW_H
#define CNM_MODEL_PREDICT_ROW_H

#include "model/model.h"

typedef struct cnm_predictor row_predictor;

/* Creates a predictor for a model with a head, which must outlive the predictor. */
cnm_status row_predictor_create(row_predictor **out, const cnm_model *model, cnm_error *err);
void row_predictor_destroy(row_predictor *self);

/* Fills scores (outputs) of row (columns), whose base is 0. Allocates nothing. One thread at a
 * time. */
void row_predictor_scores(row_predictor *self, const float *row, float *scores);

#endif
