/* Holds out random rows of each class. */
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "learn/dataset/split.h"

/* Replaces the rows of each class by how many of them are to be held out. */
static void find_quotas(size_t *quotas, size_t classes, double fraction) {
    for (size_t j = 0; j < classes; j++) {
        const size_t wanted = (size_t)(fraction * (double)quotas[j] + 0.5);
        quotas[j] = wanted < quotas[j] ? wanted : quotas[j] - (quotas[j] > 0);
    }
}

/* Fills held (rows): the first rows of each class in a random order, as many as its quota says. */
static void choose_rows(bool *held, const dataset *data, const size_t *order, size_t *quotas) {
    for (size_t i = 0; i < data->rows.rows; i++) {
        size_t *left = &quotas[dataset_class(data, order[i])];
        held[order[i]] = *left > 0;
        *left -= *left > 0;
    }
}

static void fill_split(row_split *out, const bool *held, size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        if (held[i]) {
            out->held[out->held_count++] = i;
        } else {
            out->train[out->train_count++] = i;
        }
    }
}

static cnm_status split_rows(row_split *out, const dataset *data, double fraction, uint64_t seed, cnm_error *err) {
    const size_t rows = data->rows.rows, classes = dataset_class_count(data);
    size_t *order = NULL, *quotas = NULL;
    bool *held = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(split_allocate(out, rows, err));
    TRY_DONE(memory_take(&order, rows, sizeof *order, "an order of rows", err));
    TRY_DONE(memory_zeroed(&quotas, classes, sizeof *quotas, "classes", err));
    TRY_DONE(memory_zeroed(&held, rows, sizeof *held, "a split of rows", err));
    for (size_t i = 0; i < rows; i++) {
        quotas[dataset_class(data, i)]++;
    }
    find_quotas(quotas, classes, fraction);
    random_order((random_stream){seed, RANDOM_HELD_OUT, 0}, rows, order);
    choose_rows(held, data, order, quotas);
    fill_split(out, held, rows);
    if (out->held_count == 0) {
        status = error_set(err, CNM_BAD_DATA, "%zu rows are too few to hold some out", rows);
    }
done:
    memory_free(order);
    memory_free(quotas);
    memory_free(held);
    if (status != CNM_OK) {
        split_free(out);
    }
    return status;
}

cnm_status split_create_random(row_split *out, const dataset *data, double fraction, uint64_t seed, cnm_error *err) {
    return data->groups != NULL ? split_groups_random(out, data, fraction, seed, err)
                                : split_rows(out, data, fraction, seed, err);
}
