/* Lines of any length from a source. The buffer holds one chunk, or the longest line where that is
 * longer. */
#include "data/read/lines.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"

enum { CHUNK = 1 << 18 };

void lines_free(line_reader *self) {
    memory_free(self->bytes);
    self->bytes = NULL;
}

/* Reads a chunk behind bytes[start .. end); sets ended when there is none. */
static cnm_status fill(line_reader *self, cnm_error *err) {
    if (self->start > 0) {
        memmove(self->bytes, self->bytes + self->start, self->end - self->start);
        self->end -= self->start;
        self->start = 0;
    }
    size_t got = 0;
    cnm_status status;
    TRY_DONE(memory_grow(&self->bytes, &self->capacity, self->end + CHUNK, 1, "a line", err));
    status = byte_source_read(self->source, self->bytes + self->end, self->capacity - self->end, &got, err);
done:
    self->end += got;
    self->ended = got == 0;
    return status;
}

cnm_status lines_begin(line_reader *self, cnm_error *err) {
    while (!self->ended && self->end < 3) {
        TRY(fill(self, err));
    }
    if (self->end >= 3 && memcmp(self->bytes, "\xEF\xBB\xBF", 3) == 0) {
        self->start = 3;
    }
    self->begun = true;
    return CNM_OK;
}

/* Hands out the bytes from start to the first newline behind `scanned` bytes; nothing when no byte
 * is behind those. */
static cnm_status take(line_reader *self, size_t scanned, char **text, size_t *length, cnm_error *err) {
    const size_t known = scanned;
    const char *newline = NULL;
    for (;;) {
        if (self->end > self->start + scanned) {
            newline = memchr(self->bytes + self->start + scanned, '\n', self->end - self->start - scanned);
        }
        if (newline != NULL || self->ended) {
            break;
        }
        scanned = self->end - self->start;
        TRY(fill(self, err));
    }
    if (self->start + known == self->end) {
        return CNM_OK;
    }
    char *line = self->bytes + self->start;
    size_t size = newline != NULL ? (size_t)(newline - line) : self->end - self->start;
    self->handed = self->start;
    self->start += size + (newline != NULL);
    if (!self->clean && memchr(line + known, 0, size - known) != NULL) {
        (void)error_set(err, CNM_BAD_FORMAT, "found a NUL byte, expected text");
        return error_prefix(err, CNM_BAD_FORMAT, "%s:%zu", byte_source_name(self->source),
                            self->line + self->joined + 1);
    }
    if (size > known && line[size - 1] == '\r') {
        size--;
    }
    *text = line;
    *length = size;
    return CNM_OK;
}

cnm_status lines_next(line_reader *self, char **text, size_t *length, cnm_error *err) {
    *text = NULL;
    *length = 0;
    TRY(self->begun ? CNM_OK : lines_begin(self, err));
    TRY(take(self, 0, text, length, err));
    if (*text != NULL) {
        self->line += self->joined + 1;
        self->joined = 0;
    }
    return CNM_OK;
}

cnm_status lines_join(line_reader *self, char **text, size_t *length, cnm_error *err) {
    const size_t held = self->start - self->handed; /* with its newline */
    *text = NULL;
    *length = 0;
    self->start = self->handed;
    const cnm_status status = take(self, held, text, length, err);
    if (*text != NULL) {
        self->joined++;
    } else {
        self->start += held;
    }
    return status;
}

cnm_status lines_peek(line_reader *self, size_t wanted, const char **bytes, size_t *size, cnm_error *err) {
    *bytes = "";
    *size = 0;
    TRY(self->begun ? CNM_OK : lines_begin(self, err));
    while (!self->ended) {
        const size_t held = self->end - self->start;
        const char *first = held > 0 ? memchr(self->bytes + self->start, '\n', held) : NULL;
        const char *stop = self->bytes + self->end;
        if (held >= wanted && first != NULL && memchr(first + 1, '\n', (size_t)(stop - first - 1)) != NULL) {
            break;
        }
        TRY(fill(self, err));
    }
    if (self->start == self->end) {
        return CNM_OK;
    }
    *bytes = self->bytes + self->start;
    *size = self->end - self->start;
    if (!self->ended) { /* the last line may be cut */
        while (*size > 0 && (*bytes)[*size - 1] != '\n') {
            --*size;
        }
    }
    return CNM_OK;
}

const char *lines_limit(const line_reader *self) { return self->bytes + self->end + self->padding; }

cnm_status lines_position(const line_reader *self, cnm_status status, cnm_error *err) {
    return error_prefix(err, status, "%s:%zu", byte_source_name(self->source), self->line);
}

const char *show(char out[SHOWN_SIZE], const char *text, size_t length) {
    const size_t limit = 40, kept = length < limit ? length : limit;
    size_t at = 0;
    out[at++] = '\'';
    for (size_t i = 0; i < kept; i++) {
        const unsigned char byte = (unsigned char)text[i];
        out[at++] = byte < 0x20 || byte == 0x7f ? '?' : (char)byte;
    }
    if (length > limit) {
        memcpy(out + at, "...", 3);
        at += 3;
    }
    out[at++] = '\'';
    out[at] = '\0';
    return out;
}
