/* A map that was learned with much decay has small frequencies; learning rates in their unit do not
 * reach the large frequencies of a narrow kernel, and too large rates overfit the rows of the
 * transfer set. The best rate differs thirtyfold between data sets, so short fits find it. They
 * take larger rates than long ones: half of the best rate is used. Where the loss at the smallest
 * rate is small enough, that rate is kept. */
#include "learn/distill/student.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "learn/tuning.h"

/* Returns the steps that see four times as many rows as the steps of the training do, sixteen times
 * in regression; at most TUNING.student.most_steps. */
uint64_t student_steps(const fit_session *self) {
    const uint64_t own = self->chosen.steps, times = self->data->task == TASK_CLASSIFY ? 4 : 16;
    const uint64_t fitting = times * own * self->chosen.batch / TRANSFER_BATCH;
    const uint64_t some = fitting < TUNING.student.least_steps  ? TUNING.student.least_steps
                          : fitting < TUNING.student.most_steps ? fitting
                                                                : TUNING.student.most_steps;
    return own < some ? own : some;
}

double student_work(const fit_session *self) {
    return (double)student_steps(self) * TRANSFER_BATCH * fit_session_row_work(self);
}

/* Creates a session of its own with copies of map and head, so that a checkpoint keeps both those
 * and the original ones. */
static cnm_status create(transfer_session *out, const transfer_set *from, const fit_session *of, cnm_error *err) {
    const size_t cells = (of->head.features + 1) * of->head.outputs;
    const cnm_status status = transfer_session_create(out, from, of, err);
    out->fit.map = NULL;
    out->fit.head = (linear_head){0};
    TRY(status);
    TRY(map_copy(&out->fit.map, of->map, err));
    TRY(head_create(&out->fit.head, of->head.features, of->head.outputs, err));
    memcpy(out->fit.head.weights, of->head.weights, cells * sizeof *out->fit.head.weights);
    return CNM_OK;
}

/* ---- The learning rate ---- */

/* Returns the loss after a short fit. A resumed training tries the rates again: without
 * checkpoints, and without a stop. */
static cnm_status try_rate(const fit_session *self, const transfer_set *from, double map_factor, double *loss,
                           cnm_error *err) {
    const uint64_t steps = student_steps(self) / TUNING.student.shorter;
    transfer_session student;
    cnm_status status = CNM_OK;
    *loss = INFINITY;
    TRY_DONE(create(&student, from, self, err));
    student.data.callbacks = NULL;
    student.fit.checkpoint = NULL;
    student.fit.role = FIT_TRIAL;
    TRY_DONE(transfer_set_fit(from, &student, steps > 0 ? steps : 1, TUNING.student.rate, map_factor, err));
    TRY_DONE(transfer_set_loss(from, &student.fit, loss, err));
    *loss = student.fit.state == FIT_DIVERGED ? INFINITY : *loss;
done:
    fit_session_free(&student.fit);
    return status;
}

cnm_status student_find_rate(const fit_session *self, const transfer_set *from, double *map_factor, cnm_error *err) {
    double least = INFINITY;
    *map_factor = TUNING.student.long_factor * TUNING.student.factors[0];
    for (size_t i = 0;
         least > TUNING.student.enough && i < sizeof TUNING.student.factors / sizeof TUNING.student.factors[0]; i++) {
        double loss;
        TRY(try_rate(self, from, TUNING.student.factors[i], &loss, err));
        if (loss < TUNING.student.clearly * least) {
            least = loss;
            *map_factor = TUNING.student.long_factor * TUNING.student.factors[i];
        }
    }
    return CNM_OK;
}

/* ---- The fit ---- */

static double rate_steps(const fit_session *self) {
    const double fits = (double)(sizeof TUNING.student.factors / sizeof TUNING.student.factors[0]);
    return fits * (double)student_steps(self) / (double)TUNING.student.shorter;
}

double student_expected(const fit_session *self) {
    return ((double)student_steps(self) + rate_steps(self)) * fit_session_step_time(self, TRANSFER_BATCH);
}

/* Returns the part of the stage's progress behind kernel models and short fits. */
static progress_span own_span(const fit_session *self) {
    const double before = self->span.to, all = rate_steps(self) + (double)student_steps(self);
    return (progress_span){before + (1.0 - before) * rate_steps(self) / all, 1.0};
}

cnm_status student_fit(fit_session *self, const transfer_set *from, bool stop_requested, cnm_error *err) {
    transfer_session student;
    double map_factor;
    cnm_status status = CNM_OK;
    /* After a stop, too: a training that is resumed from there needs the same rate. */
    TRY(student_find_rate(self, from, &map_factor, err));
    TRY_DONE(create(&student, from, self, err));
    student.fit.span = own_span(self);
    student.fit.state = stop_requested ? FIT_STOP_REQUESTED : FIT_RUNS;
    TRY_DONE(transfer_set_fit(from, &student, student_steps(self), TUNING.student.rate, map_factor, err));
    map *const learned = student.fit.map;
    const linear_head head = student.fit.head;
    student.fit.map = self->map;
    student.fit.head = self->head;
    self->map = learned;
    self->head = head;
    self->state = student.fit.state == FIT_STOPPED ? FIT_STOPPED : self->state;
done:
    fit_session_free(&student.fit);
    return status;
}
