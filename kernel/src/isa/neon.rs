//! Four lanes of NEON, which every AArch64 CPU has, with fused multiply-add.

use core::arch::aarch64::*;
use core::hint::black_box;
use core::ops::Shr;

use super::registers::{Pair, proven, register};
use super::scalar::{fixed, power};
use super::{Fused, Isa, Lanes, Table};

register!(F32x4(float32x4_t) Add::add = vaddq_f32, Sub::sub = vsubq_f32, Mul::mul = vmulq_f32);
register!(F64x2(float64x2_t) Add::add = vaddq_f64, Sub::sub = vsubq_f64, Mul::mul = vmulq_f64);
register!(U32x4(uint32x4_t) BitAnd::bitand = vandq_u32, BitOr::bitor = vorrq_u32);

impl Shr<u32> for U32x4 {
    type Output = Self;
    #[inline(always)]
    fn shr(self, count: u32) -> Self {
        // There is no other shift by a count than one to the left.
        proven! { U32x4(vshlq_u32(self.0, vdupq_n_s32(-(count as i32)))) }
    }
}

/// Four lanes with fused multiply-add.
#[derive(Clone, Copy)]
pub struct Neon;

impl Lanes for Neon {
    const LANES: usize = 4;
    type F32 = F32x4;
    type U32 = U32x4;
    type Mask = uint32x4_t;

    #[inline(always)]
    fn f32(self, value: f32) -> F32x4 {
        proven! { F32x4(vdupq_n_f32(value)) }
    }
    #[inline(always)]
    fn u32(self, value: u32) -> U32x4 {
        proven! { U32x4(vdupq_n_u32(value)) }
    }
    #[inline(always)]
    fn bits(self, x: F32x4) -> U32x4 {
        proven! { U32x4(vreinterpretq_u32_f32(x.0)) }
    }
    #[inline(always)]
    fn float(self, bits: U32x4) -> F32x4 {
        proven! { F32x4(vreinterpretq_f32_u32(bits.0)) }
    }
    #[inline(always)]
    fn mul_add_f32(self, a: F32x4, b: F32x4, c: F32x4) -> F32x4 {
        proven! { F32x4(vfmaq_f32(c.0, a.0, b.0)) }
    }
    #[inline(always)]
    fn min_magnitude(self, a: F32x4, b: F32x4) -> F32x4 {
        proven! { self.float(U32x4(vminq_u32(self.bits(a).0, self.bits(b).0))) }
    }
    #[inline(always)]
    fn below(self, a: U32x4, b: U32x4) -> uint32x4_t {
        proven! { vcltq_s32(vreinterpretq_s32_u32(a.0), vreinterpretq_s32_u32(b.0)) }
    }
    #[inline(always)]
    fn within(self, low: u32, bits: U32x4, high: u32) -> uint32x4_t {
        proven! { vcltq_u32(vsubq_u32(bits.0, vdupq_n_u32(low)), vdupq_n_u32(high.wrapping_sub(low))) }
    }
    #[inline(always)]
    fn select(self, mask: uint32x4_t, yes: F32x4, no: F32x4) -> F32x4 {
        proven! { F32x4(vbslq_f32(mask, yes.0, no.0)) }
    }
    #[inline(always)]
    unsafe fn load(self, x: *const f32) -> F32x4 {
        proven! { F32x4(vld1q_f32(x)) }
    }
    #[inline(always)]
    unsafe fn store(self, value: F32x4, y: *mut f32) {
        proven! { vst1q_f32(y, value.0) }
    }
}

impl Isa for Neon {
    const FUSED: bool = true;
    type F64 = Pair<F64x2>;

