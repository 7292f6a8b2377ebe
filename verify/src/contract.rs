//! What is promised, function by function: one row of this table is all that a new function adds here.

use clap::ValueEnum;

use crate::environment::{Flags, Mode};
use crate::exact::Exact;
use crate::oracle::{self, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Function {
    Erff,
    Expf,
}

impl Function {
    pub const ALL: [Function; 2] = [Function::Erff, Function::Expf];

    /// The name in C, and of the golden files.
    pub fn name(self) -> &'static str {
        match self {
            Function::Erff => "erff",
            Function::Expf => "expf",
        }
    }

    /// Whether theory alone settles the rounding, however near to a boundary the value is.
    #[cfg(feature = "judges")]
    pub fn settled(self, x: f32) -> bool {
        match self {
            // erfc(4) < 2^-25.9: strictly between 1 and the midpoint below it.
            Function::Erff => x.abs() >= 4.0,
            // Strictly between 1 and the midpoint beside it; beyond 2^128; below a quarter of the smallest float.
            Function::Expf => x.abs() < 2f32.powi(-26) || !(-105.0..89.0).contains(&x),
        }
    }

    /// The flags that a scalar call raises.
    pub fn flags(self, x: f32, mode: Mode) -> Flags {
        // Where every value is inexact, and neither tiny nor huge, nothing need be computed.
        let plain = match self {
            Function::Erff => 2f32.powi(-125)..f32::INFINITY,
            Function::Expf => f32::from_bits(1)..87.0,
        };
        if plain.contains(&x.abs()) { Flags::INEXACT } else { self.exact(x).flags(mode) }
    }

    /// What the function is at `x`.
    pub fn exact(self, x: f32) -> Exact {
        let float = |result| Exact::Float { result, flags: Flags::default() };
        if x.is_nan() {
            const QUIET: u32 = 0x0040_0000;
            let signalling = x.to_bits() & QUIET == 0;
            let result = f32::from_bits(x.to_bits() | QUIET);
            return Exact::Float { result, flags: Flags::default().with(Flags::INVALID, signalling) };
        }
        match self {
            Function::Erff if x == 0.0 => float(x),
            Function::Erff if x.is_infinite() => float(1f32.copysign(x)),
            Function::Erff => Exact::Real(oracle::erf(x)),
            Function::Expf if x == 0.0 => float(1.0),
            Function::Expf if x == f32::INFINITY => float(x),
            Function::Expf if x == f32::NEG_INFINITY => float(0.0),
            // Far beyond the last finite and the last positive result only the side matters.
            Function::Expf if x.abs() < 110.0 => Exact::Real(oracle::exp(x)),
            Function::Expf if x > 0.0 => Exact::Real(Value { high: 2f64.powi(150), low: 0.0 }),
            Function::Expf => Exact::Real(Value { high: 2f64.powi(-152), low: 0.0 }),
        }
    }
}
