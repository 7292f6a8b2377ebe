/* halfulp: the error function, its complement, the normal distribution, GELU and expf, correctly rounded, the same bits
 * on every machine.
 *
 * Programs need no header to use the library in the place of libm's functions: <math.h> declares them, and linking
 * -lhalfulp before -lm, or preloading the library, is all. This header adds the names that are always there, the
 * functions of arrays, the choice of level, the ISO names for toolchains whose <math.h> lacks them, and HALFULP_SIMD.
 *
 * Arrays (halfulp_erff_n, halfulp_erff_ni and the like; of float, double, and uint16_t that holds half precision):
 *
 *   y[i] = f(x[i]) for i = 0 to n - 1, and y[i * incy] = f(x[i * incx]) for the forms with steps, where x and y point
 *   at the first element processed. Steps count elements and may be negative; incx may be 0: one input, n results.
 *   - Each result has the bits that the scalar function gives for the same input in the same rounding mode, whatever
 *     n, the place in the array, the level and the CPU. The functions whose names end in _faithful_n are faster, and
 *     off by less than 1 ulp: they have the same bits on every level with fused multiply-add, and all others run the
 *     exact ones.
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
 * Scalar calls compute in double precision, with or without fused multiply-add. Every level gives the same bits, but for
 * halfulp_normcdff_scaled_n and the faithful functions.
 *
 * Generated from src/lib.rs by build.rs: change it there. */

#ifndef HALFULP_H
#define HALFULP_H

#include <stddef.h>
#include <stdint.h>

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
float erfcf(float x);
double erf(double x);
double erfc(double x);
#endif

/* Strict C89 hides the names in <math.h>: this declares them too. Compilers for SVE would also call functions of that
 * width, which the library does not have. */
