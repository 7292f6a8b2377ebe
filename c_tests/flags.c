/* Each call raises the flags that IEEE 754 gives its result, no other, and lowers none. */
#include "check.h"

#include <float.h>

#define ALWAYS(flags) {flags, flags, flags, flags}
#define NOTHING ALWAYS(0)
#define INEXACT ALWAYS(FE_INEXACT)
#define OVERFLOW ALWAYS(FE_OVERFLOW | FE_INEXACT)
#define UNDERFLOW ALWAYS(FE_UNDERFLOW | FE_INEXACT)

/* erf(0x1.c5bf88p-127) lies 0.31 times the smallest subnormal below the smallest normal number. x86 asks whether
 * the result is tiny after rounding it to 24 bits, and upward it is not; others, such as AArch64, ask before. */
#ifdef __x86_64__
#define UNDERFLOW_BUT_UPWARD \
    {FE_UNDERFLOW | FE_INEXACT, FE_INEXACT, FE_UNDERFLOW | FE_INEXACT, FE_UNDERFLOW | FE_INEXACT}
#else
#define UNDERFLOW_BUT_UPWARD UNDERFLOW
#endif

struct promise {
    const char *function;
    float x;
    int flags[4]; /* to nearest, upward, downward, toward zero */
};

static const struct promise promises[] = {
    {"erff", 0.0f, NOTHING},
    {"erff", -0.0f, NOTHING},
    {"erff", INFINITY, NOTHING},
    {"erff", -INFINITY, NOTHING},
    {"erff", 1.0f, INEXACT},
    {"erff", -0x1.cb2452p-1f, INEXACT},
    /* Saturated: the value is not 1. */
    {"erff", 0x1.f5a88ap+1f, INEXACT},
    {"erff", -0x1p+2f, INEXACT},
    {"erff", FLT_MAX, INEXACT},
    {"erff", -FLT_MAX, INEXACT},
    /* Around the smallest normal result, which comes from a subnormal input. */
    {"erff", 0x1p-126f, INEXACT},
    {"erff", 0x1.c5bf8cp-127f, INEXACT},
    {"erff", 0x1.c5bf88p-127f, UNDERFLOW_BUT_UPWARD},
    {"erff", 0x1.c5bf84p-127f, UNDERFLOW},
    {"erff", -0x1.c5bf84p-127f, UNDERFLOW},
    {"erff", 0x1p-149f, UNDERFLOW},
    {"erff", -0x1p-149f, UNDERFLOW},

    {"expf", 0.0f, NOTHING},
    {"expf", -0.0f, NOTHING},
    {"expf", INFINITY, NOTHING},
    {"expf", -INFINITY, NOTHING},
    {"expf", 1.0f, INEXACT},
    {"expf", -1.0f, INEXACT},
    /* A subnormal input alone is no underflow. */
    {"expf", 0x1p-149f, INEXACT},
    {"expf", -0x1p-149f, INEXACT},
    {"expf", 0x1p-30f, INEXACT},
    /* Around the largest finite result: beyond it every mode overflows, those that return FLT_MAX too. */
    {"expf", 0x1.62e42ep+6f, INEXACT},
    {"expf", 0x1.62e43p+6f, OVERFLOW},
    {"expf", 0x1.8p+6f, OVERFLOW},
    {"expf", FLT_MAX, OVERFLOW},
    /* Around the smallest normal result, the smallest subnormal, and beyond. */
    {"expf", -0x1.5d589ep+6f, INEXACT},
    {"expf", -0x1.5d58ap+6f, UNDERFLOW},
    {"expf", -0x1.9fe368p+6f, UNDERFLOW},
    {"expf", -0x1.9fe36ap+6f, UNDERFLOW},
    {"expf", -FLT_MAX, UNDERFLOW},
};

static void expect(const struct promise *promise, int before) {
    int promised = before | promise->flags[mode - modes];
    function *call = function_named(promise->function);
    int raised;
    set_flags(before);
    call(promise->x);
    raised = raised_flags();
    if (raised != promised) {
        fail(promise->function, promise->x, "leaves the flags 0x%x instead of 0x%x, after 0x%x", (unsigned)raised,
             (unsigned)promised, (unsigned)before);
    }
}

static void flags_are_kept(void) {
    for (size_t i = 0; i < sizeof promises / sizeof promises[0]; i++) {
        expect(&promises[i], 0);
        expect(&promises[i], FE_ALL_EXCEPT);
    }
}

int main(void) {
    return in_every_mode_at_every_level(flags_are_kept);
}
