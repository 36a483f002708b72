/* Three tests on a sample of rows:
 *
 *   images        pixels beside and below each other differ little; in a time series only those
 *                 beside each other do
 *   translations  explain more of the difference to the nearest row of the same class than of
 *                 another class: twice as much for digits, about as much for photographs
 *   mirror        mirror images are as near to others of their class as the images are: photographs
 *                 are, digits have 1.7 times the squared distance */
#include "learn/detect/detect_images.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/tuning.h"
#include "math/linalg/image_ops.h"

enum { SAMPLE = 500, MOST_QUERIES = 200, LEAST_WIDTH = 8 };

static size_t side_of_square(size_t columns) {
    const size_t side = (size_t)(sqrt((double)columns) + 0.5);
    return side * side == columns && side >= LEAST_WIDTH ? side : 0;
}

/* Some rows, scaled, and their positions. */
typedef struct sample {
    const dataset *data;
    size_t count, order[SAMPLE], width;
    input_block block;
    float *slopes; /* (2, columns), or a mirror image */
} sample;

static const float *row_of(const sample *self, size_t i) {
    return self->block.view.values + i * self->block.view.stride;
}

/* Returns the mean squared difference between pixels and those `right` and `down` of them. */
static double pixel_difference(const float *row, size_t width, size_t right, size_t down) {
    double sum = 0.0;
    for (size_t i = 0; i + down < width; i++) {
        for (size_t j = 0; j + right < width; j++) {
            const double apart = (double)row[i * width + j] - (double)row[(i + down) * width + j + right];
            sum += apart * apart;
        }
    }
    return sum / (double)((width - right) * (width - down));
}

static bool neighbour_pixels_agree(const sample *self) {
    double beside = 0.0, below = 0.0, far = 0.0;
    for (size_t i = 0; i < self->count; i++) {
        beside += pixel_difference(row_of(self, i), self->width, 1, 0);
        below += pixel_difference(row_of(self, i), self->width, 0, 1);
        far += pixel_difference(row_of(self, i), self->width, self->width / 2, 0);
    }
    return beside < TUNING.images.smooth * far && below < TUNING.images.smooth * far;
}

static int32_t class_of(const sample *self, size_t i) { return self->data->codes[self->order[i]]; }

typedef struct neighbour {
    size_t row; /* the row itself where there is none */
    double square;
} neighbour;

/* Returns the nearest neighbour of x, which is row i or made from it, among the other rows of its
 * class, or of the other classes. */
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

/* Returns the share of |row j - row i|^2 that translations of row i explain: least squares on its
 * two image gradients. */
static double translation_share(const sample *self, size_t i, size_t j) {
    const size_t columns = self->width * self->width;
    const float *x = row_of(self, i), *other = row_of(self, j);
    float *across = self->slopes, *down = self->slopes + columns;
    double aa = 0.0, ab = 0.0, bb = 0.0, ad = 0.0, bd = 0.0, dd = 0.0;
    for (size_t n = 0; n < 2 * columns; n++) {
        self->slopes[n] = 0.0F;
    }
    image_add_translation(self->width, self->width, 0.5F, 0.0F, x, across);
    image_add_translation(self->width, self->width, 0.0F, 0.5F, x, down);
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

static size_t query_count(const sample *self) { return self->count < MOST_QUERIES ? self->count : MOST_QUERIES; }

static bool classes_are_translated(const sample *self) {
    const size_t queries = query_count(self);
    double same = 0.0, other = 0.0;
    for (size_t n = 0; n < queries; n++) {
        const size_t i = n * self->count / queries;
        same += translation_share(self, i, nearest(self, i, row_of(self, i), true).row);
        other += translation_share(self, i, nearest(self, i, row_of(self, i), false).row);
    }
    return same > TUNING.images.more * other;
}

static bool classes_are_symmetric(const sample *self) {
    const size_t queries = query_count(self), columns = self->width * self->width;
    double plain = 0.0, mirrored = 0.0;
    for (size_t n = 0; n < queries; n++) {
        const size_t i = n * self->count / queries;
        const double square = nearest(self, i, row_of(self, i), true).square;
        memcpy(self->slopes, row_of(self, i), columns * sizeof *self->slopes);
        image_mirror(self->width, self->width, self->slopes);
        if (isfinite(square)) { /* not the only one of its class */
            plain += square;
            mirrored += nearest(self, i, self->slopes, true).square;
        }
    }
    return plain > 0.0 && mirrored < TUNING.images.as_near * plain;
}

/* Takes a sample of rows, evenly spread. */
static cnm_status take_sample(sample *self, const input_source *rows, cnm_error *err) {
    const size_t all = self->data->rows.rows;
    for (size_t i = 0; i < self->count; i++) {
        self->order[i] = (size_t)((double)i * (double)all / (double)self->count);
    }
    TRY(memory_take(&self->slopes, 2 * self->data->rows.columns, sizeof *self->slopes, "image gradients", err));
    TRY(input_block_create(&self->block, rows, self->count, err));
    return input_take(rows, self->order, 0, self->count, &self->block, err);
}

static void test_sample(const sample *self, image_facts *out) {
    const double wanted = self->data->settings->translate;
    const bool classes = self->data->codes != NULL;
    if (neighbour_pixels_agree(self)) {
        out->width = self->width;
        out->translate = wanted > 0.0                              ? wanted
                         : classes && classes_are_translated(self) ? TUNING.images.translate
                                                                   : 0.0;
        out->mirror = classes && classes_are_symmetric(self);
    }
}

cnm_status detect_images(image_facts *out, const dataset *data, const input_source *rows, bool shared_scale,
                         cnm_error *err) {
    const double wanted = data->settings->translate;
    const size_t all = data->rows.rows;
    sample self = {.data = data, .width = side_of_square(data->rows.columns), .count = all < SAMPLE ? all : SAMPLE};
    cnm_status status = CNM_OK;
    *out = (image_facts){0};
    if (wanted == 0.0 || (!shared_scale && wanted < 0.0)) {
        return CNM_OK;
    }
    if (self.width > 0 && !rows->sparse) {
        TRY_DONE(take_sample(&self, rows, err));
        test_sample(&self, out);
    }
    if (out->width == 0 && wanted > 0.0) {
        notice_send(data->callbacks, "rows are no square images: --translate does nothing");
    }
done:
    input_block_free(&self.block);
    memory_free(self.slopes);
    return status;
}
