/* Quartiles tell how far numbers lie apart whatever a few of them are. */
#include "learn/dataset/targets.h"

#include <math.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/text/text.h"
#include "learn/objective/losses.h"
#include "learn/detect/detect_target_outliers.h"
#include "math/linalg/quickselect.h"

/* A quarter, half and three quarters of the labels, in order. */
static cnm_status find_quartiles(const label_column *labels, double quartiles[3], cnm_error *err) {
    float *sorted;
    const cnm_status status = memory_take(&sorted, labels->rows, sizeof *sorted, "targets", err);
    for (size_t i = 0; status == CNM_OK && i < labels->rows; i++) {
        sorted[i] =
            (float)(labels->numbers[i] - labels->numbers[0]); /* near zero: a float keeps the digits that differ */
    }
    for (size_t n = 0; status == CNM_OK && n < 3; n++) {
        quartiles[n] = (double)select_rank(sorted, labels->rows, (n + 1) * (labels->rows - 1) / 4) + labels->numbers[0];
    }
    memory_free(sorted);
    return status;
}

/* The numbers that are far out by the quartiles, in units of a deviation by them: so far is the unit ... */
static const double FAR_UNIT = 5.0;
/* ... or else so far is one of them; it is brought as near as this. */
static const double FAR = 15.0, NEAR = 6.0;

typedef struct target_range {
    double least, most; /* what goes beyond is brought here */
    double mean, deviation;
} target_range;

static double within(const target_range *self, double number) { return fmin(fmax(number, self->least), self->most); }

/* Mean and deviation of what is in the range. */
static void measure(target_range *self, const label_column *labels) {
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < labels->rows; i++) {
        const double number = within(self, labels->numbers[i]), before = number - mean;
        mean += before / (double)(i + 1);
        squares += before * (number - mean);
    }
    self->mean = mean;
    self->deviation = sqrt(squares / (double)labels->rows);
}

static size_t count_beyond(const label_column *labels, double least, double most) {
    size_t count = 0;
    for (size_t i = 0; i < labels->rows; i++) {
        count += labels->numbers[i] < least || labels->numbers[i] > most;
    }
    return count;
}

static void bring_near(problem *self, target_range *range, double median, double spread) {
    const label_column *labels = &self->table->labels;
    range->least = median - NEAR * spread;
    range->most = median + NEAR * spread;
    measure(range, labels);
    notice_send(self->callbacks,
                "%zu of %zu numbers to be predicted lie far from the others, and no other row foretells them: they are "
                "learned as %g or %g; --loss squared takes them as they are",
                count_beyond(labels, range->least, range->most), labels->rows, range->least, range->most);
}

static cnm_status resist_tails(problem *self, target_range *range, cnm_error *err) {
    const label_column *labels = &self->table->labels;
    double quartiles[3] = {0};
    bool foretold = true;
    cnm_status status = find_quartiles(labels, quartiles, err);
    const double median = quartiles[1], spread = (quartiles[2] - quartiles[0]) / 1.349;
    const bool wide = range->deviation > FAR_UNIT * spread, open = self->settings->loss == 0;
    const bool alone = open && count_beyond(labels, median - FAR * spread, median + FAR * spread) > 0;
    if (status == CNM_OK && spread > 0.0 && (wide || alone)) {
        status = tails_are_foretold(self, labels->numbers, median, &foretold, err);
    }
    if (status == CNM_OK && !foretold && wide) {
        range->mean = median;
        range->deviation = spread;
        self->loss = open ? loss_find("huber") : self->loss;
    } else if (status == CNM_OK && !foretold) {
        bring_near(self, range, median, spread);
    }
    return status;
}

/* Scores are floats. */
static const double LARGEST_TARGET = 1e37;

static cnm_status check_numbers(const label_column *labels, cnm_error *err) {
    for (size_t i = 0; i < labels->rows; i++) {
        if (!isfinite(labels->numbers[i])) {
            return error_set(err, CNM_BAD_DATA, "row %zu: the number to be predicted is not finite", i + 1);
        }
        if (fabs(labels->numbers[i]) > LARGEST_TARGET) {
            char text[TEXT_DOUBLE_SIZE];
            (void)text_from_double(text, labels->numbers[i]);
            return error_set(err, CNM_BAD_DATA,
                             "row %zu: the number to be predicted is %s, expected at most 1e37 in size", i + 1, text);
        }
    }
    return CNM_OK;
}

cnm_status targets_take(problem *self, cnm_error *err) {
    const label_column *labels = &self->table->labels;
    target_range range = {.least = -INFINITY, .most = INFINITY};
    cnm_status status = memory_take(&self->targets, labels->rows, sizeof *self->targets, "targets", err);
    status = status == CNM_OK ? check_numbers(labels, err) : status;
    if (status != CNM_OK) {
        return status;
    }
    measure(&range, labels);
    status = resist_tails(self, &range, err);
    self->target_mean = range.mean;
    self->target_scale = range.deviation > 0.0 && isfinite(range.deviation) ? range.deviation : 1.0;
    for (size_t i = 0; i < labels->rows; i++) {
        self->targets[i] = (float)((within(&range, labels->numbers[i]) - range.mean) / self->target_scale);
    }
    self->outputs = 1;
    return status;
}
