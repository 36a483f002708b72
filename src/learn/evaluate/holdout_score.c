/* Standard errors are those of the delta method: a figure that is a function of means over n rows
 * changes by psi_i / n with row i, and its standard error is sqrt(sum over groups of (sum of
 * psi_i in the group)^2) / n; without groups, each row is one.
 *
 *   accuracy p        psi_i = [row i is right] - p, so that the error is sqrt(p (1 - p) / n)
 *   1 - r, of losses  psi_i = (l_i - r c_i) / mean of c, for the losses l of the model and c of the
 *                     constant: for R2, both squared errors
 *   a difference      psi_i = the difference of both psi_i: rows that both models get right, or
 *                     wrong by as much, do not count */
#include "learn/evaluate/holdout_score.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/dataset/group_folds.h"
#include "math/elementary/elementary.h"
#include "model/evaluate.h"
#include "model/model_columns.h"
#include "model/probability.h"

/* ---- Standard errors ---- */

static double mean_of(const double *values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum / (double)count;
}

/* Computes the standard error of a figure whose influences are psi (rows). */
static cnm_status standard_error(const double *psi, const table *held, double *out, cnm_error *err) {
    row_groups groups = {0};
    double squares = 0.0;
    if (held->groups == NULL) {
        for (size_t i = 0; i < held->rows; i++) {
            squares += psi[i] * psi[i];
        }
    } else {
        TRY(groups_create(&groups, held->groups, held->rows, err));
        for (size_t g = 0; g < groups.count; g++) {
            double sum = 0.0;
            for (size_t i = groups.starts[g]; i < groups.starts[g + 1]; i++) {
                sum += psi[groups.members[i]];
            }
            squares += sum * sum;
        }
        groups_free(&groups);
    }
    *out = sqrt(squares) / (double)held->rows;
    return CNM_OK;
}

/* Computes the standard error of the mean of values (rows). psi (rows) is scratch. */
static cnm_status error_of_mean(const double *values, const table *held, double *psi, double *out, cnm_error *err) {
    const double mean = mean_of(values, held->rows);
    for (size_t i = 0; i < held->rows; i++) {
        psi[i] = values[i] - mean;
    }
    return standard_error(psi, held, out, err);
}

/* Computes the same for a ratio of means, values over scale (rows). */
static cnm_status error_of_ratio(const double *values, const double *scale, const table *held, double *psi, double *out,
                                 cnm_error *err) {
    const double unit = mean_of(scale, held->rows), ratio = mean_of(values, held->rows) / unit;
    for (size_t i = 0; i < held->rows; i++) {
        psi[i] = (values[i] - ratio * scale[i]) / unit;
    }
    return standard_error(psi, held, out, err);
}

/* ---- Classes ---- */

/* The training rows as a constant prediction sees them. */
typedef struct class_shares {
    double *shares; /* (classes) */
    int32_t largest;
} class_shares;

/* Takes shares (classes) and fills them from the codes of training rows. */
static cnm_status find_shares(class_shares *out, const cnm_model *model, const table *train, cnm_error *err) {
    int32_t *codes = NULL;
    size_t unknown;
    cnm_status status = CNM_OK;
    TRY_DONE(memory_zeroed(&out->shares, model->classes.count, sizeof *out->shares, "classes", err));
    TRY_DONE(memory_take(&codes, train->rows, sizeof *codes, "labels", err));
    TRY_DONE(classes_encode(&model->classes, &train->labels, codes, &unknown, err));
    for (size_t i = 0; i < train->rows; i++) {
        if (codes[i] >= 0) {
            out->shares[codes[i]] += 1.0 / (double)train->rows;
            out->largest = out->shares[codes[i]] > out->shares[out->largest] ? codes[i] : out->largest;
        }
    }
done:
    memory_free(codes);
    return status;
}

/* Fills each (rows) with whether predictions are right, and gains (rows); a label that the model
 * does not know is never predicted, and tells nothing of probabilities. */
