//! The error function, its complement and the normal distribution in double precision, correctly rounded in every mode.
//!
//! # Two phases
//!
//! The fast phase finds the value as a double and a low word, and a margin that is larger than the error of the two. Where
//! the sums of the double with the low word and the margin, and with the low word less the margin, are the same double
//! in the caller's mode, it is the result: rounding is monotonic, and the exact value lies between the two sums. Else the
//! accurate phase, [`accurate`], settles it: for 3 in 1000 arguments of erf between -4 and 4, and for 7 of the two others.
//!
//! # Near: erf below 6, the others below 4.5
//!
//! abs(x) falls in a cell of width 1/16 or 1/32 around the nearest centre c, and with h = abs(x) - c, exact,
//!
//! ```text
//! f(c + h) = (e0 + e1·h) + h²·(e2 + e3·h + … + e10·h⁸)
//! ```
//!
//! where e0 and e1 have a low word each. The first sum is kept with its rounding error, so that what is lost is of the size
//! of h²·e2·2^-52. Cell 0 of erf is odd, and so its relative error is small down to 2^-64. The larger half of erfc and of the
//! normal distribution is 2 or 1 less the smaller one: one more sum whose rounding error is kept.
//!
//! The margin is so many units of 2^-52 of the second-order term and so much of the first sum. coeffs/double_fast.py proves
//! it for every cell by a running error analysis with the bounds of the directed modes, where an operation may be off by
//! 2^-52 of its result and an unfused one rounds twice: over a grid, with the approximation's error, and doubled.
//! In every mode these are exact: h; the products with e1, which has 26 bits, of the halves of h; and, since the first sum
//! is between half and twice e0, the difference of the two. What is left of the sum's error has a rounding error of 2^-104.
//!
//! # Far
//!
//! ```text
//! erfc(a) = exp(-a²)·erfcx(a)    Φ(-a) = exp(-a²/2)·(erfcx(a/√2)/2)
//! ```
//!
//! The square u is a sum of two words, the second factor is a cell of the kind above between 1/32 and 1/64 of a wide, and with
//! k the integer nearest to u·128/ln2, exp(-u) = 2^(-k/128)·exp(r), r = k·ln2/128 - u being a sum of two words as well. Of the
//! margin, 2^-60.2 of the result, nearly all is the rounding of what is below 2^-12 of it: the second-order term, on the way
//! to the last sum eight times. The others: exp(r) - 1 - r is below 2^-17.9 and off by less than 16 units; its next term,
//! r⁷/5040, is below 2^-71; unfused, u is off by 2^-65.5 at the most; the products with the low words of the
//! step and of the powers by 2^-75 and less. Nothing is tiny before the last product, by a power of two, which is exact.
//!
//! # Flags
//!
//! Results are inexact, but for those of 0 and of infinities, and so is the fast phase's last sum. No step of it underflows:
//! tiny arguments and subnormal results are left to the accurate phase, which raises the flag by itself.

mod accurate;

use core::hint::black_box;

use crate::data::double::LARGEST;
use crate::data::double_fast::{
    COMPLEMENT_MARGIN, ERF, ERF_MARGINS, ERF_POINT, ERFC, ERFC_FAR, ERFC_FAR_END, ERFC_MARGINS, ERFC_POINT, FAR_MARGIN,
    FAR_RATE, FAR_STEP, NORMCDF, NORMCDF_FAR, NORMCDF_FAR_END, NORMCDF_MARGINS, NORMCDF_POINT, POWERS,
};
use crate::isa::{Isa, KEEPS_NANS};

/// The coefficients of a cell: value and slope at its centre, each with its low word, and those of h², h³ and so on.
type Cell = [f64; 13];

/// 2^-64: nearer to 0 than this, erfc and the normal distribution round as they do here, and erf has no fast phase, in
/// which a power of a smaller argument could underflow.
const SMALLEST: f64 = 1.0 / (1u128 << 64) as f64;
/// From here on erf is the mode's idea of 1.
const ERF_END: f64 = 6.0;
/// Up to here the others have cells of one kind, and then of another.
const NEAR_END: f64 = 4.5;

