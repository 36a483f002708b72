/* Blocks of whole lines, which any thread may parse. Only the files of this module use it. */
#ifndef CNM_DATA_READ_LINE_BLOCKS_H
#define CNM_DATA_READ_LINE_BLOCKS_H

#include "data/read/lines.h"

enum { LINES_PADDING = 96 };

/* A block of whole lines. Zero-initialise; free bytes with memory_free. */
typedef struct line_block {
    char *bytes; /* (size), and LINES_PADDING newlines */
    size_t capacity, size;
    size_t line;       /* number of the first line */
    bool last;         /* nothing follows */
    cnm_status status; /* not CNM_OK when the bytes behind these could not be read */
    cnm_error err;
} line_block;

/* Reads the next lines, about `wanted` bytes of them (0: 256 KiB), or the first alone where that is
 * longer; returns false when there is neither a line nor an error. Continues behind what was handed
 * out; the lines are then the block's, so lines_join must not follow. */
bool line_block_read(line_reader *self, size_t wanted, line_block *out);
/* Returns how many blocks may be in memory at once, where `count` of the usual size may: fewer when
 * this one is larger. */
size_t line_block_share(const line_block *self, size_t count);
/* Returns whether a block is so large that its memory is better freed than kept for others. */
bool line_block_is_large(const line_block *self);
/* Adds more lines to the block, at least as many bytes again. */
void line_block_extend(line_reader *self, line_block *out);
/* Takes back all but the first `kept` bytes of the latest block; they begin with a line. */
void line_block_cut(line_reader *self, line_block *out, size_t kept);
/* Returns a reader of the lines of a block; borrows both arguments. */
line_reader line_block_reader(byte_source *input, const line_block *block);

#endif
