/* Tables and features as .npy, version 1: float32, or float64 when columns have a base. Little-endian whatever the machine. */
#include <string.h>

#include <stdio.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "data/write/writer_ops.h"

enum { HEADER_SIZE = 128, BLOCK_CELLS = 1 << 16 };

struct npy_writer {
    file_writer *file;
    char *path;
    size_t rows, columns, added;
    unsigned char *block; /* (BLOCK_CELLS * 8) bytes on their way */
    size_t held;
};

/* shape: "(3, 4)" or "(3,)"; the header is padded to a multiple of 64 bytes. */
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

static cnm_status pass_on(npy_writer *self, cnm_error *err) {
    const cnm_status status = self->held > 0 ? file_write(self->file, self->block, self->held, err) : CNM_OK;
    self->held = 0;
    return status;
}

static cnm_status put_float(npy_writer *self, float value, cnm_error *err) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(self->block + self->held, bits, sizeof bits);
    self->held += sizeof bits;
    return self->held + 8 > BLOCK_CELLS * 8 ? pass_on(self, err) : CNM_OK;
}

static cnm_status put_double(npy_writer *self, double value, cnm_error *err) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(self->block + self->held, bits, sizeof bits);
    self->held += sizeof bits;
    return self->held + 8 > BLOCK_CELLS * 8 ? pass_on(self, err) : CNM_OK;
}

/* columns 0: one dimension. */
static cnm_status create(npy_writer **out, const char *path, const char *type, size_t rows, size_t columns,
                         cnm_error *err) {
    char shape[64];
    npy_writer *self;
    *out = NULL;
    cnm_status status = memory_zeroed(&self, 1, sizeof *self, "a writer", err);
    if (status != CNM_OK) {
        return status;
    }
    self->rows = rows;
    self->columns = columns;
    (void)(columns > 0 ? snprintf(shape, sizeof shape, "(%zu, %zu)", rows, columns)
                       : snprintf(shape, sizeof shape, "(%zu,)", rows));
    status = memory_copy_text(&self->path, path, err);
    if (status == CNM_OK) {
        status = memory_take(&self->block, BLOCK_CELLS, 8, "writing", err);
    }
    if (status == CNM_OK) {
        status = file_create(&self->file, path, err);
    }
    if (status == CNM_OK) {
        status = write_header(self->file, type, shape, err);
    }
    if (status != CNM_OK) {
        npy_abandon(self);
        return status;
    }
    *out = self;
    return CNM_OK;
}

cnm_status npy_create(npy_writer **out, const char *path, size_t rows, size_t columns, cnm_error *err) {
    return create(out, path, "<f4", rows, columns, err);
}

cnm_status npy_add(npy_writer *self, const float *values, size_t rows, cnm_error *err) {
    if (rows > self->rows - self->added) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: more rows than the %zu that were announced", self->path,
                         self->rows);
    }
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < rows * self->columns; i++) {
        status = put_float(self, values[i], err);
    }
    self->added += rows;
    return status;
}

cnm_status npy_commit(npy_writer *self, cnm_error *err) {
    cnm_status status = CNM_OK;
    if (self->added != self->rows) {
        status = error_set(err, CNM_BAD_ARGUMENT, "%s: %zu rows were written of the %zu that were announced",
                           self->path, self->added, self->rows);
    }
    if (status == CNM_OK) {
        status = pass_on(self, err);
    }
    if (status == CNM_OK) {
        file_writer *file = self->file;
        self->file = NULL;
        status = file_commit(file, err);
    }
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

/* Ends writer as status says. */
static cnm_status finish(npy_writer *writer, cnm_status status, cnm_error *err) {
    if (status == CNM_OK) {
        return npy_commit(writer, err);
    }
    npy_abandon(writer);
    return status;
}

static cnm_status write_labels(const table *self, const char *path, cnm_error *err) {
    npy_writer *writer;
    const label_column *labels = &self->labels;
    cnm_status status = create(&writer, path, "<f8", labels->rows, 0, err);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t i = 0; status == CNM_OK && i < labels->rows; i++) {
        status = put_double(writer, labels->numbers[i], err);
    }
    writer->added = labels->rows;
    return finish(writer, status, err);
}

/* Row i of a table, dense. */
static cnm_status put_row(npy_writer *writer, const float *values, const double *base, cnm_error *err) {
    cnm_status status = CNM_OK;
    if (base == NULL) {
        return npy_add(writer, values, 1, err);
    }
    for (size_t j = 0; status == CNM_OK && j < writer->columns; j++) {
        status = put_double(writer, base[j] + (double)values[j], err);
    }
    writer->added++;
    return status;
}

static cnm_status write_npy(const table *self, const char *path, const char *labels_path, cnm_error *err) {
    npy_writer *writer = NULL;
    float *values;
    if (labels_path != NULL && self->labels.words != NULL) { /* before the rows, which would be left behind */
        return error_set(err, CNM_BAD_DATA, "%s: the labels are words, which npy does not hold; csv does", labels_path);
    }
    cnm_status status = memory_take(&values, self->columns, sizeof *values, "a row", err);
    if (status == CNM_OK) {
        status = create(&writer, path, self->base != NULL ? "<f8" : "<f4", self->rows, self->columns, err);
    }
    if (status == CNM_OK) {
        for (size_t i = 0; status == CNM_OK && i < self->rows; i++) {
            rows_gather(table_view(self), &i, 1, values);
            status = put_row(writer, values, self->base, err);
        }
        status = finish(writer, status, err);
    }
    memory_free(values);
    return status == CNM_OK && labels_path != NULL ? write_labels(self, labels_path, err) : status;
}

static const char *const ENDINGS[] = {".npy", NULL};

const writer_ops WRITER_NPY = {.name = "npy", .endings = ENDINGS, .takes_labels = true, .write = write_npy};
