/* Rows in memory: creates, views, appends, selects rows, dense or sparse. */
#include "data/table/table.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/table/table_types.h"

cnm_status table_create(table **out, cnm_error *err) { return memory_zeroed(out, 1, sizeof **out, "a table", err); }

void table_destroy(table *self) {
    if (self == NULL) {
        return;
    }
    if (!self->borrowed) {
        memory_free(self->values);
        memory_free(self->starts);
        memory_free(self->index);
    }
    for (size_t j = 0; self->names != NULL && j < self->columns; j++) {
        memory_free(self->names[j]);
    }
    memory_free(self->names);
    types_free(self->types, self->columns);
    memory_free(self->base);
    memory_free(self->weights);
    memory_free(self->groups);
    labels_free(&self->labels);
    texts_free(&self->ids);
    memory_free(self);
}

rows_view table_view(const table *self) {
    return (rows_view){.rows = self->rows,
                       .columns = self->columns,
                       .values = self->values,
                       .stride = self->stride != 0 ? self->stride : self->columns,
                       .starts = self->starts,
                       .index = self->index,
                       .base = self->base};
}

/* values, starts and index of some rows in fresh arrays. */
typedef struct row_arrays {
    float *values;
    size_t *starts;
    uint32_t *index;
    size_t cells;
} row_arrays;

static void arrays_free(row_arrays *self) {
    memory_free(self->values);
    memory_free(self->starts);
    memory_free(self->index);
    *self = (row_arrays){0};
}

/* Copies dense rows order[0 .. count); order NULL: the first count. */
static cnm_status copy_dense(row_arrays *out, const rows_view *view, const size_t *order, size_t count,
                             cnm_error *err) {
    if (!size_multiply(count, view->columns, &out->cells)) {
        return error_set(err, CNM_NO_MEMORY, "out of memory: %zu rows of %zu columns", count, view->columns);
    }
    TRY(memory_take(&out->values, out->cells, sizeof *out->values, "rows", err));
    rows_gather(*view, order, count, out->values);
    return CNM_OK;
}

static cnm_status copy_sparse(row_arrays *out, const rows_view *view, const size_t *order, size_t count,
                              cnm_error *err) {
    TRY(memory_take(&out->starts, count + 1, sizeof *out->starts, "rows", err));
    for (size_t i = 0; i < count; i++) {
        const size_t row = order == NULL ? i : order[i];
        out->starts[i] = out->cells;
        out->cells += view->starts[row + 1] - view->starts[row];
    }
    out->starts[count] = out->cells;
    TRY(memory_take(&out->values, out->cells, sizeof *out->values, "rows", err));
    TRY(memory_take(&out->index, out->cells, sizeof *out->index, "rows", err));
    for (size_t i = 0; i < count; i++) {
        const size_t row = order == NULL ? i : order[i], from = view->starts[row];
        const size_t length = view->starts[row + 1] - from;
        if (length > 0) {
            memcpy(out->values + out->starts[i], view->values + from, length * sizeof *out->values);
            memcpy(out->index + out->starts[i], view->index + from, length * sizeof *out->index);
        }
    }
    return CNM_OK;
}

static cnm_status arrays_copy(row_arrays *out, const table *self, const size_t *order, size_t count, cnm_error *err) {
    const rows_view view = table_view(self);
    *out = (row_arrays){0};
    const cnm_status status =
        rows_are_sparse(&view) ? copy_sparse(out, &view, order, count, err) : copy_dense(out, &view, order, count, err);
    if (status != CNM_OK) {
        arrays_free(out);
    }
    return status;
}

static void arrays_put(table *self, const row_arrays *arrays, size_t rows) {
    if (!self->borrowed) {
        memory_free(self->values);
        memory_free(self->starts);
        memory_free(self->index);
    }
    self->values = arrays->values;
    self->starts = arrays->starts;
    self->index = arrays->index;
    self->cell_capacity = arrays->cells;
    self->index_capacity = arrays->index != NULL ? arrays->cells : 0;
    self->start_capacity = arrays->starts != NULL ? rows + 1 : 0;
    self->stride = 0;
    self->rows = rows;
    self->borrowed = false;
}

cnm_status table_own(table *self, cnm_error *err) {
    if (self->borrowed) {
        row_arrays arrays;
        TRY(arrays_copy(&arrays, self, NULL, self->rows, err));
        arrays_put(self, &arrays, self->rows);
    }
    return CNM_OK;
}

