/* Lines of any length from a source: the ground under the text formats. Only the files of this room use it. */
#ifndef CNM_DATA_LINES_H
#define CNM_DATA_LINES_H

#include "data/source.h"

typedef struct line_reader {
    source *source; /* borrowed */
    char *bytes;    /* bytes[start .. end) are read and not handed out yet */
    size_t capacity, start, end;
    size_t line;           /* number of the line handed out last, from 1; of several, the first */
    size_t handed, joined; /* where it starts; lines joined to it */
    bool ended, begun;
} line_reader;

/* Zero-initialise with the source set. */
void lines_free(line_reader *self);

/* The next line without its "\n" or "\r\n"; *text = NULL after the last. The bytes may be changed by the caller and stay until
 * the next call. A NUL byte is an error: the file is not text. */
cnm_status lines_next(line_reader *self, char **text, size_t *length, cnm_error *err);

/* Hands out the latest line again with the next one and the line end between them, for cells that go over several lines; its
 * bytes must be as they were. *text = NULL when there is no next one. */
cnm_status lines_join(line_reader *self, char **text, size_t *length, cnm_error *err);

/* Whole lines from where the reader stands without handing them out: about `wanted` bytes, at least the first two lines. */
cnm_status lines_peek(line_reader *self, size_t wanted, const char **bytes, size_t *size, cnm_error *err);

/* Puts "FILE:LINE: " before err's message; returns status. */
cnm_status lines_place(const line_reader *self, cnm_status status, cnm_error *err);

/* Bytes for a message: at most 40, in quotes, what is not printable as '?'. */
enum { SHOWN_SIZE = 48 };
const char *show(char out[SHOWN_SIZE], const char *text, size_t length);

#endif
