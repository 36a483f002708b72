/* Holds out whole groups, and returns groups to training that a class cannot do without. */
#include "learn/dataset/split.h"

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "learn/dataset/group_folds.h"

/* Returns groups to training where a class would have no training row without them. left (classes)
 * is zero, and counts training rows. */
static void keep_classes(const row_groups *groups, const dataset *data, bool *held, size_t *left) {
    for (size_t g = 0; g < groups->count; g++) {
        for (size_t i = groups->starts[g]; !held[g] && i < groups->starts[g + 1]; i++) {
            left[dataset_class(data, groups->members[i])]++;
        }
    }
    for (size_t g = 0; g < groups->count; g++) {
        bool needed = false;
        for (size_t i = groups->starts[g]; held[g] && i < groups->starts[g + 1]; i++) {
            needed = needed || left[dataset_class(data, groups->members[i])] == 0;
        }
        for (size_t i = groups->starts[g]; needed && i < groups->starts[g + 1]; i++) {
            left[dataset_class(data, groups->members[i])]++;
        }
        held[g] = held[g] && !needed;
    }
}

/* Fills the split with positions in ascending order; is_held (rows) is scratch. */
static void fill_split(row_split *out, const row_groups *groups, const bool *held, bool *is_held) {
    const size_t rows = groups->starts[groups->count];
    for (size_t g = 0; g < groups->count; g++) {
        for (size_t i = groups->starts[g]; i < groups->starts[g + 1]; i++) {
            is_held[groups->members[i]] = held[g];
        }
    }
    for (size_t i = 0; i < rows; i++) {
        if (is_held[i]) {
            out->held[out->held_count++] = i;
        } else {
            out->train[out->train_count++] = i;
        }
    }
}

/* Splits by held (groups), which changes where groups are returned to training. */
static cnm_status split_held_groups(row_split *out, const row_groups *groups, const dataset *data, bool *held,
                                    cnm_error *err) {
    const size_t rows = data->rows.rows;
    size_t *left = NULL;
    bool *is_held = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(split_allocate(out, rows, err));
    TRY_DONE(memory_zeroed(&left, dataset_class_count(data), sizeof *left, "classes", err));
    TRY_DONE(memory_zeroed(&is_held, rows, sizeof *is_held, "a split of rows", err));
    keep_classes(groups, data, held, left);
    fill_split(out, groups, held, is_held);
done:
    memory_free(left);
    memory_free(is_held);
    if (status != CNM_OK) {
        split_free(out);
    }
    return status;
}

/* Fills held (groups) with the groups to hold out. */
typedef cnm_status group_rule(const row_groups *groups, const dataset *data, double parameter, bool *held,
                              cnm_error *err);

static cnm_status hold_last(const row_groups *groups, const dataset *data, double fraction, bool *held,
                            cnm_error *err) {
    return groups_hold_out(groups, data->codes, dataset_class_count(data), fraction, held, err);
}

static cnm_status hold_fold(const row_groups *groups, const dataset *data, double fold, bool *held, cnm_error *err) {
    enum { FOLDS = 5 };
    const size_t folds = groups->count < FOLDS ? groups->count : FOLDS, wanted = (size_t)fold % folds;
    size_t *fold_of;
    cnm_status status = CNM_OK;
    TRY(memory_take(&fold_of, data->rows.rows, sizeof *fold_of, "folds", err));
    TRY_DONE(groups_assign_folds(groups, data->codes, dataset_class_count(data), folds, fold_of, err));
    for (size_t g = 0; g < groups->count; g++) {
        held[g] = fold_of[groups->members[groups->starts[g]]] == wanted;
    }
done:
    memory_free(fold_of);
    return status;
}

/* Splits by a rule; `order` NULL: groups come in the order of the file. */
static cnm_status split_by(row_split *out, const dataset *data, const random_stream *order, group_rule *rule,
                           double parameter, cnm_error *err) {
    row_groups groups = {0};
    bool *held = NULL;
    cnm_status status = CNM_OK;
    *out = (row_split){0};
    TRY_DONE(groups_create(&groups, data->groups, data->rows.rows, err));
    if (order != NULL) {
        TRY_DONE(groups_shuffle(&groups, *order, err));
    }
    TRY_DONE(memory_zeroed(&held, groups.count, sizeof *held, "groups", err));
    TRY_DONE(rule(&groups, data, parameter, held, err));
    TRY_DONE(split_held_groups(out, &groups, data, held, err));
done:
    memory_free(held);
    groups_free(&groups);
    return status;
}

/* Holds out `fraction` of each class; fails where that is nothing. */
static cnm_status split_fraction(row_split *out, const dataset *data, const random_stream *order, double fraction,
                                 cnm_error *err) {
    TRY(split_by(out, data, order, hold_last, fraction, err));
    if (out->held_count > 0) {
        return CNM_OK;
    }
    split_free(out);
    return error_set(
        err, CNM_BAD_DATA,
        "no group of rows can be held out for validation: no rows, or none of a class, would be left to train");
}

cnm_status split_groups(row_split *out, const dataset *data, double fraction, cnm_error *err) {
    return split_fraction(out, data, NULL, fraction, err);
}

cnm_status split_groups_random(row_split *out, const dataset *data, double fraction, uint64_t seed, cnm_error *err) {
    return split_fraction(out, data, &(random_stream){seed, RANDOM_HELD_OUT, 0}, fraction, err);
}

cnm_status split_groups_fold(row_split *out, const dataset *data, size_t fold, cnm_error *err) {
    return split_by(out, data, NULL, hold_fold, (double)fold, err);
}
