/* Philox4x32-10, a counter-based random number generator, written from its definition in Salmon,
 * Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). One counter at a
 * time; math/simd/simd_noise.h does many side by side with the same constants. */
#ifndef CNM_BASE_CORE_PHILOX_H
#define CNM_BASE_CORE_PHILOX_H

#include <stdint.h>

#define PHILOX_MULTIPLIER_0 UINT32_C(0xd2511f53)
#define PHILOX_MULTIPLIER_1 UINT32_C(0xcd9e8d57)
/* What a key's words grow by from one round to the next (Weyl sequences). */
#define PHILOX_KEY_STEP_0 UINT32_C(0x9e3779b9) /* the golden ratio */
#define PHILOX_KEY_STEP_1 UINT32_C(0xbb67ae85) /* sqrt(3) - 1 */

enum { PHILOX_ROUNDS = 10 };

/* Replaces the four words of a counter by random ones: a bijection of counters for each key. */
static inline void philox4x32(uint32_t key_0, uint32_t key_1, uint32_t words[4]) {
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        const uint64_t first = (uint64_t)PHILOX_MULTIPLIER_0 * words[0];
        const uint64_t second = (uint64_t)PHILOX_MULTIPLIER_1 * words[2];
        words[0] = (uint32_t)(second >> 32) ^ words[1] ^ key_0;
        words[1] = (uint32_t)second;
        words[2] = (uint32_t)(first >> 32) ^ words[3] ^ key_1;
        words[3] = (uint32_t)first;
        key_0 += PHILOX_KEY_STEP_0;
        key_1 += PHILOX_KEY_STEP_1;
    }
}

#endif
