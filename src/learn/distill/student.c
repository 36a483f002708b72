/* A map that was learned with care has small frequencies, and rates in their unit never take it to the large ones that a narrow kernel has; larger
 * rates in turn make a map that says what is wanted at rows and anything between them. Which rate is best differs thirtyfold between sets, and short
 * lessons tell it: those take larger rates than long ones, so that half of the best of them is right. Where a slow map is near enough, it stays. */
#include "learn/distill/student.h"

#include <math.h>
#include <string.h>

enum { STEPS = 12000, LEAST_STEPS = 4000 };
enum { SHORTER = 8 }; /* times, a lesson by which a pace is tried */

static const double RATE = 0.03;
static const double PACES[] = {2.0, 8.0, 32.0}; /* of the map in short lessons, times RATE */
static const double LONG_PACE = 0.5;            /* to that of a short lesson */
static const double ENOUGH = 1e-3;              /* of lesson_loss(): nearer tells nothing of other rows */
static const double CLEARLY = 0.7;              /* to the loss at a slower pace: what a faster one has to bring */

/* Four times as many rows as the training's steps see, up to STEPS batches of a lesson. Numbers take more: it is not enough to be on their right
 * side. */
uint64_t pupil_steps(const training *self) {
    const uint64_t own = self->recipe.steps, times = self->problem.task == TASK_CLASSIFY ? 4 : 16;
    const uint64_t fitting = times * own * self->recipe.batch / LESSON_BATCH;
    const uint64_t some = fitting < LEAST_STEPS ? LEAST_STEPS : fitting < STEPS ? fitting : STEPS;
    return own < some ? own : some;
}

double pupil_work(const training *self) { return (double)pupil_steps(self) * LESSON_BATCH * joint_row_work(self); }

/* ---- A pupil ---- */

/* A training of its own, so that a checkpoint keeps both: what it learned so far, and what it learns from. */
static cnm_status pupil_create(training *out, const training *of, cnm_error *err) {
    const size_t cells = (of->head.features + 1) * of->head.outputs;
    *out = training_after(of, "imitate");
    out->map = NULL;
    cnm_status status = map_copy(&out->map, of->map, err);
    status = status == CNM_OK ? head_create(&out->head, of->head.features, of->head.outputs, err) : status;
    if (status == CNM_OK) {
        memcpy(out->head.weights, of->head.weights, cells * sizeof *out->head.weights);
    }
    return status;
}

static void pupil_free(training *self) {
    map_destroy(self->map);
    head_free(&self->head);
    safeguard_free(&self->safeguard);
}

/* ---- Its pace ---- */

/* How far off a pupil is after a short lesson at this pace. A resumed training tries them again: no checkpoint, and no wish to stop is heard. */
static cnm_status try_pace(const training *self, const lesson *from, double pace, double *loss, cnm_error *err) {
    const uint64_t steps = pupil_steps(self) / SHORTER;
    training pupil;
    cnm_status status = pupil_create(&pupil, self, err);
    pupil.problem.callbacks = NULL;
    pupil.checkpoint = NULL;
    pupil.trial = true;
    status = status == CNM_OK ? lesson_learn(from, &pupil, steps > 0 ? steps : 1, RATE, pace, err) : status;
    status = status == CNM_OK ? lesson_loss(from, &pupil, loss, err) : status;
    *loss = status == CNM_OK && !pupil.diverged ? *loss : INFINITY;
    pupil_free(&pupil);
    return status;
}

cnm_status pupil_pace(training *self, const lesson *from, double *pace, cnm_error *err) {
    double least = INFINITY;
    cnm_status status = CNM_OK;
    *pace = LONG_PACE * PACES[0];
    for (size_t i = 0; status == CNM_OK && least > ENOUGH && i < sizeof PACES / sizeof PACES[0]; i++) {
        double loss;
        status = try_pace(self, from, PACES[i], &loss, err);
        if (status == CNM_OK && loss < CLEARLY * least) {
            least = loss;
            *pace = LONG_PACE * PACES[i];
        }
    }
    return status;
}

/* ---- The lesson ---- */

cnm_status pupil_teach(training *self, const lesson *from, bool leaving, cnm_error *err) {
    training pupil;
    double pace = LONG_PACE * PACES[0];
    cnm_status status = leaving ? CNM_OK : pupil_pace(self, from, &pace, err);
    if (status != CNM_OK) {
        return status;
    }
    status = pupil_create(&pupil, self, err);
    pupil.leaving = leaving;
    status = status == CNM_OK ? lesson_learn(from, &pupil, pupil_steps(self), RATE, pace, err) : status;
    if (status == CNM_OK) { /* what it learned takes the place of what it learned from */
        map *const learned = pupil.map;
        const linear_head head = pupil.head;
        pupil.map = self->map;
        pupil.head = self->head;
        self->map = learned;
        self->head = head;
        self->stopped = pupil.stopped;
        self->imitated = true;
    }
    pupil_free(&pupil);
    return status;
}
