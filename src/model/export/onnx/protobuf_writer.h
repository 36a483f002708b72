/* Writing protocol buffers: the four things that an ONNX file is made of (integers, bytes,
 * messages, arrays of floats). Inside the model module. docs/decisions/0019-export.md says why
 * there is no library for it. */
#ifndef CNM_MODEL_EXPORT_ONNX_PROTOBUF_WRITER_H
#define CNM_MODEL_EXPORT_ONNX_PROTOBUF_WRITER_H

#include "base/text/text.h"

/* A message being written; after a failure nothing more is added. Zero-initialise but for err; free
 * with protobuf_free. */
typedef struct protobuf_writer {
    text_buffer bytes;
    cnm_status status;
    cnm_error *err;
} protobuf_writer;

/* Makes a call unless the message has failed, and keeps its failure; true where all went well. */
#define PROTOBUF_TRY(self, call) ((self)->status != CNM_OK ? false : ((self)->status = (call)) == CNM_OK)

void protobuf_free(protobuf_writer *self);

/* Adds a field of type int64, enum or bool; negative numbers take ten bytes. */
void protobuf_add_number(protobuf_writer *self, unsigned field, int64_t value);
void protobuf_add_bytes(protobuf_writer *self, unsigned field, const void *bytes, size_t size);
void protobuf_add_text(protobuf_writer *self, unsigned field, const char *text);
/* Add little-endian arrays in a field of bytes. */
void protobuf_add_floats(protobuf_writer *self, unsigned field, const float *values, size_t count);
void protobuf_add_doubles(protobuf_writer *self, unsigned field, const double *values, size_t count);
void protobuf_add_integers(protobuf_writer *self, unsigned field, const int64_t *values, size_t count);
/* Appends inner as a field and ends it; a failure of inner becomes one of self. */
void protobuf_add_inner(protobuf_writer *self, unsigned field, protobuf_writer *inner);

#endif
