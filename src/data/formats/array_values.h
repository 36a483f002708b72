/* Rows of numbers stored as an array of one element type: the common part of npy and idx. Only the
 * files of this module use it. */
#ifndef CNM_DATA_FORMATS_ARRAY_VALUES_H
#define CNM_DATA_FORMATS_ARRAY_VALUES_H

#include "data/read/byte_source.h"

typedef struct array_layout {
    char kind;   /* 'f', 'i' or 'u' */
    size_t size; /* bytes of an element */
    bool big_endian, fortran;
    size_t dimensions, rows, columns; /* further dimensions are flattened into columns */
    size_t offset;                    /* of the first element in the file */
} array_layout;

/* Reads the header at the start of a file: npy.c and idx.c. */
cnm_status npy_layout(array_layout *out, const unsigned char *bytes, size_t size, const char *file, cnm_error *err);
cnm_status idx_layout(array_layout *out, const unsigned char *bytes, size_t size, const char *file, cnm_error *err);
int npy_recognise(const unsigned char *bytes, size_t size, const char *path);
int idx_recognise(const unsigned char *bytes, size_t size, const char *path);

typedef struct array_values {
    byte_source *source; /* borrowed */
    array_layout layout;
    bool plain; /* a plain file, which is as long as its header says */
    /* Some rows, element by element or, in Fortran order, column by column; all rows of a stream in
     * Fortran order. */
    unsigned char *buffer;
    size_t capacity, row;
    size_t held, held_at; /* rows in buffer, and the next of them */
} array_values;

/* Checks that the bytes are there, as far as that can be known: all of a plain file's, the first
 * row of a stream's. Never allocates more for a header's claims than the bytes support. */
cnm_status array_values_open(array_values *out, byte_source *input, const array_layout *layout, cnm_error *err);
void array_values_free(array_values *self);

/* Reads the next row into out (columns); *more = false after the last. */
cnm_status array_values_next(array_values *self, double *out, bool *more, cnm_error *err);

/* Returns whether every element is exactly a float. */
bool array_is_exact(const array_layout *layout);

#endif