/// A function that falls from 2·half to 0, with f(x) + f(-x) = 2·half.
struct Falling {
    half: f64,
    /// From -`end` down it is the mode's idea of 2·half, and from `last` on of 0.
    end: f64,
    last: f64,
    /// The cells of f(abs(x)), with a width of 2^-point.
    near: &'static [Cell],
    point: u32,
    margins: [[f64; 2]; 2],
    /// The cells of f(abs(x)) over exp(-half·x²), and how far they reach.
    far: &'static [Cell],
    far_end: f64,
}

/// erfc(x).
const COMPLEMENT: Falling = Falling {
    half: 1.0,
    end: 6.0,
    last: 27.5,
    near: &ERFC,
    point: ERFC_POINT,
    margins: ERFC_MARGINS,
    far: &ERFC_FAR,
    far_end: ERFC_FAR_END,
};
/// Φ(-x).
const UPPER_TAIL: Falling = Falling {
    half: 0.5,
    end: 8.5,
    last: 38.8,
    near: &NORMCDF,
    point: NORMCDF_POINT,
    margins: NORMCDF_MARGINS,
    far: &NORMCDF_FAR,
    far_end: NORMCDF_FAR_END,
};

/// Whether the C function erfc reports a range error: underflow by the input alone. Infinities don't.
#[inline(always)]
pub fn erfc_out_of_range(x: f64) -> bool {
    x.is_finite() && x > LARGEST
}

/// Whether `x` is no special case of erfc; then it is in range too.
#[inline(always)]
pub fn erfc_ordinary<I: Isa<F64 = f64>>(_isa: I, x: f64) -> bool {
    within(x.abs(), 0.0, ERFC_FAR_END)
}

/// erf(x), correctly rounded in every rounding mode.
#[inline(always)]
pub fn erf<I: Isa<F64 = f64>>(isa: I, x: f64) -> f64 {
    match erf_fast(isa, x) {
        Some(result) => result,
        None => erf_left_open(x),
    }
}

/// erfc(x), correctly rounded in every rounding mode.
#[inline(always)]
pub fn erfc<I: Isa<F64 = f64>>(isa: I, x: f64) -> f64 {
    match COMPLEMENT.fast(isa, x) {
        Some(result) => result,
        None => erfc_left_open(x),
    }
}

/// The normal distribution, Φ(x) = erfc(-x/√2)/2, correctly rounded in every rounding mode.
///
/// That the accurate phase settles everything is proven for erf and erfc alone; here no counterexample is known.
#[inline(always)]
pub fn normcdf<I: Isa<F64 = f64>>(isa: I, x: f64) -> f64 {
    match UPPER_TAIL.fast(isa, -x) {
        Some(result) => result,
        None => normcdf_left_open(x),
    }
}

/// erfc(x) where x is not ordinary.
pub fn erfc_special<I: Isa<F64 = f64>>(_isa: I, x: f64) -> f64 {
    erfc_left_open(x)
}

#[inline(always)]
fn erf_fast<I: Isa<F64 = f64>>(isa: I, x: f64) -> Option<f64> {
    let magnitude = x.abs();
    if !within(magnitude, SMALLEST, ERF_END) {
        return None;
    }
    let sum = near(isa, magnitude, &ERF, ERF_POINT)?.with_sign(x);
    let [curve, floor] = ERF_MARGINS[I::FUSED as usize];
    let margin = sum.high * floor;
    sum.settled(isa, curve, margin)
}

impl Falling {
    #[inline(always)]
    fn fast<I: Isa<F64 = f64>>(self, isa: I, x: f64) -> Option<f64> {
        let magnitude = x.abs();
        // 0 or 2·half.
        let whole = self.half - self.half.copysign(x);
        if within(magnitude, SMALLEST, NEAR_END) {
            let sum = near(isa, magnitude, self.near, self.point)?.with_sign(x);
            sum.complement(isa, whole, self.margins[I::FUSED as usize])
        } else if within(magnitude, NEAR_END, if whole == 0.0 { self.far_end } else { self.end }) {
            far(isa, magnitude, self.far, two_product(isa, magnitude, magnitude * self.half), whole)
        } else {
            None
        }
    }

    /// Where the mode is all that counts.
    fn at_ends(self, x: f64) -> Option<f64> {
        if x.abs() < SMALLEST {
            // Exact for 0.
            Some(self.half - x)
        } else if x.is_infinite() {
            Some(if x > 0.0 { 0.0 } else { 2.0 * self.half })
        } else if x <= -self.end {
            Some(inside(2.0 * self.half))
        } else if x >= self.last {
            // Positive, and less than half of the smallest number.
            Some(black_box(f64::MIN_POSITIVE) * f64::MIN_POSITIVE)
        } else {
            None
        }
    }
}

