//! The complementary error function, erfc(x) = 2/√π · ∫ₓ^∞ exp(-t²) dt.

use crate::data::erfc::ROWS;
use crate::erf::polynomial;
use crate::exp::power_and_rest;
use crate::isa::Isa;

/// The largest float whose erfc does not round to 0 in round-to-nearest, 0x1.41bbf6p+3.
pub const LARGEST: f32 = f32::from_bits(0x4120_ddfb);
/// 2^-40: nearer to 0 than this, values lie between 1 and the middle between it and its neighbours, as they do here.
pub const NEAREST: f32 = f32::from_bits(0x2b80_0000);
/// Beyond this the value has long been the mode's idea of 0 or 2.
const FARTHEST: f32 = 10.5;

/// Whether the C function reports a range error: underflow by the input alone. Infinities don't.
#[inline(always)]
pub fn out_of_range(x: f32) -> bool {
    x.is_finite() && x > LARGEST
}

/// Whether `x` takes the kernel's one path without a special case; then it is in range too.
#[inline(always)]
pub fn ordinary<I: Isa>(isa: I, x: I::F32) -> I::Mask {
    between(isa, x, NEAREST, LARGEST.next_up())
}

/// Whether abs(x) is at least `least` and less than `limit`.
#[inline(always)]
pub fn between<I: Isa>(isa: I, x: I::F32, least: f32, limit: f32) -> I::Mask {
    isa.within(least.to_bits(), isa.bits(isa.abs(x)), limit.to_bits())
}

/// erfc(x), correctly rounded in every rounding mode.
///
/// With a = abs(x), whose square is exact in double precision,
///
/// ```text
/// erfc(a) = exp(-a²)·erfcx(a)        erfc(-a) = 2 - erfc(a)
/// ```
///
/// by the exponential of [`crate::exp`] and [`scaled_complement`]. What their errors of 2^-48 would misround is put
/// right by moving coefficients, by search.
#[inline(always)]
pub fn erfcf<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    if isa.all(ordinary(isa, x)) {
        return erfcf_bounded(isa, x, isa.abs(x));
    }
    core::hint::cold_path();
    let two_or_zero = isa.select(negative(isa, x), isa.f32(2.0), isa.f32(0.0));
    let special = special(isa, x, isa.f32(1.0), two_or_zero);
    if isa.all(is_special(isa, x)) {
        return special;
    }
    isa.select(is_special(isa, x), special, erfcf_bounded(isa, x, held(isa, x, FARTHEST)))
}

#[inline(always)]
fn erfcf_bounded<I: Isa>(isa: I, x: I::F32, magnitude: I::F32) -> I::F32 {
    let a = isa.widen(magnitude);
    let (power, rest) = power_and_rest(isa, magnitude * isa.f32(-1.0) * magnitude, a * isa.f64(-1.0) * a);
    let bell = isa.mul_add(power, rest, power);
    // 0 or 2.
    let base = isa.f64(1.0) - isa.with_sign(isa.f64(1.0), x);
    isa.narrow(isa.mul_add(isa.with_sign(bell, x), scaled_complement(isa, magnitude, a), base))
}

/// erfcx(a) = exp(a²)·erfc(a) for 0 <= a < 15; `near` is a rounded to single precision.
///
/// The leading bits of 1 + a are its cell, 32 from one power of two to the next; there a polynomial of degree 7 around the
/// cell's centre has the relative error that coeffs/erfc.py states.
#[inline(always)]
pub fn scaled_complement<I: Isa>(isa: I, near: I::F32, a: I::F64) -> I::F64 {
    let (cell, h) = cell::<I, { ROWS.len() }>(isa, near, a);
    polynomial(isa, h, isa.row(&ROWS, cell))
}

/// The cell of a, of `CELLS` in four binades of 1 + a, and a less its centre.
#[inline(always)]
pub fn cell<I: Isa, const CELLS: usize>(isa: I, near: I::F32, a: I::F64) -> (I::U32, I::F64) {
    let bits = isa.bits(near + isa.f32(1.0));
    let width = const { 23 - (CELLS as u32 / 4).ilog2() };
    let centre = isa.float(bits & isa.u32(u32::MAX << width) | isa.u32(1 << (width - 1)));
    (bits >> width, a - (isa.widen(centre) - isa.f64(1.0)))
}

#[inline(always)]
pub fn negative<I: Isa>(isa: I, x: I::F32) -> I::Mask {
    isa.below(isa.bits(x), isa.u32(0))
}

const INFINITY: u32 = f32::INFINITY.to_bits();

/// Whether x is a zero, an infinity or a NaN.
#[inline(always)]
pub fn is_special<I: Isa>(isa: I, x: I::F32) -> I::Mask {
    isa.within(INFINITY, isa.bits(isa.abs(x)), 1)
}

/// What a function that is `at_zero` and `at_infinity` is at a special x.
#[inline(always)]
pub fn special<I: Isa>(isa: I, x: I::F32, at_zero: I::F32, at_infinity: I::F32) -> I::F32 {
    let bits = isa.bits(isa.abs(x));
    // Told apart by their bits: a comparison of floats would raise invalid for a quiet NaN.
    let nan = isa.below(isa.u32(INFINITY), bits);
    let zero = isa.below(bits, isa.u32(1));
    isa.select(nan, isa.quiet(x), isa.select(zero, at_zero, at_infinity))
}

/// abs(x), held between [`NEAREST`] and `farthest`; 1 where x is special.
#[inline(always)]
pub fn held<I: Isa>(isa: I, x: I::F32, farthest: f32) -> I::F32 {
    let magnitude = isa.min_magnitude(isa.select(is_special(isa, x), isa.f32(1.0), isa.abs(x)), isa.f32(farthest));
    isa.select(isa.below(isa.bits(magnitude), isa.u32(NEAREST.to_bits())), isa.f32(NEAREST), magnitude)
}
