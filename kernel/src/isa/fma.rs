//! One lane with fused multiply-add, where a CPU has it beside its vectors: FMA3 on x86-64, always on AArch64.

#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::scalar::{fixed, one_lane, one_lane_of_doubles};
use super::{Fused, Isa, Lanes, Table};

/// One lane with fused multiply-add.
#[derive(Clone, Copy)]
pub struct Fma(());

impl Fma {
    /// The proof that this CPU has the instructions is that the caller may call this.
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
    #[inline]
    #[allow(clippy::missing_safety_doc)] // safe: a caller without the feature needs `unsafe` to call it
    pub fn new() -> Self {
        Fma(())
    }
}

/// SAFETY of every use: the instruction is in the feature that `Fma::new` demands.
#[cfg(target_arch = "x86_64")]
impl Lanes for Fma {
    one_lane!();

    // One cycle as integers, against two as floats.
    #[inline(always)]
    fn min_magnitude(self, a: f32, b: f32) -> f32 {
        unsafe {
            let bits = _mm_min_epu32(_mm_castps_si128(_mm_set1_ps(a)), _mm_castps_si128(_mm_set1_ps(b)));
            _mm_cvtss_f32(_mm_castsi128_ps(bits))
        }
    }
    #[inline(always)]
    fn mul_add_f32(self, a: f32, b: f32, c: f32) -> f32 {
        unsafe { _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(a), _mm_set_ss(b), _mm_set_ss(c))) }
    }
}

/// SAFETY of every use: the instruction is in the feature that `Fma::new` demands.
#[cfg(target_arch = "x86_64")]
impl Isa for Fma {
    const FUSED: bool = true;
    one_lane_of_doubles!();

    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        unsafe { _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c))) }
    }
    // In the vector register: 5 cycles, where a conversion by way of an integer one takes 12.
    #[inline(always)]
    fn fixed_point<const SHIFT: u32, const POINT: u32>(self, x: f32, zero: f64) -> f64 {
        let high_word = (fixed::<POINT>(0).to_bits() >> 32) as i32;
        unsafe {
            let bits = _mm_srl_epi32(_mm_castps_si128(_mm_set_ss(x)), _mm_cvtsi32_si128(SHIFT as i32));
            let double = _mm_unpacklo_epi32(bits, _mm_set1_epi32(high_word));
            _mm_cvtsd_f64(_mm_castsi128_pd(double)) - (fixed::<POINT>(0) + zero)
        }
    }
}

/// SAFETY of every use: the instruction is in the feature that `Fma::new` demands.
#[cfg(target_arch = "aarch64")]
impl Lanes for Fma {
    one_lane!();

    #[inline(always)]
    fn mul_add_f32(self, a: f32, b: f32, c: f32) -> f32 {
        // The instruction of one lane: others would raise flags of their own.
        unsafe { vfmas_lane_f32::<0>(c, a, vdup_n_f32(b)) }
    }
}

/// SAFETY of every use: the instruction is in the feature that `Fma::new` demands.
#[cfg(target_arch = "aarch64")]
impl Isa for Fma {
    const FUSED: bool = true;
    one_lane_of_doubles!();

    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        unsafe { vget_lane_f64::<0>(vfma_f64(vdup_n_f64(c), vdup_n_f64(a), vdup_n_f64(b))) }
    }
    #[inline(always)]
    fn fixed_point<const SHIFT: u32, const POINT: u32>(self, x: f32, zero: f64) -> f64 {
        fixed::<POINT>(x.to_bits() >> SHIFT) - (fixed::<POINT>(0) + zero)
    }
}

impl Fused for Fma {
    #[inline(always)]
    fn limited_magnitude(self, x: f32, least: f32, most: f32) -> f32 {
        f32::from_bits((x.to_bits() & 0x7fff_ffff).clamp(least.to_bits(), most.to_bits()))
    }
    #[inline(always)]
    fn flip_sign(self, x: f32, sign: f32) -> f32 {
        f32::from_bits(x.to_bits() ^ sign.to_bits() & 0x8000_0000)
    }
    #[inline(always)]
    fn clamped(self, low: f32, x: f32, high: f32) -> f32 {
        f32::from_bits((x.to_bits().min(low.to_bits()) as i32).min(high.to_bits() as i32) as u32)
    }
    #[inline(always)]
    fn positive_part(self, x: f32) -> f32 {
        f32::from_bits((x.to_bits() as i32).max(0) as u32)
    }
    #[inline(always)]
    fn identical(self, a: f32, b: f32) -> bool {
        a.to_bits() == b.to_bits()
    }
    #[inline(always)]
    fn number(self, x: f32) -> bool {
        !x.is_nan()
    }
    #[inline(always)]
    fn lanes_of(self, mask: bool) -> u32 {
        mask.into()
    }
    #[inline(always)]
    fn lookup_8(self, table: &'static Table<8>, index: u32) -> f32 {
        table.0[index as usize % 8]
    }
    #[inline(always)]
    fn lookup_16(self, table: &'static Table<16>, index: u32) -> f32 {
        table.0[index as usize % 16]
    }
    #[inline(always)]
    fn exp2_lookup_16(self, table: &'static Table<16>, index: u32) -> f32 {
        f32::from_bits(self.lookup_16(table, index).to_bits().wrapping_add(index << 19))
    }

    // One lane is all, and fewer are none.
    #[inline(always)]
    unsafe fn load_first(self, _x: *const f32, _n: usize) -> f32 {
        0.0
    }
    #[inline(always)]
    unsafe fn store_first(self, _value: f32, _y: *mut f32, _n: usize) {}
}
