/* Text of several encodings as UTF-8, while it is read: a stage behind gunzip. Knows nothing of
 * lines, but counts them for messages. Only the files of this module use it. */
#ifndef CNM_DATA_READ_TEXT_DECODER_H
#define CNM_DATA_READ_TEXT_DECODER_H

#include <stdbool.h>
#include <stddef.h>

#include "cnm/types.h"

typedef enum text_encoding {
    ENCODING_OPEN,   /* UTF-8, or Latin-1 if the first character that is not ASCII is not UTF-8 */
    ENCODING_UTF8,   /* bytes as they are */
    ENCODING_LATIN1, /* Windows-1252, which has letters where Latin-1 has control characters */
    ENCODING_UTF16_LE,
    ENCODING_UTF16_BE
} text_encoding;

typedef struct text_decoder text_decoder;

/* Reads up to `size` stored bytes from the stage before; *got = 0 only at the end. */
typedef cnm_status (*stored_read)(void *from, unsigned char *buffer, size_t size, size_t *got, cnm_error *err);

/* Creates a decoder of first (size), which are copied, and of what `read` gives behind them; name,
 * borrowed, is for messages. */
cnm_status text_decoder_create(text_decoder **out, text_encoding encoding, const unsigned char *first, size_t size,
                               stored_read read, void *from, const char *name, cnm_error *err);
void text_decoder_destroy(text_decoder *self);

/* Reads up to `size` bytes of UTF-8; *got = 0 only at the end. All text before a mistake comes
 * first. */
cnm_status text_decoder_read(text_decoder *self, unsigned char *buffer, size_t size, size_t *got, cnm_error *err);

/* Returns the encoding as it is known so far. May be called while another thread reads. */
text_encoding text_decoder_encoding(const text_decoder *self);

/* Returns whether the first bytes of a file are UTF-16, by the byte order mark or since every
 * second byte of some is 0, and the byte order. */
bool text_is_utf16(const unsigned char *bytes, size_t size, text_encoding *encoding);

#endif