    #[inline(always)]
    fn f64(self, value: f64) -> Pair<F64x2> {
        let value = proven! { F64x2(vdupq_n_f64(value)) };
        Pair(value, value)
    }
    #[inline(always)]
    fn widen(self, x: F32x4) -> Pair<F64x2> {
        proven! { Pair(F64x2(vcvt_f64_f32(vget_low_f32(x.0))), F64x2(vcvt_high_f64_f32(x.0))) }
    }
    #[inline(always)]
    fn narrow(self, x: Pair<F64x2>) -> F32x4 {
        proven! { F32x4(vcvt_high_f32_f64(vcvt_f32_f64(x.0.0), x.1.0)) }
    }
    #[inline(always)]
    fn mul_add(self, a: Pair<F64x2>, b: Pair<F64x2>, c: Pair<F64x2>) -> Pair<F64x2> {
        proven! { a.zip(b).zip(c).map(|((a, b), c)| F64x2(vfmaq_f64(c.0, a.0, b.0))) }
    }
    #[inline(always)]
    fn limited(self, x: Pair<F64x2>, least: f64, most: f64) -> Pair<F64x2> {
        proven! {
            let (least, most, sign) = (vdupq_n_f64(least), vdupq_n_f64(most), vdupq_n_u64(1 << 63));
            x.map(|x| F64x2(vbslq_f64(sign, x.0, vmaxq_f64(vminq_f64(vabsq_f64(x.0), most), least))))
        }
    }
    #[inline(always)]
    fn fixed_point<const SHIFT: u32, const POINT: u32>(self, x: F32x4, zero: f64) -> Pair<F64x2> {
        let high_word = self.u32((fixed::<POINT>(0).to_bits() >> 32) as u32);
        words(self.bits(x) >> SHIFT, high_word) - self.f64(fixed::<POINT>(0) + zero)
    }
    #[inline(always)]
    fn with_sign(self, magnitude: Pair<F64x2>, sign: F32x4) -> Pair<F64x2> {
        let sign = words(self.u32(0), self.bits(sign) & self.u32(0x8000_0000));
        proven! {
            let bits = |x: F64x2| vreinterpretq_u64_f64(x.0);
            magnitude.zip(sign).map(|(magnitude, sign)| {
                F64x2(vreinterpretq_f64_u64(veorq_u64(bits(magnitude), bits(sign))))
            })
        }
    }
    #[inline(always)]
    fn all(self, mask: uint32x4_t) -> bool {
        proven! { vminvq_u32(mask) != 0 }
    }
    #[inline(always)]
    fn row<const COLUMNS: usize, const ROWS: usize>(
        self,
        table: &'static [[f64; COLUMNS]; ROWS],
        index: U32x4,
    ) -> [Pair<F64x2>; COLUMNS] {
        const { assert!(ROWS.is_power_of_two() && COLUMNS.is_multiple_of(2)) };
        let rows = lanes(index).map(|index| &table[index as usize % ROWS]);
        let mut columns = [self.f64(0.0); COLUMNS];
        for (i, columns) in columns.as_chunks_mut().0.iter_mut().enumerate() {
            // Two columns at a time, of two rows at a time.
            let [a, b, c, d] = rows.map(|row| proven! { vld1q_f64(row.as_chunks::<2>().0[i].as_ptr()) });
            *columns = proven! { [
                Pair(F64x2(vtrn1q_f64(a, b)), F64x2(vtrn1q_f64(c, d))),
                Pair(F64x2(vtrn2q_f64(a, b)), F64x2(vtrn2q_f64(c, d))),
            ] };
        }
        columns
    }
    #[inline(always)]
    fn exp2_lookup<const SIZE: usize>(self, table: &'static [u64; SIZE], index: U32x4) -> Pair<F64x2> {
        let [a, b, c, d] = lanes(index).map(|index| proven! { vdup_n_f64(power(table, index)) });
        proven! { Pair(F64x2(vcombine_f64(a, b)), F64x2(vcombine_f64(c, d))) }
    }
}

