/* halfulp_normcdff_scaled_n gives the normal distribution at (x - mean)/sd within 0.5001 ulp to nearest, and 1.0001 in
 * the other modes, of the exact value. Where there is none it gives a NaN and raises invalid, if it has an element. */
#include "check.h"

#include <errno.h>

struct close_row {
    double mean, sd, x;
    double value; /* to double precision: its own error does not show */
    const char *note;
};

static const struct close_row close_rows[] = {
    {0x0p+0, 0x1p+0, -0x1.4p+2, 0x1.33ca2f2133831p-22, "no scale"},
    {0x0p+0, 0x1p+0, 0x1.666666p-1, 0x1.841d56f5c99ddp-1, "no scale"},
    {0x0p+0, 0x1p+0, -0x1.4p+3, 0x1.26c75e84fb10dp-77, "no scale, tail"},
    {0x1p-1, 0x1p+1, 0x1p-1, 0x1p-1, "in the middle"},
    {0x1.9p+6, 0x1.ep+3, 0x1.04p+7, 0x1.f45a183e9b13dp-1, "ordinary"},
    {0x1.9p+6, 0x1.ep+3, 0x1.bcp+5, 0x1.8a96a8f7cd7efp-10, "ordinary"},
    {-0x1.4p+1, 0x1p-3, -0x1.8p+1, 0x1.09ad7954afff8p-15, "ordinary"},
    {0x1.99999ap-4, 0x1.333334p-2, -0x1.b33334p+0, 0x1.0f30f7283b3c6p-30, "ordinary"},
    {0x1.99999ap-4, 0x1.333334p-2, 0x1.333334p-2, 0x1.7eb94c68385a7p-1, "ordinary"},
    {0x1.19999ap+0, 0x1.99999ap-4, 0x1.99999ap-4, 0x1.26c74ffc1a432p-77, "deep in the tail"},
    {0x1.333334p-2, 0x1.666666p-1, -0x1.1cccccp+3, 0x1.45da1ce52273cp-130, "deep in the tail"},
    {0x1.f4p+9, 0x1.14ccccp+4, 0x1.862p+9, 0x1.86b26fd8e864bp-122, "deep in the tail"},
    {0x1.c9c38p+24, 0x1.b33334p+0, 0x1.c9c36cp+24, 0x1.3413115d792dcp-105, "the difference is exact"},
    {0x1p+0, 0x1.0c6f7ap-20, 0x1.ffffp-1, 0x1.a8e2a7ea58922p-47, "the difference cancels"},
    {0x1.0624dep-10, 0x1.9c511ep-29, 0x1.0624bep-10, 0x1.11c13e51d7721p-2, "the difference cancels"},
    {0x1.2a05f2p+33, 0x1.dcd65p+29, 0x1.0624dep-10, 0x1.26c75e8507d9cp-77, "the difference is not exact in a float"},
    {-0x1p+0, 0x1.99999ap-4, -0x1.000002p+1, 0x1.26c5aa7bd7ad2p-77, "the difference is not exact in a float"},
    {0x1.666666p-1, 0x1.4cccccp+0, -0x1.08p+4, 0x1.963429666d6e8p-132, "a subnormal result"},
    {0x1p+1, 0x1.8p+1, -0x1.34p+5, 0x1.5cbaff5bbf4b5p-137, "a subnormal result"},
    {0x1.99999ap-4, 0x1.99999ap-4, -0x1.4f5c28p+0, 0x1.5ae669afcce3cp-149, "a subnormal result"},
    {0x0p+0, 0x1p-149, 0x1p-147, 0x1.fffbd94a1aad4p-1, "the smallest subnormals"},
    {0x1p-149, 0x1p-130, -0x1p-129, 0x1.74bc8999da7cbp-6, "subnormals"},
    {0x0p+0, 0x1.ff933cp+127, -0x1.ff933cp+127, 0x1.44ed0bb7cb20bp-3, "the largest numbers"},
    {-0x1.c363ccp+127, 0x1.c363ccp+127, 0x1.c363ccp+127, 0x1.f45a183e9b13dp-1, "the difference is beyond floats"},
    {0x1.ff933cp+127, 0x1.2ced32p+126, -0x1.ff933cp+127, 0x1.701879644ad61p-38, "the difference is beyond floats"},
    {0x1p-2, 0x1.8p+0, 0x1.4484cp-100, 0x1.bc3a4e2da61fcp-2, "x does not matter"},
    {-0x1.8p+0, 0x1p-1, 0x1.cp+0, 0x1.ffffffffa7affp-1, "close to 1"},
};

