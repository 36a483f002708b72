/* Fits temperature and decision offsets. */
#include "learn/calibrate/calibrate.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/calibrate/temperature.h"
#include "learn/evaluate/decision_thresholds.h"
#include "learn/objective/losses.h"

/* Returns whether each output has its own sigmoid, which no temperature of a softmax fits. */
static bool outputs_are_separate(const dataset *data) {
    return data->outputs > 1 && data->loss->probability == PROBABILITY_ONE_VS_REST;
}

/* Fills the offsets. Their temperature is fitted without smoothing: that would raise it where rows
 * are few and all are classified correctly. */
static cnm_status fit_offsets(calibration *out, const fit_session *self, const heldout_scores *held, cnm_error *err) {
    const dataset *data = self->data;
    if (thresholds_are_learned(data)) {
        return thresholds_learned(data, out->temperature > 0.0 ? out->temperature : 1.0, out->offsets, err);
    }
    const double plain = held->count > 0 ? temperature_fit(held, 0.0) : 1.0;
    if (data->settings->metric == METRIC_BALANCED) {
        thresholds_balanced(data, plain, out->offsets);
        return CNM_OK;
    }
    if (held->count > 0) {
        return thresholds_f1(held->scores, held->count, held->outputs, held->weights, plain, out->offsets, err);
    }
    if (self->state != FIT_STOPPED) {
        notice_send(
            data->callbacks,
            "--metric f1 sets no decision thresholds: rows are too few to hold some out, or --time-limit leaves "
            "no time to train without them; --validation holds rows out");
    }
    memory_free(out->offsets);
    out->offsets = NULL;
    return CNM_OK;
}

cnm_status calibrate_run(calibration *out, fit_session *self, const cnm_model *start, cnm_error *err) {
    const dataset *data = self->data;
    heldout_scores held = {0};
    cnm_status status = CNM_OK;
    *out = (calibration){0};
    if (thresholds_wanted(data) || thresholds_are_learned(data)) {
        TRY(memory_zeroed(&out->offsets, data->outputs, sizeof *out->offsets, "decision offsets", err));
    }
    if (out->offsets != NULL || loss_has_margins(data->loss)) {
        TRY_DONE(heldout_scores_find(&held, self, start, err));
    }
    if (held.count > 0 && !outputs_are_separate(data)) {
        out->temperature = temperature_fit(&held, 1.0 / ((double)held.count + 2.0));
    }
    if (out->offsets != NULL) {
        TRY_DONE(fit_offsets(out, self, &held, err));
    }
done:
    heldout_scores_free(&held);
    return status;
}

void calibration_free(calibration *self) {
    memory_free(self->offsets);
    *self = (calibration){0};
}
