/* Reads the JSON header of a safetensors file:
 *
 *   {"__metadata__": {"key": "value", ...},
 *    "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
 *
 * The metadata may be absent and may stand anywhere; the tensors follow each other in the data in
 * this order, from its first byte to its last. Names that occur twice are found in archive_open,
 * which sorts the names. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/safetensors_parts.h"
#include "base/text/json.h"

enum { WORD_SIZE = 16 };

/* One walk through a header. */
typedef struct walk {
    json_cursor cursor;
    archive *self;
    bool fill, metadata_seen;
    archive_counts done;
    uint64_t data_used; /* bytes that the tensors so far take */
} walk;

/* Reads a string of at most 15 bytes that is compared and not kept; a longer one becomes "". */
static cnm_status read_word(walk *w, char out[WORD_SIZE]) {
    size_t length = 0;
    const cnm_status status = json_string(&w->cursor, out, WORD_SIZE - 1, &length);
    out[length < WORD_SIZE ? length : 0] = '\0';
    return status;
}

/* Reads a string and, when filling, keeps it at the end of the archive's text. */
static cnm_status read_text(walk *w) {
    const size_t room = w->fill ? w->self->counts.text - w->done.text : 0;
    char *out = w->fill ? w->self->text + w->done.text : NULL;
    size_t length;
    TRY(json_string(&w->cursor, out, room, &length));
    if (w->fill && length >= room) {
        return json_fail(&w->cursor, "bytes that do not change while they are read");
    }
    if (w->fill) {
        out[length] = '\0';
    }
    w->done.text += length + 1;
    return CNM_OK;
}

/* The fields of a tensor's object. */
typedef struct description {
    archive_tensor tensor;
    uint64_t offsets[2];
} description;

static cnm_status read_type(walk *w, description *out) {
    char word[WORD_SIZE];
    TRY(read_word(w, word));
    for (int i = 0; i < TENSOR_KIND_COUNT; i++) {
        if (strcmp(word, TENSOR_KINDS[i].name) == 0) {
            out->tensor.type = (tensor_type)i;
            return CNM_OK;
        }
    }
    return error_set(w->cursor.err, CNM_UNSUPPORTED, "%s: an array has type \"%s\", which is not read here",
                     w->self->name, word);
}

/* Reads [n, n, ...] with at most `most` integers. */
static cnm_status read_counts(walk *w, uint64_t *out, size_t most, size_t *count, const char *expected) {
    *count = 0;
    TRY(json_expect(&w->cursor, '[', expected));
    if (json_take(&w->cursor, ']')) {
        return CNM_OK;
    }
    do {
        if (*count == most) {
            return json_fail(&w->cursor, expected);
        }
        TRY(json_count(&w->cursor, &out[(*count)++]));
    } while (json_take(&w->cursor, ','));
    return json_expect(&w->cursor, ']', "',' or ']'");
}

static cnm_status read_shape(walk *w, description *out) {
    uint64_t shape[TENSOR_DIMENSIONS];
    size_t count;
    TRY(read_counts(w, shape, TENSOR_DIMENSIONS, &count, "a shape of at most 4 integers"));
    for (size_t i = 0; i < count; i++) {
        if (shape[i] > SIZE_MAX) {
            return json_fail(&w->cursor, "a shape that fits this machine");
        }
        out->tensor.shape[i] = (size_t)shape[i];
    }
    out->tensor.dimensions = count;
    return CNM_OK;
}

static cnm_status read_offsets(walk *w, description *out) {
    size_t count;
    TRY(read_counts(w, out->offsets, 2, &count, "two offsets"));
    return count != 2 ? json_fail(&w->cursor, "two offsets") : CNM_OK;
}

static const struct {
    const char *name;
    cnm_status (*read)(walk *w, description *out);
} FIELDS[] = {{"dtype", read_type}, {"shape", read_shape}, {"data_offsets", read_offsets}};

enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

/* Reads {"dtype": ..., "shape": ..., "data_offsets": ...}, each once, in any order. */
static cnm_status read_description(walk *w, description *out) {
    unsigned seen = 0;
    TRY(json_expect(&w->cursor, '{', "'{'"));
    while (seen != (1U << FIELD_COUNT) - 1) {
        char word[WORD_SIZE];
        if (seen != 0 && !json_take(&w->cursor, ',')) {
            return json_fail(&w->cursor, "',' and all of dtype, shape and data_offsets");
        }
        TRY(read_word(w, word));
        int field = 0;
        while (field < FIELD_COUNT && strcmp(word, FIELDS[field].name) != 0) {
            field++;
        }
        if (field == FIELD_COUNT || (seen & 1U << field) != 0) {
            return json_fail(&w->cursor, "dtype, shape and data_offsets once each");
        }
        TRY(json_expect(&w->cursor, ':', "':'"));
        TRY(FIELDS[field].read(w, out));
        seen |= 1U << field;
    }
    return json_expect(&w->cursor, '}', "'}'");
}

