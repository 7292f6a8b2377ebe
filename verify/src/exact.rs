//! From an exact value to the right result: rounding, flags, closeness to a rounding boundary, error in ulp.

use crate::environment::{Flags, Mode};
use crate::oracle::Value;

/// What a function is at one input.
#[derive(Clone, Copy)]
pub enum Exact {
    /// A float: a special value or a NaN, the same in every mode.
    Float { result: f32, flags: Flags },
    /// A value that is no float.
    Real(Value),
}

/// The two floats around a real value, and where it lies between them.
pub struct Bracket {
    /// The largest float below the value (or -inf).
    pub below: f32,
    /// The smallest float above the value (or +inf).
    pub above: f32,
    /// The value minus `below` and the value minus the midpoint, to double precision, and above - below.
    from_below: f64,
    from_middle: f64,
    ulp: f64,
}

/// 2^128, which takes infinity's place where floats are compared as numbers.
const BEYOND: f64 = f64::from_bits((1023 + 128) << 52);

fn number(x: f32) -> f64 {
    if x.is_infinite() { BEYOND.copysign(x.into()) } else { x.into() }
}

impl Value {
    pub fn bracket(self) -> Bracket {
        // What lies beyond 2^128 rounds as 2^128 does.
        let high = self.high.clamp(-BEYOND, BEYOND);
        let low = if high == self.high { self.low } else { 0.0 };
        let near = high as f32;
        let beside = high - number(near);
        let below = if beside < 0.0 || (beside == 0.0 && low < 0.0) { near.next_down() } else { near };
        let below = if below == f32::INFINITY { f32::MAX } else { below };
        let above = below.next_up();
        let middle = number(below) + (number(above) - number(below)) / 2.0;
        Bracket {
            below,
            above,
            from_below: (high - number(below)) + low,
            from_middle: (high - middle) + low,
            ulp: number(above) - number(below),
        }
    }
}

/// A value's roundings: the nearest float, the one above it and the one below it, in the order of [`Mode::ALL`]. They are
/// all the same if the value is a float.
#[derive(Clone, Copy)]
pub struct Around(pub [f32; 3]);

impl Around {
    pub fn rounded(&self, mode: Mode) -> f32 {
        let Around([nearest, above, below]) = *self;
        match mode {
            Mode::Rn => nearest,
            Mode::Ru => above,
            Mode::Rd => below,
            Mode::Rz if below.is_sign_positive() => below,
            Mode::Rz => above,
        }
    }

    /// Whether a result is, to the bit, the value rounded one way or the other.
    pub fn holds(&self, result: f32) -> bool {
        self.0[1..].iter().any(|rounded| rounded.to_bits() == result.to_bits())
    }
}

impl Bracket {
    fn around(&self) -> Around {
        Around([if self.from_middle < 0.0 { self.below } else { self.above }, self.above, self.below])
    }

    pub fn round(&self, mode: Mode) -> f32 {
        self.around().rounded(mode)
    }

    /// The distance from the value to the nearest rounding boundary (float or midpoint), relative to the value.
    #[cfg(feature = "judges")]
    pub fn closeness(&self, value: Value) -> f64 {
        let distance = self.from_below.abs().min(self.from_middle.abs()).min((self.ulp - self.from_below).abs());
        distance / value.high.abs()
    }

    /// How far a result is from the value, in units of the distance between the floats around the value.
    fn error(&self, result: f32) -> f64 {
        (((number(result) - number(self.below)) - self.from_below) / self.ulp).abs()
    }
}

impl Exact {
    /// The right result in each mode, in the order of [`Mode::ALL`].
    #[cfg(feature = "judges")]
    pub fn rounded(&self) -> [f32; 4] {
        match *self {
            Exact::Float { result, .. } => [result; 4],
            Exact::Real(value) => {
                let bracket = value.bracket();
                Mode::ALL.map(|mode| bracket.round(mode))
            }
        }
    }

    pub fn around(&self) -> Around {
        match *self {
            Exact::Float { result, .. } => Around([result; 3]),
            Exact::Real(value) => value.bracket().around(),
        }
    }

    /// Whether a result is the right one, to the bit, and its error in ulp: infinite for a NaN that should be none, or
    /// the reverse.
    pub fn judge(&self, result: f32, mode: Mode) -> (bool, f64) {
        match *self {
            Exact::Float { result: right, .. } => {
                let error = match (right.is_nan(), result.is_nan()) {
                    (true, true) => 0.0,
                    _ if result == right => 0.0,
                    (false, false) if right.is_finite() => (number(result) - f64::from(right)).abs() / ulp_at(right),
                    _ => f64::INFINITY,
                };
                (result.to_bits() == right.to_bits(), error)
            }
            Exact::Real(_) if result.is_nan() => (false, f64::INFINITY),
            Exact::Real(value) => {
                let bracket = value.bracket();
                (result.to_bits() == bracket.round(mode).to_bits(), bracket.error(result))
            }
        }
    }

    /// The flags that a scalar call raises.
    pub fn flags(&self, mode: Mode) -> Flags {
        match *self {
            Exact::Float { flags, .. } => flags,
            Exact::Real(value) => {
                Flags::INEXACT.with(Flags::OVERFLOW, overflows(value, mode)).with(Flags::UNDERFLOW, tiny(value, mode))
            }
        }
    }
}

fn ulp_at(x: f32) -> f64 {
    f64::from(x.abs().next_up()) - f64::from(x.abs())
}

/// Whether the value, rounded as if the exponent had no bound, exceeds the largest float.
fn overflows(value: Value, mode: Mode) -> bool {
    if value.high.abs() < f64::from(f32::MAX) {
        return false;
    }
    let scale = 2f64.powi(-64);
    let rounded = Value { high: value.high * scale, low: value.low * scale }.bracket().round(mode);
    f64::from(rounded.abs()) > f64::from(f32::MAX) * scale
}

/// Whether the value is tiny by the machine's own rule: after rounding as if the exponent had no bound (x86), or
/// before (AArch64).
fn tiny(value: Value, mode: Mode) -> bool {
    let border = f64::from(f32::MIN_POSITIVE);
    if cfg!(target_arch = "aarch64") {
        let magnitude = value.high.abs();
        magnitude < border || (magnitude == border && (value.low < 0.0) == (value.high > 0.0))
    } else if value.high.abs() < 2.0 * border {
        let scale = 2f64.powi(64);
        let rounded = Value { high: value.high * scale, low: value.low * scale }.bracket().round(mode);
        f64::from(rounded.abs()) < border * scale
    } else {
        false
    }
}
