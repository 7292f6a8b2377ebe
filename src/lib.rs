//! The C interface of halfulp: exports and nothing else. The mathematics is in `kernel/`, the choice of
//! instruction set in [`level`].
//!
//! On x86-64 the functions are compiled for FMA, since they hold the instance that has it. They may be called on any CPU:
//! before they have found that the CPU has it they execute nothing of the kind, which `halfulp-verify symbols` checks on
//! the binary.
#![no_std]
#![allow(clippy::missing_safety_doc)] // the documentation is for C: what a call may do is said in its text

mod arrays;
#[cfg(target_arch = "x86_64")]
mod cpu;
mod errno;
mod level;
#[cfg(all(feature = "iso-names", any(target_arch = "x86_64", target_arch = "aarch64"), not(windows)))]
mod vector;

use core::ffi::{c_char, c_int};

use halfulp_kernel::arrays::{each_double, strided};
use halfulp_kernel::double;
use halfulp_kernel::half::{self, each_of};
use halfulp_kernel::isa::Scalar;

/// The error function, erf(x) = 2/sqrt(pi) times the integral of exp(-t*t) from 0 to x.
///
/// Domain: every float. The result is the exact value rounded correctly in the current rounding mode
/// (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes.
///
/// Special values: erff(+-0) is +-0, erff(+-inf) is +-1, both exact. A NaN comes back quiet with its sign and payload.
/// errno: never touched. Flags: inexact when the result is inexact; underflow when it is tiny and inexact;
/// invalid for a signalling NaN; no other, and none is cleared.
///
/// Method: a polynomial of degree 7 in double precision on each of 64 cells of width 1/16, derived and searched by
/// coeffs/erf.py.
///
/// This is `erff` of <math.h> under a name that is always there.
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn halfulp_erff(x: f32) -> f32 {
    level::call!(erff, x: f32)
}

/// The exponential function, exp(x).
///
/// Domain: every float. The result is the exact value rounded correctly in the current rounding mode
/// (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes.
///
/// Special values: expf(+-0) is 1, expf(-inf) is +0, expf(+inf) is +inf, all exact. A NaN comes back quiet with its sign
/// and payload. errno: ERANGE when the result overflows (x > 0x1.62e42ep+6) and when the input alone makes it underflow
/// (x < -0x1.9fe368p+6, where it rounds to 0 to nearest), in every mode; never cleared. Flags: inexact when the result is
/// inexact; overflow and underflow as IEEE 754 has them; invalid for a signalling NaN; no other, and none is cleared.
///
/// Method: 2^(k/512) from a table times a cubic in the remainder, in double precision; the table's entries are searched
/// by coeffs/exp.py so that every input rounds right.
///
/// This is `expf` of <math.h> under a name that is always there.
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn halfulp_expf(x: f32) -> f32 {
    level::call!(expf, x: f32)
}

/// The complementary error function, erfc(x) = 1 - erf(x), without the loss of 1 - erf.
///
/// Domain: every float. The result is the exact value rounded correctly in the current rounding mode
/// (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes.
///
/// Special values: erfcf(+-0) is 1, erfcf(-inf) is 2, erfcf(+inf) is +0, all exact. A NaN comes back quiet with its sign
/// and payload. errno: ERANGE when the input alone makes the result underflow (x > 0x1.41bbf6p+3, where it rounds to 0 to
/// nearest), in every mode; never cleared. Flags: inexact when the result is inexact; underflow when it is tiny and inexact;
/// invalid for a signalling NaN; no other, and none is cleared.
///
/// Method: exp(-x*x), where x*x is exact in double precision, times erfcx(x) from a table of polynomials, derived and
/// searched by coeffs/erfc.py.
///
/// This is `erfcf` of <math.h> under a name that is always there.
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn halfulp_erfcf(x: f32) -> f32 {
    level::call!(erfcf, x: f32)
}

