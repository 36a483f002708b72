/* The safetensors container: 8-byte little-endian header length, a JSON header, raw little-endian
 * arrays.
 *
 * A strict reader for untrusted bytes: no name twice, offsets in range, ascending and without
 * holes, shape times element size equal to the length, all multiplications checked. The container
 * knows nothing of models. */
#ifndef CNM_BASE_FILE_SAFETENSORS_H
#define CNM_BASE_FILE_SAFETENSORS_H

#include "cnm/types.h"

typedef enum tensor_type {
    TENSOR_F32,
    TENSOR_F64,
    TENSOR_F16,
    TENSOR_BF16,
    TENSOR_I8,
    TENSOR_U8,
    TENSOR_I32,
    TENSOR_I64
} tensor_type;

enum { TENSOR_DIMENSIONS = 4 };

/* One array. In an archive that was read, name and bytes belong to the archive; in one to be
 * written the caller keeps them. */
typedef struct archive_tensor {
    const char *name;
    tensor_type type;
    size_t dimensions, shape[TENSOR_DIMENSIONS];
    const void *bytes; /* 8-byte aligned when read */
    size_t size;       /* in bytes; computed by archive_write */
} archive_tensor;

typedef struct archive_entry {
    const char *key, *value;
} archive_entry;

typedef struct archive archive;

/* Opens an archive in bytes, which must be 8-byte aligned and stay until archive_close. `name` is
 * the file's name for messages. Memory used stays below 1 MiB + 2 * size. */
cnm_status archive_open(archive **out, const void *bytes, size_t size, const char *name, cnm_error *err);
void archive_close(archive *self);

size_t archive_tensor_count(const archive *self);
const archive_tensor *archive_tensor_at(const archive *self, size_t i);
/* Returns the array of that name, or NULL. */
const archive_tensor *archive_find(const archive *self, const char *name);
size_t archive_entry_count(const archive *self);
archive_entry archive_entry_at(const archive *self, size_t i);
/* Returns the metadata value of that key, or NULL. */
const char *archive_value(const archive *self, const char *key);

/* Makes the bytes of a file with these arrays and this metadata, both in this order (values: any
 * UTF-8). The header is padded with blanks to a multiple of 8. With a non-NULL `checksum_key`, the
 * first metadata entry is that key with 16 hexadecimal digits: the 64-bit checksum of the arrays
 * and of the header with those digits as zeros. The caller frees *bytes with memory_free. */
cnm_status archive_write(const archive_tensor *tensors, size_t tensor_count, const archive_entry *entries,
                         size_t entry_count, const char *checksum_key, unsigned char **bytes, size_t *size,
                         cnm_error *err);

/* Sets *size to the size of that file, or fails where it cannot be written, without copying arrays
 * and computing a checksum. */
cnm_status archive_measure(const archive_tensor *tensors, size_t tensor_count, const archive_entry *entries,
                           size_t entry_count, const char *checksum_key, size_t *size, cnm_error *err);

/* Checks the checksum that archive_write put there; CNM_BAD_FORMAT where it is missing or
 * differs. */
cnm_status archive_verify(const archive *self, const char *checksum_key, cnm_error *err);

#endif