/// low <= magnitude < high, by integers, so that nothing is raised.
#[inline(always)]
fn within(magnitude: f64, low: f64, high: f64) -> bool {
    magnitude.to_bits().wrapping_sub(low.to_bits()) < high.to_bits() - low.to_bits()
}

/// The sum over a cell, high + low + square·second, where `high` and `square` are not negative before they get a sign.
struct Sum {
    high: f64,
    low: f64,
    square: f64,
    second: f64,
}

/// The sum over the cell of a number; cells have a width of 2^-point.
#[inline(always)]
fn near<I: Isa<F64 = f64>>(isa: I, magnitude: f64, cells: &[Cell], point: u32) -> Option<Sum> {
    // In [16, 32) a double's ulp is 2^-48: the leading bits are the cell, and the mode may move its edge by that much. Up
    // alone, since where an edge is a power of two what is below it has one bit more.
    const START: f64 = 16.0;
    const EDGE: f64 = 1.0 / (1u64 << 47) as f64;
    let shifted = (magnitude + (START - EDGE + 0.5 / (1u64 << point) as f64)).to_bits();
    let below = 48 - point;
    let centre = f64::from_bits(shifted >> below << below) - START;
    let cell = cells.get((shifted >> below).wrapping_sub(START.to_bits() >> below) as usize)?;
    Some(Sum::new(isa, cell, magnitude - centre))
}

impl Sum {
    #[inline(always)]
    fn new<I: Isa<F64 = f64>>(isa: I, cell: &Cell, h: f64) -> Self {
        let [value, value_low, slope, slope_low, c2, c3, c4, c5, c6, c7, c8, c9, c10] = *cell;
        let mul_add = |a, b, c| isa.mul_add(a, b, c);
        let square = h * h;
        let low = mul_add(square, mul_add(h, c6, c5), mul_add(h, c4, c3));
        let high = mul_add(square, mul_add(h, c10, c9), mul_add(h, c8, c7));
        let second = mul_add(h, mul_add(square * square, high, low), c2);
        let (high, rest) = if I::FUSED {
            let high = mul_add(h, slope, value);
            (high, mul_add(h, slope, value - high))
        } else {
            // The halves have 27 and 26 bits.
            let half = f64::from_bits(h.to_bits() >> 26 << 26);
            let product = half * slope;
            let high = value + product;
            (high, ((value - high) + product) + (h - half) * slope)
        };
        Sum { high, low: mul_add(h, slope_low, value_low) + rest, square, second }
    }

    /// With the sign of `sign`.
    #[inline(always)]
    fn with_sign(self, sign: f64) -> Self {
        let low = self.low * 1f64.copysign(sign);
        Sum { high: self.high.copysign(sign), low, square: self.square.copysign(sign), ..self }
    }

    /// The sum rounded, if there is no doubt. The margin, of the sum's sign, is beside `curve` of the second-order term.
    #[inline(always)]
    fn settled<I: Isa<F64 = f64>>(self, isa: I, curve: f64, margin: f64) -> Option<f64> {
        let outer = self.high + isa.mul_add(self.square * (1.0 + curve), self.second, self.low + margin);
        let inner = self.high + isa.mul_add(self.square * (1.0 - curve), self.second, self.low - margin);
        (outer == inner).then_some(outer)
    }

    /// whole + the sum, rounded, if there is no doubt: where whole is not 0, the sum is negative.
    #[inline(always)]
    fn complement<I: Isa<F64 = f64>>(self, isa: I, whole: f64, [curve, floor]: [f64; 2]) -> Option<f64> {
        let high = whole + self.high;
        let low = ((whole - high) + self.high) + self.low;
        let margin = isa.mul_add(self.high, floor, whole * -COMPLEMENT_MARGIN);
        Sum { high, low, ..self }.settled(isa, curve, margin)
    }
}

/// a·b in two words.
#[inline(always)]
fn two_product<I: Isa<F64 = f64>>(isa: I, a: f64, b: f64) -> [f64; 2] {
    let product = a * b;
    if I::FUSED {
        return [product, isa.mul_add(a, b, -product)];
    }
    // Of 26 and 27 bits: but for that of the lower halves their products are exact, in every mode.
    let half = |x: f64| f64::from_bits(x.to_bits() >> 27 << 27);
    let (a_high, b_high) = (half(a), half(b));
    let (a_low, b_low) = (a - a_high, b - b_high);
    [product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low]
}