/* Checks that the tensor starts where the one before ended, ends within the data and has as many
 * bytes as its shape gives. */
static cnm_status check_place(walk *w, description *of) {
    size_t bytes = TENSOR_KINDS[of->tensor.type].size;
    bool fits = true;
    for (size_t i = 0; i < of->tensor.dimensions; i++) {
        fits = fits && size_multiply(bytes, of->tensor.shape[i], &bytes);
    }
    if (of->offsets[1] > w->self->data_size) {
        return json_fail(&w->cursor, "an array that ends within the file (is the file cut short?), before this place,");
    }
    if (of->offsets[0] != w->data_used || of->offsets[1] < of->offsets[0]) {
        return json_fail(&w->cursor, "offsets that follow each other within the file, before this place,");
    }
    if (!fits || bytes != of->offsets[1] - of->offsets[0]) {
        return json_fail(&w->cursor, "a shape that agrees with the offsets, before this place,");
    }
    of->tensor.size = bytes;
    of->tensor.bytes = w->self->file + ARCHIVE_LENGTH_SIZE + w->self->header_size + of->offsets[0];
    w->data_used = of->offsets[1];
    return CNM_OK;
}

static cnm_status read_tensor(walk *w) {
    description of = {.tensor.name = w->fill ? w->self->text + w->done.text : NULL};
    TRY(read_text(w));
    TRY(json_expect(&w->cursor, ':', "':'"));
    TRY(read_description(w, &of));
    TRY(check_place(w, &of));
    if (w->fill) {
        if (w->done.tensors == w->self->counts.tensors) {
            return json_fail(&w->cursor, "bytes that do not change while they are read");
        }
        w->self->tensors[w->done.tensors] = of.tensor;
    }
    w->done.tensors++;
    return CNM_OK;
}

static cnm_status read_entry(walk *w) {
    if (w->fill) {
        if (w->done.entries == w->self->counts.entries) {
            return json_fail(&w->cursor, "bytes that do not change while they are read");
        }
        w->self->entries[w->done.entries] = (uint32_t)w->done.text;
    }
    w->done.entries++;
    TRY(read_text(w));
    TRY(json_expect(&w->cursor, ':', "':'"));
    return read_text(w);
}

/* Reads { member, member, ... }. */
static cnm_status read_object(walk *w, cnm_status (*member)(walk *w)) {
    TRY(json_expect(&w->cursor, '{', "'{'"));
    if (json_take(&w->cursor, '}')) {
        return CNM_OK;
    }
    do {
        TRY(member(w));
    } while (json_take(&w->cursor, ','));
    return json_expect(&w->cursor, '}', "',' or '}'");
}

/* Reads a tensor or, under its own name, the metadata. */
static cnm_status read_member(walk *w) {
    char word[WORD_SIZE];
    const json_cursor start = w->cursor;
    TRY(read_word(w, word));
    if (strcmp(word, METADATA_NAME) != 0) {
        w->cursor = start;
        return read_tensor(w);
    }
    if (w->metadata_seen) {
        return json_fail(&w->cursor, METADATA_NAME " only once, but found it again");
    }
    w->metadata_seen = true;
    TRY(json_expect(&w->cursor, ':', "':'"));
    return read_object(w, read_entry);
}

cnm_status archive_parse(archive *self, bool fill, archive_counts *counts, cnm_error *err) {
    const char *begin = (const char *)self->file + ARCHIVE_LENGTH_SIZE;
    walk w = {.cursor = {begin, begin, begin + self->header_size, self->name, ARCHIVE_LENGTH_SIZE, err},
              .self = self,
              .fill = fill};
    TRY(read_object(&w, read_member));
    if (!json_at_end(&w.cursor)) {
        return json_fail(&w.cursor, "nothing but blanks behind the header");
    }
    if (w.data_used != self->data_size) {
        return error_set(err, CNM_BAD_FORMAT,
                         "%s: not a sound safetensors file: its arrays end %zu bytes before the end of the file",
                         self->name, self->data_size - (size_t)w.data_used);
    }
    *counts = w.done;
    return CNM_OK;
}
