/* Lines of any length from a source, for the text formats. Only the files of this module use it. */
#ifndef CNM_DATA_READ_LINES_H
#define CNM_DATA_READ_LINES_H

#include "data/read/byte_source.h"

typedef struct line_reader {
    byte_source *source; /* borrowed */
    char *bytes;         /* bytes[start .. end) are read and not handed out yet */
    size_t capacity, start, end;
    size_t line;           /* number of the line handed out last, from 1; of several, the first */
    size_t handed, joined; /* start of that line in bytes; lines joined to it */
    bool ended, begun;
    bool clean;     /* the bytes were searched, and no NUL byte is among them */
    size_t padding; /* newlines that follow the bytes */
} line_reader;

/* Frees the bytes of a reader, which starts as zeros with the source set. */
void lines_free(line_reader *self);

/* Skips a byte order mark, which is not part of the first line. The functions below call this where
 * it was not called yet. */
cnm_status lines_begin(line_reader *self, cnm_error *err);

/* Reads the next line without its "\n" or "\r\n"; *text = NULL after the last. The bytes may be
 * changed by the caller and stay until the next call. A NUL byte is an error: the file is not
 * text. */
cnm_status lines_next(line_reader *self, char **text, size_t *length, cnm_error *err);

/* Hands out the latest line again with the next one and the line end between them, for cells that
 * go over several lines; its bytes must be as they were. *text = NULL when there is no next one. */
cnm_status lines_join(line_reader *self, char **text, size_t *length, cnm_error *err);

/* Returns whole lines from the current position without handing them out: about `wanted` bytes, at
 * least the first two lines. */
cnm_status lines_peek(line_reader *self, size_t wanted, const char **bytes, size_t *size, cnm_error *err);

/* Returns the end of the bytes that may be looked at, beyond the end of a line, too. */
const char *lines_limit(const line_reader *self);

/* Puts "FILE:LINE: " before err's message; returns status. */
cnm_status lines_position(const line_reader *self, cnm_status status, cnm_error *err);

enum { SHOWN_SIZE = 48 };

/* Writes bytes for a message: at most 40, in quotes, unprintable ones as '?'. */
const char *show(char out[SHOWN_SIZE], const char *text, size_t length);

#endif
