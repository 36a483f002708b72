/* Bytes from a file, from standard input ("-") or from memory, gunzipped on the way when they start with gzip's magic
 * number (concatenated members too; a truncated or damaged stream is an error that says so). Knows nothing of rows. */
#ifndef CNM_DATA_READ_BYTE_SOURCE_H
#define CNM_DATA_READ_BYTE_SOURCE_H

#include <stdbool.h>

#include "cnm/types.h"

typedef struct source source;

cnm_status source_open(source **out, const char *path, cnm_error *err);
/* Borrows bytes; `name` is for messages. */
cnm_status source_from_memory(source **out, const void *bytes, size_t size, const char *name, cnm_error *err);
void source_close(source *self);

const char *source_name(const source *self);

/* Up to `size` bytes; *got = 0 only at the end. */
cnm_status source_read(source *self, void *buffer, size_t size, size_t *got, cnm_error *err);

/* The first bytes (up to 64 KiB) without consuming them: for telling the format. Only before the first source_read. */
cnm_status source_peek(source *self, const unsigned char **bytes, size_t *size, cnm_error *err);

/* How many of the stored (gzipped, where they are) bytes were read so far, and of how many; false where that is not known.
 * May be asked while another thread reads. */
bool source_progress(const source *self, size_t *done, size_t *total);

/* Whether this is a plain regular file, not gzipped, whose bytes may be read at any place, and how many it has. It is not mapped
 * into memory: a file that is cut while it is read must be an error, not a signal. */
bool source_is_plain(const source *self, size_t *size);
/* Up to `size` bytes of such a file from `place` on, wherever source_read stands; *got = 0 only behind its end. */
cnm_status source_read_at(source *self, size_t place, void *buffer, size_t size, size_t *got, cnm_error *err);

#endif
