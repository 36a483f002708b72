/* Accuracy, confusion, AUC, log loss, calibration; squared and absolute errors and R2; the loss and
 * coverage of a quantile. */
#include "model/evaluate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "math/elementary/elementary.h"

cnm_status model_quantile(double *out, const cnm_model *model, cnm_error *err) {
    const char *text = model->task == TASK_REGRESS ? record_get(&model->record, RECORD_QUANTILE) : NULL;
    *out = 0.0;
    if (text != NULL && (!text_is_double(text, text + strlen(text), out) || !(*out > 0.0 && *out < 1.0))) {
        return error_set(err, CNM_BAD_FORMAT, "the model's quantile \"%.40s\" is not a number between 0 and 1", text);
    }
    return CNM_OK;
}

cnm_status evaluation_create(evaluation **out, const cnm_model *model, bool keep_scores, cnm_error *err) {
    if (model->task == TASK_MAP) {
        *out = NULL;
        return error_set(err, CNM_BAD_ARGUMENT, "a map without a head predicts nothing that could be evaluated");
    }
    const size_t classes = model->classes.count;
    cnm_status status = CNM_OK;
    TRY(memory_zeroed(out, 1, sizeof **out, "an evaluation", err));
    evaluation *self = *out;
    self->model = model;
    self->keep_scores = keep_scores && classes == 2;
    TRY_DONE(model_quantile(&self->quantile, model, err));
    TRY_DONE(memory_zeroed(&self->confusion, classes * classes, sizeof *self->confusion, "a confusion matrix", err));
    if (classes > 0) {
        TRY_DONE(memory_zeroed(&self->probabilities, classes, sizeof(double), "probabilities", err));
        TRY_DONE(probability_rule_create(&self->rule, model, err));
    }
    return CNM_OK;
done:
    evaluation_destroy(self);
    *out = NULL;
    return status;
}

void evaluation_destroy(evaluation *self) {
    if (self != NULL) {
        memory_free(self->confusion);
        memory_free(self->probabilities);
        memory_free(self->scores);
        memory_free(self->truths);
        memory_free(self);
    }
}

static cnm_status keep(evaluation *self, float score, int32_t truth, cnm_error *err) {
    TRY(memory_grow(&self->scores, &self->score_capacity, self->kept + 1, sizeof *self->scores, "kept scores", err));
    TRY(memory_grow(&self->truths, &self->truth_capacity, self->kept + 1, sizeof *self->truths, "kept labels", err));
    self->scores[self->kept] = score;
    self->truths[self->kept++] = truth;
    return CNM_OK;
}

/* Adds the row's probabilities to log loss and calibration. A probability that underflowed counts
 * as the smallest double. */
static void add_probabilities(evaluation *self, const float *scores, size_t truth, size_t predicted) {
    double *p = self->probabilities;
    probability_row(&self->rule, scores, p);
    self->entropy -= elementary_log(fmax(p[truth], DBL_MIN));
    /* The comparison puts NaN into the first bin too. */
    const size_t found = p[predicted] > 0.0 ? (size_t)(p[predicted] * CALIBRATION_BINS) : 0;
    const size_t bin = found < CALIBRATION_BINS ? found : CALIBRATION_BINS - 1;
    self->bin_rows[bin]++;
    self->bin_correct[bin] += truth == predicted;
    self->bin_confidence[bin] += p[predicted];
}

static cnm_status add_classes(evaluation *self, const label_column *labels, const float *scores, cnm_error *err) {
    const size_t outputs = self->model->outputs;
    int32_t *codes;
    size_t unknown = 0;
    cnm_status status = CNM_OK;
    TRY(memory_take(&codes, labels->rows, sizeof *codes, "labels", err));
    TRY_DONE(classes_encode(&self->model->classes, labels, codes, &unknown, err));
    for (size_t i = 0; i < labels->rows; i++) {
        const int32_t predicted = model_decide(self->model, scores + i * outputs);
        if (codes[i] >= 0) {
            self->correct += codes[i] == predicted;
            add_probabilities(self, scores + i * outputs, (size_t)codes[i], (size_t)predicted);
            self->confusion[(size_t)codes[i] * self->model->classes.count + (size_t)predicted]++;
            if (self->keep_scores) {
                TRY_DONE(keep(self, scores[i], codes[i], err));
            }
        }
    }
    self->rows += labels->rows;
    self->unknown += unknown;
done:
    memory_free(codes);
    return status;
}

static cnm_status add_targets(evaluation *self, const label_column *labels, const float *scores, cnm_error *err) {
    if (labels->words.texts != NULL) {
        return error_set(err, CNM_BAD_DATA, "the labels are words, but the model predicts numbers");
    }
    for (size_t i = 0; i < labels->rows; i++) {
        const double y = labels->numbers[i], error = (double)scores[i] - y, before = y - self->target_mean;
        self->rows++;
        self->target_mean += before / (double)self->rows;
        self->target_squares += before * (y - self->target_mean);
        self->squares += error * error;
        self->absolutes += fabs(error);
        self->pinball += quantile_loss(self->quantile, error);
        self->covered += error >= 0.0;
    }
    return CNM_OK;
}

cnm_status evaluation_add(evaluation *self, const label_column *labels, const float *scores, cnm_error *err) {
    return self->model->task == TASK_CLASSIFY ? add_classes(self, labels, scores, err)
                                              : add_targets(self, labels, scores, err);
}

/* ---- Figures ---- */

static double fraction_correct(const evaluation *self) { return (double)self->correct / (double)self->rows; }

