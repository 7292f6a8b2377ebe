//! The exact values, by arithmetic of the verifier's own: double-double sums from tables that coeffs/oracle.py computes
//! to 200 bits. It shares neither method nor constants with the kernels.
//!
//! A value is an unevaluated sum of two doubles whose relative error is below 2^-58 (derived at each function; the terms
//! neglected or rounded are below 2^-60). Values nearer than 2^-44 to a rounding boundary were decided by MPFR when the
//! golden files were made, and all agreed with this arithmetic, but for those that theory settles: saturated ones, overflows,
//! and exp(x) beside 1.

use std::sync::LazyLock;

use crate::data::oracle::{ERF, EXP, EXP_STEP};

const ERF_CELLS_A_UNIT: f64 = 32.0;

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

/// erf(x) for finite x.
///
/// Taylor's series at the nearest k/32, h = x - k/32, abs(h) <= 1/64, to h^12: the first neglected term is below
/// 2^-78·1.3. value + h·slope is exact but for the pairs' own error; the rest is at most 2^-13, its rounding errors below
/// 2^-65, against a value of 2^-5.8 or more. In cell 0 all terms have the factor x and the rest is x^2/3 of the value
/// or less, hence its rounding errors below 2^-65 of it.
pub fn erf(x: f32) -> Value {
    let magnitude = f64::from(x.abs());
    let cell = (magnitude * ERF_CELLS_A_UNIT + 0.5) as usize;
    let Some(&[value, value_low, slope, slope_low]) = ERF.get(cell) else {
        // 1 - erf(x) is below 2^-55.
        return Value { high: 1f64.copysign(x.into()), low: -(2f64.powi(-56).copysign(x.into())) };
    };
    let centre = cell as f64 / ERF_CELLS_A_UNIT;
    let h = magnitude - centre;
    let rest = ERF_SERIES[cell].iter().rev().fold(0.0, |sum, a| sum * h + a);
    let linear = two_product(h, slope);
    let sum = two_sum(value, linear.high);
    let low = sum.low + (linear.low + (value_low + h * slope_low + h * h * rest));
    let sum = two_sum(sum.high, low);
    Value { high: sum.high.copysign(x.into()), low: if x.is_sign_negative() { -sum.low } else { sum.low } }
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

/// exp(x) for abs(x) < 110.
///
/// x = k·ln(2)/64 + r, abs(r) <= 2^-7.5, r to 2^-85; exp(r) = 1 + r + s, where s < 2^-15.5 is Taylor's series to r^8
/// (first neglected term below 2^-85) with rounding errors below 2^-67.
pub fn exp(x: f32) -> Value {
    const POWERS: f64 = 64.0;
    let x = f64::from(x);
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