#define INFINITE 0x7f800000
#define QUIET 0x7fc00005
#define SIGNALLING 0x7f800005
#define ONE_HALF 0x3f000000
#define ONE_AND_A_HALF 0x3fc00000
#define MINUS 0x80000000
enum { ANY_NAN = 1 };

/* All in bits of floats. */
static const struct special_row {
    uint32_t mean, sd, x;
    uint32_t right; /* ANY_NAN stands for any quiet one */
    int flags;
} special_rows[] = {
    /* No deviation. */
    {0, 0, ONE_HALF, ANY_NAN, FE_INVALID},
    {0, MINUS, ONE_HALF, ANY_NAN, FE_INVALID},
    {ONE_HALF, 0, ONE_HALF, ANY_NAN, FE_INVALID},
    {0, MINUS | 1, ONE_HALF, ANY_NAN, FE_INVALID},
    {0, MINUS | ONE_HALF, ONE_HALF, ANY_NAN, FE_INVALID},
    {0, MINUS | INFINITE, ONE_HALF, ANY_NAN, FE_INVALID},
    {0, QUIET, ONE_HALF, ANY_NAN, FE_INVALID},
    {0, SIGNALLING, ONE_HALF, ANY_NAN, FE_INVALID},
    {0, 0, INFINITE, ANY_NAN, FE_INVALID},
    {0, 0, QUIET, ANY_NAN, FE_INVALID},
    {QUIET, MINUS | ONE_HALF, ONE_HALF, ANY_NAN, FE_INVALID},
    /* Infinities. */
    {0, ONE_HALF, INFINITE, 0x3f800000, 0},
    {0, ONE_HALF, MINUS | INFINITE, 0, 0},
    {INFINITE, ONE_HALF, ONE_HALF, 0, 0},
    {MINUS | INFINITE, ONE_HALF, ONE_HALF, 0x3f800000, 0},
    {INFINITE, ONE_HALF, MINUS | INFINITE, 0, 0},
    {INFINITE, ONE_HALF, INFINITE, ANY_NAN, FE_INVALID},
    {MINUS | INFINITE, ONE_HALF, MINUS | INFINITE, ANY_NAN, FE_INVALID},
    {0, INFINITE, ONE_HALF, ONE_HALF, 0},
    {0, INFINITE, MINUS | INFINITE, ANY_NAN, FE_INVALID},
    {INFINITE, INFINITE, ONE_HALF, ANY_NAN, FE_INVALID},
    /* NaNs. */
    {0, ONE_HALF, QUIET, QUIET, 0},
    {0, ONE_HALF, MINUS | QUIET, MINUS | QUIET, 0},
    {0, ONE_HALF, SIGNALLING, QUIET, FE_INVALID},
    {QUIET, ONE_HALF, ONE_HALF, ANY_NAN, 0},
    {SIGNALLING, ONE_HALF, ONE_HALF, ANY_NAN, FE_INVALID},
    /* The mean itself. */
    {ONE_AND_A_HALF, ONE_HALF, ONE_AND_A_HALF, ONE_HALF, 0},
    {1, 1, 1, ONE_HALF, 0},
};

enum { MOST = 53 }; /* full vectors, pairs of them, and a rest */

static const char *described(uint32_t mean, uint32_t sd, uint32_t x) {
    static char words[256];
    snprintf(words, sizeof words, "normcdff_scaled(%s, %s, %s)", text(&binary32, mean), text(&binary32, sd),
             text(&binary32, x));
    return words;
}

