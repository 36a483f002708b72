/* Makes C identifiers from any text. */
#include "model/export/c/c_names.h"

#include <stdio.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"

enum { PART = 40 }; /* characters of a column's name or of a word that are kept */

static bool is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }
static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/* Fills out (PART + 1) with what C takes of a text, which may be nothing. */
static void clean(const char *text, char *out) {
    size_t length = 0;
    for (; *text != '\0' && length < PART; text++) {
        if (is_letter(*text) || is_digit(*text)) {
            out[length++] = *text;
        } else if (length > 0 && out[length - 1] != '_') {
            out[length++] = '_';
        }
    }
    while (length > 0 && out[length - 1] == '_') {
        length--;
    }
    out[length] = '\0';
}

static void make_large(char *text) {
    for (; *text != '\0'; text++) {
        *text = (char)(*text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text);
    }
}

/* Keywords of C and C++, macros of common headers, and the tag of the struct itself. */
static bool is_reserved(const char *name) {
    static const char WORDS[] =
        " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class "
        "columns compl complex concept const const_cast consteval constexpr constinit continue co_await co_return "
        "co_yield decltype default delete do double dynamic_cast else enum errno explicit export extern false far "
        "float for friend goto if imaginary inline int interface linux long max min mutable namespace near new "
        "noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires "
        "restrict return short signed sizeof small static static_assert static_cast stderr stdin stdout struct switch "
        "template this thread_local throw true try typedef typeid typename typeof typeof_unqual union unix unsigned "
        "using virtual void volatile wchar_t while xor xor_eq ASSERT EOF I INFINITY NAN NULL PI abs assert "
        "isfinite isinf isnan offsetof ";
    char framed[C_NAME_SIZE + 2];
    (void)snprintf(framed, sizeof framed, " %s ", name);
    return strstr(WORDS, framed) != NULL;
}

/* Puts a number behind a name that is taken, from 2 on, and takes the result. */
static cnm_status take(dictionary *taken, char name[C_NAME_SIZE], cnm_error *err) {
    int32_t code;
    const size_t length = strlen(name);
    const char *glue = name[length - 1] == '_' ? "" : "_";
    for (size_t i = 2; dictionary_find(taken, name, strlen(name)) >= 0; i++) {
        (void)snprintf(name + length, C_NAME_SIZE - length, "%s%zu", glue, i);
    }
    return dictionary_add(taken, name, strlen(name), &code, err);
}

/* Names a column: column_3 where its name has no letter to begin with. */
static void name_member(const column_encoding *column, size_t number, char out[C_NAME_SIZE]) {
    char text[PART + 1] = "";
    if (column->name != NULL) {
        clean(column->name, text);
    }
    if (text[0] == '\0') {
        (void)snprintf(out, C_NAME_SIZE, "column_%zu", number + 1);
    } else {
        (void)snprintf(out, C_NAME_SIZE, "%s%s%s", is_letter(text[0]) ? "" : "column_", text,
                       is_reserved(text) ? "_" : "");
    }
}

static cnm_status name_all(c_names *self, const encoder *columns, dictionary *members, dictionary *stems,
                           cnm_error *err) {
    for (size_t j = 0; j < columns->columns; j++) {
        const column_encoding *column = &columns->column[j];
        self->members[j][0] = self->stems[j][0] = '\0';
        if (column->use != COLUMN_USED) {
            continue;
        }
        name_member(column, j, self->members[j]);
        TRY(take(members, self->members[j], err));
        memcpy(self->stems[j], self->members[j], C_NAME_SIZE);
        make_large(self->stems[j]);
        TRY(take(stems, self->stems[j], err));
    }
    return CNM_OK;
}

cnm_status c_names_create(c_names *out, const encoder *columns, cnm_error *err) {
    dictionary members = {0}, stems = {0};
    cnm_status status;
    *out = (c_names){0};
    TRY_DONE(memory_take(&out->members, columns->columns, sizeof *out->members, "names", err));
    TRY_DONE(memory_take(&out->stems, columns->columns, sizeof *out->stems, "names", err));
    TRY_DONE(name_all(out, columns, &members, &stems, err));
done:
    dictionary_free(&members);
    dictionary_free(&stems);
    if (status != CNM_OK) {
        c_names_free(out);
    }
    return status;
}

void c_names_free(c_names *self) {
    memory_free(self->members);
    memory_free(self->stems);
    dictionary_free(&self->taken);
    *self = (c_names){0};
}

cnm_status c_names_constant(c_names *self, size_t column, const char *word, char out[C_NAME_SIZE], cnm_error *err) {
    char text[PART + 1];
    clean(word, text);
    make_large(text);
    (void)snprintf(out, C_NAME_SIZE, "%s_%s", self->stems[column], text[0] == '\0' ? "WORD" : text);
    return take(&self->taken, out, err);
}
