/* An encoder as JSON:
 *
 *   {"columns": [{"name": "city", "kind": "words", "words": ["Bonn", "Kiel"], "other": 1}, ...]}
 *
 *   key                 value; absent where it is what stands in brackets
 *   name                text [none]
 *   kind                number, words, time [number]
 *   use                 constant, empty, row id, all different [used]: why there is no feature
 *   base                a number, as text [0]
 *   decimal, thousands  a character each [none]
 *   units, indicator    1 [0]
 *   order               of a time's parts: the number of a time_order [0]
 *   words               a list, in order of the words' bytes [empty]
 *   other               1 [0]
 *
 * Features and their names follow from that. What is read may be hostile: everything is checked. */
#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/json.h"
#include "base/text/text.h"
#include "data/encode/encoder_parts.h"
#include "data/table/table_types.h"

static const char *const KINDS[] = {"number", "words", "time", NULL};
static const char *const USES[] = {"used", "constant", "empty", "row id", "all different", NULL};
static const char DECIMALS[] = ".,", THOUSANDS[] = ",. '_";

/* ---- Writing ---- */

static cnm_status add_key(text_buffer *out, const char *key, cnm_error *err) {
    TRY(text_add_string(out, out->bytes[out->length - 1] == '{' ? "" : ", ", err));
    TRY(text_add_json(out, key, err));
    return text_add_string(out, ": ", err);
}

static cnm_status add_text(text_buffer *out, const char *key, const char *value, bool absent, cnm_error *err) {
    if (absent) {
        return CNM_OK;
    }
    TRY(add_key(out, key, err));
    return text_add_json(out, value, err);
}

static cnm_status add_count(text_buffer *out, const char *key, uint64_t value, cnm_error *err) {
    if (value == 0) {
        return CNM_OK;
    }
    TRY(add_key(out, key, err));
    return text_add_count(out, value, err);
}

static cnm_status add_words(text_buffer *out, const dictionary *words, cnm_error *err) {
    if (words->count == 0) {
        return CNM_OK;
    }
    TRY(add_key(out, "words", err));
    for (size_t i = 0; i < words->count; i++) {
        TRY(text_add_string(out, i == 0 ? "[" : ", ", err));
        TRY(text_add_json(out, words->texts[i], err));
    }
    return text_add_string(out, "]", err);
}

static cnm_status add_column(text_buffer *out, const column_encoding *column, cnm_error *err) {
    const cell_format *format = &column->type.format;
    char base[TEXT_DOUBLE_SIZE];
    base[text_from_double(base, column->base)] = '\0';
    TRY(text_add_string(out, "{", err));
    TRY(add_text(out, "name", column->name, column->name == NULL, err));
    TRY(add_text(out, "kind", KINDS[column->type.kind], column->type.kind == COLUMN_NUMBER, err));
    TRY(add_text(out, "use", USES[column->use], column->use == COLUMN_USED, err));
    TRY(add_text(out, "base", base, column->base == 0.0, err));
    TRY(add_text(out, "decimal", (char[]){format->decimal, '\0'}, format->decimal == '\0', err));
    TRY(add_text(out, "thousands", (char[]){format->thousands, '\0'}, format->thousands == '\0', err));
    TRY(add_count(out, "units", format->units, err));
    TRY(add_count(out, "order", format->order, err));
    TRY(add_words(out, &column->type.words, err));
    TRY(add_count(out, "other", column->other, err));
    TRY(add_count(out, "indicator", column->indicator, err));
    return text_add_string(out, "}", err);
}

cnm_status encoder_to_text(const encoder *self, char **out, cnm_error *err) {
    text_buffer text = {0};
    cnm_status status = CNM_OK;
    *out = NULL;
    TRY_DONE(text_add_string(&text, "{\"columns\": [", err));
    for (size_t j = 0; j < self->columns; j++) {
        TRY_DONE(text_add_string(&text, j == 0 ? "" : ",\n", err));
        TRY_DONE(add_column(&text, &self->column[j], err));
    }
    TRY_DONE(text_add_string(&text, "]}", err));
    TRY_DONE(memory_copy_text(out, text.bytes, err));
done:
    text_free(&text);
    return status;
}

/* ---- Reading ---- */

/* One walk through the text. */
typedef struct walk {
    json_cursor cursor;
    column_encoding *column;
    size_t count, capacity;
} walk;