/// The distribution function of the standard normal distribution, Phi(x) = erfc(-x/sqrt(2))/2.
///
/// Domain: every float. The result is the exact value rounded correctly in the current rounding mode
/// (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes. The lower
/// tail is right down to the smallest subnormal number, near x = -14.
///
/// Special values: halfulp_normcdff(+-0) is 0.5, of -inf +0, of +inf 1, all exact. A NaN comes back quiet with its sign and
/// payload. errno: never touched. Flags: inexact when the result is inexact; underflow when it is tiny and inexact; invalid
/// for a signalling NaN; no other, and none is cleared.
///
/// Method: as erfcf, with x*x/2, which is exact in double precision, so that the tail has no error of an argument.
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn halfulp_normcdff(x: f32) -> f32 {
    level::call!(normcdff, x: f32)
}

/// The Gaussian error linear unit, x*Phi(x), with Phi as in halfulp_normcdff.
///
/// Domain: every float. The result is the exact value rounded correctly in the current rounding mode
/// (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes.
///
/// Special values: halfulp_geluf(+-0) is +-0, of -inf -0, of +inf +inf, all exact; it is a NaN for a NaN alone, which comes
/// back quiet with its sign and payload. errno: never touched. Flags: inexact when the result is inexact; underflow when it
/// is tiny and inexact; invalid for a signalling NaN; no other, and none is cleared.
///
/// Method: Phi in double precision as in halfulp_normcdff, times x, rounded once.
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn halfulp_geluf(x: f32) -> f32 {
    level::call!(geluf, x: f32)
}

/// The derivative of halfulp_geluf, Phi(x) + x*phi(x), where phi(x) = exp(-x*x/2)/sqrt(2*pi).
///
/// Domain: every float. The result is the exact value rounded correctly in the current rounding mode
/// (error at most 1/2 ulp to nearest), the same bits on every CPU; proven over all 2^32 inputs in all four modes, its zero
/// near -0.7518 included.
///
/// Special values: halfulp_geluf_grad(+-0) is 0.5, of -inf -0, of +inf 1, all exact. A NaN comes back quiet with its sign and
/// payload. errno: never touched. Flags: inexact when the result is inexact; underflow when it is tiny and inexact; invalid
/// for a signalling NaN; no other, and none is cleared.
///
/// Method: exp(-x*x/2) times the distance to the zero times a factor from a table of polynomials, in double precision, derived
/// and searched by coeffs/erfc.py.
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn halfulp_geluf_grad(x: f32) -> f32 {
    level::call!(geluf_grad, x: f32)
}

/// The error function in double precision, erf(x) = 2/sqrt(pi) times the integral of exp(-t*t) from 0 to x.
///
/// Domain: every double. The result is the exact value rounded correctly in the current rounding mode (error at most 1/2 ulp
/// to nearest), the same bits on every CPU: argued in kernel/src/double.rs, and tested in all four modes on the 61,830 known
/// inputs whose values lie nearest to a rounding boundary, and on random ones (see README.md for how many).
///
/// Special values: erf(+-0) is +-0, erf(+-inf) is +-1, both exact. A NaN comes back quiet with its sign and payload.
/// errno: never touched. Flags: inexact when the result is inexact; underflow when it is tiny and inexact; invalid for a
/// signalling NaN; no other, and none is cleared.
///
/// Method: polynomials on cells of width 1/16, in two words, derived by coeffs/double_fast.py with a proven margin; what that
/// leaves open, 3 in 1000 arguments, is settled by integers of 128 bits to 2^-107, in about 70 ns.
///
/// This is `erf` of <math.h> under a name that is always there.
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn halfulp_erf(x: f64) -> f64 {
    level::call!(erf, x: f64)
}

/// The complementary error function in double precision, erfc(x) = 1 - erf(x), without the loss of 1 - erf.
///
/// Domain: every double. The result is the exact value rounded correctly in the current rounding mode (error at most 1/2 ulp
/// to nearest), the same bits on every CPU: argued in kernel/src/double.rs, and tested in all four modes on the 111,213 known
/// inputs whose values lie nearest to a rounding boundary, and on random ones (see README.md for how many).
///
/// Special values: erfc(+-0) is 1, erfc(-inf) is 2, erfc(+inf) is +0, all exact. A NaN comes back quiet with its sign and
/// payload. errno: ERANGE when the input alone makes the result underflow (x > 0x1.b39dc41e48bfcp+4, where it rounds to 0 to
/// nearest), in every mode; never cleared. Flags: inexact when the result is inexact; underflow when it is tiny and inexact;
/// invalid for a signalling NaN; no other, and none is cleared.
///
/// Method: below 4.5 as for erf, with cells of width 1/32, and beyond exp(-x*x), where x*x is in two words, times erfcx(x); then
/// integers of 128 bits, for 7 in 1000 arguments.
///
/// This is `erfc` of <math.h> under a name that is always there.
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn halfulp_erfc(x: f64) -> f64 {
    level::call!(erfc, x: f64)
}

