//! Levels: which instruction set each function runs on, chosen once, on the first call, from what the CPU has.
//!
//! An export begins with a test of one byte, [`inlined`], and goes on with the instance that nearly every CPU takes.
//! A jump through a pointer instead costs a cycle of ten: the difference between erff at 3.25 and at 2.98 ns a call.

use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicU8, Ordering};

use halfulp_kernel::{erf, exp, isa};

#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::{arrays, errno};

type Unary = unsafe extern "C" fn(f32) -> f32;

/// One instance of every function.
pub struct Level {
    pub name: &'static CStr,
    available: fn() -> bool,
    pub erff: Unary,
    pub expf: Unary,
    pub erff_n: arrays::Function,
    pub expf_n: arrays::Function,
}

/// The scalar instances of one instruction set.
macro_rules! scalars {
    ($module:ident, $isa:expr $(, $feature:meta)?) => {
        pub mod $module {
            use super::*;

            $(#[$feature])?
            #[inline]
            pub extern "C" fn erff(x: f32) -> f32 {
                erf::erff($isa, x)
            }

            $(#[$feature])?
            #[inline]
            pub extern "C" fn expf(x: f32) -> f32 {
                if exp::ordinary($isa, x) { exp::expf($isa, x) } else { expf_with_errno(x) }
            }

            // Outlined, so that ordinary calls save no registers.
            $(#[$feature])?
            #[cold]
            #[inline(never)]
            fn expf_with_errno(x: f32) -> f32 {
                if exp::out_of_range(x) {
                    errno::range_error();
                }
                exp::expf($isa, x)
            }
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
            erff_n: arrays::$arrays::erff_n,
            expf_n: arrays::$arrays::expf_n,
        }
    };
}

/// All levels, each better than the one before.
#[cfg(target_arch = "x86_64")]
static LEVELS: [Level; 5] = [
    level!(c"scalar", || true, scalar, scalar),
    level!(c"sse2", || true, scalar, sse2),
    level!(c"fma", cpu::has_fma, fma, sse2),
    level!(c"avx2", cpu::has_avx2, fma, avx2),
    level!(c"avx512", cpu::has_avx512, fma, avx512),
];
#[cfg(target_arch = "aarch64")]
static LEVELS: [Level; 3] = [
    level!(c"scalar", || true, scalar, scalar),
    level!(c"fma", || true, fma, fma),
    level!(c"neon", || true, fma, neon),
];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
static LEVELS: [Level; 1] = [level!(c"scalar", || true, scalar, scalar)];

/// What [`LEVELS`] has at these places.
#[cfg(target_arch = "x86_64")]
pub mod place {
    pub const FMA: u8 = 2;
    pub const AVX2: u8 = 3;
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

/// Whether scalar calls run the instances that the exports hold.
#[inline(always)]
pub fn inlined() -> bool {
    IN_FORCE.load(Ordering::Relaxed) > INLINE
}

/// The body of an export.
macro_rules! call {
    ($function:ident, $x:expr) => {{
        #[cold]
        #[inline(never)]
        extern "C" fn at_another_level(x: f32) -> f32 {
            // SAFETY: a level comes into force only when the CPU has its features.
            unsafe { (crate::level::current().$function)(x) }
        }
        if crate::level::inlined() { crate::level::inline::$function($x) } else { at_another_level($x) }
    }};
}
pub(crate) use call;

/// The level in force, decided now if it was not.
pub fn current() -> &'static Level {
    if IN_FORCE.load(Ordering::Relaxed) == UNDECIDED {
        decide();
    }
    LEVELS.get(usize::from(IN_FORCE.load(Ordering::Relaxed)) - 1).unwrap_or(&LEVELS[0])
}

/// Whether the level in force, decided now if it was not, is this one or a better one.
#[cfg(target_arch = "x86_64")]
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