/// exp(-u)·f(magnitude), where f has the cells, or where `whole` is not 0 that less than it; rounded, if there is no doubt.
#[inline(always)]
fn far<I: Isa<F64 = f64>>(isa: I, magnitude: f64, cells: &[Cell], [u, u_low]: [f64; 2], whole: f64) -> Option<f64> {
    let mul_add = |a, b, c| isa.mul_add(a, b, c);
    // The exponent and the five leading bits of the fraction, and a bit more for the centre.
    const BELOW: u32 = 52 - 5;
    let leading = magnitude.to_bits() >> BELOW;
    let centre = f64::from_bits(leading << BELOW | 1 << (BELOW - 1));
    let cell = cells.get(leading.wrapping_sub(NEAR_END.to_bits() >> BELOW) as usize)?;
    let factor = Sum::new(isa, cell, magnitude - centre);
    let factor_low = mul_add(factor.square, factor.second, factor.low);

    // k with ten bits after the point, of which the mode moves the last, and then without.
    const START: f64 = (1u64 << 42) as f64;
    let shifted = mul_add(u, FAR_RATE, START + 0.5).to_bits() >> 10;
    let k = f64::from_bits(shifted << 10) - START;
    let steps = shifted.wrapping_sub(START.to_bits() >> 10);
    // The first product is exact, and the difference too; the step's other word is small.
    let (main, rest) = (k * FAR_STEP[0] - u, mul_add(k, FAR_STEP[1], -u_low));
    let r = main + rest;
    let r_low = (main - r) + rest;
    let square = r * r;
    let low = mul_add(r, 1.0 / 6.0, 0.5);
    let high = mul_add(square, 1.0 / 720.0, mul_add(r, 1.0 / 120.0, 1.0 / 24.0));
    let beyond_r = mul_add(square, mul_add(square, high, low), r_low);

    let [power, power_low] = POWERS[steps.wrapping_neg() as usize % POWERS.len()];
    let [product, product_low] = two_product(isa, power, factor.high);
    let product_low = mul_add(power, factor_low, mul_add(power_low, factor.high, product_low));
    let (value, error) = if I::FUSED {
        let value = mul_add(product, r, product);
        (value, mul_add(product, r, product - value))
    } else {
        let [term, term_low] = two_product(isa, product, r);
        let value = product + term;
        (value, ((product - value) + term) + term_low)
    };
    let value_low = mul_add(product, beyond_r, mul_add(product_low, r + beyond_r, product_low) + error);

    // 2^-ceil(k/128): before the sum with `whole`, or else after all that could underflow.
    let scale = f64::from_bits(1023u64.wrapping_sub(steps.wrapping_add(127) >> 7) << 52);
    let (before, after) = if whole == 0.0 { (1.0, scale) } else { (-scale, 1.0) };
    let (value, value_low) = (value * before, value_low * before);
    let high = whole + value;
    let low = ((whole - high) + value) + value_low;
    let margin = value * FAR_MARGIN - whole * COMPLEMENT_MARGIN;
    let (outer, inner) = (high + (low + margin), high + (low - margin));
    (outer == inner).then_some(outer * after)
}

#[cold]
#[inline(never)]
fn erf_left_open(x: f64) -> f64 {
    // By its bits, hidden from a compiler that would compare floats: where subnormals count as zeros they would be one.
    if black_box(x.to_bits()) << 1 == 0 {
        return x;
    }
    if x.is_nan() {
        return quiet(x);
    }
    let one = 1f64.copysign(x);
    if x.is_infinite() {
        one
    } else if x.abs() >= ERF_END {
        inside(one)
    } else {
        accurate::erf(x)
    }
}

#[cold]
#[inline(never)]
fn erfc_left_open(x: f64) -> f64 {
    if x.is_nan() {
        return quiet(x);
    }
    COMPLEMENT.at_ends(x).unwrap_or_else(|| accurate::erfc(x))
}

#[cold]
#[inline(never)]
fn normcdf_left_open(x: f64) -> f64 {
    if x.is_nan() {
        return quiet(x);
    }
    UPPER_TAIL.at_ends(-x).unwrap_or_else(|| accurate::normcdf(x))
}

