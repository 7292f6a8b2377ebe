//! Levels: which instruction set each function runs on, chosen once, on the first call, from what the CPU has.
//!
//! An export begins with a test of one byte, [`inlined`], and goes on with the instance that nearly every CPU takes.
//! A jump through a pointer instead costs a cycle of ten: the difference between erff at 3.25 and at 2.98 ns a call.

use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicU8, Ordering};

use halfulp_kernel::{double, erf, erfc, exp, isa, normal};

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::{arrays, errno};

type Unary<T> = unsafe extern "C" fn(T) -> T;

/// One instance of every function.
pub struct Level {
    pub name: &'static CStr,
    available: fn() -> bool,
    pub erff: Unary<f32>,
    pub expf: Unary<f32>,
    pub erfcf: Unary<f32>,
    pub normcdff: Unary<f32>,
    pub geluf: Unary<f32>,
    pub geluf_grad: Unary<f32>,
    pub erf: Unary<f64>,
    pub erfc: Unary<f64>,
    pub normcdf: Unary<f64>,
    pub erff_n: arrays::Function<f32>,
    pub expf_n: arrays::Function<f32>,
    pub erfcf_n: arrays::Function<f32>,
    pub normcdff_n: arrays::Function<f32>,
    pub geluf_n: arrays::Function<f32>,
    pub geluf_grad_n: arrays::Function<f32>,
    pub erff_faithful_n: arrays::Function<f32>,
    pub expf_faithful_n: arrays::Function<f32>,
    pub normcdff_faithful_n: arrays::Function<f32>,
    pub geluf_faithful_n: arrays::Function<f32>,
    pub geluf_grad_faithful_n: arrays::Function<f32>,
    pub normcdff_scaled_n: arrays::Scaled,
    pub erf_f16_n: arrays::Function<u16>,
    pub exp_f16_n: arrays::Function<u16>,
    pub normcdf_f16_n: arrays::Function<u16>,
    pub gelu_f16_n: arrays::Function<u16>,
    pub erf_bf16_n: arrays::Function<u16>,
    pub exp_bf16_n: arrays::Function<u16>,
}

