/* Blocks of whole lines: what is read at once, to be parsed by any thread. A usual block and the rows in it fit a core's cache. */
#include <string.h>

#include "base/core/memory.h"
#include "data/read/lines.h"

enum { USUAL_SIZE = 1 << 18 };

/* Room for `size` bytes and the padding. */
static cnm_status make_room(text_block *self, size_t size) {
    return memory_grow(&self->bytes, &self->capacity, size + LINES_PADDING, 1, "lines", &self->err);
}

/* Up to `size` bytes: first those that the reader holds. */
static cnm_status take_bytes(line_reader *self, char *out, size_t size, size_t *got, cnm_error *err) {
    const size_t held = self->end - self->start;
    if (held == 0) {
        const cnm_status status = source_read(self->source, out, size, got, err);
        self->ended = *got == 0;
        return status;
    }
    *got = size < held ? size : held;
    memcpy(out, self->bytes + self->start, *got);
    self->start += *got;
    return CNM_OK;
}

static bool at_end(const line_reader *self) { return self->ended && self->start == self->end; }

static cnm_status read_bytes(line_reader *self, size_t wanted, text_block *out) {
    cnm_status status = make_room(out, wanted);
    while (status == CNM_OK && !at_end(self) && out->size < wanted) {
        size_t got = 0;
        status = take_bytes(self, out->bytes + out->size, wanted - out->size, &got, &out->err);
        out->size += got;
    }
    return status;
}

/* Bytes up to the last newline and with it; looks back no further than `from`, and returns `none` where there is none. */
static size_t whole_lines(const text_block *self, size_t from, size_t none) {
    size_t size = self->size;
    while (size > from && self->bytes[size - 1] != '\n') {
        size--;
    }
    return size > from ? size : none;
}

static size_t count_lines(const text_block *self) {
    enum { STRETCH = 240 }; /* so many fit a byte's count: the compiler makes vectors of it */
    size_t count = 0;
    for (size_t at = 0; at < self->size;) {
        const size_t stop = self->size - at < STRETCH ? self->size : at + STRETCH;
        unsigned char few = 0;
        for (; at < stop; at++) {
            few = (unsigned char)(few + (self->bytes[at] == '\n'));
        }
        count += few;
    }
    return count + (self->size > 0 && self->bytes[self->size - 1] != '\n');
}

/* Puts bytes before those that the reader holds. */
static cnm_status hold(line_reader *self, const char *bytes, size_t size, cnm_error *err) {
    const size_t held = self->end - self->start;
    cnm_status status = CNM_OK;
    if (self->start < size) {
        status = memory_grow(&self->bytes, &self->capacity, held + size, 1, "a line", err);
        if (status != CNM_OK) {
            return status;
        }
        memmove(self->bytes + size, self->bytes + self->start, held);
        self->start = size;
        self->end = size + held;
    }
    if (size > 0) {
        self->start -= size;
        memcpy(self->bytes + self->start, bytes, size);
    }
    return status;
}

/* The block ends behind `size` bytes: the lines are counted. */
static void settle(line_reader *self, text_block *out, size_t size, cnm_status status) {
    out->size = size;
    out->status = status;
    self->line = out->line - 1 + count_lines(out);
    self->joined = 0;
    if (status != CNM_OK) { /* what was held is cut */
        self->start = self->end = 0;
        self->ended = true;
    }
    out->last = at_end(self);
    if (out->bytes != NULL) {
        memset(out->bytes + size, '\n', LINES_PADDING);
    }
}

/* Reads until the block has `wanted` bytes, and a newline behind the first `known`, which are whole lines. */
static void fill(line_reader *self, size_t wanted, size_t known, text_block *out, cnm_status status) {
    size_t whole = known;
    for (size_t looked = known; status == CNM_OK && whole == known; looked = out->size, wanted = 2 * out->size) {
        status = read_bytes(self, wanted, out);
        whole = whole_lines(out, looked, known);
        if (at_end(self)) {
            break;
        }
    }
    if (status == CNM_OK && at_end(self)) {
        whole = out->size; /* the last line may lack its newline */
    }
    if (status == CNM_OK) {
        status = hold(self, out->bytes + whole, out->size - whole, &out->err);
    }
    settle(self, out, whole, status);
}

bool lines_block(line_reader *self, size_t wanted, text_block *out) {
    out->size = 0;
    const cnm_status status = self->begun ? CNM_OK : lines_begin(self, &out->err);
    out->line = self->line + self->joined + 1;
    fill(self, wanted != 0 ? wanted : USUAL_SIZE, 0, out, status);
    return out->size > 0 || out->status != CNM_OK;
}

size_t lines_block_share(const text_block *self, size_t count) {
    return self->size <= USUAL_SIZE ? count : count * USUAL_SIZE / self->size + 1;
}

bool lines_block_is_large(const text_block *self) { return self->capacity > (size_t)4 * USUAL_SIZE; }

void lines_more(line_reader *self, text_block *out) { fill(self, 2 * out->size, out->size, out, CNM_OK); }

void lines_back(line_reader *self, text_block *out, size_t kept) {
    const cnm_status status = hold(self, out->bytes + kept, out->size - kept, &out->err);
    settle(self, out, kept, status);
}

line_reader lines_of_block(source *input, const text_block *block) {
    return (line_reader){.source = input,
                         .bytes = block->bytes,
                         .end = block->size,
                         .line = block->line - 1,
                         .ended = true,
                         .begun = true,
                         .clean = memchr(block->bytes, 0, block->size) == NULL,
                         .padding = LINES_PADDING};
}