/// A NaN quieted; a signalling one raises invalid.
fn quiet(nan: f64) -> f64 {
    const QUIET: u64 = 1 << 51;
    let sum = nan + nan;
    if KEEPS_NANS {
        return sum;
    }
    black_box(sum);
    f64::from_bits(nan.to_bits() | QUIET)
}

/// The mode's idea of what lies just inside ±1 or ±2.
fn inside(limit: f64) -> f64 {
    black_box(limit) - SMALLEST.copysign(limit)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::isa::Scalar;

    /// All the functions of one instruction set.
    type Functions = [fn(f64) -> f64; 3];
    const ERF_ERFC_NORMCDF: Functions = [|x| erf(Scalar, x), |x| erfc(Scalar, x), |x| normcdf(Scalar, x)];

    /// The functions of this machine's instruction sets.
    fn ways() -> std::vec::Vec<Functions> {
        let mut ways = std::vec![ERF_ERFC_NORMCDF];
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("fma") {
            use crate::isa::Fma;
            // SAFETY: the CPU has the feature.
            ways.push([
                |x| unsafe { fused(x, |isa: Fma, x| erf(isa, x)) },
                |x| unsafe { fused(x, |isa: Fma, x| erfc(isa, x)) },
                |x| unsafe { fused(x, |isa: Fma, x| normcdf(isa, x)) },
            ]);
        }
        ways
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "fma")]
    fn fused(x: f64, function: fn(crate::isa::Fma, f64) -> f64) -> f64 {
        function(crate::isa::Fma::new(), x)
    }

    #[test]
    fn phases_agree() {
        let accurate: Functions = [accurate::erf, accurate::erfc, accurate::normcdf];
        for functions in ways() {
            for ((function, accurate), range) in
                functions.into_iter().zip(accurate).zip([-6.1..6.1, -6.5..27.4, -38.7..8.7])
            {
                const STEPS: u32 = 100_000;
                for step in 0..STEPS {
                    let x = range.start + (range.end - range.start) / STEPS as f64 * (step as f64 + 0.37);
                    assert_eq!(function(x).to_bits(), accurate(x).to_bits(), "{x:e}");
                    let near_0 = x * 2f64.powi(step as i32 / -1000);
                    assert_eq!(function(near_0).to_bits(), accurate(near_0).to_bits(), "{near_0:e}");
                }
            }
        }
    }

    #[test]
    fn special_values() {
        const TINY: f64 = f64::from_bits(1);
        let rows: [(f64, [f64; 3]); 12] = [
            (0.0, [0.0, 1.0, 0.5]),
            (-0.0, [-0.0, 1.0, 0.5]),
            (f64::INFINITY, [1.0, 0.0, 1.0]),
            (-f64::INFINITY, [-1.0, 2.0, 0.0]),
            (f64::MAX, [1.0, 0.0, 1.0]),
            (f64::MIN, [-1.0, 2.0, 0.0]),
            (40.0, [1.0, 0.0, 1.0]),
            (-40.0, [-1.0, 2.0, 0.0]),
            (TINY, [TINY, 1.0, 0.5]),
            (-TINY, [-TINY, 1.0, 0.5]),
            (LARGEST, [1.0, TINY, 1.0]),
            (LARGEST.next_up(), [1.0, 0.0, 1.0]),
        ];
        let nan = f64::from_bits(0xfff0_0000_0000_1234);
        for functions in ways() {
            for (x, right) in rows {
                assert_eq!(functions.map(|function| function(x).to_bits()), right.map(f64::to_bits), "{x:e}");
            }
            assert_eq!(functions.map(|function| function(nan).to_bits()), [0xfff8_0000_0000_1234; 3]);
        }
    }

    #[test]
    fn range_error_of_erfc() {
        for (x, out) in [(LARGEST, false), (LARGEST.next_up(), true), (f64::MAX, true), (f64::INFINITY, false)] {
            assert_eq!(erfc_out_of_range(x), out, "{x:e}");
        }
        assert!(!erfc_out_of_range(f64::NAN) && !erfc_out_of_range(-30.0));
        assert!(erfc_ordinary(Scalar, -20.0) && !erfc_ordinary(Scalar, LARGEST) && !erfc_ordinary(Scalar, f64::NAN));
    }
}
