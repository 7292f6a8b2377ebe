//! Four lanes of SSE2, which every x86-64 CPU has.

use core::arch::x86_64::*;
use core::ops::Shr;

use super::registers::{Pair, proven, register};
use super::scalar::{fixed, power};
use super::{Isa, Lanes};

register!(F32x4(__m128) Add::add = _mm_add_ps, Sub::sub = _mm_sub_ps, Mul::mul = _mm_mul_ps);
register!(F64x2(__m128d) Add::add = _mm_add_pd, Sub::sub = _mm_sub_pd, Mul::mul = _mm_mul_pd);
register!(U32x4(__m128i) BitAnd::bitand = _mm_and_si128, BitOr::bitor = _mm_or_si128);

impl Shr<u32> for U32x4 {
    type Output = Self;
    #[inline(always)]
    fn shr(self, count: u32) -> Self {
        proven! { U32x4(_mm_srl_epi32(self.0, _mm_cvtsi32_si128(count as i32))) }
    }
}

/// Four lanes without fused multiply-add.
#[derive(Clone, Copy)]
pub struct Sse2;

impl Lanes for Sse2 {
    const LANES: usize = 4;
    type F32 = F32x4;
    type U32 = U32x4;
    type Mask = __m128i;

    #[inline(always)]
    fn f32(self, value: f32) -> F32x4 {
        proven! { F32x4(_mm_set1_ps(value)) }
    }
    #[inline(always)]
    fn u32(self, value: u32) -> U32x4 {
        proven! { U32x4(_mm_set1_epi32(value as i32)) }
    }
    #[inline(always)]
    fn bits(self, x: F32x4) -> U32x4 {
        proven! { U32x4(_mm_castps_si128(x.0)) }
    }
    #[inline(always)]
    fn float(self, bits: U32x4) -> F32x4 {
        proven! { F32x4(_mm_castsi128_ps(bits.0)) }
    }
    #[inline(always)]
    fn mul_add_f32(self, a: F32x4, b: F32x4, c: F32x4) -> F32x4 {
        // The product is exact, and no f64 underflows.
        self.narrow(self.widen(a) * self.widen(b) + self.widen(c))
    }
    #[inline(always)]
    fn below(self, a: U32x4, b: U32x4) -> __m128i {
        proven! { _mm_cmplt_epi32(a.0, b.0) }
    }
    #[inline(always)]
    fn within(self, low: u32, bits: U32x4, high: u32) -> __m128i {
        // Counted from i32::MIN on, where a signed comparison is an unsigned one.
        const ZERO: u32 = i32::MIN as u32;
        proven! {
            let offset = _mm_add_epi32(bits.0, self.u32(ZERO.wrapping_sub(low)).0);
            _mm_cmplt_epi32(offset, self.u32(ZERO.wrapping_add(high.wrapping_sub(low))).0)
        }
    }
    #[inline(always)]
    fn select(self, mask: __m128i, yes: F32x4, no: F32x4) -> F32x4 {
        proven! {
            let mask = _mm_castsi128_ps(mask);
            F32x4(_mm_or_ps(_mm_and_ps(mask, yes.0), _mm_andnot_ps(mask, no.0)))
        }
    }
    #[inline(always)]
    unsafe fn load(self, x: *const f32) -> F32x4 {
        proven! { F32x4(_mm_loadu_ps(x)) }
    }
    #[inline(always)]
    unsafe fn store(self, value: F32x4, y: *mut f32) {
        proven! { _mm_storeu_ps(y, value.0) }
    }
}

impl Isa for Sse2 {
    const FUSED: bool = false;
    type F64 = Pair<F64x2>;

