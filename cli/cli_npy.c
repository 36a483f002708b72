/* Writes NPY version 1.0: "\x93NUMPY", 1, 0, length of the dictionary (2 bytes, little-endian), the
 * dictionary padded with blanks, a newline; then the rows. The header always has HEADER bytes, so
 * that it can be written again once the rows are counted. */
#include "cli_npy.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "report_error.h"

enum { HEADER = 128, PREFIX = 10 };

static bool little_endian(void) {
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

static void write_header(FILE *stream, size_t rows, size_t columns) {
    char header[HEADER + 1];
    memset(header, ' ', HEADER);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)(HEADER - PREFIX);
    header[9] = 0;
    const int length = snprintf(header + PREFIX, HEADER + 1 - PREFIX,
                                "{'descr': '%cf4', 'fortran_order': False, 'shape': (%zu, %zu), }",
                                little_endian() ? '<' : '>', rows, columns);
    header[PREFIX + length] = ' '; /* over the NUL; 57 + 2 * 20 digits always fit */
    header[HEADER - 1] = '\n';
    (void)fwrite(header, 1, HEADER, stream);
}

static cnm_status spool_failed(cnm_error *error) {
    return error_fill(error, CNM_IO_FAILED, "cannot write a temporary file: %s", strerror(errno));
}

cnm_status npy_file_open(npy *self, const char *path, size_t columns, cnm_error *error) {
    *self = (npy){.columns = columns};
    TRY(output_open(&self->output, path, error));
    if (self->output.temporary == NULL) {
        self->spool = tmpfile();
        return self->spool != NULL ? CNM_OK : spool_failed(error);
    }
    write_header(self->output.stream, 0, columns);
    return CNM_OK;
}

cnm_status npy_file_add(npy *self, const float *values, size_t rows, cnm_error *error) {
    FILE *stream = self->spool != NULL ? self->spool : self->output.stream;
    const size_t count = rows * self->columns;
    self->rows += rows;
    if (fwrite(values, sizeof *values, count, stream) == count) {
        return CNM_OK;
    }
    return self->spool != NULL
               ? spool_failed(error)
               : error_fill(error, CNM_IO_FAILED, "cannot write %s: %s", self->output.path, strerror(errno));
}

/* Writes the header and then the rows that wait in the spool. */
static cnm_status copy_spool(npy *self, cnm_error *error) {
    char bytes[1 << 16];
    size_t size;
    if (fflush(self->spool) != 0 || fseek(self->spool, 0, SEEK_SET) != 0) {
        return spool_failed(error);
    }
    write_header(self->output.stream, self->rows, self->columns);
    while ((size = fread(bytes, 1, sizeof bytes, self->spool)) > 0 &&
           fwrite(bytes, 1, size, self->output.stream) == size) {
    }
    return ferror(self->spool) ? spool_failed(error) : CNM_OK;
}

/* Writes the number of rows, now known, into the header. */
static cnm_status complete_header(npy *self, cnm_error *error) {
    if (fseek(self->output.stream, 0, SEEK_SET) != 0) {
        return error_fill(error, CNM_IO_FAILED, "cannot write %s: %s", self->output.path, strerror(errno));
    }
    write_header(self->output.stream, self->rows, self->columns);
    return CNM_OK;
}

cnm_status npy_file_commit(npy *self, cnm_error *error) {
    cnm_status status;
    TRY_DONE(self->spool != NULL ? copy_spool(self, error) : complete_header(self, error));
    TRY_DONE(output_commit(&self->output, error));
done:
    npy_file_abandon(self);
    return status;
}

void npy_file_abandon(npy *self) {
    output_abandon(&self->output);
    if (self->spool != NULL) {
        fclose(self->spool);
    }
    *self = (npy){0};
}
