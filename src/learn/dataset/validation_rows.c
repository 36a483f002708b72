/* Puts validation rows behind training rows, in one table that positions of both can index. */
#include "learn/dataset/validation_rows.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/table/table_types.h"

static cnm_status check_names(const table *training, const table *validation, cnm_error *err) {
    for (size_t j = 0; training->names != NULL && validation->names != NULL && j < training->columns; j++) {
        if (strcmp(training->names[j], validation->names[j]) != 0) {
            return error_set(err, CNM_BAD_DATA,
                             "column %zu of the validation rows is \"%.80s\", that of the training rows \"%.80s\"",
                             j + 1, validation->names[j], training->names[j]);
        }
    }
    return CNM_OK;
}

static cnm_status check_labels(const table *training, const table *validation, cnm_error *err) {
    if (!validation->labelled || validation->rows == 0) {
        return error_set(err, CNM_BAD_DATA,
                         validation->rows == 0 ? "there are no validation rows" : "the validation rows have no labels");
    }
    return training->labels.words.texts != NULL || validation->labels.words.texts == NULL
               ? CNM_OK
               : error_set(err, CNM_BAD_DATA, "the validation rows have the label \"%.60s\", which no training row has",
                           validation->labels.words.texts[0]);
}

static cnm_status check(const table *training, const table *validation, cnm_error *err) {
    if (training->columns != validation->columns || (training->starts == NULL) != (validation->starts == NULL)) {
        return error_set(err, CNM_BAD_DATA, "the validation rows have %zu %s columns, the training rows %zu %s ones",
                         validation->columns, validation->starts == NULL ? "dense" : "sparse", training->columns,
                         training->starts == NULL ? "dense" : "sparse");
    }
    if (!types_agree(training, validation)) {
        return error_set(err, CNM_BAD_DATA,
                         "the validation rows have columns of other kinds (numbers, words, times) than the training "
                         "rows");
    }
    TRY(check_names(training, validation, err));
    return check_labels(training, validation, err);
}

/* Gives dense rows, which are owned, this base (NULL: 0). */
static cnm_status change_base(table *self, const double *base, cnm_error *err) {
    double *wanted = NULL;
    if (self->starts != NULL || (self->base == NULL && base == NULL)) {
        return CNM_OK;
    }
    if (base != NULL) {
        TRY(memory_take(&wanted, self->columns, sizeof *wanted, "columns", err));
        memcpy(wanted, base, self->columns * sizeof *wanted);
    }
    for (size_t i = 0; i < self->rows; i++) {
        float *row = self->values + i * self->columns;
        for (size_t j = 0; j < self->columns; j++) {
            const double more = (self->base == NULL ? 0.0 : self->base[j]) - (base == NULL ? 0.0 : base[j]);
            row[j] = (float)((double)row[j] + more);
        }
    }
    memory_free(self->base);
    self->base = wanted;
    return CNM_OK;
}

/* Gives rows weights of 1 and groups of 0 where the training rows have any. */
static cnm_status match_sides(table *self, const table *training, cnm_error *err) {
    if (training->weights != NULL) {
        TRY(memory_take(&self->weights, self->rows, sizeof *self->weights, "weights", err));
        self->weight_capacity = self->rows;
        for (size_t i = 0; i < self->rows; i++) {
            self->weights[i] = 1.0F;
        }
    }
    if (training->groups != NULL) {
        TRY(memory_zeroed(&self->groups, self->rows, sizeof *self->groups, "groups", err));
        self->group_capacity = self->rows;
    }
    return CNM_OK;
}

cnm_status validation_rows_join(table **out, const table *training, const table *validation, cnm_error *err) {
    table *own = NULL, *joined = NULL, plain = *validation, start = *training;
    cnm_status status;
    *out = NULL;
    TRY(check(training, validation, err));
    plain.weights = NULL;
    plain.groups = NULL;
    plain.identified = start.identified = false;
    TRY_DONE(table_create(&own, err));
    TRY_DONE(table_append(own, &plain, err));
    TRY_DONE(change_base(own, training->base, err));
    TRY_DONE(match_sides(own, training, err));
    TRY_DONE(table_create(&joined, err));
    TRY_DONE(table_append(joined, &start, err));
    TRY_DONE(table_append(joined, own, err));
    *out = joined;
    joined = NULL;
done:
    table_destroy(own);
    table_destroy(joined);
    return status;
}
