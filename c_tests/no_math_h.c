/* The library with a toolchain that has no <math.h>, or one that lacks these functions: its header declares them. */
#define HALFULP_NO_MATH_H
#include "halfulp.h"

/* Unknown to the compiler. */
static volatile float hard = 0x1.cb2452p-1f, half = 0.5f;

int main(void) {
    float x[2], y[2];
    double wide = 0.0;
    x[0] = hard;
    x[1] = half;
    halfulp_erff_n(2, x, y);
    halfulp_erf_n(1, &wide, &wide);
    /* The bits of those that are wrong are the exit code. */
    return (erff(hard) != 0x1.972ea8p-1f) | (expf(half) != 0x1.a61298p+0f) << 1 | (erfcf(half) != 0x1.eb0214p-2f) << 2 |
           (erf(half) != 0x1.0a7ef5c18edd2p-1) << 3 | (erfc(half) != 0x1.eb02147ce245cp-2) << 4 |
           (y[0] != erff(hard) || y[1] != erff(half) || wide != 0.0) << 5;
}
