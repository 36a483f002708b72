/* Turns labels as read into classes: the distinct labels in order, and each row's number among
 * them. */
#include "data/table/classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"

enum { MAX_WHOLE_CLASSES = 100 };

typedef struct number_count {
    double value;
    size_t rows;
} number_count;

/* Counts value in the sorted counts (count), which have space for one more; returns the new
 * count. */
static size_t count_number(number_count *counts, size_t count, double value) {
    size_t at = count;
    while (at > 0 && counts[at - 1].value > value) {
        at--;
    }
    if (at > 0 && counts[at - 1].value == value) {
        counts[at - 1].rows++;
        return count;
    }
    memmove(counts + at + 1, counts + at, (count - at) * sizeof *counts);
    counts[at] = (number_count){value, 1};
    return count + 1;
}

static size_t fewest_rows(const number_count *counts, size_t count) {
    size_t fewest = counts[0].rows;
    for (size_t i = 1; i < count; i++) {
        fewest = counts[i].rows < fewest ? counts[i].rows : fewest;
    }
    return fewest;
}

task_kind task_guess(const label_column *labels, bool *unsure) {
    /* With fewer rows a value, some value has a single row by chance. */
    enum { MANY = 20, UNEVEN = 10, USUAL_ROWS = 6 };
    *unsure = false;
    if (labels->rows == 0) {
        return TASK_MAP;
    }
    if (labels->words.texts != NULL) {
        return TASK_CLASSIFY;
    }
    number_count counts[MAX_WHOLE_CLASSES + 1];
    size_t distinct = 0;
    bool whole = true;
    for (size_t i = 0; i < labels->rows && distinct <= MAX_WHOLE_CLASSES; i++) {
        whole &= labels->numbers[i] == floor(labels->numbers[i]);
        distinct = count_number(counts, distinct, labels->numbers[i]);
    }
    const bool few = distinct <= MAX_WHOLE_CLASSES && distinct <= labels->rows / 4;
    const size_t fewest = fewest_rows(counts, distinct), usual = labels->rows / distinct;
    const bool scores = whole && few && distinct > MANY && fewest == 1 && usual >= USUAL_ROWS;
    *unsure = scores || (whole && few && distinct > MANY && fewest * UNEVEN < usual);
    return distinct == 2 || (whole && few && !scores) ? TASK_CLASSIFY : TASK_REGRESS;
}

