/* The bytes of a safetensors file. Deterministic: the same arrays and metadata give the same bytes. */
#include <string.h>

#include "base/file/safetensors_parts.h"
#include "base/core/error.h"
#include "base/core/memory.h"

/* The header so far; after a failure nothing more is added. */
typedef struct header {
    text_buffer text;
    size_t checksum_place; /* of its first digit in text */
    size_t data_size;
    cnm_status status;
    cnm_error *err;
} header;

static void put(header *self, const char *string) {
    if (self->status == CNM_OK) {
        self->status = text_add_string(&self->text, string, self->err);
    }
}

static void put_json(header *self, const char *string) {
    if (self->status == CNM_OK) {
        self->status = text_add_json(&self->text, string, self->err);
    }
}

static void put_count(header *self, size_t value) {
    if (self->status == CNM_OK) {
        self->status = text_add_count(&self->text, value, self->err);
    }
}

/* "__metadata__":{...}, with the checksum's place first. */
static void put_metadata(header *self, const archive_entry *entries, size_t count, const char *checksum_key) {
    if (checksum_key != NULL) {
        self->status = archive_checksum_prefix(&self->text, checksum_key, self->err);
        self->checksum_place = self->text.length;
        put(self, "0000000000000000\"");
    } else {
        put(self, count > 0 ? "{\"" METADATA_NAME "\":{" : "{");
    }
    for (size_t i = 0; i < count; i++) {
        put(self, i > 0 || checksum_key != NULL ? "," : "");
        put_json(self, entries[i].key);
        put(self, ":");
        put_json(self, entries[i].value);
    }
    put(self, count > 0 || checksum_key != NULL ? "}" : "");
}

/* Bytes of a tensor; false when its shape cannot be. */
static bool tensor_bytes(const archive_tensor *tensor, size_t *bytes) {
    bool fits = tensor->dimensions <= TENSOR_DIMENSIONS && (size_t)tensor->type < TENSOR_KIND_COUNT;
    *bytes = fits ? TENSOR_KINDS[tensor->type].size : 0;
    for (size_t i = 0; fits && i < tensor->dimensions; i++) {
        fits = size_multiply(*bytes, tensor->shape[i], bytes);
    }
    return fits;
}

static void put_tensor(header *self, const archive_tensor *tensor) {
    size_t bytes;
    if (!tensor_bytes(tensor, &bytes) || bytes > SIZE_MAX / 2 - self->data_size) {
        self->status =
            error_set(self->err, CNM_BAD_ARGUMENT, "array %s has a shape that cannot be written", tensor->name);
        return;
    }
    put_json(self, tensor->name);
    put(self, ":{\"dtype\":\"");
    put(self, TENSOR_KINDS[tensor->type].name);
    put(self, "\",\"shape\":[");
    for (size_t i = 0; i < tensor->dimensions; i++) {
        put(self, i > 0 ? "," : "");
        put_count(self, tensor->shape[i]);
    }
    put(self, "],\"data_offsets\":[");
    put_count(self, self->data_size);
    self->data_size += bytes;
    put(self, ",");
    put_count(self, self->data_size);
    put(self, "]}");
}

/* Room for the whole file, with the length and the header in it. */
static cnm_status assemble(const header *self, unsigned char **bytes, size_t *size, cnm_error *err) {
    *size = ARCHIVE_LENGTH_SIZE + self->text.length + self->data_size;
    const cnm_status status = memory_take(bytes, *size, 1, "a safetensors file", err);
    if (status != CNM_OK) {
        return status;
    }
    for (int i = 0; i < ARCHIVE_LENGTH_SIZE; i++) {
        (*bytes)[i] = (unsigned char)((uint64_t)self->text.length >> 8 * i);
    }
    memcpy(*bytes + ARCHIVE_LENGTH_SIZE, self->text.bytes, self->text.length);
    return CNM_OK;
}

/* The arrays and the checksum. */
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

/* Reads back what is about to leave: the reader is the judge of names (UTF-8, once each) and of sizes. */
static cnm_status check(const unsigned char *bytes, size_t size, cnm_error *err) {
    archive *copy;
    const cnm_status status = archive_open(&copy, bytes, size, "the archive to write", err);
    archive_close(copy);
    return status == CNM_BAD_FORMAT ? error_prefix(err, CNM_BAD_ARGUMENT, "cannot write these names or arrays")
                                    : status;
}

/* archive_write, of which archive_measure leaves out what costs time. */
static cnm_status write_parts(const archive_tensor *tensors, size_t tensor_count, const archive_entry *entries,
                              size_t entry_count, const char *checksum_key, bool whole, unsigned char **bytes,
                              size_t *size, cnm_error *err) {
    header self = {.status = CNM_OK, .err = err};
    *bytes = NULL;
    *size = 0;
    put_metadata(&self, entries, entry_count, checksum_key);
    const bool metadata = entry_count > 0 || checksum_key != NULL;
    for (size_t i = 0; i < tensor_count && self.status == CNM_OK; i++) {
        put(&self, i > 0 || metadata ? "," : "");
        put_tensor(&self, &tensors[i]);
    }
    put(&self, "}");
    while (self.status == CNM_OK && self.text.length % ARCHIVE_ALIGNMENT != 0) {
        put(&self, " ");
    }
    cnm_status status = self.status;
    status = status == CNM_OK ? assemble(&self, bytes, size, err) : status;
    if (status == CNM_OK && whole) {
        fill(&self, tensors, tensor_count, *bytes, *size);
    }
    status = status == CNM_OK ? check(*bytes, *size, err) : status;
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
