/* Shared by the parts of the safetensors reader and writer, and by them only. */
#ifndef CNM_BASE_FILE_SAFETENSORS_PARTS_H
#define CNM_BASE_FILE_SAFETENSORS_PARTS_H

#include <stdbool.h>

#include "base/file/safetensors.h"
#include "base/text/text.h"

/* The names of a file's types, and the bytes of an element, by tensor_type. */
typedef struct tensor_kind {
    const char *name;
    size_t size;
} tensor_kind;

static const tensor_kind TENSOR_KINDS[] = {
    [TENSOR_F32] = {"F32", 4}, [TENSOR_F64] = {"F64", 8}, [TENSOR_F16] = {"F16", 2}, [TENSOR_BF16] = {"BF16", 2},
    [TENSOR_I8] = {"I8", 1},   [TENSOR_U8] = {"U8", 1},   [TENSOR_I32] = {"I32", 4}, [TENSOR_I64] = {"I64", 8},
};

enum { TENSOR_KIND_COUNT = sizeof TENSOR_KINDS / sizeof TENSOR_KINDS[0] };

#define METADATA_NAME "__metadata__"

enum { ARCHIVE_LENGTH_SIZE = 8, ARCHIVE_ALIGNMENT = 8, ARCHIVE_CHECKSUM_DIGITS = 16 };

/* How much of each thing a header holds. */
typedef struct archive_counts {
    size_t tensors, entries, text; /* text: bytes of names, keys and values, each with a NUL */
} archive_counts;

/* An open archive. It takes less than twice the bytes of its header: a tensor takes 76 and its name
 * for at least 51 in the file, a metadata entry 8 and its texts for at least 7. */
struct archive {
    const unsigned char *file; /* borrowed */
    size_t size, header_size, data_size;
    char *name; /* of the file, for messages */
    archive_counts counts;

    archive_tensor *tensors;
    uint32_t *entries; /* places in text: the key, NUL, the value, NUL */
    char *text;
    uint32_t *tensor_order, *entry_order; /* numbers of tensors and of entries, by ascending name */
    unsigned char *copies;                /* tensors whose place in the file is not aligned */
};

/* Walks the header of self->file, checks it and counts its contents. With fill it also fills the
 * arrays, which have room for self->counts. */
cnm_status archive_parse(archive *self, bool fill, archive_counts *counts, cnm_error *err);

/* Adds the start of a header with a checksum, up to where its digits begin. */
cnm_status archive_checksum_prefix(text_buffer *out, const char *checksum_key, cnm_error *err);

/* Computes the digits that belong at `place` in this file, whatever stands there now. */
void archive_checksum_digits(const unsigned char *file, size_t size, size_t place, char out[ARCHIVE_CHECKSUM_DIGITS]);

#endif
