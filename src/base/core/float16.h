/* 16-bit floating point numbers (IEEE 754 binary16), for arrays at rest: 11 significant bits, from
 * 2^-24 to 65504.
 *
 * An array is kept as 16-bit numbers times one power of two, value = half * 2^exponent, so that its
 * largest values lie within that range. Not for arithmetic. */
#ifndef CNM_BASE_CORE_FLOAT16_H
#define CNM_BASE_CORE_FLOAT16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the nearest 16-bit number, ties to even; infinity from 65520 on; NaN stays NaN. */
uint16_t float16_from_float(float value);
/* Returns the value of a 16-bit number, exactly. */
float float16_to_float(uint16_t half);

/* The bounds of an array's exponent. */
enum { FLOAT16_LEAST_EXPONENT = -126, FLOAT16_MOST_EXPONENT = 127 };

/* Returns the exponent for an array of finite numbers: 0 where the largest lies between 2^-4 and
 * 2^15, so that numbers down to a thousandth of the largest keep all bits; elsewhere such that the
 * largest becomes 1 to 2. The same before and after float16_round. */
int float16_exponent(const float *values, size_t count);

/* Fills out (count) with the 16-bit numbers nearest to values / 2^exponent; returns whether
 * float16_decode gives all values back. */
bool float16_encode(const float *values, size_t count, int exponent, uint16_t *out);
/* Fills out (count) with halves * 2^exponent: exact, or infinite where float32 cannot hold the
 * value. */
void float16_decode(const uint16_t *halves, size_t count, int exponent, float *out);

/* Rounds finite numbers in place to the values that float16_encode keeps. */
void float16_round(float *values, size_t count);

#endif
