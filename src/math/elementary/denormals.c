/* Sets the bits of the floating-point control register that turn denormal numbers into 0. */
#include "math/elementary/denormals.h"

#if defined(__GNUC__) && defined(__x86_64__)
#include <xmmintrin.h>

enum { FLUSH_RESULTS = 0x8000, FLUSH_OPERANDS = 0x0040 };

uint64_t denormals_flush_begin(void) {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH_RESULTS | FLUSH_OPERANDS);
    return before;
}

void denormals_flush_end(uint64_t before) { _mm_setcsr((unsigned)before); }
#elif defined(__GNUC__) && defined(__aarch64__)
uint64_t denormals_flush_begin(void) {
    uint64_t before;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(before));
    __asm__ __volatile__("msr fpcr, %0" : : "r"(before | UINT64_C(1) << 24));
    return before;
}

void denormals_flush_end(uint64_t before) { __asm__ __volatile__("msr fpcr, %0" : : "r"(before)); }
#else
uint64_t denormals_flush_begin(void) { return 0; }

void denormals_flush_end(uint64_t before) { (void)before; }
#endif
