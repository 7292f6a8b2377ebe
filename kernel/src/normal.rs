//! The standard normal distribution: Φ(x) = erfc(-x/√2)/2, its density φ(x) = exp(-x²/2)/√(2π), and GELU, x·Φ(x).

use core::f64::consts::FRAC_1_SQRT_2;
use core::hint::black_box;

use crate::data::normal::{DENSITY, ROWS, ZERO};
use crate::erf::polynomial;
use crate::erfc::{NEAREST, between, cell, held, is_special, negative, scaled_complement, special};
use crate::exp::power_and_rest;
use crate::isa::Isa;

/// Beyond this the values have long been the mode's idea of 0, 1 or x.
const FARTHEST: f32 = 15.0;

/// Nearer to 0 than this, two terms of Taylor's series are enough for Φ and its sum with x·φ.
const TINY: f32 = 1.0 / (1 << 12) as f32;

/// Φ(x), correctly rounded in every rounding mode.
///
/// Φ(-a) = exp(-a²/2)·erfcx(a/√2)/2 and Φ(a) = 1 - Φ(-a), where a²/2 is exact in double precision, so that the lower tail
/// has no error of an argument; that of a/√2 matters little to erfcx.
#[inline(always)]
pub fn normcdff<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    if isa.all(between(isa, x, TINY, FARTHEST)) {
        return isa.narrow(normcdf_bounded(isa, x, isa.abs(x)));
    }
    core::hint::cold_path();
    let zero_or_one = isa.select(negative(isa, x), isa.f32(0.0), isa.f32(1.0));
    let special = special(isa, x, isa.f32(0.5), zero_or_one);
    if isa.all(is_special(isa, x)) {
        return special;
    }
    let value = isa.narrow(normcdf_bounded(isa, x, held(isa, x, FARTHEST)));
    isa.select(is_special(isa, x), special, near_half(isa, x, DENSITY, DENSITY / -6.0, value))
}

/// 1/2 + x·(slope + cubic·x²) in lanes nearer to 0 than TINY, `other` in others.
///
/// Of x = 0x1.40d932p-20 and its doubles and halves the values are nearer to a boundary between floats than 2^-53: their sum,
/// rounded to a double, would end on it. So it starts at a neighbour of 1/2 on x's side, which is right for them and does
/// no other argument harm.
#[inline(always)]
fn near_half<I: Isa>(isa: I, x: I::F32, slope: f64, cubic: f64, other: I::F32) -> I::F32 {
    let tiny = isa.below(isa.bits(isa.abs(x)), isa.u32(TINY.to_bits()));
    let near = isa.widen(isa.select(tiny, x, isa.f32(NEAREST)));
    let slope = isa.mul_add(near * near, isa.f64(cubic), isa.f64(slope));
    let beside = isa.f64(0.5) + isa.with_sign(isa.f64(f64::EPSILON / 2.0), x);
    isa.select(tiny, isa.narrow(isa.mul_add(near, slope, beside)), other)
}

#[inline(always)]
fn normcdf_bounded<I: Isa>(isa: I, x: I::F32, magnitude: I::F32) -> I::F64 {
    normcdf_of(isa, x, magnitude, isa.widen(magnitude))
}

/// Φ of `a` with the sign of `x`; `near` is a rounded to single precision.
#[inline(always)]
fn normcdf_of<I: Isa>(isa: I, x: I::F32, near: I::F32, a: I::F64) -> I::F64 {
    let near_complement = near * isa.f32(FRAC_1_SQRT_2 as f32);
    let complement = scaled_complement(isa, near_complement, a * isa.f64(FRAC_1_SQRT_2));
    // 0 or 1.
    let base = isa.f64(0.5) + isa.with_sign(isa.f64(0.5), x);
    isa.mul_add(isa.with_sign(bell(isa, near, a, -0.5), x), complement, base)
}

/// factor·exp(-a²/2), the factor being a power of two, perhaps negated: a negation afterwards the compiler would move about, and
/// other modes than round-to-nearest would round something else.
#[inline(always)]
fn bell<I: Isa>(isa: I, near: I::F32, a: I::F64, factor: f64) -> I::F64 {
    let (power, rest) = power_and_rest(isa, near * isa.f32(-0.5) * near, a * isa.f64(-0.5) * a);
    let power = power * isa.f64(factor);
    isa.mul_add(power, rest, power)
}

/// x·Φ(x), correctly rounded in every rounding mode. Below -FARTHEST the value is as good as that there.
#[inline(always)]
pub fn geluf<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    if isa.all(between(isa, x, NEAREST, FARTHEST)) {
        return isa.narrow(isa.widen(x) * normcdf_bounded(isa, x, isa.abs(x)));
    }
    core::hint::cold_path();
    let zero_or_infinity = isa.select(negative(isa, x), isa.f32(-0.0), isa.f32(f32::INFINITY));
    let special = special(isa, x, x, zero_or_infinity);
    if isa.all(is_special(isa, x)) {
        return special;
    }
    let factor = isa.widen(not_below_farthest(isa, isa.select(is_special(isa, x), isa.f32(1.0), x)));
    isa.select(is_special(isa, x), special, isa.narrow(factor * normcdf_bounded(isa, x, held(isa, x, FARTHEST))))
}

