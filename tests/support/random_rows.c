#include "support/random_rows.h"

#include "base/core/random.h"
#include "math/random/variates.h"

double uniform(uint64_t seed, uint64_t index) { return random_uniform((random_stream){seed, RANDOM_TEST, 0}, index); }

void normals(uint64_t seed, size_t count, double scale, float *out) {
    variates_normal((random_stream){seed, RANDOM_TEST, 1}, 0, count, scale, out);
}

twin_rows twin_make(uint64_t seed, size_t rows, size_t columns, double filled) {
    const random_stream values = {seed, RANDOM_TEST, 1}, kept = {seed, RANDOM_TEST, 2};
    uint32_t words[4] = {0};
    twin_rows out = {0};
    size_t count = 0;
    out.values = take(rows * columns, sizeof(float));
    out.stored = take(rows * columns, sizeof(float));
    out.index = take(rows * columns, sizeof(uint32_t));
    out.starts = take(rows + 1, sizeof(size_t));
    for (size_t i = 0; i < rows * columns; i++) {
        if (i % 4 == 0) {
            random_words(kept, i / 4, words);
        }
        if ((double)words[i % 4] < 4294967296.0 * filled) {
            variates_normal(values, i, 1, 1.0, &out.values[i]);
            out.stored[count] = out.values[i];
            out.index[count++] = (uint32_t)(i % columns);
        }
        out.starts[i / columns + 1] = count;
    }
    out.dense = (rows_view){.rows = rows, .columns = columns, .values = out.values, .stride = columns};
    out.sparse =
        (rows_view){.rows = rows, .columns = columns, .values = out.stored, .starts = out.starts, .index = out.index};
    return out;
}

void twin_free(twin_rows *self) {
    free(self->values);
    free(self->stored);
    free(self->starts);
    free(self->index);
}
