/* Shared by the tests of this module: reads bytes in all ways that must give the same rows,
 * compares tables, gzips. */
#ifndef CNM_TESTS_DATA_SUPPORT_H
#define CNM_TESTS_DATA_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/core/memory.h"
#include "data/read/reader.h"

/* The latest notice and how many there were. */
typedef struct notices {
    size_t count;
    char latest[CNM_MESSAGE_SIZE];
} notices;

static inline void note(const char *sentence, void *user) {
    notices *self = user;
    self->count++;
    (void)snprintf(self->latest, sizeof self->latest, "%s", sentence);
}

static inline unsigned char *gzip_bytes(const void *bytes, size_t size, size_t *out_size) {
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    const size_t capacity = deflateBound(&stream, (uLong)size) + 64;
    unsigned char *out = malloc(capacity);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)capacity;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    *out_size = stream.total_out;
    assert_int_equal(deflateEnd(&stream), Z_OK);
    return out;
}

/* All rows of some bytes, `batch` at a time. */
static inline cnm_status read_batches(table **out, const void *bytes, size_t size, const reader_options *options,
                                      size_t batch, notices *heard, cnm_error *err) {
    byte_source *input;
    reader *opened;
    const cnm_callbacks callbacks = {
        .struct_size = sizeof(cnm_callbacks), .notice = heard != NULL ? note : NULL, .user = heard};
    *out = NULL;
    cnm_status status = byte_source_from_memory(&input, bytes, size, "f", err);
    assert_int_equal(status, CNM_OK);
    status = reader_from_source(&opened, input, options, &callbacks, err);
    if (status != CNM_OK) {
        assert_null(opened);
        return status;
    }
    table *all, *part;
    assert_int_equal(table_create(&all, NULL), CNM_OK);
    while ((status = reader_next(opened, batch, &part, err)) == CNM_OK && part != NULL) {
        assert_true(part->rows >= 1 && part->rows <= batch);
        status = table_append(all, part, err);
        table_destroy(part);
        assert_int_equal(status, CNM_OK);
    }
    reader_close(opened);
    if (status != CNM_OK) {
        assert_null(part);
        table_destroy(all);
        return status;
    }
    *out = all;
    return CNM_OK;
}

static inline double cell_at(const table *self, size_t i, size_t j) {
    const rows_view view = table_view(self);
    double value = 0;
    if (view.starts == NULL) {
        value = (double)view.values[i * view.stride + j];
    }
    for (size_t at = view.starts != NULL ? view.starts[i] : 0; view.starts != NULL && at < view.starts[i + 1]; at++) {
        value = view.index[at] == j ? (double)view.values[at] : value;
    }
    return value + (view.base != NULL ? view.base[j] : 0);
}

static inline const char *label_at(const table *self, size_t i) {
    static char text[256];
    assert_true(self->labelled && i < self->labels.rows);
    (void)labels_text(&self->labels, i, text, sizeof text);
    return text;
}

/* Same values to the bit, labels, weights, groups and names. */
static inline void assert_same_tables(const table *a, const table *b) {
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->labelled, b->labelled);
    assert_int_equal(a->missing, b->missing);
    assert_int_equal(a->starts != NULL, b->starts != NULL);
    assert_int_equal(a->names != NULL, b->names != NULL);
    assert_int_equal(a->weights != NULL, b->weights != NULL);
    assert_int_equal(a->groups != NULL, b->groups != NULL);
    assert_int_equal(a->base != NULL, b->base != NULL);
    for (size_t j = 0; a->names != NULL && j < a->columns; j++) {
        assert_string_equal(a->names[j], b->names[j]);
    }
    for (size_t i = 0; i < a->rows; i++) {
        for (size_t j = 0; j < a->columns; j++) {
            const double left = cell_at(a, i, j), right = cell_at(b, i, j);
            assert_true(left == right || (isnan(left) && isnan(right)));
        }
        if (a->labelled) {
            char text[256];
            (void)snprintf(text, sizeof text, "%s", label_at(a, i));
            assert_string_equal(text, label_at(b, i));
        }
        assert_true(a->weights == NULL || a->weights[i] == b->weights[i]);
        assert_true(a->groups == NULL || a->groups[i] == b->groups[i]);
    }
}

static inline table *read_good(const void *bytes, size_t size, const reader_options *options, size_t batch) {
    table *out;
    cnm_error err = {0};
    if (read_batches(&out, bytes, size, options, batch, NULL, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
    return out;
}

static inline void assert_reads_same(const table *expected, const void *bytes, size_t size,
                                     const reader_options *options, size_t batch) {
    table *other = read_good(bytes, size, options, batch);
    assert_same_tables(expected, other);
    table_destroy(other);
}

/* Reads bytes plainly, gzipped, in two gzip members, and in batches of 1 and 3: all must give the
 * same table, which is returned. */
static inline table *read_bytes(const void *bytes, size_t size, const reader_options *options) {
    table *out = read_good(bytes, size, options, 1000);
    assert_reads_same(out, bytes, size, options, 1);
    assert_reads_same(out, bytes, size, options, 3);
    size_t first_size, second_size;
    unsigned char *first = gzip_bytes(bytes, size / 2, &first_size);
    unsigned char *second = gzip_bytes((const char *)bytes + size / 2, size - size / 2, &second_size);
    unsigned char *both = malloc(first_size + second_size);
    memcpy(both, first, first_size);
    memcpy(both + first_size, second, second_size);
    assert_reads_same(out, both, first_size + second_size, options, 2);
    free(first);
    free(second);
    free(both);
    return out;
}

/* As read_bytes for text; also with "\r\n", without the last newline, and behind a byte order
 * mark. */
static inline table *read_text(const char *text, const reader_options *options) {
    const size_t size = strlen(text);
    table *out = read_bytes(text, size, options);
    char *changed = malloc(2 * size + 4);
    size_t at = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n') {
            changed[at++] = '\r';
        }
        changed[at++] = text[i];
    }
    assert_reads_same(out, changed, at, options, 1000);
    memcpy(changed, "\xEF\xBB\xBF", 3);
    memcpy(changed + 3, text, size);
    assert_reads_same(out, changed, size + 3, options, 1000);
    if (size > 0 && text[size - 1] == '\n') {
        assert_reads_same(out, text, size - 1, options, 1000);
    }
    free(changed);
    return out;
}

static char folder[256];

static inline void remove_folder(void) { (void)rmdir(folder); }

/* A file of this name in a fresh temporary directory, which goes at the end; the path is static. */
static inline const char *temporary_path(const char *name) {
    static char path[512];
    const char *root = getenv("TMPDIR");
    if (folder[0] == '\0') {
        (void)atexit(remove_folder);
        (void)snprintf(folder, sizeof folder, "%s/cnm-data-XXXXXX", root != NULL ? root : "/tmp");
        assert_non_null(mkdtemp(folder));
    }
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Returns the format and the label column that a reader finds, as "csv last". */
static inline const char *label_column_of(const char *text, const reader_options *options) {
    static char out[64];
    byte_source *input;
    reader *opened;
    cnm_error err = {0};
    assert_int_equal(byte_source_from_memory(&input, text, strlen(text), "f", NULL), CNM_OK);
    if (reader_from_source(&opened, input, options, NULL, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
    (void)snprintf(out, sizeof out, "%s %s", reader_format(opened), reader_label_column(opened));
    reader_close(opened);
    return out;
}

#endif
