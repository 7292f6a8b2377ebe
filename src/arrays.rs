//! The instances of the array functions, one for each instruction set.

use halfulp_kernel::arrays::each;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use halfulp_kernel::arrays::each_faithful;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use halfulp_kernel::faithful::{
    erf::Erf,
    exp::Exp,
    tail::{Distribution, Gelu, Slope, Tail},
};
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

/// Halves by a function of floats and values of scalar instances.
///
/// SAFETY of every use of a pointer: as above.
macro_rules! halves {
    ($each:ident; $($name:ident: $half:ident = $floats:path, $value:path);*) => {
        $(
            pub unsafe extern "C" fn $name(n: usize, x: *const u16, y: *mut u16) {
                unsafe { $each::<$half>($floats, $value, n, x, y) }
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

/// The faithful tier where there is no fused multiply-add: exact, and so faithful too.
macro_rules! faithful_as_exact {
    () => {
        pub use self::{
            erff_n as erff_faithful_n, expf_n as expf_faithful_n, geluf_grad_n as geluf_grad_faithful_n,
            geluf_n as geluf_faithful_n, normcdff_n as normcdff_faithful_n,
        };
    };
}

/// The faithful tier where there is. The exact functions of the same module give what it leaves open.
///
/// SAFETY of every use of a pointer: as above.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! faithful {
    ($lanes:expr $(, $feature:meta)?) => {
        faithful!(erff_faithful_n = Erf, erff_n, $lanes $(, $feature)?);
        faithful!(expf_faithful_n = Exp, expf_n, $lanes $(, $feature)?);
        faithful!(normcdff_faithful_n = Tail::<_, Distribution>::new, normcdff_n, $lanes $(, $feature)?);
        faithful!(geluf_faithful_n = Tail::<_, Gelu>::new, geluf_n, $lanes $(, $feature)?);
        faithful!(geluf_grad_faithful_n = Tail::<_, Slope>::new, geluf_grad_n, $lanes $(, $feature)?);
    };
    ($name:ident = $fast:expr, $exact:ident, $lanes:expr $(, $feature:meta)?) => {
        $(#[$feature])?
        pub unsafe extern "C" fn $name(n: usize, x: *const f32, y: *mut f32) {
            unsafe { each_faithful($fast($lanes), $exact, n, x, y) }
        }
    };
}

/// All instances of one instruction set that has no fast phase, and those of the faithful tier.
macro_rules! every_lane {
    ($module:ident, $isa:expr, $scalars:ident, $($faithful:tt)*) => {
        pub mod $module {
            use super::*;

            $($faithful)*

            sure!(erff_n = erf::erff, $isa);
            sure!(expf_n = exp::expf, $isa);
            sure!(erfcf_n = erfc::erfcf, $isa);
            sure!(normcdff_n = normal::normcdff, $isa);
            sure!(geluf_n = normal::geluf, $isa);
            sure!(geluf_grad_n = normal::geluf_grad, $isa);
            scaled!($isa);
            halves!(each_half;
                erf_f16_n: Binary16 = erff_n, level::$scalars::erf_value;
                erf_bf16_n: Bfloat16 = erff_n, level::$scalars::erf_value;
                exp_f16_n: Binary16 = expf_n, level::$scalars::exp_value;
                exp_bf16_n: Bfloat16 = expf_n, level::$scalars::exp_value;
                normcdf_f16_n: Binary16 = normcdff_n, level::$scalars::normcdf_value;
                gelu_f16_n: Binary16 = geluf_n, level::$scalars::gelu_value);
        }
    };
}

every_lane!(scalar, isa::Scalar, scalar, faithful_as_exact!(););
#[cfg(target_arch = "x86_64")]
every_lane!(sse2, isa::Sse2, scalar, faithful_as_exact!(););
#[cfg(target_arch = "aarch64")]
every_lane!(fma, isa::Fma::new(), fma, faithful!(isa::Fma::new()););
#[cfg(target_arch = "aarch64")]
every_lane!(neon, isa::Neon, fma, faithful!(isa::Neon););

/// SSE2's, but the faithful tier's: all CPUs with fused multiply-add give the same.
#[cfg(target_arch = "x86_64")]
pub mod fma {
    pub use super::sse2::*;
    use super::*;

    faithful!(isa::Fma::new(), target_feature(enable = "fma"));
}

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

/// All instances of one that has.
#[cfg(target_arch = "x86_64")]
macro_rules! fast_first {
    ($module:ident, $features:literal, $lanes:expr) => {
        pub mod $module {
            use halfulp_kernel::arrays::each_fast;

            use super::*;
            pub use sure::{geluf_grad_n, normcdff_scaled_n};

            fast!(erff_n = erf::Fast::from, erff, $lanes, $features);
            fast!(expf_n = exp::Fast::from, expf, $lanes, $features);
            fast!(erfcf_n = tail::Fast::<_, tail::Erfc, _, _>::from, erfcf, $lanes, $features);
            fast!(normcdff_n = tail::Fast::<_, tail::Normal<false>, _, _>::from, normcdff, $lanes, $features);
            fast!(geluf_n = tail::Fast::<_, tail::Normal<true>, _, _>::from, geluf, $lanes, $features);
            faithful!($lanes, target_feature(enable = $features));
            halves!(each_half_avx2;
                erf_f16_n: Binary16 = erff_faithful_n, level::fma::erf_value;
                erf_bf16_n: Bfloat16 = erff_faithful_n, level::fma::erf_value;
                exp_f16_n: Binary16 = expf_faithful_n, level::fma::exp_value;
                exp_bf16_n: Bfloat16 = expf_faithful_n, level::fma::exp_value;
                normcdf_f16_n: Binary16 = normcdff_faithful_n, level::fma::normcdf_value;
                gelu_f16_n: Binary16 = geluf_faithful_n, level::fma::gelu_value);
        }
    };
}

#[cfg(target_arch = "x86_64")]
fast_first!(avx2, "avx2,bmi1,fma,popcnt", isa::Avx2::new());
#[cfg(target_arch = "x86_64")]
fast_first!(avx512, "avx512f,avx2,bmi1,fma,popcnt", isa::Avx512::new());
