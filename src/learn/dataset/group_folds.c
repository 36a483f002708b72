/* Groups are found by sorting keys; no dictionary. What is dealt out is judged by squares: of have[c] rows of class c, where want[c] are
 * wanted, by the sum of (have[c] - want[c])^2 / rows of class c. */
#include "learn/dataset/group_folds.h"

#include <stdlib.h>
#include <string.h>

#include "base/core/memory.h"

typedef struct keyed_row {
    uint64_t key;
    size_t row;
} keyed_row;

static int by_key(const void *a, const void *b) {
    const keyed_row *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->row > y->row) - (x->row < y->row);
}

/* A stretch of something: where it starts (a group's first row), its length, and its place in another order. */
typedef struct stretch {
    size_t first, length, at;
} stretch;

static int by_first(const void *a, const void *b) {
    const stretch *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static int by_length(const void *a, const void *b) {
    const stretch *x = a, *y = b;
    return x->length != y->length ? (x->length < y->length) - (x->length > y->length) : by_first(a, b);
}

/* Stretches of equal keys in sorted rows; returns how many. */
static size_t find_stretches(const keyed_row *sorted, size_t rows, stretch *out) {
    size_t count = 0;
    for (size_t i = 0; i < rows; i++) {
        if (i == 0 || sorted[i].key != sorted[i - 1].key) {
            out[count++] = (stretch){.first = sorted[i].row, .at = i};
        }
        out[count - 1].length++;
    }
    return count;
}

static void put_members(row_groups *out, const keyed_row *sorted, const stretch *found) {
    size_t at = 0;
    for (size_t g = 0; g < out->count; g++) {
        out->starts[g] = at;
        for (size_t i = 0; i < found[g].length; i++) {
            out->members[at++] = sorted[found[g].at + i].row;
        }
    }
    out->starts[out->count] = at;
}

cnm_status groups_create(row_groups *out, const uint64_t *keys, size_t rows, cnm_error *err) {
    keyed_row *sorted = NULL;
    stretch *found = NULL;
    *out = (row_groups){0};
    cnm_status status = memory_take(&sorted, rows, sizeof *sorted, "groups", err);
    status = status == CNM_OK ? memory_take(&found, rows, sizeof *found, "groups", err) : status;
    status = status == CNM_OK ? memory_take(&out->members, rows, sizeof *out->members, "groups", err) : status;
    if (status == CNM_OK) {
        for (size_t i = 0; i < rows; i++) {
            sorted[i] = (keyed_row){keys[i], i};
        }
        qsort(sorted, rows, sizeof *sorted, by_key);
        out->count = find_stretches(sorted, rows, found);
        qsort(found, out->count, sizeof *found, by_first);
        status = memory_take(&out->starts, out->count + 1, sizeof *out->starts, "groups", err);
    }
    if (status == CNM_OK) {
        put_members(out, sorted, found);
    } else {
        groups_free(out);
    }
    memory_free(sorted);
    memory_free(found);
    return status;
}

void groups_free(row_groups *self) {
    memory_free(self->starts);
    memory_free(self->members);
    *self = (row_groups){0};
}

/* ---- Dealing out ---- */

typedef struct dealing {
    const row_groups *groups;
    const int32_t *codes;
    size_t classes;
    double *rows; /* (classes) in all */
    double *have; /* (parts, classes) dealt out so far */
    double *own;  /* (classes) of one group; zero between groups */
} dealing;

static size_t class_of(const dealing *self, size_t member) {
    return self->codes == NULL ? 0 : (size_t)self->codes[self->groups->members[member]];
}

static cnm_status deal_begin(dealing *self, size_t parts, cnm_error *err) {
    cnm_status status = memory_zeroed(&self->rows, self->classes, sizeof *self->rows, "classes", err);
    status = status == CNM_OK ? memory_zeroed(&self->own, self->classes, sizeof *self->own, "classes", err) : status;
    status = status == CNM_OK
                 ? memory_zeroed(&self->have, self->classes, parts * sizeof *self->have, "classes of parts", err)
                 : status;
    for (size_t i = 0; status == CNM_OK && i < self->groups->starts[self->groups->count]; i++) {
        self->rows[class_of(self, i)]++;
    }
    return status;
}

static void deal_end(dealing *self) {
    memory_free(self->rows);
    memory_free(self->have);
    memory_free(self->own);
}

static void count_own(const dealing *self, size_t group, double each) {
    for (size_t i = self->groups->starts[group]; i < self->groups->starts[group + 1]; i++) {
        double *own = &self->own[class_of(self, i)];
        *own = each > 0.0 ? *own + each : 0.0;
    }
}

/* What a group's rows weigh beside those that a part has: the sum over its rows of have / rows of the class. */
static double crowd(const dealing *self, size_t group, const double *have) {
    double sum = 0.0;
    for (size_t i = self->groups->starts[group]; i < self->groups->starts[group + 1]; i++) {
        const size_t class = class_of(self, i);
        sum += have[class] / self->rows[class];
    }
    return sum;
}

static void deal_group(const dealing *self, size_t group, size_t parts, size_t *part, size_t *sizes) {
    const size_t first = self->groups->starts[group], end = self->groups->starts[group + 1];
    size_t best = 0;
    double least = crowd(self, group, self->have);
    for (size_t p = 1; p < parts; p++) {
        const double weight = crowd(self, group, self->have + p * self->classes);
        if (weight < least || (weight == least && sizes[p] < sizes[best])) {
            least = weight;
            best = p;
        }
    }
    for (size_t i = first; i < end; i++) {
        part[self->groups->members[i]] = best;
        self->have[best * self->classes + class_of(self, i)]++;
    }
    sizes[best] += end - first;
}

cnm_status groups_parts(const row_groups *self, const int32_t *codes, size_t classes, size_t parts, size_t *part,
                        cnm_error *err) {
    dealing deal = {.groups = self, .codes = codes, .classes = classes};
    stretch *order = NULL;
    size_t *sizes = NULL;
    cnm_status status = deal_begin(&deal, parts, err);
    status = status == CNM_OK ? memory_take(&order, self->count, sizeof *order, "groups", err) : status;
    status = status == CNM_OK ? memory_zeroed(&sizes, parts, sizeof *sizes, "parts", err) : status;
    if (status == CNM_OK) {
        for (size_t g = 0; g < self->count; g++) {
            order[g] = (stretch){.first = g, .length = self->starts[g + 1] - self->starts[g]};
        }
        qsort(order, self->count, sizeof *order, by_length);
        for (size_t g = 0; g < self->count; g++) {
            deal_group(&deal, order[g].first, parts, part, sizes);
        }
    }
    memory_free(order);
    memory_free(sizes);
    deal_end(&deal);
    return status;
}

/* ---- Holding back ---- */

/* Whether the held rows come nearer to the wanted fraction with this group. own counts its rows of each class. */
static bool brings_nearer(const dealing *self, size_t group, double fraction) {
    double change =
        0.0; /* of the sum of squares: each class's share is added once for each of its rows, divided by their number */
    for (size_t i = self->groups->starts[group]; i < self->groups->starts[group + 1]; i++) {
        const size_t class = class_of(self, i);
        const double left = fraction * self->rows[class] - self->have[class];
        change += (self->own[class] - 2.0 * left) / self->rows[class];
    }
    return change < 0.0;
}

static size_t smallest(const row_groups *self) {
    size_t best = 0;
    for (size_t g = 1; g < self->count; g++) {
        best = self->starts[g + 1] - self->starts[g] <= self->starts[best + 1] - self->starts[best] ? g : best;
    }
    return best;
}

cnm_status groups_hold(const row_groups *self, const int32_t *codes, size_t classes, double fraction, bool *held,
                       cnm_error *err) {
    dealing deal = {.groups = self, .codes = codes, .classes = classes};
    size_t count = 0;
    const cnm_status status = deal_begin(&deal, 1, err);
    for (size_t g = self->count; status == CNM_OK && g-- > 0;) {
        count_own(&deal, g, 1.0);
        held[g] = brings_nearer(&deal, g, fraction);
        count_own(&deal, g, 0.0);
        for (size_t i = self->starts[g]; held[g] && i < self->starts[g + 1]; i++) {
            deal.have[class_of(&deal, i)]++;
        }
        count += held[g];
    }
    if (status == CNM_OK && count == 0 && self->count > 1) {
        held[smallest(self)] = true;
    }
    deal_end(&deal);
    return status;
}
