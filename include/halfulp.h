/* halfulp: erff and expf, correctly rounded, the same bits on every machine.
 *
 * Programs need no header to use the library in the place of libm's functions: <math.h> declares them, and linking
 * -lhalfulp before -lm, or preloading the library, is all. This header adds the names that are always there, the
 * functions of arrays, the choice of level, the ISO names for toolchains whose <math.h> lacks them, and HALFULP_SIMD.
 *
 * Arrays (halfulp_erff_n, halfulp_erff_ni and the like):
 *
 *   y[i] = f(x[i]) for i = 0 to n - 1, and y[i * incy] = f(x[i * incx]) for the forms with steps, where x and y point
 *   at the first element processed. Steps count elements and may be negative; incx may be 0: one input, n results.
 *   - Each result has the bits that the scalar function gives for the same input in the same rounding mode, whatever
 *     n, the place in the array, the level and the CPU.
 *   - n = 0 does nothing and accepts null pointers. Any alignment will do. Nothing else is read or written than the
 *     elements named: not what lies between the steps, nor beyond the ends.
 *   - In place, x == y, is allowed, with steps when they are equal. Arrays that overlap in any other way are not.
 *   - errno is never touched. Invalid, overflow and underflow are raised exactly when the scalar function raises them
 *     for one of the elements; inexact too, and it may be raised where none does. No flag is cleared.
 *   - Signal- and thread-safe as the scalar functions: no locks, no allocation, no state but which level runs.
 *
 * HALFULP_SIMD: with it defined before the first inclusion of this header, gcc (6 and newer, on x86-64 and AArch64
 * Linux) vectorises loops over erff, expf, std::erf(float) and std::exp(float) at plain -O3, without -ffast-math, into
 * the library's vector functions (_ZGVdN8v_erff and the like, which are also what gcc -ffast-math, gfortran and
 * clang -fveclib=libmvec call). The results stay the same bits, in every rounding mode. The price is errno and what the
 * compiler knows of flags and modes: it then takes erff and expf for functions of their argument alone (attribute
 * const). It may move a call across fesetround, fetestexcept or a look at errno, merge equal calls, and drop a call
 * whose result is not used; a vectorised loop never sets errno, and raises flags as the functions of arrays do. So
 * leave it undefined where errno, flags or a change of the mode matter.
 *
 * What runs at each level (halfulp_level, halfulp_set_level); each is better than the one before. The letters are those
 * of the vector functions: b takes 4 floats, c and d take 8, e takes 16.
 *
 *   level     CPU                           scalar calls  arrays    b         c, d      e
 *   x86-64:
 *   "scalar"  any                           unfused       one lane  SSE2      2 x SSE2  4 x SSE2
 *   "sse2"    any                           unfused       SSE2      SSE2      2 x SSE2  4 x SSE2
 *   "fma"     FMA3                          fused         SSE2      SSE2      2 x SSE2  4 x SSE2
 *   "avx2"    AVX2, FMA3, BMI1 and POPCNT   fused         AVX2      AVX2      AVX2      2 x AVX2
 *   "avx512"  AVX-512F and those            fused         AVX-512   AVX2      AVX2      AVX-512
 *   AArch64:                                                        n (2 or 4 floats)
 *   "scalar"  any                           unfused       one lane  NEON
 *   "fma"     any                           fused         one lane  NEON
 *   "neon"    any                           fused         NEON      NEON
 *   elsewhere:
 *   "scalar"  any                           unfused       one lane
 *
 * Scalar calls compute in double precision, with or without fused multiply-add. Every level gives the same bits.
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

/* Strict C89 hides the names in <math.h>: this declares them too. Compilers for SVE would also call functions of that
 * width, which the library does not have. */
#if defined(HALFULP_SIMD) && defined(__has_attribute) && defined(__linux__)
#if __has_attribute(__simd__) && (defined(__x86_64__) || (defined(__aarch64__) && !defined(__ARM_FEATURE_SVE)))
extern float erff(float x) __attribute__((__simd__("notinbranch"), __const__));
extern float expf(float x) __attribute__((__simd__("notinbranch"), __const__));
#ifdef __cplusplus
/* std::exp(float) is this one, which inherits "simd" from expf, but not "const". */
extern float __builtin_expf(float x) __attribute__((__const__));
#endif
#endif
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
 * y[i] = erff(x[i]) for all i < n: the same bits as halfulp_erff, at every place and length and in every rounding mode.
 *
 * See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
 * scalar calls would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: single-precision arithmetic with tables in registers and a second word, which decides all but about one
 * result in a hundred; those are done as halfulp_erff does them. Derived by coeffs/erf_fast.py. Infinities, NaNs and
 * arguments below 2^-40, zeros among them, take about as long as calls of halfulp_erff, several times as long as others.
 */
void halfulp_erff_n(size_t n,
                    const float *x,
                    float *y);

/**
 * y[i] = expf(x[i]) for all i < n: the same bits as halfulp_expf, at every place and length and in every rounding mode.
 *
 * See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
 * scalar calls would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: as that of halfulp_erff_n, derived by coeffs/exp_fast.py. NaNs, infinities and arguments beyond 87.33 in
 * magnitude take about as long as calls of halfulp_expf, many times as long as others.
 */
void halfulp_expf_n(size_t n, const float *x, float *y);

/**
 * halfulp_erff_n with steps: y[i*incy] = erff(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_erff_ni(size_t n, const float *x, ptrdiff_t incx, float *y, ptrdiff_t incy);

/**
 * halfulp_expf_n with steps: y[i*incy] = expf(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_expf_ni(size_t n, const float *x, ptrdiff_t incx, float *y, ptrdiff_t incy);

/**
 * The version of the library that runs, such as "0.1.0": a string that lives as long as the program.
 */
const char *halfulp_version(void);

/**
 * The level that runs, such as "avx2" (see the table above): a string that lives as long as the program. The first call of any function
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