static int compare_numbers(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static int compare_words(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Allocates values (count): the distinct numbers of the labels, sorted. */
static cnm_status distinct_numbers(const label_column *labels, double **values, size_t *count, cnm_error *err) {
    *count = 0;
    TRY(memory_take(values, labels->rows, sizeof **values, "classes", err));
    if (labels->rows == 0) {
        return CNM_OK;
    }
    memcpy(*values, labels->numbers, labels->rows * sizeof **values);
    qsort(*values, labels->rows, sizeof **values, compare_numbers);
    for (size_t i = 0; i < labels->rows; i++) {
        if (i == 0 || (*values)[i] != (*values)[*count - 1]) {
            (*values)[(*count)++] = (*values)[i];
        }
    }
    return CNM_OK;
}

static cnm_status create_numeric(class_set *out, const label_column *labels, cnm_error *err) {
    cnm_status status;
    double *values;
    size_t count;
    TRY(distinct_numbers(labels, &values, &count, err));
    if (count > INT32_MAX) {
        TRY_DONE(error_set(err, CNM_BAD_DATA, "more than %d different labels", INT32_MAX));
    }
    TRY_DONE(memory_zeroed(&out->labels, count, sizeof *out->labels, "classes", err));
    for (; out->count < count; out->count++) {
        char text[TEXT_DOUBLE_SIZE];
        text[text_from_double(text, values[out->count])] = '\0';
        TRY_DONE(memory_copy_text(&out->labels[out->count], text, err));
    }
    out->numeric = true;
done:
    memory_free(values);
    return status;
}

/* Takes only words that rows still have: rows may have been removed. */
static cnm_status create_words(class_set *out, const label_column *labels, cnm_error *err) {
    cnm_status status;
    bool *used;
    TRY(memory_zeroed(&used, labels->words.count, sizeof *used, "classes", err));
    TRY_DONE(memory_zeroed(&out->labels, labels->words.count, sizeof *out->labels, "classes", err));
    for (size_t i = 0; i < labels->rows; i++) {
        used[labels->codes[i]] = true;
    }
    for (size_t i = 0; i < labels->words.count; i++) {
        if (used[i]) {
            TRY_DONE(memory_copy_text(&out->labels[out->count], labels->words.texts[i], err));
            out->count++;
        }
    }
    if (out->count > 0) {
        qsort(out->labels, out->count, sizeof *out->labels, compare_words);
    }
done:
    memory_free(used);
    return status;
}

cnm_status classes_create(class_set *out, const label_column *labels, cnm_error *err) {
    *out = (class_set){0};
    const cnm_status status =
        labels->words.texts != NULL ? create_words(out, labels, err) : create_numeric(out, labels, err);
    if (status != CNM_OK) {
        classes_free(out);
    }
    return status;
}

cnm_status classes_copy(class_set *out, const class_set *self, cnm_error *err) {
    cnm_status status;
    *out = (class_set){.numeric = self->numeric};
    TRY_DONE(memory_zeroed(&out->labels, self->count, sizeof *out->labels, "classes", err));
    for (; out->count < self->count; out->count++) {
        TRY_DONE(memory_copy_text(&out->labels[out->count], self->labels[out->count], err));
    }
    return CNM_OK;
done:
    classes_free(out);
    return status;
}

void classes_free(class_set *self) {
    for (size_t i = 0; i < self->count; i++) {
        memory_free(self->labels[i]);
    }
    memory_free(self->labels);
    *self = (class_set){0};
}

/* Returns the class with this number, among `values` ascending, or -1. */
static int32_t find_number(const double *values, size_t count, double wanted) {
    const double *found = count > 0 ? bsearch(&wanted, values, count, sizeof *values, compare_numbers) : NULL;
    return found != NULL ? (int32_t)(found - values) : -1;
}

static int32_t find_word(const class_set *self, const char *wanted) {
    char *const *found =
        self->count > 0 ? bsearch(&wanted, self->labels, self->count, sizeof *self->labels, compare_words) : NULL;
    return found != NULL ? (int32_t)(found - self->labels) : -1;
}

/* Returns the class of one label given as text, or -1. values (count) are the numbers of a numeric
 * set. */
static int32_t find_text(const class_set *self, const double *values, const char *text) {
    double number;
    if (!self->numeric) {
        return find_word(self, text);
    }
    return text_is_double(text, text + strlen(text), &number) ? find_number(values, self->count, number) : -1;
}

/* Fills codes of rows whose labels are words, looking up each word once. */
static cnm_status encode_words(const class_set *self, const double *values, const label_column *labels, int32_t *codes,
                               cnm_error *err) {
    int32_t *classes;
    TRY(memory_take(&classes, labels->words.count, sizeof *classes, "classes", err));
    for (size_t i = 0; i < labels->words.count; i++) {
        classes[i] = find_text(self, values, labels->words.texts[i]);
    }
    for (size_t i = 0; i < labels->rows; i++) {
        codes[i] = classes[labels->codes[i]];
    }
    memory_free(classes);
    return CNM_OK;
}

static void encode_numbers(const class_set *self, const double *values, const label_column *labels, int32_t *codes) {
    for (size_t i = 0; i < labels->rows; i++) {
        char text[TEXT_DOUBLE_SIZE];
        if (self->numeric) {
            codes[i] = find_number(values, self->count, labels->numbers[i]);
        } else {
            text[text_from_double(text, labels->numbers[i])] = '\0';
            codes[i] = find_word(self, text);
        }
    }
}

cnm_status classes_encode(const class_set *self, const label_column *labels, int32_t *codes, size_t *unknown,
                          cnm_error *err) {
    cnm_status status = CNM_OK;
    double *values;
    *unknown = 0;
    TRY(memory_take(&values, self->count, sizeof *values, "classes", err));
    for (size_t i = 0; self->numeric && i < self->count; i++) {
        const char *text = self->labels[i];
        if (!text_is_double(text, text + strlen(text), &values[i])) {
            TRY_DONE(error_set(err, CNM_BAD_DATA, "the class '%s' is not a number, but the classes are numbers", text));
        }
    }
    if (labels->words.texts != NULL) {
        TRY_DONE(encode_words(self, values, labels, codes, err));
    } else {
        encode_numbers(self, values, labels, codes);
    }
    for (size_t i = 0; i < labels->rows; i++) {
        *unknown += codes[i] < 0;
    }
done:
    memory_free(values);
    return status;
}
