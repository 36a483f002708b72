/* Blocks of whole lines, read at once to be parsed by any thread. A usual block and the rows in it
 * fit a core's cache. */
#include "data/read/line_blocks.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"

enum { USUAL_SIZE = 1 << 18 };

/* Takes up to `size` bytes: first those that the reader holds. */
static cnm_status take_bytes(line_reader *self, char *out, size_t size, size_t *got, cnm_error *err) {
    const size_t held = self->end - self->start;
    if (held == 0) {
        const cnm_status status = byte_source_read(self->source, out, size, got, err);
        self->ended = *got == 0;
        return status;
    }
    *got = size < held ? size : held;
    memcpy(out, self->bytes + self->start, *got);
    self->start += *got;
    return CNM_OK;
}

static bool at_end(const line_reader *self) { return self->ended && self->start == self->end; }

static cnm_status read_bytes(line_reader *self, size_t wanted, line_block *out) {
    TRY(memory_grow(&out->bytes, &out->capacity, wanted + LINES_PADDING, 1, "lines", &out->err));
    while (!at_end(self) && out->size < wanted) {
        size_t got = 0;
        TRY(take_bytes(self, out->bytes + out->size, wanted - out->size, &got, &out->err));
        out->size += got;
    }
    return CNM_OK;
}

/* Returns the number of bytes up to the last newline and with it. Looks back no further than
 * `from`, and returns `none` where there is no newline. */
static size_t whole_lines(const line_block *self, size_t from, size_t none) {
    size_t size = self->size;
    while (size > from && self->bytes[size - 1] != '\n') {
        size--;
    }
    return size > from ? size : none;
}

static size_t count_lines(const line_block *self) {
    enum { STRETCH = 240 }; /* fits a byte's count: the compiler vectorises the loop */
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
    if (self->start < size) {
        TRY(memory_grow(&self->bytes, &self->capacity, held + size, 1, "a line", err));
        memmove(self->bytes + size, self->bytes + self->start, held);
        self->start = size;
        self->end = size + held;
    }
    if (size > 0) {
        self->start -= size;
        memcpy(self->bytes + self->start, bytes, size);
    }
    return CNM_OK;
}

/* Ends the block behind `size` bytes and counts its lines. */
static void settle(line_reader *self, line_block *out, size_t size, cnm_status status) {
    out->size = size;
    out->status = status;
    self->line = out->line - 1 + count_lines(out);
    self->joined = 0;
    if (status != CNM_OK) { /* the bytes that the reader holds are cut */
        self->start = self->end = 0;
        self->ended = true;
    }
    out->last = at_end(self);
    if (out->bytes != NULL) {
        memset(out->bytes + size, '\n', LINES_PADDING);
    }
}

/* Reads until the block has `wanted` bytes and, behind the first `known`, which are whole lines, a
 * newline. Sets *whole to the bytes of whole lines, also when reading fails behind them. */
static cnm_status read_lines(line_reader *self, size_t wanted, size_t known, line_block *out, size_t *whole) {
    *whole = known;
    for (size_t looked = known; *whole == known; looked = out->size, wanted = 2 * out->size) {
        const cnm_status status = read_bytes(self, wanted, out);
        *whole = whole_lines(out, looked, known);
        TRY(status);
        if (at_end(self)) {
            *whole = out->size; /* the last line may lack its newline */
            break;
        }
    }
    return hold(self, out->bytes + *whole, out->size - *whole, &out->err);
}

static void fill(line_reader *self, size_t wanted, size_t known, line_block *out) {
    size_t whole;
    const cnm_status status = read_lines(self, wanted, known, out, &whole);
    settle(self, out, whole, status);
}

bool line_block_read(line_reader *self, size_t wanted, line_block *out) {
    out->size = 0;
    const cnm_status status = self->begun ? CNM_OK : lines_begin(self, &out->err);
    out->line = self->line + self->joined + 1;
    if (status == CNM_OK) {
        fill(self, wanted != 0 ? wanted : USUAL_SIZE, 0, out);
    } else {
        settle(self, out, 0, status);
    }
    return out->size > 0 || out->status != CNM_OK;
}

size_t line_block_share(const line_block *self, size_t count) {
    return self->size <= USUAL_SIZE ? count : count * USUAL_SIZE / self->size + 1;
}

bool line_block_is_large(const line_block *self) { return self->capacity > (size_t)4 * USUAL_SIZE; }

void line_block_extend(line_reader *self, line_block *out) { fill(self, 2 * out->size, out->size, out); }

void line_block_cut(line_reader *self, line_block *out, size_t kept) {
    const cnm_status status = hold(self, out->bytes + kept, out->size - kept, &out->err);
    settle(self, out, kept, status);
}

line_reader line_block_reader(byte_source *input, const line_block *block) {
    return (line_reader){.source = input,
                         .bytes = block->bytes,
                         .end = block->size,
                         .line = block->line - 1,
                         .ended = true,
                         .begun = true,
                         .clean = memchr(block->bytes, 0, block->size) == NULL,
                         .padding = LINES_PADDING};
}
