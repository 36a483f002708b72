/* Which rows of a training are held back, where rows have groups. */
#include "learn/dataset/split_groups.h"

#include "base/core/error.h"
#include "base/core/memory.h"
#include "learn/dataset/group_folds.h"

static size_t classes_of(const problem *task) { return task->codes == NULL ? 1 : task->classes.count; }

static size_t class_of(const problem *task, size_t row) { return task->codes == NULL ? 0 : (size_t)task->codes[row]; }

/* Groups go back to the training where it would have no row of a class without them. left (classes): rows that train. */
static void keep_classes(const row_groups *groups, const problem *task, bool *held, size_t *left) {
    for (size_t g = 0; g < groups->count; g++) {
        for (size_t i = groups->starts[g]; !held[g] && i < groups->starts[g + 1]; i++) {
            left[class_of(task, groups->members[i])]++;
        }
    }
    for (size_t g = 0; g < groups->count; g++) {
        bool needed = false;
        for (size_t i = groups->starts[g]; held[g] && i < groups->starts[g + 1]; i++) {
            needed = needed || left[class_of(task, groups->members[i])] == 0;
        }
        for (size_t i = groups->starts[g]; needed && i < groups->starts[g + 1]; i++) {
            left[class_of(task, groups->members[i])]++;
        }
        held[g] = held[g] && !needed;
    }
}

/* Positions in ascending order; side (rows) is scratch. */
static void take_sides(row_split *out, const row_groups *groups, const bool *held, bool *side) {
    const size_t rows = groups->starts[groups->count];
    for (size_t g = 0; g < groups->count; g++) {
        for (size_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
            side[groups->members[i]] = held[g];
        }
    }
    for (size_t i = 0; i < rows; i++) {
        if (side[i]) {
            out->held[out->held_count++] = i;
        } else {
            out->train[out->train_count++] = i;
        }
    }
}

/* held (groups) says which; they may be put back. */
static cnm_status split_held(row_split *out, const row_groups *groups, const problem *task, bool *held,
                             cnm_error *err) {
    const size_t rows = task->rows.rows;
    size_t *left = NULL;
    bool *side = NULL;
    *out = (row_split){0};
    cnm_status status = memory_take(&out->train, rows, sizeof *out->train, "a split of rows", err);
    status = status == CNM_OK ? memory_take(&out->held, rows, sizeof *out->held, "a split of rows", err) : status;
    status = status == CNM_OK ? memory_zeroed(&left, classes_of(task), sizeof *left, "classes", err) : status;
    status = status == CNM_OK ? memory_zeroed(&side, rows, sizeof *side, "a split of rows", err) : status;
    if (status == CNM_OK) {
        keep_classes(groups, task, held, left);
        take_sides(out, groups, held, side);
    }
    memory_free(left);
    memory_free(side);
    if (status != CNM_OK) {
        split_free(out);
    }
    return status;
}

/* How groups are chosen. */
typedef cnm_status group_rule(const row_groups *groups, const problem *task, double parameter, bool *held,
                              cnm_error *err);

static cnm_status hold_last(const row_groups *groups, const problem *task, double fraction, bool *held,
                            cnm_error *err) {
    return groups_hold(groups, task->codes, classes_of(task), fraction, held, err);
}

static cnm_status hold_part(const row_groups *groups, const problem *task, double fold, bool *held, cnm_error *err) {
    enum { FOLDS = 5 };
    const size_t parts = groups->count < FOLDS ? groups->count : FOLDS, wanted = (size_t)fold % parts;
    size_t *part;
    cnm_status status = memory_take(&part, task->rows.rows, sizeof *part, "parts", err);
    status = status == CNM_OK ? groups_parts(groups, task->codes, classes_of(task), parts, part, err) : status;
    for (size_t g = 0; status == CNM_OK && g < groups->count; g++) {
        held[g] = part[groups->members[groups->starts[g]]] == wanted;
    }
    memory_free(part);
    return status;
}

static cnm_status split_by(row_split *out, const problem *task, group_rule *rule, double parameter, cnm_error *err) {
    row_groups groups;
    bool *held = NULL;
    *out = (row_split){0};
    cnm_status status = groups_create(&groups, task->groups, task->rows.rows, err);
    status = status == CNM_OK ? memory_zeroed(&held, groups.count, sizeof *held, "groups", err) : status;
    status = status == CNM_OK ? rule(&groups, task, parameter, held, err) : status;
    status = status == CNM_OK ? split_held(out, &groups, task, held, err) : status;
    memory_free(held);
    groups_free(&groups);
    return status;
}

cnm_status split_groups(row_split *out, const problem *task, double fraction, cnm_error *err) {
    const cnm_status status = split_by(out, task, hold_last, fraction, err);
    if (status != CNM_OK || out->held_count > 0) {
        return status;
    }
    split_free(out);
    return error_set(
        err, CNM_BAD_DATA,
        "no group of rows can be held back for validation: no rows, or none of a class, would be left to train");
}

cnm_status split_groups_fold(row_split *out, const problem *task, size_t fold, cnm_error *err) {
    return split_by(out, task, hold_part, (double)fold, err);
}
