/* Reads, checks and writes the file of a checkpoint, whose contents checkpoint_state.c makes. */
#include "learn/fit/checkpoint_file.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/file.h"
#include "base/text/text.h"

/* The first text of the header, with which every checkpoint begins behind the 8 bytes of its
 * length. */
static const char CHECKSUM[] = "checkpoint", BEGINNING[] = "{\"__metadata__\":{\"checkpoint\":\"";

enum { LENGTH_SIZE = 8, START = LENGTH_SIZE + sizeof BEGINNING - 1 };

static cnm_status refuse(const char *path, cnm_error *err) {
    return error_set(err, CNM_BAD_FORMAT, "%s is there and is not a checkpoint: remove it, or name another file", path);
}

cnm_status checkpoint_file_exists(const char *path, bool *found, cnm_error *err) {
    char start[START];
    size_t count;
    *found = false;
    TRY(file_read_start(path, start, sizeof start, &count, err));
    *found = count > 0;
    return *found && (count < sizeof start || memcmp(start + LENGTH_SIZE, BEGINNING, sizeof BEGINNING - 1) != 0)
               ? refuse(path, err)
               : CNM_OK;
}

cnm_status checkpoint_file_read(checkpoint_file *out, const char *path, cnm_error *err) {
    bool found;
    size_t size;
    cnm_status status = CNM_OK;
    *out = (checkpoint_file){0};
    TRY(checkpoint_file_exists(path, &found, err));
    if (!found) {
        return CNM_OK;
    }
    TRY_DONE(file_read_all(path, 0, &out->bytes, &size, err));
    TRY_DONE(archive_open(&out->archive, out->bytes, size, path, err));
    TRY_DONE(archive_verify(out->archive, CHECKSUM, err));
done:
    if (status != CNM_OK) {
        checkpoint_file_free(out);
    }
    return status;
}

void checkpoint_file_free(checkpoint_file *self) {
    archive_close(self->archive);
    memory_free(self->bytes);
    *self = (checkpoint_file){0};
}

/* ---- The texts ---- */

static cnm_status refuse_other(const char *path, const char *key, const char *found, const char *expected,
                               cnm_error *err) {
    static const char OPTION[] = "option ";
    if (strcmp(key, "data") == 0) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "%s is from a training with other data: their checksum is %.20s there and %.20s here", path,
                         found, expected);
    }
    if (strcmp(key, "start") == 0) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "%s is from a training that went on from another model: its checksum is %.20s there and "
                         "%.20s here",
                         path, found, expected);
    }
    if (strcmp(key, "teacher") == 0) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "%s is from a training with another teacher: its checksum is %.20s there and %.20s here", path,
                         found, expected);
    }
    if (strcmp(key, "format") == 0) {
        return error_set(err, CNM_UNSUPPORTED, "%s is a checkpoint of format %.20s, and this version reads format %s",
                         path, found, expected);
    }
    const char *name = strncmp(key, OPTION, sizeof OPTION - 1) == 0 ? key + sizeof OPTION - 1 : key;
    return error_set(err, CNM_BAD_ARGUMENT,
                     "%s is from a training with --%s %.100s, and this one has %.100s: give the same options, or start "
                     "afresh without --resume",
                     path, name, found, expected);
}

cnm_status checkpoint_file_compare(const checkpoint_file *self, const record *about, const char *path, cnm_error *err) {
    for (size_t i = 0; i < about->count; i++) {
        const char *key = about->entries[i].key, *found = archive_value(self->archive, key);
        if (found == NULL || strcmp(found, about->entries[i].value) != 0) {
            return refuse_other(path, key, found == NULL ? "(none)" : found, about->entries[i].value, err);
        }
    }
    return CNM_OK;
}

cnm_status checkpoint_file_count(const checkpoint_file *self, const char *key, uint64_t *out, cnm_error *err) {
    const char *text = archive_value(self->archive, key);
    return text != NULL && text_is_count(text, text + strlen(text), out)
               ? CNM_OK
               : error_set(err, CNM_BAD_FORMAT, "its text \"%s\" is not a count", key);
}

cnm_status checkpoint_file_number(const checkpoint_file *self, const char *key, double *out, cnm_error *err) {
    const char *text = archive_value(self->archive, key);
    return text != NULL && text_is_double(text, text + strlen(text), out)
               ? CNM_OK
               : error_set(err, CNM_BAD_FORMAT, "its text \"%s\" is not a number", key);
}

/* ---- Writing ---- */

static cnm_status write_bytes(const char *path, const unsigned char *bytes, size_t size, cnm_error *err) {
    file_writer *file;
    TRY(file_create(&file, path, err));
    const cnm_status status = file_write(file, bytes, size, err);
    if (status != CNM_OK) {
        file_abandon(file);
        return status;
    }
    return file_commit(file, err);
}

cnm_status checkpoint_file_write(const char *path, const archive_tensor *arrays, size_t count, const record *texts,
                                 cnm_error *err) {
    archive_entry *entries;
    unsigned char *bytes = NULL;
    size_t size;
    cnm_status status = CNM_OK;
    TRY(memory_take(&entries, texts->count, sizeof *entries, "a checkpoint", err));
    for (size_t i = 0; i < texts->count; i++) {
        entries[i] = (archive_entry){texts->entries[i].key, texts->entries[i].value};
    }
    TRY_DONE(archive_write(arrays, count, entries, texts->count, CHECKSUM, &bytes, &size, err));
    TRY_DONE(write_bytes(path, bytes, size, err));
done:
    memory_free(bytes);
    memory_free(entries);
    return status;
}
