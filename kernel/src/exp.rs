//! The exponential function.

use core::f32::consts::LOG2_E;

use crate::arrays;
use crate::data::exp::{CUBIC, FRACTION_BITS, POWERS, SCALE, SHIFT, STEP};
#[cfg(target_arch = "x86_64")]
use crate::data::exp_fast;
use crate::data::exp_fast::LN2;
#[cfg(target_arch = "x86_64")]
use crate::isa::{Avx2, Avx512};
use crate::isa::{Isa, Wide};

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
    let bounded = bounded(isa, isa.select(finite, x, isa.f32(0.0)));
    // Told apart by their bits: a comparison of floats would raise invalid for a quiet NaN.
    let nan = isa.below(isa.u32(f32::INFINITY.to_bits()), isa.bits(isa.abs(x)));
    let negative = isa.below(isa.bits(x), isa.u32(0));
    let infinite = isa.select(negative, isa.f32(0.0), isa.f32(f32::INFINITY));
    let special = isa.select(nan, isa.quiet(x), infinite);
    isa.select(finite, expf_bounded(isa, bounded), special)
}

#[inline(always)]
fn expf_bounded<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    isa.narrow(value_bounded(isa, x))
}

/// exp of finite x, not yet rounded; of x beyond 120 that of 120.
#[inline(always)]
pub fn value<I: Isa>(isa: I, x: I::F32) -> I::F64 {
    value_bounded(isa, bounded(isa, x))
}

#[inline(always)]
fn value_bounded<I: Isa>(isa: I, x: I::F32) -> I::F64 {
    let (power, rest) = power_and_rest(isa, x, isa.widen(x));
    isa.mul_add(power, rest, power)
}

/// x, clamped where the result has long been the mode's idea of 0 or infinity.
#[inline(always)]
fn bounded<I: Isa>(isa: I, x: I::F32) -> I::F32 {
    isa.narrow(isa.with_sign(isa.widen(isa.min_magnitude(isa.abs(x), isa.f32(120.0))), x))
}

/// exp(x) as power·(1 + rest), where `near` is x rounded to single precision, 0 or at least 2^-84 in magnitude, and abs(x) < 120.
#[inline(always)]
pub fn power_and_rest<I: Isa>(isa: I, near: I::F32, x: I::F64) -> (I::F64, I::F64) {
    // x·512/ln2 + 1/2 with FRACTION_BITS bits after the point: the mode moves the last of them, never the integer part
    // of a small x, whose k must be 0. Exact for x = 0.
    let shifted = isa.mul_add_f32(near, isa.f32(SCALE), isa.f32(SHIFT + 0.5));
    let power = isa.exp2_lookup(&POWERS, isa.bits(shifted) >> FRACTION_BITS);
    let k = isa.fixed_point::<FRACTION_BITS, 0>(shifted, (SHIFT.to_bits() >> FRACTION_BITS) as f64);
    let r = isa.reduce(x, k, STEP);
    let [c2, c3] = CUBIC.map(|c| isa.f64(c));
    (power, isa.mul_add(r * r, isa.mul_add(r, c3, c2), r))
}

/// Powers for the fast phase: tables that an instruction set looks up in registers, entry i for 2^(i/ENTRIES).
pub struct Powers<T: 'static, const HIGHER: usize> {
    pub power: T,
    /// The logarithm of the exact power over that float, and half the margin.
    pub low: T,
    /// How much less the lower bound is, over the power.
    pub margin: f32,
    /// Of exp(r) - 1 - r over r².
    pub higher: [f32; HIGHER],
}

