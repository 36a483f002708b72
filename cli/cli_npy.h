/* Writes a matrix of float32 into an .npy file when the number of rows is known only at the end. */
#ifndef CNM_CLI_CLI_NPY_H
#define CNM_CLI_CLI_NPY_H

#include "output_file.h"

typedef struct npy {
    output output;
    FILE *spool; /* where the rows wait when the output cannot go back to its header; else NULL */
    size_t rows, columns;
} npy;

/* Opens the file; npy_file_commit or npy_file_abandon is due then, whatever the status. */
cnm_status npy_file_open(npy *self, const char *path, size_t columns, cnm_error *error);
/* Appends values (rows, columns). */
cnm_status npy_file_add(npy *self, const float *values, size_t rows, cnm_error *error);
/* Completes the file. Ends `self` in every case. */
cnm_status npy_file_commit(npy *self, cnm_error *error);
/* Removes what was written. Does nothing for a `self` that is zero-initialised or ended. */
void npy_file_abandon(npy *self);

#endif
