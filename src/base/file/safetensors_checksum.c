/* The checksum inside an archive. The file starts with the length, then {"__metadata__":{"KEY":"0123456789abcdef" and the
 * rest: the checksum is that of the whole file with these 16 digits as zeros. */
#include <string.h>

#include "base/file/safetensors_parts.h"
#include "base/core/checksum.h"
#include "base/core/error.h"
#include "base/text/text.h"

cnm_status archive_checksum_prefix(text_buffer *out, const char *checksum_key, cnm_error *err) {
    cnm_status status = text_add_string(out, "{\"" METADATA_NAME "\":{", err);
    status = status == CNM_OK ? text_add_json(out, checksum_key, err) : status;
    return status == CNM_OK ? text_add_string(out, ":\"", err) : status;
}

void archive_checksum_digits(const unsigned char *file, size_t size, size_t place, char out[ARCHIVE_CHECKSUM_DIGITS]) {
    static const char HEX[] = "0123456789abcdef";
    char zeros[ARCHIVE_CHECKSUM_DIGITS];
    memset(zeros, '0', sizeof zeros);
    uint64_t checksum = checksum_update(0, file, place);
    checksum = checksum_update(checksum, zeros, sizeof zeros);
    checksum = checksum_update(checksum, file + place + sizeof zeros, size - place - sizeof zeros);
    for (int i = ARCHIVE_CHECKSUM_DIGITS; i-- > 0; checksum >>= 4) {
        out[i] = HEX[checksum & 15];
    }
}

cnm_status archive_verify(const archive *self, const char *checksum_key, cnm_error *err) {
    text_buffer prefix = {NULL, 0, 0};
    cnm_status status = archive_checksum_prefix(&prefix, checksum_key, err);
    if (status != CNM_OK) {
        text_free(&prefix);
        return status;
    }
    const size_t place = ARCHIVE_LENGTH_SIZE + prefix.length;
    const bool there = self->header_size >= prefix.length + ARCHIVE_CHECKSUM_DIGITS &&
                       memcmp(self->file + ARCHIVE_LENGTH_SIZE, prefix.bytes, prefix.length) == 0;
    text_free(&prefix);
    if (!there) {
        return error_set(err, CNM_BAD_FORMAT, "%s: its header does not start with a checksum (\"%s\")", self->name,
                         checksum_key);
    }
    char digits[ARCHIVE_CHECKSUM_DIGITS];
    archive_checksum_digits(self->file, self->size, place, digits);
    if (memcmp(digits, self->file + place, sizeof digits) != 0) {
        return error_set(err, CNM_BAD_FORMAT,
                         "%s is damaged: its checksum is %.16s, but its bytes give %.16s; take another copy of it",
                         self->name, archive_value(self, checksum_key), digits);
    }
    return CNM_OK;
}
