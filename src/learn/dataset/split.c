/* Holds rows out, class by class or in blocks spread over the file. */
#include "learn/dataset/split.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"

cnm_status split_allocate(row_split *out, size_t rows, cnm_error *err) {
    const memory_want wants[] = {{&out->train, rows, sizeof *out->train, "a split of rows"},
                                 {&out->held, rows, sizeof *out->held, "a split of rows"}};
    *out = (row_split){0};
    return memory_take_all(err, wants, 2);
}

void split_thin(row_split *self, size_t most) {
    if (self->held_count > most) {
        for (size_t i = 0; i < most; i++) {
            self->held[i] = self->held[(size_t)((double)i * (double)self->held_count / (double)most)];
        }
        self->held_count = most;
    }
}

void split_free(row_split *self) {
    memory_free(self->train);
    memory_free(self->held);
    *self = (row_split){0};
}

/* Takes *counts (classes) and fills it with the number of rows of each class. */
static cnm_status count_classes(const dataset *data, size_t **counts, cnm_error *err) {
    TRY(memory_zeroed(counts, dataset_class_count(data), sizeof **counts, "classes", err));
    for (size_t i = 0; i < data->rows.rows; i++) {
        (*counts)[dataset_class(data, i)]++;
    }
    return CNM_OK;
}

/* Returns whether the row of this rank among `count` (of its class, or of all) is held out. */
typedef bool held_rule(size_t rank, size_t count, double parameter);

static bool held_last(size_t rank, size_t count, double fraction) {
    return rank >= count - (size_t)(fraction * (double)count);
}

static bool held_spread(size_t rank, size_t count, double rotation) {
    enum { PARTS = 200, LAST = 180, BLOCK = 9 };
    const size_t rotated = (rank + (size_t)(rotation * (double)count)) % count;
    const size_t part = (size_t)((double)rotated * PARTS / (double)count);
    return rotated > 0 && (part >= LAST || part % BLOCK == BLOCK - 1);
}

typedef struct split_rule {
    held_rule *held;
    double parameter;
    bool by_class;
} split_rule;

static void fill_split(row_split *out, const dataset *data, const split_rule *rule, const size_t *counts,
                       size_t *seen) {
    out->train_count = out->held_count = 0;
    for (size_t i = 0; i < data->rows.rows; i++) {
        const size_t class = dataset_class(data, i);
        const bool held = rule->by_class ? rule->held(seen[class]++, counts[class], rule->parameter)
                                         : rule->held(i, data->rows.rows, rule->parameter);
        if (held && counts[class] > 1) { /* the only row of a class trains */
            out->held[out->held_count++] = i;
        } else {
            out->train[out->train_count++] = i;
        }
    }
}

/* Returns whether each class of at least SOME rows has about its share of the held-out rows. seen
 * (classes) is scratch, zero afterwards. */
static bool classes_are_mixed(const row_split *split, const dataset *data, const size_t *counts, size_t *seen) {
    enum { SOME = 25 };
    const double share = (double)split->held_count / (double)data->rows.rows;
    bool mixed = true;
    memset(seen, 0, data->classes.count * sizeof *seen);
    for (size_t i = 0; i < split->held_count; i++) {
        seen[data->codes[split->held[i]]]++;
    }
    for (size_t j = 0; j < data->classes.count; j++) {
        const double expected = share * (double)counts[j];
        mixed = mixed && (counts[j] < SOME || ((double)seen[j] > expected / 3.0 && (double)seen[j] < expected * 2.0));
    }
    memset(seen, 0, data->classes.count * sizeof *seen);
    return mixed;
}

static cnm_status split_by(row_split *out, const dataset *data, split_rule rule, cnm_error *err) {
    const size_t rows = data->rows.rows;
    size_t *counts = NULL, *seen = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(split_allocate(out, rows, err));
    TRY_DONE(count_classes(data, &counts, err));
    TRY_DONE(memory_zeroed(&seen, dataset_class_count(data), sizeof *seen, "classes", err));
    fill_split(out, data, &rule, counts, seen);
    if (!rule.by_class && data->codes != NULL && !classes_are_mixed(out, data, counts, seen)) {
        rule.by_class = true;
        fill_split(out, data, &rule, counts, seen);
    }
    if (rule.parameter > 0.0 && out->held_count == 0) {
        status = error_set(err, CNM_BAD_DATA, "%zu rows are too few to hold some out for validation", rows);
    }
done:
    memory_free(counts);
    memory_free(seen);
    if (status != CNM_OK) {
        split_free(out);
    }
    return status;
}

/* Holds out the rows behind those that train. */
static cnm_status split_validating(row_split *out, const dataset *data, cnm_error *err) {
    const size_t rows = data->rows.rows;
    TRY(split_allocate(out, rows + data->validating, err));
    for (size_t i = 0; i < rows; i++) {
        out->train[out->train_count++] = i;
    }
    for (size_t i = 0; i < data->validating; i++) {
        out->held[out->held_count++] = rows + i;
    }
    return CNM_OK;
}

cnm_status split_create(row_split *out, const dataset *data, double fraction, cnm_error *err) {
    if (data->validating > 0) {
        return split_validating(out, data, err);
    }
    if (data->groups != NULL && fraction > 0.0) {
        return split_groups(out, data, fraction, err);
    }
    return split_by(out, data, (split_rule){held_last, fraction, true}, err);
}

cnm_status split_create_spread(row_split *out, const dataset *data, size_t fold, cnm_error *err) {
    if (data->groups != NULL) {
        return split_groups_fold(out, data, fold, err);
    }
    return split_by(out, data, (split_rule){held_spread, 0.2 * (double)fold, false}, err);
}
