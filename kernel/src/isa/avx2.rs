//! Eight lanes of AVX2, with the fused multiply-add that all but a handful of CPUs with AVX2 have.

use core::arch::x86_64::*;
use core::ops::Shr;

use super::registers::{Pair, proven, register};
use super::scalar::{fixed, power as power_of};
use super::{Fused, Gather, Isa, Lanes, Table, Wide};

register!(F32x8(__m256) Add::add = _mm256_add_ps, Sub::sub = _mm256_sub_ps, Mul::mul = _mm256_mul_ps);
register!(F64x4(__m256d) Add::add = _mm256_add_pd, Sub::sub = _mm256_sub_pd, Mul::mul = _mm256_mul_pd);
register!(U32x8(__m256i) BitAnd::bitand = _mm256_and_si256, BitOr::bitor = _mm256_or_si256);

impl Shr<u32> for U32x8 {
    type Output = Self;
    #[inline(always)]
    fn shr(self, count: u32) -> Self {
        proven! { U32x8(_mm256_srl_epi32(self.0, _mm_cvtsi32_si128(count as i32))) }
    }
}

/// Eight lanes with fused multiply-add.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
    /// The proof that this CPU has the instructions is that the caller may call this.
    #[target_feature(enable = "avx2,bmi1,fma,popcnt")]
    #[inline]
    #[allow(clippy::missing_safety_doc)] // safe: a caller without the features needs `unsafe` to call it
    pub fn new() -> Self {
        Avx2(())
    }
}

impl Lanes for Avx2 {
    const LANES: usize = 8;
    type F32 = F32x8;
    type U32 = U32x8;
    type Mask = __m256i;

    #[inline(always)]
    fn f32(self, value: f32) -> F32x8 {
        proven! { F32x8(_mm256_set1_ps(value)) }
    }
    #[inline(always)]
    fn u32(self, value: u32) -> U32x8 {
        proven! { U32x8(_mm256_set1_epi32(value as i32)) }
    }
    #[inline(always)]
    fn bits(self, x: F32x8) -> U32x8 {
        proven! { U32x8(_mm256_castps_si256(x.0)) }
    }
    #[inline(always)]
    fn float(self, bits: U32x8) -> F32x8 {
        proven! { F32x8(_mm256_castsi256_ps(bits.0)) }
    }
    #[inline(always)]
    fn mul_add_f32(self, a: F32x8, b: F32x8, c: F32x8) -> F32x8 {
        proven! { F32x8(_mm256_fmadd_ps(a.0, b.0, c.0)) }
    }
    #[inline(always)]
    fn min_magnitude(self, a: F32x8, b: F32x8) -> F32x8 {
        proven! { self.float(U32x8(_mm256_min_epi32(self.bits(a).0, self.bits(b).0))) }
    }
    #[inline(always)]
    fn below(self, a: U32x8, b: U32x8) -> __m256i {
        proven! { _mm256_cmpgt_epi32(b.0, a.0) }
    }
    #[inline(always)]
    fn within(self, low: u32, bits: U32x8, high: u32) -> __m256i {
        // Counted from i32::MIN on, where a signed comparison is an unsigned one.
        const ZERO: u32 = i32::MIN as u32;
        proven! {
            let offset = _mm256_add_epi32(bits.0, self.u32(ZERO.wrapping_sub(low)).0);
            _mm256_cmpgt_epi32(self.u32(ZERO.wrapping_add(high.wrapping_sub(low))).0, offset)
        }
    }
    #[inline(always)]
    fn select(self, mask: __m256i, yes: F32x8, no: F32x8) -> F32x8 {
        proven! { F32x8(_mm256_blendv_ps(no.0, yes.0, _mm256_castsi256_ps(mask))) }
    }
    #[inline(always)]
    unsafe fn load(self, x: *const f32) -> F32x8 {
        proven! { F32x8(_mm256_loadu_ps(x)) }
    }
    #[inline(always)]
    unsafe fn store(self, value: F32x8, y: *mut f32) {
        proven! { _mm256_storeu_ps(y, value.0) }
    }
}

impl Isa for Avx2 {
    const FUSED: bool = true;
    type F64 = Pair<F64x4>;

