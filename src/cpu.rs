//! What this CPU has, and this operating system saves.

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// Bits of cpuid(1).ecx.
const FMA: u32 = 1 << 12;
const POPCNT: u32 = 1 << 23;
const OSXSAVE: u32 = 1 << 27;
const AVX: u32 = 1 << 28;
/// Bits of cpuid(7, 0).ebx.
const BMI1: u32 = 1 << 3;
const AVX2: u32 = 1 << 5;
const AVX512F: u32 = 1 << 16;
/// Bits of XCR0: the registers xmm and ymm; and with them k and zmm.
const YMM_STATE: u64 = 0b110;
const ZMM_STATE: u64 = 0b1110_0110;

/// FMA3, and the AVX registers that its encoding uses.
pub fn has_fma() -> bool {
    const ALL: u32 = FMA | OSXSAVE | AVX;
    __cpuid(1).ecx & ALL == ALL && saves(YMM_STATE)
}

/// AVX2, FMA3, and the instructions on words that every CPU with both has.
pub fn has_avx2() -> bool {
    const ALL: u32 = AVX2 | BMI1;
    has_fma() && __cpuid(1).ecx & POPCNT != 0 && extensions() & ALL == ALL
}

/// The foundation of AVX-512; no other part of it is used.
pub fn has_avx512() -> bool {
    has_avx2() && extensions() & AVX512F != 0 && saves(ZMM_STATE)
}

fn extensions() -> u32 {
    if __cpuid(0).eax < 7 { 0 } else { __cpuid_count(7, 0).ebx }
}

/// Whether the operating system saves these registers. Only after OSXSAVE was seen.
fn saves(state: u64) -> bool {
    #[target_feature(enable = "xsave")]
    fn enabled() -> u64 {
        // SAFETY: register 0 exists wherever OSXSAVE is set.
        unsafe { _xgetbv(0) }
    }
    // SAFETY: OSXSAVE says that xgetbv may be executed.
    unsafe { enabled() & state == state }
}
