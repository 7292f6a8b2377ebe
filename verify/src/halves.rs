//! `halves`: the functions over arrays of half-precision numbers, over all their inputs.

use anyhow::{Result, bail};
use clap::Args;
use half::{bf16, f16};

use crate::contract::Function;
use crate::entry::over_pieces;
use crate::environment::{Mode, with_mode};
use crate::exact::Exact;
use crate::library::{Library, Target};
use crate::oracle::Value;
use crate::sweep::Modes;

/// Compare every result of the functions over arrays of half-precision numbers with the right one, at many places in
/// arrays of many lengths.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,

    /// The rounding mode in force, whatever it is: the results are the same
    #[arg(long, default_value = "all")]
    mode: Modes,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let library = arguments.target.open()?;
    let mut right = true;
    for (name, format) in symbols() {
        right &= check(&library, name, format, &arguments.mode.list())?;
    }
    if right { Ok(()) } else { bail!("some results are not the exact value rounded once") }
}

/// All functions: the name and what is rounded, and the type.
pub fn symbols() -> impl Iterator<Item = ((&'static str, Function), &'static Format)> {
    NAMES.into_iter().flat_map(|name| FORMATS.iter().map(move |format| (name, format)))
}

const NAMES: [(&str, Function); 4] =
    [("erf", Function::Erff), ("exp", Function::Expf), ("normcdf", Function::Normcdff), ("gelu", Function::Geluf)];

/// A half-precision type.
pub struct Format {
    name: &'static str,
    /// How many bits a normal number has, and the power of two that all numbers are multiples of.
    precision: i32,
    smallest: i32,
    /// The bit that makes a NaN a quiet one.
    quiet: u16,
    number: fn(u16) -> f32,
    bits: fn(f64) -> u16,
}

static FORMATS: [Format; 2] = [
    Format {
        name: "f16",
        precision: 11,
        smallest: -24,
        quiet: 0x200,
        number: |bits| f16::from_bits(bits).to_f32(),
        bits: |number| f16::from_f64(number).to_bits(),
    },
    Format {
        name: "bf16",
        precision: 8,
        smallest: -133,
        quiet: 0x40,
        number: |bits| bf16::from_bits(bits).to_f32(),
        bits: |number| bf16::from_f64(number).to_bits(),
    },
];

impl Format {
    /// The right result for an input, as bits.
    fn right(&self, function: Function, x: u16) -> u16 {
        let number = (self.number)(x);
        if number.is_nan() {
            return x | self.quiet;
        }
        (self.bits)(match function.exact(number) {
            Exact::Float { result, .. } => result.into(),
            Exact::Real(value) => self.rounded(value),
        })
    }

    /// The number nearest to a value that is no number of this type, nor half-way between two but for its low part; what
    /// is too large for the type is infinite in it.
    fn rounded(&self, value: Value) -> f64 {
        let exponent = (value.high.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let unit = 2f64.powi((exponent + 1 - self.precision).max(self.smallest));
        let count = value.high / unit;
        let beside = count - count.floor();
        unit * match beside {
            0.5 if value.low < 0.0 => count.floor(),
            0.5 => count.ceil(),
            _ => count.round(),
        }
    }
}

const ALL: usize = 1 << 16;
/// The least alignment that an array may lack is a cache line's: so many places are tried.
const PLACES: usize = 32;
/// Short, middling and long arrays, each of them twice, so that each piece has its turn in place.
const TURNS: u64 = 8;

/// Calls the function of this name in each mode, prints a line, and tells whether all results were right.
pub fn check(library: &Library, (name, function): (&str, Function), format: &Format, modes: &[Mode]) -> Result<bool> {
    let symbol = format!("halfulp_{name}_{}_n", format.name);
    let call = library.bulk::<u16>(&symbol)?;
    let right: Vec<_> = (0..=u16::MAX).map(|x| format.right(function, x)).collect();
    let mut room = vec![0; ALL + PLACES];
    let (mut wrong, mut counts) = (vec![], vec![]);
    for &mode in modes {
        let before = wrong.len();
        for turn in 0..TURNS {
            let inputs = &mut room[5 * turn as usize % PLACES..][..ALL];
            inputs.iter_mut().zip(0..=u16::MAX).for_each(|(place, x)| *place = x);
            let mut results = vec![0; ALL];
            with_mode(mode, || over_pieces(call, turn + mode as u64, inputs, &mut results));
            wrong.extend((0..=u16::MAX).zip(results).filter(|&(x, result)| result != right[x as usize]));
        }
        counts.push(format!("{mode} {}", wrong.len() - before));
    }
    let first = wrong
        .first()
        .map(|&(x, result)| format!(", first: of {x:#06x} it is {:#06x}, not {result:#06x}", right[x as usize]));
    println!("{}: wrong {}{}", library.describe(&symbol), counts.join(", "), first.unwrap_or_default());
    Ok(wrong.is_empty())
}

#[cfg(all(test, feature = "judges"))]
mod tests {
    use super::*;
    use crate::mpfr;

    /// MPFR rounds all values as the oracle's are rounded.
    #[test]
    fn results_are_those_of_mpfr() {
        for ((name, function), format) in symbols() {
            for x in 0..=u16::MAX {
                let number = (format.number)(x);
                if number.is_nan() || matches!(function.exact(number), Exact::Float { .. }) {
                    continue;
                }
                let value = mpfr::value(function, number);
                let exponent = value.get_exp().expect("no value is zero");
                let unit = (exponent - format.precision).max(format.smallest);
                let right = ((value >> unit).round_even() << unit).to_f64();
                let text = format!("{name} {} of {x:#06x}", format.name);
                assert_eq!(format.right(function, x), (format.bits)(right), "{text}");
            }
        }
    }
}
