/* Stores weights with 16 bits where predictions stay the same. */
#ifndef CNM_LEARN_COMPRESS_WEIGHT_PRECISION_H
#define CNM_LEARN_COMPRESS_WEIGHT_PRECISION_H

#include "learn/settings.h"
#include "model/model.h"

/* Rounds the arrays of a finished model's map and head to half precision, where --dtype asks for it
 * or where predictions for a sample of the training rows stay the same; adds the precision to the
 * record. Arrays are rounded in memory, so that a model predicts the same before it is written and
 * after it is read. */
cnm_status weight_precision_apply(cnm_model *model, const rows_view *rows, const settings *wanted, cnm_error *err);

#endif