/* Copies the weights of the rows order[0 .. count); NULL where there are none. */
static cnm_status weights_select(float **out, const float *from, const size_t *order, size_t count, cnm_error *err) {
    if (from == NULL) {
        return CNM_OK;
    }
    TRY(memory_take(out, count, sizeof **out, "weights", err));
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = from[order[i]];
    }
    return CNM_OK;
}

/* Copies the groups of those rows likewise. */
static cnm_status groups_select(uint64_t **out, const uint64_t *from, const size_t *order, size_t count,
                                cnm_error *err) {
    if (from == NULL) {
        return CNM_OK;
    }
    TRY(memory_take(out, count, sizeof **out, "groups", err));
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = from[order[i]];
    }
    return CNM_OK;
}

/* Replaces the rows of self, with labels, weights and groups, by the rows order[0 .. count) of
 * other; self and other may be one table. */
static cnm_status take_rows(table *self, const table *other, const size_t *order, size_t count, cnm_error *err) {
    row_arrays arrays = {0};
    label_column labels = {0};
    column_type *types = NULL;
    float *weights = NULL;
    uint64_t *groups = NULL;
    text_column ids = {0};
    cnm_status status;
    TRY_DONE(arrays_copy(&arrays, other, order, count, err));
    TRY_DONE(types_copy(&types, other->types, other->columns, false, err));
    TRY_DONE(types_recode(types, other->types, arrays.values, count, other->columns, err));
    for (size_t i = 0; other->labelled && i < count; i++) {
        TRY_DONE(labels_add_from(&labels, &other->labels, order[i], err));
    }
    for (size_t i = 0; other->identified && i < count; i++) {
        TRY_DONE(texts_append(&ids, &other->ids, order[i], 1, err));
    }
    TRY_DONE(weights_select(&weights, other->weights, order, count, err));
    TRY_DONE(groups_select(&groups, other->groups, order, count, err));
    arrays_put(self, &arrays, count);
    types_free(self->types, self->columns);
    self->types = types;
    labels_free(&self->labels);
    self->labels = labels;
    texts_free(&self->ids);
    self->ids = ids;
    memory_free(self->weights);
    self->weights = weights;
    self->weight_capacity = weights != NULL ? count : 0;
    memory_free(self->groups);
    self->groups = groups;
    self->group_capacity = groups != NULL ? count : 0;
    return CNM_OK;
done:
    arrays_free(&arrays);
    types_free(types, other->columns);
    labels_free(&labels);
    texts_free(&ids);
    memory_free(weights);
    return status;
}

cnm_status table_keep(table *self, const size_t *order, size_t count, cnm_error *err) {
    return take_rows(self, self, order, count, err);
}

/* Returns whether the values of other can follow those of self. */
static bool same_shape(const table *self, const table *other) {
    const bool sparse = self->starts != NULL;
    if (sparse != (other->starts != NULL) || self->labelled != other->labelled ||
        self->identified != other->identified || (self->weights != NULL) != (other->weights != NULL) ||
        (self->groups != NULL) != (other->groups != NULL) || (!sparse && self->columns != other->columns) ||
        (self->base != NULL) != (other->base != NULL) || (!sparse && !types_agree(self, other))) {
        return false;
    }
    return self->base == NULL || memcmp(self->base, other->base, self->columns * sizeof *self->base) == 0;
}

/* Gives an empty table the names, types (without words), base and kind of other. */
static cnm_status take_shape(table *self, const table *other, cnm_error *err) {
    self->columns = other->columns;
    self->labelled = other->labelled;
    self->identified = other->identified;
    TRY(types_copy(&self->types, other->types, other->columns, false, err));
    if (other->base != NULL) {
        TRY(memory_take(&self->base, other->columns, sizeof *self->base, "columns", err));
        memcpy(self->base, other->base, other->columns * sizeof *self->base);
    }
    if (other->names != NULL) {
        TRY(memory_zeroed(&self->names, other->columns, sizeof *self->names, "names", err));
        for (size_t j = 0; j < other->columns; j++) {
            TRY(memory_copy_text(&self->names[j], other->names[j], err));
        }
    }
    if (other->starts != NULL) {
        TRY(memory_grow(&self->starts, &self->start_capacity, 1, sizeof *self->starts, "rows", err));
        self->starts[0] = 0;
    }
    if (other->weights != NULL) {
        TRY(memory_grow(&self->weights, &self->weight_capacity, 1, sizeof *self->weights, "weights", err));
    }
    if (other->groups != NULL) {
        TRY(memory_grow(&self->groups, &self->group_capacity, 1, sizeof *self->groups, "groups", err));
    }
    return CNM_OK;
}