impl Fused for Neon {
    #[inline(always)]
    fn limited_magnitude(self, x: F32x4, least: f32, most: f32) -> F32x4 {
        proven! {
            let bits = vminq_u32(self.bits(self.abs(x)).0, self.u32(most.to_bits()).0);
            self.float(U32x4(vmaxq_u32(bits, self.u32(least.to_bits()).0)))
        }
    }
    #[inline(always)]
    fn flip_sign(self, x: F32x4, sign: F32x4) -> F32x4 {
        let sign = self.bits(sign) & self.u32(0x8000_0000);
        proven! { self.float(U32x4(veorq_u32(self.bits(x).0, sign.0))) }
    }
    #[inline(always)]
    fn clamped(self, low: f32, x: F32x4, high: f32) -> F32x4 {
        // As unsigned integers negative numbers are above all others, and grow with their magnitude.
        let bits = proven! { vminq_u32(self.bits(x).0, self.u32(low.to_bits()).0) };
        let high = proven! { vdupq_n_s32(high.to_bits() as i32) };
        proven! { F32x4(vreinterpretq_f32_s32(vminq_s32(vreinterpretq_s32_u32(bits), high))) }
    }
    #[inline(always)]
    fn positive_part(self, x: F32x4) -> F32x4 {
        proven! { F32x4(vreinterpretq_f32_s32(vmaxq_s32(vreinterpretq_s32_f32(x.0), vdupq_n_s32(0)))) }
    }
    #[inline(always)]
    fn identical(self, a: F32x4, b: F32x4) -> uint32x4_t {
        proven! { vceqq_u32(self.bits(a).0, self.bits(b).0) }
    }
    #[inline(always)]
    fn number(self, x: F32x4) -> uint32x4_t {
        proven! { vceqq_f32(x.0, x.0) }
    }
    #[inline(always)]
    fn lanes_of(self, mask: uint32x4_t) -> u32 {
        const BITS: [u32; 4] = [1, 2, 4, 8];
        proven! { vaddvq_u32(vandq_u32(mask, vld1q_u32(BITS.as_ptr()))) }
    }

    #[inline(always)]
    fn lookup_8(self, table: &'static Table<8>, index: U32x4) -> F32x4 {
        let bytes = bytes(index & self.u32(7));
        proven! { F32x4(vreinterpretq_f32_u8(vqtbl2q_u8(vld1q_u8_x2(table.0.as_ptr().cast()), bytes))) }
    }
    #[inline(always)]
    fn lookup_16(self, table: &'static Table<16>, index: U32x4) -> F32x4 {
        let bytes = bytes(index & self.u32(15));
        proven! { F32x4(vreinterpretq_f32_u8(vqtbl4q_u8(vld1q_u8_x4(table.0.as_ptr().cast()), bytes))) }
    }
    #[inline(always)]
    fn exp2_lookup_16(self, table: &'static Table<16>, index: U32x4) -> F32x4 {
        let power = self.bits(self.lookup_16(table, index));
        proven! { self.float(U32x4(vaddq_u32(power.0, vshlq_n_u32::<19>(index.0)))) }
    }

    #[inline(always)]
    unsafe fn load_first(self, x: *const f32, n: usize) -> F32x4 {
        let mut lanes = [0.0; 4];
        for (i, lane) in lanes.iter_mut().enumerate().take(n) {
            // SAFETY: the caller's promise. Black boxes, since the compiler would make of such loops calls of memcpy.
            *lane = black_box(unsafe { x.add(i).read_unaligned() });
        }
        proven! { F32x4(vld1q_f32(lanes.as_ptr())) }
    }
    #[inline(always)]
    unsafe fn store_first(self, value: F32x4, y: *mut f32, n: usize) {
        let mut lanes = [0.0; 4];
        proven! { vst1q_f32(lanes.as_mut_ptr(), value.0) };
        for (i, &lane) in lanes.iter().enumerate().take(n) {
            // SAFETY: the caller's promise.
            unsafe { y.add(i).write_unaligned(black_box(lane)) };
        }
    }
}

/// The places of the four bytes of each entry of a table.
#[inline(always)]
fn bytes(index: U32x4) -> uint8x16_t {
    proven! { vreinterpretq_u8_u32(vmlaq_u32(vdupq_n_u32(0x0302_0100), index.0, vdupq_n_u32(0x0404_0404))) }
}

#[inline(always)]
fn lanes(index: U32x4) -> [u32; 4] {
    // SAFETY: both are four times 32 bits, any of which are right.
    unsafe { core::mem::transmute(index.0) }
}

/// The doubles with these low and high words.
#[inline(always)]
fn words(low: U32x4, high: U32x4) -> Pair<F64x2> {
    proven! {
        Pair(vzip1q_u32(low.0, high.0), vzip2q_u32(low.0, high.0)).map(|half| F64x2(vreinterpretq_f64_u32(half)))
    }
}
