/* Opens a safetensors archive: takes memory for the contents of the header, aligns tensors, sorts
 * names. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/safetensors_parts.h"

enum { LONGEST_HEADER = 100000000 }; /* as the format allows; so 32 bits hold every place in it */

static const char *tensor_name(const archive *self, uint32_t i) { return self->tensors[i].name; }
static const char *entry_key(const archive *self, uint32_t i) { return self->text + self->entries[i]; }

typedef const char *(*name_function)(const archive *self, uint32_t i);

/* Lets order[root] sink to its place in the heap order[0 .. count), largest name first. */
static void sink(const archive *self, uint32_t *order, size_t root, size_t count, name_function name) {
    const uint32_t moved = order[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && strcmp(name(self, order[child]), name(self, order[child + 1])) < 0) {
            child++;
        }
        if (strcmp(name(self, moved), name(self, order[child])) >= 0) {
            break;
        }
        order[root] = order[child];
    }
    order[root] = moved;
}

/* Sorts the indices below count by ascending name, then checks that no neighbours are equal. Heap
 * sort: no input makes it slow. */
static cnm_status sort_names(const archive *self, uint32_t *order, size_t count, name_function name, cnm_error *err) {
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    for (size_t root = count / 2; root-- > 0;) {
        sink(self, order, root, count, name);
    }
    for (size_t left = count; left > 1; left--) {
        const uint32_t largest = order[0];
        order[0] = order[left - 1];
        order[left - 1] = largest;
        sink(self, order, 0, left - 1, name);
    }
    for (size_t i = 1; i < count; i++) {
        if (strcmp(name(self, order[i - 1]), name(self, order[i])) == 0) {
            return error_set(err, CNM_BAD_FORMAT, "%s: not a sound safetensors file: \"%.100s\" occurs twice",
                             self->name, name(self, order[i]));
        }
    }
    return CNM_OK;
}

/* Returns the position of a name in an order; count when the name is absent. */
static size_t find_name(const archive *self, const uint32_t *order, size_t count, name_function name,
                        const char *wanted) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(name(self, order[middle]), wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && strcmp(name(self, order[low]), wanted) == 0 ? low : count;
}

/* Reads the length of the header and sets both sizes. */
static cnm_status read_sizes(archive *self, cnm_error *err) {
    if (self->size < ARCHIVE_LENGTH_SIZE + 2) { /* 2: "{}" */
        return error_set(err, CNM_BAD_FORMAT, "%s: not a safetensors file: it has only %zu bytes", self->name,
                         self->size);
    }
    uint64_t length = 0;
    for (int i = ARCHIVE_LENGTH_SIZE; i-- > 0;) {
        length = length << 8 | self->file[i];
    }
    if (length > LONGEST_HEADER || length > self->size - ARCHIVE_LENGTH_SIZE) {
        return error_set(
            err, CNM_BAD_FORMAT,
            "%s: not a safetensors file, or a cut one: its first 8 bytes give a header longer than the file",
            self->name);
    }
    self->header_size = (size_t)length;
    self->data_size = self->size - ARCHIVE_LENGTH_SIZE - self->header_size;
    return CNM_OK;
}

static cnm_status take_arrays(archive *self, cnm_error *err) {
    static const char WHAT[] = "the header of a safetensors file";
    const memory_want wants[] = {{&self->tensors, self->counts.tensors, sizeof *self->tensors, WHAT},
                                 {&self->entries, self->counts.entries, sizeof *self->entries, WHAT},
                                 {&self->text, self->counts.text, 1, WHAT},
                                 {&self->tensor_order, self->counts.tensors, sizeof *self->tensor_order, WHAT},
                                 {&self->entry_order, self->counts.entries, sizeof *self->entry_order, WHAT}};
    return memory_take_all(err, wants, sizeof wants / sizeof wants[0]);
}

static bool is_aligned(const archive_tensor *tensor) { return (uintptr_t)tensor->bytes % ARCHIVE_ALIGNMENT == 0; }

static size_t rounded_size(const archive_tensor *tensor) {
    return (tensor->size + ARCHIVE_ALIGNMENT - 1) / ARCHIVE_ALIGNMENT * ARCHIVE_ALIGNMENT;
}

/* Copies tensors that do not start at a multiple of 8 bytes: the format allows no gaps between
 * them. */
static cnm_status align_tensors(archive *self, cnm_error *err) {
    size_t needed = 0;
    for (size_t i = 0; i < self->counts.tensors; i++) {
        needed += is_aligned(&self->tensors[i]) ? 0 : rounded_size(&self->tensors[i]);
    }
    TRY(memory_take(&self->copies, needed, 1, "arrays of a safetensors file", err));
    unsigned char *next = self->copies;
    for (size_t i = 0; i < self->counts.tensors; i++) {
        archive_tensor *tensor = &self->tensors[i];
        if (!is_aligned(tensor)) {
            memcpy(next, tensor->bytes, tensor->size);
            tensor->bytes = next;
            next += rounded_size(tensor);
        }
    }
    return CNM_OK;
}

static cnm_status load(archive *self, cnm_error *err) {
    archive_counts again;
    TRY(read_sizes(self, err));
    TRY(archive_parse(self, false, &self->counts, err));
    TRY(take_arrays(self, err));
    TRY(archive_parse(self, true, &again, err));
    if (memcmp(&again, &self->counts, sizeof again) != 0) {
        return error_set(err, CNM_BAD_FORMAT, "%s changed while it was read", self->name);
    }
    TRY(sort_names(self, self->tensor_order, self->counts.tensors, tensor_name, err));
    TRY(sort_names(self, self->entry_order, self->counts.entries, entry_key, err));
    return align_tensors(self, err);
}

cnm_status archive_open(archive **out, const void *bytes, size_t size, const char *name, cnm_error *err) {
    archive *self;
    cnm_status status = CNM_OK;
    *out = NULL;
    TRY(memory_zeroed(&self, 1, sizeof *self, "a safetensors file", err));
    self->file = bytes;
    self->size = size;
    TRY_DONE(memory_copy_text(&self->name, name, err));
    TRY_DONE(load(self, err));
    *out = self;
    self = NULL;
done:
    archive_close(self);
    return status;
}

void archive_close(archive *self) {
    if (self == NULL) {
        return;
    }
    void *parts[] = {self->name,         self->tensors,     self->entries, self->text,
                     self->tensor_order, self->entry_order, self->copies,  self};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        memory_free(parts[i]);
    }
}

size_t archive_tensor_count(const archive *self) { return self->counts.tensors; }

const archive_tensor *archive_tensor_at(const archive *self, size_t i) { return &self->tensors[i]; }

const archive_tensor *archive_find(const archive *self, const char *name) {
    const size_t place = find_name(self, self->tensor_order, self->counts.tensors, tensor_name, name);
    return place < self->counts.tensors ? &self->tensors[self->tensor_order[place]] : NULL;
}

size_t archive_entry_count(const archive *self) { return self->counts.entries; }

archive_entry archive_entry_at(const archive *self, size_t i) {
    const char *key = entry_key(self, (uint32_t)i);
    return (archive_entry){key, key + strlen(key) + 1};
}

const char *archive_value(const archive *self, const char *key) {
    const size_t place = find_name(self, self->entry_order, self->counts.entries, entry_key, key);
    return place < self->counts.entries ? archive_entry_at(self, self->entry_order[place]).value : NULL;
}
