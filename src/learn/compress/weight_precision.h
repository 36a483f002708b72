/* Weights at rest: 16 bits where predictions stay what they are. */
#ifndef CNM_LEARN_COMPRESS_WEIGHT_PRECISION_H
#define CNM_LEARN_COMPRESS_WEIGHT_PRECISION_H

#include "learn/settings.h"
#include "model/model.h"

/* Rounds the arrays of a finished model's map and head to what 16 bits hold, where `wanted` asks for it or where predictions for a
 * sample of the training rows stay the same; notes in the record how they are kept. Once here, in memory: what predicts now is what a
 * file gives back. */
cnm_status rounding_apply(cnm_model *model, const rows_view *rows, const settings *wanted, cnm_error *err);

#endif
