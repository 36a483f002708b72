/* Whole files, written so that an interruption leaves the old one. */
#ifndef CNM_BASE_FILE_FILE_H
#define CNM_BASE_FILE_FILE_H

#include "cnm/types.h"

/* A file being written: bytes go to a temporary name beside `path`; file_commit syncs and renames
 * the file into place, file_abandon removes it. "-" writes to standard output. */
typedef struct file_writer file_writer;

cnm_status file_create(file_writer **out, const char *path, cnm_error *err);
cnm_status file_write(file_writer *self, const void *bytes, size_t size, cnm_error *err);
/* Syncs and renames; frees self in every case. */
cnm_status file_commit(file_writer *self, cnm_error *err);
void file_abandon(file_writer *self);

/* Removes the temporary files that killed programs left beside `path`. Only for use where no other
 * program can be writing this file. */
void file_sweep(const char *path);

/* Returns CNM_IO_FAILED with "cannot VERB PATH: " and the reason that errno holds. */
cnm_status file_fail(const char *verb, const char *path, cnm_error *err);

/* Reads the whole file into memory, with a NUL byte behind it. limit (in bytes) 0: none. The caller
 * frees with memory_free. */
cnm_status file_read_all(const char *path, size_t limit, unsigned char **bytes, size_t *size, cnm_error *err);

/* Reads the first bytes of a file, up to `size`; sets *count to how many, 0 where there is no such
 * file. */
cnm_status file_read_start(const char *path, void *bytes, size_t size, size_t *count, cnm_error *err);

#endif
