/* Fits a kernel ridge model to some rows, whose leave-one-out predictions follow from the same
 * factor (kernel_ridge.h). Its exponential kernel is wide, so that the model can follow both linear
 * trends and neighbours. The leave-one-out R2 is 0.09 to 0.99 for heavy-tailed targets of real
 * data, and below 0.02 where a few targets are wrong. */
#include "learn/detect/detect_target_outliers.h"

#include <math.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/dataset/deduplicate.h"
#include "learn/dataset/targets.h"
#include "learn/krr/kernel_ridge.h"
#include "learn/objective/losses.h"
#include "learn/tuning.h"
#include "math/linalg/quickselect.h"

/* Scales every column to mean 0 and deviation 1; constant columns become 0. */
static void standardise(kernel_rows *self) {
    const size_t n = self->rows, d = self->columns;
    for (size_t j = 0; j < d; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < n; i++) {
            mean += (double)self->centres[i * d + j] / (double)n;
        }
        for (size_t i = 0; i < n; i++) {
            square += pow((double)self->centres[i * d + j] - mean, 2.0) / (double)n;
        }
        for (size_t i = 0; i < n; i++) {
            float *cell = &self->centres[i * d + j];
            *cell = square > 0.0 ? (float)(((double)*cell - mean) / sqrt(square)) : 0.0F;
            self->squares[i] += *cell * *cell;
        }
    }
}

/* Sets *out where the leave-one-out R2 of the model is above ENOUGH. */
static cnm_status evaluate(kernel_ridge *self, bool *out, cnm_error *err) {
    double residual = 0.0, total = 0.0;
    *out = false;
    if (!kernel_ridge_is_possible(self) ||
        !kernel_ridge_fit(self, KRR_EXPONENTIAL, TUNING.targets.width, TUNING.targets.penalty)) {
        return CNM_OK;
    }
    TRY(kernel_ridge_leave_one_out(self, err));
    for (size_t i = 0; i < self->model.of->rows; i++) {
        residual += pow(self->targets[i] - (double)self->left_out[i], 2.0);
        total += self->targets[i] * self->targets[i];
    }
    *out = residual < (1.0 - TUNING.targets.least_r2) * total;
    return CNM_OK;
}

/* Fits a kernel ridge model of the standardised rows at positions (count) to targets (rows of the
 * data set), and evaluates it. */
static cnm_status fit_and_evaluate(const dataset *data, float *targets, const size_t *positions, size_t count,
                                   bool *out, cnm_error *err) {
    const dataset view = {.settings = data->settings,
                          .rows = data->rows,
                          .task = TASK_REGRESS,
                          .outputs = 1,
                          .targets = targets}; /* owns nothing */
    thread_pool *pool = thread_pool_create((size_t)data->settings->threads);
    kernel_rows rows = {.rows = count, .columns = data->rows.columns};
    kernel_ridge model = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&rows.centres, count, rows.columns * sizeof *rows.centres, "rows", err));
    TRY_DONE(memory_zeroed(&rows.squares, count, sizeof *rows.squares, "rows", err));
    rows_gather(data->rows, positions, count, rows.centres);
    standardise(&rows);
    TRY_DONE(kernel_ridge_create(&model, &view, &rows, positions, false, pool, err));
    TRY_DONE(evaluate(&model, out, err));
done:
    kernel_ridge_free(&model);
    kernel_rows_free(&rows);
    thread_pool_destroy(pool);
    return status;
}

/* Fills out (rows) with targets less their mean over positions (count), in units of the largest
 * distance from it. */
static void centre(const double *targets, size_t rows, const size_t *positions, size_t count, float *out) {
    double mean = 0.0, largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        mean += targets[positions[i]] / (double)count;
    }
    for (size_t i = 0; i < rows; i++) {
        largest = fmax(largest, fabs(targets[i] - mean));
    }
    for (size_t i = 0; i < rows; i++) {
        out[i] = largest > 0.0 ? (float)((targets[i] - mean) / largest) : 0.0F;
    }
}

/* Moves to the first `some` of positions (count) the rows whose targets are farthest from the
 * middle, which may be few among very many, and others spread evenly over the rest. */
