/* Model files in memory: saved, loaded, and taken apart to be changed. */
#ifndef CNM_TESTS_SUPPORT_MODEL_ARCHIVE_H
#define CNM_TESTS_SUPPORT_MODEL_ARCHIVE_H

#include "support/made_models.h"

#include "base/file/safetensors.h"

/* The bytes are the library's: memory_free() them. */
typedef struct file_bytes {
    unsigned char *bytes;
    size_t size;
} file_bytes;

/* Save and load a model; a failure ends the test. */
file_bytes saved_model(const cnm_model *model);
cnm_model *loaded_model(file_bytes file);

/* ---- Archives taken apart ---- */

enum { PARTS_TENSORS = 12, PARTS_ENTRIES = 24 }; /* at most */

/* An archive taken apart, to be changed and put together again. Texts and arrays stay with
 * `opened`. */
typedef struct model_parts {
    file_bytes file;
    archive *opened;
    archive_tensor tensors[PARTS_TENSORS];
    archive_entry entries[PARTS_ENTRIES];
    size_t tensor_count, entry_count;
    unsigned char changed[4096]; /* memory for an array that differs */
} model_parts;

/* Takes apart the file of a made model; its checksum is left out. */
void take_apart(model_parts *self, const model_kind *kind);
void free_parts(model_parts *self);

/* Returns the bytes of the parts, with their checksum under this key; NULL: without one. */
file_bytes put_together(const model_parts *self, const char *checksum_key);

/* Returns the array of this name; a test ends where there is none. */
archive_tensor *find_tensor(model_parts *self, const char *name);

#endif
