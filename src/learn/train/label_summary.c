/* One sentence for the label, one for the task. */
#include "learn/train/label_summary.h"

#include <math.h>
#include <stdio.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"

enum { LISTED_CLASSES = 5, SENTENCE = 512, NUMBER = TEXT_DOUBLE_SIZE + 320 };

/* The classes of the labels and how many rows each has. */
typedef struct class_counts {
    class_set classes;
    size_t *rows; /* (classes.count) */
} class_counts;

static void counts_free(class_counts *self) {
    classes_free(&self->classes);
    memory_free(self->rows);
}

static cnm_status counts_create(class_counts *out, const label_column *labels, cnm_error *err) {
    int32_t *codes = NULL;
    size_t unknown;
    cnm_status status = CNM_OK;
    *out = (class_counts){0};
    TRY_DONE(classes_create(&out->classes, labels, err));
    TRY_DONE(memory_take(&codes, labels->rows, sizeof *codes, "labels", err));
    TRY_DONE(memory_zeroed(&out->rows, out->classes.count, sizeof *out->rows, "classes", err));
    TRY_DONE(classes_encode(&out->classes, labels, codes, &unknown, err));
    for (size_t i = 0; i < labels->rows; i++) {
        out->rows[codes[i]]++;
    }
done:
    memory_free(codes);
    if (status != CNM_OK) {
        counts_free(out);
    }
    return status;
}

/* Fails with the name of the column, where it is known. */
static cnm_status fail_one_class(const class_counts *self, size_t rows, const label_origin *origin, cnm_error *err) {
    const char *label = self->classes.count == 1 ? self->classes.labels[0] : "";
    if (rows == 1) {
        return error_set(err, CNM_BAD_DATA, "found one row alone: at least two classes are needed");
    }
    if (origin == NULL || origin->name == NULL) {
        return error_set(err, CNM_BAD_DATA,
                         "all %zu rows have the same label \"%.60s\": at least two classes are needed", rows, label);
    }
    return error_set(err, CNM_BAD_DATA,
                     "all %zu rows have the same label \"%.60s\" in column '%.60s': at least two classes are needed; "
                     "--label-column names another column",
                     rows, label, origin->name);
}

/* ---- The label ---- */

/* Adds to the sentence, as far as it fits. */
static void add(char *sentence, size_t *used, const char *text) {
    const int written = snprintf(sentence + *used, SENTENCE - *used, "%s", text);
    *used += written < 0 ? 0 : (size_t)written < SENTENCE - *used ? (size_t)written : SENTENCE - 1 - *used;
}

static void add_share(char *sentence, size_t *used, const class_counts *self, size_t class, size_t rows) {
    char text[128];
    const double percent = 100.0 * (double)self->rows[class] / (double)rows, whole = rint(percent);
    const char *about = whole < 1.0 ? "under " : whole > 99.0 && percent < 100.0 ? "over " : "";
    (void)snprintf(text, sizeof text, "%.60s %s%d %%", self->classes.labels[class], about,
                   (int)fmin(fmax(whole, 1.0), *about != '\0' ? 99.0 : 100.0));
    add(sentence, used, text);
}

/* Adds "2 classes: No 73 %, Yes 27 %"; of many classes the most and the least frequent. */
static void add_classes(char *sentence, size_t *used, const class_counts *self, size_t rows) {
    char count[64];
    size_t most = 0, least = 0;
    (void)snprintf(count, sizeof count, "%zu classes: ", self->classes.count);
    add(sentence, used, count);
    if (self->classes.count <= LISTED_CLASSES) {
        for (size_t i = 0; i < self->classes.count; i++) {
            add(sentence, used, i == 0 ? "" : ", ");
            add_share(sentence, used, self, i, rows);
        }
        return;
    }
    for (size_t i = 1; i < self->classes.count; i++) {
        most = self->rows[i] > self->rows[most] ? i : most;
        least = self->rows[i] < self->rows[least] ? i : least;
    }
    add(sentence, used, "the largest ");
    add_share(sentence, used, self, most, rows);
    add(sentence, used, ", the smallest ");
    add_share(sentence, used, self, least, rows);
}