impl<T: 'static, const HIGHER: usize> Powers<T, HIGHER> {
    /// t·exp(r + z) as a high word and a low one, where the power t is that of `index`, perhaps scaled, and z is small,
    ///
    /// ```text
    /// t + t·r + t·(z + z·r + r²·(second + c3·r + …))
    /// ```
    ///
    /// of which the first sum is kept with its rounding error. What is lost is of the size of r²·2^-24. `second` is
    /// [`Powers::higher`]'s first number, to which z/2 may be added where that matters.
    #[inline(always)]
    pub fn sum<L: Wide<Table = T>>(
        &self,
        lanes: L,
        power: L::F32,
        r: L::F32,
        z: L::F32,
        second: L::F32,
    ) -> (L::F32, L::F32) {
        let mul_add = |a, b, c| lanes.mul_add_f32(a, b, c);
        let high = mul_add(power, r, power);
        let error = mul_add(power, r, power - high);
        let sum = mul_add(r, self.third(lanes, r), second);
        let square = mul_add(r, r, lanes.f32(NOTHING));
        let rest = mul_add(square, sum, mul_add(z, r, z));
        (high, mul_add(power, rest, error))
    }

    /// c3 + c4·r + …
    #[inline(always)]
    fn third<L: Wide<Table = T>>(&self, lanes: L, r: L::F32) -> L::F32 {
        let mut sum = lanes.f32(self.higher[HIGHER - 1]);
        for &c in self.higher[1..HIGHER - 1].iter().rev() {
            sum = lanes.mul_add_f32(r, sum, lanes.f32(c));
        }
        sum
    }
}

/// exp(x) in single precision, to about twice as many bits as a float has.
///
/// x = k·ln2 + r with k a multiple of 1/ENTRIES, where k times the leading word of ln2 is subtracted exactly and the rest,
/// with the low word of the table, makes the small z of [`Powers::sum`]. As for erf, one sum is as much too large as its
/// error may be and another too small; where they differ, the result would not be normal, or x is a NaN, the lane is left
/// open.
pub struct Fast<L: Wide, const HIGHER: usize> {
    lanes: L,
    powers: &'static Powers<L::Table, HIGHER>,
}

impl<L: Wide, const HIGHER: usize> Clone for Fast<L, HIGHER> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<L: Wide, const HIGHER: usize> Copy for Fast<L, HIGHER> {}

#[cfg(target_arch = "x86_64")]
impl From<Avx2> for Fast<Avx2, 4> {
    #[inline(always)]
    fn from(lanes: Avx2) -> Self {
        Fast { lanes, powers: &exp_fast::POWERS_8 }
    }
}
#[cfg(target_arch = "x86_64")]
impl From<Avx512> for Fast<Avx512, 2> {
    #[inline(always)]
    fn from(lanes: Avx512) -> Self {
        Fast { lanes, powers: &exp_fast::POWERS_32 }
    }
}

/// 2^-100: too small to matter, and so large that nothing underflows beside it.
pub const NOTHING: f32 = f32::from_bits(0x0d80_0000);

/// Up to here the result is normal.
const NORMAL: f32 = 87.33;

impl<L: Wide, const HIGHER: usize> arrays::Fast for Fast<L, HIGHER> {
    const PIPELINED: bool = true;
    type Lanes = L;
    /// k and the index of its table, and r.
    type Located = (L::F32, L::U32, L::F32);
    /// k and the index of its table; the result without 2^k as a high word with a low word above.
    type Evaluated = (L::F32, L::U32, L::F32, L::F32, L::F32);

    #[inline(always)]
    fn lanes(self) -> L {
        self.lanes
    }

    #[inline(always)]
    fn locate(self, x: L::F32) -> Self::Located {
        let lanes = self.lanes;
        lanes.reduce_f32(normal(lanes, x), x, LOG2_E, LN2[0], NOTHING)
    }

    #[inline(always)]
    fn evaluate(self, (k, index, r): Self::Located) -> Self::Evaluated {
        let Fast { lanes, powers } = self;
        let mul_add = |a, b, c| lanes.mul_add_f32(a, b, c);
        let z = mul_add(k, lanes.f32(-LN2[1] / L::UNIT), lanes.lookup(&powers.low, index));
        let power = lanes.lookup(&powers.power, index);
        let (high, above) = powers.sum(lanes, power, r, z, lanes.f32(powers.higher[0]));
        (k, index, high, above, mul_add(power, lanes.f32(-powers.margin), above))
    }

    #[inline(always)]
    fn settle(self, x: L::F32, (k, index, high, above, below): Self::Evaluated) -> (L::F32, L::Mask) {
        let lanes = self.lanes;
        let result = high + above;
        let settled = lanes.same(normal(lanes, x), result, high + below);
        (lanes.scale(settled, result, k, index, x), settled)
    }
}

#[inline(always)]
fn normal<L: Wide>(lanes: L, x: L::F32) -> L::Mask {
    lanes.less(lanes.abs(x), NORMAL)
}
