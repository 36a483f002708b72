/* Reads bytes from a file, standard input or memory, gunzipping them on the way. Knows nothing of
 * lines or rows.
 *
 * Four layers: raw bytes (file or memory), unpacked bytes (gunzipped or the same), decoded bytes
 * (text as UTF-8, or the same), and the peeked start, which is handed out again before anything
 * else. */
#include "data/read/byte_source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/core/error.h"
#include "base/core/faults.h"
#include "base/core/memory.h"
#include "base/core/try.h"

enum { INPUT_SIZE = 1 << 18, PEEK_SIZE = 1 << 16, LEAST_AHEAD = 2 };

struct byte_source {
    char *name;
    int descriptor;              /* -1: memory */
    const unsigned char *memory; /* borrowed bytes that were not taken yet */
    size_t memory_size;
    size_t stored;        /* all stored bytes, 0 where that is not known */
    _Atomic size_t done;  /* read so far */
    unsigned char *input; /* (input_size) raw bytes read ahead: input[at .. held) */
    size_t input_size;    /* INPUT_SIZE, less where there is less to read */
    size_t at, held;
    bool gzip, inflating, ended;
    int failure; /* zlib's code for what ended the inflating; else Z_OK */
    z_stream stream;
    text_decoder *decoder; /* or NULL: bytes are given as they are */
    unsigned char *peeked; /* decoded; [peek_at .. peek_size) are still to be read */
    size_t peek_at, peek_size;
};

static void *zlib_take(void *unused, unsigned count, unsigned size) {
    void *out;
    (void)unused;
    return memory_take(&out, count, size, "gunzip", NULL) == CNM_OK ? out : NULL;
}

static void zlib_free(void *unused, void *pointer) {
    (void)unused;
    memory_free(pointer);
}

/* Fails at the end of a file that is shorter than it was when it was opened: nothing else would
 * notice that rows are missing. */
static cnm_status check_end(const byte_source *self, cnm_error *err) {
    const size_t done = atomic_load(&self->done);
    /* standard input need not be at its start */
    if (self->descriptor <= STDIN_FILENO || done >= self->stored) {
        return CNM_OK;
    }
    return error_set(err, CNM_IO_FAILED, "%s: became shorter while it was read: found %zu bytes, expected %zu",
                     self->name, done, self->stored);
}

static cnm_status raw_read(byte_source *self, unsigned char *buffer, size_t size, size_t *got, cnm_error *err) {
    if (self->descriptor < 0) {
        *got = size < self->memory_size ? size : self->memory_size;
        memcpy(buffer, self->memory, *got);
        self->memory += *got;
        self->memory_size -= *got;
        atomic_fetch_add(&self->done, *got);
        return CNM_OK;
    }
    ssize_t count;
    do {
        count = fault_here(FAULT_READ) ? -1 : read(self->descriptor, buffer, size < SSIZE_MAX ? size : SSIZE_MAX);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        return error_set(err, CNM_IO_FAILED, "%s: cannot be read: %s", self->name, strerror(errno));
    }
    *got = (size_t)count;
    atomic_fetch_add(&self->done, *got);
    return count > 0 ? CNM_OK : check_end(self, err);
}

/* Returns the size of a regular file, 0 for everything else. */
static size_t stored_size(int descriptor) {
    struct stat facts;
    const bool known = fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
    return known && (uintmax_t)facts.st_size <= SIZE_MAX ? (size_t)facts.st_size : 0;
}

/* Makes at least `wanted` raw bytes available in input, fewer only at the end of the file. */
static cnm_status raw_ahead(byte_source *self, size_t wanted, cnm_error *err) {
    if (self->held - self->at < wanted && self->at > 0) {
        memmove(self->input, self->input + self->at, self->held - self->at);
        self->held -= self->at;
        self->at = 0;
    }
    while (self->held - self->at < wanted) {
        size_t got = 0;
        TRY(raw_read(self, self->input + self->held, self->input_size - self->held, &got, err));
        if (got == 0) {
            return CNM_OK;
        }
        self->held += got;
    }
    return CNM_OK;
}

static bool at_gzip_magic(const byte_source *self) {
    return self->held - self->at >= 2 && self->input[self->at] == 0x1f && self->input[self->at + 1] == 0x8b;
}

static cnm_status start_gzip(byte_source *self, cnm_error *err) {
    self->stream.zalloc = zlib_take;
    self->stream.zfree = zlib_free;
    if (inflateInit2(&self->stream, 16 + MAX_WBITS) != Z_OK) { /* 16: a gzip wrapper */
        return error_set(err, CNM_NO_MEMORY, "%s: out of memory for gunzip", self->name);
    }
    self->gzip = self->inflating = true;
    return CNM_OK;
}