/* Adds a number with about four digits. */
static void add_number(char *sentence, size_t *used, const char *before, double value) {
    char text[NUMBER];
    const double size = fabs(value);
    const int decimals = value == floor(value) || size >= 1000.0 ? 0 : size >= 10.0 ? 1 : size >= 0.1 ? 3 : 6;
    if (size < 1e15) {
        (void)text_fixed(text, value, decimals);
    } else {
        text[text_from_double(text, value)] = '\0';
    }
    add(sentence, used, before);
    add(sentence, used, text);
}

static void add_numbers(char *sentence, size_t *used, const label_column *labels) {
    double least = INFINITY, most = -INFINITY, mean = 0.0;
    for (size_t i = 0; i < labels->rows; i++) {
        least = fmin(least, labels->numbers[i]);
        most = fmax(most, labels->numbers[i]);
        mean += (labels->numbers[i] - mean) / (double)(i + 1);
    }
    add(sentence, used, "numbers to predict");
    if (isfinite(most - least)) {
        add_number(sentence, used, ", from ", least);
        add_number(sentence, used, " to ", most);
        add_number(sentence, used, ", mean ", mean);
    }
}

/* Sends "label: churned (by its name), 2 classes: ..."; counts NULL: numbers. */
static void send_label(const label_column *labels, const class_counts *counts, const label_origin *origin,
                       const cnm_callbacks *callbacks) {
    char sentence[SENTENCE] = "";
    size_t used = 0;
    if (origin != NULL && origin->name != NULL) {
        char name[256];
        const bool known = origin->reason != NULL;
        (void)snprintf(name, sizeof name, "%.100s%s%.100s%s, ", origin->name, known ? " (" : "",
                       known ? origin->reason : "", known ? ")" : "");
        add(sentence, &used, name);
    }
    if (counts == NULL) {
        add_numbers(sentence, &used, labels);
    } else {
        add_classes(sentence, &used, counts, labels->rows);
    }
    info_send(callbacks, "label: %s", sentence);
}

/* ---- The task ---- */

static void send_task(const label_column *labels, task_kind task, const class_counts *counts,
                      const cnm_callbacks *callbacks) {
    const bool words = labels->words.texts != NULL;
    info_send(callbacks, "%s",
              task == TASK_REGRESS ? "task: regression, since the labels are many numbers (--task classify takes them "
                                     "for classes)"
              : words              ? "task: classification, since the labels are words"
              : counts->classes.count == 2 ? "task: classification, since the labels have two values"
                                           : "task: classification, since the labels are a few whole numbers (--task "
                                             "regress takes them for numbers)");
}

/* Returns whether no label differs from the first. */
static bool are_all_equal(const label_column *labels) {
    const bool words = labels->words.texts != NULL;
    for (size_t i = 1; i < labels->rows; i++) {
        if (words ? labels->codes[i] != labels->codes[0] : labels->numbers[i] != labels->numbers[0]) {
            return false;
        }
    }
    return true;
}

cnm_status label_summarise(const label_column *labels, task_kind task, const settings *wanted,
                           const label_origin *origin, const cnm_callbacks *callbacks, cnm_error *err) {
    const bool guessed = wanted->task == WANT_AUTO, same = guessed && are_all_equal(labels);
    const bool classes = task == TASK_CLASSIFY || same;
    class_counts counts = {0};
    cnm_status status = CNM_OK;
    if (task == TASK_MAP || labels->rows == 0) {
        return CNM_OK;
    }
    if (classes) {
        TRY(counts_create(&counts, labels, err));
    }
    if (classes && counts.classes.count < 2) {
        TRY_DONE(fail_one_class(&counts, labels->rows, origin, err));
    }
    send_label(labels, classes ? &counts : NULL, origin, callbacks);
    if (guessed) {
        send_task(labels, task, &counts, callbacks);
    }
done:
    counts_free(&counts);
    return status;
}
