/* LIBSVM rows of one block of lines. Only the files of this module use it. */
#ifndef CNM_DATA_FORMATS_LIBSVM_BLOCK_H
#define CNM_DATA_FORMATS_LIBSVM_BLOCK_H

#include "data/read/line_blocks.h"
#include "data/table/table.h"

#define LIBSVM_INDICES 2147483648u /* 2^31 */

/* How all blocks of a file are read. */
typedef struct libsvm_rules {
    byte_source *source;  /* borrowed; for messages */
    bool may_lack_labels; /* rows may start with index:value */
    bool drop_labels;     /* label column none */
    bool labelled, known; /* known: the first row was seen, which decides */
} libsvm_rules;

typedef struct libsvm_block {
    line_block text;   /* its status is also that of the first bad line */
    bool labelled;     /* rows begin with a label */
    table rows;        /* indices as written */
    uint32_t *largest; /* (rows.rows) the largest index of each, as written; 0 for an empty row */
    size_t largest_capacity;
    /* The first row with index 0, which may be the one behind the last good row, or SIZE_MAX. Other
     * blocks decide whether index 0 is an error. */
    size_t zero_row, zero_line;
    char zero_word[SHOWN_SIZE];
} libsvm_block;

/* Finds out whether rows are labelled from the first row of the file: blocks come here in order. */
void libsvm_block_begin(libsvm_block *self, libsvm_rules *rules);
/* Reads the rows; different blocks at the same time. */
void libsvm_block_read(libsvm_block *self, const libsvm_rules *rules);
/* Leaves an empty block, which may be filled again. */
void libsvm_block_free(libsvm_block *self);

#endif
