/* Reading on in the text of one cell, byte by byte and never behind its end. Only the files of this
 * folder use it. */
#ifndef CNM_DATA_ENCODE_CELL_TEXT_H
#define CNM_DATA_ENCODE_CELL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What is left of a text: [at, end). */
typedef struct cell_text {
    const char *at, *end;
} cell_text;

static inline char text_lower(char byte) { return byte >= 'A' && byte <= 'Z' ? (char)(byte + 'a' - 'A') : byte; }

static inline bool text_is_digit(const cell_text *self) {
    return self->at < self->end && *self->at >= '0' && *self->at <= '9';
}

/* Takes one of these bytes; returns it, or 0 where none of them comes next. */
static inline char text_take(cell_text *self, const char *bytes) {
    for (; self->at < self->end && *bytes != '\0'; bytes++) {
        if (*self->at == *bytes) {
            return *self->at++;
        }
    }
    return '\0';
}

/* Takes a word, in any case of ASCII letters; returns whether it comes next. */
static inline bool text_take_word(cell_text *self, const char *word) {
    const char *at = self->at;
    for (; *word != '\0'; at++, word++) {
        if (at == self->end || text_lower(*at) != text_lower(*word)) {
            return false;
        }
    }
    self->at = at;
    return true;
}

/* Returns the size of the blank at [at, end): a blank, a tab, or in UTF-8 a no-break, narrow
 * no-break or thin one; 0 where there is none. */
static inline size_t text_blank(const char *at, const char *end) {
    static const char *const WIDE[] = {"\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89"};
    if (at == end || (unsigned char)*at < 0x80) {
        return at < end && (*at == ' ' || *at == '\t');
    }
    for (size_t i = 0; i < sizeof WIDE / sizeof *WIDE; i++) {
        const size_t length = strlen(WIDE[i]);
        if (length <= (size_t)(end - at) && memcmp(at, WIDE[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* Takes all blanks that come next; returns whether there is one. */
static inline bool text_take_blanks(cell_text *self) {
    const char *from = self->at;
    for (size_t size; (size = text_blank(self->at, self->end)) > 0;) {
        self->at += size;
    }
    return self->at > from;
}

/* Returns a text without the blanks around it. */
static inline cell_text text_trimmed(const char *text, size_t length) {
    cell_text out = {text, text + length};
    (void)text_take_blanks(&out);
    for (bool more = true; more;) {
        more = false;
        for (size_t size = 1; size <= 3 && size <= (size_t)(out.end - out.at); size++) {
            if (text_blank(out.end - size, out.end) == size) {
                out.end -= size;
                more = true;
                break;
            }
        }
    }
    return out;
}

#endif