static cnm_status compare_classes(holdout_score *self, const cnm_model *model, const int32_t *codes,
                                  const float *scores, const class_shares *train, double *gains, cnm_error *err) {
    probability_rule rule;
    double *p = NULL;
    size_t baseline = 0;
    TRY(probability_rule_create(&rule, model, err));
    TRY(memory_take(&p, rule.classes, sizeof *p, "probabilities", err));
    for (size_t i = 0; i < self->rows; i++) {
        const float *own = scores + i * model->outputs;
        self->each[i] = codes[i] >= 0 && model_decide(model, own) == codes[i] ? 1.0 : 0.0;
        baseline += codes[i] >= 0 && codes[i] == train->largest;
        gains[i] = 0.0;
        if (codes[i] >= 0 && train->shares[codes[i]] > 0.0) {
            probability_row(&rule, own, p);
            gains[i] = elementary_log(fmax(p[codes[i]], DBL_MIN)) - elementary_log(train->shares[codes[i]]);
        }
    }
    self->baseline = (double)baseline / (double)self->rows;
    memory_free(p);
    return CNM_OK;
}

static cnm_status score_classes(holdout_score *self, const cnm_model *model, const table *train, const table *held,
                                const float *scores, double *psi, cnm_error *err) {
    class_shares shares = {0};
    int32_t *codes = NULL;
    double *gains = NULL;
    size_t unknown;
    cnm_status status = CNM_OK;
    static const holdout_measure ACCURACY = {"accuracy", "accuracy", "saying the largest class"};
    self->measure = &ACCURACY;
    TRY_DONE(memory_take(&codes, held->rows, sizeof *codes, "labels", err));
    TRY_DONE(memory_take(&gains, held->rows, sizeof *gains, "rows", err));
    TRY_DONE(find_shares(&shares, model, train, err));
    TRY_DONE(classes_encode(&model->classes, &held->labels, codes, &unknown, err));
    TRY_DONE(compare_classes(self, model, codes, scores, &shares, gains, err));
    self->value = mean_of(self->each, self->rows);
    self->gain = mean_of(gains, self->rows);
    TRY_DONE(error_of_mean(self->each, held, psi, &self->error, err));
    TRY_DONE(error_of_mean(gains, held, psi, &self->gain_error, err));
done:
    memory_free(shares.shares);
    memory_free(codes);
    memory_free(gains);
    return status;
}

/* ---- Numbers ---- */

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Finds a quantile of values (count >= 1), interpolated between the two nearest as NumPy does. */
static cnm_status find_quantile(double *out, const double *values, size_t count, double quantile, cnm_error *err) {
    const double at = quantile * (double)(count - 1);
    const size_t below = (size_t)at;
    double *sorted;
    TRY(memory_take(&sorted, count, sizeof *sorted, "labels", err));
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    const double next = sorted[below + (below + 1 < count)];
    *out = sorted[below] + (at - (double)below) * (next - sorted[below]);
    memory_free(sorted);
    return CNM_OK;
}

/* The loss of numbers, and the constant with the smallest on the training rows. */
typedef struct number_loss {
    double quantile; /* 0: squared errors */
    double constant;
} number_loss;

static cnm_status find_loss(number_loss *out, const cnm_model *model, const table *train, cnm_error *err) {
    TRY(model_quantile(&out->quantile, model, err));
    if (out->quantile > 0.0) {
        return find_quantile(&out->constant, train->labels.numbers, train->rows, out->quantile, err);
    }
    out->constant = mean_of(train->labels.numbers, train->rows);
    return CNM_OK;
}

static double loss_of(const number_loss *self, double error) {
    return self->quantile > 0.0 ? quantile_loss(self->quantile, error) : error * error;
}

