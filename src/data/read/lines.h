/* Lines of any length from a source: the ground under the text formats. Only the files of this room use it. */
#ifndef CNM_DATA_READ_LINES_H
#define CNM_DATA_READ_LINES_H

#include "data/read/byte_source.h"

typedef struct line_reader {
    source *source; /* borrowed */
    char *bytes;    /* bytes[start .. end) are read and not handed out yet */
    size_t capacity, start, end;
    size_t line;           /* number of the line handed out last, from 1; of several, the first */
    size_t handed, joined; /* where it starts; lines joined to it */
    bool ended, begun;
    bool clean;     /* no NUL byte is among the bytes: it was looked for */
    size_t padding; /* newlines that follow the bytes */
} line_reader;

/* Zero-initialise with the source set. */
void lines_free(line_reader *self);

/* Passes over a byte order mark, which is not part of the first line. The functions below do it where it was not done. */
cnm_status lines_begin(line_reader *self, cnm_error *err);

/* The next line without its "\n" or "\r\n"; *text = NULL after the last. The bytes may be changed by the caller and stay until
 * the next call. A NUL byte is an error: the file is not text. */
cnm_status lines_next(line_reader *self, char **text, size_t *length, cnm_error *err);

/* Hands out the latest line again with the next one and the line end between them, for cells that go over several lines; its
 * bytes must be as they were. *text = NULL when there is no next one. */
cnm_status lines_join(line_reader *self, char **text, size_t *length, cnm_error *err);

/* Whole lines from where the reader stands without handing them out: about `wanted` bytes, at least the first two lines. */
cnm_status lines_peek(line_reader *self, size_t wanted, const char **bytes, size_t *size, cnm_error *err);

/* A block of whole lines and where it stands. Zero-initialise; free bytes with memory_free. */
enum { LINES_PADDING = 96 };
typedef struct text_block {
    char *bytes; /* (size), and LINES_PADDING newlines */
    size_t capacity, size;
    size_t line;       /* number of the first line */
    bool last;         /* nothing follows */
    cnm_status status; /* why: not CNM_OK when the bytes behind these could not be read */
    cnm_error err;
} text_block;

/* The next lines, about `wanted` bytes of them (0: 256 KiB) or the first alone where that is longer; false when there is nothing, not even
 * an error. Continues behind what was handed out; the lines are then the block's, so lines_join must not follow. */
bool lines_block(line_reader *self, size_t wanted, text_block *out);
/* How many blocks may be in memory at once, where `count` of the usual size may: fewer when this one is larger. */
size_t lines_block_share(const text_block *self, size_t count);
/* Whether a block is so large that its memory is better given back than kept for others. */
bool lines_block_is_large(const text_block *self);
/* Adds more lines to the block, at least as many bytes again. */
void lines_more(line_reader *self, text_block *out);
/* Takes back all but the first `kept` bytes of the latest block; they begin with a line. */
void lines_back(line_reader *self, text_block *out, size_t kept);
/* Reads the lines of a block; borrows all. */
line_reader lines_of_block(source *input, const text_block *block);

/* Bytes before this place may be looked at, beyond the end of a line too. */
const char *lines_limit(const line_reader *self);

/* Puts "FILE:LINE: " before err's message; returns status. */
cnm_status lines_place(const line_reader *self, cnm_status status, cnm_error *err);

/* Bytes for a message: at most 40, in quotes, what is not printable as '?'. */
enum { SHOWN_SIZE = 48 };
const char *show(char out[SHOWN_SIZE], const char *text, size_t length);

#endif
