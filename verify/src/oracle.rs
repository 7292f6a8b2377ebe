//! The exact values, by arithmetic of the verifier's own: double-double sums from tables that coeffs/oracle.py computes
//! to 200 bits. It shares neither method nor constants with the kernels.
//!
//! A value is an unevaluated sum of two doubles whose relative error is below 2^-58 (derived at each function; the terms
//! neglected or rounded are below 2^-60). Values nearer than 2^-44 to a rounding boundary were decided by MPFR when the
//! golden files were made, and all agreed with this arithmetic, but for those that theory settles: saturated ones, overflows,
//! and values beside a boundary that they leave as x leaves 0, such as exp(x) beside 1.

use std::sync::LazyLock;

use crate::data::oracle::{DENSITY, ERF, ERFC, EXP, EXP_STEP, NORMAL, ZERO, ZERO_ROW};

const ERF_CELLS_A_UNIT: f64 = 32.0;
const TAIL_CELLS_A_UNIT: f64 = 16.0;
/// What stands for a positive value that is too small to matter beside any float.
const NEXT_TO_NOTHING: Value = Value { high: f64::from_bits((1023 - 152) << 52), low: 0.0 };

/// high + low, where abs(low) is below an ulp of high.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub high: f64,
    pub low: f64,
}

/// a + b as a rounded sum and its error, for abs(a) >= abs(b) or a = 0 (round-to-nearest).
fn two_sum(a: f64, b: f64) -> Value {
    let high = a + b;
    Value { high, low: b - (high - a) }
}

/// a·b as a rounded product and its error.
fn two_product(a: f64, b: f64) -> Value {
    let high = a * b;
    Value { high, low: a.mul_add(b, -high) }
}

impl Value {
    fn negated(self) -> Value {
        Value { high: -self.high, low: -self.low }
    }

    /// self + other to 2^-103 of self, for abs(self) >= abs(other).
    fn plus(self, other: Value) -> Value {
        let sum = two_sum(self.high, other.high);
        two_sum(sum.high, sum.low + (self.low + other.low))
    }

    /// To 2^-103.
    fn times(self, other: Value) -> Value {
        let product = two_product(self.high, other.high);
        two_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }
}

fn exactly(high: f64) -> Value {
    Value { high, low: 0.0 }
}

/// value + slope·h + h^2·(rest[0] + rest[1]·h + …), where the first two are pairs.
///
/// The first two terms are exact but for the pairs' own error; an error of the rest's is 2^-52 of its largest term.
fn taylor(pairs: [f64; 4], rest: &[f64; 11], h: Value) -> Value {
    let [value, value_low, slope, slope_low] = pairs;
    let rest = rest.iter().rev().fold(0.0, |sum, a| sum * h.high + a);
    let linear = two_product(h.high, slope);
    let sum = two_sum(value, linear.high);
    let low = value_low + h.high * slope_low + h.low * slope + h.high * h.high * rest;
    two_sum(sum.high, sum.low + (linear.low + low))
}

/// erf(x) for finite x.
///
/// Taylor's series at the nearest k/32, h = x - k/32, abs(h) <= 1/64, to h^12: the first neglected term is below
/// 2^-78·1.3. value + h·slope is exact but for the pairs' own error; the rest is at most 2^-13, its rounding errors below
/// 2^-65, against a value of 2^-5.8 or more. In cell 0 all terms have the factor x and the rest is x^2/3 of the value
/// or less, hence its rounding errors below 2^-65 of it.
pub fn erf(x: f32) -> Value {
    let magnitude = f64::from(x.abs());
    let cell = (magnitude * ERF_CELLS_A_UNIT + 0.5) as usize;
    let Some(&pairs) = ERF.get(cell) else {
        // 1 - erf(x) is below 2^-55.
        return Value { high: 1f64.copysign(x.into()), low: -(2f64.powi(-56).copysign(x.into())) };
    };
    let sum = taylor(pairs, &ERF_SERIES[cell], exactly(magnitude - cell as f64 / ERF_CELLS_A_UNIT));
    if x.is_sign_negative() { sum.negated() } else { sum }
}

