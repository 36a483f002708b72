/* Takes one line of LIBSVM text apart. */
#include "data/formats/libsvm_line.h"

#include <string.h>

#include "base/text/text.h"
#include "data/read/text_cells.h"

enum { CUT_SIZE = 1 << 15 }; /* fewer first bytes than this are the whole file */

bool libsvm_next_word(const char **at, const char *end, libsvm_word *word) {
    const char *from = *at;
    while (from < end && is_blank(*from)) {
        from++;
    }
    if (from == end || *from == '#') {
        return false;
    }
    const char *stop = from;
    while (stop < end && !is_blank(*stop) && *stop != '#') {
        stop++;
    }
    *word = (libsvm_word){from, stop};
    *at = stop;
    return true;
}

libsvm_pair libsvm_read_pair(libsvm_word word, uint64_t *index, double *value) {
    const char *at = word.text;
    uint64_t number = 0;
    for (; at < word.end && *at >= '0' && *at <= '9'; at++) {
        number = number < UINT64_MAX / 16 ? number * 10 + (uint64_t)(*at - '0') : UINT64_MAX / 16;
    }
    if (at == word.end || *at != ':' || at == word.text) {
        const char *colon = memchr(word.text, ':', (size_t)(word.end - word.text));
        if (colon == NULL) {
            return PAIR_NONE;
        }
        return same_word(word.text, (size_t)(colon - word.text), "qid") ? PAIR_GROUP : PAIR_BAD_INDEX;
    }
    *index = number;
    return text_is_double(at + 1, word.end, value) ? PAIR_VALUE : PAIR_BAD_VALUE;
}

/* Returns whether index:something may be a mistyped number: neither a time as 12:30:05 nor cells
 * between other separators. */
static bool is_mistyped(libsvm_word word) {
    size_t colons = 0;
    for (const char *at = word.text; at < word.end; at++) {
        if (strchr(",;|", *at) != NULL) {
            return false;
        }
        colons += *at == ':';
    }
    return colons == 1;
}

/* Returns whether a word is -index:value: no other format has that, so it is to be reported. */
static bool is_negative(libsvm_word word) {
    uint64_t index;
    double value;
    const libsvm_word rest = {word.text + 1, word.end};
    return word.end > word.text && *word.text == '-' && libsvm_read_pair(rest, &index, &value) == PAIR_VALUE;
}

typedef enum line_kind {
    LINE_OPEN,    /* may be of LIBSVM or of another format */
    LINE_LIBSVM,  /* a label and pairs, one of them good */
    LINE_MISTAKE, /* begins as LIBSVM does, then something else */
    LINE_OTHER    /* not a LIBSVM line */
} line_kind;

static line_kind classify_line(const char *at, const char *end) {
    libsvm_word word;
    uint64_t index;
    double value;
    size_t pairs = 0;
    for (bool first = true; libsvm_next_word(&at, end, &word); first = false) {
        const libsvm_pair kind = libsvm_read_pair(word, &index, &value);
        if (kind == PAIR_VALUE || (!first && is_negative(word))) {
            pairs++;
        } else if (kind != PAIR_GROUP && !(first && kind == PAIR_NONE) &&
                   (first || kind != PAIR_BAD_VALUE || !is_mistyped(word))) {
            return pairs > 0 ? LINE_MISTAKE : LINE_OTHER;
        }
    }
    return pairs > 0 ? LINE_LIBSVM : LINE_OPEN;
}

int libsvm_recognise(const unsigned char *bytes, size_t size, const char *path) {
    const char *at = (const char *)bytes, *end = at + size;
    size_t good = 0, bad = 0;
    line_kind begins = LINE_OPEN; /* the first line that is not LINE_OPEN */
    (void)path;
    if (size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
        at += 3;
    }
    for (bool first = true; at < end; first = false) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline != NULL ? newline : end;
        if (newline == NULL && !first && size >= CUT_SIZE) {
            break; /* the last line may be cut */
        }
        while (newline == NULL && size >= CUT_SIZE && stop > at && !is_blank(stop[-1])) {
            stop--; /* so may the last word of the only line */
        }
        const line_kind kind = classify_line(at, stop > at && stop[-1] == '\r' ? stop - 1 : stop);
        good += kind == LINE_LIBSVM;
        bad += kind == LINE_MISTAKE || kind == LINE_OTHER;
        begins = begins == LINE_OPEN ? kind : begins;
        at = newline != NULL ? newline + 1 : end;
    }
    /* A file with a few bad lines is a LIBSVM file with mistakes to be reported, not another
     * format. So is a file with as many bad lines as good ones that begins as LIBSVM does: LIBSVM
     * files have no header. */
    return good > 10 * bad ? 95 : good > bad || (good > 0 && good == bad && begins != LINE_OTHER) ? 50 : 0;
}
