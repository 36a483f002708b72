/* Non-negative integers of up to 4096 bits on the stack, for exact conversions between decimal and
 * binary. Not a general library of large integers: callers bound their sizes, and bits that do not
 * fit are dropped. */
#ifndef CNM_BASE_TEXT_BIGINT_H
#define CNM_BASE_TEXT_BIGINT_H

#include <stddef.h>
#include <stdint.h>

enum { BIGINT_LIMBS = 128 };

/* The sum of limbs[i] * 2^(32 i) for i < count; the highest limb is not 0. */
typedef struct bigint {
    size_t count;
    uint32_t limbs[BIGINT_LIMBS];
} bigint;

void bigint_set(bigint *self, uint64_t value);
/* self = self * factor + addend */
void bigint_multiply(bigint *self, uint32_t factor, uint32_t addend);
/* self = self * 5^power */
void bigint_multiply_power_of_five(bigint *self, unsigned power);
/* self = self * 2^power */
void bigint_multiply_power_of_two(bigint *self, unsigned power);
/* Returns a number below 0, 0 or above 0 as a is below, equal to or above b. */
int bigint_compare(const bigint *a, const bigint *b);
/* Sets self = floor(self / divisor) and returns the remainder. divisor >= 1. */
uint32_t bigint_divide(bigint *self, uint32_t divisor);

#endif
