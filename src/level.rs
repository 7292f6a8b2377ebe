//! Levels: which instruction set each function runs on, chosen once, on the first call, from what the CPU has.

use core::ffi::{CStr, c_char};
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use halfulp_kernel::{erf, exp, isa};

use crate::errno;

type Unary = unsafe extern "C" fn(f32) -> f32;

/// One instance of every function.
pub struct Level {
    pub name: &'static CStr,
    pub erff: Unary,
    pub expf: Unary,
}

/// The instances of one instruction set, as a static `LEVEL` in a module of its own.
macro_rules! level {
    ($module:ident, $name:literal, $isa:expr $(, $feature:meta)?) => {
        mod $module {
            use super::*;

            pub static LEVEL: Level = Level { name: $name, erff, expf };

            $(#[$feature])?
            extern "C" fn erff(x: f32) -> f32 {
                erf::erff($isa, x)
            }

            $(#[$feature])?
            extern "C" fn expf(x: f32) -> f32 {
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

/// Calls a function of a level, by default of the one in force.
macro_rules! call {
    ($function:ident, $x:expr) => {
        crate::level::call!(crate::level::loaded(), $function, $x)
    };
    ($level:expr, $function:ident, $x:expr) => {
        // SAFETY: a level comes into force only when the CPU has its features.
        unsafe { ($level.$function)($x) }
    };
}
pub(crate) use call;

level!(scalar, c"scalar", isa::Scalar);
#[cfg(target_arch = "x86_64")]
level!(fma, c"fma", isa::Fma::new(), target_feature(enable = "fma"));
#[cfg(target_arch = "aarch64")]
level!(fma, c"fma", isa::Fma::new(), target_feature(enable = "neon"));

/// The level of a process that has not called yet: it chooses, then calls.
static UNDECIDED: Level = {
    extern "C" fn erff(x: f32) -> f32 {
        call!(current(), erff, x)
    }
    extern "C" fn expf(x: f32) -> f32 {
        call!(current(), expf, x)
    }
    Level { name: c"undecided", erff, expf }
};

/// Relaxed is enough: every value is the address of an immutable static, and threads that choose at the same time
/// choose the same.
static CURRENT: AtomicPtr<Level> = AtomicPtr::new(ptr::from_ref(&UNDECIDED).cast_mut());

/// The level in force, which may be the undecided one.
#[inline(always)]
pub fn loaded() -> &'static Level {
    // SAFETY: CURRENT only ever holds the address of a static.
    unsafe { &*CURRENT.load(Ordering::Relaxed) }
}

/// The level in force, decided now if it was not.
#[cold]
pub fn current() -> &'static Level {
    if ptr::eq(loaded(), &UNDECIDED) {
        choose(available().last().unwrap_or(&scalar::LEVEL));
    }
    loaded()
}

pub fn choose(level: &'static Level) {
    CURRENT.store(ptr::from_ref(level).cast_mut(), Ordering::Relaxed);
}

/// The level of that name, if the CPU has it.
///
/// # Safety
///
/// `name` is null or a string that ends in a zero byte.
pub unsafe fn find(name: *const c_char) -> Option<&'static Level> {
    if name.is_null() {
        return None;
    }
    available().find(|level| {
        // Byte by byte, up to the first difference, which is at the latest at the end of the shorter string.
        // SAFETY: so no byte is read beyond that end.
        level.name.to_bytes_with_nul().iter().enumerate().all(|(i, &byte)| unsafe { *name.add(i) as u8 == byte })
    })
}

/// The levels that this CPU has, the best one last.
fn available() -> impl Iterator<Item = &'static Level> {
    [
        Some(&scalar::LEVEL),
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        has_fma().then_some(&fma::LEVEL),
    ]
    .into_iter()
    .flatten()
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

/// AArch64 has it always.
#[cfg(target_arch = "aarch64")]
fn has_fma() -> bool {
    true
}
