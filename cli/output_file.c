/* Writes files aside and renames them; checks standard output at the end. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report_error.h"

static cnm_status io_failed(const char *path, const char *verb, cnm_error *error) {
    const int reason = errno;
    return error_fill(error, CNM_IO_FAILED, "cannot %s %s: %s", verb, strcmp(path, "-") == 0 ? "standard output" : path,
                      strerror(reason));
}

/* Returns whether the path is a link, pipe or device, which no plain file may replace. */
static bool written_in_place(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* Returns the name of the file that is renamed to `path` once it is complete. The caller frees it;
 * NULL when memory is short. */
static char *temporary_name(const char *path) {
    const size_t size = strlen(path) + 32;
    char *out = malloc(size);
    if (out != NULL) {
        (void)snprintf(out, size, "%s.%ld.part", path, (long)getpid());
    }
    return out;
}

cnm_status output_open(output *self, const char *path, cnm_error *error) {
    *self = (output){.path = path};
    if (strcmp(path, "-") == 0) {
        self->stream = stdout;
        return CNM_OK;
    }
    if (written_in_place(path)) {
        self->stream = fopen(path, "wb");
        return self->stream != NULL ? CNM_OK : io_failed(path, "write", error);
    }
    self->temporary = temporary_name(path);
    if (self->temporary == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory");
    }
    const int file = open(self->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    self->stream = file < 0 ? NULL : fdopen(file, "wb");
    if (self->stream == NULL) {
        const cnm_status status = io_failed(path, "write", error);
        if (file >= 0) {
            close(file);
            remove(self->temporary);
        }
        free(self->temporary);
        *self = (output){0};
        return status;
    }
    return CNM_OK;
}

/* Flushes, syncs, closes and renames. Returns 0, or the errno of the first step that failed. */
static int finish_stream(output *self) {
    bool good = !ferror(self->stream); /* where a write failed just now, errno still has the reason */
    if (good) {
        errno = 0;
        good = fflush(self->stream) == 0;
    }
    if (self->stream != stdout) {
        good = good && (self->temporary == NULL || fsync(fileno(self->stream)) == 0);
        const int reason = errno;
        const bool closed = fclose(self->stream) == 0;
        errno = good ? errno : reason;
        good = good && closed;
    }
    self->stream = NULL;
    if (good && self->temporary != NULL) {
        good = rename(self->temporary, self->path) == 0;
    }
    return good ? 0 : errno != 0 ? errno : EIO;
}

cnm_status output_commit(output *self, cnm_error *error) {
    const char *path = self->path;
    const int reason = finish_stream(self);
    output_abandon(self);
    errno = reason;
    return reason == 0 ? CNM_OK : io_failed(path, "write", error);
}

void output_abandon(output *self) {
    if (self->stream != NULL && self->stream != stdout) {
        fclose(self->stream);
    }
    if (self->temporary != NULL) {
        remove(self->temporary); /* fails harmlessly after a rename */
        free(self->temporary);
    }
    *self = (output){0};
}

/* Returns whether a file of this name, or beside it, can be made: makes one and removes it. */
static bool can_create(const char *path, const char *temporary) {
    if (access(path, F_OK) == 0 && access(path, W_OK) != 0) {
        return false;
    }
    const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file >= 0) {
        close(file);
        remove(temporary);
    }
    return file >= 0;
}

cnm_status output_check(const char *path, cnm_error *error) {
    if (strcmp(path, "-") == 0) {
        return CNM_OK;
    }
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return error_fill(error, CNM_IO_FAILED, "cannot write %s: it is a folder", path);
    }
    if (written_in_place(path)) {
        return access(path, W_OK) == 0 ? CNM_OK : io_failed(path, "write", error);
    }
    char *temporary = temporary_name(path);
    if (temporary == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory");
    }
    const cnm_status result = can_create(path, temporary) ? CNM_OK : io_failed(path, "write", error);
    free(temporary);
    return result;
}

bool output_same_file(const char *one, const char *other) {
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

cnm_status output_finish_standard(cnm_error *error) {
    if (ferror(stdout) || fflush(stdout) != 0 || fclose(stdout) != 0) {
        return io_failed("-", "write", error);
    }
    return CNM_OK;
}
