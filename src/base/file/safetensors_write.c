/* Makes the bytes of a safetensors file. Deterministic: the same arrays and metadata give the same
 * bytes. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/safetensors_parts.h"

/* The header so far. */
typedef struct header {
    text_buffer text;
    size_t checksum_place; /* of its first digit in text */
    size_t data_size;
} header;

/* Adds "__metadata__":{...}, with room for the checksum first. */
static cnm_status add_metadata(header *self, const archive_entry *entries, size_t count, const char *checksum_key,
                               cnm_error *err) {
    text_buffer *out = &self->text;
    if (checksum_key != NULL) {
        TRY(archive_checksum_prefix(out, checksum_key, err));
        self->checksum_place = out->length;
        TRY(text_add_string(out, "0000000000000000\"", err));
    } else {
        TRY(text_add_string(out, count > 0 ? "{\"" METADATA_NAME "\":{" : "{", err));
    }
    for (size_t i = 0; i < count; i++) {
        TRY(text_add_string(out, i > 0 || checksum_key != NULL ? "," : "", err));
        TRY(text_add_json(out, entries[i].key, err));
        TRY(text_add_string(out, ":", err));
        TRY(text_add_json(out, entries[i].value, err));
    }
    return text_add_string(out, count > 0 || checksum_key != NULL ? "}" : "", err);
}

/* Computes the bytes of a tensor; returns false when they overflow or the type is unknown. */
static bool tensor_bytes(const archive_tensor *tensor, size_t *bytes) {
    bool fits = tensor->dimensions <= TENSOR_DIMENSIONS && (size_t)tensor->type < TENSOR_KIND_COUNT;
    *bytes = fits ? TENSOR_KINDS[tensor->type].size : 0;
    for (size_t i = 0; fits && i < tensor->dimensions; i++) {
        fits = size_multiply(*bytes, tensor->shape[i], bytes);
    }
    return fits;
}

static cnm_status add_tensor(header *self, const archive_tensor *tensor, cnm_error *err) {
    text_buffer *out = &self->text;
    size_t bytes;
    if (!tensor_bytes(tensor, &bytes) || bytes > SIZE_MAX / 2 - self->data_size) {
        return error_set(err, CNM_BAD_ARGUMENT, "array %s has a shape that cannot be written", tensor->name);
    }
    TRY(text_add_json(out, tensor->name, err));
    TRY(text_add_string(out, ":{\"dtype\":\"", err));
    TRY(text_add_string(out, TENSOR_KINDS[tensor->type].name, err));
    TRY(text_add_string(out, "\",\"shape\":[", err));
    for (size_t i = 0; i < tensor->dimensions; i++) {
        TRY(text_add_string(out, i > 0 ? "," : "", err));
        TRY(text_add_count(out, tensor->shape[i], err));
    }
    TRY(text_add_string(out, "],\"data_offsets\":[", err));
    TRY(text_add_count(out, self->data_size, err));
    self->data_size += bytes;
    TRY(text_add_string(out, ",", err));
    TRY(text_add_count(out, self->data_size, err));
    return text_add_string(out, "]}", err);
}

/* Adds the whole header, padded with blanks. */
static cnm_status add_header(header *self, const archive_tensor *tensors, size_t tensor_count,
                             const archive_entry *entries, size_t entry_count, const char *checksum_key,
                             cnm_error *err) {
    const bool metadata = entry_count > 0 || checksum_key != NULL;
    TRY(add_metadata(self, entries, entry_count, checksum_key, err));
    for (size_t i = 0; i < tensor_count; i++) {
        TRY(text_add_string(&self->text, i > 0 || metadata ? "," : "", err));
        TRY(add_tensor(self, &tensors[i], err));
    }
    TRY(text_add_string(&self->text, "}", err));
    while (self->text.length % ARCHIVE_ALIGNMENT != 0) {
        TRY(text_add_string(&self->text, " ", err));
    }
    return CNM_OK;
}

/* Takes memory for the whole file, and writes the length and the header into it. */
static cnm_status assemble(const header *self, unsigned char **bytes, size_t *size, cnm_error *err) {
    *size = ARCHIVE_LENGTH_SIZE + self->text.length + self->data_size;
    TRY(memory_take(bytes, *size, 1, "a safetensors file", err));
    for (int i = 0; i < ARCHIVE_LENGTH_SIZE; i++) {
        (*bytes)[i] = (unsigned char)((uint64_t)self->text.length >> 8 * i);
    }
    memcpy(*bytes + ARCHIVE_LENGTH_SIZE, self->text.bytes, self->text.length);
    return CNM_OK;
}

/* Writes the arrays and the checksum. */
static void fill(const header *self, const archive_tensor *tensors, size_t count, unsigned char *bytes, size_t size) {
    unsigned char *at = bytes + ARCHIVE_LENGTH_SIZE + self->text.length;
    for (size_t i = 0; i < count; i++) {
        size_t length;
        if (tensor_bytes(&tensors[i], &length) && length > 0) {
            memcpy(at, tensors[i].bytes, length);
            at += length;
        }
    }
    if (self->checksum_place != 0) {
        const size_t place = ARCHIVE_LENGTH_SIZE + self->checksum_place;
        char digits[ARCHIVE_CHECKSUM_DIGITS];
        archive_checksum_digits(bytes, size, place, digits);
        memcpy(bytes + place, digits, sizeof digits);
    }
}

/* Opens the bytes that are to be written: the reader checks the names (UTF-8, once each) and the
 * sizes. */
static cnm_status check(const unsigned char *bytes, size_t size, cnm_error *err) {
    archive *copy;
    const cnm_status status = archive_open(&copy, bytes, size, "the archive to write", err);
    archive_close(copy);
    return status == CNM_BAD_FORMAT ? error_prefix(err, CNM_BAD_ARGUMENT, "cannot write these names or arrays")
                                    : status;
}

/* Does the work of archive_write; for archive_measure (whole false), without copying and
 * checksum. */
static cnm_status write_parts(const archive_tensor *tensors, size_t tensor_count, const archive_entry *entries,
                              size_t entry_count, const char *checksum_key, bool whole, unsigned char **bytes,
                              size_t *size, cnm_error *err) {
    header self = {0};
    cnm_status status = CNM_OK;
    *bytes = NULL;
    *size = 0;
    TRY_DONE(add_header(&self, tensors, tensor_count, entries, entry_count, checksum_key, err));
    TRY_DONE(assemble(&self, bytes, size, err));
    if (whole) {
        fill(&self, tensors, tensor_count, *bytes, *size);
    }
    TRY_DONE(check(*bytes, *size, err));
done:
    text_free(&self.text);
    if (status != CNM_OK) {
        memory_free(*bytes);
        *bytes = NULL;
        *size = 0;
    }
    return status;
}

cnm_status archive_write(const archive_tensor *tensors, size_t tensor_count, const archive_entry *entries,
                         size_t entry_count, const char *checksum_key, unsigned char **bytes, size_t *size,
                         cnm_error *err) {
    return write_parts(tensors, tensor_count, entries, entry_count, checksum_key, true, bytes, size, err);
}

cnm_status archive_measure(const archive_tensor *tensors, size_t tensor_count, const archive_entry *entries,
                           size_t entry_count, const char *checksum_key, size_t *size, cnm_error *err) {
    unsigned char *bytes;
    const cnm_status status =
        write_parts(tensors, tensor_count, entries, entry_count, checksum_key, false, &bytes, size, err);
    memory_free(bytes);
    return status;
}