/// The distribution function of the standard normal distribution in double precision, Phi(x) = erfc(-x/sqrt(2))/2.
///
/// Domain: every double. The result is the exact value rounded correctly in the current rounding mode (error at most 1/2 ulp
/// to nearest) for all inputs that were tested, the same bits on every CPU: no counterexample in 10^7 random inputs against
/// MPFR in round-to-nearest; its relative error before rounding is below 2^-110. The lower tail is right down to the smallest
/// subnormal number, near x = -38.5.
///
/// Special values: halfulp_normcdf(+-0) is 0.5, of -inf +0, of +inf 1, all exact. A NaN comes back quiet with its sign and
/// payload. errno: never touched. Flags: inexact when the result is inexact; underflow when it is tiny and inexact; invalid
/// for a signalling NaN; no other, and none is cleared.
///
/// Method: as halfulp_erfc, with x*x/2 in two words, so that the tail has no error of an argument.
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn halfulp_normcdf(x: f64) -> f64 {
    level::call!(normcdf, x: f64)
}

/// `erff` of <math.h>: see halfulp_erff.
#[cfg(feature = "iso-names")]
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn erff(x: f32) -> f32 {
    level::call!(erff, x: f32)
}

/// `expf` of <math.h>: see halfulp_expf.
#[cfg(feature = "iso-names")]
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn expf(x: f32) -> f32 {
    level::call!(expf, x: f32)
}

/// `erfcf` of <math.h>: see halfulp_erfcf.
#[cfg(feature = "iso-names")]
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn erfcf(x: f32) -> f32 {
    level::call!(erfcf, x: f32)
}

/// `erf` of <math.h>: see halfulp_erf.
#[cfg(feature = "iso-names")]
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn erf(x: f64) -> f64 {
    level::call!(erf, x: f64)
}

/// `erfc` of <math.h>: see halfulp_erfc.
#[cfg(feature = "iso-names")]
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn erfc(x: f64) -> f64 {
    level::call!(erfc, x: f64)
}

/// What programs built by gcc with -ffast-math against glibc before 2.31 call for `expf`.
#[cfg(feature = "iso-names")]
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn __expf_finite(x: f32) -> f32 {
    level::call!(expf, x: f32)
}

/// y[i] = erff(x[i]) for all i < n: the same bits as halfulp_erff, at every place and length and in every rounding mode.
///
/// See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
/// scalar calls would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: single-precision arithmetic with tables in registers and a second word, which decides all but about one
/// result in a hundred; those are done as halfulp_erff does them. Derived by coeffs/erf_fast.py. Infinities, NaNs and
/// arguments below 2^-40, zeros among them, take about as long as calls of halfulp_erff, several times as long as others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erff_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().erff_n)(n, x, y) }
}

/// y[i] = expf(x[i]) for all i < n: the same bits as halfulp_expf, at every place and length and in every rounding mode.
///
/// See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
/// scalar calls would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: as that of halfulp_erff_n, derived by coeffs/exp_fast.py. NaNs, infinities and arguments beyond 87.33 in
/// magnitude take about as long as calls of halfulp_expf, many times as long as others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_expf_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().expf_n)(n, x, y) }
}

/// y[i] = erfcf(x[i]) for all i < n: the same bits as halfulp_erfcf, at every place and length and in every rounding mode.
///
/// See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
/// scalar calls would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: as that of halfulp_erff_n, with the exponential of x*x in two words times erfcx(x), derived by coeffs/tail_fast.py.
/// It leaves zeros, infinities, NaNs and arguments from 5.6 on in magnitude to what halfulp_erfcf does, which takes some times as long.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erfcf_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().erfcf_n)(n, x, y) }
}

