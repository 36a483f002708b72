/* The soft targets of a transfer set, whose rows are near the training rows, are
 *
 *   classification   p ~ p_map^(1/3) * p_ensemble^(2/3), where p_ensemble is the exponential of the
 *                    members' mean log-probability
 *   regression       a third of the map's score and two thirds of the members' mean
 *
 * with a smaller weight of the map where it is clearly the worse model. */
#include "learn/distill/distill_ensemble.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/distill/kernel_ensemble.h"
#include "learn/distill/soft_labels.h"
#include "learn/distill/student.h"
#include "learn/evaluate/decision_thresholds.h"
#include "learn/evaluate/metrics.h"
#include "learn/fit/frozen_map.h"
#include "learn/tuning.h"

/* ---- Whether to distil ---- */

static bool is_possible(const fit_session *self) {
    const settings *wanted = self->data->settings;
    const dataset *data = self->data;
    const map_spec *spec = &self->spec;
    return head_can_be_solved(self) && data->loss->soft_targets && spec->inner_count == 0 &&
           wanted->scale != SCALING_QUANTILE + 1 && projection_find(spec->projection)->own_parameters &&
           activation_find(spec->activation)->kernel && spec->kernel == KERNEL_GAUSSIAN && spec->phases &&
           !rows_are_sparse(&data->rows) && data->rows.rows <= TUNING.ensemble.most_rows &&
           data->rows.columns <= TUNING.ensemble.most_cells / TUNING.ensemble.most_rows && data->weights == NULL &&
           data->groups == NULL && data->hint == NULL && wanted->validation == 0.0 && data->validating == 0 &&
           wanted->prune == 0.0 && wanted->time_limit == 0.0 &&
           !(data->task == TASK_CLASSIFY && (thresholds_wanted(data) || thresholds_are_learned(data)));
}

bool distill_may_follow(const fit_session *self) {
    const settings *wanted = self->data->settings;
    return wanted->distill == DISTILL_AUTO && wanted->map_rate < 0.0 && is_possible(self);
}

cnm_status distill_check(const fit_session *self, cnm_error *err) {
    if (self->data->settings->distill != DISTILL_YES || is_possible(self)) {
        return CNM_OK;
    }
    return error_set(
        err, CNM_BAD_ARGUMENT,
        "--distill yes needs up to 2000 dense rows (here are %zu of %zu columns), one dense layer of up to 1024 "
        "cosines with phases, the Gaussian kernel, and softmax or squared loss; it does not go with weights, groups, "
        "--time-limit, --validation, --prune, --teacher, --from, or a metric that sets decision thresholds",
        self->data->rows.rows, self->data->rows.columns);
}

/* Returns what fitting the members may cost: as much as the steps of training and student. The
 * search for them may cost as much as the student. */
static double work_for_members(const fit_session *self) {
    const uint64_t steps = self->steps > 0 ? self->steps : head_is_solved(self) ? 1 : self->chosen.steps;
    const size_t batch = self->steps > 0 ? self->batch : self->chosen.batch; /* before the training: for the progress */
    const double own = steps > 1 ? (double)steps * (double)batch * fit_session_row_work(self) : 0.0;
    return own + student_work(self);
}

static bool is_affordable(const fit_session *self, size_t rows) {
    return self->data->settings->distill == DISTILL_YES ||
           (self->spec.features >= DISTILL_LEAST_FEATURES &&
            kernel_ensemble_work(self, rows, 1) <= work_for_members(self));
}

static bool is_wanted(const fit_session *self, double search_loss) {
    return is_affordable(self, self->split.train_count) &&
           (self->data->settings->distill == DISTILL_YES || (distill_may_follow(self) && search_loss > 0.0));
}

static bool is_worth_it(const fit_session *self, const kernel_ensemble *from, double search_loss) {
    const bool asked = self->data->settings->distill == DISTILL_YES, classes = self->data->task == TASK_CLASSIFY;
    const double rows = (double)self->split.train_count;
    const double own = classes ? fmax(search_loss, TUNING.ensemble.least_loss / rows) : search_loss;
    return from->count > 0 &&
           (asked || from->loss <= (classes ? TUNING.ensemble.worse : TUNING.ensemble.worse_regression) * own);
}

/* ---- The soft targets ---- */

/* Adds up the mean over the members: of scores, or of log-probabilities. Keeps a wish to stop in
 * `from`. scores (rows, outputs) is scratch. */
