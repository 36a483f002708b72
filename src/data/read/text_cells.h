/* Cells of one line of separated values, and their meanings. Only the files of this module use
 * it. */
#ifndef CNM_DATA_READ_TEXT_CELLS_H
#define CNM_DATA_READ_TEXT_CELLS_H

#include <stdbool.h>
#include <stddef.h>

/* How cells are separated and quoted. The separator ' ' stands for runs of blanks and tabs; around
 * every other separator blanks are dropped. In quotes a doubled quote stands for itself (csv), or a
 * backslash makes the next character plain (arff). */
typedef struct cell_style {
    char separator;
    const char *quotes; /* characters that open and close a quoted cell */
    bool backslash;
} cell_style;

typedef struct cell {
    const char *text;
    size_t length;
    bool quoted, open; /* open: its quote is never closed */
} cell;

/* Cuts the cell at *at off the line that stops at end and moves *at behind its separator; *at =
 * NULL after the last cell. Quoted cells are decoded in place. Never reads *end. */
cell cell_next(const cell_style *style, char **at, char *end);

/* The state of a scan from the start of a row. Set separators (all of these bytes separate), the
 * rest is zero. */
typedef struct cell_scan {
    const char *separators;
    bool inside;  /* a quoted cell goes on */
    bool begun;   /* the cell has begun, so a quote is a plain byte */
    size_t cell;  /* number of the cell, from 0 */
    size_t lines; /* newlines passed */
    size_t quote; /* newlines passed before the latest opening quote */
} cell_scan;

/* Scans [at, end), with doubled quotes in cells quoted by ", without decoding. A doubled quote must
 * not be cut. */
void cell_scan_text(cell_scan *self, const char *at, const char *end);

/* Returns the start of the first cell of a line (leading blanks are no cell of blank-separated
 * lines), or NULL for an empty line. */
char *cell_first(const cell_style *style, char *line, char *end);

/* Reads a finite or infinite number that is the whole of the cell; returns false for others. */
bool cell_is_number(const cell *self, double *value);

/* Reads a feature's cell: a number, or true and false in any case, which are 1 and 0. */
bool cell_is_value(const cell *self, double *value);

static inline bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

/* Returns whether two texts, the first with its length, are the same but for the case of ASCII
 * letters. */
bool same_word(const char *text, size_t length, const char *word);

#endif