    #[inline(always)]
    fn f64(self, value: f64) -> Pair<F64x4> {
        let value = proven! { F64x4(_mm256_set1_pd(value)) };
        Pair(value, value)
    }
    #[inline(always)]
    fn widen(self, x: F32x8) -> Pair<F64x4> {
        proven! {
            Pair(_mm256_castps256_ps128(x.0), _mm256_extractf128_ps(x.0, 1)).map(|half| F64x4(_mm256_cvtps_pd(half)))
        }
    }
    #[inline(always)]
    fn narrow(self, x: Pair<F64x4>) -> F32x8 {
        proven! { F32x8(_mm256_set_m128(_mm256_cvtpd_ps(x.1.0), _mm256_cvtpd_ps(x.0.0))) }
    }
    #[inline(always)]
    fn mul_add(self, a: Pair<F64x4>, b: Pair<F64x4>, c: Pair<F64x4>) -> Pair<F64x4> {
        proven! { a.zip(b).zip(c).map(|((a, b), c)| F64x4(_mm256_fmadd_pd(a.0, b.0, c.0))) }
    }
    #[inline(always)]
    fn limited(self, x: Pair<F64x4>, least: f64, most: f64) -> Pair<F64x4> {
        proven! {
            let (least, most, sign) = (_mm256_set1_pd(least), _mm256_set1_pd(most), _mm256_set1_pd(-0.0));
            x.map(|x| {
                let magnitude = _mm256_max_pd(_mm256_min_pd(_mm256_andnot_pd(sign, x.0), most), least);
                F64x4(_mm256_or_pd(magnitude, _mm256_and_pd(sign, x.0)))
            })
        }
    }
    #[inline(always)]
    fn fixed_point<const SHIFT: u32, const POINT: u32>(self, x: F32x8, zero: f64) -> Pair<F64x4> {
        let high_word = self.f64(f64::from_bits(fixed::<POINT>(0).to_bits()));
        let double = proven! {
            in_low_words(self.bits(x) >> SHIFT)
                .zip(high_word)
                .map(|(bits, high)| F64x4(_mm256_or_pd(_mm256_castsi256_pd(bits), high.0)))
        };
        double - self.f64(fixed::<POINT>(0) + zero)
    }
    #[inline(always)]
    fn with_sign(self, magnitude: Pair<F64x4>, sign: F32x8) -> Pair<F64x4> {
        let sign = in_low_words(self.bits(sign) & self.u32(0x8000_0000));
        proven! {
            magnitude.zip(sign).map(|(magnitude, sign)| {
                F64x4(_mm256_xor_pd(magnitude.0, _mm256_castsi256_pd(_mm256_slli_epi64(sign, 32))))
            })
        }
    }
    #[inline(always)]
    fn all(self, mask: __m256i) -> bool {
        proven! { _mm256_movemask_ps(_mm256_castsi256_ps(mask)) == 0xff }
    }
    #[inline(always)]
    fn row<const COLUMNS: usize, const ROWS: usize>(
        self,
        table: &'static [[f64; COLUMNS]; ROWS],
        index: U32x8,
    ) -> [Pair<F64x4>; COLUMNS] {
        const { assert!(ROWS.is_power_of_two()) };
        let lanes = lanes(index);
        let low = four_rows(table, lanes[0], lanes[1], lanes[2], lanes[3]);
        let high = four_rows(table, lanes[4], lanes[5], lanes[6], lanes[7]);
        let mut columns = [self.f64(0.0); COLUMNS];
        for (i, column) in columns.iter_mut().enumerate() {
            *column = Pair(low[i], high[i]);
        }
        columns
    }
    #[inline(always)]
    fn exp2_lookup<const SIZE: usize>(self, table: &'static [u64; SIZE], index: U32x8) -> Pair<F64x4> {
        let mut powers = [0.0; 8];
        for (power, index) in powers.iter_mut().zip(lanes(index)) {
            *power = power_of(table, index);
        }
        proven! { Pair(F64x4(_mm256_loadu_pd(powers.as_ptr())), F64x4(_mm256_loadu_pd(powers[4..].as_ptr()))) }
    }
}