/* With one element, and with many that are the same. Gives the first result; the flags raised go to `raised`. */
static uint32_t result_of(uint32_t mean, uint32_t sd, uint32_t x, int *raised) {
    scaled_function *call = (scaled_function *)function_named("normcdff_scaled")->array;
    float y[MOST], first;
    uint32_t xs[MOST]; /* as a float, a signalling NaN may become quiet by the way: x87 does so */
    for (int i = 0; i < MOST; i++) {
        xs[i] = x;
    }
    errno = EDOM;
    set_flags(0);
    call(1, from_bits(mean), from_bits(sd), xs, &first);
    *raised = raised_flags();
    call(MOST, from_bits(mean), from_bits(sd), xs, y);
    if (((*raised ^ raised_flags()) & ~FE_INEXACT) != 0 || errno != EDOM) {
        fail("%s sets errno, or raises 0x%x and with more elements 0x%x", described(mean, sd, x), (unsigned)*raised,
             (unsigned)raised_flags());
    }
    for (int i = 0; i < MOST; i++) {
        if (bits(y[i]) != bits(first)) {
            fail("%s gives %s, and as element %d of many %s", described(mean, sd, x), text(&binary32, bits(first)), i,
                 text(&binary32, bits(y[i])));
        }
    }
    return bits(first);
}

static void expect_close(const struct close_row *row) {
    uint32_t mean = bits((float)row->mean), sd = bits((float)row->sd), x = bits((float)row->x);
    int raised;
    uint32_t value = result_of(mean, sd, x, &raised);
    int exponent = row->value < 0x1p-126 ? -126 : ilogb(row->value);
    double limit = mode == modes ? 0.5001 : 1.0001, ulp = ldexp(1.0, exponent - 23);
    double error = ((double)from_bits(value) - row->value) / ulp;
    int tiny = (row->value < 0x1p-126) * FE_UNDERFLOW;
    if (!(fabs(error) <= limit)) {
        fail("%s gives %s, %.4f ulp from %a (%s)", described(mean, sd, x), text(&binary32, value), error, row->value,
             row->note);
    }
    if ((raised | FE_INEXACT) != (tiny | FE_INEXACT)) {
        fail("%s raises 0x%x instead of 0x%x", described(mean, sd, x), (unsigned)raised, (unsigned)tiny);
    }
}

static void expect_special(const struct special_row *row) {
    int raised;
    uint32_t value = result_of(row->mean, row->sd, row->x, &raised);
    int right = row->right == ANY_NAN ? (value & 0x7fffffff) >= 0x7fc00000 : value == row->right;
    if (!right) {
        fail("%s gives %s instead of %s", described(row->mean, row->sd, row->x), text(&binary32, value),
             row->right == ANY_NAN ? "a quiet NaN" : text(&binary32, row->right));
    }
    if ((raised & ~FE_INEXACT) != row->flags) {
        fail("%s raises 0x%x instead of 0x%x", described(row->mean, row->sd, row->x), (unsigned)raised,
             (unsigned)row->flags);
    }
}

static void expect_nothing_without_elements(void) {
    scaled_function *call = (scaled_function *)function_named("normcdff_scaled")->array;
    set_flags(0);
    call(0, 0.0f, -1.0f, NULL, NULL);
    call(0, 0.0f, NAN, NULL, NULL);
    if (raised_flags() != 0) {
        fail("normcdff_scaled raises 0x%x without an element", (unsigned)raised_flags());
    }
}

static void scaled_results_are_close(void) {
    for (size_t i = 0; i < sizeof close_rows / sizeof close_rows[0]; i++) {
        expect_close(&close_rows[i]);
    }
    for (size_t i = 0; i < sizeof special_rows / sizeof special_rows[0]; i++) {
        expect_special(&special_rows[i]);
    }
    expect_nothing_without_elements();
}

int main(void) {
    return in_every_mode_at_every_level(scaled_results_are_close);
}
