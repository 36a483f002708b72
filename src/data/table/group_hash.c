/* FNV-1a over the bytes, then the finisher of MurmurHash3, which spreads every bit. Two of a
 * million groups share a hash with a chance of 3e-8; they would only be validated together. */
#include "data/table/group_hash.h"

#include <string.h>

#include "base/text/text.h"

static uint64_t hash_bytes(uint64_t start, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    uint64_t sum = UINT64_C(0xcbf29ce484222325) ^ start;
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
    }
    sum = (sum ^ sum >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    sum = (sum ^ sum >> 27) * UINT64_C(0x94d049bb133111eb);
    return sum ^ sum >> 31;
}

uint64_t group_hash_number(double value) {
    const double plain = value + 0.0; /* -0 becomes 0 */
    uint64_t bits = 0;
    if (value == value) { /* every NaN is the same group */
        memcpy(&bits, &plain, sizeof bits);
        return hash_bytes(1, &bits, sizeof bits);
    }
    return hash_bytes(2, &bits, sizeof bits);
}

uint64_t group_hash_text(const char *text, size_t length) {
    enum { DIGITS = 15 }; /* that a double tells apart */
    double value;
    return length <= DIGITS && text_is_double(text, text + length, &value) ? group_hash_number(value)
                                                                           : hash_bytes(0, text, length);
}
