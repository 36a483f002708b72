/* Writing C: a growing text that remembers its first failure, and tables of constants that count their bytes. Inside the model
 * room, for export_c*.c alone. */
#ifndef CNM_MODEL_EXPORT_C_C_WRITER_H
#define CNM_MODEL_EXPORT_C_C_WRITER_H

#include "base/core/error.h"
#include "base/text/text.h"

typedef struct emitter {
    text_buffer *text;
    const char *name;  /* what @ stands for: the names that a program sees begin with it */
    const char *large; /* what $ stands for: the same in capitals */
    size_t flash;      /* bytes of the tables so far */
    size_t code;       /* about as many bytes of instructions, and ... */
    size_t
        stack; /* ... of arrays and frames: measured with gcc -Os for a Cortex-M4; tests/export/arm.sh holds them to it */
    unsigned pieces;   /* that what was written so far calls: export_c.h */
    cnm_status status; /* after a failure nothing more is added */
    cnm_error *err;
} emitter;

/* A piece of the program, @ and $ replaced. */
void emit(emitter *self, const char *piece);
/* Formatted, then as emit; no doubles, whose text would follow the locale. */
void emit_format(emitter *self, const char *format, ...) CNM_FORMAT(2, 3);

/* static const TYPE name[count] = {...}; count may be 0 for none at all. Doubles are for other files to see: not static. */
void emit_floats(emitter *self, const char *name, const float *values, size_t count);
void emit_doubles(emitter *self, const char *name, const double *values, size_t count);
void emit_halves(emitter *self, const char *name, const uint16_t *values, size_t count);
void emit_bytes(emitter *self, const char *name, const int8_t *values, size_t count);
void emit_octets(emitter *self, const char *name, const uint8_t *values, size_t count);

/* A float as C reads it back: 0.1f, 3.0f, -0.0f, 1e-07f. */
void emit_float(emitter *self, float value);
/* A string in its quotes, other bytes than printable ASCII as octal. */
void emit_quoted(emitter *self, const char *string);
/* A text as it is, @ and $ included. */
void emit_plain(emitter *self, const char *string);
/* A text inside a comment: what could end it, and control characters, become underscores. */
void emit_remark(emitter *self, const char *string);

#endif
