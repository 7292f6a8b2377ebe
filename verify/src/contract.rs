//! What is promised, function by function: one row of this table is all that a new function adds here.

use std::ops::RangeInclusive;

use clap::ValueEnum;

use crate::environment::{Flags, Mode};
use crate::exact::Exact;
use crate::oracle::{self, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[value(rename_all = "snake")]
pub enum Function {
    Erff,
    Expf,
    Erfcf,
    Normcdff,
    Geluf,
    GelufGrad,
}

impl Function {
    pub const ALL: [Function; 6] =
        [Function::Erff, Function::Expf, Function::Erfcf, Function::Normcdff, Function::Geluf, Function::GelufGrad];

    /// Those that have a faithful form over arrays.
    pub const FAITHFUL: [Function; 5] =
        [Function::Erff, Function::Expf, Function::Normcdff, Function::Geluf, Function::GelufGrad];

    /// The name in C, and of the golden files.
    pub fn name(self) -> &'static str {
        match self {
            Function::Erff => "erff",
            Function::Expf => "expf",
            Function::Erfcf => "erfcf",
            Function::Normcdff => "normcdff",
            Function::Geluf => "geluf",
            Function::GelufGrad => "geluf_grad",
        }
    }

    /// Whether ISO C has it. All others have "halfulp_" before their names, and no vector functions.
    pub fn is_iso(self) -> bool {
        matches!(self, Function::Erff | Function::Expf | Function::Erfcf)
    }

    /// What the error of the faithful form stays below in all modes but to nearest, in ulp.
    pub fn faithful_bound(self) -> f64 {
        match self {
            Function::Erff => 2.1,
            Function::Expf => 2.9,
            Function::Normcdff => 3.6,
            Function::Geluf => 3.8,
            Function::GelufGrad => 3.7,
            Function::Erfcf => 0.0,
        }
    }

    /// Whether the result to nearest is one of those limits that the faithful form has in common with the exact one.
    pub fn is_saturated(self, x: f32) -> bool {
        match self {
            // 0x1.f5a888p+1.
            Function::Erff => x.abs() > f32::from_bits(0x407a_d444),
            // 0x1.62e42ep+6, -0x1.9fe368p+6.
            Function::Expf => x > f32::from_bits(0x42b1_7217) || x < f32::from_bits(0xc2cf_f1b4),
            _ => false,
        }
    }

    /// No result is outside, in any mode.
    pub fn range(self) -> RangeInclusive<f32> {
        match self {
            Function::Erff => -1.0..=1.0,
            Function::Expf => 0.0..=f32::INFINITY,
            Function::Normcdff => 0.0..=1.0,
            Function::Erfcf => 0.0..=2.0,
            Function::Geluf | Function::GelufGrad => f32::NEG_INFINITY..=f32::INFINITY,
        }
    }

    pub fn is_increasing(self) -> bool {
        matches!(self, Function::Erff | Function::Expf | Function::Normcdff)
    }

    pub fn is_odd(self) -> bool {
        self == Function::Erff
    }

    /// Whether theory alone settles the rounding, however near to a boundary the value is.
    #[cfg(feature = "judges")]
    pub fn settled(self, x: f32) -> bool {
        match self {
            // erfc(4) < 2^-25.9: strictly between 1 and the midpoint below it.
            Function::Erff => x.abs() >= 4.0,
            // Strictly between 1 and the midpoint beside it; beyond 2^128; below a quarter of the smallest float.
            Function::Expf => x.abs() < 2f32.powi(-26) || !(-105.0..88.73).contains(&x),
            // Beside 1; between 2 and the midpoint below it, since erfc(4) < 2^-25.9; below a quarter of the smallest float.
            Function::Erfcf => x.abs() < 2f32.powi(-26) || !(-4.0..10.1).contains(&x),
            // Beside 1/2; between 1 and the midpoint below it, since Phi(-5.5) < 2^-25.6; below a quarter of the smallest float.
            Function::Normcdff => x.abs() < 2f32.powi(-25) || !(-14.3..5.5).contains(&x),
            // x/2 is a float or a midpoint, and the value is above it by less than 2^-25 of it; x less 2^-25.6 of it;
            // below a quarter of the smallest float.
            Function::Geluf => x.abs() < 2f32.powi(-25) || !(-14.5..5.5).contains(&x),
            // Beside 1/2; between 1 and the midpoint above it, since 6·phi(6) < 2^-24.7; below a quarter of the smallest
            // float.
            Function::GelufGrad => x.abs() < 2f32.powi(-26) || !(-14.7..6.0).contains(&x),
        }
    }

    /// The flags that a scalar call raises.
    pub fn flags(self, x: f32, mode: Mode) -> Flags {
        // Where every value is inexact, and neither tiny nor huge, nothing need be computed.
        let plain = match self {
            Function::Erff => 2f32.powi(-125)..f32::INFINITY,
            Function::Expf => f32::from_bits(1)..87.0,
            Function::Erfcf => f32::from_bits(1)..9.0,
            Function::Normcdff | Function::GelufGrad => f32::from_bits(1)..12.5,
            Function::Geluf => 2f32.powi(-124)..12.5,
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
            Function::Expf if x.abs() < 110.0 => Exact::Real(oracle::exp(x.into())),
            Function::Expf if x > 0.0 => Exact::Real(Value { high: 2f64.powi(150), low: 0.0 }),
            Function::Expf => Exact::Real(Value { high: 2f64.powi(-152), low: 0.0 }),
            Function::Erfcf if x == 0.0 => float(1.0),
            Function::Erfcf if x.is_infinite() => float(1.0 - 1f32.copysign(x)),
            Function::Erfcf => Exact::Real(oracle::erfc(x)),
            Function::Geluf if x == 0.0 || x == f32::INFINITY => float(x),
            Function::Geluf | Function::GelufGrad if x == f32::NEG_INFINITY => float(-0.0),
            Function::Geluf => Exact::Real(oracle::gelu(x)),
            Function::Normcdff | Function::GelufGrad if x == 0.0 => float(0.5),
            Function::Normcdff | Function::GelufGrad if x.is_infinite() => float(if x > 0.0 { 1.0 } else { 0.0 }),
            Function::Normcdff => Exact::Real(oracle::normcdf(x)),
            Function::GelufGrad => Exact::Real(oracle::gelu_grad(x)),
        }
    }
}