static cnm_status average_members(const transfer_set *self, const fit_session *of, kernel_ensemble *from, float *scores,
                                  cnm_error *err) {
    const size_t outputs = self->outputs, cells = self->rows * outputs;
    const float share = 1.0F / (float)from->count;
    progress_meter meter = progress_start(of->data->callbacks, "distill-search", from->count);
    meter.span = of->span;
    for (size_t k = 0; k < from->count; k++) {
        const float inverse_temperature = (float)from->inverse_temperature[k];
        TRY(kernel_model_scores(&from->models[k], self->values, self->rows, (size_t)of->data->settings->threads, scores,
                                err));
        for (size_t i = 0; i < cells; i++) {
            scores[i] *= inverse_temperature;
        }
        for (size_t i = 0; self->probabilities && i < self->rows; i++) {
            log_softmax(scores + i * outputs, outputs);
        }
        for (size_t i = 0; i < cells; i++) {
            self->targets[i] += share * scores[i];
        }
        krr_search_report(&meter, self->rows, from->loss);
    }
    from->stopped = from->stopped || meter.stopped;
    return CNM_OK;
}

/* Fills the ensemble's weight. own (rows, outputs): the map's scores of the transfer set, which
 * begins with the training rows. */
static cnm_status find_weight(const transfer_set *self, const fit_session *of, const kernel_ensemble *from,
                              const float *own, float *weight, cnm_error *err) {
    double loss = 0.0;
    if (self->rows >= of->split.train_count) {
        TRY(metric_loss(of->data, of->split.train, of->split.train_count, own, &loss, err));
    }
    const double worse = (loss / from->loss - 1.0) / (TUNING.ensemble.clearly_worse - 1.0);
    *weight = (float)(TUNING.ensemble.weight + (1.0 - TUNING.ensemble.weight) * fmin(fmax(worse, 0.0), 1.0));
    return CNM_OK;
}

static void average_row(const transfer_set *self, float weight, float *own, float *targets) {
    if (self->probabilities) {
        log_softmax(own, self->outputs);
    }
    for (size_t j = 0; j < self->outputs; j++) {
        const float score = self->probabilities ? fmaxf(own[j], (float)TUNING.ensemble.least_log_probability) : own[j];
        targets[j] = weight * targets[j] + (1.0F - weight) * score;
    }
    if (self->probabilities) {
        softmax(targets, self->outputs);
    }
}

static cnm_status fill_targets(transfer_set *self, const fit_session *of, kernel_ensemble *from, cnm_error *err) {
    const size_t outputs = self->outputs;
    float *scores = NULL, weight = 0.0F;
    cnm_status status = CNM_OK;
    self->probabilities = of->data->task == TASK_CLASSIFY;
    TRY(memory_take(&scores, self->rows, outputs * sizeof *scores, "scores", err));
    TRY_DONE(average_members(self, of, from, scores, err));
    TRY_DONE(transfer_set_scores(self, of, scores, err));
    TRY_DONE(find_weight(self, of, from, scores, &weight, err));
    for (size_t i = 0; i < self->rows; i++) {
        average_row(self, weight, scores + i * outputs, self->targets + i * outputs);
    }
    if (!self->probabilities) {
        transfer_set_weight(self);
    }
done:
    memory_free(scores);
    return status;
}

/* ---- The stage ---- */

static cnm_status distill_from(fit_session *self, kernel_ensemble *from, cnm_error *err) {
    neighbours around = {0};
    transfer_set on = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(neighbours_find(&around, self, err));
    TRY_DONE(transfer_set_create(&on, self, &around, student_steps(self), err));
    TRY_DONE(fill_targets(&on, self, from, err));
    TRY_DONE(student_fit(self, &on, from->stopped, err));
done:
    transfer_set_free(&on);
    neighbours_free(&around);
    return status;
}

distill_times distill_expected(const fit_session *self) {
    const size_t rows = self->data->rows.rows;
    if (!is_affordable(self, rows)) {
        return (distill_times){0};
    }
    const kernel_times kernels = kernel_ensemble_expected(self, rows, student_work(self), work_for_members(self),
                                                          transfer_set_rows(self, student_steps(self)));
    const double student = student_expected(self);
    return (distill_times){kernels.search, kernels.models, kernels.scores, student,
                           kernels.search + kernels.models + kernels.scores + student};
}

cnm_status distill_run(fit_session *self, const facts *known, double search_loss, bool *distilled, cnm_error *err) {
    kernel_ensemble from;
    cnm_status status = CNM_OK;
    *distilled = false;
    if (!is_wanted(self, search_loss)) {
        return CNM_OK;
    }
    const distill_times times = distill_expected(self);
    const double fitted = (times.search + times.models) / times.all;
    self->span = (progress_span){0.0, fitted};
    TRY(kernel_ensemble_fit(&from, self, known, student_work(self), work_for_members(self), err));
    self->span = (progress_span){fitted, fitted + times.scores / times.all};
    if (is_worth_it(self, &from, search_loss)) {
        TRY_DONE(distill_from(self, &from, err));
        *distilled = true;
    } else if (from.count == 0 && self->data->settings->distill == DISTILL_YES) {
        notice_send(self->data->callbacks,
                    "--distill yes: there is no kernel model of fewer than %d rows, or where most are copies: the map "
                    "stays as it was trained",
                    ENSEMBLE_LEAST_ROWS);
    }
done:
    kernel_ensemble_free(&from);
    return status;
}
