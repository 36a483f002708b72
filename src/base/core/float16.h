/* 16-bit floating point numbers (IEEE 754 binary16), for arrays at rest: 11 significant bits, from 2^-24 to 65504.
 *
 * An array is kept as halves times one power of two, value = half * 2^exponent, so that its largest numbers lie within that
 * range. Not for arithmetic. */
#ifndef CNM_BASE_CORE_FLOAT16_H
#define CNM_BASE_CORE_FLOAT16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The nearest half, ties to even; infinity from 65520 on; NaN stays one. */
uint16_t half_from_float(float value);
/* Exact. */
float half_to_float(uint16_t half);

/* Exponents lie between these. */
enum { HALF_LEAST_EXPONENT = -126, HALF_MOST_EXPONENT = 127 };

/* The exponent for an array of finite numbers: 0 where the largest lies between 2^-4 and 2^15, so that numbers down to a thousandth of
 * it keep all bits; elsewhere such that it becomes 1 to 2. The same before and after half_round. */
int half_exponent(const float *values, size_t count);

/* out (count) = the nearest halves to values / 2^exponent; true where all values come back from half_decode. */
bool half_encode(const float *values, size_t count, int exponent, uint16_t *out);
/* out (count) = halves * 2^exponent: exact, or infinite where float32 cannot hold it. */
void half_decode(const uint16_t *halves, size_t count, int exponent, float *out);

/* Rounds finite numbers in place to what half_encode keeps. */
void half_round(float *values, size_t count);

#endif
