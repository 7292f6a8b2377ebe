//! The judge: MPFR.

use std::sync::LazyLock;

use rug::Float;
use rug::float::{Constant, Round};

use crate::contract::Function;
use crate::double;
use crate::oracle::Value;

/// A value cut to 160 bits, toward zero, rounds to a float as the exact one does: no value of these functions lies so near
/// above a rounding boundary that the cut ends on it. The nearest are exp(2^-149), 149 bits above 1, and hard cases, about
/// 2^-60 (2^32 inputs and 2^25 boundaries leave no nearer ones). To nearest, erf(11) would become 1.
const BITS: u32 = 160;
/// What is made of several values, and cut at the end only.
const WIDE_BITS: u32 = 256;
/// In the order of `Mode::ALL`.
const ROUNDS: [Round; 4] = [Round::Nearest, Round::Up, Round::Down, Round::Zero];

/// The right results in RN, RU, RD and RZ, for an input whose value is no float.
pub fn rounded(function: Function, x: f32) -> [f32; 4] {
    let value = value(function, x);
    ROUNDS.map(|mode| value.to_f32_round(mode))
}

/// Phi((x - mean)/sd) as a pair, for a positive sd.
pub fn scaled_normcdf(mean: f32, sd: f32, x: f32) -> Value {
    // The difference of two floats has at most 278 bits.
    const DIFFERENCE_BITS: u32 = 280;
    const VALUE_BITS: u32 = 128;
    let deviation = (Float::with_val(DIFFERENCE_BITS, x) - mean) / sd;
    let value = normcdf_of(deviation.clamp(&-64, &64), VALUE_BITS);
    let high = value.to_f64();
    Value { high, low: (value - high).to_f64() }
}

/// A value that rounds to a float as the exact one does.
pub fn value(function: Function, x: f32) -> Float {
    // Far out all results are alike, and exp(-2^70) would be too small even for MPFR's exponents.
    let near = |limit: f32| x.clamp(-limit, limit);
    let mut value = Float::with_val(BITS, near(1024.0));
    match function {
        Function::Erff => _ = value.erf_round(Round::Zero),
        Function::Expf => _ = value.exp_round(Round::Zero),
        Function::Erfcf => _ = value.erfc_round(Round::Zero),
        Function::Normcdff => value = normcdf_of_float(x, BITS),
        // The product is exact. Beyond 16 the factor's distance from 1 is all the same, and below -16 the value's from 0.
        Function::Geluf => {
            value = Float::with_val(BITS + f32::MANTISSA_DIGITS, normcdf_of_float(x, BITS) * x.max(-16.0));
        }
        // 2^-27 is the least distance from a float to the zero of the value, the sum's two parts are near 1/4 there, and
        // so 200 bits are left.
        Function::GelufGrad => {
            let near = Float::with_val(WIDE_BITS, near(16.0));
            let density =
                (-near.clone().square() / 2u32).exp() / (Float::with_val(WIDE_BITS, Constant::Pi) * 2u32).sqrt();
            value = normcdf_of_float(x, WIDE_BITS) + near * density;
        }
    };
    value
}

/// Phi of x, or of -16 or 16 where x lies beyond, as half of all floats do: these two are computed once. Cut toward zero.
fn normcdf_of_float(x: f32, bits: u32) -> Float {
    static FAR: LazyLock<[Float; 2]> = LazyLock::new(|| [-16, 16].map(|x| normcdf(x, WIDE_BITS)));
    match x {
        ..=-16.0 => Float::with_val_round(bits, &FAR[0], Round::Zero).0,
        16.0.. => Float::with_val_round(bits, &FAR[1], Round::Zero).0,
        _ => normcdf(x, bits),
    }
}

/// Phi(x), cut toward zero, as erfc(-x/sqrt(2))/2: an error of the argument is multiplied by x^2 at most, hence the 16 bits
/// more of it.
fn normcdf(x: impl Into<f64>, bits: u32) -> Float {
    normcdf_of(Float::with_val(f64::MANTISSA_DIGITS, x.into()), bits)
}

fn normcdf_of(x: Float, bits: u32) -> Float {
    let argument = Float::with_val(bits + 16, -x) / Float::with_val(bits + 16, 2u32).sqrt();
    Float::with_val_round(bits, argument.erfc_ref(), Round::Zero).0 / 2u32
}

/// The right results in RN, RU, RD and RZ at each input.
pub fn double_results(function: double::Function, inputs: &[f64]) -> Vec<[f64; 4]> {
    inputs.iter().map(|&x| double_rounded(function, x)).collect()
}

/// The right results in RN, RU, RD and RZ.
pub fn double_rounded(function: double::Function, x: f64) -> [f64; 4] {
    if let Some(special) = function.special(x) {
        return [special; 4];
    }
    // All results beyond 64 are alike, and so are those beside erfc(0) and Phi(0).
    let far = x.clamp(-64.0, 64.0);
    let near = 2f64.powi(-100).copysign(x);
    let x = if function != double::Function::Erf && far.abs() < near.abs() { near } else { far };
    let mut value = Float::with_val(BITS, x);
    match function {
        double::Function::Erf => _ = value.erf_round(Round::Zero),
        double::Function::Erfc => _ = value.erfc_round(Round::Zero),
        double::Function::Normcdf => value = normcdf(x, BITS),
    }
    ROUNDS.map(|mode| value.to_f64_round(mode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Exact;

    /// The oracle's claim, on inputs drawn from all exponents.
    #[test]
    fn the_oracle_is_within_its_bound() {
        for function in Function::ALL {
            for bits in (0u32..=u32::MAX).step_by(10_007) {
                let x = f32::from_bits(bits);
                // Where only the side of a boundary matters the oracle says no more than that.
                let limit = match function {
                    Function::Erff => 6.0,
                    Function::Expf => 109.0,
                    Function::Erfcf => 11.0,
                    Function::Normcdff | Function::Geluf | Function::GelufGrad => 15.0,
                };
                if x.abs() > limit {
                    continue;
                }
                if let Exact::Real(value) = function.exact(x) {
                    let right = super::value(function, x);
                    let error = (Float::with_val(BITS, value.high) + value.low - &right) / &right;
                    assert!(error.to_f64().abs() < 2f64.powi(-58), "{function:?}({x:e}): {}", error.to_f64());
                }
            }
        }
    }
}
