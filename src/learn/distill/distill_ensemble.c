/*   classes   p ~ own probability^(1/3) * the machines'^(2/3), the latter's the mean of their logarithms
 *   numbers   a third of its own, two thirds of the machines' mean
 *   both      less of its own where the map is clearly worse
 *
 * on a lesson's rows (lesson.h), which lie around those of the training: what is said elsewhere need not be learned. */
#include "learn/distill/distill_ensemble.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "learn/distill/kernel_ensemble.h"
#include "learn/distill/soft_labels.h"
#include "learn/evaluate/metrics.h"
#include "learn/distill/student.h"
#include "learn/evaluate/decision_thresholds.h"
#include "learn/fit/frozen_map.h"

enum { MOST_ROWS = 2000, MOST_CELLS = 1 << 23 }; /* so few that machines take some seconds */

/* What machines have of the say; the map has the rest. On the rows that it learned by, a map is better than on others: where it loses more there than
 * machines do on rows left out, it is the worse, and from CLEARLY times as much on it has no say. */
static const double SHARE = 2.0 / 3.0, CLEARLY = 1.25;
/* Logarithm: what a map says of classes that it rules out is not worth learning. */
static const double LEAST_SHARE = -12.0;
/* Loss of machines to that of the map, beyond which the mean is no better than the map. The losses of classes differ by chance: where few rows are
 * wrong, one that is nearly right tells much. */
static const double WORSE = 3.0, WORSE_NUMBERS = 1.5;
/* Of classes, times rows: less is that of pilots that got all held rows right, which by chance are surer of it or less. */
static const double LEAST_LOSS = 2.0;

/* ---- Whether ---- */

static bool can_be_imitated(const training *self) {
    const settings *wanted = self->problem.settings;
    const char *loss = self->problem.loss == NULL ? "" : self->problem.loss->name;
    const rows_view *rows = &self->problem.rows;
    return head_can_be_solved(self) && strcmp(self->spec.projection, "dense") == 0 &&
           strcmp(self->spec.activation, "cos") == 0 && self->spec.kernel == KERNEL_GAUSSIAN && self->spec.phases &&
           !rows_are_sparse(rows) && rows->rows <= MOST_ROWS && rows->columns <= MOST_CELLS / MOST_ROWS &&
           self->problem.weights == NULL && self->problem.groups == NULL && self->problem.hint == NULL &&
           wanted->validation == 0.0 && wanted->prune == 0.0 && wanted->time_limit == 0.0 &&
           (strcmp(loss, "squared") == 0 ||
            (strcmp(loss, "softmax") == 0 && !shift_wanted(&self->problem) && !shift_is_learned(&self->problem)));
}

bool imitation_may_follow(const training *self) {
    const settings *wanted = self->problem.settings;
    return wanted->imitate == IMITATE_AUTO && wanted->hold < 0.0 && can_be_imitated(self);
}

cnm_status imitate_check(const training *self, cnm_error *err) {
    if (self->problem.settings->imitate != IMITATE_YES || can_be_imitated(self)) {
        return CNM_OK;
    }
    return error_set(
        err, CNM_BAD_ARGUMENT,
        "--imitate yes needs up to 2000 dense rows (here are %zu of %zu columns), a dense map of up to 1024 cosines "
        "with phases, the Gaussian kernel, and softmax or squared loss; it does not go with weights, groups, "
        "--time-limit, --validation, --prune, --teacher, --from, or a metric that shifts classes",
        self->problem.rows.rows, self->problem.rows.columns);
}

/* Machines may cost as much as the steps of training and pupil, and the search for them as much as the pupil's. */
static double room_for_machines(const training *self) {
    const double own = self->steps > 1 ? (double)self->steps * (double)self->batch * joint_row_work(self) : 0.0;
    return own + pupil_work(self);
}

static bool is_wanted(const training *self) {
    const settings *wanted = self->problem.settings;
    return !self->stopped &&
           (wanted->imitate == IMITATE_YES ||
            (imitation_may_follow(self) && self->judged > 0.0 && self->spec.features >= IMITATING_FEATURES &&
             council_work(self, self->split.train_count, 1) <= room_for_machines(self)));
}

static bool is_worth_it(const training *self, const council *machines) {
    const bool asked = self->problem.settings->imitate == IMITATE_YES, classes = self->problem.task == TASK_CLASSIFY;
    const double rows = (double)self->split.train_count;
    const double own = classes ? fmax(self->judged, LEAST_LOSS / rows) : self->judged;
    return machines->count > 0 && (asked || machines->loss <= (classes ? WORSE : WORSE_NUMBERS) * own);
}

