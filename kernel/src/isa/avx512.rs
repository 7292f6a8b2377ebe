//! Sixteen lanes of AVX-512F; no other subset of AVX-512 is used.

use core::arch::x86_64::*;
use core::ops::Shr;

use super::registers::{proven, register};
use super::{Fused, Lanes, Table, Wide};

register!(F32x16(__m512) Add::add = _mm512_add_ps, Sub::sub = _mm512_sub_ps, Mul::mul = _mm512_mul_ps);
register!(U32x16(__m512i) BitAnd::bitand = _mm512_and_si512, BitOr::bitor = _mm512_or_si512);

impl Shr<u32> for U32x16 {
    type Output = Self;
    #[inline(always)]
    fn shr(self, count: u32) -> Self {
        proven! { U32x16(_mm512_srl_epi32(self.0, _mm_cvtsi32_si128(count as i32))) }
    }
}

/// Sixteen lanes with fused multiply-add.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Avx512 {
    /// The proof that this CPU has the instructions is that the caller may call this.
    #[target_feature(enable = "avx512f,avx2,bmi1,fma,popcnt")]
    #[inline]
    #[allow(clippy::missing_safety_doc)] // safe: a caller without the features needs `unsafe` to call it
    pub fn new() -> Self {
        Avx512(())
    }
}

impl Lanes for Avx512 {
    const LANES: usize = 16;
    type F32 = F32x16;
    type U32 = U32x16;
    type Mask = __mmask16;

    #[inline(always)]
    fn f32(self, value: f32) -> F32x16 {
        proven! { F32x16(_mm512_set1_ps(value)) }
    }
    #[inline(always)]
    fn u32(self, value: u32) -> U32x16 {
        proven! { U32x16(_mm512_set1_epi32(value as i32)) }
    }
    #[inline(always)]
    fn bits(self, x: F32x16) -> U32x16 {
        proven! { U32x16(_mm512_castps_si512(x.0)) }
    }
    #[inline(always)]
    fn float(self, bits: U32x16) -> F32x16 {
        proven! { F32x16(_mm512_castsi512_ps(bits.0)) }
    }
    #[inline(always)]
    fn mul_add_f32(self, a: F32x16, b: F32x16, c: F32x16) -> F32x16 {
        proven! { F32x16(_mm512_fmadd_ps(a.0, b.0, c.0)) }
    }
    #[inline(always)]
    fn min_magnitude(self, a: F32x16, b: F32x16) -> F32x16 {
        proven! { self.float(U32x16(_mm512_min_epi32(self.bits(a).0, self.bits(b).0))) }
    }
    #[inline(always)]
    fn below(self, a: U32x16, b: U32x16) -> __mmask16 {
        proven! { _mm512_cmplt_epi32_mask(a.0, b.0) }
    }
    #[inline(always)]
    fn within(self, low: u32, bits: U32x16, high: u32) -> __mmask16 {
        proven! { _mm512_cmplt_epu32_mask(_mm512_sub_epi32(bits.0, self.u32(low).0), self.u32(high.wrapping_sub(low)).0) }
    }
    #[inline(always)]
    fn select(self, mask: __mmask16, yes: F32x16, no: F32x16) -> F32x16 {
        proven! { F32x16(_mm512_mask_mov_ps(no.0, mask, yes.0)) }
    }
    #[inline(always)]
    unsafe fn load(self, x: *const f32) -> F32x16 {
        proven! { F32x16(_mm512_loadu_ps(x)) }
    }
    #[inline(always)]
    unsafe fn store(self, value: F32x16, y: *mut f32) {
        proven! { _mm512_storeu_ps(y, value.0) }
    }
}

impl Fused for Avx512 {
    #[inline(always)]
    fn limited_magnitude(self, x: F32x16, least: f32, most: f32) -> F32x16 {
        proven! {
            let bits = _mm512_min_epi32(self.bits(self.abs(x)).0, self.u32(most.to_bits()).0);
            self.float(U32x16(_mm512_max_epi32(bits, self.u32(least.to_bits()).0)))
        }
    }
    #[inline(always)]
    fn flip_sign(self, x: F32x16, sign: F32x16) -> F32x16 {
        const X_XOR_SIGN_AND_MASK: i32 = 0x78;
        proven! {
            let (x, sign, mask) = (self.bits(x).0, self.bits(sign).0, self.u32(i32::MIN as u32).0);
            self.float(U32x16(_mm512_ternarylogic_epi32::<X_XOR_SIGN_AND_MASK>(x, sign, mask)))
        }
    }
    #[inline(always)]
    fn clamped(self, low: f32, x: F32x16, high: f32) -> F32x16 {
        // As unsigned integers negative numbers are above all others, and grow with their magnitude.
        proven! {
            let bits = _mm512_min_epu32(self.bits(x).0, self.u32(low.to_bits()).0);
            self.float(U32x16(_mm512_min_epi32(bits, self.u32(high.to_bits()).0)))
        }
    }
    #[inline(always)]
    fn positive_part(self, x: F32x16) -> F32x16 {
        proven! { self.float(U32x16(_mm512_max_epi32(self.bits(x).0, _mm512_setzero_si512()))) }
    }
    #[inline(always)]
    fn identical(self, a: F32x16, b: F32x16) -> __mmask16 {
        proven! { _mm512_cmpeq_epi32_mask(self.bits(a).0, self.bits(b).0) }
    }
    #[inline(always)]
    fn number(self, x: F32x16) -> __mmask16 {
        proven! { _mm512_cmp_ps_mask::<_CMP_ORD_Q>(x.0, x.0) }
    }
    #[inline(always)]
    fn lanes_of(self, mask: __mmask16) -> u32 {
        mask.into()
    }

