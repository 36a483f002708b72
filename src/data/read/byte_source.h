/* Bytes from a file, from standard input ("-") or from memory, gunzipped on the way when they start
 * with gzip's magic number (concatenated members too; a truncated or damaged stream is an error
 * that says so), and text of other encodings as UTF-8 where that is asked for. Knows nothing of
 * rows. */
#ifndef CNM_DATA_READ_BYTE_SOURCE_H
#define CNM_DATA_READ_BYTE_SOURCE_H

#include <stdbool.h>

#include "data/read/text_decoder.h"

typedef struct byte_source byte_source;

cnm_status byte_source_open(byte_source **out, const char *path, cnm_error *err);
/* Creates a source that borrows bytes; `name` is for messages. */
cnm_status byte_source_from_memory(byte_source **out, const void *bytes, size_t size, const char *name, cnm_error *err);
void byte_source_close(byte_source *self);

const char *byte_source_name(const byte_source *self);

/* Reads up to `size` bytes; *got = 0 only at the end. */
cnm_status byte_source_read(byte_source *self, void *buffer, size_t size, size_t *got, cnm_error *err);

/* Returns the first bytes (up to 64 KiB) without consuming them, for detecting the format. Only
 * before the first read. */
cnm_status byte_source_peek(byte_source *self, const unsigned char **bytes, size_t *size, cnm_error *err);

/* Gives text of this encoding as UTF-8 from here on, peeked bytes included. Only before the first
 * read, and once. */
cnm_status byte_source_decode(byte_source *self, text_encoding encoding, cnm_error *err);
/* Returns the encoding of the text as it is known so far; ENCODING_UTF8 for bytes that are not
 * decoded. May be called while another thread reads. */
text_encoding byte_source_encoding(const byte_source *self);

/* Returns how many of the stored (perhaps gzipped) bytes were read so far, and of how many; false
 * where that is not known. May be called while another thread reads. */
bool byte_source_progress(const byte_source *self, size_t *done, size_t *total);

/* Returns whether this is a plain regular file, not gzipped, whose bytes may be read at any offset,
 * and its size. The file is not mapped into memory: a file that is cut while it is read must be an
 * error, not a signal. */
bool byte_source_is_plain(const byte_source *self, size_t *size);
/* Reads up to `size` bytes of such a file from `offset` on, independently of the other reads; *got
 * = 0 only behind its end. */
cnm_status byte_source_read_at(byte_source *self, size_t offset, void *buffer, size_t size, size_t *got,
                               cnm_error *err);

#endif
