/* Non-negative integers of up to 4096 bits on the stack. */
#include "base/text/bigint.h"

#include <string.h>

static void append(bigint *self, uint32_t limb) {
    if (limb != 0 && self->count < BIGINT_LIMBS) {
        self->limbs[self->count++] = limb;
    }
}

void bigint_set(bigint *self, uint64_t value) {
    self->count = 0;
    while (value != 0) {
        self->limbs[self->count++] = (uint32_t)value;
        value >>= 32;
    }
}

void bigint_multiply(bigint *self, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (size_t i = 0; i < self->count; i++) {
        carry += (uint64_t)self->limbs[i] * factor;
        self->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    append(self, (uint32_t)carry);
}

void bigint_multiply_power_of_five(bigint *self, unsigned power) {
    static const uint32_t FIVE[] = {1,     5,      25,      125,     625,      3125,      15625,
                                    78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125};
    enum { LARGEST = 13 };
    for (; power > LARGEST; power -= LARGEST) {
        bigint_multiply(self, FIVE[LARGEST], 0);
    }
    bigint_multiply(self, FIVE[power], 0);
}

void bigint_multiply_power_of_two(bigint *self, unsigned power) {
    const size_t limbs = power / 32;
    if (self->count == 0 || limbs > BIGINT_LIMBS - self->count) {
        return;
    }
    if (limbs > 0) {
        memmove(self->limbs + limbs, self->limbs, self->count * sizeof self->limbs[0]);
        memset(self->limbs, 0, limbs * sizeof self->limbs[0]);
        self->count += limbs;
    }
    bigint_multiply(self, (uint32_t)1 << power % 32, 0);
}

int bigint_compare(const bigint *a, const bigint *b) {
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (size_t i = a->count; i-- > 0;) {
        if (a->limbs[i] != b->limbs[i]) {
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
        }
    }
    return 0;
}

uint32_t bigint_divide(bigint *self, uint32_t divisor) {
    uint64_t remainder = 0;
    for (size_t i = self->count; i-- > 0;) {
        remainder = remainder << 32 | self->limbs[i];
        self->limbs[i] = (uint32_t)(remainder / divisor);
        remainder %= divisor;
    }
    while (self->count > 0 && self->limbs[self->count - 1] == 0) {
        self->count--;
    }
    return (uint32_t)remainder;
}
