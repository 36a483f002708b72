/* Ordered key and value texts, and lists of texts in one. */
#include "model/metadata.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"

static record_entry *find(const record *self, const char *key) {
    for (size_t i = 0; i < self->count; i++) {
        if (strcmp(self->entries[i].key, key) == 0) {
            return &self->entries[i];
        }
    }
    return NULL;
}

cnm_status record_add(record *self, const char *key, const char *value, cnm_error *err) {
    record_entry entry = {0};
    cnm_status status = CNM_OK;
    TRY(memory_grow(&self->entries, &self->capacity, self->count + 1, sizeof entry, "metadata", err));
    TRY(memory_copy_text(&entry.key, key, err));
    TRY_DONE(memory_copy_text(&entry.value, value, err));
    self->entries[self->count++] = entry;
    return CNM_OK;
done:
    memory_free(entry.key);
    return status;
}

cnm_status record_set(record *self, const char *key, const char *value, cnm_error *err) {
    record_entry *entry = find(self, key);
    if (entry == NULL) {
        return record_add(self, key, value, err);
    }
    char *copy;
    TRY(memory_copy_text(&copy, value, err));
    memory_free(entry->value);
    entry->value = copy;
    return CNM_OK;
}

cnm_status record_set_double(record *self, const char *key, double value, cnm_error *err) {
    char text[TEXT_DOUBLE_SIZE];
    text_from_double(text, value);
    return record_set(self, key, text, err);
}

cnm_status record_set_count(record *self, const char *key, uint64_t value, cnm_error *err) {
    text_buffer text = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(text_add_count(&text, value, err));
    TRY_DONE(record_set(self, key, text.bytes, err));
done:
    text_free(&text);
    return status;
}

const char *record_get(const record *self, const char *key) {
    const record_entry *entry = find(self, key);
    return entry == NULL ? NULL : entry->value;
}

cnm_status record_copy(record *out, const record *self, cnm_error *err) {
    cnm_status status = CNM_OK;
    *out = (record){0};
    for (size_t i = 0; i < self->count; i++) {
        TRY_DONE(record_add(out, self->entries[i].key, self->entries[i].value, err));
    }
    return CNM_OK;
done:
    record_free(out);
    return status;
}

void record_free(record *self) {
    for (size_t i = 0; i < self->count; i++) {
        memory_free(self->entries[i].key);
        memory_free(self->entries[i].value);
    }
    memory_free(self->entries);
    *self = (record){0};
}

cnm_status list_join(char **out, char *const *items, size_t count, cnm_error *err) {
    text_buffer text = {0};
    cnm_status status = CNM_OK;
    *out = NULL;
    TRY_DONE(text_add(&text, "", 0, err));
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            TRY_DONE(text_add(&text, "\n", 1, err));
        }
        for (const char *c = items[i]; *c != '\0'; c++) {
            const char *escaped = *c == '\n' ? "\\n" : *c == '\\' ? "\\\\" : NULL;
            TRY_DONE(escaped != NULL ? text_add(&text, escaped, 2, err) : text_add(&text, c, 1, err));
        }
    }
    TRY_DONE(memory_copy_text(out, text.bytes, err));
done:
    text_free(&text);
    return status;
}

/* Unescapes one item, up to the next newline or the end, into out; returns where the item ended. */
static const char *take_item(const char *joined, char *out) {
    while (*joined != '\0' && *joined != '\n') {
        if (joined[0] == '\\' && (joined[1] == 'n' || joined[1] == '\\')) {
            *out++ = joined[1] == 'n' ? '\n' : '\\';
            joined += 2;
        } else {
            *out++ = *joined++;
        }
    }
    *out = '\0';
    return joined;
}

cnm_status list_split(char ***out, size_t *count, const char *joined, cnm_error *err) {
    size_t capacity = 0;
    cnm_status status = CNM_OK;
    *out = NULL;
    *count = 0;
    for (;; joined++) {
        char *item;
        TRY_DONE(memory_grow(out, &capacity, *count + 1, sizeof **out, "a list", err));
        TRY_DONE(memory_take(&item, strcspn(joined, "\n") + 1, 1, "a list", err));
        joined = take_item(joined, item);
        (*out)[(*count)++] = item;
        if (*joined == '\0') {
            return CNM_OK;
        }
    }
done:
    list_free(*out, *count);
    *out = NULL;
    *count = 0;
    return status;
}

void list_free(char **items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        memory_free(items[i]);
    }
    memory_free(items);
}