/* Reads a string into memory of its own. */
static cnm_status read_string(walk *self, char **out) {
    const json_cursor start = self->cursor;
    size_t length;
    TRY(json_string(&self->cursor, NULL, 0, &length));
    self->cursor = start;
    TRY(memory_take(out, length + 1, 1, "an encoder", start.err));
    (*out)[length] = '\0';
    return json_string(&self->cursor, *out, length, &length);
}

enum { WORD_SIZE = 32 };

/* Reads a string of at most 31 bytes; a longer one becomes "". */
static cnm_status read_short(walk *self, char out[WORD_SIZE]) {
    size_t length = 0;
    const cnm_status status = json_string(&self->cursor, out, WORD_SIZE - 1, &length);
    out[length < WORD_SIZE ? length : 0] = '\0';
    return status;
}

static cnm_status read_one_of(walk *self, const char *const *words, int *out) {
    char word[WORD_SIZE];
    TRY(read_short(self, word));
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            *out = i;
            return CNM_OK;
        }
    }
    return json_fail(&self->cursor, "a known word, before this place,");
}

static cnm_status read_up_to(walk *self, uint64_t most, uint64_t *out) {
    TRY(json_count(&self->cursor, out));
    return *out <= most ? CNM_OK : json_fail(&self->cursor, "a smaller number, before this place,");
}

static cnm_status read_bool(walk *self, bool *out) {
    uint64_t value;
    TRY(read_up_to(self, 1, &value));
    *out = value == 1;
    return CNM_OK;
}

static cnm_status read_sign(walk *self, const char *signs, char *out) {
    char word[WORD_SIZE];
    TRY(read_short(self, word));
    if (word[0] == '\0' || word[1] != '\0' || strchr(signs, word[0]) == NULL) {
        return json_fail(&self->cursor, "one of the known signs, before this place,");
    }
    *out = word[0];
    return CNM_OK;
}

static cnm_status read_name(walk *self, column_encoding *column) { return read_string(self, &column->name); }

static cnm_status read_kind(walk *self, column_encoding *column) {
    int kind = 0;
    TRY(read_one_of(self, KINDS, &kind));
    column->type.kind = (column_kind)kind;
    return CNM_OK;
}

static cnm_status read_use(walk *self, column_encoding *column) {
    int use = 0;
    TRY(read_one_of(self, USES, &use));
    column->use = (column_use)use;
    return CNM_OK;
}

static cnm_status read_base(walk *self, column_encoding *column) {
    char word[WORD_SIZE];
    TRY(read_short(self, word));
    return text_is_double(word, word + strlen(word), &column->base) && isfinite(column->base)
               ? CNM_OK
               : json_fail(&self->cursor, "a finite number, before this place,");
}

static cnm_status read_decimal(walk *self, column_encoding *column) {
    return read_sign(self, DECIMALS, &column->type.format.decimal);
}

static cnm_status read_thousands(walk *self, column_encoding *column) {
    return read_sign(self, THOUSANDS, &column->type.format.thousands);
}

static cnm_status read_units(walk *self, column_encoding *column) {
    return read_bool(self, &column->type.format.units);
}

static cnm_status read_order(walk *self, column_encoding *column) {
    uint64_t order;
    TRY(read_up_to(self, TIME_OF_DAY, &order));
    column->type.format.order = (time_order)order;
    return CNM_OK;
}

/* Reads a word, which must come behind the last one. */
static cnm_status read_word(walk *self, dictionary *words) {
    char *word = NULL;
    int32_t code;
    cnm_status status = CNM_OK;
    TRY_DONE(read_string(self, &word));
    if ((words->count > 0 && strcmp(words->texts[words->count - 1], word) >= 0) || words->count == MOST_COLUMN_WORDS) {
        TRY_DONE(json_fail(&self->cursor, "words in order, before this place,"));
    }
    TRY_DONE(dictionary_add(words, word, strlen(word), &code, self->cursor.err));
done:
    memory_free(word);
    return status;
}

static cnm_status read_words(walk *self, column_encoding *column) {
    TRY(json_expect(&self->cursor, '[', "'['"));
    do {
        TRY(read_word(self, &column->type.words));
    } while (json_take(&self->cursor, ','));
    return json_expect(&self->cursor, ']', "',' or ']'");
}

static cnm_status read_other(walk *self, column_encoding *column) { return read_bool(self, &column->other); }

