/* What a Cortex-M4 begins with: its table of vectors, which has the first stack pointer and where to go, and the unit for single
 * precision switched on. */
#include <stdint.h>

extern char stack_top[];
void _start(void);

static void reset(void) {
    volatile uint32_t *access_to_coprocessors = (volatile uint32_t *)0xe000ed88; /* CPACR */
    *access_to_coprocessors |= 0xfu << 20;
    __asm__ volatile("dsb\n\tisb");
    _start();
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {stack_top, (const void *)reset};
