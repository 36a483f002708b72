/* Takes an archive apart, changes it as bytes direct, and puts it together again. */
#include "fuzz/fuzz_changes.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/file/safetensors_parts.h"
#include "fuzz/target.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

enum { ROOM = 1 << 12, MOST_TENSORS = 40, MOST_ENTRIES = 120, TEXT_SIZE = 24, MOST_CHANGES = 12 };

/* The changes to come; zeros when there are no more. */
typedef struct changes {
    const unsigned char *at, *end;
} changes;

static unsigned next(changes *self) { return self->at < self->end ? *self->at++ : 0; }
static size_t pick(changes *self, size_t below) { return below == 0 ? 0 : (next(self) | next(self) << 8U) % below; }

/* A model file taken apart. */
typedef struct parts {
    archive_tensor tensors[MOST_TENSORS];
    unsigned char *bytes[MOST_TENSORS]; /* (ROOM) */
    size_t tensor_count;
    archive_entry entries[MOST_ENTRIES];
    char texts[MOST_ENTRIES][TEXT_SIZE]; /* of changed entries */
    size_t entry_count;
} parts;

static const char *const NAMES[] = {
    "map.theta", "best.head", "head.first_moment", "trials", "finished.head", "base",  "offset", "fill",
    "scale",     "theta",     "filters",           "signs",  "diagonal",      "phase", "head",   "bias",
    "x"};
static const char *const KEYS[] = {
    "state",   "phase",    "step",     "steps",          "loss",         "held",       "best_score",
    "lowered", "data",     "format",   "task",           "projection",   "activation", "input",
    "columns", "features", "labels",   "label_kind",     "names",        "dtype",      "exponent_head",
    "metric",  "method",   "positive", "exponent_theta", "label_column", "index_base"};
static const char *const WORDS[] = {
    "choose",     "train",   "kernel", "calibrate", "nan",       "1e999",
    "classify",   "regress", "map",    "dense",     "circulant", "circulant-diagonal",
    "identity",   "cos",     "relu",   "sigmoid",   "linear",    "asinh",
    "numbers",    "words",   "f16",    "f32",       "0",         "1",
    "4294967295", "-149",    "127",    "a\nb",      "1\n2\n3",   "18446744073709551616"};
static const float SPECIALS[] = {0.0F, -0.0F, 1e-45F, 1e30F, -3e38F, INFINITY, NAN, 65504.0F};

static size_t tensor_bytes(const archive_tensor *tensor) {
    size_t size = TENSOR_KINDS[tensor->type].size;
    for (size_t i = 0; i < tensor->dimensions; i++) {
        size = tensor->shape[i] > ROOM ? (size_t)ROOM + 1 : size * tensor->shape[i];
        size = size > ROOM ? (size_t)ROOM + 1 : size;
    }
    return size;
}

/* ---- One kind of change each; the tensor or entry is there ---- */

static void change_byte(parts *self, size_t i, changes *from) {
    const size_t place = pick(from, tensor_bytes(&self->tensors[i]));
    self->bytes[i][place] = (unsigned char)next(from);
}

static void change_number(parts *self, size_t i, changes *from) {
    const float value = SPECIALS[pick(from, COUNT_OF(SPECIALS))];
    const size_t count = tensor_bytes(&self->tensors[i]) / sizeof value;
    memcpy(self->bytes[i] + (count == 0 ? 0 : pick(from, count)) * sizeof value, &value, sizeof value);
}

static void change_type(parts *self, size_t i, changes *from) {
    self->tensors[i].type = (tensor_type)pick(from, TENSOR_KIND_COUNT);
}

static void change_shape(parts *self, size_t i, changes *from) {
    self->tensors[i].dimensions = next(from) % 4 == 0 ? pick(from, 4) : self->tensors[i].dimensions;
    self->tensors[i].shape[pick(from, TENSOR_DIMENSIONS)] = pick(from, 50);
}

static void rename_tensor(parts *self, size_t i, changes *from) {
    self->tensors[i].name = NAMES[pick(from, COUNT_OF(NAMES))];
}

static void drop_tensor(parts *self, size_t i, changes *from) {
    (void)from;
    unsigned char *kept = self->bytes[i];
    self->tensor_count--;
    self->tensors[i] = self->tensors[self->tensor_count];
    self->bytes[i] = self->bytes[self->tensor_count];
    self->bytes[self->tensor_count] = kept;
}

static void double_tensor(parts *self, size_t i, changes *from) {
    if (self->tensor_count < MOST_TENSORS) {
        memcpy(self->bytes[self->tensor_count], self->bytes[i], ROOM);
        self->tensors[self->tensor_count] = self->tensors[i];
        rename_tensor(self, self->tensor_count++, from);
    }
}

static void change_word(parts *self, size_t i, changes *from) {
    self->entries[i].value = WORDS[pick(from, COUNT_OF(WORDS))];
}

static void change_text(parts *self, size_t i, changes *from) {
    const size_t length = next(from) % TEXT_SIZE;
    for (size_t j = 0; j < length; j++) {
        self->texts[i][j] = (char)(next(from) & 127);
    }
    self->texts[i][length] = '\0';
    self->entries[i].value = self->texts[i];
}

