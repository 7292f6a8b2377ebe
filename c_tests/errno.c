/* errno becomes ERANGE when expf overflows, and when the input alone makes expf, erfcf or erfc 0 to nearest, in every
 * mode. Nothing else touches it: not another subnormal or zero result, not an infinity, not a NaN, and no other
 * function. */
#include "check.h"

#include <errno.h>
#include <float.h>

enum { UNTOUCHED = 0 };

static const struct promise {
    const char *function;
    double x;
    int error;
} promises[] = {
    {"expf", 0x1.62e42ep+6, UNTOUCHED}, /* the largest finite result */
    {"expf", 0x1.62e43p+6, ERANGE},
    {"expf", 0x1.8p+6, ERANGE},
    {"expf", FLT_MAX, ERANGE},
    {"expf", INFINITY, UNTOUCHED},
    {"expf", 0.0, UNTOUCHED},
    {"expf", -0.0, UNTOUCHED},
    {"expf", 1.0, UNTOUCHED},
    {"expf", 0x1p-149, UNTOUCHED},
    {"expf", -0x1.5d58ap+6, UNTOUCHED},  /* the first subnormal result */
    {"expf", -0x1.9fe368p+6, UNTOUCHED}, /* the last that is not 0 to nearest; downward it is */
    {"expf", -0x1.9fe36ap+6, ERANGE},
    {"expf", -FLT_MAX, ERANGE},
    {"expf", -INFINITY, UNTOUCHED},
    {"expf", NAN, UNTOUCHED},
    {"erff", 0.0, UNTOUCHED},
    {"erff", -0x1p-149, UNTOUCHED}, /* a subnormal result */
    {"erff", 1.0, UNTOUCHED},
    {"erff", 0x1.f5a88ap+1, UNTOUCHED}, /* saturated */
    {"erff", FLT_MAX, UNTOUCHED},
    {"erff", -FLT_MAX, UNTOUCHED},
    {"erff", INFINITY, UNTOUCHED},
    {"erff", NAN, UNTOUCHED},

    {"erfcf", 0.0, UNTOUCHED},
    {"erfcf", 1.0, UNTOUCHED},
    {"erfcf", 0x1.2639cp+3, UNTOUCHED}, /* the first subnormal result */
    {"erfcf", 0x1.41bbf6p+3, UNTOUCHED}, /* the last that is not 0 to nearest; downward it is */
    {"erfcf", 0x1.41bbf8p+3, ERANGE},
    {"erfcf", FLT_MAX, ERANGE},
    {"erfcf", -FLT_MAX, UNTOUCHED},
    {"erfcf", INFINITY, UNTOUCHED},
    {"erfcf", -INFINITY, UNTOUCHED},
    {"erfcf", NAN, UNTOUCHED},
    {"erfc", 0.0, UNTOUCHED},
    {"erfc", 1.0, UNTOUCHED},
    {"erfc", 0x1.a8b12fc6e4892p+4, UNTOUCHED}, /* as above */
    {"erfc", 0x1.b39dc41e48bfcp+4, UNTOUCHED},
    {"erfc", 0x1.b39dc41e48bfdp+4, ERANGE},
    {"erfc", DBL_MAX, ERANGE},
    {"erfc", -DBL_MAX, UNTOUCHED},
    {"erfc", INFINITY, UNTOUCHED},
    {"erfc", -INFINITY, UNTOUCHED},
    {"erfc", NAN, UNTOUCHED},
    {"erf", 0x1p-1074, UNTOUCHED}, /* a subnormal result */
    {"erf", DBL_MAX, UNTOUCHED},
    {"erf", -INFINITY, UNTOUCHED},
    {"erf", NAN, UNTOUCHED},

    /* Zeros, subnormal results and the largest number, of functions that <math.h> does not know. */
    {"normcdff", -FLT_MAX, UNTOUCHED},
    {"normcdff", -0x1.9e6604p+3, UNTOUCHED},
    {"normcdff", -INFINITY, UNTOUCHED},
    {"normcdff", NAN, UNTOUCHED},
    {"geluf", -FLT_MAX, UNTOUCHED},
    {"geluf", FLT_MAX, UNTOUCHED},
    {"geluf", 0x1p-149, UNTOUCHED},
    {"geluf", NAN, UNTOUCHED},
    {"geluf_grad", -FLT_MAX, UNTOUCHED},
    {"geluf_grad", -0x1.aaf0b4p+3, UNTOUCHED},
    {"geluf_grad", NAN, UNTOUCHED},
    {"normcdf", -DBL_MAX, UNTOUCHED},
    {"normcdf", -0x1.2c27b05bf1a0bp+5, UNTOUCHED},
    {"normcdf", NAN, UNTOUCHED},
};

static void expect(const struct promise *promise, int before) {
    int promised = promise->error == UNTOUCHED ? before : promise->error;
    const struct function *function = function_named(promise->function);
    uint64_t x = number_from(function->format, promise->x);
    int after;
    errno = before;
    value_of(function, x);
    after = errno;
    if (after != promised) {
        fail("%s(%s) leaves errno %d instead of %d", function->name, text(function->format, x), after, promised);
    }
}

static void errno_reports_range_errors(void) {
    for (size_t i = 0; i < sizeof promises / sizeof promises[0]; i++) {
        expect(&promises[i], 0);
        expect(&promises[i], EDOM);
    }
}

int main(void) {
    return in_every_mode_at_every_level(errno_reports_range_errors);
}
