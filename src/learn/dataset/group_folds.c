/* Finds groups by sorting keys. Assigns them greedily: each assignment minimises the sum over folds
 * and classes of (have[c] - want[c])^2 / rows of class c, for have[c] rows, want[c] wanted. */
#include "learn/dataset/group_folds.h"

#include <stdlib.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"

typedef struct keyed_row {
    uint64_t key;
    size_t row;
} keyed_row;

static int by_key(const void *a, const void *b) {
    const keyed_row *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->row > y->row) - (x->row < y->row);
}

/* A run of equal keys: the first row of the group, its length, its start in the sorted rows. */
typedef struct key_run {
    size_t first, length, start;
} key_run;

static int by_first(const void *a, const void *b) {
    const key_run *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static int by_length(const void *a, const void *b) {
    const key_run *x = a, *y = b;
    return x->length != y->length ? (x->length < y->length) - (x->length > y->length) : by_first(a, b);
}

/* Fills `out` with the runs of equal keys in sorted rows, and returns how many there are. */
static size_t find_runs(const keyed_row *sorted, size_t rows, key_run *out) {
    size_t count = 0;
    for (size_t i = 0; i < rows; i++) {
        if (i == 0 || sorted[i].key != sorted[i - 1].key) {
            out[count++] = (key_run){.first = sorted[i].row, .start = i};
        }
        out[count - 1].length++;
    }
    return count;
}

static void fill_members(row_groups *out, const keyed_row *sorted, const key_run *runs) {
    size_t at = 0;
    for (size_t g = 0; g < out->count; g++) {
        out->starts[g] = at;
        for (size_t i = 0; i < runs[g].length; i++) {
            out->members[at++] = sorted[runs[g].start + i].row;
        }
    }
    out->starts[out->count] = at;
}

cnm_status groups_create(row_groups *out, const uint64_t *keys, size_t rows, cnm_error *err) {
    keyed_row *sorted = NULL;
    key_run *runs = NULL;
    cnm_status status = CNM_OK;
    *out = (row_groups){0};
    TRY_DONE(memory_take(&sorted, rows, sizeof *sorted, "groups", err));
    TRY_DONE(memory_take(&runs, rows, sizeof *runs, "groups", err));
    TRY_DONE(memory_take(&out->members, rows, sizeof *out->members, "groups", err));
    for (size_t i = 0; i < rows; i++) {
        sorted[i] = (keyed_row){keys[i], i};
    }
    qsort(sorted, rows, sizeof *sorted, by_key);
    out->count = find_runs(sorted, rows, runs);
    qsort(runs, out->count, sizeof *runs, by_first);
    TRY_DONE(memory_take(&out->starts, out->count + 1, sizeof *out->starts, "groups", err));
    fill_members(out, sorted, runs);
done:
    if (status != CNM_OK) {
        groups_free(out);
    }
    memory_free(sorted);
    memory_free(runs);
    return status;
}

void groups_free(row_groups *self) {
    memory_free(self->starts);
    memory_free(self->members);
    *self = (row_groups){0};
}

cnm_status groups_shuffle(row_groups *self, random_stream stream, cnm_error *err) {
    row_groups mixed = {.count = self->count};
    size_t *order = NULL, at = 0;
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&order, self->count, sizeof *order, "groups", err));
    TRY_DONE(memory_take(&mixed.starts, self->count + 1, sizeof *mixed.starts, "groups", err));
    TRY_DONE(memory_take(&mixed.members, self->starts[self->count], sizeof *mixed.members, "groups", err));
    random_order(stream, self->count, order);
    for (size_t g = 0; g < self->count; g++) {
        mixed.starts[g] = at;
        for (size_t i = self->starts[order[g]]; i < self->starts[order[g] + 1]; i++) {
            mixed.members[at++] = self->members[i];
        }
    }
    mixed.starts[self->count] = at;
    groups_free(self);
    *self = mixed;
    mixed = (row_groups){0};
done:
    groups_free(&mixed);
    memory_free(order);
    return status;
}

/* ---- Folds ---- */

typedef struct assignment {
    const row_groups *groups;
    const int32_t *codes;
    size_t classes;
    double *rows; /* (classes) in all */
    double *have; /* (folds, classes) rows assigned so far */
    double *own;  /* (classes) rows of one group; zero between groups */
} assignment;

static size_t class_of(const assignment *self, size_t member) {
    return self->codes == NULL ? 0 : (size_t)self->codes[self->groups->members[member]];
}

