/* How rows are read. */
#ifndef CNM_DATA_READ_READER_OPTIONS_H
#define CNM_DATA_READ_READER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum missing_policy {
    MISSING_ERROR, /* the first batch with missing cells ends in an error that counts all of them */
    MISSING_KEEP   /* missing cells become NaN; the caller fills them */
} missing_policy;

/* The number that LIBSVM indices count from. */
typedef enum index_base {
    INDEX_UNKNOWN, /* detected: from 0 when index 0 is among the first rows */
    INDEX_FROM_ZERO,
    INDEX_FROM_ONE
} index_base;

/* Zero-initialised is a good default. Texts are borrowed. */
typedef struct reader_options {
    const char *format;        /* NULL or "auto", "libsvm", "csv", "arff", "npy", "idx" */
    const char *labels_path;   /* a second file of labels for npy, idx: the same, or text lines */
    const char *label_column;  /* NULL or "auto", "first", "last", "none", number from 1, name */
    const char *weight_column; /* NULL, a number from 1, or a name */
    const char *group_column;  /* NULL or "none", a number from 1, or a name */
    const char *id_column;     /* NULL, "row", a number from 1, or a name: kept in table.ids */
    const char *drop;          /* NULL, or columns to leave out: names or numbers from 1, by commas */
    const char *only;          /* NULL, or the only columns to take as features, likewise */
    const char *missing_words; /* NULL, or more texts that stand for a missing cell, by commas */
    const char *encoding;      /* NULL or "auto", "utf-8", "latin-1", "utf-16" */
    char decimal;              /* 0 detects, '.' or ',' */
    char separator;            /* csv: 0 detects among , ; tab | blank */
    int header;                /* csv: 0 detects, 1 there is one, -1 there is none */
    missing_policy missing;
    index_base index_base; /* libsvm */
    /* What a model expects: its columns (0: take those of the file), their names (may be NULL), and
     * the base to subtract from dense columns (may be NULL). With columns given, columns are
     * matched by name where both sides have names; otherwise `columns` of them mean unlabelled, one
     * more means labelled at label_column; a LIBSVM index beyond them is dropped and counted;
     * anything else is an error. */
    size_t columns;
    const char *const *names;
    const double *base;
    bool expects; /* the three fields above are set */
    /* Of a model with an encoder, else NULL: the columns above are the encoder's, and cells of text
     * are read as its types say. */
    const struct encoder *encoder;
    bool group_recalled; /* the group column is a model's: rows may lack it */
    uint64_t last_row;   /* rows behind this one, counted from 1, are not read; 0: all are */
    /* Only time and memory depend on these two. */
    size_t threads;    /* threads that read text, with the calling one; 0: all */
    size_t block_size; /* bytes of text that a thread reads at once; 0: 256 KiB */
} reader_options;

#endif
