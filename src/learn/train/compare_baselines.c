/* Whether an estimate is better than a linear model and than a constant prediction, and the notices
 * where it is not: nothing else says so. */
#include "learn/train/training.h"

#include <stdio.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "learn/evaluate/decision_thresholds.h"
#include "learn/fit/checkpoint.h"

/* How many standard errors a difference takes to count. */
static const double ABOVE_BASELINE = 2.0, ABOVE_LINEAR = 1.0;

/* Returns whether score and decisions are for what the training optimises: thresholds, class
 * weights and robust losses give up the score for something else. */
static bool is_comparable(const training *of) {
    return of->settings.class_weight == NULL && !thresholds_wanted(&of->data) && !thresholds_are_learned(&of->data) &&
           !of->data.loss->robust_metric;
}

/* Formats "0.931 against 0.930". */
static void format_pair(char *out, size_t size, double own, double other) {
    char a[TEXT_DOUBLE_SIZE + 320], b[TEXT_DOUBLE_SIZE + 320];
    (void)text_fixed(a, own, 3);
    (void)text_fixed(b, other, 3);
    (void)snprintf(out, size, "%.20s against %.20s", a, b);
}

void send_linear_notice(const cnm_callbacks *callbacks, const char *numbers) {
    const bool known = *numbers != '\0';
    notice_send(callbacks,
                "a linear model does as well on rows not trained on%s%s%s: --method linear is smaller and faster",
                known ? " (" : "", numbers, known ? ")" : "");
}

static void send_baseline_notice(const training *of, const holdout_score *own, bool informed) {
    char numbers[64];
    format_pair(numbers, sizeof numbers, own->value, own->baseline);
    notice_send(of->callbacks, "no better than always %s: %s %s on rows not trained on%s%s", own->measure->constant,
                own->measure->words, numbers,
                informed ? "; its probabilities do tell more than the classes' shares: see --metric auc or balanced"
                         : "",
                of->estimate.ends_search ? "; settings are not searched for" : "");
}

/* Returns whether a score is clearly above the constant prediction. */
static bool is_above(const holdout_score *self) { return self->value - self->baseline > ABOVE_BASELINE * self->error; }

/* Returns whether the search may be left out. With a time limit the clock would decide. */
static bool may_end_search(const training *of) { return of->joint && of->settings.time_limit == 0.0; }

/* The linear model is no advice where it is no better than the constant prediction. */
cnm_status compare_baselines(training *of, const holdout_score *own, const holdout_score *linear, const table *held,
                             cnm_error *err) {
    const bool informed = own->gain > ABOVE_BASELINE * own->gain_error, above = is_above(own);
    double difference = 0.0, error = 0.0;
    if (!is_comparable(of)) {
        return CNM_OK;
    }
    if (linear->each != NULL) {
        TRY(holdout_compare(own, linear, held, &difference, &error, err));
    }
    const bool beats_linear = difference > ABOVE_LINEAR * error;
    const bool ends = may_end_search(of) && !above && !beats_linear && !informed;
    of->estimate.ends_search = checkpoint_leave_out_search(of->checkpoint, ends);
    if (!above) {
        send_baseline_notice(of, own, informed);
    }
    if (linear->each != NULL && !beats_linear && (above || is_above(linear))) {
        char numbers[64];
        format_pair(numbers, sizeof numbers, linear->value, own->value);
        send_linear_notice(of->callbacks, numbers);
    }
    return CNM_OK;
}