impl Fused for Avx2 {
    #[inline(always)]
    fn limited_magnitude(self, x: F32x8, least: f32, most: f32) -> F32x8 {
        proven! {
            let bits = _mm256_min_epi32(self.bits(self.abs(x)).0, self.u32(most.to_bits()).0);
            self.float(U32x8(_mm256_max_epi32(bits, self.u32(least.to_bits()).0)))
        }
    }
    #[inline(always)]
    fn flip_sign(self, x: F32x8, sign: F32x8) -> F32x8 {
        proven! { F32x8(_mm256_xor_ps(x.0, _mm256_and_ps(sign.0, _mm256_set1_ps(-0.0)))) }
    }
    #[inline(always)]
    fn clamped(self, low: f32, x: F32x8, high: f32) -> F32x8 {
        // As unsigned integers negative numbers are above all others, and grow with their magnitude.
        proven! {
            let bits = _mm256_min_epu32(self.bits(x).0, self.u32(low.to_bits()).0);
            self.float(U32x8(_mm256_min_epi32(bits, self.u32(high.to_bits()).0)))
        }
    }
    #[inline(always)]
    fn positive_part(self, x: F32x8) -> F32x8 {
        proven! { self.float(U32x8(_mm256_max_epi32(self.bits(x).0, _mm256_setzero_si256()))) }
    }
    #[inline(always)]
    fn identical(self, a: F32x8, b: F32x8) -> __m256i {
        proven! { _mm256_cmpeq_epi32(self.bits(a).0, self.bits(b).0) }
    }
    #[inline(always)]
    fn number(self, x: F32x8) -> __m256i {
        proven! { _mm256_castps_si256(_mm256_cmp_ps::<_CMP_ORD_Q>(x.0, x.0)) }
    }
    #[inline(always)]
    fn lanes_of(self, mask: __m256i) -> u32 {
        proven! { _mm256_movemask_ps(_mm256_castsi256_ps(mask)) as u32 }
    }

    #[inline(always)]
    fn lookup_8(self, table: &'static Table<8>, index: U32x8) -> F32x8 {
        proven! { F32x8(_mm256_permutevar8x32_ps(_mm256_load_ps(table.0.as_ptr()), index.0)) }
    }
    #[inline(always)]
    fn lookup_16(self, table: &'static Table<16>, index: U32x8) -> F32x8 {
        proven! {
            let (lower, upper) = (_mm256_load_ps(table.0.as_ptr()), _mm256_load_ps(table.0.as_ptr().add(8)));
            let is_upper = _mm256_castsi256_ps(_mm256_slli_epi32(index.0, 28));
            let (lower, upper) = (_mm256_permutevar8x32_ps(lower, index.0), _mm256_permutevar8x32_ps(upper, index.0));
            F32x8(_mm256_blendv_ps(lower, upper, is_upper))
        }
    }
    #[inline(always)]
    fn exp2_lookup_16(self, table: &'static Table<16>, index: U32x8) -> F32x8 {
        let power = self.bits(self.lookup_16(table, index));
        proven! { self.float(U32x8(_mm256_add_epi32(power.0, _mm256_slli_epi32(index.0, 19)))) }
    }

    #[inline(always)]
    unsafe fn load_first(self, x: *const f32, n: usize) -> F32x8 {
        proven! { F32x8(_mm256_maskload_ps(x, first(n))) }
    }
    #[inline(always)]
    unsafe fn store_first(self, value: F32x8, y: *mut f32, n: usize) {
        proven! { _mm256_maskstore_ps(y, first(n), value.0) }
    }
}

impl Wide for Avx2 {
    const ENTRIES: u32 = 8;
    type Table = Table<8>;

