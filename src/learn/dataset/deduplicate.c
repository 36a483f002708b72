/* Rows are compared by 64-bit checksums: two that differ seem equal with probability 2^-64. */
#include "learn/dataset/deduplicate.h"

#include <stdlib.h>

#include "base/core/checksum.h"
#include "base/core/memory.h"
#include "base/core/try.h"

static uint64_t key_of(const rows_view *rows, size_t row) {
    if (!rows_are_sparse(rows)) {
        return checksum_update(0, rows->values + row * rows->stride, rows->columns * sizeof *rows->values);
    }
    const size_t first = rows->starts[row], count = rows->starts[row + 1] - first;
    const uint64_t columns = checksum_update(0, rows->index + first, count * sizeof *rows->index);
    return checksum_update(columns, rows->values + first, count * sizeof *rows->values);
}

static int by_key(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns whether at least half of the training rows, and one of each of their classes, are no
 * copies. left (classes) is zero, and counts the training rows that are no copies. */
static bool are_enough_left(const row_split *split, const dataset *data, const bool *copy, size_t *left) {
    size_t all = 0;
    bool enough = true;
    for (size_t i = 0; i < split->train_count; i++) {
        left[dataset_class(data, split->train[i])] += !copy[i];
        all += !copy[i];
    }
    for (size_t i = 0; i < split->train_count; i++) {
        enough = enough && left[dataset_class(data, split->train[i])] > 0;
    }
    return enough && 2 * all >= split->train_count;
}

static void remove_copies(row_split *split, const bool *copy) {
    size_t kept = 0;
    for (size_t i = 0; i < split->train_count; i++) {
        if (!copy[i]) {
            split->train[kept++] = split->train[i];
        }
    }
    split->train_count = kept;
}

cnm_status split_deduplicate(row_split *split, const dataset *data, cnm_error *err) {
    uint64_t *keys = NULL;
    bool *copy = NULL;
    size_t *left = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&keys, split->held_count, sizeof *keys, "keys of held-out rows", err));
    TRY_DONE(memory_take(&copy, split->train_count, sizeof *copy, "copies of held-out rows", err));
    TRY_DONE(memory_zeroed(&left, dataset_class_count(data), sizeof *left, "classes", err));
    for (size_t i = 0; i < split->held_count; i++) {
        keys[i] = key_of(&data->rows, split->held[i]);
    }
    qsort(keys, split->held_count, sizeof *keys, by_key);
    for (size_t i = 0; i < split->train_count; i++) {
        const uint64_t key = key_of(&data->rows, split->train[i]);
        copy[i] = bsearch(&key, keys, split->held_count, sizeof *keys, by_key) != NULL;
    }
    if (are_enough_left(split, data, copy, left)) {
        remove_copies(split, copy);
    }
done:
    memory_free(keys);
    memory_free(copy);
    memory_free(left);
    return status;
}

/* ---- Within one list ---- */

typedef struct keyed {
    uint64_t key;
    size_t index;
} keyed;

static int by_key_and_index(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    const int keys = (x->key > y->key) - (x->key < y->key);
    return keys != 0 ? keys : (x->index > y->index) - (x->index < y->index);
}

cnm_status positions_deduplicate(const dataset *data, const size_t *positions, size_t count, bool targets, size_t *out,
                                 size_t *kept, cnm_error *err) {
    keyed *rows = NULL;
    bool *copy = NULL;
    *kept = 0;
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&rows, count, sizeof *rows, "keys of rows", err));
    TRY_DONE(memory_zeroed(&copy, count, sizeof *copy, "copies of rows", err));
    for (size_t i = 0; i < count; i++) {
        rows[i] = (keyed){key_of(&data->rows, positions[i]), i};
        if (targets) {
            rows[i].key = checksum_update(rows[i].key, &data->targets[positions[i]], sizeof *data->targets);
        }
    }
    qsort(rows, count, sizeof *rows, by_key_and_index);
    for (size_t i = 1; i < count; i++) {
        copy[rows[i].index] = rows[i].key == rows[i - 1].key;
    }
    for (size_t i = 0; i < count; i++) {
        out[*kept] = positions[i];
        *kept += !copy[i];
    }
done:
    memory_free(rows);
    memory_free(copy);
    return status;
}
