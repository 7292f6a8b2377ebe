//! `sweep`: every result of a function, compared with the right one.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::blocks::{self, CHUNK, Digest, Selection};
use crate::contract::Function;
use crate::environment::Mode;
use crate::golden::Golden;
use crate::library::{Library, Unary};

/// Compare every result of a function with the right one, over all inputs.
#[derive(Args)]
pub struct Arguments {
    /// The function
    function: Function,

    /// The shared library that exports it [default: libhalfulp.so beside this program, else libhalfulp.so.0]
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,

    /// The name it is exported by [default: the function's own]
    #[arg(long)]
    symbol: Option<String>,

    /// The rounding mode
    #[arg(long, default_value = "rn")]
    mode: Modes,

    /// The level to force, such as scalar or fma (halfulp only) [default: what the library chooses]
    #[arg(long)]
    level: Option<String>,

    /// Compare digests alone, and compute errors only in blocks whose digest differs from the golden one
    #[arg(long)]
    quick: bool,

    #[command(flatten)]
    selection: Selection,
}

/// One mode, or all.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Modes {
    Rn,
    Ru,
    Rd,
    Rz,
    All,
}

impl Modes {
    pub fn list(self) -> Vec<Mode> {
        match self {
            Modes::Rn => vec![Mode::Rn],
            Modes::Ru => vec![Mode::Ru],
            Modes::Rd => vec![Mode::Rd],
            Modes::Rz => vec![Mode::Rz],
            Modes::All => Mode::ALL.to_vec(),
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let library = Library::open(arguments.library.as_deref())?;
    let name = arguments.symbol.as_deref().unwrap_or(arguments.function.name());
    let call = library.unary(name)?;
    if let Some(level) = &arguments.level {
        library.set_level(level)?;
    }
    println!("{}", library.describe(name));
    let golden = Golden::of(arguments.function)?;
    let right = modes(arguments.function, call, &arguments.mode.list(), &arguments.selection, arguments.quick, &golden);
    if right { Ok(()) } else { bail!("some results are not correctly rounded") }
}

/// Sweeps the selected blocks in each mode, prints a line a mode, and tells whether every result was right.
pub fn modes(
    function: Function,
    call: Unary,
    modes: &[Mode],
    selection: &Selection,
    quick: bool,
    golden: &Golden,
) -> bool {
    let blocks = selection.blocks();
    let mut right = true;
    for &mode in modes {
        let tallies = blocks::each(&format!("{} {mode}", function.name()), &blocks, |block| {
            let golden = golden.digest(block, mode);
            if quick {
                let digest = digest(call, mode, block);
                if golden == Some(digest) {
                    return Tally { digest, matches: true, ..Tally::default() };
                }
            }
            let tally = Tally::of(function, call, mode, block);
            Tally { matches: golden == Some(tally.digest), ..tally }
        });
        let hard = golden.hard.iter().filter(|(x, results)| {
            let mut result = [0.0];
            blocks::call(call, mode, [*x], &mut result);
            result[0].to_bits() != results[mode as usize].to_bits()
        });
        let hard = hard.count();
        let total = tallies.into_iter().reduce(Tally::join).unwrap_or_default();
        println!("{mode}  {}, hard inputs wrong {hard}", total.describe(blocks.len(), quick));
        right &= total.wrong == 0 && total.matches && hard == 0;
    }
    right
}

fn digest(call: Unary, mode: Mode, block: u32) -> u64 {
    let mut digest = Digest::default();
    let mut results = [0.0; CHUNK];
    for chunk in blocks::chunks(block) {
        blocks::call(call, mode, blocks::inputs(chunk), &mut results);
        digest.add(&results);
    }
    digest.value()
}

/// What a sweep found in some blocks, in one mode.
#[derive(Default)]
struct Tally {
    wrong: u64,
    /// NaNs that are right but for their sign or payload, which only halfulp promises.
    other_nans: u64,
    first_wrong: Option<f32>,
    worst: f64,
    witness: f32,
    /// Of one block; of several, the exclusive or of their digests.
    digest: u64,
    matches: bool,
}

impl Tally {
    fn of(function: Function, call: Unary, mode: Mode, block: u32) -> Self {
        let mut tally = Tally::default();
        let mut digest = Digest::default();
        let mut results = [0.0; CHUNK];
        for chunk in blocks::chunks(block) {
            blocks::call(call, mode, blocks::inputs(chunk.clone()), &mut results);
            digest.add(&results);
            for (&result, x) in results.iter().zip(blocks::inputs(chunk)) {
                let (right, error) = function.exact(x).judge(result, mode);
                if !right {
                    if error == 0.0 && result.is_nan() {
                        tally.other_nans += 1;
                    } else {
                        tally.wrong += 1;
                        tally.first_wrong.get_or_insert(x);
                    }
                }
                if error > tally.worst {
                    (tally.worst, tally.witness) = (error, x);
                }
            }
        }
        Tally { digest: digest.value(), ..tally }
    }

    fn join(self, other: Self) -> Self {
        let (worst, witness) =
            if other.worst > self.worst { (other.worst, other.witness) } else { (self.worst, self.witness) };
        Tally {
            wrong: self.wrong + other.wrong,
            other_nans: self.other_nans + other.other_nans,
            first_wrong: self.first_wrong.or(other.first_wrong),
            worst,
            witness,
            digest: self.digest ^ other.digest,
            matches: self.matches && other.matches,
        }
    }

    fn describe(&self, blocks: usize, quick: bool) -> String {
        let mut line = format!("wrong {}", self.wrong);
        if let Some(x) = self.first_wrong {
            line += &format!(", first at {}", hexadecimal(x));
        }
        if !quick || !self.matches {
            line += &format!(", largest error {:.5} ulp at {}", self.worst, hexadecimal(self.witness));
        }
        if self.other_nans > 0 {
            line += &format!(", {} NaNs of another sign or payload", self.other_nans);
        }
        let golden = if self.matches { "all golden" } else { "not the golden ones" };
        line + &format!(", digest {:016x} of {blocks} blocks: {golden}", self.digest)
    }
}

/// A float as C's %a prints it.
pub fn hexadecimal(x: f32) -> String {
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let bits = x.abs().to_bits();
    let (exponent, fraction) = (bits >> 23, bits & 0x7f_ffff);
    match exponent {
        255 if fraction == 0 => format!("{sign}inf"),
        255 => format!("{sign}nan"),
        0 if fraction == 0 => format!("{sign}0x0p+0"),
        _ => {
            // A subnormal is printed with a leading 1 too.
            let shift = if exponent == 0 { fraction.leading_zeros() - 8 } else { 0 };
            let exponent = exponent.max(1) as i32 - 127 - shift as i32;
            let digits = format!("{:06x}", (fraction << shift & 0x7f_ffff) << 1);
            let digits = digits.trim_end_matches('0');
            let point = if digits.is_empty() { "" } else { "." };
            format!("{sign}0x1{point}{digits}p{exponent:+}")
        }
    }
}