/* Opens self on the descriptor, or the bytes where that is -1. */
static cnm_status begin(byte_source *self, const char *name, int descriptor, const void *bytes, size_t size,
                        cnm_error *err) {
    self->descriptor = descriptor;
    self->memory = bytes;
    self->memory_size = size;
    self->stored = descriptor < 0 ? size : stored_size(descriptor);
    TRY(memory_copy_text(&self->name, name, err));
    self->input_size = self->stored > LEAST_AHEAD && self->stored < INPUT_SIZE ? self->stored : INPUT_SIZE;
    TRY(memory_take(&self->input, self->input_size, 1, "reading", err));
    TRY(raw_ahead(self, 2, err));
    return at_gzip_magic(self) ? start_gzip(self, err) : CNM_OK;
}

/* Creates a source that owns the descriptor, which is closed on failure, too. */
static cnm_status create(byte_source **out, const char *name, int descriptor, const void *bytes, size_t size,
                         cnm_error *err) {
    byte_source *self;
    *out = NULL;
    cnm_status status = memory_zeroed(&self, 1, sizeof *self, "a source", err);
    if (status != CNM_OK) {
        if (descriptor > STDIN_FILENO) {
            (void)close(descriptor);
        }
        return status;
    }
    status = begin(self, name, descriptor, bytes, size, err);
    if (status != CNM_OK) {
        byte_source_close(self);
        return status;
    }
    *out = self;
    return CNM_OK;
}

cnm_status byte_source_open(byte_source **out, const char *path, cnm_error *err) {
    *out = NULL;
    if (strcmp(path, "-") == 0) {
        return create(out, "standard input", STDIN_FILENO, NULL, 0, err);
    }
    int descriptor;
    do {
        descriptor = fault_here(FAULT_OPEN) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) {
        return error_set(err, CNM_IO_FAILED, "%s: cannot be opened: %s", path, strerror(errno));
    }
    return create(out, path, descriptor, NULL, 0, err);
}

cnm_status byte_source_from_memory(byte_source **out, const void *bytes, size_t size, const char *name,
                                   cnm_error *err) {
    return create(out, name, -1, bytes != NULL ? bytes : "", size, err);
}

void byte_source_close(byte_source *self) {
    if (self == NULL) {
        return;
    }
    if (self->gzip) {
        (void)inflateEnd(&self->stream);
    }
    if (self->descriptor > STDIN_FILENO) {
        (void)close(self->descriptor);
    }
    text_decoder_destroy(self->decoder);
    memory_free(self->peeked);
    memory_free(self->input);
    memory_free(self->name);
    memory_free(self);
}

const char *byte_source_name(const byte_source *self) { return self->name; }

/* Reads on after a gzip member: another one, zeros (padding of tapes and disks), or the end. */
static cnm_status next_member(byte_source *self, cnm_error *err) {
    cnm_status status;
    TRY_DONE(raw_ahead(self, 2, err));
    if (at_gzip_magic(self)) {
        (void)inflateReset(&self->stream);
        self->inflating = true;
        return CNM_OK;
    }
    while (self->at < self->held) {
        for (; self->at < self->held; self->at++) {
            if (self->input[self->at] != 0) {
                return error_set(err, CNM_BAD_FORMAT,
                                 "%s: bytes that are not gzip follow the end of the gzip data, expected nothing",
                                 self->name);
            }
        }
        TRY_DONE(raw_ahead(self, 1, err));
    }
done:
    self->ended = true;
    return status;
}

static cnm_status gunzip_error(const byte_source *self, cnm_error *err) {
    if (self->failure == Z_MEM_ERROR) {
        return error_set(err, CNM_NO_MEMORY, "%s: out of memory for gunzip", self->name);
    }
    return error_set(err, CNM_BAD_FORMAT, "%s: the gzip data is damaged (%s)", self->name,
                     self->stream.msg != NULL ? self->stream.msg : "no reason given");
}

/* Fills buffer. All bytes before a damage come first, so that what is read does not depend on how
 * much is asked for at once. */