    #[inline(always)]
    fn f64(self, value: f64) -> Pair<F64x2> {
        let value = proven! { F64x2(_mm_set1_pd(value)) };
        Pair(value, value)
    }
    #[inline(always)]
    fn widen(self, x: F32x4) -> Pair<F64x2> {
        proven! { Pair(x.0, _mm_movehl_ps(x.0, x.0)).map(|half| F64x2(_mm_cvtps_pd(half))) }
    }
    #[inline(always)]
    fn narrow(self, x: Pair<F64x2>) -> F32x4 {
        proven! { F32x4(_mm_movelh_ps(_mm_cvtpd_ps(x.0.0), _mm_cvtpd_ps(x.1.0))) }
    }
    #[inline(always)]
    fn mul_add(self, a: Pair<F64x2>, b: Pair<F64x2>, c: Pair<F64x2>) -> Pair<F64x2> {
        a * b + c
    }
    #[inline(always)]
    fn limited(self, x: Pair<F64x2>, least: f64, most: f64) -> Pair<F64x2> {
        proven! {
            let (least, most, sign) = (_mm_set1_pd(least), _mm_set1_pd(most), _mm_set1_pd(-0.0));
            x.map(|x| {
                let magnitude = _mm_max_pd(_mm_min_pd(_mm_andnot_pd(sign, x.0), most), least);
                F64x2(_mm_or_pd(magnitude, _mm_and_pd(sign, x.0)))
            })
        }
    }
    #[inline(always)]
    fn fixed_point<const SHIFT: u32, const POINT: u32>(self, x: F32x4, zero: f64) -> Pair<F64x2> {
        let bits = self.bits(x) >> SHIFT;
        let high_word = self.u32((fixed::<POINT>(0).to_bits() >> 32) as u32);
        let double = proven! {
            Pair(_mm_unpacklo_epi32(bits.0, high_word.0), _mm_unpackhi_epi32(bits.0, high_word.0))
                .map(|half| F64x2(_mm_castsi128_pd(half)))
        };
        double - self.f64(fixed::<POINT>(0) + zero)
    }
    #[inline(always)]
    fn with_sign(self, magnitude: Pair<F64x2>, sign: F32x4) -> Pair<F64x2> {
        let sign = (self.bits(sign) & self.u32(0x8000_0000)).0;
        proven! {
            let zero = _mm_setzero_si128();
            let sign = Pair(_mm_unpacklo_epi32(zero, sign), _mm_unpackhi_epi32(zero, sign));
            magnitude.zip(sign).map(|(magnitude, sign)| F64x2(_mm_xor_pd(magnitude.0, _mm_castsi128_pd(sign))))
        }
    }
    #[inline(always)]
    fn all(self, mask: __m128i) -> bool {
        proven! { _mm_movemask_ps(_mm_castsi128_ps(mask)) == 0b1111 }
    }
    #[inline(always)]
    fn row<const COLUMNS: usize, const ROWS: usize>(
        self,
        table: &'static [[f64; COLUMNS]; ROWS],
        index: U32x4,
    ) -> [Pair<F64x2>; COLUMNS] {
        const { assert!(ROWS.is_power_of_two() && COLUMNS.is_multiple_of(2)) };
        let [a, b, c, d] = lanes(index).map(|index| &table[index as usize % ROWS]);
        let mut columns = [self.f64(0.0); COLUMNS];
        for column in (0..COLUMNS).step_by(2) {
            let pair = |row: &'static [f64; COLUMNS]| proven! { _mm_loadu_pd(row[column..column + 2].as_ptr()) };
            let [a, b, c, d] = [pair(a), pair(b), pair(c), pair(d)];
            proven! {
                columns[column] = Pair(F64x2(_mm_unpacklo_pd(a, b)), F64x2(_mm_unpacklo_pd(c, d)));
                columns[column + 1] = Pair(F64x2(_mm_unpackhi_pd(a, b)), F64x2(_mm_unpackhi_pd(c, d)));
            }
        }
        columns
    }
    #[inline(always)]
    fn exp2_lookup<const SIZE: usize>(self, table: &'static [u64; SIZE], index: U32x4) -> Pair<F64x2> {
        let [a, b, c, d] = lanes(index).map(|index| power(table, index));
        proven! { Pair(F64x2(_mm_set_pd(b, a)), F64x2(_mm_set_pd(d, c))) }
    }
}

#[inline(always)]
fn lanes(index: U32x4) -> [u32; 4] {
    // SAFETY: both are four times 32 bits, any of which are right.
    unsafe { core::mem::transmute(index.0) }
}
