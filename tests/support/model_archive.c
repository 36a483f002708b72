#include "support/model_archive.h"

#include "model/file/model_file.h"

file_bytes saved_model(const cnm_model *model) {
    cnm_error error = {0};
    file_bytes out;
    check_ok(model_to_bytes(model, &out.bytes, &out.size, &error), &error);
    return out;
}

cnm_model *loaded_model(file_bytes file) {
    cnm_error error = {0};
    cnm_model *model;
    check_ok(model_from_bytes(&model, file.bytes, file.size, "test.cnm", &error), &error);
    return model;
}

/* ---- Archives taken apart ---- */

void take_apart(model_parts *self, const model_kind *kind) {
    cnm_error error = {0};
    cnm_model *model = make_model(kind);
    *self = (model_parts){.file = saved_model(model)};
    model_destroy(model);
    check_ok(archive_open(&self->opened, self->file.bytes, self->file.size, "parts", &error), &error);
    for (size_t i = 0; i < archive_tensor_count(self->opened); i++) {
        self->tensors[self->tensor_count++] = *archive_tensor_at(self->opened, i);
    }
    for (size_t i = 0; i < archive_entry_count(self->opened); i++) {
        const archive_entry entry = archive_entry_at(self->opened, i);
        if (strcmp(entry.key, FILE_CHECKSUM) != 0) {
            self->entries[self->entry_count++] = entry;
        }
    }
}

void free_parts(model_parts *self) {
    archive_close(self->opened);
    memory_free(self->file.bytes);
}

file_bytes put_together(const model_parts *self, const char *checksum_key) {
    cnm_error error = {0};
    file_bytes out;
    check_ok(archive_write(self->tensors, self->tensor_count, self->entries, self->entry_count, checksum_key,
                           &out.bytes, &out.size, &error),
             &error);
    return out;
}

archive_tensor *find_tensor(model_parts *self, const char *name) {
    for (size_t i = 0; i < self->tensor_count; i++) {
        if (strcmp(self->tensors[i].name, name) == 0) {
            return &self->tensors[i];
        }
    }
    fail_msg("no array %s", name);
    return NULL;
}
