/* Writing protocol buffers: the four things that an ONNX file is made of (integers, bytes, messages, arrays of floats). Inside the
 * model room. docs/decisions/0019-export.md says why there is no library for it. */
#ifndef CNM_MODEL_EXPORT_ONNX_PROTOBUF_WRITER_H
#define CNM_MODEL_EXPORT_ONNX_PROTOBUF_WRITER_H

#include "base/text/text.h"

/* A message being written; after a failure nothing more is added. Zero-initialise but for err; free with message_free. */
typedef struct message {
    text_buffer bytes;
    cnm_status status;
    cnm_error *err;
} message;

void message_free(message *self);

/* A field of type int64, enum or bool; negative numbers take ten bytes. */
void message_add_number(message *self, unsigned field, int64_t value);
void message_add_bytes(message *self, unsigned field, const void *bytes, size_t size);
void message_add_text(message *self, unsigned field, const char *text);
/* Little-endian arrays in a field of bytes. */
void message_add_floats(message *self, unsigned field, const float *values, size_t count);
void message_add_doubles(message *self, unsigned field, const double *values, size_t count);
void message_add_integers(message *self, unsigned field, const int64_t *values, size_t count);
/* Appends inner as a field and ends it; a failure of inner becomes one of self. */
void message_add_message(message *self, unsigned field, message *inner);

#endif
