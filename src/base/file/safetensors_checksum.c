/* The checksum inside an archive. The file starts with the length, then
 * {"__metadata__":{"KEY":"0123456789abcdef" and the rest; the checksum is that of the whole file
 * with these 16 digits as zeros. */
#include <string.h>

#include "base/core/checksum.h"
#include "base/core/error.h"
#include "base/core/try.h"
#include "base/file/safetensors_parts.h"
#include "base/text/text.h"

cnm_status archive_checksum_prefix(text_buffer *out, const char *checksum_key, cnm_error *err) {
    TRY(text_add_string(out, "{\"" METADATA_NAME "\":{", err));
    TRY(text_add_json(out, checksum_key, err));
    return text_add_string(out, ":\"", err);
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
    char digits[ARCHIVE_CHECKSUM_DIGITS];
    cnm_status status = CNM_OK;
    TRY_DONE(archive_checksum_prefix(&prefix, checksum_key, err));
    const size_t place = ARCHIVE_LENGTH_SIZE + prefix.length;
    if (self->header_size < prefix.length + sizeof digits ||
        memcmp(self->file + ARCHIVE_LENGTH_SIZE, prefix.bytes, prefix.length) != 0) {
        TRY_DONE(error_set(err, CNM_BAD_FORMAT, "%s: its header does not start with a checksum (\"%s\")", self->name,
                           checksum_key));
    }
    archive_checksum_digits(self->file, self->size, place, digits);
    if (memcmp(digits, self->file + place, sizeof digits) != 0) {
        TRY_DONE(error_set(err, CNM_BAD_FORMAT,
                           "%s is damaged: its checksum is %.16s, but its bytes give %.16s; take another copy of it",
                           self->name, archive_value(self, checksum_key), digits));
    }
done:
    text_free(&prefix);
    return status;
}
