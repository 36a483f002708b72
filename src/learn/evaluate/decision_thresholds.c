/* With p = softmax(s / T) the probabilities of a row, T from rows that were not trained on:
 *
 *   balanced   the largest p_j / share_j decides, the share of class j of the rows' weight: shift_j = T log(mean share / share_j)
 *   f1         the mean over classes of 2 right_j / (truth_j + taken_j) is made best, where right_j is the sum of p_j over rows that are
 *              taken for j, truth_j over all rows, and taken_j how many are taken for j
 *
 * F1 is counted by probabilities, not labels: of a rare class a few dozen rows are held, and a threshold that is best for just these
 * is chance. The search goes from class to class: all shifts of one at which a row changes sides, the others as they are. */
#include "learn/evaluate/decision_thresholds.h"

#include <math.h>
#include <stdlib.h>

#include "base/core/memory.h"
#include "learn/objective/class_weights.h"
#include "learn/objective/losses.h"
#include "math/elementary/elementary.h"

enum { ROUNDS = 3 };

static const double LEAST_GAIN = 1e-9; /* above what rounding makes of equal sums */

static bool is_free(const problem *task, setting_metric metric) {
    return task->task == TASK_CLASSIFY && task->settings->class_weight == NULL && task->settings->metric == (int)metric;
}

bool shift_is_learned(const problem *task) { return is_free(task, METRIC_BALANCED) && loss_has_margins(task->loss); }

bool shift_wanted(const problem *task) {
    return is_free(task, METRIC_F1) || (is_free(task, METRIC_BALANCED) && !loss_has_margins(task->loss));
}

/* ---- Learned ---- */

/* With weights w_j a training finds probabilities as w_j p_j: shift_j = T log(w_j). */
cnm_status shift_learned(const problem *task, double temperature, double *shift, cnm_error *err) {
    double *weights;
    const cnm_status status = memory_take(&weights, task->classes.count, sizeof *weights, "class weights", err);
    if (status != CNM_OK) {
        return status;
    }
    class_weights_balance(&task->classes, task->codes, task->rows.rows, weights);
    for (size_t j = 0; j < task->outputs; j++) {
        const double ratio = task->outputs == 1 ? weights[1] / weights[0] : weights[j];
        shift[j] = temperature * elementary_log(ratio);
    }
    memory_free(weights);
    return CNM_OK;
}

/* ---- Balanced ---- */

void shift_balanced(const problem *task, double temperature, double *shift) {
    const size_t outputs = task->outputs;
    double other = 0.0; /* the first class of two with one output, else the mean class */
    for (size_t j = 0; j < outputs; j++) {
        shift[j] = 0.0;
    }
    for (size_t i = 0; i < task->rows.rows; i++) {
        const double weight = task->weights == NULL ? 1.0 : (double)task->weights[i];
        const size_t class = (size_t)task->codes[i];
        other += outputs > 1 ? weight / (double)outputs : class == 0 ? weight : 0.0;
        shift[outputs > 1 ? class : 0] += outputs > 1 || class == 1 ? weight : 0.0;
    }
    for (size_t j = 0; j < outputs; j++) { /* a class without weight stays where it is */
        shift[j] = shift[j] > 0.0 && other > 0.0 ? temperature * elementary_log(other / shift[j]) : 0.0;
    }
}

/* ---- F1 ---- */

/* A row beside class j: the shift of j from which on the row is taken for it, and not for its rival. */
typedef struct candidate {
    double from;
    size_t row, rival;
} candidate;

typedef struct counts {
    double right, taken, truth;
} counts;

typedef struct search {
    const float *scores, *weights;
    size_t count, outputs, classes;
    double *likely;    /* (count, classes) weight times p */
    double *shift;     /* (classes) */
    size_t *best;      /* (count, 2) the two classes with the largest shifted scores */
    counts *sums;      /* (classes) */
    candidate *choice; /* (count) */
} search;

static double row_weight(const search *self, size_t i) {
    return self->weights == NULL ? 1.0 : (double)self->weights[i];
}

static double score_of(const search *self, size_t i, size_t j) {
    return class_score(self->scores, self->outputs, i, j);
}

static double shifted(const search *self, size_t i, size_t j) { return score_of(self, i, j) + self->shift[j]; }

static void fill_likely(search *self, double temperature) {
    for (size_t i = 0; i < self->count; i++) {
        double *out = self->likely + i * self->classes, largest = -INFINITY, sum = 0.0;
        for (size_t j = 0; j < self->classes; j++) {
            largest = fmax(largest, score_of(self, i, j));
        }
        for (size_t j = 0; j < self->classes; j++) {
            out[j] = elementary_exp((score_of(self, i, j) - largest) / temperature);
            sum += out[j];
        }
        for (size_t j = 0; j < self->classes; j++) {
            out[j] *= row_weight(self, i) / sum;
            self->sums[j].truth += out[j];
        }
    }
}