/// Taylor coefficients of erf at each centre, from the second to the twelfth, by erf'' = -2x·erf':
/// (n+2)(n+1)·a[n+2] = -2·(centre·(n+1)·a[n+1] + n·a[n]).
static ERF_SERIES: LazyLock<Vec<[f64; 11]>> = LazyLock::new(|| {
    let series = |(cell, &[_, _, slope, _]): (usize, &[f64; 4])| {
        let centre = cell as f64 / ERF_CELLS_A_UNIT;
        let mut a = [0.0, slope, -centre * slope, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        for n in 1..a.len() - 2 {
            let k = n as f64;
            a[n + 2] = -2.0 * (centre * (k + 1.0) * a[n + 1] + k * a[n]) / ((k + 2.0) * (k + 1.0));
        }
        std::array::from_fn(|n| a[n + 2])
    };
    ERF.iter().enumerate().map(series).collect()
});

/// erfc(x) for finite x.
pub fn erfc(x: f32) -> Value {
    let tail = ERFC_TAIL.at(x.abs().into());
    if x < 0.0 { exactly(2.0).plus(tail.negated()) } else { tail }
}

/// Phi(x) for finite x.
pub fn normcdf(x: f32) -> Value {
    let tail = NORMAL_TAIL.at(x.abs().into());
    if x > 0.0 { exactly(1.0).plus(tail.negated()) } else { tail }
}

/// x·Phi(x) for finite x.
pub fn gelu(x: f32) -> Value {
    // So far out Phi(x) is of no size, and its product with a large x would have one.
    if x < -15.0 { NEXT_TO_NOTHING.negated() } else { exactly(x.into()).times(normcdf(x)) }
}

/// Phi(x) + x·phi(x) for finite x.
///
/// For x = -t it is exp(-t^2/2)·g(t), where g(t) = Phi(-t)·exp(t^2/2) - t/sqrt(2·pi), and for x = t it is 1 minus that. g has
/// a zero, and a series of its own there, whose first term takes the distance as a pair: to 2^-80 of it at least, since
/// no float is nearer than 2^-27. Elsewhere abs(g) > 2^-5.9, against errors below 2^-64 in the difference.
pub fn gelu_grad(x: f32) -> Value {
    const SERIES_REACHES: f64 = 1.0 / 32.0;
    let t = f64::from(x.abs());
    let [zero, zero_low] = ZERO;
    let distance = two_sum(t - zero, -zero_low);
    let lower = match NORMAL_TAIL.scaled(t) {
        None => NEXT_TO_NOTHING.negated(),
        Some(tail) => {
            let [density, density_low] = DENSITY;
            let slope = exactly(t).times(Value { high: density, low: density_low });
            let g = if distance.high.abs() <= SERIES_REACHES {
                let [value, value_low, slope, slope_low, ..] = ZERO_ROW;
                taylor([value, value_low, slope, slope_low], &ZERO_SERIES, distance)
            } else if t < zero {
                tail.plus(slope.negated())
            } else {
                slope.negated().plus(tail)
            };
            exp(-t * t / 2.0).times(g)
        }
    };
    if x > 0.0 { exactly(1.0).plus(lower.negated()) } else { lower }
}

/// A function that decays as exp(-scale·x^2), by Taylor's series, around the nearest k/16, of what is left without the
/// decay.
///
/// abs(h) <= 1/32, to h^12: the first neglected term is below 2^-75 of the value. The rest is at most 2^-10 of the
/// value, its rounding errors below 2^-62.
struct Tail {
    scale: f64,
    pairs: Vec<[f64; 4]>,
    series: Vec<[f64; 11]>,
}

static ERFC_TAIL: LazyLock<Tail> = LazyLock::new(|| Tail::new(1.0, &ERFC));
static NORMAL_TAIL: LazyLock<Tail> = LazyLock::new(|| Tail::new(0.5, &NORMAL));
static ZERO_SERIES: LazyLock<[f64; 11]> = LazyLock::new(|| series(0.5, ZERO[0], &ZERO_ROW));

impl Tail {
    fn new(scale: f64, rows: &[[f64; 6]]) -> Self {
        let series = |(cell, row)| series(scale, cell as f64 / TAIL_CELLS_A_UNIT, row);
        Tail {
            scale,
            pairs: rows
                .iter()
                .map(|&[value, value_low, slope, slope_low, ..]| [value, value_low, slope, slope_low])
                .collect(),
            series: rows.iter().enumerate().map(series).collect(),
        }
    }

    /// The value without its decay, for a float x >= 0; none far out.
    fn scaled(&self, x: f64) -> Option<Value> {
        let cell = (x * TAIL_CELLS_A_UNIT + 0.5) as usize;
        let pairs = *self.pairs.get(cell)?;
        Some(taylor(pairs, &self.series[cell], exactly(x - cell as f64 / TAIL_CELLS_A_UNIT)))
    }

    /// The value for a float x >= 0, whose square is exact.
    fn at(&self, x: f64) -> Value {
        self.scaled(x).map_or(NEXT_TO_NOTHING, |scaled| exp(-x * x * self.scale).times(scaled))
    }
}

/// Taylor coefficients of a tail without its decay, from the second to the twelfth, from the last two downward: so all
/// terms of a[n-1] = (n+1)·a[n+1]/(2·scale) - centre·a[n] have the same sign.
fn series(scale: f64, centre: f64, row: &[f64; 6]) -> [f64; 11] {
    let mut a = [0.0; 13];
    a[11..].copy_from_slice(&row[4..]);
    for n in (3..12).rev() {
        a[n - 1] = (n + 1) as f64 * a[n + 1] / (2.0 * scale) - centre * a[n];
    }
    std::array::from_fn(|n| a[n + 2])
}

/// exp(x) for abs(x) < 122.
///
/// x = k·ln(2)/64 + r, abs(r) <= 2^-7.5, r to 2^-85; exp(r) = 1 + r + s, where s < 2^-15.5 is Taylor's series to r^8
/// (first neglected term below 2^-85) with rounding errors below 2^-67.
pub fn exp(x: f64) -> Value {
    const POWERS: f64 = 64.0;
    let k = (x * (POWERS / std::f64::consts::LN_2) + 0.5f64.copysign(x)) as i32;
    let [step, step_low] = EXP_STEP;
    let r = two_sum(x - f64::from(k) * step, -f64::from(k) * step_low);
    const INVERSE_FACTORIALS: [f64; 7] =
        [1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0, 1.0 / 40320.0];
    let s = r.low + r.high * r.high * INVERSE_FACTORIALS.iter().rev().fold(0.0, |sum, c| sum * r.high + c);

    let [power, power_low] = EXP[k.rem_euclid(POWERS as i32) as usize];
    let linear = two_product(power, r.high);
    let sum = two_sum(power, linear.high);
    let low = sum.low + (linear.low + (power * s + (power_low + power_low * r.high)));
    let sum = two_sum(sum.high, low);
    let scale = f64::from_bits(((1023 + k.div_euclid(POWERS as i32)) as u64) << 52);
    Value { high: sum.high * scale, low: sum.low * scale }
}
