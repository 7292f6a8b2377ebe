//! The exponential function.

use crate::data::exp::{CUBIC, FRACTION_BITS, POWERS, SCALE, SHIFT, STEP};
use crate::isa::Isa;

/// The largest float whose exponential does not overflow, 0x1.62e42ep+6.
pub const LARGEST: f32 = f32::from_bits(0x42b1_7217);
/// The smallest float whose exponential does not round to 0 in round-to-nearest, -0x1.9fe368p+6.
pub const SMALLEST: f32 = f32::from_bits(0xc2cf_f1b4);

/// Whether the C function reports a range error: overflow, or underflow by the input alone. Infinities don't.
#[inline(always)]
pub fn out_of_range(x: f32) -> bool {
    x.is_finite() && !(SMALLEST..=LARGEST).contains(&x)
}

/// Whether `x` takes the kernel's one path without a special case; then it is in range too.
#[inline(always)]
pub fn ordinary<I: Isa>(isa: I, x: I::F32) -> I::Mask {
    isa.below(isa.bits(isa.abs(x)), isa.u32(LARGEST.to_bits() + 1))
}

/// exp(x), correctly rounded in every rounding mode.
///
/// k = x·512/ln2 to the nearest integer, r = x - k·ln2/512, and
///
/// ```text
/// exp(x) = 2^(k/512)·(1 + r + r²·(c2 + c3·r))
/// ```
///
/// in double precision. The double never overflows nor underflows; the one narrowing does, and raises the flags.
/// The cubic leaves an error of 2^-48, which alone would misround some inputs: the cubic and entries of the table are
/// moved by some units, by search, so that all inputs round right.
#[inline(always)]
pub fn expf<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    if isa.all(ordinary(isa, x)) {
        return expf_bounded(isa, x);
    }
    core::hint::cold_path();
    let finite = isa.below(isa.bits(isa.abs(x)), isa.u32(f32::INFINITY.to_bits()));
    // Clamped where the result has long been the mode's idea of 0 or infinity.
    let magnitude = isa.min_magnitude(isa.abs(isa.select(finite, x, isa.f32(0.0))), isa.f32(120.0));
    let bounded = isa.narrow(isa.with_sign(isa.widen(magnitude), x));
    // Told apart by their bits: a comparison of floats would raise invalid for a quiet NaN. x + 0 quiets a signalling
    // one and raises invalid for it.
    let nan = isa.below(isa.u32(f32::INFINITY.to_bits()), isa.bits(isa.abs(x)));
    let negative = isa.below(isa.u32(i32::MAX as u32), isa.bits(x));
    let infinite = isa.select(negative, isa.f32(0.0), isa.f32(f32::INFINITY));
    let special = isa.select(nan, x + isa.f32(0.0), infinite);
    isa.select(finite, expf_bounded(isa, bounded), special)
}

#[inline(always)]
fn expf_bounded<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    // x·512/ln2 + 1/2 with FRACTION_BITS bits after the point: the mode moves the last of them, never the integer part
    // of a small x, whose k must be 0. Exact for x = 0.
    let shifted = isa.mul_add_f32(x, isa.f32(SCALE), isa.f32(SHIFT + 0.5));
    let power = isa.exp2_lookup(&POWERS, isa.bits(shifted) >> FRACTION_BITS);
    let k = isa.fixed_point::<FRACTION_BITS, 0>(shifted, (SHIFT.to_bits() >> FRACTION_BITS) as f64);
    let r = isa.reduce(isa.widen(x), k, STEP);
    let [c2, c3] = CUBIC.map(|c| isa.f64(c));
    let p = isa.mul_add(r * r, isa.mul_add(r, c3, c2), r);
    isa.narrow(isa.mul_add(power, p, power))
}
