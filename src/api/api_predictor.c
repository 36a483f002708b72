/* One row at a time. Arguments are checked when a predictor is made; from then on nothing can
 * fail. */
#include "api/api_objects.h"
#include "base/core/try.h"
#include "model/predict_row.h"

cnm_status cnm_predictor_create(cnm_predictor **out, const cnm_model *model, cnm_error *err) {
    TRY(api_output(out, err));
    TRY(api_require(model, "model", err));
    return row_predictor_create(out, model, err);
}

void cnm_predictor_scores(cnm_predictor *predictor, const float *row, float *scores) {
    row_predictor_scores(predictor, row, scores);
}

void cnm_predictor_destroy(cnm_predictor *predictor) { row_predictor_destroy(predictor); }