static void rank_row(search *self, size_t i) {
    size_t *best = self->best + 2 * i;
    best[0] = shifted(self, i, 1) > shifted(self, i, 0);
    best[1] = 1 - best[0];
    for (size_t j = 2; j < self->classes; j++) {
        const double score = shifted(self, i, j);
        if (score > shifted(self, i, best[0])) {
            best[1] = best[0];
            best[0] = j;
        } else if (score > shifted(self, i, best[1])) {
            best[1] = j;
        }
    }
}

/* Moves row i from one class to another (classes: neither) in the sums. */
static void move_row(search *self, size_t i, size_t from, size_t to) {
    if (from < self->classes) {
        self->sums[from].taken -= row_weight(self, i);
        self->sums[from].right -= self->likely[i * self->classes + from];
    }
    self->sums[to].taken += row_weight(self, i);
    self->sums[to].right += self->likely[i * self->classes + to];
}

static double class_f1(const search *self, size_t j) {
    const counts *sums = &self->sums[j];
    const double all = sums->truth + sums->taken;
    return all > 0.0 ? 2.0 * sums->right / all : 1.0;
}

static double mean_f1(const search *self) {
    double sum = 0.0;
    for (size_t j = 0; j < self->classes; j++) {
        sum += class_f1(self, j);
    }
    return sum / (double)self->classes;
}

static int by_shift(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->row > y->row) - (x->row < y->row);
}

/* Takes no row for class j, and lists from where on each would be. */
static void list_candidates(search *self, size_t j) {
    for (size_t c = 0; c < self->classes; c++) {
        self->sums[c].right = self->sums[c].taken = 0.0;
    }
    for (size_t i = 0; i < self->count; i++) {
        const size_t *best = self->best + 2 * i, rival = best[0] == j ? best[1] : best[0];
        self->choice[i] = (candidate){shifted(self, i, rival) - score_of(self, i, j), i, rival};
        move_row(self, i, self->classes, rival);
    }
    qsort(self->choice, self->count, sizeof *self->choice, by_shift);
}

/* The shift of class j between the n-th candidate and the next. */
static double between(const search *self, size_t n) {
    const candidate *before = self->choice + n;
    return n + 1 < self->count ? 0.5 * (before->from + before[1].from) : before->from + 1.0;
}

/* The best shift of class j, the others as they are. True where that is a gain over *best, the F1 so far. */
static bool improve(search *self, size_t j, double *best) {
    double wanted = self->shift[j], total;
    bool better = false;
    list_candidates(self, j);
    total = mean_f1(self) * (double)self->classes;
    for (size_t n = 0; n < self->count; n++) {
        const candidate *row = &self->choice[n];
        total -= class_f1(self, j) + class_f1(self, row->rival);
        move_row(self, row->row, row->rival, j);
        total += class_f1(self, j) + class_f1(self, row->rival);
        const double shift = between(self, n), mean = total / (double)self->classes;
        if (shift > row->from && mean > *best + LEAST_GAIN) {
            *best = mean;
            wanted = shift;
            better = true;
        }
    }
    self->shift[j] = wanted;
    for (size_t i = 0; better && i < self->count; i++) {
        const size_t *two = self->best + 2 * i;
        if (two[0] == j || two[1] == j || shifted(self, i, j) > shifted(self, i, two[1])) {
            rank_row(self, i);
        }
    }
    return better;
}

/* Two classes have one boundary: the first class's shift stays 0. */
static void climb(search *self) {
    const size_t first = self->classes == 2 ? 1 : 0;
    bool better = true;
    for (size_t i = 0; i < self->count; i++) {
        rank_row(self, i);
        move_row(self, i, self->classes, self->best[2 * i]);
    }
    double best = mean_f1(self);
    for (size_t round = 0; better && round < ROUNDS; round++) {
        better = false;
        for (size_t j = first; j < self->classes; j++) {
            better = improve(self, j, &best) || better;
        }
    }
}

static void search_free(search *self) {
    memory_free(self->likely);
    memory_free(self->shift);
    memory_free(self->best);
    memory_free(self->sums);
    memory_free(self->choice);
}

cnm_status shift_f1(const float *scores, size_t count, size_t outputs, const float *weights, double temperature,
                    double *shift, cnm_error *err) {
    const size_t classes = outputs > 1 ? outputs : 2;
    search self = {.scores = scores, .weights = weights, .count = count, .outputs = outputs, .classes = classes};
    cnm_status status = memory_take(&self.likely, count * classes, sizeof *self.likely, "probabilities", err);
    status = status == CNM_OK ? memory_zeroed(&self.shift, classes, sizeof *self.shift, "shifts", err) : status;
    status = status == CNM_OK ? memory_take(&self.best, 2 * count, sizeof *self.best, "classes of rows", err) : status;
    status = status == CNM_OK ? memory_zeroed(&self.sums, classes, sizeof *self.sums, "sums of classes", err) : status;
    status = status == CNM_OK ? memory_take(&self.choice, count, sizeof *self.choice, "shifts of rows", err) : status;
    if (status == CNM_OK) {
        fill_likely(&self, temperature);
        climb(&self);
        for (size_t j = 0; j < outputs; j++) {
            shift[j] = self.shift[outputs == 1 ? 1 : j];
        }
    }
    search_free(&self);
    return status;
}