    #[inline(always)]
    fn lookup(self, table: &'static Table<8>, index: U32x8) -> F32x8 {
        proven! { F32x8(_mm256_permutevar8x32_ps(_mm256_load_ps(table.0.as_ptr()), index.0)) }
    }
    #[inline(always)]
    fn every_lane(self) -> __m256i {
        proven! { _mm256_set1_epi32(-1) }
    }
    #[inline(always)]
    fn less(self, x: F32x8, limit: f32) -> __m256i {
        proven! { _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LT_OQ>(x.0, self.f32(limit).0)) }
    }
    #[inline(always)]
    fn same(self, among: __m256i, a: F32x8, b: F32x8) -> __m256i {
        proven! { _mm256_and_si256(among, _mm256_castps_si256(_mm256_cmp_ps(a.0, b.0, _CMP_EQ_OQ))) }
    }

    const UNIT: f32 = 8.0;
    #[inline(always)]
    fn reduce_f32(self, mask: __m256i, x: F32x8, rate: f32, period: f32, nothing: f32) -> (F32x8, U32x8, F32x8) {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
        proven! {
            let x = F32x8(_mm256_and_ps(_mm256_castsi256_ps(mask), x.0));
            let steps = self.mul_add_f32(x, self.f32(8.0 * rate), self.f32(nothing));
            let k = F32x8(_mm256_round_ps::<NEAREST>(steps.0));
            (k, U32x8(_mm256_cvtps_epi32(k.0)), self.mul_add_f32(k, self.f32(period / -8.0), x))
        }
    }
    #[inline(always)]
    fn scale(self, mask: __m256i, y: F32x8, _k: F32x8, index: U32x8, otherwise: F32x8) -> F32x8 {
        proven! {
            let exponent = _mm256_slli_epi32(_mm256_srai_epi32(index.0, 3), 23);
            let scaled = self.float(U32x8(_mm256_add_epi32(self.bits(y).0, exponent)));
            self.select(mask, scaled, otherwise)
        }
    }
}

impl Gather for Avx2 {
    #[inline(always)]
    unsafe fn load_at(self, x: *const f32, places: *const u16) -> F32x8 {
        proven! {
            let lane = |i: usize| *x.add((*places.add(i)).into());
            F32x8(_mm256_setr_ps(lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)))
        }
    }
}

/// The mask of AVX's masked moves for the first `n` lanes.
#[inline(always)]
fn first(n: usize) -> __m256i {
    proven! { _mm256_cmpgt_epi32(_mm256_set1_epi32(n as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)) }
}

#[inline(always)]
fn lanes(index: U32x8) -> [u32; 8] {
    // SAFETY: both are eight times 32 bits, any of which are right.
    unsafe { core::mem::transmute(index.0) }
}

/// Each lane in the low word of twice its width.
#[inline(always)]
fn in_low_words(bits: U32x8) -> Pair<__m256i> {
    proven! {
        Pair(_mm256_castsi256_si128(bits.0), _mm256_extracti128_si256(bits.0, 1)).map(|half| _mm256_cvtepu32_epi64(half))
    }
}

impl F64x4 {
    pub(super) const ZERO: Self = F64x4(unsafe { core::mem::zeroed() });
}

/// Four rows by columns: every four columns are transposed in registers.
#[inline(always)]
pub(super) fn four_rows<const COLUMNS: usize, const ROWS: usize>(
    table: &'static [[f64; COLUMNS]; ROWS],
    a: u32,
    b: u32,
    c: u32,
    d: u32,
) -> [F64x4; COLUMNS] {
    const { assert!(COLUMNS.is_multiple_of(4)) };
    let (a, b, c, d) =
        (&table[a as usize % ROWS], &table[b as usize % ROWS], &table[c as usize % ROWS], &table[d as usize % ROWS]);
    let mut columns = [F64x4::ZERO; COLUMNS];
    for i in (0..COLUMNS).step_by(4) {
        proven! {
            let (a, b) = (_mm256_loadu_pd(a[i..i + 4].as_ptr()), _mm256_loadu_pd(b[i..i + 4].as_ptr()));
            let (c, d) = (_mm256_loadu_pd(c[i..i + 4].as_ptr()), _mm256_loadu_pd(d[i..i + 4].as_ptr()));
            let (even_ab, odd_ab) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (even_cd, odd_cd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            columns[i] = F64x4(_mm256_permute2f128_pd(even_ab, even_cd, 0x20));
            columns[i + 1] = F64x4(_mm256_permute2f128_pd(odd_ab, odd_cd, 0x20));
            columns[i + 2] = F64x4(_mm256_permute2f128_pd(even_ab, even_cd, 0x31));
            columns[i + 3] = F64x4(_mm256_permute2f128_pd(odd_ab, odd_cd, 0x31));
        }
    }
    columns
}