static cnm_status gunzip(byte_source *self, unsigned char *buffer, size_t size, size_t *got, cnm_error *err) {
    *got = 0;
    while (*got == 0 && !self->ended) {
        if (self->failure != Z_OK) {
            return gunzip_error(self, err);
        }
        TRY(self->inflating ? raw_ahead(self, 1, err) : next_member(self, err));
        if (self->ended) {
            return CNM_OK;
        }
        const bool exhausted = self->at == self->held; /* zlib may still have bytes to give */
        const size_t space = size < UINT_MAX ? size : UINT_MAX;
        self->stream.next_in = self->input + self->at;
        self->stream.avail_in = (unsigned)(self->held - self->at);
        self->stream.next_out = buffer;
        self->stream.avail_out = (unsigned)space;
        const int code = inflate(&self->stream, Z_NO_FLUSH);
        self->at = self->held - self->stream.avail_in;
        *got = space - self->stream.avail_out;
        if (exhausted && code == Z_BUF_ERROR) {
            return error_set(err, CNM_BAD_FORMAT, "%s: the gzip data ends too early: the file is truncated",
                             self->name);
        }
        if (code == Z_STREAM_END) {
            self->inflating = false;
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            self->failure = code;
        }
    }
    return CNM_OK;
}

static cnm_status unpacked_read(void *from, unsigned char *buffer, size_t size, size_t *got, cnm_error *err) {
    byte_source *self = from;
    *got = 0;
    if (size == 0) {
        return CNM_OK;
    }
    if (self->gzip) {
        return gunzip(self, buffer, size, got, err);
    }
    if (self->at == self->held) {
        return raw_read(self, buffer, size, got, err);
    }
    *got = size < self->held - self->at ? size : self->held - self->at;
    memcpy(buffer, self->input + self->at, *got);
    self->at += *got;
    return CNM_OK;
}

static cnm_status decoded_read(byte_source *self, unsigned char *buffer, size_t size, size_t *got, cnm_error *err) {
    return self->decoder != NULL ? text_decoder_read(self->decoder, buffer, size, got, err)
                                 : unpacked_read(self, buffer, size, got, err);
}

cnm_status byte_source_decode(byte_source *self, text_encoding encoding, cnm_error *err) {
    const unsigned char *bytes;
    size_t size;
    TRY(byte_source_peek(self, &bytes, &size, err));
    TRY(text_decoder_create(&self->decoder, encoding, bytes, size, unpacked_read, self, self->name, err));
    memory_free(self->peeked);
    self->peeked = NULL;
    self->peek_at = self->peek_size = 0;
    return CNM_OK;
}

text_encoding byte_source_encoding(const byte_source *self) {
    return self->decoder != NULL ? text_decoder_encoding(self->decoder) : ENCODING_UTF8;
}

cnm_status byte_source_read(byte_source *self, void *buffer, size_t size, size_t *got, cnm_error *err) {
    if (self->peek_at == self->peek_size) {
        return decoded_read(self, buffer, size, got, err);
    }
    *got = size < self->peek_size - self->peek_at ? size : self->peek_size - self->peek_at;
    memcpy(buffer, self->peeked + self->peek_at, *got);
    self->peek_at += *got;
    return CNM_OK;
}

cnm_status byte_source_peek(byte_source *self, const unsigned char **bytes, size_t *size, cnm_error *err) {
    *bytes = NULL;
    *size = 0;
    if (self->peeked == NULL) {
        TRY(memory_take(&self->peeked, PEEK_SIZE, 1, "reading", err));
        for (size_t got = 1; got > 0 && self->peek_size < PEEK_SIZE; self->peek_size += got) {
            TRY(decoded_read(self, self->peeked + self->peek_size, PEEK_SIZE - self->peek_size, &got, err));
        }
    }
    *bytes = self->peeked;
    *size = self->peek_size;
    return CNM_OK;
}

bool byte_source_progress(const byte_source *self, size_t *done, size_t *total) {
    *done = atomic_load(&self->done);
    *total = self->stored;
    return self->stored > 0;
}

bool byte_source_is_plain(const byte_source *self, size_t *size) {
    *size = self->gzip || self->decoder != NULL || self->descriptor <= STDIN_FILENO ? 0 : self->stored;
    return *size > 0;
}

cnm_status byte_source_read_at(byte_source *self, size_t offset, void *buffer, size_t size, size_t *got,
                               cnm_error *err) {
    ssize_t count;
    do {
        count = fault_here(FAULT_READ)
                    ? -1
                    : pread(self->descriptor, buffer, size < SSIZE_MAX ? size : SSIZE_MAX, (off_t)offset);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        return error_set(err, CNM_IO_FAILED, "%s: cannot be read: %s", self->name, strerror(errno));
    }
    *got = (size_t)count;
    atomic_fetch_add(&self->done, *got);
    return CNM_OK;
}