/// y[i] = normcdff(x[i]) for all i < n: the same bits as halfulp_normcdff, at every place and length and in every rounding mode.
///
/// See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
/// scalar calls would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: as that of halfulp_erfcf_n. Zeros, infinities, NaNs and arguments from 7.9 on in magnitude take some times as long as
/// others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_normcdff_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().normcdff_n)(n, x, y) }
}

/// y[i] = geluf(x[i]) for all i < n: the same bits as halfulp_geluf, at every place and length and in every rounding mode.
///
/// See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
/// scalar calls would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: as that of halfulp_normcdff_n, times x: one pass over memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_geluf_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().geluf_n)(n, x, y) }
}

/// y[i] = geluf_grad(x[i]) for all i < n: the same bits as halfulp_geluf_grad, at every place and length and in every rounding mode.
///
/// See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
/// scalar calls would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: that of halfulp_geluf_grad, several at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_geluf_grad_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().geluf_grad_n)(n, x, y) }
}

/// y[i] = erf(x[i]) for all i < n, in double precision: the same bits as halfulp_erf, at every place and length and in every
/// rounding mode.
///
/// See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
/// scalar calls would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: halfulp_erf, one element after the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erf_n(n: usize, x: *const f64, y: *mut f64) {
    // SAFETY: the caller's promise; a level comes into force only when the CPU has its features.
    unsafe {
        let erf = level::current().erf;
        each_double(|x| erf(x), n, x, y)
    }
}

/// y[i] = erfc(x[i]) for all i < n, in double precision: the same bits as halfulp_erfc, at every place and length and in every
/// rounding mode.
///
/// See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
/// scalar calls would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: halfulp_erfc, one element after the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erfc_n(n: usize, x: *const f64, y: *mut f64) {
    // SAFETY: the caller's promise; a level comes into force only when the CPU has its features.
    // The scalar function may set errno for what is not ordinary.
    unsafe {
        let erfc = level::current().erfc;
        each_double(
            |x| if double::erfc_ordinary(Scalar, x) { erfc(x) } else { double::erfc_special(Scalar, x) },
            n,
            x,
            y,
        )
    }
}

/// y[i] = normcdf(x[i]) for all i < n, in double precision: the same bits as halfulp_normcdf, at every place and length and in every
/// rounding mode.
///
/// See "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as the
/// scalar calls would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: halfulp_normcdf, one element after the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_normcdf_n(n: usize, x: *const f64, y: *mut f64) {
    // SAFETY: the caller's promise; a level comes into force only when the CPU has its features.
    unsafe {
        let normcdf = level::current().normcdf;
        each_double(|x| normcdf(x), n, x, y)
    }
}

/// halfulp_erff_n with steps: y[i*incy] = erff(x[i*incx]) for all i < n. See "Arrays" above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erff_ni(n: usize, x: *const f32, incx: isize, y: *mut f32, incy: isize) {
    // SAFETY: the caller's promise, which is the same.
    unsafe { strided(level::current().erff_n, n, x, incx, y, incy) }
}

/// halfulp_expf_n with steps: y[i*incy] = expf(x[i*incx]) for all i < n. See "Arrays" above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_expf_ni(n: usize, x: *const f32, incx: isize, y: *mut f32, incy: isize) {
    // SAFETY: the caller's promise, which is the same.
    unsafe { strided(level::current().expf_n, n, x, incx, y, incy) }
}

/// halfulp_erfcf_n with steps: y[i*incy] = erfcf(x[i*incx]) for all i < n. See "Arrays" above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erfcf_ni(n: usize, x: *const f32, incx: isize, y: *mut f32, incy: isize) {
    // SAFETY: the caller's promise, which is the same.
    unsafe { strided(level::current().erfcf_n, n, x, incx, y, incy) }
}

/// halfulp_normcdff_n with steps: y[i*incy] = normcdff(x[i*incx]) for all i < n. See "Arrays" above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_normcdff_ni(n: usize, x: *const f32, incx: isize, y: *mut f32, incy: isize) {
    // SAFETY: the caller's promise, which is the same.
    unsafe { strided(level::current().normcdff_n, n, x, incx, y, incy) }
}

