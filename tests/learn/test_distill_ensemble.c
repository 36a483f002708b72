/* Distilling a kernel ensemble: the student learns a weighted mean of its own scores and the
 * ensemble's, and only an ensemble that is no worse than the map is distilled. */
#include "support/made_session.h"

#include "learn/distill/distill_ensemble.h"
#include "learn/distill/kernel_ensemble.h"
#include "learn/distill/soft_labels.h"

enum { ROWS = 160, HALF = ROWS / 2, COLUMNS = 3, MOST_OUTPUTS = 3, FEATURES = 128 };

static const facts NOTHING = {0}; /* known of the rows */

static void make_solved(made_session *self, const char *loss, size_t outputs) {
    make_solved_session(self, &(made_shape){.rows = ROWS,
                                            .columns = COLUMNS,
                                            .features = FEATURES,
                                            .outputs = outputs,
                                            .loss = loss,
                                            .chosen = {.map_rate = 0.0, .lambda = 0.1, .batch = 80, .steps = 4000}});
}

/* Runs the stage after a search that found this loss; returns whether it distilled. */
static bool distil(made_session *self, double search_loss) {
    cnm_error error = {0};
    bool distilled;
    check_ok(distill_run(&self->session, &NOTHING, search_loss, &distilled, &error), &error);
    return distilled;
}

/* Fills scores (HALF, outputs) with the map's scores of the held-out rows. */
static void map_scores(made_session *self, float *scores) {
    cnm_error error = {0};
    size_t positions[HALF];
    engine *runner;
    for (size_t i = 0; i < HALF; i++) {
        positions[i] = 2 * i + 1;
    }
    check_ok(fit_session_engine(&self->session, 16, &runner, &error), &error);
    check_ok(engine_scores(runner, &self->plan, positions, HALF, scores, &error), &error);
    engine_destroy(runner);
}

/* Fills mean (HALF, outputs) with the ensemble's mean for the held-out rows: of scores, or of
 * logarithms of probabilities. */
static void ensemble_scores(const made_session *self, float *mean) {
    const size_t outputs = self->data.outputs;
    float held[HALF * COLUMNS], scores[HALF * MOST_OUTPUTS];
    cnm_error error = {0};
    kernel_ensemble found;
    check_ok(kernel_ensemble_fit(&found, &self->session, &NOTHING, 1e12, 1e12, &error), &error);
    for (size_t i = 0; i < HALF; i++) {
        memcpy(held + i * COLUMNS, self->rows->values + (2 * i + 1) * COLUMNS, COLUMNS * sizeof *held);
    }
    memset(mean, 0, HALF * outputs * sizeof *mean);
    for (size_t k = 0; k < found.count; k++) {
        check_ok(kernel_model_scores(&found.models[k], held, HALF, 1, scores, &error), &error);
        for (size_t i = 0; i < HALF; i++) {
            float *row = scores + i * outputs;
            for (size_t j = 0; j < outputs; j++) {
                row[j] *= (float)found.inverse_temperature[k];
            }
            if (outputs > 1) {
                log_softmax(row, outputs);
            }
            for (size_t j = 0; j < outputs; j++) {
                mean[i * outputs + j] += row[j] / (float)found.count;
            }
        }
    }
    kernel_ensemble_free(&found);
}

static double distance(const float *a, const float *b, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += pow((double)a[i] - (double)b[i], 2.0);
    }
    return sum;
}

/* Returns how far `got` is from a mixture of both; for classes all are logarithms of
 * probabilities. */
static double off_from(const float *got, const float *own, const float *theirs, float share, size_t outputs) {
    double off = 0.0;
    for (size_t i = 0; i < HALF; i++) {
        float mean[MOST_OUTPUTS], row[MOST_OUTPUTS];
        for (size_t j = 0; j < outputs; j++) {
            const float least = outputs > 1 ? -12.0F : -1e9F;
            mean[j] = share * theirs[i * outputs + j] + (1.0F - share) * fmaxf(own[i * outputs + j], least);
            row[j] = got[i * outputs + j];
        }
        if (outputs > 1) {
            softmax(mean, outputs);
            softmax(row, outputs);
        }
        off += distance(row, mean, outputs);
    }
    return off;
}

/* The ensemble's share of the mean is two thirds: the student is near to that, and nearer than to
 * other shares. So few cosines cannot reproduce all of a kernel with a kink. */
