/* The gzip layer and files of labels. */
#include "fuzz/target.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/read/byte_source.h"
#include "data/read/labels_file.h"

enum { MOST = 1 << 18 }; /* bytes looked at: a few of gzip's can stand for very many */

/* Decodes up to MOST bytes, `piece` at a time. */
static cnm_status decode(const unsigned char *bytes, size_t size, size_t piece, bool peek, unsigned char *out,
                         size_t *count, cnm_error *err) {
    byte_source *input;
    const unsigned char *start;
    size_t start_size = 0, got = 1;
    cnm_status status = CNM_OK;
    *count = 0;
    TRY_DONE(byte_source_from_memory(&input, bytes, size, "f", err));
    TRY_DONE(peek ? byte_source_peek(input, &start, &start_size, err) : CNM_OK);
    while (got > 0 && *count < MOST) {
        got = 0;
        status = byte_source_read(input, out + *count, piece < MOST - *count ? piece : MOST - *count, &got, err);
        *count += got;
        TRY_DONE(status);
    }
done:
    byte_source_close(input);
    return status;
}

/* Checks that the bytes, and the error, are the same however many bytes are read at once. */
void fuzz_gzip(const unsigned char *bytes, size_t size) {
    cnm_error errors[2] = {{0}};
    unsigned char *out[2];
    size_t count[2];
    if (size < 1) {
        return;
    }
    const size_t piece = 1 + bytes[0];
    REQUIRE(memory_zeroed(&out[0], MOST, 1, "a test", NULL) == CNM_OK);
    REQUIRE(memory_zeroed(&out[1], MOST, 1, "a test", NULL) == CNM_OK);
    const cnm_status whole = decode(bytes + 1, size - 1, MOST, false, out[0], &count[0], &errors[0]);
    const cnm_status pieces = decode(bytes + 1, size - 1, piece, false, out[1], &count[1], &errors[1]);
    REQUIRE(whole == pieces && count[0] == count[1] && memcmp(out[0], out[1], count[0]) == 0);
    REQUIRE(whole == CNM_OK || strcmp(errors[0].message, errors[1].message) == 0);
    if (decode(bytes + 1, size - 1, piece, true, out[1], &count[1], &errors[1]) == CNM_OK) {
        REQUIRE(whole == CNM_OK && count[0] == count[1] && memcmp(out[0], out[1], count[0]) == 0);
    }
    const bool zipped = size > 2 && bytes[1] == 0x1f && bytes[2] == 0x8b;
    REQUIRE(zipped || (whole == CNM_OK && count[0] == (size - 1 < MOST ? size - 1 : MOST) &&
                       memcmp(out[0], bytes + 1, count[0]) == 0));
    memory_free(out[0]);
    memory_free(out[1]);
}

void fuzz_labels(const unsigned char *bytes, size_t size) {
    label_column labels = {0};
    byte_source *input;
    cnm_error error = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(byte_source_from_memory(&input, bytes, size, "f", &error));
    TRY_DONE(labels_source_read(&labels, input, &error));
done:
    REQUIRE(status == CNM_OK || (error.message[0] != '\0' && labels.rows == 0));
    for (size_t i = 0; i < labels.rows; i++) {
        char text[32];
        REQUIRE(labels_text(&labels, i, text, sizeof text) > 0);
    }
    labels_free(&labels);
    byte_source_close(input);
}
