/* Writes rows: chooses the format, and has the parts that text formats share. */
#include "data/write/writer.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "data/encode/encoder.h"
#include "data/read/text_cells.h"
#include "data/table/table_types.h"
#include "data/write/writer_ops.h"

enum { PENDING_SIZE = 1 << 18 };

static const writer_ops *const WRITERS[] = {&WRITER_LIBSVM, &WRITER_CSV, &WRITER_NPY};
enum { WRITER_COUNT = sizeof WRITERS / sizeof *WRITERS };

cnm_status text_writer_open(text_writer *self, const char *path, cnm_error *err) {
    *self = (text_writer){0};
    return file_create(&self->file, path, err);
}

static cnm_status flush(text_writer *self, cnm_error *err) {
    const cnm_status status =
        self->pending.length > 0 ? file_write(self->file, self->pending.bytes, self->pending.length, err) : CNM_OK;
    self->pending.length = 0;
    return status;
}

cnm_status text_writer_row(text_writer *self, cnm_error *err) {
    return self->pending.length >= PENDING_SIZE ? flush(self, err) : CNM_OK;
}

static cnm_status end_file(text_writer *self, cnm_status status, cnm_error *err) {
    TRY_DONE(status);
    TRY_DONE(flush(self, err));
    return file_commit(self->file, err);
done:
    file_abandon(self->file);
    return status;
}

cnm_status text_writer_close(text_writer *self, cnm_status status, cnm_error *err) {
    const cnm_status ended = end_file(self, status, err);
    text_free(&self->pending);
    return ended;
}

cnm_status text_add_value(text_buffer *out, const double *base, size_t j, float stored, cnm_error *err) {
    char text[TEXT_DOUBLE_SIZE];
    const bool based = base != NULL && base[j] != 0;
    const size_t length = based ? text_from_double(text, base[j] + (double)stored) : text_from_float(text, stored);
    return text_add(out, text, length, err);
}

static bool has_ending(const char *path, const char *ending) {
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && same_word(path + length - tail, tail, ending);
}

static const writer_ops *find_writer(const char *path, const char *format) {
    for (size_t i = 0; i < WRITER_COUNT; i++) {
        if (format != NULL && strcmp(WRITERS[i]->name, format) == 0) {
            return WRITERS[i];
        }
        for (size_t k = 0; format == NULL && WRITERS[i]->endings[k] != NULL; k++) {
            if (has_ending(path, WRITERS[i]->endings[k])) {
                return WRITERS[i];
            }
        }
    }
    return NULL;
}

static bool all_numbers(const table *self) {
    bool numbers = true;
    for (size_t j = 0; j < self->columns; j++) {
        numbers = numbers && table_kind(self, j) == COLUMN_NUMBER;
    }
    return numbers;
}

/* Writes the features that a training would make of the columns. */
static cnm_status write_features(const table *self, const writer_ops *writer, const char *path, const char *labels_path,
                                 cnm_error *err) {
    encoder *by = NULL;
    table *features = NULL;
    cnm_status status;
    TRY_DONE(encoder_fit(&by, self, (encoder_choice){.indicators = true}, NULL, err));
    if (by != NULL) {
        TRY_DONE(encoder_apply(by, self, &features, NULL, err));
    }
    status = writer->write(features != NULL ? features : self, path, labels_path, err);
done:
    table_destroy(features);
    encoder_destroy(by);
    return status;
}

cnm_status table_write(const table *self, const char *path, const char *format, const char *labels_path,
                       cnm_error *err) {
    const writer_ops *writer = find_writer(path, format);
    if (writer == NULL && format != NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "found the format '%s', expected libsvm, csv or npy", format);
    }
    if (writer == NULL) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "%s: the name does not tell the format, expected an ending .libsvm, .csv or .npy, or a format",
                         path);
    }
    if (labels_path != NULL && !writer->takes_labels) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: %s keeps labels with the rows, only npy takes a file for them",
                         path, writer->name);
    }
    if (labels_path != NULL && !self->labelled) {
        return error_set(err, CNM_BAD_DATA, "%s: the rows have no labels to write", labels_path);
    }
    return writer->takes_words || all_numbers(self) ? writer->write(self, path, labels_path, err)
                                                    : write_features(self, writer, path, labels_path, err);
}
