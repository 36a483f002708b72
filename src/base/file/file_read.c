/* Reads a whole file into memory: regular files, devices and pipes alike. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/faults.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/file.h"

enum { FIRST_SIZE = 1 << 16, LARGEST_PIECE = 1 << 30, REASON_SIZE = 160 };

cnm_status file_fail(const char *verb, const char *path, cnm_error *err) {
    char reason[REASON_SIZE];
    const int number = errno;
    if (strerror_r(number, reason, sizeof reason) != 0) {
        return error_set(err, CNM_IO_FAILED, "cannot %s %s: error %d", verb, path, number);
    }
    return error_set(err, CNM_IO_FAILED, "cannot %s %s: %s", verb, path, reason);
}

/* The bytes read so far; there is always room for the NUL. */
typedef struct contents {
    unsigned char *bytes;
    size_t size, capacity;
} contents;

static cnm_status too_large(const char *path, size_t limit, cnm_error *err) {
    return error_set(err, CNM_NO_MEMORY, "%s has more than the %zu bytes that are accepted here", path, limit);
}

static cnm_status read_to_end(int descriptor, const char *path, size_t limit, contents *self, cnm_error *err) {
    for (;;) {
        if (limit != 0 && self->size > limit) {
            return too_large(path, limit, err);
        }
        TRY(memory_grow(&self->bytes, &self->capacity, self->size + 2, 1, path, err));
        const size_t room = self->capacity - self->size - 1;
        const size_t piece = room < LARGEST_PIECE ? room : LARGEST_PIECE;
        const ssize_t count = fault_here(FAULT_READ) ? -1 : read(descriptor, self->bytes + self->size, piece);
        if (count == 0) {
            self->bytes[self->size] = '\0';
            return CNM_OK;
        }
        if (count < 0 && errno != EINTR) {
            return file_fail("read", path, err);
        }
        self->size += count > 0 ? (size_t)count : 0;
    }
}

/* Takes memory of the size that the system gives for the file, so that reading copies nothing. */
static cnm_status read_open(int descriptor, const char *path, size_t limit, contents *self, cnm_error *err) {
    struct stat about;
    if (fstat(descriptor, &about) != 0) {
        return file_fail("read", path, err);
    }
    if (S_ISDIR(about.st_mode)) {
        return error_set(err, CNM_IO_FAILED, "cannot read %s: it is a folder, not a file", path);
    }
    size_t expected = FIRST_SIZE;
    if (S_ISREG(about.st_mode)) {
        if ((uintmax_t)about.st_size > (limit != 0 ? limit : SIZE_MAX - 2)) {
            return too_large(path, limit != 0 ? limit : SIZE_MAX - 2, err);
        }
        expected = (size_t)about.st_size;
    }
    TRY(memory_take(&self->bytes, expected + 2, 1, path, err));
    self->capacity = expected + 2;
    return read_to_end(descriptor, path, limit, self, err);
}

cnm_status file_read_all(const char *path, size_t limit, unsigned char **bytes, size_t *size, cnm_error *err) {
    contents read_bytes = {NULL, 0, 0};
    cnm_status status = CNM_OK;
    *bytes = NULL;
    *size = 0;
    const int descriptor = fault_here(FAULT_OPEN) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return file_fail("read", path, err);
    }
    TRY_DONE(read_open(descriptor, path, limit, &read_bytes, err));
    *bytes = read_bytes.bytes;
    *size = read_bytes.size;
    read_bytes.bytes = NULL;
done:
    (void)close(descriptor);
    memory_free(read_bytes.bytes);
    return status;
}

cnm_status file_read_start(const char *path, void *bytes, size_t size, size_t *count, cnm_error *err) {
    *count = 0;
    /* O_NONBLOCK: never waits for a pipe that has no writer. */
    const int descriptor = fault_here(FAULT_OPEN) ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return errno == ENOENT ? CNM_OK : file_fail("read", path, err);
    }
    cnm_status status = CNM_OK;
    for (ssize_t got = 1; got != 0 && *count < size;) {
        got = fault_here(FAULT_READ) ? -1 : read(descriptor, (char *)bytes + *count, size - *count);
        *count += got > 0 ? (size_t)got : 0;
        TRY_DONE(got < 0 && errno != EINTR ? file_fail("read", path, err) : CNM_OK);
    }
done:
    (void)close(descriptor);
    return status;
}
