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
#[cfg(all(feature = "iso-names", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod vector;

use core::ffi::{c_char, c_int};

use halfulp_kernel::arrays::strided;

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
    level::call!(erff, x)
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
    level::call!(expf, x)
}

/// `erff` of <math.h>: see halfulp_erff.
#[cfg(feature = "iso-names")]
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn erff(x: f32) -> f32 {
    level::call!(erff, x)
}

/// `expf` of <math.h>: see halfulp_expf.
#[cfg(feature = "iso-names")]
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn expf(x: f32) -> f32 {
    level::call!(expf, x)
}

/// What programs built by gcc with -ffast-math against glibc before 2.31 call for `expf`.
#[cfg(feature = "iso-names")]
#[unsafe(no_mangle)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
pub extern "C" fn __expf_finite(x: f32) -> f32 {
    level::call!(expf, x)
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