/// halfulp_geluf_n with steps: y[i*incy] = geluf(x[i*incx]) for all i < n. See "Arrays" above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_geluf_ni(n: usize, x: *const f32, incx: isize, y: *mut f32, incy: isize) {
    // SAFETY: the caller's promise, which is the same.
    unsafe { strided(level::current().geluf_n, n, x, incx, y, incy) }
}

/// halfulp_geluf_grad_n with steps: y[i*incy] = geluf_grad(x[i*incx]) for all i < n. See "Arrays" above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_geluf_grad_ni(n: usize, x: *const f32, incx: isize, y: *mut f32, incy: isize) {
    // SAFETY: the caller's promise, which is the same.
    unsafe { strided(level::current().geluf_grad_n, n, x, incx, y, incy) }
}

/// halfulp_erf_n with steps: y[i*incy] = erf(x[i*incx]) for all i < n. See "Arrays" above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erf_ni(n: usize, x: *const f64, incx: isize, y: *mut f64, incy: isize) {
    level::align_stack();
    // SAFETY: the caller's promise, which is the same.
    unsafe { strided(halfulp_erf_n, n, x, incx, y, incy) }
}

/// halfulp_erfc_n with steps: y[i*incy] = erfc(x[i*incx]) for all i < n. See "Arrays" above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erfc_ni(n: usize, x: *const f64, incx: isize, y: *mut f64, incy: isize) {
    level::align_stack();
    // SAFETY: the caller's promise, which is the same.
    unsafe { strided(halfulp_erfc_n, n, x, incx, y, incy) }
}

/// halfulp_normcdf_n with steps: y[i*incy] = normcdf(x[i*incx]) for all i < n. See "Arrays" above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_normcdf_ni(n: usize, x: *const f64, incx: isize, y: *mut f64, incy: isize) {
    level::align_stack();
    // SAFETY: the caller's promise, which is the same.
    unsafe { strided(halfulp_normcdf_n, n, x, incx, y, incy) }
}

/// y[i] = Phi((x[i] - mean)/sd) for all i < n, with Phi as in halfulp_normcdff, in one pass.
///
/// All but the last rounding is done in double precision: the error is at most 0.5001 ulp to nearest, and below 1.0001 ulp in
/// the other modes; the same bits on every level with fused multiply-add in its lanes, and on all others. Where sd is not positive, or a NaN, all results
/// are NaNs, and invalid is raised if n > 0; so is the result where both x[i] - mean and sd are infinite, or x[i] and mean are
/// the same infinity. A NaN among x, or as mean, comes back quiet.
///
/// See "Arrays" above for what x and y may be. errno: never touched. Flags: underflow if a result is tiny and inexact;
/// invalid as said, and for signalling NaNs; inexact perhaps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_normcdff_scaled_n(n: usize, mean: f32, sd: f32, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().normcdff_scaled_n)(n, mean, sd, x, y) }
}

/// y[i] = erf(x[i]) for all i < n, with the bits of numbers in IEEE half precision (binary16) as elements.
///
/// Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
/// inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
/// bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erf_f16_n(n: usize, x: *const u16, y: *mut u16) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().erf_f16_n)(n, x, y) }
}

/// y[i] = erf(x[i]) for all i < n, with the bits of numbers in bfloat16 as elements.
///
/// Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
/// inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
/// bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erf_bf16_n(n: usize, x: *const u16, y: *mut u16) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().erf_bf16_n)(n, x, y) }
}

/// y[i] = exp(x[i]) for all i < n, with the bits of numbers in IEEE half precision (binary16) as elements.
///
/// Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
/// inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
/// bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_exp_f16_n(n: usize, x: *const u16, y: *mut u16) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().exp_f16_n)(n, x, y) }
}

/// y[i] = exp(x[i]) for all i < n, with the bits of numbers in bfloat16 as elements.
///
/// Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
/// inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
/// bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_exp_bf16_n(n: usize, x: *const u16, y: *mut u16) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().exp_bf16_n)(n, x, y) }
}

