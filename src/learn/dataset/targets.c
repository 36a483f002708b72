/* Standardises regression targets. */
#include "learn/dataset/targets.h"

#include <math.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"

/* Leaves room for sums of scores, which are floats. */
static const double LARGEST_TARGET = 1e37;

static cnm_status check_targets(const label_column *labels, cnm_error *err) {
    for (size_t i = 0; i < labels->rows; i++) {
        if (!isfinite(labels->numbers[i])) {
            return error_set(err, CNM_BAD_DATA, "row %zu: the regression target is not finite", i + 1);
        }
        if (fabs(labels->numbers[i]) > LARGEST_TARGET) {
            char text[TEXT_DOUBLE_SIZE];
            (void)text_from_double(text, labels->numbers[i]);
            return error_set(err, CNM_BAD_DATA, "row %zu: the regression target is %s, expected at most 1e37 in size",
                             i + 1, text);
        }
    }
    return CNM_OK;
}

static double clip(const target_range *range, double target) { return fmin(fmax(target, range->least), range->most); }

void targets_scale(dataset *self, const target_range *range) {
    const label_column *labels = &self->table->labels;
    self->target_mean = range->mean;
    self->target_scale = range->deviation > 0.0 && isfinite(range->deviation) ? range->deviation : 1.0;
    for (size_t i = 0; i < labels->rows; i++) {
        self->targets[i] = (float)((clip(range, labels->numbers[i]) - range->mean) / self->target_scale);
    }
}

void target_range_measure(target_range *self, const label_column *labels) {
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < labels->rows; i++) {
        const double target = clip(self, labels->numbers[i]), difference = target - mean;
        mean += difference / (double)(i + 1);
        squares += difference * (target - mean);
    }
    self->mean = mean;
    self->deviation = sqrt(squares / (double)labels->rows);
}

cnm_status targets_take(dataset *self, cnm_error *err) {
    const label_column *labels = &self->table->labels;
    target_range range = {.least = -INFINITY, .most = INFINITY};
    TRY(memory_take(&self->targets, labels->rows, sizeof *self->targets, "targets", err));
    TRY(check_targets(labels, err));
    const label_column training = dataset_labels(self);
    target_range_measure(&range, &training);
    targets_scale(self, &range);
    self->outputs = 1;
    return CNM_OK;
}
