//! The instances of the array functions, one for each instruction set.

use halfulp_kernel::arrays::each;
use halfulp_kernel::{erf, exp, isa};

/// A function of n floats from x to y.
pub type Function = unsafe extern "C" fn(n: usize, x: *const f32, y: *mut f32);

/// SAFETY of every use of a pointer: what halfulp.h asks of the caller of an array function.
macro_rules! every_lane {
    ($module:ident, $isa:expr) => {
        pub mod $module {
            use super::*;

            pub unsafe extern "C" fn erff_n(n: usize, x: *const f32, y: *mut f32) {
                unsafe { each($isa, |x| erf::erff($isa, x), n, x, y) }
            }
            pub unsafe extern "C" fn expf_n(n: usize, x: *const f32, y: *mut f32) {
                unsafe { each($isa, |x| exp::expf($isa, x), n, x, y) }
            }
        }
    };
}

every_lane!(scalar, isa::Scalar);
#[cfg(target_arch = "x86_64")]
every_lane!(sse2, isa::Sse2);
#[cfg(target_arch = "aarch64")]
every_lane!(fma, isa::Fma::new());
#[cfg(target_arch = "aarch64")]
every_lane!(neon, isa::Neon);

/// Instances with a fast phase. What it leaves open is done in the lanes of AVX2.
///
/// SAFETY of every use of a pointer: what halfulp.h asks of the caller of an array function.
#[cfg(target_arch = "x86_64")]
macro_rules! fast_first {
    ($module:ident, $features:literal, $lanes:expr) => {
        pub mod $module {
            use super::*;
            use halfulp_kernel::arrays::{Unsettled, each_fast, repair};

            #[target_feature(enable = $features)]
            pub unsafe extern "C" fn erff_n(n: usize, x: *const f32, y: *mut f32) {
                unsafe { each_fast(erf::Fast::from($lanes), |y, unsettled| repair_erff(y, unsettled), n, x, y) }
            }
            // Outlined, so that its constants don't push the tables out of their registers.
            #[target_feature(enable = $features)]
            #[inline(never)]
            unsafe fn repair_erff(y: *mut f32, unsettled: &Unsettled) {
                let isa = isa::Avx2::new();
                unsafe { repair(isa, |x| erf::erff(isa, x), y, unsettled) }
            }

            #[target_feature(enable = $features)]
            pub unsafe extern "C" fn expf_n(n: usize, x: *const f32, y: *mut f32) {
                unsafe { each_fast(exp::Fast::from($lanes), |y, unsettled| repair_expf(y, unsettled), n, x, y) }
            }
            #[target_feature(enable = $features)]
            #[inline(never)]
            unsafe fn repair_expf(y: *mut f32, unsettled: &Unsettled) {
                let isa = isa::Avx2::new();
                unsafe { repair(isa, |x| exp::expf(isa, x), y, unsettled) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
fast_first!(avx2, "avx2,bmi1,fma,popcnt", isa::Avx2::new());
#[cfg(target_arch = "x86_64")]
fast_first!(avx512, "avx512f,avx2,bmi1,fma,popcnt", isa::Avx512::new());