static void the_student_learns_the_mean_of_both(void **unused) {
    (void)unused;
    static const char *const LOSSES[] = {"squared", "softmax", "softmax"};
    static const size_t OUTPUTS[] = {1, 2, 3};
    static const float OTHERS[] = {0.0F, 0.5F, 0.85F, 1.0F};
    for (size_t n = 0; n < COUNT_OF(LOSSES); n++) {
        const size_t outputs = OUTPUTS[n];
        float own[HALF * MOST_OUTPUTS], theirs[HALF * MOST_OUTPUTS], got[HALF * MOST_OUTPUTS];
        made_session self;
        make_solved(&self, LOSSES[n], outputs);
        self.settings.distill = DISTILL_YES;
        map_scores(&self, own);
        ensemble_scores(&self, theirs);
        assert_true(distil(&self, 0.0));
        assert_int_equal(self.data.rows.rows, ROWS);
        map_scores(&self, got);
        for (size_t i = 0; outputs > 1 && i < HALF; i++) {
            log_softmax(own + i * outputs, outputs);
            log_softmax(got + i * outputs, outputs);
        }
        const double off = off_from(got, own, theirs, 2.0F / 3.0F, outputs);
        const double apart = off_from(own, own, theirs, 1.0F, outputs);
        bool nearest = true;
        for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
            nearest = nearest && off < off_from(got, own, theirs, OTHERS[i], outputs);
        }
        if (!nearest || !(off < 0.04 * apart)) {
            fail_msg("%s, %zu outputs: off by %g, of %g between map and ensemble", LOSSES[n], outputs, off, apart);
        }
        free_session(&self);
    }
}

/* A map whose error on its training rows is clearly above the ensemble's leave-one-out error does
 * not count in the mean. */
static void a_worse_map_does_not_count_in_the_mean(void **unused) {
    (void)unused;
    static const char *const LOSSES[] = {"squared", "softmax"};
    for (size_t n = 0; n < COUNT_OF(LOSSES); n++) {
        const size_t outputs = n + 1;
        float own[HALF * MOST_OUTPUTS], theirs[HALF * MOST_OUTPUTS], got[HALF * MOST_OUTPUTS];
        made_session self;
        make_solved(&self, LOSSES[n], outputs);
        self.settings.distill = DISTILL_YES;
        for (size_t i = 0; i < (FEATURES + 1) * outputs; i++) {
            self.session.head.weights[i] *= -0.5F; /* wrong on most rows */
        }
        map_scores(&self, own);
        ensemble_scores(&self, theirs);
        assert_true(distil(&self, 0.0));
        map_scores(&self, got);
        for (size_t i = 0; outputs > 1 && i < HALF; i++) {
            log_softmax(own + i * outputs, outputs);
            log_softmax(got + i * outputs, outputs);
        }
        const double off = off_from(got, own, theirs, 1.0F, outputs);
        const double apart = off_from(own, own, theirs, 1.0F, outputs);
        if (!(off < 0.04 * apart && off < off_from(got, own, theirs, 0.9F, outputs))) {
            fail_msg("%s: off by %g, of %g between map and ensemble", LOSSES[n], off, apart);
        }
        free_session(&self);
    }
}

/* An ensemble is distilled only if its loss is at most 1.5 times the map's, or 3 times for
 * classes. */
static void a_worse_ensemble_is_not_distilled(void **unused) {
    (void)unused;
    static const double WORSE[] = {0.0, 1.0, 1.45, 1.55, 2.9, 3.1};
    for (size_t n = 0; n < 2 * COUNT_OF(WORSE); n++) {
        const size_t outputs = n % 2 + 1, index = n / 2;
        float before[HALF * 2] = {0}, after[HALF * 2] = {0};
        cnm_error error = {0};
        kernel_ensemble found;
        made_session self;
        make_solved(&self, outputs == 1 ? "squared" : "softmax", outputs);
        self.session.chosen.steps = 100; /* enough for a change */
        check_ok(kernel_ensemble_fit(&found, &self.session, &NOTHING, 1e12, 1e12, &error), &error);
        const double loss = index > 0 ? found.loss / WORSE[index] : 0.0; /* 0: not known */
        kernel_ensemble_free(&found);
        map_scores(&self, before);
        const bool distilled = distil(&self, loss);
        map_scores(&self, after);
        assert_int_equal(distilled, index > 0 && index <= (outputs == 1 ? 2 : 4));
        assert_int_equal(memcmp(before, after, sizeof before) != 0, distilled);
        free_session(&self);
    }
}

/* Trials whose decisions are all right on held-out rows can have a loss near 0: that excludes no
 * ensemble whose decisions are all right, too. */
static void confident_trials_do_not_exclude_an_ensemble(void **unused) {
    (void)unused;
    for (size_t apart = 0; apart <= 3; apart += 3) {
        made_session self;
        make_solved(&self, "softmax", 2);
        self.session.chosen.steps = 100;
        for (size_t i = 0; i < ROWS; i++) {
            self.codes[i] = (int32_t)(i / 2 % 2);
            self.rows->values[i * COLUMNS] += (float)apart * (float)self.codes[i];
        }
        self.rows->values[2 * COLUMNS] -= 0.7F * (float)apart; /* nearly on the other side */
        assert_int_equal(distil(&self, 1e-300), apart > 0);
        free_session(&self);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_student_learns_the_mean_of_both),
        cmocka_unit_test(a_worse_map_does_not_count_in_the_mean),
        cmocka_unit_test(a_worse_ensemble_is_not_distilled),
        cmocka_unit_test(confident_trials_do_not_exclude_an_ensemble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
