/* Cuts one line of separated values into cells. */
#include "data/read/text_cells.h"

#include <string.h>

#include "base/text/text.h"

static char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? (char)(byte + 'a' - 'A') : byte; }

bool same_word(const char *text, size_t length, const char *word) {
    for (size_t i = 0; i < length; i++) {
        if (word[i] == '\0' || lower(text[i]) != lower(word[i])) {
            return false;
        }
    }
    return word[length] == '\0';
}

/* Returns whether a byte is a blank that is dropped around cells; a tab that separates is not. */
static bool drops(const cell_style *style, char byte) { return is_blank(byte) && byte != style->separator; }

static char *skip_blanks(const cell_style *style, char *at, const char *end) {
    while (at < end && (style->separator == ' ' ? is_blank(*at) : drops(style, *at))) {
        at++;
    }
    return at;
}

char *cell_first(const cell_style *style, char *line, char *end) {
    char *first = skip_blanks(style, line, end);
    return first == end ? NULL : style->separator == ' ' ? first : line;
}

static bool separates(const cell_style *style, char byte) {
    return style->separator == ' ' ? is_blank(byte) : byte == style->separator;
}

/* Decodes the quoted cell whose opening quote is at `at`; returns the byte behind the closing
 * quote, or NULL without one. */
static char *unquote(const cell_style *style, char *at, char *end, cell *out) {
    const char quote = *at++;
    char *to = at;
    out->text = at;
    out->quoted = true;
    for (; at < end; at++) {
        if (style->backslash && *at == '\\' && at + 1 < end) {
            at++;
        } else if (*at == quote) {
            if (style->backslash || at + 1 == end || at[1] != quote) {
                out->length = (size_t)(to - out->text);
                return at + 1;
            }
            at++;
        }
        *to++ = *at;
    }
    out->open = true;
    out->length = (size_t)(to - out->text);
    return NULL;
}

cell cell_next(const cell_style *style, char **at, char *end) {
    cell out = {0};
    char *from = skip_blanks(style, *at, end), *stop = from;
    if (from < end && *from != '\0' && strchr(style->quotes, *from) != NULL) {
        stop = unquote(style, from, end, &out);
        if (stop == NULL) {
            *at = NULL;
            return out;
        }
    } else {
        out.text = from;
    }
    const char *behind = stop;
    while (stop < end && !separates(style, *stop)) {
        stop++;
    }
    /* text behind a closing quote is kept */
    if (!out.quoted || skip_blanks(style, (char *)behind, stop) != stop) {
        const char *last = stop;
        while (last > from && drops(style, last[-1])) {
            last--;
        }
        out = (cell){.text = from, .length = (size_t)(last - from)};
    }
    *at = NULL;
    if (stop < end) {
        *at = stop + 1;
        if (style->separator == ' ') {
            stop = skip_blanks(style, stop, end);
            *at = stop < end ? stop : NULL;
        }
    }
    return out;
}

/* Returns whether a byte is one of the separators, of which there are one or two but for the first
 * look at a file. */
static bool is_among(const char *separators, char byte) {
    if (byte == separators[0]) {
        return true;
    }
    return separators[1] != '\0' && strchr(separators + 1, byte) != NULL;
}

void cell_scan_text(cell_scan *self, const char *at, const char *end) {
    for (; at < end; at++) {
        self->lines += *at == '\n';
        if (self->inside) {
            const bool doubled = *at == '"' && at + 1 < end && at[1] == '"';
            self->inside = *at != '"' || doubled;
            at += doubled;
        } else if (is_among(self->separators, *at)) {
            /* a run of blanks separates once */
            self->cell += self->begun || self->separators[0] != ' ';
            self->begun = false;
        } else if (*at == '"' && !self->begun) {
            self->inside = self->begun = true;
            self->quote = self->lines;
        } else {
            self->begun = self->begun || !is_blank(*at);
        }
    }
}

bool cell_is_number(const cell *self, double *value) {
    return text_is_double(self->text, self->text + self->length, value);
}

bool cell_is_value(const cell *self, double *value) {
    const bool truth = same_word(self->text, self->length, "true");
    if (truth || same_word(self->text, self->length, "false")) {
        *value = truth;
        return true;
    }
    return cell_is_number(self, value);
}
