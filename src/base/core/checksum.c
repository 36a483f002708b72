/* Computes CRC-64/XZ, eight bytes a step. The tables (16 KiB) are made on the stack at each call:
 * that is about as much work as 20 KB of input, and the library keeps no global state. */
#include "base/core/checksum.h"

enum { SLICES = 8 };

typedef struct crc_tables {
    uint64_t slice[SLICES][256]; /* slice[s][b]: what byte b does to the remainder s bytes later */
} crc_tables;

static void make_tables(crc_tables *tables) {
    /* 42f0e1eba9ea3693 with its bits reversed */
    const uint64_t polynomial = UINT64_C(0xc96c5795d7870f42);
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint64_t rest = byte;
        for (int bit = 0; bit < 8; bit++) {
            rest = rest >> 1 ^ (polynomial & (0 - (rest & 1)));
        }
        tables->slice[0][byte] = rest;
    }
    for (int s = 1; s < SLICES; s++) {
        for (uint32_t byte = 0; byte < 256; byte++) {
            const uint64_t before = tables->slice[s - 1][byte];
            tables->slice[s][byte] = before >> 8 ^ tables->slice[0][before & 255];
        }
    }
}

uint64_t checksum_update(uint64_t checksum, const void *bytes, size_t size) {
    crc_tables tables;
    make_tables(&tables);
    const unsigned char *at = bytes;
    uint64_t rest = ~checksum;
    for (; size >= SLICES; at += SLICES, size -= SLICES) {
        uint64_t next = 0;
        for (int i = 0; i < SLICES; i++) {
            next ^= tables.slice[SLICES - 1 - i][(rest >> 8 * i ^ at[i]) & 255];
        }
        rest = next;
    }
    for (; size > 0; at++, size--) {
        rest = rest >> 8 ^ tables.slice[0][(rest ^ *at) & 255];
    }
    return ~rest;
}
