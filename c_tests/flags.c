/* Each call raises the flags that IEEE 754 gives its result, no other, and lowers none. */
#include "check.h"

#include <float.h>

#define ALWAYS(flags) {flags, flags, flags, flags}
#define NOTHING ALWAYS(0)
#define INEXACT ALWAYS(FE_INEXACT)
#define OVERFLOW ALWAYS(FE_OVERFLOW | FE_INEXACT)
#define UNDERFLOW ALWAYS(FE_UNDERFLOW | FE_INEXACT)

/* erf(0x1.c5bf88p-127) lies 0.31 times the smallest subnormal below the smallest normal number. x86 and
 * RISC-V ask whether the result is tiny after rounding it to 24 bits, and upward it is not; ARM asks before. */
#if defined(__x86_64__) || defined(__i386__) || defined(__riscv)
#define UNDERFLOW_BUT_UPWARD \
    {FE_UNDERFLOW | FE_INEXACT, FE_INEXACT, FE_UNDERFLOW | FE_INEXACT, FE_UNDERFLOW | FE_INEXACT}
#else
#define UNDERFLOW_BUT_UPWARD UNDERFLOW
#endif

struct promise {
    const char *function;
    double x;
    int flags[4]; /* to nearest, upward, downward, toward zero */
};

static const struct promise promises[] = {
    {"erff", 0.0, NOTHING},
    {"erff", -0.0, NOTHING},
    {"erff", INFINITY, NOTHING},
    {"erff", -INFINITY, NOTHING},
    {"erff", 1.0, INEXACT},
    {"erff", -0x1.cb2452p-1, INEXACT},
    /* Saturated: the value is not 1. */
    {"erff", 0x1.f5a88ap+1, INEXACT},
    {"erff", -0x1p+2, INEXACT},
    {"erff", FLT_MAX, INEXACT},
    {"erff", -FLT_MAX, INEXACT},
    /* Around the smallest normal result, which comes from a subnormal input. */
    {"erff", 0x1p-126, INEXACT},
    {"erff", 0x1.c5bf8cp-127, INEXACT},
    {"erff", 0x1.c5bf88p-127, UNDERFLOW_BUT_UPWARD},
    {"erff", 0x1.c5bf84p-127, UNDERFLOW},
    {"erff", -0x1.c5bf84p-127, UNDERFLOW},
    {"erff", 0x1p-149, UNDERFLOW},
    {"erff", -0x1p-149, UNDERFLOW},

    {"expf", 0.0, NOTHING},
    {"expf", -0.0, NOTHING},
    {"expf", INFINITY, NOTHING},
    {"expf", -INFINITY, NOTHING},
    {"expf", 1.0, INEXACT},
    {"expf", -1.0, INEXACT},
    /* A subnormal input alone is no underflow. */
    {"expf", 0x1p-149, INEXACT},
    {"expf", -0x1p-149, INEXACT},
    {"expf", 0x1p-30, INEXACT},
    /* Around the largest finite result: beyond it every mode overflows, those that return FLT_MAX too. */
    {"expf", 0x1.62e42ep+6, INEXACT},
    {"expf", 0x1.62e43p+6, OVERFLOW},
    {"expf", 0x1.8p+6, OVERFLOW},
    {"expf", FLT_MAX, OVERFLOW},
    /* Around the smallest normal result, the smallest subnormal, and beyond. */
    {"expf", -0x1.5d589ep+6, INEXACT},
    {"expf", -0x1.5d58ap+6, UNDERFLOW},
    {"expf", -0x1.9fe368p+6, UNDERFLOW},
    {"expf", -0x1.9fe36ap+6, UNDERFLOW},
    {"expf", -FLT_MAX, UNDERFLOW},

    {"erfcf", 0.0, NOTHING},
    {"erfcf", -0.0, NOTHING},
    {"erfcf", INFINITY, NOTHING},
    {"erfcf", -INFINITY, NOTHING},
    {"erfcf", 1.0, INEXACT},
    /* Close to 1 and 2, which are not the values. */
    {"erfcf", 0x1p-55, INEXACT},
    {"erfcf", -0x1p-55, INEXACT},
    {"erfcf", 0x1p-149, INEXACT},
    {"erfcf", -0x1p+2, INEXACT},
    {"erfcf", -FLT_MAX, INEXACT},
    /* Around the smallest normal result, the smallest subnormal, and beyond. */
    {"erfcf", 0x1.2639bep+3, INEXACT},
    {"erfcf", 0x1.2639cp+3, UNDERFLOW},
    {"erfcf", 0x1.41bbf6p+3, UNDERFLOW},
    {"erfcf", 0x1.41bbf8p+3, UNDERFLOW},
    {"erfcf", FLT_MAX, UNDERFLOW},

    {"normcdff", 0.0, NOTHING},
    {"normcdff", -0.0, NOTHING},
    {"normcdff", INFINITY, NOTHING},
    {"normcdff", -INFINITY, NOTHING},
    {"normcdff", 1.0, INEXACT},
    {"normcdff", 0x1p-149, INEXACT},
    {"normcdff", FLT_MAX, INEXACT},
    {"normcdff", -0x1.9e6602p+3, INEXACT},
    {"normcdff", -0x1.9e6604p+3, UNDERFLOW},
    {"normcdff", -0x1.c5722ap+3, UNDERFLOW},
    {"normcdff", -FLT_MAX, UNDERFLOW},

    {"geluf", 0.0, NOTHING},
    {"geluf", -0.0, NOTHING},
    {"geluf", INFINITY, NOTHING},
    {"geluf", -INFINITY, NOTHING},
    {"geluf", 1.0, INEXACT},
    {"geluf", -1.0, INEXACT},
    /* Close to x, the largest number among them. */
    {"geluf", 0x1p+20, INEXACT},
    {"geluf", FLT_MAX, INEXACT},
    /* About half of x near 0. */
    {"geluf", 0x1p-124, INEXACT},
    {"geluf", -0x1p-124, INEXACT},
    {"geluf", 0x1p-126, UNDERFLOW},
    {"geluf", -0x1p-126, UNDERFLOW},
    {"geluf", 0x1p-149, UNDERFLOW},
    {"geluf", -0x1p-149, UNDERFLOW},
    {"geluf", -0x1.a4ae0cp+3, INEXACT},
    {"geluf", -0x1.a4ae0ep+3, UNDERFLOW},
    {"geluf", -0x1.cb64eap+3, UNDERFLOW},
    {"geluf", -FLT_MAX, UNDERFLOW},

    {"geluf_grad", 0.0, NOTHING},
    {"geluf_grad", -0.0, NOTHING},
    {"geluf_grad", INFINITY, NOTHING},
    {"geluf_grad", -INFINITY, NOTHING},
    {"geluf_grad", 1.0, INEXACT},
    {"geluf_grad", 0x1p-149, INEXACT},
    {"geluf_grad", -0x1.80eadp-1, INEXACT}, /* beside its zero */
    {"geluf_grad", -0x1.80ead2p-1, INEXACT},
    {"geluf_grad", FLT_MAX, INEXACT},
    {"geluf_grad", -0x1.aaf0b2p+3, INEXACT},
    {"geluf_grad", -0x1.aaf0b4p+3, UNDERFLOW},
    {"geluf_grad", -FLT_MAX, UNDERFLOW},

    {"erf", 0.0, NOTHING},
    {"erf", -0.0, NOTHING},
    {"erf", INFINITY, NOTHING},
    {"erf", -INFINITY, NOTHING},
    {"erf", 1.0, INEXACT},
    {"erf", 0x1.4ccfc024723e7p-35, INEXACT}, /* one of the hardest */
    {"erf", 0x1.7afb48dc96627p+2, INEXACT},  /* saturated */
    {"erf", -DBL_MAX, INEXACT},
    {"erf", 0x1p-1022, INEXACT},
    {"erf", 0x0.e2dfc48da77b6p-1022, INEXACT},
    {"erf", 0x0.e2dfc48da77b4p-1022, UNDERFLOW},
    {"erf", 0x1p-1074, UNDERFLOW},
    {"erf", -0x1p-1074, UNDERFLOW},

    {"erfc", 0.0, NOTHING},
    {"erfc", -0.0, NOTHING},
    {"erfc", INFINITY, NOTHING},
    {"erfc", -INFINITY, NOTHING},
    {"erfc", 1.0, INEXACT},
    {"erfc", 0x1p-1074, INEXACT},
    {"erfc", -0x1p-300, INEXACT},
    {"erfc", -0x1.544fa6d47b39p-52, INEXACT}, /* one of the hardest */
    {"erfc", -DBL_MAX, INEXACT},
    {"erfc", 0x1.a8b12fc6e4891p+4, INEXACT},
    {"erfc", 0x1.a8b12fc6e4892p+4, UNDERFLOW},
    {"erfc", 0x1.b39dc41e48bfcp+4, UNDERFLOW},
    {"erfc", 0x1.b39dc41e48bfdp+4, UNDERFLOW},
    {"erfc", DBL_MAX, UNDERFLOW},

    {"normcdf", 0.0, NOTHING},
    {"normcdf", -0.0, NOTHING},
    {"normcdf", INFINITY, NOTHING},
    {"normcdf", -INFINITY, NOTHING},
    {"normcdf", 1.0, INEXACT},
    {"normcdf", 0x1p-1074, INEXACT},
    {"normcdf", DBL_MAX, INEXACT},
    {"normcdf", -0x1.2c27b05bf1a0ap+5, INEXACT},
    {"normcdf", -0x1.2c27b05bf1a0bp+5, UNDERFLOW},
    {"normcdf", -0x1.33e21dc3f3bd8p+5, UNDERFLOW},
    {"normcdf", -DBL_MAX, UNDERFLOW},
};

static void expect(const struct promise *promise, int before) {
    int promised = before | promise->flags[mode - modes];
    const struct function *function = function_named(promise->function);
    uint64_t x = number_from(function->format, promise->x);
    int raised;
    set_flags(before);
    value_of(function, x);
    raised = raised_flags();
    if (raised != promised) {
        fail("%s(%s) leaves the flags 0x%x instead of 0x%x, after 0x%x", function->name, text(function->format, x),
             (unsigned)raised, (unsigned)promised, (unsigned)before);
    }
}

static void flags_are_kept(void) {
    for (size_t i = 0; i < sizeof promises / sizeof promises[0]; i++) {
        expect(&promises[i], 0);
        expect(&promises[i], ALL_FLAGS);
    }
}

int main(void) {
    return in_every_mode_at_every_level(flags_are_kept);
}
