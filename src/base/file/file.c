/* Writes whole files. Bytes go to a temporary name beside the final one, which is synced and
 * renamed, so that an interruption leaves the old file. What is not a regular file (a device, a
 * pipe, standard output) is written directly. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "base/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/core/faults.h"
#include "base/core/memory.h"
#include "base/core/try.h"

enum { BUFFER_SIZE = 1 << 16, LARGEST_PIECE = 1 << 30, NAME_KEPT = 200, SUFFIX_SIZE = 32 };

struct file_writer {
    int descriptor;
    bool borrowed;   /* standard output is not closed here */
    char *name;      /* as given by the caller, for messages */
    char *path;      /* where the file goes; NULL when written directly */
    char *temporary; /* where the file is until then */
    size_t used;
    unsigned char buffer[BUFFER_SIZE];
};

/* Returns the length of the folder in path, with its slash; 0 when path has none. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* Fills out with path, its last part cut so that the whole name fits any file system, then
 * ".partial-" and 12 digits of `number`. */
static void temporary_name(char *out, const char *path, uint64_t number) {
    static const char HEX[] = "0123456789abcdef";
    size_t length = strlen(path);
    const size_t most = folder_length(path) + NAME_KEPT;
    length = length < most ? length : most;
    memcpy(out, path, length);
    memcpy(out + length, ".partial-", 9);
    length += 9;
    for (int i = 0; i < 12; i++, number >>= 4) {
        out[length++] = HEX[number & 15];
    }
    out[length] = '\0';
}

/* Opens a file of a new name beside self->path, with the mode of the old one if there is one. */
static cnm_status open_temporary(file_writer *self, const struct stat *old, cnm_error *err) {
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    uint64_t number = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30 ^ (uint64_t)getpid() << 17 ^ (uintptr_t)self;
    for (int attempt = 0; attempt < 100 && self->descriptor < 0; attempt++) {
        temporary_name(self->temporary, self->path, number >> 4);
        self->descriptor =
            fault_here(FAULT_OPEN) ? -1 : open(self->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (self->descriptor < 0 && errno != EEXIST) {
            break;
        }
        number = number * UINT64_C(6364136223846793005) + 1442695040888963407U;
    }
    if (self->descriptor < 0) {
        self->temporary[0] = '\0'; /* there is no file to remove */
    }
    if (self->descriptor < 0 || (old != NULL && fchmod(self->descriptor, old->st_mode & 0777) != 0)) {
        return file_fail("write", self->name, err);
    }
    return CNM_OK;
}

/* Opens the temporary file. Where path is a link to a file, that file is replaced and the link
 * stays. */
static cnm_status prepare_rename(file_writer *self, const char *path, const struct stat *old, cnm_error *err) {
    char real[PATH_MAX];
    if (old != NULL && access(path, W_OK) != 0) {
        return file_fail("write", path, err);
    }
    const char *target = old != NULL && realpath(path, real) != NULL ? real : path;
    TRY(memory_copy_text(&self->path, target, err));
    TRY(memory_take(&self->temporary, strlen(target) + SUFFIX_SIZE, 1, "the name of a temporary file", err));
    self->temporary[0] = '\0';
    return open_temporary(self, old, err);
}

static cnm_status open_target(file_writer *self, const char *path, cnm_error *err) {
    struct stat old;
    if (strcmp(path, "-") == 0) {
        self->descriptor = STDOUT_FILENO;
        self->borrowed = true;
        return CNM_OK;
    }
    if (stat(path, &old) != 0) {
        return prepare_rename(self, path, NULL, err);
    }
    if (S_ISREG(old.st_mode)) {
        return prepare_rename(self, path, &old, err);
    }
    self->descriptor = fault_here(FAULT_OPEN) ? -1 : open(path, O_WRONLY | O_CLOEXEC);
    return self->descriptor < 0 ? file_fail("write", path, err) : CNM_OK;
}

cnm_status file_create(file_writer **out, const char *path, cnm_error *err) {
    file_writer *self;
    cnm_status status = CNM_OK;
    *out = NULL;
    TRY(memory_take(&self, 1, sizeof *self, "a file writer", err));
    self->descriptor = -1;
    self->borrowed = false;
    self->name = self->path = self->temporary = NULL;
    self->used = 0;
    TRY_DONE(memory_copy_text(&self->name, strcmp(path, "-") == 0 ? "standard output" : path, err));
    TRY_DONE(open_target(self, path, err));
    *out = self;
    self = NULL;
done:
    file_abandon(self);
    return status;
}

static cnm_status write_through(const file_writer *self, const unsigned char *bytes, size_t size, cnm_error *err) {
    while (size > 0) {
        const size_t piece = size < LARGEST_PIECE ? size : LARGEST_PIECE;
        const ssize_t written = fault_here(FAULT_WRITE) ? -1 : write(self->descriptor, bytes, piece);
        if (written < 0 && errno != EINTR) {
            return file_fail("write", self->name, err);
        }
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return CNM_OK;
}

static cnm_status flush(file_writer *self, cnm_error *err) {
    const size_t used = self->used;
    self->used = 0;
    return write_through(self, self->buffer, used, err);
}

cnm_status file_write(file_writer *self, const void *bytes, size_t size, cnm_error *err) {
    if (size > BUFFER_SIZE - self->used) {
        TRY(flush(self, err));
    }
    if (size > BUFFER_SIZE) {
        return write_through(self, bytes, size, err);
    }
    if (size > 0) {
        memcpy(self->buffer + self->used, bytes, size);
        self->used += size;
    }
    return CNM_OK;
}

static int sync_to_disk(int descriptor) { return fault_here(FAULT_SYNC) ? -1 : fsync(descriptor); }

/* Makes the new name itself durable. A folder that cannot be opened for that is no failure: the
 * file is in place. */
static cnm_status sync_folder(file_writer *self, cnm_error *err) {
    const size_t length = folder_length(self->path);
    const char *folder = length == 0 ? "." : self->path;
    if (length > 0) {
        self->path[length] = '\0';
    }
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return CNM_OK;
    }
    const bool failed = sync_to_disk(descriptor) != 0 && errno == EIO;
    const cnm_status status = failed ? file_fail("sync the folder of", self->name, err) : CNM_OK;
    (void)close(descriptor);
    return status;
}

/* Closes self's descriptor, if the descriptor is its own. */
static int close_own(file_writer *self) {
    const int descriptor = self->descriptor;
    self->descriptor = -1;
    return descriptor >= 0 && !self->borrowed ? close(descriptor) : 0;
}

static cnm_status finish(file_writer *self, cnm_error *err) {
    TRY(flush(self, err));
    if (self->temporary == NULL) {
        return close_own(self) != 0 ? file_fail("write", self->name, err) : CNM_OK;
    }
    if (sync_to_disk(self->descriptor) != 0 || close_own(self) != 0 || fault_here(FAULT_RENAME) ||
        rename(self->temporary, self->path) != 0) {
        return file_fail("write", self->name, err);
    }
    self->temporary[0] = '\0';
    return sync_folder(self, err);
}

cnm_status file_commit(file_writer *self, cnm_error *err) {
    const cnm_status status = finish(self, err);
    file_abandon(self);
    return status;
}

void file_abandon(file_writer *self) {
    if (self == NULL) {
        return;
    }
    (void)close_own(self);
    if (self->temporary != NULL && self->temporary[0] != '\0') {
        (void)unlink(self->temporary);
    }
    memory_free(self->name);
    memory_free(self->path);
    memory_free(self->temporary);
    memory_free(self);
}
