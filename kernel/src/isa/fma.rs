//! One lane with fused multiply-add, where a CPU has it beside its vectors: FMA3 on x86-64, always on AArch64.

#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::{Isa, scalar::one_lane};

/// One lane with fused multiply-add.
#[derive(Clone, Copy)]
pub struct Fma(());

impl Fma {
    /// The proof that this CPU has the instructions is that the caller may call this.
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "fma"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    #[inline]
    #[allow(clippy::missing_safety_doc)] // safe: a caller without the feature needs `unsafe` to call it
    pub fn new() -> Self {
        Fma(())
    }
}

/// SAFETY of every use: the instruction is in the feature that `Fma::new` demands.
#[cfg(target_arch = "x86_64")]
impl Isa for Fma {
    const FUSED: bool = true;
    one_lane!();

    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        unsafe { _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c))) }
    }
    #[inline(always)]
    fn mask(self, x: f32, mask: u32) -> f32 {
        unsafe { _mm_cvtss_f32(_mm_and_ps(_mm_set_ss(x), _mm_set_ss(f32::from_bits(mask)))) }
    }
    #[inline(always)]
    fn nearest(self, x: f32) -> f32 {
        const MODE: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        unsafe { _mm_cvtss_f32(_mm_round_ss::<MODE>(_mm_set_ss(x), _mm_set_ss(x))) }
    }
}

/// SAFETY of every use: the instruction is in the feature that `Fma::new` demands.
#[cfg(target_arch = "aarch64")]
impl Isa for Fma {
    const FUSED: bool = true;
    one_lane!();

    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        unsafe { vget_lane_f64::<0>(vfma_f64(vdup_n_f64(c), vdup_n_f64(a), vdup_n_f64(b))) }
    }
    #[inline(always)]
    fn nearest(self, x: f32) -> f32 {
        unsafe { vrndns_f32(x) }
    }
}