cnm_status table_select(table **out, const table *self, const size_t *order, size_t count, cnm_error *err) {
    cnm_status status;
    TRY_DONE(table_create(out, err));
    TRY_DONE(take_shape(*out, self, err));
    TRY_DONE(take_rows(*out, self, order, count, err));
    for (size_t i = 0; self->missing > 0 && i < (*out)->cell_capacity; i++) {
        (*out)->missing += (*out)->values[i] != (*out)->values[i];
    }
    return CNM_OK;
done:
    table_destroy(*out);
    *out = NULL;
    return status;
}

static cnm_status append_sparse(table *self, const table *other, cnm_error *err) {
    const size_t held = self->starts[self->rows];
    const size_t first = other->starts[0], added = other->starts[other->rows] - first;
    TRY(memory_grow(&self->starts, &self->start_capacity, self->rows + other->rows + 1, sizeof *self->starts, "rows",
                    err));
    TRY(memory_grow(&self->values, &self->cell_capacity, held + added, sizeof *self->values, "rows", err));
    TRY(memory_grow(&self->index, &self->index_capacity, held + added, sizeof *self->index, "rows", err));
    if (added > 0) {
        memcpy(self->values + held, other->values + first, added * sizeof *self->values);
        memcpy(self->index + held, other->index + first, added * sizeof *self->index);
    }
    for (size_t i = 1; i <= other->rows; i++) {
        self->starts[self->rows + i] = held + other->starts[i] - first;
    }
    self->columns = self->columns > other->columns ? self->columns : other->columns;
    return CNM_OK;
}

static cnm_status append_dense(table *self, const table *other, cnm_error *err) {
    size_t cells;
    if (!size_multiply(self->rows + other->rows, self->columns, &cells)) {
        return error_set(err, CNM_NO_MEMORY, "out of memory: %zu rows of %zu columns", self->rows + other->rows,
                         self->columns);
    }
    TRY(memory_grow(&self->values, &self->cell_capacity, cells, sizeof *self->values, "rows", err));
    float *added = self->values + self->rows * self->columns;
    if (cells > 0) {
        rows_gather(table_view(other), NULL, other->rows, added);
    }
    return types_recode(self->types, other->types, added, other->rows, self->columns, err);
}

cnm_status table_append(table *self, const table *other, cnm_error *err) {
    const size_t rows = self->rows + other->rows;
    TRY(table_own(self, err));
    if (self->rows == 0 && self->columns == 0) {
        TRY(take_shape(self, other, err));
    }
    if (!same_shape(self, other)) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "rows with %zu columns cannot be appended to rows with %zu of another kind", other->columns,
                         self->columns);
    }
    TRY(self->starts != NULL ? append_sparse(self, other, err) : append_dense(self, other, err));
    if (self->weights != NULL) {
        TRY(memory_grow(&self->weights, &self->weight_capacity, rows, sizeof *self->weights, "weights", err));
        if (other->rows > 0) {
            memcpy(self->weights + self->rows, other->weights, other->rows * sizeof *self->weights);
        }
    }
    if (self->groups != NULL) {
        TRY(memory_grow(&self->groups, &self->group_capacity, rows, sizeof *self->groups, "groups", err));
        if (other->rows > 0) {
            memcpy(self->groups + self->rows, other->groups, other->rows * sizeof *self->groups);
        }
    }
    cnm_status status = CNM_OK;
    if (self->identified) {
        TRY_DONE(texts_append(&self->ids, &other->ids, 0, other->rows, err));
    }
    if (self->labelled) {
        TRY_DONE(labels_append(&self->labels, &other->labels, err));
    }
    self->rows = rows;
    self->missing += other->missing;
    return CNM_OK;
done:
    self->labels.rows = self->ids.rows = self->rows;
    return status;
}

cnm_status table_settle(table *self, cnm_error *err) {
    size_t cells;
    if (self->starts == NULL || !size_multiply(self->rows, self->columns, &cells) ||
        self->starts[self->rows] - self->starts[0] <= cells / 3) {
        return CNM_OK;
    }
    row_arrays dense = {.cells = cells};
    TRY(memory_take(&dense.values, cells, sizeof *dense.values, "rows", err));
    rows_gather(table_view(self), NULL, self->rows, dense.values);
    arrays_put(self, &dense, self->rows);
    return CNM_OK;
}