/// The scalar instances of one instruction set.
macro_rules! scalars {
    ($module:ident, $isa:expr $(, $feature:meta)?) => {
        pub mod $module {
            use super::*;

            scalars!(plain $isa $(, $feature)?; erff = erf::erff: f32);
            scalars!(with_errno $isa $(, $feature)?; expf = exp::expf: f32, exp::ordinary, exp::out_of_range, exp::expf);
            scalars!(with_errno $isa $(, $feature)?; erfcf = erfc::erfcf: f32, erfc::ordinary, erfc::out_of_range, erfc::erfcf);
            scalars!(plain $isa $(, $feature)?; normcdff = normal::normcdff: f32);
            scalars!(plain $isa $(, $feature)?; geluf = normal::geluf: f32);
            scalars!(plain $isa $(, $feature)?; geluf_grad = normal::geluf_grad: f32);
            scalars!(plain $isa $(, $feature)?; erf = double::erf: f64);
            scalars!(with_errno $isa $(, $feature)?; erfc = double::erfc: f64, double::erfc_ordinary, double::erfc_out_of_range, double::erfc_special);
            scalars!(plain $isa $(, $feature)?; normcdf = double::normcdf: f64);
            // Floats' functions, not yet rounded.
            scalars!(value $isa $(, $feature)?; erf_value = erf::value);
            scalars!(value $isa $(, $feature)?; exp_value = exp::value);
            scalars!(value $isa $(, $feature)?; normcdf_value = normal::normcdf_value);
            scalars!(value $isa $(, $feature)?; gelu_value = normal::gelu_value);
        }
    };
    (plain $isa:expr $(, $feature:meta)?; $function:ident = $kernel:path: $type:ty) => {
        $(#[$feature])?
        #[inline]
        pub extern "C" fn $function(x: $type) -> $type {
            $kernel($isa, x)
        }
    };
    (value $isa:expr $(, $feature:meta)?; $function:ident = $kernel:path) => {
        $(#[$feature])?
        pub extern "C" fn $function(x: f32) -> f64 {
            $kernel($isa, x)
        }
    };
    (with_errno $isa:expr $(, $feature:meta)?; $function:ident = $kernel:path: $type:ty, $ordinary:path, $out_of_range:path, $others:path) => {
        $(#[$feature])?
        #[inline]
        pub extern "C" fn $function(x: $type) -> $type {
            // Outlined, so that ordinary calls save no registers.
            $(#[$feature])?
            #[cold]
            #[inline(never)]
            extern "C" fn with_errno(x: $type) -> $type {
                if $out_of_range(x) {
                    errno::range_error();
                }
                $others($isa, x)
            }
            if $ordinary($isa, x) { $kernel($isa, x) } else { with_errno(x) }
        }
    };
}

scalars!(scalar, isa::Scalar);
#[cfg(target_arch = "x86_64")]
scalars!(fma, isa::Fma::new(), target_feature(enable = "fma"));
#[cfg(target_arch = "aarch64")]
scalars!(fma, isa::Fma::new());

/// A level from a module of scalar instances and one of array instances.
macro_rules! level {
    ($name:literal, $available:expr, $scalars:ident, $arrays:ident) => {
        Level {
            name: $name,
            available: $available,
            erff: $scalars::erff,
            expf: $scalars::expf,
            erfcf: $scalars::erfcf,
            normcdff: $scalars::normcdff,
            geluf: $scalars::geluf,
            geluf_grad: $scalars::geluf_grad,
            erf: $scalars::erf,
            erfc: $scalars::erfc,
            normcdf: $scalars::normcdf,
            erff_n: arrays::$arrays::erff_n,
            expf_n: arrays::$arrays::expf_n,
            erfcf_n: arrays::$arrays::erfcf_n,
            normcdff_n: arrays::$arrays::normcdff_n,
            geluf_n: arrays::$arrays::geluf_n,
            geluf_grad_n: arrays::$arrays::geluf_grad_n,
            erff_faithful_n: arrays::$arrays::erff_faithful_n,
            expf_faithful_n: arrays::$arrays::expf_faithful_n,
            normcdff_faithful_n: arrays::$arrays::normcdff_faithful_n,
            geluf_faithful_n: arrays::$arrays::geluf_faithful_n,
            geluf_grad_faithful_n: arrays::$arrays::geluf_grad_faithful_n,
            normcdff_scaled_n: arrays::$arrays::normcdff_scaled_n,
            erf_f16_n: arrays::$arrays::erf_f16_n,
            exp_f16_n: arrays::$arrays::exp_f16_n,
            normcdf_f16_n: arrays::$arrays::normcdf_f16_n,
            gelu_f16_n: arrays::$arrays::gelu_f16_n,
            erf_bf16_n: arrays::$arrays::erf_bf16_n,
            exp_bf16_n: arrays::$arrays::exp_bf16_n,
        }
    };
}

/// The fused scalar instances, which the exports hold: they need not be there twice.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod exported {
    pub use crate::{
        halfulp_erf as erf, halfulp_erfc as erfc, halfulp_erfcf as erfcf, halfulp_erff as erff, halfulp_expf as expf,
        halfulp_geluf as geluf, halfulp_geluf_grad as geluf_grad, halfulp_normcdf as normcdf,
        halfulp_normcdff as normcdff,
    };
}

/// All levels, each better than the one before.
#[cfg(target_arch = "x86_64")]
static LEVELS: [Level; 5] = [
    level!(c"scalar", || true, scalar, scalar),
    level!(c"sse2", || true, scalar, sse2),
    level!(c"fma", cpu::has_fma, exported, fma),
    level!(c"avx2", cpu::has_avx2, exported, avx2),
    level!(c"avx512", cpu::has_avx512, exported, avx512),
];
#[cfg(target_arch = "aarch64")]
static LEVELS: [Level; 3] = [
    level!(c"scalar", || true, scalar, scalar),
    level!(c"fma", || true, exported, fma),
    level!(c"neon", || true, exported, neon),
];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
static LEVELS: [Level; 1] = [level!(c"scalar", || true, scalar, scalar)];

/// What [`LEVELS`] has at these places.
#[cfg(target_arch = "x86_64")]
pub mod place {
    pub const FMA: u8 = 2;
    #[cfg(all(feature = "iso-names", not(windows)))]
    pub const AVX2: u8 = 3;
    #[cfg(all(feature = "iso-names", not(windows)))]
    pub const AVX512: u8 = 4;
}
#[cfg(target_arch = "aarch64")]
pub mod place {
    pub const FMA: u8 = 1;
}

/// The instances that the exports hold, and the place of their level.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub use fma as inline;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub use scalar as inline;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const INLINE: u8 = place::FMA;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const INLINE: u8 = 0;

const UNDECIDED: u8 = 0;

/// The place of the level in force, plus one. Relaxed is enough: a level's instances are there from the start, and
/// threads that choose at the same time choose the same.
static IN_FORCE: AtomicU8 = AtomicU8::new(UNDECIDED);

/// Old code on i686 calls with a stack aligned to 4 bytes, where compilers now rely on 16. A variable that asks for more
/// makes the export that holds it align its own; all that it calls finds it so. [`current`] and [`call`] do it; an export with
/// neither, that computes something, does it itself.
#[inline(always)]
pub fn align_stack() {
    #[cfg(target_arch = "x86")]
    {
        #[repr(align(32))]
        struct Aligned(core::mem::MaybeUninit<u8>);

        let variable = Aligned(core::mem::MaybeUninit::uninit());
        // SAFETY: an empty text, that is told of the variable so that it is there.
        unsafe { core::arch::asm!("/* {} */", in(reg) &raw const variable.0, options(nostack, preserves_flags)) };
    }
}

/// Whether scalar calls run the instances that the exports hold.
#[inline(always)]
pub fn inlined() -> bool {
    align_stack();
    IN_FORCE.load(Ordering::Relaxed) > INLINE
}

/// The body of an export.
macro_rules! call {
    ($function:ident, $x:ident: $type:ty) => {{
        #[cold]
        #[inline(never)]
        extern "C" fn at_another_level(x: $type) -> $type {
            // SAFETY: a level comes into force only when the CPU has its features.
            unsafe { (crate::level::current().$function)(x) }
        }
        if crate::level::inlined() { crate::level::inline::$function($x) } else { at_another_level($x) }
    }};
}
pub(crate) use call;

/// The level in force, decided now if it was not.
#[cfg_attr(target_arch = "x86", inline(always))]
pub fn current() -> &'static Level {
    align_stack();
    if IN_FORCE.load(Ordering::Relaxed) == UNDECIDED {
        decide();
    }
    LEVELS.get(usize::from(IN_FORCE.load(Ordering::Relaxed)) - 1).unwrap_or(&LEVELS[0])
}

/// Whether the level in force, decided now if it was not, is this one or a better one.
#[cfg(all(target_arch = "x86_64", feature = "iso-names", not(windows)))]
#[inline(always)]
pub fn at_least(place: u8) -> bool {
    let in_force = IN_FORCE.load(Ordering::Relaxed);
    if in_force == UNDECIDED {
        decide();
        return IN_FORCE.load(Ordering::Relaxed) > place;
    }
    in_force > place
}

#[cold]
#[inline(never)]
fn decide() {
    put_in_force(LEVELS.iter().rposition(|level| (level.available)()).unwrap_or(0));
}

fn put_in_force(place: usize) {
    IN_FORCE.store(place as u8 + 1, Ordering::Relaxed);
}

/// Puts the level of that name into force, if there is one and the CPU has it.
///
/// # Safety
///
/// `name` is null or a string that ends in a zero byte.
pub unsafe fn set(name: *const c_char) -> bool {
    if name.is_null() {
        return false;
    }
    let named = |level: &Level| {
        // Byte by byte, up to the first difference, which is at the latest at the end of the shorter string.
        // SAFETY: so no byte is read beyond that end.
        level.name.to_bytes_with_nul().iter().enumerate().all(|(i, &byte)| unsafe { *name.add(i) as u8 == byte })
    };
    let place = LEVELS.iter().position(named).filter(|&place| (LEVELS[place].available)());
    place.map(put_in_force).is_some()
}
