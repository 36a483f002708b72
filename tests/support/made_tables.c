#include "support/made_tables.h"

#include "data/table/table_types.h"

table *table_make(size_t rows, size_t columns) {
    cnm_error error = {0};
    table *out;
    check_ok(table_create(&out, &error), &error);
    out->rows = rows;
    out->columns = columns;
    out->values = take_owned(rows * columns, sizeof(float));
    return out;
}

void label_number(table *self, double value) {
    assert_int_equal(labels_add_number(&self->labels, value, NULL), CNM_OK);
    self->labelled = true;
}

void label_text(table *self, const char *text) {
    assert_int_equal(labels_add_text(&self->labels, text, strlen(text), NULL), CNM_OK);
    self->labelled = true;
}

table *make_rings(uint64_t seed, size_t rows, size_t columns) {
    table *out = table_make(rows, columns);
    normals(seed, rows * columns, 0.1, out->values);
    for (size_t i = 0; i < rows; i++) {
        const double angle = 6.283185307179586 * uniform(seed, i), radius = 1.0 + (double)(i % 2);
        out->values[i * columns] += (float)(radius * cos(angle));
        out->values[i * columns + 1] += (float)(radius * sin(angle));
        label_number(out, i % 2 == 0 ? -1.0 : 1.0);
    }
    return out;
}

table *make_sides(uint64_t seed, size_t rows, size_t columns) {
    table *out = table_make(rows, columns);
    normals(seed, rows * columns, 1.0, out->values);
    for (size_t i = 0; i < rows; i++) {
        float *row = out->values + i * columns;
        const float side = row[0] - 2.0F * row[columns - 1] + 0.5F > 0.0F ? 1.0F : -1.0F;
        row[0] += 0.3F * side;
        row[columns - 1] -= 0.3F * side;
        label_number(out, side > 0.0F ? 4.0 : 2.0);
    }
    return out;
}

table *make_clouds(uint64_t seed, size_t rows) {
    static const char *const WORDS[] = {"north", "east", "south", "west"};
    static const float CENTRES[][2] = {{0, 3}, {3, 0}, {0, -3}, {-3, 0}};
    table *out = table_make(rows, 2);
    normals(seed, rows * 2, 0.6, out->values);
    for (size_t i = 0; i < rows; i++) {
        out->values[2 * i] += CENTRES[i % 4][0];
        out->values[2 * i + 1] += CENTRES[i % 4][1];
        label_text(out, WORDS[i % 4]);
    }
    return out;
}

void make_typed(table *self) {
    check_ok(table_make_types(self, NULL), NULL);
    column_type *words = &self->types[self->columns - 1];
    words->kind = COLUMN_WORDS;
    for (size_t i = 0; i < 3; i++) {
        int32_t code;
        check_ok(dictionary_add(&words->words, &"cab"[i], 1, &code, NULL), NULL);
    }
    for (size_t i = 0; i < self->rows; i++) {
        float *end = self->values + (i + 1) * self->columns;
        end[-1] = i % 6 == 5 ? NAN : (float)(i * i % 3 + (i % 7 == 0 ? 1 : 0));
        end[-2] = i % 6 == 3 ? NAN : end[-2];
        self->missing += i % 6 == 3 || i % 6 == 5;
    }
}
