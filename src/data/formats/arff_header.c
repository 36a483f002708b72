/* The header of ARFF and KEEL files:
 *
 *   @relation NAME                     ignored
 *   @attribute NAME numeric            also real, integer; KEEL adds a range: real[0, 1]
 *   @attribute NAME {a, b, c}          nominal: words, or numbers when all values are
 *   @attribute NAME string             words
 *   @attribute NAME date               times, as ISO 8601 writes them
 *   @inputs A, B    @outputs C         KEEL: C is the label
 *   @data
 *
 * Keywords in any case, % starts a comment line. */
#include "data/formats/arff_header.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/read/column_roles.h"

void arff_header_free(arff_header *self) {
    for (size_t j = 0; j < self->count; j++) {
        memory_free(self->names[j]);
        arff_nominal_free(&self->attributes[j].values);
    }
    memory_free(self->names);
    memory_free(self->types);
    memory_free(self->attributes);
    memory_free(self->output);
    *self = (arff_header){0};
}

size_t arff_header_label(const arff_header *self, const char **reason) {
    *reason = "the output";
    for (size_t j = 0; self->output != NULL && j < self->count; j++) {
        if (same_word(self->names[j], strlen(self->names[j]), self->output)) {
            return j;
        }
    }
    const size_t named = column_find_label(self->count, self->names, NULL, false);
    *reason = named != NO_COLUMN ? "by its name" : "the last attribute";
    return named != NO_COLUMN ? named : self->count > 1 ? self->count - 1 : NO_COLUMN;
}

static cnm_status header_error(const line_reader *lines, const char *at, const char *end, const char *expected,
                               cnm_error *err) {
    char shown[SHOWN_SIZE];
    (void)error_set(err, CNM_BAD_FORMAT, "found %s, expected %s", show(shown, at, (size_t)(end - at)), expected);
    return lines_position(lines, CNM_BAD_FORMAT, err);
}

static cnm_status copy_bytes(char **out, const char *text, size_t length, cnm_error *err) {
    TRY(memory_take(out, length + 1, 1, "names", err));
    memcpy(*out, text, length);
    (*out)[length] = '\0';
    return CNM_OK;
}

static char *skip(char *at, const char *end) {
    while (at < end && is_blank(*at)) {
        at++;
    }
    return at;
}

/* Cuts off an attribute's name: quoted, or up to a blank or the brace of its values. Returns the
 * text behind the name, or NULL without a name. */
static char *cut_name(char *at, char *end, cell *name) {
    *name = (cell){.text = at};
    if (at < end && (*at == '\'' || *at == '"')) {
        const cell_style word = {.separator = ' ', .quotes = "'\"", .backslash = true};
        char *rest = at;
        *name = cell_next(&word, &rest, end);
        return name->open ? NULL : rest;
    }
    while (at < end && !is_blank(*at) && *at != '{') {
        at++;
    }
    name->length = (size_t)(at - name->text);
    return name->length > 0 ? at : NULL;
}

/* Reads {a, b, c}: numbers when every value is one. */
static cnm_status read_nominal(arff_attribute *out, column_type *type, char *at, char *end, const line_reader *lines,
                               cnm_error *err) {
    char *close = arff_nominal_end(at, end);
    if (close == NULL) {
        return header_error(lines, at, end, "values in braces: {a, b, c}", err);
    }
    TRY(arff_nominal_read(&out->values, at + 1, close, err));
    type->kind = out->values.numbers == NULL ? COLUMN_WORDS : COLUMN_NUMBER;
    return CNM_OK;
}