#[inline(always)]
fn not_below_farthest<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    let limit = isa.f32(-0.0) - isa.min_magnitude(isa.abs(x), isa.f32(FARTHEST));
    isa.select(negative(isa, x), limit, x)
}

/// Φ of finite x to about 2^-50, not yet rounded. Near 0 and far out it is that of [`NEAREST`] and [`FARTHEST`].
#[inline(always)]
pub fn normcdf_value<I: Isa>(isa: I, x: I::F32) -> I::F64 {
    let magnitude = isa.min_magnitude(isa.abs(x), isa.f32(FARTHEST));
    let nearest = isa.below(isa.bits(magnitude), isa.u32(NEAREST.to_bits()));
    normcdf_bounded(isa, x, isa.select(nearest, isa.f32(NEAREST), magnitude))
}

/// The same of x·Φ(x).
#[inline(always)]
pub fn gelu_value<I: Isa>(isa: I, x: I::F32) -> I::F64 {
    isa.widen(not_below_farthest(isa, x)) * normcdf_value(isa, x)
}

/// Φ(x) + x·φ(x), the derivative of x·Φ(x), correctly rounded in every rounding mode.
///
/// Of -a it is exp(-a²/2)·(ZERO - a)·h(a), where -ZERO is its only zero and h is positive and smooth; of a it is 1 less that.
/// The distance to the zero is exact but for the zero's own error, 2^-106. h is known by cells as erfcx is.
#[inline(always)]
pub fn geluf_grad<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    if isa.all(between(isa, x, TINY, FARTHEST)) {
        return grad_bounded(isa, x, isa.abs(x));
    }
    core::hint::cold_path();
    let zero_or_one = isa.select(negative(isa, x), isa.f32(-0.0), isa.f32(1.0));
    let special = special(isa, x, isa.f32(0.5), zero_or_one);
    if isa.all(is_special(isa, x)) {
        return special;
    }
    let value = grad_bounded(isa, x, held(isa, x, FARTHEST));
    let value = near_half(isa, x, 2.0 * DENSITY, DENSITY * (-2.0 / 3.0), value);
    isa.select(is_special(isa, x), special, value)
}

#[inline(always)]
fn grad_bounded<I: Isa>(isa: I, x: I::F32, magnitude: I::F32) -> I::F32 {
    let a = isa.widen(magnitude);
    let (cell, h) = cell::<I, { ROWS.len() }>(isa, magnitude, a);
    let factor = polynomial(isa, h, isa.row(&ROWS, cell));
    let distance = (a - isa.f64(ZERO[0])) - isa.f64(ZERO[1]);
    // 0 or 1.
    let base = isa.f64(0.5) + isa.with_sign(isa.f64(0.5), x);
    let bell = isa.with_sign(bell(isa, magnitude, a, 1.0), x);
    isa.narrow(isa.mul_add(bell * distance, factor, base))
}

/// 1/sd, where [`normcdff_scaled`] serves.
#[inline(always)]
pub fn rate(mean: f32, sd: f32) -> Option<f64> {
    if mean.is_finite() && sd.is_finite() && sd > 0.0 { Some(1.0 / f64::from(sd)) } else { None }
}

/// Where it does not: y[i] is such that Φ of it is right for all i < n. That is a NaN if sd is none or not positive, a NaN or an
/// infinity if the mean is, and else x or 0.
///
/// # Safety
///
/// n floats are at x and at y, which are the same or don't overlap.
pub unsafe fn quotients(n: usize, mean: f32, sd: f32, x: *const f32, y: *mut f32) {
    let invalid = sd.is_nan() || sd <= 0.0;
    for i in 0..n {
        // SAFETY: elements below n.
        unsafe {
            let x = x.add(i).read_unaligned();
            let difference = if mean.is_finite() { x } else { x - mean };
            let quotient = if sd.is_finite() { difference } else { difference * 0.0 };
            y.add(i).write_unaligned(if invalid { f32::NAN } else { quotient });
        }
    }
    if invalid && n > 0 {
        black_box(black_box(0f32) / black_box(0f32));
    }
}

/// Φ((x - mean)·rate), within 0.5001 ulp in round-to-nearest: Φ makes of the argument's relative error, 2^-52, one that is as
/// many times as large as its square says, 2^-44 at most.
#[inline(always)]
pub fn normcdff_scaled<I: Isa>(isa: I, mean: f32, rate: f64, x: I::F32) -> I::F32 {
    let finite = isa.below(isa.bits(isa.abs(x)), isa.u32(f32::INFINITY.to_bits()));
    let quotient = (isa.widen(isa.select(finite, x, isa.f32(mean))) - isa.f64(mean.into())) * isa.f64(rate);
    let quotient = isa.limited(quotient, NEAREST.into(), FARTHEST.into());
    let near = isa.narrow(quotient);
    let a = isa.with_sign(quotient, near);
    let result = isa.narrow(normcdf_of(isa, near, isa.abs(near), a));
    // The mean itself, and either zero where it is one.
    let (from, to) = if mean == 0.0 { (isa.abs(x), 0.0) } else { (x, mean) };
    let result = isa.select(isa.within(to.to_bits(), isa.bits(from), to.to_bits() + 1), isa.f32(0.5), result);
    let zero_or_one = isa.select(negative(isa, x), isa.f32(0.0), isa.f32(1.0));
    isa.select(finite, result, special(isa, x, isa.f32(0.5), zero_or_one))
}
