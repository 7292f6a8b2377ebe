//! The instances of the array functions, one for each instruction set.

use halfulp_kernel::arrays::each;
use halfulp_kernel::half::{self, Bfloat16, Binary16, Half};
#[cfg(target_arch = "x86_64")]
use halfulp_kernel::tail;
use halfulp_kernel::{erf, erfc, exp, isa, normal};

use crate::level;

/// A function of n numbers from x to y.
pub type Function<T> = unsafe extern "C" fn(n: usize, x: *const T, y: *mut T);
/// The same of floats, with two parameters more.
pub type Scaled = unsafe extern "C" fn(n: usize, mean: f32, sd: f32, x: *const f32, y: *mut f32);

/// SAFETY of every use of a pointer: what halfulp.h asks of the caller of an array function.
macro_rules! sure {
    ($name:ident = $kernel:path, $isa:expr $(, $feature:meta)?) => {
        $(#[$feature])?
        pub unsafe extern "C" fn $name(n: usize, x: *const f32, y: *mut f32) {
            unsafe { each($isa, |x| $kernel($isa, x), n, x, y) }
        }
    };
}

/// SAFETY of every use of a pointer: as above.
macro_rules! scaled {
    ($isa:expr $(, $feature:meta)?) => {
        $(#[$feature])?
        pub unsafe extern "C" fn normcdff_scaled_n(n: usize, mean: f32, sd: f32, x: *const f32, y: *mut f32) {
            if n == 0 {
                return;
            }
            unsafe {
                match normal::rate(mean, sd) {
                    Some(rate) => each($isa, |x| normal::normcdff_scaled($isa, mean, rate, x), n, x, y),
                    None => {
                        normal::quotients(n, mean, sd, x, y);
                        normcdff_n(n, y, y);
                    }
                }
            }
        }
    };
}

/// Halves by a function of floats, which both formats share, and values of scalar instances.
///
/// SAFETY of every use of a pointer: as above.
macro_rules! halves {
    ($each:ident; $($f16:ident, $bf16:ident = $floats:path, $value:path);*) => {
        $(
            pub unsafe extern "C" fn $f16(n: usize, x: *const u16, y: *mut u16) {
                unsafe { $each::<Binary16>($floats, $value, n, x, y) }
            }
            pub unsafe extern "C" fn $bf16(n: usize, x: *const u16, y: *mut u16) {
                unsafe { $each::<Bfloat16>($floats, $value, n, x, y) }
            }
        )*
    };
}

/// Those of any CPU.
///
/// SAFETY of every use of a pointer: as above.
#[inline(never)]
unsafe fn each_half<H: Half>(
    roughly: Function<f32>,
    value: unsafe extern "C" fn(f32) -> f64,
    n: usize,
    x: *const u16,
    y: *mut u16,
) {
    unsafe { half::each::<H>(roughly, value, n, x, y) }
}

/// All instances of one instruction set that has no fast phase.
macro_rules! every_lane {
    ($module:ident, $isa:expr, $scalars:ident) => {
        pub mod $module {
            use super::*;

            sure!(erff_n = erf::erff, $isa);
            sure!(expf_n = exp::expf, $isa);
            sure!(erfcf_n = erfc::erfcf, $isa);
            sure!(normcdff_n = normal::normcdff, $isa);
            sure!(geluf_n = normal::geluf, $isa);
            sure!(geluf_grad_n = normal::geluf_grad, $isa);
            scaled!($isa);
            halves!(each_half;
                erf_f16_n, erf_bf16_n = erff_n, level::$scalars::erf_value;
                exp_f16_n, exp_bf16_n = expf_n, level::$scalars::exp_value;
                normcdf_f16_n, normcdf_bf16_n = normcdff_n, level::$scalars::normcdf_value;
                gelu_f16_n, gelu_bf16_n = geluf_n, level::$scalars::gelu_value);
        }
    };
}

every_lane!(scalar, isa::Scalar, scalar);
#[cfg(target_arch = "x86_64")]
every_lane!(sse2, isa::Sse2, scalar);
#[cfg(target_arch = "aarch64")]
every_lane!(fma, isa::Fma::new(), fma);
#[cfg(target_arch = "aarch64")]
every_lane!(neon, isa::Neon, fma);

/// What instances with a fast phase leave to the lanes of AVX2, with AVX-512 too: what it leaves open, and functions that
/// have none.
///
/// SAFETY of every use of a pointer: what halfulp.h asks of the caller of an array function.
#[cfg(target_arch = "x86_64")]
mod sure {
    use halfulp_kernel::arrays::{Unsettled, repair};
    use halfulp_kernel::isa::Avx2;

    use super::avx2::normcdff_n;
    use super::*;

    macro_rules! repairs {
        ($($name:ident = $kernel:path),*) => {
            $(
                // Outlined, so that its constants don't push the tables out of their registers.
                #[target_feature(enable = "avx2,bmi1,fma,popcnt")]
                #[inline(never)]
                pub unsafe fn $name(y: *mut f32, unsettled: &Unsettled) {
                    let isa = Avx2::new();
                    unsafe { repair(isa, |x| $kernel(isa, x), y, unsettled) }
                }
            )*
        };
    }
    repairs!(
        erff = erf::erff,
        expf = exp::expf,
        erfcf = erfc::erfcf,
        normcdff = normal::normcdff,
        geluf = normal::geluf
    );
    sure!(geluf_grad_n = normal::geluf_grad, Avx2::new(), target_feature(enable = "avx2,bmi1,fma,popcnt"));
    scaled!(Avx2::new(), target_feature(enable = "avx2,bmi1,fma,popcnt"));
}

/// SAFETY of every use of a pointer: as above.
#[cfg(target_arch = "x86_64")]
macro_rules! fast {
    ($name:ident = $fast:expr, $function:ident, $lanes:expr, $features:literal) => {
        #[target_feature(enable = $features)]
        pub unsafe extern "C" fn $name(n: usize, x: *const f32, y: *mut f32) {
            unsafe { each_fast($fast($lanes), |y, unsettled| sure::$function(y, unsettled), n, x, y) }
        }
    };
}

/// AVX2's registers serve AVX-512F too, which has no integers of 16 bits.
///
/// SAFETY of every use of a pointer: as above.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,fma,popcnt")]
#[inline(never)]
unsafe fn each_half_avx2<H: Half>(
    roughly: Function<f32>,
    value: unsafe extern "C" fn(f32) -> f64,
    n: usize,
    x: *const u16,
    y: *mut u16,
) {
    unsafe { half::each::<H>(roughly, value, n, x, y) }
}

/// A fast phase alone.
///
/// SAFETY of every use of a pointer: as above.
#[cfg(target_arch = "x86_64")]
macro_rules! roughly {
    ($name:ident = $fast:expr, $lanes:expr, $features:literal) => {
        #[target_feature(enable = $features)]
        unsafe extern "C" fn $name(n: usize, x: *const f32, y: *mut f32) {
            unsafe { each_roughly($fast($lanes), n, x, y) }
        }
    };
}

/// All instances of one that has.
#[cfg(target_arch = "x86_64")]
macro_rules! fast_first {
    ($module:ident, $features:literal, $lanes:expr) => {
        pub mod $module {
            use halfulp_kernel::arrays::{each_fast, each_roughly};

            use super::*;
            pub use sure::{geluf_grad_n, normcdff_scaled_n};

            fast!(erff_n = erf::Fast::from, erff, $lanes, $features);
            fast!(expf_n = exp::Fast::from, expf, $lanes, $features);
            fast!(erfcf_n = tail::Fast::<_, tail::Erfc, _, _>::from, erfcf, $lanes, $features);
            fast!(normcdff_n = tail::Fast::<_, tail::Normal<false>, _, _>::from, normcdff, $lanes, $features);
            fast!(geluf_n = tail::Fast::<_, tail::Normal<true>, _, _>::from, geluf, $lanes, $features);
            roughly!(erf_roughly = erf::Fast::from, $lanes, $features);
            roughly!(exp_roughly = exp::Fast::from, $lanes, $features);
            roughly!(normcdf_roughly = tail::Fast::<_, tail::Normal<false>, _, _>::from, $lanes, $features);
            roughly!(gelu_roughly = tail::Fast::<_, tail::Normal<true>, _, _>::from, $lanes, $features);
            halves!(each_half_avx2;
                erf_f16_n, erf_bf16_n = erf_roughly, level::fma::erf_value;
                exp_f16_n, exp_bf16_n = exp_roughly, level::fma::exp_value;
                normcdf_f16_n, normcdf_bf16_n = normcdf_roughly, level::fma::normcdf_value;
                gelu_f16_n, gelu_bf16_n = gelu_roughly, level::fma::gelu_value);
        }
    };
}

#[cfg(target_arch = "x86_64")]
fast_first!(avx2, "avx2,bmi1,fma,popcnt", isa::Avx2::new());
#[cfg(target_arch = "x86_64")]
fast_first!(avx512, "avx512f,avx2,bmi1,fma,popcnt", isa::Avx512::new());
