/* Rows are told apart by 64-bit checksums; two that differ count as equal with a chance of 2^-64. */
#include "learn/dataset/deduplicate.h"

#include <stdlib.h>

#include "base/core/checksum.h"
#include "base/core/memory.h"

static uint64_t key_of(const rows_view *rows, size_t row) {
    if (!rows_are_sparse(rows)) {
        return checksum_update(0, rows->values + row * rows->stride, rows->columns * sizeof *rows->values);
    }
    const size_t first = rows->starts[row], count = rows->starts[row + 1] - first;
    const uint64_t places = checksum_update(0, rows->index + first, count * sizeof *rows->index);
    return checksum_update(places, rows->values + first, count * sizeof *rows->values);
}

static int by_key(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Whether enough rows, and some of each class that has any, are left. left (classes): rows that train and are no copies. */
static bool enough_is_left(const row_split *split, const problem *task, const bool *copy, size_t *left) {
    size_t all = 0;
    bool enough = true;
    for (size_t i = 0; i < split->train_count; i++) {
        left[task->codes == NULL ? 0 : (size_t)task->codes[split->train[i]]] += !copy[i];
        all += !copy[i];
    }
    for (size_t i = 0; i < split->train_count; i++) {
        enough = enough && left[task->codes == NULL ? 0 : (size_t)task->codes[split->train[i]]] > 0;
    }
    return enough && 2 * all >= split->train_count;
}

static void drop(row_split *split, const bool *copy) {
    size_t kept = 0;
    for (size_t i = 0; i < split->train_count; i++) {
        if (!copy[i]) {
            split->train[kept++] = split->train[i];
        }
    }
    split->train_count = kept;
}

cnm_status split_drop_copies(row_split *split, const problem *task, cnm_error *err) {
    const size_t classes = task->codes == NULL ? 1 : task->classes.count;
    uint64_t *keys = NULL;
    bool *copy = NULL;
    size_t *left = NULL;
    cnm_status status = memory_take(&keys, split->held_count, sizeof *keys, "keys of held rows", err);
    status =
        status == CNM_OK ? memory_take(&copy, split->train_count, sizeof *copy, "copies of held rows", err) : status;
    status = status == CNM_OK ? memory_zeroed(&left, classes, sizeof *left, "classes", err) : status;
    if (status == CNM_OK) {
        for (size_t i = 0; i < split->held_count; i++) {
            keys[i] = key_of(&task->rows, split->held[i]);
        }
        qsort(keys, split->held_count, sizeof *keys, by_key);
        for (size_t i = 0; i < split->train_count; i++) {
            const uint64_t key = key_of(&task->rows, split->train[i]);
            copy[i] = bsearch(&key, keys, split->held_count, sizeof *keys, by_key) != NULL;
        }
        if (enough_is_left(split, task, copy, left)) {
            drop(split, copy);
        }
    }
    memory_free(keys);
    memory_free(copy);
    memory_free(left);
    return status;
}

/* ---- Of one list ---- */

typedef struct keyed {
    uint64_t key;
    size_t place;
} keyed;

static int by_key_and_place(const void *a, const void *b) {
    const keyed *x = a, *y = b;
    const int keys = (x->key > y->key) - (x->key < y->key);
    return keys != 0 ? keys : (x->place > y->place) - (x->place < y->place);
}

cnm_status positions_without_copies(const problem *task, const size_t *positions, size_t count, bool targets,
                                    size_t *out, size_t *kept, cnm_error *err) {
    keyed *rows = NULL;
    bool *copy = NULL;
    *kept = 0;
    cnm_status status = memory_take(&rows, count, sizeof *rows, "keys of rows", err);
    status = status == CNM_OK ? memory_zeroed(&copy, count, sizeof *copy, "copies of rows", err) : status;
    if (status == CNM_OK) {
        for (size_t i = 0; i < count; i++) {
            rows[i] = (keyed){key_of(&task->rows, positions[i]), i};
            if (targets) {
                rows[i].key = checksum_update(rows[i].key, &task->targets[positions[i]], sizeof *task->targets);
            }
        }
        qsort(rows, count, sizeof *rows, by_key_and_place);
        for (size_t i = 1; i < count; i++) {
            copy[rows[i].place] = rows[i].key == rows[i - 1].key;
        }
        for (size_t i = 0; i < count; i++) {
            out[*kept] = positions[i];
            *kept += !copy[i];
        }
    }
    memory_free(rows);
    memory_free(copy);
    return status;
}
