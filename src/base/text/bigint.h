/* Non-negative integers of up to 4096 bits on the stack, for exact conversions between decimal and binary. Not a general
 * big-integer library: the callers bound their sizes, and what would not fit is dropped. */
#ifndef CNM_BASE_TEXT_BIGINT_H
#define CNM_BASE_TEXT_BIGINT_H

#include <stddef.h>
#include <stdint.h>

enum { BIG_LIMBS = 128 };

/* The sum of limbs[i] * 2^(32 i) for i < count; the highest limb is not 0. */
typedef struct big {
    size_t count;
    uint32_t limbs[BIG_LIMBS];
} big;

void big_set(big *self, uint64_t value);
/* self = self * factor + addend */
void big_multiply(big *self, uint32_t factor, uint32_t addend);
/* self = self * 5^power */
void big_multiply_power_of_five(big *self, unsigned power);
/* self = self * 2^shift */
void big_shift(big *self, unsigned shift);
/* Below 0, 0 or above 0 as a is below, equal to or above b. */
int big_compare(const big *a, const big *b);
/* self = floor(self / divisor); returns the remainder. divisor >= 1. */
uint32_t big_divide(big *self, uint32_t divisor);

#endif