static cnm_status pick_rows(const double *targets, double middle, size_t *positions, size_t count, size_t some,
                            cnm_error *err) {
    float *distances;
    size_t first = 0;
    if (some == count) {
        return CNM_OK;
    }
    TRY(memory_take(&distances, count, sizeof *distances, "targets", err));
    for (size_t i = 0; i < count; i++) {
        distances[i] = (float)fabs(targets[positions[i]] - middle);
    }
    const double least = (double)quickselect(distances, count, count - TUNING.targets.farthest_rows);
    for (size_t i = 0; i < count && first < TUNING.targets.farthest_rows; i++) {
        if (fabs(targets[positions[i]] - middle) > least) {
            const size_t far = positions[i];
            positions[i] = positions[first];
            positions[first++] = far;
        }
    }
    for (size_t i = 0; i < some - first; i++) {
        positions[first + i] = positions[first + i * (count - first) / (some - first)];
    }
    memory_free(distances);
    return CNM_OK;
}

cnm_status targets_are_predictable(const dataset *data, const double *targets, double middle, bool *out,
                                   cnm_error *err) {
    const size_t rows = data->rows.rows;
    size_t *positions = NULL, count = 0;
    float *centred = NULL;
    cnm_status status = CNM_OK;
    *out = false;
    if (data->rows.columns > TUNING.targets.most_columns) {
        return CNM_OK;
    }
    TRY_DONE(memory_take(&positions, 2 * rows, sizeof *positions, "rows", err));
    for (size_t i = 0; i < rows; i++) {
        positions[rows + i] = i;
    }
    TRY_DONE(positions_deduplicate(data, positions + rows, rows, false, positions, &count, err));
    if (count >= TUNING.targets.least_rows) {
        const size_t some = count < TUNING.targets.most_rows ? count : TUNING.targets.most_rows;
        TRY_DONE(pick_rows(targets, middle, positions, count, some, err));
        TRY_DONE(memory_take(&centred, rows, sizeof *centred, "targets", err));
        centre(targets, rows, positions, some, centred);
        TRY_DONE(fit_and_evaluate(data, centred, positions, some, out, err));
    }
done:
    memory_free(centred);
    memory_free(positions);
    return status;
}

/* ---- Limiting outliers ---- */

/* Fills the lower quartile, the median and the upper quartile of the labels. */
static cnm_status find_quartiles(const label_column *labels, double quartiles[3], cnm_error *err) {
    float *sorted;
    TRY(memory_take(&sorted, labels->rows, sizeof *sorted, "targets", err));
    for (size_t i = 0; i < labels->rows; i++) { /* a float keeps the digits that differ */
        sorted[i] = (float)(labels->numbers[i] - labels->numbers[0]);
    }
    for (size_t n = 0; n < 3; n++) {
        quartiles[n] = (double)quickselect(sorted, labels->rows, (n + 1) * (labels->rows - 1) / 4) + labels->numbers[0];
    }
    memory_free(sorted);
    return CNM_OK;
}

static size_t count_beyond(const label_column *labels, double least, double most) {
    size_t count = 0;
    for (size_t i = 0; i < labels->rows; i++) {
        count += labels->numbers[i] < least || labels->numbers[i] > most;
    }
    return count;
}

static void clip_targets(dataset *data, double median, double spread) {
    const label_column labels = dataset_labels(data);
    target_range range = {.least = median - TUNING.targets.clipped * spread,
                          .most = median + TUNING.targets.clipped * spread};
    target_range_measure(&range, &labels);
    notice_send(data->callbacks,
                "%zu of %zu regression targets are outliers that the other rows do not predict: they are clipped to %g "
                "and %g; --loss squared takes them as they are",
                count_beyond(&labels, range.least, range.most), labels.rows, range.least, range.most);
    targets_scale(data, &range);
}

cnm_status target_outliers_limit(dataset *data, cnm_error *err) {
    const label_column labels = dataset_labels(data);
    const bool open = data->settings->loss == 0;
    double quartiles[3];
    bool predictable;
    TRY(find_quartiles(&labels, quartiles, err));
    const double median = quartiles[1], spread = (quartiles[2] - quartiles[0]) / 1.349;
    const bool wide = data->target_scale > TUNING.targets.wide * spread;
    const bool few = open && count_beyond(&labels, median - TUNING.targets.outlier * spread,
                                          median + TUNING.targets.outlier * spread) > 0;
    if (!(spread > 0.0) || !(wide || few)) {
        return CNM_OK;
    }
    TRY(targets_are_predictable(data, labels.numbers, median, &predictable, err));
    if (predictable) {
        return CNM_OK;
    }
    if (wide) {
        targets_scale(data, &(target_range){-INFINITY, INFINITY, median, spread});
        data->loss = open ? loss_find(data->loss->robust) : data->loss;
    } else {
        clip_targets(data, median, spread);
    }
    return CNM_OK;
}