static void change_count(parts *self, size_t i, changes *from) {
    (void)snprintf(self->texts[i], TEXT_SIZE, "%zu", pick(from, 100));
    self->entries[i].value = self->texts[i];
}

static void rename_entry(parts *self, size_t i, changes *from) {
    self->entries[i].key = KEYS[pick(from, COUNT_OF(KEYS))];
}

static void drop_entry(parts *self, size_t i, changes *from) {
    (void)from;
    self->entries[i] = self->entries[--self->entry_count];
}

static void add_entry(parts *self, size_t i, changes *from) {
    (void)i;
    if (self->entry_count < MOST_ENTRIES) {
        self->entries[self->entry_count] = (archive_entry){KEYS[pick(from, COUNT_OF(KEYS))], ""};
        change_word(self, self->entry_count++, from);
    }
}

typedef void change(parts *self, size_t i, changes *from);
static change *const TENSOR_CHANGES[] = {change_byte,   change_number, change_type,  change_shape,
                                         rename_tensor, drop_tensor,   double_tensor};
static change *const ENTRY_CHANGES[] = {change_word, change_text, change_count, rename_entry, drop_entry, add_entry};

static void apply(parts *self, changes *from) {
    for (int i = 0; i < MOST_CHANGES && from->at < from->end; i++) {
        const unsigned what = next(from);
        if (what % 2 == 0 && self->tensor_count > 0) {
            TENSOR_CHANGES[what / 2 % COUNT_OF(TENSOR_CHANGES)](self, pick(from, self->tensor_count), from);
        } else if (self->entry_count > 0) {
            ENTRY_CHANGES[what / 2 % COUNT_OF(ENTRY_CHANGES)](self, pick(from, self->entry_count), from);
        }
    }
    for (size_t i = 0; i < self->tensor_count; i++) { /* no array beyond its bytes */
        if (tensor_bytes(&self->tensors[i]) > ROOM) {
            self->tensors[i].dimensions = 1;
            self->tensors[i].shape[0] = 1;
        }
        self->tensors[i].bytes = self->bytes[i];
    }
}

/* ---- Apart and together ---- */

static void take_apart(parts *out, const archive *from) {
    REQUIRE(archive_tensor_count(from) < MOST_TENSORS && archive_entry_count(from) < MOST_ENTRIES);
    for (size_t i = 0; i < MOST_TENSORS; i++) {
        REQUIRE(memory_zeroed(&out->bytes[i], ROOM, 1, "a test", NULL) == CNM_OK);
    }
    for (size_t i = 0; i < archive_tensor_count(from) && i < MOST_TENSORS; i++) {
        out->tensors[i] = *archive_tensor_at(from, i);
        REQUIRE(out->tensors[i].size <= ROOM);
        memcpy(out->bytes[i], out->tensors[i].bytes, out->tensors[i].size);
        out->tensor_count = i + 1;
    }
    /* the checksum comes anew */
    for (size_t i = 1; i < archive_entry_count(from) && i <= MOST_ENTRIES; i++) {
        out->entries[i - 1] = archive_entry_at(from, i);
        out->entry_count = i;
    }
}

/* Changes bytes of the header itself and makes the checksum right again. */
static void change_header(unsigned char *bytes, size_t size, const char *checksum_key, changes *from) {
    text_buffer prefix = {NULL, 0, 0};
    size_t header = 0;
    REQUIRE(archive_checksum_prefix(&prefix, checksum_key, NULL) == CNM_OK);
    const size_t place = ARCHIVE_LENGTH_SIZE + prefix.length, behind = place + ARCHIVE_CHECKSUM_DIGITS;
    text_free(&prefix);
    for (size_t i = ARCHIVE_LENGTH_SIZE; i-- > 0;) {
        header = header << 8 | bytes[i];
    }
    for (unsigned count = next(from) % 3; count > 0; count--) {
        bytes[behind + pick(from, ARCHIVE_LENGTH_SIZE + header - behind)] = (unsigned char)next(from);
    }
    char digits[ARCHIVE_CHECKSUM_DIGITS];
    archive_checksum_digits(bytes, size, place, digits);
    memcpy(bytes + place, digits, sizeof digits);
}

cnm_status archive_change(const unsigned char *good, size_t good_size, const char *checksum_key,
                          const unsigned char *how, size_t how_size, unsigned char **bytes, size_t *size) {
    changes from = {how, how + how_size};
    archive *opened;
    parts all = {.tensor_count = 0};
    const bool header = next(&from) % 4 == 0;
    REQUIRE(archive_open(&opened, good, good_size, "f", NULL) == CNM_OK);
    take_apart(&all, opened);
    changes own = {from.at, header ? from.at : from.end};
    apply(&all, &own);
    const cnm_status status = archive_write(all.tensors, all.tensor_count, all.entries, all.entry_count, checksum_key,
                                            bytes, size, NULL); /* may refuse shapes */
    if (status == CNM_OK && header) {
        change_header(*bytes, *size, checksum_key, &from);
    }
    archive_close(opened);
    for (size_t i = 0; i < MOST_TENSORS; i++) {
        memory_free(all.bytes[i]);
    }
    return status;
}