static cnm_status score_numbers(holdout_score *self, const cnm_model *model, const table *train, const table *held,
                                const float *scores, double *psi, cnm_error *err) {
    static const holdout_measure R2 = {"r2", "R2", "predicting the mean"};
    static const holdout_measure D2 = {"d2-pinball", "D2 of the quantile's loss", "predicting the quantile"};
    number_loss loss;
    TRY(find_loss(&loss, model, train, err));
    self->measure = loss.quantile > 0.0 ? &D2 : &R2;
    TRY(memory_take(&self->scale, held->rows, sizeof *self->scale, "rows", err));
    for (size_t i = 0; i < held->rows; i++) {
        const double y = held->labels.numbers[i];
        self->each[i] = loss_of(&loss, (double)scores[i] - y);
        self->scale[i] = loss_of(&loss, loss.constant - y);
    }
    const double unit = mean_of(self->scale, self->rows);
    if (!(unit > 0.0) || !isfinite(unit)) {
        return error_set(err, CNM_BAD_DATA, "the targets of the %zu held-out rows leave %s undefined: always %s %s",
                         held->rows, self->measure->words, self->measure->constant,
                         unit > 0.0 ? "has a loss that is too large" : "of the training targets is right for all");
    }
    self->value = 1.0 - mean_of(self->each, self->rows) / unit;
    return error_of_ratio(self->each, self->scale, held, psi, &self->error, err);
}

/* ---- Both ---- */

static cnm_status find_metric(holdout_score *self, const cnm_model *model, const table *held, const float *scores,
                              const char *metric, cnm_error *err) {
    evaluation *figures;
    if (metric == NULL) {
        return CNM_OK;
    }
    TRY(evaluation_create(&figures, model, true, err));
    const cnm_status status = evaluation_add(figures, &held->labels, scores, err);
    self->metric = status == CNM_OK ? evaluation_get(figures, metric) : NAN;
    evaluation_destroy(figures);
    return status;
}

static cnm_status check_labels(const cnm_model *model, const table *train, const table *held, cnm_error *err) {
    if (train->rows == 0 || held->rows == 0) {
        return error_set(err, CNM_BAD_DATA, "there are no rows to score the model on");
    }
    if (!train->labelled || !held->labelled) {
        return error_set(err, CNM_BAD_DATA, "the rows to score the model on have no labels");
    }
    const bool words = train->labels.words.texts != NULL || held->labels.words.texts != NULL;
    if (model->task == TASK_REGRESS && words) {
        return error_set(err, CNM_BAD_DATA, "the labels are words, but the model predicts numbers");
    }
    return CNM_OK;
}

cnm_status holdout_score_create(holdout_score *out, const cnm_model *model, const table *train, const table *held,
                                const char *metric, size_t threads, cnm_error *err) {
    float *scores = NULL;
    double *psi = NULL;
    cnm_status status = CNM_OK;
    *out = (holdout_score){.rows = held->rows, .metric = NAN, .gain = NAN, .gain_error = NAN};
    TRY(check_labels(model, train, held, err));
    TRY_DONE(memory_take(&out->each, held->rows, sizeof *out->each, "rows", err));
    TRY_DONE(memory_take(&psi, held->rows, sizeof *psi, "rows", err));
    TRY_DONE(memory_take(&scores, held->rows, model->outputs * sizeof *scores, "scores", err));
    TRY_DONE(model_table_scores(model, held, threads, scores, err));
    TRY_DONE(model->task == TASK_CLASSIFY ? score_classes(out, model, train, held, scores, psi, err)
                                          : score_numbers(out, model, train, held, scores, psi, err));
    TRY_DONE(find_metric(out, model, held, scores, metric, err));
done:
    memory_free(scores);
    memory_free(psi);
    if (status != CNM_OK) {
        holdout_score_free(out);
    }
    return status;
}

void holdout_score_free(holdout_score *self) {
    memory_free(self->each);
    memory_free(self->scale);
    *self = (holdout_score){0};
}

cnm_status holdout_compare(const holdout_score *self, const holdout_score *other, const table *held, double *difference,
                           double *error, cnm_error *err) {
    double *gains = NULL, *psi = NULL;
    cnm_status status = CNM_OK;
    const bool numbers = self->scale != NULL;
    *difference = self->value - other->value;
    TRY_DONE(memory_take(&gains, self->rows, sizeof *gains, "rows", err));
    TRY_DONE(memory_take(&psi, self->rows, sizeof *psi, "rows", err));
    for (size_t i = 0; i < self->rows; i++) {
        gains[i] = numbers ? other->each[i] - self->each[i] : self->each[i] - other->each[i];
    }
    TRY_DONE(numbers ? error_of_ratio(gains, self->scale, held, psi, error, err)
                     : error_of_mean(gains, held, psi, error, err));
done:
    memory_free(gains);
    memory_free(psi);
    return status;
}
