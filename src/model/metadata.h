/* An ordered list of key and value texts: all that a model knows of itself besides its arrays. */
#ifndef CNM_MODEL_METADATA_H
#define CNM_MODEL_METADATA_H

#include "cnm/types.h"

/* The key of the quantile that a model predicts, if it predicts one. */
#define RECORD_QUANTILE "quantile"

typedef struct record_entry {
    char *key, *value;
} record_entry;

typedef struct record {
    record_entry *entries;
    size_t count, capacity;
} record;

/* Appends a key that is known not to be there yet. Texts are copied. */
cnm_status record_add(record *self, const char *key, const char *value, cnm_error *err);
/* Appends, or replaces the value of a key that is there. Texts are copied. */
cnm_status record_set(record *self, const char *key, const char *value, cnm_error *err);
cnm_status record_set_double(record *self, const char *key, double value, cnm_error *err);
cnm_status record_set_count(record *self, const char *key, uint64_t value, cnm_error *err);
/* Returns NULL where the key is not there. */
const char *record_get(const record *self, const char *key);
cnm_status record_copy(record *out, const record *self, cnm_error *err);
void record_free(record *self);

/* Join and split a list of texts in one text: newline-separated, a newline or backslash inside
 * written as \n or \\. */
cnm_status list_join(char **out, char *const *items, size_t count, cnm_error *err);
cnm_status list_split(char ***out, size_t *count, const char *joined, cnm_error *err);
void list_free(char **items, size_t count);

#endif