/* ---- What is to be learned ---- */

/* wanted = the mean over machines: of scores, or of logarithms of probabilities. */
static cnm_status ask_machines(const lesson *self, const training *of, const council *machines, float *scores,
                               cnm_error *err) {
    const size_t outputs = self->outputs, cells = self->rows * outputs;
    const float share = 1.0F / (float)machines->count;
    cnm_status status = CNM_OK;
    for (size_t k = 0; status == CNM_OK && k < machines->count; k++) {
        const float sharpness = (float)machines->sharpness[k];
        status = machine_scores(&machines->machines[k], self->values, self->rows, (size_t)of->problem.settings->threads,
                                scores, err);
        for (size_t i = 0; status == CNM_OK && i < cells; i++) {
            scores[i] *= sharpness;
        }
        for (size_t i = 0; status == CNM_OK && self->probabilities && i < self->rows; i++) {
            entropy_logarithms(scores + i * outputs, outputs);
        }
        for (size_t i = 0; status == CNM_OK && i < cells; i++) {
            self->wanted[i] += share * scores[i];
        }
    }
    return status;
}

/* own (rows, outputs): the map's scores of the lesson's rows, which begin with the training's. */
static cnm_status find_share(const lesson *self, const training *of, const council *machines, const float *own,
                             float *share, cnm_error *err) {
    double loss = 0.0;
    cnm_status status = CNM_OK;
    if (self->rows >= of->split.train_count) {
        status = judge_scores(&of->problem, of->split.train, of->split.train_count, own, &loss, err);
    }
    const double worse = (loss / machines->loss - 1.0) / (CLEARLY - 1.0);
    *share = (float)(SHARE + (1.0 - SHARE) * fmin(fmax(worse, 0.0), 1.0));
    return status;
}

static void mix_row(const lesson *self, float share, float *own, float *wanted) {
    if (self->probabilities) {
        entropy_logarithms(own, self->outputs);
    }
    for (size_t j = 0; j < self->outputs; j++) {
        const float said = self->probabilities ? fmaxf(own[j], (float)LEAST_SHARE) : own[j];
        wanted[j] = share * wanted[j] + (1.0F - share) * said;
    }
    if (self->probabilities) {
        entropy_probabilities(wanted, self->outputs);
    }
}

static cnm_status fill_lesson(lesson *self, training *of, const council *machines, cnm_error *err) {
    const size_t outputs = self->outputs;
    float *scores = NULL, share = 0.0F;
    self->probabilities = of->problem.task == TASK_CLASSIFY;
    cnm_status status = memory_take(&scores, self->rows, outputs * sizeof *scores, "scores", err);
    status = status == CNM_OK ? ask_machines(self, of, machines, scores, err) : status;
    status = status == CNM_OK ? lesson_scores(self, of, scores, err) : status;
    status = status == CNM_OK ? find_share(self, of, machines, scores, &share, err) : status;
    for (size_t i = 0; status == CNM_OK && i < self->rows; i++) {
        mix_row(self, share, scores + i * outputs, self->wanted + i * outputs);
    }
    memory_free(scores);
    if (status == CNM_OK && !self->probabilities) {
        lesson_weigh(self);
    }
    return status;
}

/* ---- All ---- */

cnm_status imitate(training *self, cnm_error *err) {
    council machines;
    neighbours around = {0};
    lesson from = {0};
    if (!is_wanted(self)) {
        return CNM_OK;
    }
    cnm_status status = council_find(&machines, self, pupil_work(self), room_for_machines(self), err);
    if (status == CNM_OK && is_worth_it(self, &machines)) {
        status = neighbours_find(&around, self, err);
        status = status == CNM_OK ? lesson_create(&from, self, &around, pupil_steps(self), err) : status;
        status = status == CNM_OK ? fill_lesson(&from, self, &machines, err) : status;
        status = status == CNM_OK ? pupil_teach(self, &from, machines.stopped, err) : status;
    }
    if (status == CNM_OK && machines.count == 0 && self->problem.settings->imitate == IMITATE_YES) {
        notice_send(
            self->problem.callbacks,
            "--imitate yes: there is no kernel machine of fewer than %d rows, or where most are copies: the map "
            "stays as it was trained",
            COUNCIL_LEAST_ROWS);
    }
    lesson_free(&from);
    neighbours_free(&around);
    council_free(&machines);
    return status;
}
