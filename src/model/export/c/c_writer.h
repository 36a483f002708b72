/* Writing C: a growing text that remembers its first failure, and tables of constants that count
 * their bytes. Inside the model module, for export_c*.c alone. */
#ifndef CNM_MODEL_EXPORT_C_C_WRITER_H
#define CNM_MODEL_EXPORT_C_C_WRITER_H

#include "base/core/error.h"
#include "base/text/text.h"

typedef struct c_writer {
    text_buffer *text;
    const char *name;  /* what @ stands for: the names that a program sees begin with it */
    const char *large; /* what $ stands for: the same in capitals */
    size_t flash;      /* bytes of the tables so far */
    /* About as many bytes of instructions, and of arrays and frames: measured with gcc -Os for a
     * Cortex-M4; tests/export/arm.sh checks them. */
    size_t code, stack;
    unsigned pieces;   /* called by what was written so far: export_c.h */
    cnm_status status; /* after a failure nothing more is added */
    cnm_error *err;
} c_writer;

/* Makes a call unless the writer has failed, and keeps its failure; true where all went well. */
#define EMIT_TRY(self, call) ((self)->status != CNM_OK ? false : ((self)->status = (call)) == CNM_OK)

/* Writes a piece of the program, @ and $ replaced. */
void emit(c_writer *self, const char *piece);
/* Formats, then writes as emit does; no doubles, whose text would follow the locale. */
void emit_format(c_writer *self, const char *format, ...) CNM_FORMAT(2, 3);

/* Write static const TYPE name[count] = {...}; nothing for a count of 0. Doubles are for other
 * files to see: not static. */
void emit_floats(c_writer *self, const char *name, const float *values, size_t count);
void emit_doubles(c_writer *self, const char *name, const double *values, size_t count);
void emit_halves(c_writer *self, const char *name, const uint16_t *values, size_t count);
void emit_bytes(c_writer *self, const char *name, const int8_t *values, size_t count);
void emit_counts(c_writer *self, const char *name, const uint32_t *values, size_t count);
void emit_octets(c_writer *self, const char *name, const uint8_t *values, size_t count);

/* Writes a float as C reads it back: 0.1f, 3.0f, -0.0f, 1e-07f. */
void emit_float(c_writer *self, float value);
/* Writes a double likewise, without a suffix. */
void emit_double(c_writer *self, double value);
/* Writes a string in quotes, other bytes than printable ASCII as octal. */
void emit_quoted(c_writer *self, const char *string);
/* Writes a text as it is, @ and $ included. */
void emit_plain(c_writer *self, const char *string);
/* Writes a text inside a comment: what could end it, and control characters, become underscores. */
void emit_remark(c_writer *self, const char *string);

#endif