#if defined(HALFULP_SIMD) && defined(__has_attribute) && defined(__linux__)
#if __has_attribute(__simd__) && (defined(__x86_64__) || (defined(__aarch64__) && !defined(__ARM_FEATURE_SVE)))
extern float erff(float x) __attribute__((__simd__("notinbranch"), __const__));
extern float expf(float x) __attribute__((__simd__("notinbranch"), __const__));
extern float erfcf(float x) __attribute__((__simd__("notinbranch"), __const__));
#ifdef __cplusplus
/* std::exp(float) and std::erfc(float) are these, which inherit "simd" from expf and erfcf, but not "const". */
extern float __builtin_expf(float x) __attribute__((__const__));
extern float __builtin_erfcf(float x) __attribute__((__const__));
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
 * The complementary error function, erfc(x) = 1 - erf(x), without the loss of 1 - erf.
 *
 * Domain: every float. The result is the exact value rounded correctly in the current rounding mode
 * (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes.
 *
 * Special values: erfcf(+-0) is 1, erfcf(-inf) is 2, erfcf(+inf) is +0, all exact. A NaN comes back quiet with its sign
 * and payload. errno: ERANGE when the input alone makes the result underflow (x > 0x1.41bbf6p+3, where it rounds to 0 to
 * nearest), in every mode; never cleared. Flags: inexact when the result is inexact; underflow when it is tiny and inexact;
 * invalid for a signalling NaN; no other, and none is cleared.
 *
 * Method: exp(-x*x), where x*x is exact in double precision, times erfcx(x) from a table of polynomials, derived and
 * searched by coeffs/erfc.py.
 *
 * This is `erfcf` of <math.h> under a name that is always there.
 */
float halfulp_erfcf(float x);

/**
 * The distribution function of the standard normal distribution, Phi(x) = erfc(-x/sqrt(2))/2.
 *
 * Domain: every float. The result is the exact value rounded correctly in the current rounding mode
 * (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes. The lower
 * tail is right down to the smallest subnormal number, near x = -14.
 *
 * Special values: halfulp_normcdff(+-0) is 0.5, of -inf +0, of +inf 1, all exact. A NaN comes back quiet with its sign and
 * payload. errno: never touched. Flags: inexact when the result is inexact; underflow when it is tiny and inexact; invalid
 * for a signalling NaN; no other, and none is cleared.
 *
 * Method: as erfcf, with x*x/2, which is exact in double precision, so that the tail has no error of an argument.
 */
float halfulp_normcdff(float x);

/**
 * The Gaussian error linear unit, x*Phi(x), with Phi as in halfulp_normcdff.
 *
 * Domain: every float. The result is the exact value rounded correctly in the current rounding mode
 * (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes.
 *
 * Special values: halfulp_geluf(+-0) is +-0, of -inf -0, of +inf +inf, all exact; it is a NaN for a NaN alone, which comes
 * back quiet with its sign and payload. errno: never touched. Flags: inexact when the result is inexact; underflow when it
 * is tiny and inexact; invalid for a signalling NaN; no other, and none is cleared.
 *
 * Method: Phi in double precision as in halfulp_normcdff, times x, rounded once.
 */
float halfulp_geluf(float x);

/**
 * The derivative of halfulp_geluf, Phi(x) + x*phi(x), where phi(x) = exp(-x*x/2)/sqrt(2*pi).
 *
 * Domain: every float. The result is the exact value rounded correctly in the current rounding mode
 * (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes, its zero
 * near -0.7518 included.
 *
 * Special values: halfulp_geluf_grad(+-0) is 0.5, of -inf -0, of +inf 1, all exact. A NaN comes back quiet with its sign and
 * payload. errno: never touched. Flags: inexact when the result is inexact; underflow when it is tiny and inexact; invalid
 * for a signalling NaN; no other, and none is cleared.
 *
 * Method: exp(-x*x/2) times the distance to the zero times a factor from a table of polynomials, in double precision, derived
 * and searched by coeffs/erfc.py.
 */
float halfulp_geluf_grad(float x);

/**
 * The error function in double precision, erf(x) = 2/sqrt(pi) times the integral of exp(-t*t) from 0 to x.
 *
 * Domain: every double. The result is the exact value rounded correctly in the current rounding mode (error at most 1/2 ulp
 * to nearest), the same bits on every CPU: argued in kernel/src/double.rs, and tested in all four modes on the 61,830 known
 * inputs whose values lie nearest to a rounding boundary, and on random ones (see README.md for how many).
 *
 * Special values: erf(+-0) is +-0, erf(+-inf) is +-1, both exact. A NaN comes back quiet with its sign and payload.
 * errno: never touched. Flags: inexact when the result is inexact; underflow when it is tiny and inexact; invalid for a
 * signalling NaN; no other, and none is cleared.
 *
 * Method: polynomials on cells of width 1/16, in two words, derived by coeffs/double_fast.py with a proven margin; what that
 * leaves open, 3 in 1000 arguments, is settled by integers of 128 bits to 2^-107, in about 70 ns.
 *
 * This is `erf` of <math.h> under a name that is always there.
 */
double halfulp_erf(double x);

/**
 * The complementary error function in double precision, erfc(x) = 1 - erf(x), without the loss of 1 - erf.
 *
 * Domain: every double. The result is the exact value rounded correctly in the current rounding mode (error at most 1/2 ulp
 * to nearest), the same bits on every CPU: argued in kernel/src/double.rs, and tested in all four modes on the 111,213 known
 * inputs whose values lie nearest to a rounding boundary, and on random ones (see README.md for how many).
 *
 * Special values: erfc(+-0) is 1, erfc(-inf) is 2, erfc(+inf) is +0, all exact. A NaN comes back quiet with its sign and
 * payload. errno: ERANGE when the input alone makes the result underflow (x > 0x1.b39dc41e48bfcp+4, where it rounds to 0 to
 * nearest), in every mode; never cleared. Flags: inexact when the result is inexact; underflow when it is tiny and inexact;
 * invalid for a signalling NaN; no other, and none is cleared.
 *
 * Method: below 4.5 as for erf, with cells of width 1/32, and beyond exp(-x*x), where x*x is in two words, times erfcx(x); then
 * integers of 128 bits, for 7 in 1000 arguments.
 *
 * This is `erfc` of <math.h> under a name that is always there.
 */
double halfulp_erfc(double x);

/**
 * The distribution function of the standard normal distribution in double precision, Phi(x) = erfc(-x/sqrt(2))/2.
 *
 * Domain: every double. The result is the exact value rounded correctly in the current rounding mode (error at most 1/2 ulp
 * to nearest) for all inputs that were tested, the same bits on every CPU: no counterexample in 10^7 random inputs against
 * MPFR in round-to-nearest; its relative error before rounding is below 2^-110. The lower tail is right down to the smallest
 * subnormal number, near x = -38.5.
 *
 * Special values: halfulp_normcdf(+-0) is 0.5, of -inf +0, of +inf 1, all exact. A NaN comes back quiet with its sign and
 * payload. errno: never touched. Flags: inexact when the result is inexact; underflow when it is tiny and inexact; invalid
 * for a signalling NaN; no other, and none is cleared.
 *
 * Method: as halfulp_erfc, with x*x/2 in two words, so that the tail has no error of an argument.
 */
double halfulp_normcdf(double x);

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
 * y[i] = erfcf(x[i]) for all i < n: the same bits as halfulp_erfcf, at every place and length and in every rounding mode.
 *
 * See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
 * scalar calls would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: as that of halfulp_erff_n, with the exponential of x*x in two words times erfcx(x), derived by coeffs/tail_fast.py.
 * It leaves zeros, infinities, NaNs and arguments from 5.6 on in magnitude to what halfulp_erfcf does, which takes some times as long.
 */
void halfulp_erfcf_n(size_t n,
                     const float *x,
                     float *y);

/**
 * y[i] = normcdff(x[i]) for all i < n: the same bits as halfulp_normcdff, at every place and length and in every rounding mode.
 *
 * See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
 * scalar calls would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: as that of halfulp_erfcf_n. Zeros, infinities, NaNs and arguments from 7.9 on in magnitude take some times as long as
 * others.
 */
void halfulp_normcdff_n(size_t n,
                        const float *x,
                        float *y);

/**
 * y[i] = geluf(x[i]) for all i < n: the same bits as halfulp_geluf, at every place and length and in every rounding mode.
 *
 * See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
 * scalar calls would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: as that of halfulp_normcdff_n, times x: one pass over memory.
 */
void halfulp_geluf_n(size_t n,
                     const float *x,
                     float *y);

/**
 * y[i] = geluf_grad(x[i]) for all i < n: the same bits as halfulp_geluf_grad, at every place and length and in every rounding mode.
 *
 * See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
 * scalar calls would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: that of halfulp_geluf_grad, several at a time.
 */
void halfulp_geluf_grad_n(size_t n,
                          const float *x,
                          float *y);

/**
 * y[i] = erf(x[i]) for all i < n, in double precision: the same bits as halfulp_erf, at every place and length and in every
 * rounding mode.
 *
 * See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
 * scalar calls would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: halfulp_erf, one element after the other.
 */
void halfulp_erf_n(size_t n,
                   const double *x,
                   double *y);

/**
 * y[i] = erfc(x[i]) for all i < n, in double precision: the same bits as halfulp_erfc, at every place and length and in every
 * rounding mode.
 *
 * See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
 * scalar calls would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: halfulp_erfc, one element after the other.
 */
void halfulp_erfc_n(size_t n,
                    const double *x,
                    double *y);

/**
 * y[i] = normcdf(x[i]) for all i < n, in double precision: the same bits as halfulp_normcdf, at every place and length and in every
 * rounding mode.
 *
 * See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
 * scalar calls would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: halfulp_normcdf, one element after the other.
 */
void halfulp_normcdf_n(size_t n,
                       const double *x,
                       double *y);

/**
 * halfulp_erff_n with steps: y[i*incy] = erff(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_erff_ni(size_t n, const float *x, ptrdiff_t incx, float *y, ptrdiff_t incy);

/**
 * halfulp_expf_n with steps: y[i*incy] = expf(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_expf_ni(size_t n, const float *x, ptrdiff_t incx, float *y, ptrdiff_t incy);

/**
 * halfulp_erfcf_n with steps: y[i*incy] = erfcf(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_erfcf_ni(size_t n, const float *x, ptrdiff_t incx, float *y, ptrdiff_t incy);

/**
 * halfulp_normcdff_n with steps: y[i*incy] = normcdff(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_normcdff_ni(size_t n, const float *x, ptrdiff_t incx, float *y, ptrdiff_t incy);

/**
 * halfulp_geluf_n with steps: y[i*incy] = geluf(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_geluf_ni(size_t n, const float *x, ptrdiff_t incx, float *y, ptrdiff_t incy);

/**
 * halfulp_geluf_grad_n with steps: y[i*incy] = geluf_grad(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_geluf_grad_ni(size_t n, const float *x, ptrdiff_t incx, float *y, ptrdiff_t incy);

/**
 * halfulp_erf_n with steps: y[i*incy] = erf(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_erf_ni(size_t n, const double *x, ptrdiff_t incx, double *y, ptrdiff_t incy);

/**
 * halfulp_erfc_n with steps: y[i*incy] = erfc(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_erfc_ni(size_t n, const double *x, ptrdiff_t incx, double *y, ptrdiff_t incy);

/**
 * halfulp_normcdf_n with steps: y[i*incy] = normcdf(x[i*incx]) for all i < n. See "Arrays" above.
 */
void halfulp_normcdf_ni(size_t n, const double *x, ptrdiff_t incx, double *y, ptrdiff_t incy);

/**
 * y[i] = Phi((x[i] - mean)/sd) for all i < n, with Phi as in halfulp_normcdff, in one pass.
 *
 * All but the last rounding is done in double precision: the error is at most 0.5001 ulp to nearest, and below 1.0001 ulp in
 * the other modes; the same bits on every level with fused multiply-add in its lanes, and on all others. Where sd is not positive, or a NaN, all results
 * are NaNs, and invalid is raised if n > 0; so is the result where both x[i] - mean and sd are infinite, or x[i] and mean are
 * the same infinity. A NaN among x, or as mean, comes back quiet.
 *
 * See "Arrays" above for what x and y may be. errno: never touched. Flags: underflow if a result is tiny and inexact;
 * invalid as said, and for signalling NaNs; inexact perhaps.
 */
void halfulp_normcdff_scaled_n(size_t n,
                               float mean,
                               float sd,
                               const float *x,
                               float *y);

/**
 * y[i] = erf(x[i]) for all i < n, with the bits of numbers in IEEE half precision (binary16) as elements.
 *
 * Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
 * inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
 * bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
 */
void halfulp_erf_f16_n(size_t n,
                       const uint16_t *x,
                       uint16_t *y);

/**
 * y[i] = erf(x[i]) for all i < n, with the bits of numbers in bfloat16 as elements.
 *
 * Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
 * inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
 * bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
 */
void halfulp_erf_bf16_n(size_t n,
                        const uint16_t *x,
                        uint16_t *y);

/**
 * y[i] = exp(x[i]) for all i < n, with the bits of numbers in IEEE half precision (binary16) as elements.
 *
 * Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
 * inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
 * bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
 */
void halfulp_exp_f16_n(size_t n,
                       const uint16_t *x,
                       uint16_t *y);

/**
 * y[i] = exp(x[i]) for all i < n, with the bits of numbers in bfloat16 as elements.
 *
 * Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
 * inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
 * bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
 */
void halfulp_exp_bf16_n(size_t n,
                        const uint16_t *x,
                        uint16_t *y);

/**
 * y[i] = Phi(x[i]) for all i < n, with the bits of numbers in IEEE half precision (binary16) as elements.
 *
 * Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
 * inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
 * bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
 */
void halfulp_normcdf_f16_n(size_t n,
                           const uint16_t *x,
                           uint16_t *y);

/**
 * y[i] = Phi(x[i]) for all i < n, with the bits of numbers in bfloat16 as elements.
 *
 * Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
 * inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
 * bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
 */
void halfulp_normcdf_bf16_n(size_t n,
                            const uint16_t *x,
                            uint16_t *y);

/**
 * y[i] = x[i]*Phi(x[i]) for all i < n, with the bits of numbers in IEEE half precision (binary16) as elements.
 *
 * Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
 * inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
 * bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
 */
void halfulp_gelu_f16_n(size_t n,
                        const uint16_t *x,
                        uint16_t *y);

/**
 * y[i] = x[i]*Phi(x[i]) for all i < n, with the bits of numbers in bfloat16 as elements.
 *
 * Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
 * inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
 * bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
 */
void halfulp_gelu_bf16_n(size_t n,
                         const uint16_t *x,
                         uint16_t *y);

/**
 * y[i] = erff(x[i]) for all i < n, faithfully rounded: faster than halfulp_erff_n, and off by less than 1 ulp instead of
 * 1/2.
 *
 * To nearest each result is one of the two floats around the exact value, and the exact value where that is a float;
 * proven over all 2^32 inputs, with errors of at most 0.756 ulp. In the other rounding modes errors stay below 2.1 ulp.
 * The same bits at every place and length and on every level with fused multiply-add, in every mode; the other levels
 * run halfulp_erff_n. No result is beyond 1 in magnitude, and the function is odd. In 4 places a result is an ulp less
 * than that of the next smaller argument.
 *
 * Special values and saturation: as halfulp_erff to nearest; in the other modes those that are zero, infinite or NaN. See "Arrays"
 * above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as calls of halfulp_erff
 * would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: erf at the centre of one of 8 cells plus a polynomial of degree 6, by coeffs/faithful.py.
 */
void halfulp_erff_faithful_n(size_t n,
                             const float *x,
                             float *y);

/**
 * y[i] = expf(x[i]) for all i < n, faithfully rounded: faster than halfulp_expf_n, and off by less than 1 ulp instead of
 * 1/2.
 *
 * To nearest each result is one of the two floats around the exact value, and the exact value where that is a float;
 * proven over all 2^32 inputs, with errors of at most 0.807 ulp. In the other rounding modes errors stay below 2.9 ulp.
 * The same bits at every place and length and on every level with fused multiply-add, in every mode; the other levels
 * run halfulp_expf_n. No result is negative. In 46 places a result is an ulp less than that of the next smaller
 * argument.
 *
 * Special values and saturation: as halfulp_expf to nearest; in the other modes those that are zero, infinite or NaN. See "Arrays"
 * above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as calls of halfulp_expf
 * would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: one of 16 powers of two an octave times a cubic, by coeffs/faithful.py.
 */
void halfulp_expf_faithful_n(size_t n,
                             const float *x,
                             float *y);

/**
 * y[i] = normcdff(x[i]) for all i < n, faithfully rounded: faster than halfulp_normcdff_n, and off by less than 1 ulp
 * instead of 1/2.
 *
 * To nearest each result is one of the two floats around the exact value, and the exact value where that is a float;
 * proven over all 2^32 inputs, with errors of at most 0.847 ulp. In the other rounding modes errors stay below 3.6 ulp.
 * The same bits at every place and length and on every level with fused multiply-add, in every mode; the other levels
 * run halfulp_normcdff_n. No result is below 0 or beyond 1, and the lower tail is faithful down to the smallest
 * subnormal number. It never decreases.
 *
 * Special values and saturation: as halfulp_normcdff to nearest; in the other modes those that are zero, infinite or NaN. See
 * "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as calls of
 * halfulp_normcdff would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: a short power of two times a short ratio, exactly, plus a small rest, by coeffs/faithful.py; beyond 7 the
 * exact function.
 */
void halfulp_normcdff_faithful_n(size_t n,
                                 const float *x,
                                 float *y);

/**
 * y[i] = geluf(x[i]) for all i < n, faithfully rounded: faster than halfulp_geluf_n, and off by less than 1 ulp instead
 * of 1/2.
 *
 * To nearest each result is one of the two floats around the exact value, and the exact value where that is a float;
 * proven over all 2^32 inputs, with errors of at most 0.885 ulp. In the other rounding modes errors stay below 3.8 ulp.
 * The same bits at every place and length and on every level with fused multiply-add, in every mode; the other levels
 * run halfulp_geluf_n. The lower tail is faithful down to the smallest subnormal number.
 *
 * Special values and saturation: as halfulp_geluf to nearest; in the other modes those that are zero, infinite or NaN. See
 * "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as calls of
 * halfulp_geluf would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: as halfulp_normcdff_faithful_n, times abs(x).
 */
void halfulp_geluf_faithful_n(size_t n,
                              const float *x,
                              float *y);

/**
 * y[i] = geluf_grad(x[i]) for all i < n, faithfully rounded: faster than halfulp_geluf_grad_n, and off by less than 1
 * ulp instead of 1/2.
 *
 * To nearest each result is one of the two floats around the exact value, and the exact value where that is a float;
 * proven over all 2^32 inputs, with errors of at most 0.802 ulp. In the other rounding modes errors stay below 3.7 ulp.
 * The same bits at every place and length and on every level with fused multiply-add, in every mode; the other levels
 * run halfulp_geluf_grad_n. Faithful beside its zero near -0.7518 and in the lower tail too, down to the smallest
 * subnormal number.
 *
 * Special values and saturation: as halfulp_geluf_grad to nearest; in the other modes those that are zero, infinite or NaN. See
 * "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as calls of
 * halfulp_geluf_grad would raise them; inexact if one of them would, and perhaps if none would.
 *
 * Method: as halfulp_normcdff_faithful_n, times the distance to the zero.
 */
void halfulp_geluf_grad_faithful_n(size_t n,
                                   const float *x,
                                   float *y);

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