/* Reads the type of an attribute. Dates are read as ISO 8601 has them, which is Weka's default. */
static cnm_status read_type(arff_attribute *out, column_type *type, char *at, char *end, const line_reader *lines,
                            cnm_error *err) {
    static const struct {
        const char *word;
        column_kind kind;
        bool refused;
    } TYPES[] = {{"numeric", COLUMN_NUMBER, false},  {"real", COLUMN_NUMBER, false},  {"integer", COLUMN_NUMBER, false},
                 {"double", COLUMN_NUMBER, false},   {"string", COLUMN_WORDS, false}, {"date", COLUMN_TIME, false},
                 {"relational", COLUMN_NUMBER, true}};
    at = skip(at, end);
    if (at < end && *at == '{') {
        return read_nominal(out, type, at, end, lines, err);
    }
    const char *stop = at;
    while (stop < end && !is_blank(*stop) && *stop != '[') {
        stop++;
    }
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        if (same_word(at, (size_t)(stop - at), TYPES[i].word)) {
            out->refused = TYPES[i].refused;
            *type = (column_type){.kind = TYPES[i].kind};
            return CNM_OK;
        }
    }
    return header_error(lines, at, stop, "a type: numeric, real, integer, string, date or {values}", err);
}

static cnm_status read_attribute(arff_header *self, char *at, char *end, const line_reader *lines, cnm_error *err) {
    cell name;
    char *rest = cut_name(at, end, &name);
    if (rest == NULL) {
        return header_error(lines, at, end, "@attribute NAME TYPE", err);
    }
    const size_t count = self->count + 1;
    TRY(memory_grow(&self->names, &self->names_capacity, count, sizeof *self->names, "names", err));
    TRY(memory_grow(&self->attributes, &self->attributes_capacity, count, sizeof *self->attributes, "names", err));
    TRY(memory_grow(&self->types, &self->types_capacity, count, sizeof *self->types, "names", err));
    TRY(copy_bytes(&self->names[self->count], name.text, name.length, err));
    self->attributes[self->count] = (arff_attribute){.line = lines->line};
    self->types[self->count] = (column_type){.kind = COLUMN_NUMBER};
    self->count++;
    return read_type(&self->attributes[count - 1], &self->types[count - 1], rest, end, lines, err);
}

static cnm_status read_output(arff_header *self, char *at, char *end, const line_reader *lines, cnm_error *err) {
    if (self->output != NULL || memchr(at, ',', (size_t)(end - at)) != NULL) {
        return header_error(lines, at, end, "one output", err);
    }
    const cell name = cell_next(&ARFF_STYLE, &at, end);
    return copy_bytes(&self->output, name.text, name.length, err);
}

/* Reads one @ line; *done at @data. */
static cnm_status read_line(arff_header *self, char *at, char *end, const line_reader *lines, bool *done,
                            cnm_error *err) {
    char *rest = at;
    while (rest < end && !is_blank(*rest)) {
        rest++;
    }
    const size_t length = (size_t)(rest - at);
    rest = skip(rest, end);
    if (same_word(at, length, "@attribute")) {
        return read_attribute(self, rest, end, lines, err);
    }
    if (same_word(at, length, "@output") || same_word(at, length, "@outputs")) {
        return read_output(self, rest, end, lines, err);
    }
    *done = same_word(at, length, "@data");
    if (*done || same_word(at, length, "@relation") || same_word(at, length, "@input") ||
        same_word(at, length, "@inputs")) {
        return CNM_OK;
    }
    return header_error(lines, at, end, "@relation, @attribute, @inputs, @outputs or @data", err);
}

static cnm_status read_header(arff_header *out, line_reader *lines, cnm_error *err) {
    for (bool done = false; !done;) {
        char *line;
        size_t length;
        TRY(lines_next(lines, &line, &length, err));
        if (line == NULL) {
            return error_set(err, CNM_BAD_FORMAT, "%s: found the end of the file, expected a line @data",
                             byte_source_name(lines->source));
        }
        char *end = line + length, *at = skip(line, end);
        if (at < end && *at != '%') {
            TRY(read_line(out, at, end, lines, &done, err));
        }
    }
    if (out->count == 0) {
        (void)error_set(err, CNM_BAD_FORMAT, "found @data, expected lines @attribute before it");
        return lines_position(lines, CNM_BAD_FORMAT, err);
    }
    return CNM_OK;
}

cnm_status arff_header_read(arff_header *out, line_reader *lines, cnm_error *err) {
    *out = (arff_header){0};
    const cnm_status status = read_header(out, lines, err);
    if (status != CNM_OK) {
        arff_header_free(out);
    }
    return status;
}
