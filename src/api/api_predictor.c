/* One row at a time. Arguments are checked when a predictor is made; from then on nothing can fail. */
#include "api/api_objects.h"
#include "model/predict_row.h"

cnm_status cnm_predictor_create(cnm_predictor **out, const cnm_model *model, cnm_error *err) {
    if (out == NULL) {
        return api_require(out, "out", err);
    }
    *out = NULL;
    const cnm_status status = api_require(model, "model", err);
    return status == CNM_OK ? one_row_create(out, model, err) : status;
}

void cnm_predictor_scores(cnm_predictor *predictor, const float *row, float *scores) {
    one_row_scores(predictor, row, scores);
}

void cnm_predictor_destroy(cnm_predictor *predictor) { one_row_destroy(predictor); }