/// y[i] = Phi(x[i]) for all i < n, with the bits of numbers in IEEE half precision (binary16) as elements.
///
/// Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
/// inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
/// bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_normcdf_f16_n(n: usize, x: *const u16, y: *mut u16) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().normcdf_f16_n)(n, x, y) }
}

/// y[i] = Phi(x[i]) for all i < n, with the bits of numbers in bfloat16 as elements.
///
/// Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
/// inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
/// bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_normcdf_bf16_n(n: usize, x: *const u16, y: *mut u16) {
    level::align_stack();
    // SAFETY: the caller's promise.
    unsafe { each_of(half::NORMCDF, half::normcdf_beyond, n, x, y) }
}

/// y[i] = x[i]*Phi(x[i]) for all i < n, with the bits of numbers in IEEE half precision (binary16) as elements.
///
/// Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
/// inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
/// bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_gelu_f16_n(n: usize, x: *const u16, y: *mut u16) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().gelu_f16_n)(n, x, y) }
}

/// y[i] = x[i]*Phi(x[i]) for all i < n, with the bits of numbers in bfloat16 as elements.
///
/// Each result is the exact value rounded once, to nearest even, whatever the mode and the level; tested over all 65536
/// inputs. Subnormal numbers are kept, overflow gives infinity, a NaN comes back quiet with its sign and the payload's top
/// bits. See "Arrays" above for what x and y may be. errno: never touched. Flags are not promised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_gelu_bf16_n(n: usize, x: *const u16, y: *mut u16) {
    level::align_stack();
    // SAFETY: the caller's promise.
    unsafe { each_of(half::GELU, half::gelu_beyond, n, x, y) }
}

/// y[i] = erff(x[i]) for all i < n, faithfully rounded: faster than halfulp_erff_n, and off by less than 1 ulp instead of
/// 1/2.
///
/// To nearest each result is one of the two floats around the exact value, and the exact value where that is a float;
/// proven over all 2^32 inputs, with errors of at most 0.756 ulp. In the other rounding modes errors stay below 2.1 ulp.
/// The same bits at every place and length and on every level with fused multiply-add, in every mode; the other levels
/// run halfulp_erff_n. No result is beyond 1 in magnitude, and the function is odd. In 4 places a result is an ulp less
/// than that of the next smaller argument.
///
/// Special values and saturation: as halfulp_erff to nearest; in the other modes those that are zero, infinite or NaN. See "Arrays"
/// above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as calls of halfulp_erff
/// would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: erf at the centre of one of 8 cells plus a polynomial of degree 6, by coeffs/faithful.py.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_erff_faithful_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().erff_faithful_n)(n, x, y) }
}

/// y[i] = expf(x[i]) for all i < n, faithfully rounded: faster than halfulp_expf_n, and off by less than 1 ulp instead of
/// 1/2.
///
/// To nearest each result is one of the two floats around the exact value, and the exact value where that is a float;
/// proven over all 2^32 inputs, with errors of at most 0.807 ulp. In the other rounding modes errors stay below 2.9 ulp.
/// The same bits at every place and length and on every level with fused multiply-add, in every mode; the other levels
/// run halfulp_expf_n. No result is negative. In 46 places a result is an ulp less than that of the next smaller
/// argument.
///
/// Special values and saturation: as halfulp_expf to nearest; in the other modes those that are zero, infinite or NaN. See "Arrays"
/// above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as calls of halfulp_expf
/// would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: one of 16 powers of two an octave times a cubic, by coeffs/faithful.py.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_expf_faithful_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().expf_faithful_n)(n, x, y) }
}

/// y[i] = normcdff(x[i]) for all i < n, faithfully rounded: faster than halfulp_normcdff_n, and off by less than 1 ulp
/// instead of 1/2.
///
/// To nearest each result is one of the two floats around the exact value, and the exact value where that is a float;
/// proven over all 2^32 inputs, with errors of at most 0.847 ulp. In the other rounding modes errors stay below 3.6 ulp.
/// The same bits at every place and length and on every level with fused multiply-add, in every mode; the other levels
/// run halfulp_normcdff_n. No result is below 0 or beyond 1, and the lower tail is faithful down to the smallest
/// subnormal number. It never decreases.
///
/// Special values and saturation: as halfulp_normcdff to nearest; in the other modes those that are zero, infinite or NaN. See
/// "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as calls of
/// halfulp_normcdff would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: a short power of two times a short ratio, exactly, plus a small rest, by coeffs/faithful.py; beyond 7 the
/// exact function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_normcdff_faithful_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().normcdff_faithful_n)(n, x, y) }
}

