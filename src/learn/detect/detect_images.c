/* Three questions to a sample of rows. Are cells alike that lie beside and below each other, against cells half a line apart? A series in
 * time has the first but not the second. And is it more by a shift that a row differs from the nearest of its class than from the nearest of another?
 * With digits twice as much, with photographs hardly. And are mirrored rows as near to others of their class
 * as they are themselves? Photographs are, digits 1.7 times as far, in squares. */
#include "learn/detect/detect_images.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "learn/search/profiles.h"
#include "math/linalg/image_ops.h"

enum { SAMPLE = 500, ASKED = 200, LEAST_WIDTH = 8 };
static const double SHIFT = 0.4, MORE = 1.6, AS_NEAR = 1.1;

static size_t side_of_square(size_t columns) {
    const size_t side = (size_t)(sqrt((double)columns) + 0.5);
    return side * side == columns && side >= LEAST_WIDTH ? side : 0;
}

/* Some rows, prepared, and their numbers among all. */
typedef struct sample {
    const problem *task;
    size_t count, order[SAMPLE], width;
    input_block block;
    float *slopes; /* (2, columns), or a mirrored row */
} sample;

static const float *row_of(const sample *self, size_t i) {
    return self->block.view.values + i * self->block.view.stride;
}

/* Mean square of the differences between the cells of a row and those `right` and `down` of them. */
static double difference(const float *row, size_t width, size_t right, size_t down) {
    double sum = 0.0;
    for (size_t i = 0; i + down < width; i++) {
        for (size_t j = 0; j + right < width; j++) {
            const double apart = (double)row[i * width + j] - (double)row[(i + down) * width + j + right];
            sum += apart * apart;
        }
    }
    return sum / (double)((width - right) * (width - down));
}

static bool cells_are_neighbours(const sample *self) {
    double beside = 0.0, below = 0.0, far = 0.0;
    for (size_t i = 0; i < self->count; i++) {
        beside += difference(row_of(self, i), self->width, 1, 0);
        below += difference(row_of(self, i), self->width, 0, 1);
        far += difference(row_of(self, i), self->width, self->width / 2, 0);
    }
    return beside < 0.5 * far && below < 0.5 * far;
}

static int32_t class_of(const sample *self, size_t i) { return self->task->codes[self->order[i]]; }

/* The row nearest to x, which is row i or made from it, among the others of its class, or of the other ones. */
typedef struct neighbour {
    size_t row; /* i where there is none */
    double square;
} neighbour;

static neighbour nearest(const sample *self, size_t i, const float *x, bool same) {
    const size_t columns = self->width * self->width;
    neighbour found = {i, INFINITY};
    for (size_t j = 0; j < self->count; j++) {
        double sum = 0.0;
        if (j == i || (class_of(self, i) == class_of(self, j)) != same) {
            continue;
        }
        for (size_t n = 0; n < columns && sum < found.square; n++) {
            const double apart = (double)x[n] - (double)row_of(self, j)[n];
            sum += apart * apart;
        }
        found = sum < found.square ? (neighbour){j, sum} : found;
    }
    return found;
}

/* The share of the square of (row j - row i) that a shift of row i makes up: least squares on its two slopes. */
static double share_of_shift(const sample *self, size_t i, size_t j) {
    const size_t columns = self->width * self->width;
    const float *x = row_of(self, i), *other = row_of(self, j);
    float *across = self->slopes, *down = self->slopes + columns;
    double aa = 0.0, ab = 0.0, bb = 0.0, ad = 0.0, bd = 0.0, dd = 0.0;
    for (size_t n = 0; n < 2 * columns; n++) {
        self->slopes[n] = 0.0F;
    }
    picture_add_slopes(self->width, self->width, 0.5F, 0.0F, x, across);
    picture_add_slopes(self->width, self->width, 0.0F, 0.5F, x, down);
    for (size_t n = 0; n < columns; n++) {
        const double a = (double)across[n], b = (double)down[n], d = (double)other[n] - (double)x[n];
        aa += a * a, ab += a * b, bb += b * b;
        ad += a * d, bd += b * d, dd += d * d;
    }
    const double determinant = aa * bb - ab * ab;
    return determinant > 1e-9 * aa * bb && dd > 0.0
               ? (bb * ad * ad - 2.0 * ab * ad * bd + aa * bd * bd) / determinant / dd
               : 0.0;
}

static size_t asked_of(const sample *self) { return self->count < ASKED ? self->count : ASKED; }

static bool classes_are_shifted(const sample *self) {
    const size_t asked = asked_of(self);
    double same = 0.0, other = 0.0;
    for (size_t n = 0; n < asked; n++) {
        const size_t i = n * self->count / asked;
        same += share_of_shift(self, i, nearest(self, i, row_of(self, i), true).row);
        other += share_of_shift(self, i, nearest(self, i, row_of(self, i), false).row);
    }
    return same > MORE * other;
}

static bool classes_are_symmetric(const sample *self) {
    const size_t asked = asked_of(self), columns = self->width * self->width;
    double plain = 0.0, mirrored = 0.0;
    for (size_t n = 0; n < asked; n++) {
        const size_t i = n * self->count / asked;
        const double square = nearest(self, i, row_of(self, i), true).square;
        memcpy(self->slopes, row_of(self, i), columns * sizeof *self->slopes);
        picture_mirror(self->width, self->width, self->slopes);
        if (isfinite(square)) { /* not the only one of its class */
            plain += square;
            mirrored += nearest(self, i, self->slopes, true).square;
        }
    }
    return plain > 0.0 && mirrored < AS_NEAR * plain;
}

static cnm_status look_at(const problem *task, const input_source *rows, recipe *out, cnm_error *err) {
    const size_t all = task->rows.rows;
    sample self = {.task = task, .width = side_of_square(task->rows.columns), .count = all < SAMPLE ? all : SAMPLE};
    if (self.width == 0 || rows->sparse) {
        return CNM_OK;
    }
    for (size_t i = 0; i < self.count; i++) {
        self.order[i] = (size_t)((double)i * (double)all / (double)self.count);
    }
    cnm_status status =
        memory_take(&self.slopes, 2 * task->rows.columns, sizeof *self.slopes, "slopes of a picture", err);
    if (status == CNM_OK) {
        status = input_block_create(&self.block, rows, self.count, err);
    }
    if (status == CNM_OK) {
        status = input_take(rows, self.order, 0, self.count, &self.block, err);
    }
    if (status == CNM_OK && cells_are_neighbours(&self)) {
        const bool classes = task->codes != NULL;
        out->picture = self.width;
        out->shift = task->settings->shift > 0.0             ? task->settings->shift
                     : classes && classes_are_shifted(&self) ? SHIFT
                                                             : 0.0;
        out->mirror = classes && classes_are_symmetric(&self);
    }
    input_block_free(&self.block);
    memory_free(self.slopes);
    return status;
}

cnm_status picture_find(training *self, cnm_error *err) {
    const problem *task = &self->problem;
    input_source rows;
    if (task->settings->shift == 0.0 || (!columns_are_alike(self) && task->settings->shift < 0.0)) {
        return CNM_OK;
    }
    cnm_status status = training_bind(self, &rows, err);
    if (status == CNM_OK) {
        status = look_at(task, &rows, &self->recipe, err);
    }
    input_unbind(&rows);
    if (status == CNM_OK && self->recipe.picture == 0 && task->settings->shift > 0.0) {
        notice_send(task->callbacks, "rows are no square pictures: --shift does nothing");
    }
    return status;
}
