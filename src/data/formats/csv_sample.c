/* The first rows of a file of separated values, cut at their line ends. */
#include "data/formats/csv_sample.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/read/text_cells.h"

enum { MAX_ROWS = 1000 };

void csv_sample_free(csv_sample *self) {
    memory_free(self->bytes);
    memory_free(self->lines);
    memory_free(self->ends);
}

void csv_sample_restore(const csv_sample *self) {
    if (self->size > 0) {
        memcpy(self->bytes, self->original, self->size);
    }
}

/* Returns the end of the row that starts at `at`: its newline, or stop. *joins: quoted cells may
 * extend over lines; set to false at a quote that is never closed, which is then a plain byte, as
 * are all quotes behind it. */
static char *row_end(const char *separators, char *at, char *stop, bool *joins) {
    char *newline = memchr(at, '\n', (size_t)(stop - at)), *end = newline != NULL ? newline : stop;
    char *const line_end = end;
    if (!*joins || memchr(at, '"', (size_t)(end - at)) == NULL) {
        return end;
    }
    cell_scan scan = {.separators = separators};
    for (;;) {
        cell_scan_text(&scan, at, end);
        if (!scan.inside) {
            return end;
        }
        if (end == stop) {
            *joins = false;
            return line_end;
        }
        at = end;
        newline = memchr(at + 1, '\n', (size_t)(stop - at - 1));
        end = newline != NULL ? newline : stop;
    }
}

static bool is_comment(const char *text, const char *stop) { return text < stop && *text == '#'; }

/* Returns whether a line is sep=; or the like, as Excel writes and reads it. */
static bool tells_separator(const char *text, const char *stop) {
    const char *newline = memchr(text, '\n', (size_t)(stop - text));
    size_t length = (size_t)((newline != NULL ? newline : stop) - text);
    length -= length > 0 && text[length - 1] == '\r';
    return (length == 5 && same_word(text, 4, "sep=")) ||
           (length == 7 && same_word(text, 5, "\"sep=") && text[6] == '"');
}

cnm_status csv_sample_create(csv_sample *out, const char *bytes, size_t size, const char *separators, cnm_error *err) {
    bool joins = true, never = false;
    cnm_status status;
    *out = (csv_sample){0};
    TRY_DONE(memory_take(&out->bytes, size, 1, "the first lines", err));
    TRY_DONE(memory_take(&out->lines, MAX_ROWS, sizeof *out->lines, "the first lines", err));
    TRY_DONE(memory_take(&out->ends, MAX_ROWS, sizeof *out->ends, "the first lines", err));
    out->original = bytes;
    out->size = size;
    csv_sample_restore(out);
    char *at = out->bytes, *stop = out->bytes + size;
    while (at < stop && out->count < MAX_ROWS) {
        char *first = at, *text = first;
        while (text < stop && is_blank(*text)) {
            text++;
        }
        const bool comment = out->count == 0 && (is_comment(text, stop) || tells_separator(text, stop));
        char *end = row_end(separators, first, stop, comment ? &never : &joins);
        at = end < stop ? end + 1 : stop;
        end -= end > first && end[-1] == '\r';
        if (text >= end || comment) {
            out->skipped += out->count == 0;
            continue;
        }
        out->lines[out->count] = first;
        out->ends[out->count++] = end;
    }
    out->cut = at < stop;
    return CNM_OK;
done:
    csv_sample_free(out);
    return status;
}
