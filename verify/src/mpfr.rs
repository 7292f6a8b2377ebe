//! The judge: MPFR.

use rug::Float;
use rug::float::Round;

use crate::contract::Function;

/// A value cut to 160 bits, toward zero, rounds to a float as the exact one does: no value of these functions lies so near
/// above a rounding boundary that the cut ends on it. The nearest are exp(2^-149), 149 bits above 1, and hard cases, about
/// 2^-60 (2^32 inputs and 2^25 boundaries leave no nearer ones). To nearest, erf(11) would become 1.
const BITS: u32 = 160;

/// The right results in RN, RU, RD and RZ, for an input whose value is no float.
pub fn rounded(function: Function, x: f32) -> [f32; 4] {
    // Far out all results are alike, and exp(-2^70) would be too small even for MPFR's exponents.
    let mut value = Float::with_val(BITS, x.clamp(-1024.0, 1024.0));
    match function {
        Function::Erff => value.erf_round(Round::Zero),
        Function::Expf => value.exp_round(Round::Zero),
    };
    [Round::Nearest, Round::Up, Round::Down, Round::Zero].map(|mode| value.to_f32_round(mode))
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
                if x.abs() > if function == Function::Erff { 6.0 } else { 109.0 } {
                    continue;
                }
                if let Exact::Real(value) = function.exact(x) {
                    let mut right = Float::with_val(BITS, x);
                    match function {
                        Function::Erff => right.erf_mut(),
                        Function::Expf => right.exp_mut(),
                    }
                    let error = (Float::with_val(BITS, value.high) + value.low - &right) / &right;
                    assert!(error.to_f64().abs() < 2f64.powi(-58), "{function:?}({x:e}): {}", error.to_f64());
                }
            }
        }
    }
}