/* The mean over classes that occur of the fraction of their rows predicted right. */
static double balanced(const evaluation *self) {
    const size_t classes = self->model->classes.count;
    double sum = 0.0;
    size_t seen = 0;
    for (size_t i = 0; i < classes; i++) {
        uint64_t rows = 0;
        for (size_t j = 0; j < classes; j++) {
            rows += self->confusion[i * classes + j];
        }
        if (rows > 0) {
            sum += (double)self->confusion[i * classes + i] / (double)rows;
            seen++;
        }
    }
    return seen == 0 ? NAN : sum / (double)seen;
}

/* The mean over classes of 2 right / (rows of the class + rows taken for it); a class that is
 * nowhere counts as right. */
static double mean_f1(const evaluation *self) {
    const size_t classes = self->model->classes.count;
    double sum = 0.0;
    for (size_t i = 0; i < classes; i++) {
        uint64_t both = 0;
        for (size_t j = 0; j < classes; j++) {
            both += self->confusion[i * classes + j] + self->confusion[j * classes + i];
        }
        sum += both == 0 ? 1.0 : 2.0 * (double)self->confusion[i * classes + i] / (double)both;
    }
    return sum / (double)classes;
}

/* Expected calibration error: the mean over rows of | how often right - probability | in the row's
 * bin. */
static double calibration_error(const evaluation *self) {
    double sum = 0.0;
    for (size_t i = 0; i < CALIBRATION_BINS; i++) {
        sum += fabs((double)self->bin_correct[i] - self->bin_confidence[i]);
    }
    return sum / (double)(self->rows - self->unknown);
}

static double mean_entropy(const evaluation *self) { return self->entropy / (double)(self->rows - self->unknown); }

typedef struct ranked {
    float score;
    int32_t truth;
} ranked;

/* NaN comes first: it is never above 0. */
static int by_score(const void *a, const void *b) {
    const float x = ((const ranked *)a)->score, y = ((const ranked *)b)->score;
    return isnan(x) || isnan(y) ? isnan(y) - isnan(x) : (x > y) - (x < y);
}

/* Area under the ROC curve by ranks, ties counted half. NaN when a class is absent, nothing was
 * kept, or memory is short. */
static double area_under_curve(const evaluation *self) {
    ranked *all;
    if (!self->keep_scores || self->kept == 0 || memory_take(&all, self->kept, sizeof *all, "scores", NULL) != CNM_OK) {
        return NAN;
    }
    for (size_t i = 0; i < self->kept; i++) {
        all[i] = (ranked){self->scores[i], self->truths[i]};
    }
    qsort(all, self->kept, sizeof *all, by_score);
    double positives = 0.0, below = 0.0; /* below: negatives */
    double pairs = 0.0;                  /* (positive, negative) in right order */
    for (size_t i = 0; i < self->kept;) {
        size_t end = i;
        double tied_positive = 0.0, tied_negative = 0.0;
        for (; end < self->kept && (end == i || all[end].score == all[i].score); end++) {
            *(all[end].truth == 1 ? &tied_positive : &tied_negative) += 1.0;
        }
        pairs += tied_positive * (below + 0.5 * tied_negative);
        below += tied_negative;
        positives += tied_positive;
        i = end;
    }
    memory_free(all);
    return positives * below == 0.0 ? NAN : pairs / (positives * below);
}

static double count_rows(const evaluation *self) { return (double)self->rows; }
static double count_correct(const evaluation *self) { return (double)self->correct; }
static double count_unknown(const evaluation *self) { return (double)self->unknown; }
static double mean_square(const evaluation *self) { return self->squares / (double)self->rows; }
static double root_mean_square(const evaluation *self) { return sqrt(mean_square(self)); }
static double mean_absolute(const evaluation *self) { return self->absolutes / (double)self->rows; }
static double r_squared(const evaluation *self) {
    return self->target_squares > 0.0 ? 1.0 - self->squares / self->target_squares : NAN;
}

static double mean_pinball(const evaluation *self) {
    return self->quantile > 0.0 ? self->pinball / (double)self->rows : NAN;
}
static double coverage(const evaluation *self) {
    return self->quantile > 0.0 ? (double)self->covered / (double)self->rows : NAN;
}

typedef struct figure {
    const char *name;
    double (*value)(const evaluation *self);
    bool classify, regress;
} figure;

static const figure FIGURES[] = {
    {"rows", count_rows, true, true},
    {"correct", count_correct, true, false},
    {"unknown", count_unknown, true, false},
    {"accuracy", fraction_correct, true, false},
    {"balanced", balanced, true, false},
    {"auc", area_under_curve, true, false},
    {"f1", mean_f1, true, false},
    {"logloss", mean_entropy, true, false},
    {"calibration", calibration_error, true, false},
    {"mse", mean_square, false, true},
    {"rmse", root_mean_square, false, true},
    {"mae", mean_absolute, false, true},
    {"r2", r_squared, false, true},
    {"pinball", mean_pinball, false, true},
    {"coverage", coverage, false, true},
};

double evaluation_get(const evaluation *self, const char *name) {
    for (size_t i = 0; i < sizeof FIGURES / sizeof FIGURES[0]; i++) {
        const bool applies = self->model->task == TASK_CLASSIFY ? FIGURES[i].classify : FIGURES[i].regress;
        if (strcmp(name, FIGURES[i].name) == 0 && applies) {
            return FIGURES[i].value(self);
        }
    }
    return NAN;
}

bool evaluation_knows(const char *name) {
    for (size_t i = 0; i < sizeof FIGURES / sizeof FIGURES[0]; i++) {
        if (strcmp(name, FIGURES[i].name) == 0) {
            return true;
        }
    }
    return false;
}
