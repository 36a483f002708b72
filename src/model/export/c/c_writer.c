/* Writes C: pieces with names filled in, tables, literals. */
#include "model/export/c/c_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 100, PIECE_SIZE = 512 }; /* characters of a line of a table; of a formatted piece */

static void add(c_writer *self, const char *bytes, size_t length) {
    (void)EMIT_TRY(self, text_add(self->text, bytes, length, self->err));
}

void emit(c_writer *self, const char *piece) {
    while (*piece != '\0') {
        const size_t plain = strcspn(piece, "@$");
        add(self, piece, plain);
        piece += plain;
        if (*piece != '\0') {
            const char *word = *piece == '@' ? self->name : self->large;
            add(self, word, strlen(word));
            piece++;
        }
    }
}

void emit_format(c_writer *self, const char *format, ...) {
    char piece[PIECE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof piece) {
        (void)EMIT_TRY(
            self, error_set(self->err, CNM_UNSUPPORTED, "a piece of C of %d characters cannot be written", length));
    }
    emit(self, piece);
}

/* ---- Literals ---- */

static void add_literal(c_writer *self, char text[TEXT_DOUBLE_SIZE], size_t length, const char *suffix) {
    add(self, text, length);
    if (strpbrk(text, ".e") == NULL) {
        add(self, ".0", 2);
    }
    add(self, suffix, strlen(suffix));
}

void emit_float(c_writer *self, float value) {
    char text[TEXT_DOUBLE_SIZE];
    add_literal(self, text, text_from_float(text, value), "f");
}

void emit_double(c_writer *self, double value) {
    char text[TEXT_DOUBLE_SIZE];
    add_literal(self, text, text_from_double(text, value), "");
}

void emit_quoted(c_writer *self, const char *string) {
    add(self, "\"", 1);
    for (; *string != '\0'; string++) {
        const unsigned char byte = (unsigned char)*string;
        if (byte < 0x20 || byte >= 0x7f || strchr("\"\\?@$", byte) != NULL) { /* ?: trigraphs */
            const char octal[4] = {'\\', (char)('0' + (byte >> 6)), (char)('0' + (byte >> 3 & 7)),
                                   (char)('0' + (byte & 7))};
            add(self, octal, sizeof octal);
        } else {
            add(self, string, 1);
        }
    }
    add(self, "\"", 1);
}

void emit_plain(c_writer *self, const char *string) { add(self, string, strlen(string)); }

void emit_remark(c_writer *self, const char *string) {
    for (; *string != '\0'; string++) {
        const unsigned char byte = (unsigned char)*string;
        const bool risky = byte < 0x20 || byte == 0x7f || byte == '*' || byte == '\\' || byte == '?' || byte == '/';
        add(self, risky ? "_" : string, 1);
    }
}

/* ---- Tables ---- */

/* Writes one element of an array as text; returns the length. */
typedef size_t element_text(const void *values, size_t i, char out[TEXT_DOUBLE_SIZE + 8]);

static size_t with_point(char *out, size_t length, const char *suffix) {
    const char *point = strpbrk(out, ".e") == NULL ? ".0" : "";
    strcpy(out + length, point);
    strcat(out, suffix);
    return strlen(out);
}

static size_t float_text(const void *values, size_t i, char out[TEXT_DOUBLE_SIZE + 8]) {
    return with_point(out, text_from_float(out, ((const float *)values)[i]), "f");
}

static size_t double_text(const void *values, size_t i, char out[TEXT_DOUBLE_SIZE + 8]) {
    return with_point(out, text_from_double(out, ((const double *)values)[i]), "");
}

static size_t half_text(const void *values, size_t i, char out[TEXT_DOUBLE_SIZE + 8]) {
    return (size_t)snprintf(out, TEXT_DOUBLE_SIZE, "%u", (unsigned)((const uint16_t *)values)[i]);
}

static size_t byte_text(const void *values, size_t i, char out[TEXT_DOUBLE_SIZE + 8]) {
    return (size_t)snprintf(out, TEXT_DOUBLE_SIZE, "%d", (int)((const int8_t *)values)[i]);
}

static size_t octet_text(const void *values, size_t i, char out[TEXT_DOUBLE_SIZE + 8]) {
    return (size_t)snprintf(out, TEXT_DOUBLE_SIZE, "%u", (unsigned)((const uint8_t *)values)[i]);
}

static size_t count_text(const void *values, size_t i, char out[TEXT_DOUBLE_SIZE + 8]) {
    return (size_t)snprintf(out, TEXT_DOUBLE_SIZE, "%lu", (unsigned long)((const uint32_t *)values)[i]);
}

typedef struct table_kind {
    const char *type;
    size_t size; /* of an element on the target */
    element_text *text;
} table_kind;

static void emit_table(c_writer *self, const table_kind *kind, const char *name, const void *values, size_t count) {
    if (count == 0) {
        return;
    }
    emit_format(self, "%s %s[%zu] = {", kind->type, name, count);
    size_t column = LINE;
    for (size_t i = 0; i < count; i++) {
        char text[TEXT_DOUBLE_SIZE + 8];
        const size_t length = kind->text(values, i, text);
        const bool next_line = column + length + 2 > LINE;
        add(self, next_line ? "\n    " : " ", next_line ? 5 : 1);
        column = next_line ? 4 : column + 1;
        add(self, text, length);
        add(self, ",", 1);
        column += length + 1;
    }
    add(self, "\n};\n", 4);
    self->flash += count * kind->size;
}

void emit_floats(c_writer *self, const char *name, const float *values, size_t count) {
    emit_table(self, &(table_kind){"static const float", 4, float_text}, name, values, count);
}

void emit_doubles(c_writer *self, const char *name, const double *values, size_t count) {
    emit_table(self, &(table_kind){"const double", 8, double_text}, name, values, count);
}

void emit_halves(c_writer *self, const char *name, const uint16_t *values, size_t count) {
    emit_table(self, &(table_kind){"static const uint16_t", 2, half_text}, name, values, count);
}

void emit_bytes(c_writer *self, const char *name, const int8_t *values, size_t count) {
    emit_table(self, &(table_kind){"static const int8_t", 1, byte_text}, name, values, count);
}

void emit_counts(c_writer *self, const char *name, const uint32_t *values, size_t count) {
    emit_table(self, &(table_kind){"static const uint32_t", 4, count_text}, name, values, count);
}

void emit_octets(c_writer *self, const char *name, const uint8_t *values, size_t count) {
    emit_table(self, &(table_kind){"static const uint8_t", 1, octet_text}, name, values, count);
}
