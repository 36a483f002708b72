/* Writes tables and features as .npy, version 1: float32, or float64 when columns have a base;
 * little-endian on every machine. */
#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/write/writer.h"
#include "data/write/writer_ops.h"

enum { HEADER_SIZE = 128, BLOCK_CELLS = 1 << 16 };

struct npy_writer {
    file_writer *file;
    char *path;
    size_t rows, columns, added;
    unsigned char *block; /* (BLOCK_CELLS * 8) bytes that are not written yet */
    size_t held;
};

/* Writes the header, padded to a multiple of 64 bytes. shape: "(3, 4)" or "(3,)". */
static cnm_status write_header(file_writer *file, const char *type, const char *shape, cnm_error *err) {
    char header[HEADER_SIZE + 1];
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = HEADER_SIZE - 10;
    header[9] = 0;
    const int length =
        snprintf(header + 10, HEADER_SIZE - 10, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    const size_t used = 10 + (size_t)length;
    memset(header + used, ' ', HEADER_SIZE - 1 - used);
    header[HEADER_SIZE - 1] = '\n';
    return file_write(file, header, HEADER_SIZE, err);
}

static void put_bytes(unsigned char *to, uint64_t bits, size_t size) {
    for (size_t i = 0; i < size; i++) {
        to[i] = (unsigned char)(bits >> (8 * i));
    }
}

static cnm_status flush(npy_writer *self, cnm_error *err) {
    const cnm_status status = self->held > 0 ? file_write(self->file, self->block, self->held, err) : CNM_OK;
    self->held = 0;
    return status;
}

static cnm_status put_float(npy_writer *self, float value, cnm_error *err) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(self->block + self->held, bits, sizeof bits);
    self->held += sizeof bits;
    return self->held + 8 > BLOCK_CELLS * 8 ? flush(self, err) : CNM_OK;
}

static cnm_status put_double(npy_writer *self, double value, cnm_error *err) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(self->block + self->held, bits, sizeof bits);
    self->held += sizeof bits;
    return self->held + 8 > BLOCK_CELLS * 8 ? flush(self, err) : CNM_OK;
}

/* Creates a file; columns 0: one dimension. */
static cnm_status create(npy_writer **out, const char *path, const char *type, size_t rows, size_t columns,
                         cnm_error *err) {
    cnm_status status;
    char shape[64];
    npy_writer *self;
    *out = NULL;
    TRY(memory_zeroed(&self, 1, sizeof *self, "a writer", err));
    self->rows = rows;
    self->columns = columns;
    (void)(columns > 0 ? snprintf(shape, sizeof shape, "(%zu, %zu)", rows, columns)
                       : snprintf(shape, sizeof shape, "(%zu,)", rows));
    TRY_DONE(memory_copy_text(&self->path, path, err));
    TRY_DONE(memory_take(&self->block, BLOCK_CELLS, 8, "writing", err));
    TRY_DONE(file_create(&self->file, path, err));
    TRY_DONE(write_header(self->file, type, shape, err));
    *out = self;
    return CNM_OK;
done:
    npy_abandon(self);
    return status;
}

cnm_status npy_create(npy_writer **out, const char *path, size_t rows, size_t columns, cnm_error *err) {
    return create(out, path, "<f4", rows, columns, err);
}

cnm_status npy_add(npy_writer *self, const float *values, size_t rows, cnm_error *err) {
    if (rows > self->rows - self->added) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: more rows than the %zu that were announced", self->path,
                         self->rows);
    }
    for (size_t i = 0; i < rows * self->columns; i++) {
        TRY(put_float(self, values[i], err));
    }
    self->added += rows;
    return CNM_OK;
}

cnm_status npy_commit(npy_writer *self, cnm_error *err) {
    cnm_status status;
    if (self->added != self->rows) {
        TRY_DONE(error_set(err, CNM_BAD_ARGUMENT, "%s: %zu rows were written of the %zu that were announced",
                           self->path, self->added, self->rows));
    }
    TRY_DONE(flush(self, err));
    file_writer *file = self->file;
    self->file = NULL;
    status = file_commit(file, err);
done:
    npy_abandon(self);
    return status;
}

void npy_abandon(npy_writer *self) {
    if (self == NULL) {
        return;
    }
    if (self->file != NULL) {
        file_abandon(self->file);
    }
    memory_free(self->block);
    memory_free(self->path);
    memory_free(self);
}

/* Commits writer, or abandons it after a failure. */
static cnm_status finish(npy_writer *writer, cnm_status status, cnm_error *err) {
    if (status != CNM_OK) {
        npy_abandon(writer);
        return status;
    }
    return npy_commit(writer, err);
}

static cnm_status put_labels(npy_writer *writer, const label_column *labels, cnm_error *err) {
    for (size_t i = 0; i < labels->rows; i++) {
        TRY(put_double(writer, labels->numbers[i], err));
    }
    writer->added = labels->rows;
    return CNM_OK;
}

static cnm_status write_labels(const table *self, const char *path, cnm_error *err) {
    npy_writer *writer;
    TRY(create(&writer, path, "<f8", self->labels.rows, 0, err));
    return finish(writer, put_labels(writer, &self->labels, err), err);
}

/* Adds one row, given dense. */
static cnm_status put_row(npy_writer *writer, const float *values, const double *base, cnm_error *err) {
    if (base == NULL) {
        return npy_add(writer, values, 1, err);
    }
    for (size_t j = 0; j < writer->columns; j++) {
        TRY(put_double(writer, base[j] + (double)values[j], err));
    }
    writer->added++;
    return CNM_OK;
}

/* Adds all rows of a table. values (columns): scratch. */
static cnm_status put_rows(npy_writer *writer, const table *self, float *values, cnm_error *err) {
    for (size_t i = 0; i < self->rows; i++) {
        rows_gather(table_view(self), &i, 1, values);
        TRY(put_row(writer, values, self->base, err));
    }
    return CNM_OK;
}

static cnm_status write_npy(const table *self, const char *path, const char *labels_path, cnm_error *err) {
    cnm_status status;
    npy_writer *writer;
    float *values;
    /* Checked before the rows are written, which would be left behind. */
    if (labels_path != NULL && self->labels.words.texts != NULL) {
        return error_set(err, CNM_BAD_DATA, "%s: the labels are words, which npy does not hold; csv does", labels_path);
    }
    TRY(memory_take(&values, self->columns, sizeof *values, "a row", err));
    TRY_DONE(create(&writer, path, self->base != NULL ? "<f8" : "<f4", self->rows, self->columns, err));
    status = finish(writer, put_rows(writer, self, values, err), err);
done:
    memory_free(values);
    TRY(status);
    return labels_path != NULL ? write_labels(self, labels_path, err) : CNM_OK;
}

static const char *const ENDINGS[] = {".npy", NULL};

const writer_ops WRITER_NPY = {.name = "npy", .endings = ENDINGS, .takes_labels = true, .write = write_npy};
