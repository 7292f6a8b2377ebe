/* errno becomes ERANGE when expf overflows or its input alone makes it 0 to nearest, in every mode. Nothing else
 * touches it: not another subnormal or zero result, not an infinity, not a NaN, never erff. */
#include "check.h"

#include <errno.h>
#include <float.h>

enum { UNTOUCHED = 0 };

static const struct promise {
    const char *function;
    float x;
    int error;
} promises[] = {
    {"expf", 0x1.62e42ep+6f, UNTOUCHED}, /* the largest finite result */
    {"expf", 0x1.62e43p+6f, ERANGE},
    {"expf", 0x1.8p+6f, ERANGE},
    {"expf", FLT_MAX, ERANGE},
    {"expf", INFINITY, UNTOUCHED},
    {"expf", 0.0f, UNTOUCHED},
    {"expf", -0.0f, UNTOUCHED},
    {"expf", 1.0f, UNTOUCHED},
    {"expf", 0x1p-149f, UNTOUCHED},
    {"expf", -0x1.5d58ap+6f, UNTOUCHED},  /* the first subnormal result */
    {"expf", -0x1.9fe368p+6f, UNTOUCHED}, /* the last that is not 0 to nearest; downward it is */
    {"expf", -0x1.9fe36ap+6f, ERANGE},
    {"expf", -FLT_MAX, ERANGE},
    {"expf", -INFINITY, UNTOUCHED},
    {"expf", NAN, UNTOUCHED},
    {"erff", 0.0f, UNTOUCHED},
    {"erff", -0x1p-149f, UNTOUCHED}, /* a subnormal result */
    {"erff", 1.0f, UNTOUCHED},
    {"erff", 0x1.f5a88ap+1f, UNTOUCHED}, /* saturated */
    {"erff", FLT_MAX, UNTOUCHED},
    {"erff", -FLT_MAX, UNTOUCHED},
    {"erff", INFINITY, UNTOUCHED},
    {"erff", NAN, UNTOUCHED},
};

static void expect(const struct promise *promise, int before) {
    int promised = promise->error == UNTOUCHED ? before : promise->error;
    function *call = function_named(promise->function);
    int after;
    errno = before;
    call(promise->x);
    after = errno;
    if (after != promised) {
        fail(promise->function, promise->x, "leaves errno %d instead of %d", after, promised);
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
