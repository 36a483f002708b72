/* Follows the Unicode table of well-formed byte sequences: the first byte gives the size, and for
 * some bounds the second. */
#include "base/text/utf8.h"

typedef struct form {
    unsigned char low, high;               /* of the first byte */
    unsigned char second_low, second_high; /* of the second */
    size_t size;
} form;

static const form FORMS[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

size_t utf8_size(const char *at, const char *end) {
    const unsigned char first = (unsigned char)*at;
    size_t i = 0;
    if (first < 0x80) {
        return 1;
    }
    while (i < sizeof FORMS / sizeof *FORMS && !(first >= FORMS[i].low && first <= FORMS[i].high)) {
        i++;
    }
    if (i == sizeof FORMS / sizeof *FORMS || (size_t)(end - at) < FORMS[i].size) {
        return 0;
    }
    const unsigned char second = (unsigned char)at[1];
    bool sound = second >= FORMS[i].second_low && second <= FORMS[i].second_high;
    for (size_t j = 2; j < FORMS[i].size; j++) {
        sound = sound && ((unsigned char)at[j] & 0xc0) == 0x80;
    }
    return sound ? FORMS[i].size : 0;
}

bool utf8_is_valid(const char *text, size_t length) {
    const char *end = text + length;
    while (text < end) {
        const size_t size = utf8_size(text, end);
        if (size == 0) {
            return false;
        }
        text += size;
    }
    return true;
}
