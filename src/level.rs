//! Levels: which instruction set each function runs on, chosen once, on the first call, from what the CPU has.
//!
//! An export begins with a test of one byte, [`inlined`], and goes on with the instance that nearly every CPU takes.
//! A jump through a pointer instead costs a cycle of ten: the difference between erff at 3.25 and at 2.98 ns a call.

use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicU8, Ordering};

use halfulp_kernel::{erf, exp, isa};

use crate::errno;

type Unary = unsafe extern "C" fn(f32) -> f32;

/// One instance of every function.
pub struct Level {
    pub name: &'static CStr,
    available: fn() -> bool,
    pub erff: Unary,
    pub expf: Unary,
}

/// The instances of one instruction set.
macro_rules! level {
    ($module:ident, $name:literal, $available:expr, $isa:expr $(, $feature:meta)?) => {
        pub mod $module {
            use super::*;

            pub static LEVEL: Level = Level { name: $name, available: $available, erff, expf };

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

level!(scalar, c"scalar", || true, isa::Scalar);
#[cfg(target_arch = "x86_64")]
level!(fma, c"fma", has_fma, isa::Fma::new(), target_feature(enable = "fma"));
#[cfg(target_arch = "aarch64")]
level!(fma, c"fma", || true, isa::Fma::new());

/// All levels, each better than the one before.
static LEVELS: &[&Level] = &[
    &scalar::LEVEL,
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    &fma::LEVEL,
];

/// The instances that the exports hold, and the place of their level.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub use fma as inline;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub use scalar as inline;
const INLINE: u8 = cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) as u8;

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
        put_in_force(LEVELS.iter().rposition(|level| (level.available)()).unwrap_or(0));
    }
    LEVELS.get(usize::from(IN_FORCE.load(Ordering::Relaxed)) - 1).unwrap_or(&LEVELS[0])
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
    let named = |level: &&Level| {
        // Byte by byte, up to the first difference, which is at the latest at the end of the shorter string.
        // SAFETY: so no byte is read beyond that end.
        level.name.to_bytes_with_nul().iter().enumerate().all(|(i, &byte)| unsafe { *name.add(i) as u8 == byte })
    };
    let place = LEVELS.iter().position(named).filter(|&place| (LEVELS[place].available)());
    place.map(put_in_force).is_some()
}

/// FMA3, and an operating system that saves the AVX registers its encoding uses.
#[cfg(target_arch = "x86_64")]
fn has_fma() -> bool {
    use core::arch::x86_64::{__cpuid, _xgetbv};

    #[target_feature(enable = "xsave")]
    fn saves_avx() -> bool {
        const SSE_AND_AVX: u64 = 0b110;
        // SAFETY: register 0 exists wherever OSXSAVE is set.
        unsafe { _xgetbv(0) & SSE_AND_AVX == SSE_AND_AVX }
    }
    const FMA: u32 = 1 << 12;
    const OSXSAVE: u32 = 1 << 27;
    const AVX: u32 = 1 << 28;
    const ALL: u32 = FMA | OSXSAVE | AVX;
    // SAFETY: OSXSAVE says that xgetbv may be executed.
    __cpuid(1).ecx & ALL == ALL && unsafe { saves_avx() }
}