/// y[i] = geluf(x[i]) for all i < n, faithfully rounded: faster than halfulp_geluf_n, and off by less than 1 ulp instead
/// of 1/2.
///
/// To nearest each result is one of the two floats around the exact value, and the exact value where that is a float;
/// proven over all 2^32 inputs, with errors of at most 0.885 ulp. In the other rounding modes errors stay below 3.8 ulp.
/// The same bits at every place and length and on every level with fused multiply-add, in every mode; the other levels
/// run halfulp_geluf_n. The lower tail is faithful down to the smallest subnormal number.
///
/// Special values and saturation: as halfulp_geluf to nearest; in the other modes those that are zero, infinite or NaN. See
/// "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as calls of
/// halfulp_geluf would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: as halfulp_normcdff_faithful_n, times abs(x).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_geluf_faithful_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().geluf_faithful_n)(n, x, y) }
}

/// y[i] = geluf_grad(x[i]) for all i < n, faithfully rounded: faster than halfulp_geluf_grad_n, and off by less than 1
/// ulp instead of 1/2.
///
/// To nearest each result is one of the two floats around the exact value, and the exact value where that is a float;
/// proven over all 2^32 inputs, with errors of at most 0.802 ulp. In the other rounding modes errors stay below 3.7 ulp.
/// The same bits at every place and length and on every level with fused multiply-add, in every mode; the other levels
/// run halfulp_geluf_grad_n. Faithful beside its zero near -0.7518 and in the lower tail too, down to the smallest
/// subnormal number.
///
/// Special values and saturation: as halfulp_geluf_grad to nearest; in the other modes those that are zero, infinite or NaN. See
/// "Arrays" above for what x and y may be. errno: never touched. Flags: overflow, underflow and invalid as calls of
/// halfulp_geluf_grad would raise them; inexact if one of them would, and perhaps if none would.
///
/// Method: as halfulp_normcdff_faithful_n, times the distance to the zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_geluf_grad_faithful_n(n: usize, x: *const f32, y: *mut f32) {
    // SAFETY: a level comes into force only when the CPU has its features.
    unsafe { (level::current().geluf_grad_faithful_n)(n, x, y) }
}

/// The version of the library that runs, such as "0.1.0": a string that lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn halfulp_version() -> *const c_char {
    const { concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast() }
}

/// The level that runs, such as "avx2" (see the table above): a string that lives as long as the program. The first call of any function
/// chooses the best level that the CPU has.
#[unsafe(no_mangle)]
pub extern "C" fn halfulp_level() -> *const c_char {
    level::current().name.as_ptr()
}

/// Chooses a level by name for every later call in the process, for tests and comparisons: the results are the same
/// bits at every level. Returns 0, or -1, changing nothing, when the name is null or unknown or the CPU lacks the level.
/// The name is null or ends in a zero byte. May be called at any time from any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halfulp_set_level(name: *const c_char) -> c_int {
    // SAFETY: the caller's promise.
    if unsafe { level::set(name) } { 0 } else { -1 }
}

/// The kernels do not panic; this satisfies the compiler. halfulp-verify's `symbols` checks that no path leads here.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

// A precompiled core may name the unwinder's personality even under panic = "abort"; it is never run.
#[cfg(target_os = "linux")]
core::arch::global_asm!(".weak rust_eh_personality", ".hidden rust_eh_personality", "rust_eh_personality:");
// Likewise what ARM's tables for the unwinder name.
#[cfg(all(target_os = "linux", target_arch = "arm"))]
core::arch::global_asm!(
    ".weak __aeabi_unwind_cpp_pr0, __aeabi_unwind_cpp_pr1",
    ".hidden __aeabi_unwind_cpp_pr0, __aeabi_unwind_cpp_pr1",
    "__aeabi_unwind_cpp_pr0: __aeabi_unwind_cpp_pr1:"
);