    #[inline(always)]
    fn lookup_8(self, table: &'static Table<8>, index: U32x16) -> F32x16 {
        // Twice the same, so that the fourth bit of the index doesn't matter.
        proven! {
            let table = _mm512_broadcast_f64x4(_mm256_load_pd(table.0.as_ptr().cast()));
            F32x16(_mm512_permutexvar_ps(index.0, _mm512_castpd_ps(table)))
        }
    }
    #[inline(always)]
    fn lookup_16(self, table: &'static Table<16>, index: U32x16) -> F32x16 {
        proven! { F32x16(_mm512_permutexvar_ps(index.0, _mm512_load_ps(table.0.as_ptr()))) }
    }
    #[inline(always)]
    fn exp2_lookup_16(self, table: &'static Table<16>, index: U32x16) -> F32x16 {
        let power = self.bits(self.lookup_16(table, index));
        proven! { self.float(U32x16(_mm512_add_epi32(power.0, _mm512_slli_epi32(index.0, 19)))) }
    }

    #[inline(always)]
    unsafe fn load_first(self, x: *const f32, n: usize) -> F32x16 {
        proven! { F32x16(_mm512_maskz_loadu_ps(first(n), x)) }
    }
    #[inline(always)]
    unsafe fn store_first(self, value: F32x16, y: *mut f32, n: usize) {
        proven! { _mm512_mask_storeu_ps(y, first(n), value.0) }
    }
}

impl Wide for Avx512 {
    const ENTRIES: u32 = 32;
    type Table = Table<32>;

    #[inline(always)]
    fn lookup(self, table: &'static Table<32>, index: U32x16) -> F32x16 {
        proven! {
            let (lower, upper) = (_mm512_load_ps(table.0.as_ptr()), _mm512_load_ps(table.0.as_ptr().add(16)));
            F32x16(_mm512_permutex2var_ps(lower, index.0, upper))
        }
    }
    #[inline(always)]
    fn every_lane(self) -> __mmask16 {
        u16::MAX
    }
    #[inline(always)]
    fn less(self, x: F32x16, limit: f32) -> __mmask16 {
        proven! { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(x.0, self.f32(limit).0) }
    }
    #[inline(always)]
    fn same(self, among: __mmask16, a: F32x16, b: F32x16) -> __mmask16 {
        proven! { _mm512_mask_cmp_ps_mask::<_CMP_EQ_OQ>(among, a.0, b.0) }
    }

    const UNIT: f32 = 1.0;
    #[inline(always)]
    fn reduce_f32(self, mask: __mmask16, x: F32x16, rate: f32, period: f32, _nothing: f32) -> (F32x16, U32x16, F32x16) {
        // Near it floats are 1/32 apart.
        const MAGIC: f32 = (3 << 17) as f32;
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        let magic = self.f32(MAGIC);
        proven! {
            let sum = _mm512_mask3_fmadd_round_ps::<NEAREST>(x.0, self.f32(rate).0, magic.0, mask);
            let k = F32x16(sum) - magic;
            (k, self.bits(F32x16(sum)), F32x16(_mm512_maskz_fmadd_ps(mask, k.0, self.f32(-period).0, x.0)))
        }
    }
    #[inline(always)]
    fn scale(self, mask: __mmask16, y: F32x16, k: F32x16, _index: U32x16, otherwise: F32x16) -> F32x16 {
        proven! { F32x16(_mm512_mask_scalef_ps(otherwise.0, mask, y.0, k.0)) }
    }
}

/// The mask of the first `n` lanes.
#[inline(always)]
fn first(n: usize) -> __mmask16 {
    ((1u32 << n) - 1) as __mmask16
}
