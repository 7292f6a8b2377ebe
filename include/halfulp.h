/* halfulp: erff and expf, correctly rounded, the same bits on every machine.
 *
 * Programs need no header to use the library in the place of libm's functions: <math.h> declares them, and linking
 * -lhalfulp before -lm, or preloading the library, is all. This header adds the names that are always there, the
 * choice of level, and the ISO names for toolchains whose <math.h> lacks them.
 *
 * What runs at each level (halfulp_level, halfulp_set_level):
 *
 *   level     CPU                             scalar calls
 *   "scalar"  any                             double arithmetic without fused multiply-add
 *   "fma"     x86-64 with FMA3, any AArch64   double arithmetic with fused multiply-add
 *
 * Every level gives the same bits.
 *
 * Generated from src/lib.rs by build.rs: change it there. */

#ifndef HALFULP_H
#define HALFULP_H

#include <stddef.h>

/* Before Visual C++ 2013 there was no erff, and some freestanding toolchains have no <math.h>: define HALFULP_NO_MATH_H
 * for those. Strict C89 hides the names in <math.h>: define HALFULP_DECLARE_C99 to have them declared all the same. */
#if defined(HALFULP_NO_MATH_H) || (defined(_MSC_VER) && _MSC_VER < 1800)
#ifndef HALFULP_DECLARE_C99
#define HALFULP_DECLARE_C99
#endif
#else
#include <math.h> /* first: C++ accepts a plain redeclaration after it, not before */
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef HALFULP_DECLARE_C99
float erff(float x);
float expf(float x);
#endif

/**
 * The error function, erf(x) = 2/sqrt(pi) times the integral of exp(-t*t) from 0 to x.
 *
 * Domain: every float. The result is the exact value rounded correctly in the current rounding mode
 * (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes.
 *
 * Special values: erff(+-0) is +-0, erff(+-inf) is +-1, both exact. A NaN comes back quiet with its sign and payload.
 * errno: never touched. Flags: inexact when the result is inexact; underflow when it is tiny and inexact;
 * invalid for a signalling NaN; no other, and none is cleared.
 *
 * Method: a polynomial of degree 7 in double precision on each of 64 cells of width 1/16, derived and searched by
 * coeffs/erf.py.
 *
 * This is `erff` of <math.h> under a name that is always there.
 */
float halfulp_erff(float x);

/**
 * The exponential function, exp(x).
 *
 * Domain: every float. The result is the exact value rounded correctly in the current rounding mode
 * (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes.
 *
 * Special values: expf(+-0) is 1, expf(-inf) is +0, expf(+inf) is +inf, all exact. A NaN comes back quiet with its sign
 * and payload. errno: ERANGE when the result overflows (x > 0x1.62e42ep+6) and when the input alone makes it underflow
 * (x < -0x1.9fe368p+6, where it rounds to 0 to nearest), in every mode; never cleared. Flags: inexact when the result is
 * inexact; overflow and underflow as IEEE 754 has them; invalid for a signalling NaN; no other, and none is cleared.
 *
 * Method: 2^(k/512) from a table times a cubic in the remainder, in double precision; the table's entries are searched
 * by coeffs/exp.py so that every input rounds right.
 *
 * This is `expf` of <math.h> under a name that is always there.
 */
float halfulp_expf(float x);

/**
 * The version of the library that runs, such as "0.1.0": a string that lives as long as the program.
 */
const char *halfulp_version(void);

/**
 * The level that runs, "scalar" or "fma": a string that lives as long as the program. The first call of any function
 * chooses the best level that the CPU has.
 */
const char *halfulp_level(void);

/**
 * Chooses a level by name for every later call in the process, for tests and comparisons: the results are the same
 * bits at every level. Returns 0, or -1, changing nothing, when the name is null or unknown or the CPU lacks the level.
 * The name is null or ends in a zero byte. May be called at any time from any thread.
 */
int halfulp_set_level(const char *name);

#ifdef __cplusplus
}
#endif

#endif /* HALFULP_H */