static cnm_status read_indicator(walk *self, column_encoding *column) { return read_bool(self, &column->indicator); }

static const struct {
    const char *name;
    cnm_status (*read)(walk *self, column_encoding *column);
} FIELDS[] = {{"name", read_name},   {"kind", read_kind},          {"use", read_use},
              {"base", read_base},   {"decimal", read_decimal},    {"thousands", read_thousands},
              {"units", read_units}, {"order", read_order},        {"words", read_words},
              {"other", read_other}, {"indicator", read_indicator}};

enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

/* Reads "key": value of a key that is not there yet. */
static cnm_status read_field(walk *self, column_encoding *column, unsigned *seen) {
    char word[WORD_SIZE];
    int field = 0;
    TRY(read_short(self, word));
    while (field < FIELD_COUNT && strcmp(word, FIELDS[field].name) != 0) {
        field++;
    }
    if (field == FIELD_COUNT || (*seen & 1U << field) != 0) {
        return json_fail(&self->cursor, "keys of a column, once each, before this place,");
    }
    *seen |= 1U << field;
    TRY(json_expect(&self->cursor, ':', "':'"));
    return FIELDS[field].read(self, column);
}

/* Checks that the fields of a column go together. */
static cnm_status check_column(const walk *self, const column_encoding *column) {
    static const cell_format PLAIN;
    const bool words = column->type.kind == COLUMN_WORDS, has_words = column->type.words.count > 0;
    const cell_format *format = &column->type.format;
    const bool formatted = format->decimal != PLAIN.decimal || format->thousands != PLAIN.thousands || format->units ||
                           format->order != PLAIN.order;
    const bool sound = words ? !formatted && column->base == 0.0 && (has_words || column->use != COLUMN_USED)
                             : !has_words && !column->other;
    const bool unused = !has_words && !column->other && !column->indicator;
    return sound && (column->use == COLUMN_USED || unused)
               ? CNM_OK
               : json_fail(&self->cursor, "a column whose parts go together, before this place,");
}

static cnm_status read_column(walk *self) {
    unsigned seen = 0;
    TRY(memory_grow(&self->column, &self->capacity, self->count + 1, sizeof *self->column, "an encoder",
                    self->cursor.err));
    column_encoding *column = &self->column[self->count++];
    *column = (column_encoding){0};
    TRY(json_expect(&self->cursor, '{', "'{'"));
    if (!json_take(&self->cursor, '}')) {
        do {
            TRY(read_field(self, column, &seen));
        } while (json_take(&self->cursor, ','));
        TRY(json_expect(&self->cursor, '}', "',' or '}'"));
    }
    return check_column(self, column);
}

static cnm_status read_columns(walk *self) {
    char word[WORD_SIZE];
    TRY(json_expect(&self->cursor, '{', "'{'"));
    TRY(read_short(self, word));
    if (strcmp(word, "columns") != 0) {
        return json_fail(&self->cursor, "\"columns\", before this place,");
    }
    TRY(json_expect(&self->cursor, ':', "':'"));
    TRY(json_expect(&self->cursor, '[', "'['"));
    do {
        TRY(read_column(self));
    } while (json_take(&self->cursor, ','));
    TRY(json_expect(&self->cursor, ']', "',' or ']'"));
    TRY(json_expect(&self->cursor, '}', "'}'"));
    return json_at_end(&self->cursor) ? CNM_OK : json_fail(&self->cursor, "the end");
}

cnm_status encoder_from_text(encoder **out, const char *text, size_t length, cnm_error *err) {
    walk self = {.cursor = {text, text, text + length, "metadata \"encoder\"", 0, err}};
    encoder *made = NULL;
    cnm_status status = CNM_OK;
    *out = NULL;
    TRY_DONE(read_columns(&self));
    TRY_DONE(encoder_create(&made, 0, err));
    memory_free(made->column);
    made->column = self.column;
    made->columns = self.count;
    self = (walk){.cursor = self.cursor};
    TRY_DONE(encoder_lay_out(made, err));
    if (made->features == 0) {
        TRY_DONE(json_fail(&self.cursor, "a column with a feature, before this place,"));
    }
    *out = made;
    made = NULL;
done:
    for (size_t j = 0; j < self.count; j++) {
        memory_free(self.column[j].name);
        dictionary_free(&self.column[j].type.words);
    }
    memory_free(self.column);
    encoder_destroy(made);
    return status;
}
