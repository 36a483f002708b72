/* What an emulated Cortex-M4 needs before newlib's start: a vector table at address 0, and the
 * floating-point unit switched on. */
#include <stdint.h>

extern void _start(void);
static void reset(void);

__attribute__((section(".vectors"), used)) static const uintptr_t VECTORS[2] = {0x20400000, (uintptr_t)reset};

static void reset(void) {
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* CPACR: full access to CP10 and CP11 */
    __asm volatile("dsb\n isb");
    _start();
}