static cnm_status assignment_begin(assignment *self, size_t folds, cnm_error *err) {
    TRY(memory_zeroed(&self->rows, self->classes, sizeof *self->rows, "classes", err));
    TRY(memory_zeroed(&self->own, self->classes, sizeof *self->own, "classes", err));
    TRY(memory_zeroed(&self->have, self->classes, folds * sizeof *self->have, "classes of folds", err));
    for (size_t i = 0; i < self->groups->starts[self->groups->count]; i++) {
        self->rows[class_of(self, i)]++;
    }
    return CNM_OK;
}

static void assignment_free(assignment *self) {
    memory_free(self->rows);
    memory_free(self->have);
    memory_free(self->own);
}

/* Adds `each` to own for each row of the group, or resets own where `each` is 0. */
static void count_own(const assignment *self, size_t group, double each) {
    for (size_t i = self->groups->starts[group]; i < self->groups->starts[group + 1]; i++) {
        double *own = &self->own[class_of(self, i)];
        *own = each > 0.0 ? *own + each : 0.0;
    }
}

/* Returns the cost of adding a group to a fold with rows `have`: the sum over the rows of the group
 * of have / rows of the class. */
static double fold_cost(const assignment *self, size_t group, const double *have) {
    double sum = 0.0;
    for (size_t i = self->groups->starts[group]; i < self->groups->starts[group + 1]; i++) {
        const size_t class = class_of(self, i);
        sum += have[class] / self->rows[class];
    }
    return sum;
}

static void assign_group(const assignment *self, size_t group, size_t folds, size_t *fold, size_t *sizes) {
    const size_t first = self->groups->starts[group], end = self->groups->starts[group + 1];
    size_t best = 0;
    double least = fold_cost(self, group, self->have);
    for (size_t f = 1; f < folds; f++) {
        const double cost = fold_cost(self, group, self->have + f * self->classes);
        if (cost < least || (cost == least && sizes[f] < sizes[best])) {
            least = cost;
            best = f;
        }
    }
    for (size_t i = first; i < end; i++) {
        fold[self->groups->members[i]] = best;
        self->have[best * self->classes + class_of(self, i)]++;
    }
    sizes[best] += end - first;
}

cnm_status groups_assign_folds(const row_groups *self, const int32_t *codes, size_t classes, size_t folds, size_t *fold,
                               cnm_error *err) {
    assignment assigned = {.groups = self, .codes = codes, .classes = classes};
    key_run *order = NULL;
    size_t *sizes = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(assignment_begin(&assigned, folds, err));
    TRY_DONE(memory_take(&order, self->count, sizeof *order, "groups", err));
    TRY_DONE(memory_zeroed(&sizes, folds, sizeof *sizes, "folds", err));
    for (size_t g = 0; g < self->count; g++) {
        order[g] = (key_run){.first = g, .length = self->starts[g + 1] - self->starts[g]};
    }
    qsort(order, self->count, sizeof *order, by_length);
    for (size_t g = 0; g < self->count; g++) {
        assign_group(&assigned, order[g].first, folds, fold, sizes);
    }
done:
    memory_free(order);
    memory_free(sizes);
    assignment_free(&assigned);
    return status;
}

/* ---- Held-out groups ---- */

/* Returns whether holding the group out brings the held-out rows nearer to the fraction. own counts
 * the rows of the group by class. */
static bool brings_nearer(const assignment *self, size_t group, double fraction) {
    double change = 0.0; /* of the sum of squares: a class's term is split evenly over its rows */
    for (size_t i = self->groups->starts[group]; i < self->groups->starts[group + 1]; i++) {
        const size_t class = class_of(self, i);
        const double left = fraction * self->rows[class] - self->have[class];
        change += (self->own[class] - 2.0 * left) / self->rows[class];
    }
    return change < 0.0;
}

static size_t smallest_group(const row_groups *self) {
    size_t best = 0;
    for (size_t g = 1; g < self->count; g++) {
        best = self->starts[g + 1] - self->starts[g] <= self->starts[best + 1] - self->starts[best] ? g : best;
    }
    return best;
}

cnm_status groups_hold_out(const row_groups *self, const int32_t *codes, size_t classes, double fraction, bool *held,
                           cnm_error *err) {
    assignment assigned = {.groups = self, .codes = codes, .classes = classes};
    size_t count = 0;
    cnm_status status = CNM_OK;
    TRY_DONE(assignment_begin(&assigned, 1, err));
    for (size_t g = self->count; g-- > 0;) {
        count_own(&assigned, g, 1.0);
        held[g] = brings_nearer(&assigned, g, fraction);
        count_own(&assigned, g, 0.0);
        for (size_t i = self->starts[g]; held[g] && i < self->starts[g + 1]; i++) {
            assigned.have[class_of(&assigned, i)]++;
        }
        count += held[g];
    }
    if (count == 0 && self->count > 1) {
        held[smallest_group(self)] = true;
    }
done:
    assignment_free(&assigned);
    return status;
}
