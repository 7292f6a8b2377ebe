//! `sweep`: every result of a function, compared with the right one.

use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;

use crate::blocks::{self, CHUNK, Digest, Selection};
use crate::contract::Function;
use crate::entry::{Call, Choice, Entry};
use crate::environment::{Mode, with_mode};
use crate::faithful::Form;
use crate::golden::Golden;
use crate::library::Target;

/// Compare every result of a function with the right one, over all inputs.
///
/// With --faithful a result is right to nearest if it is one of the two floats around the exact value, and in the other modes
/// if its error is below the function's bound.
#[derive(Args)]
pub struct Arguments {
    /// The function
    function: Function,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    entry: Choice,

    /// The name it is exported by [default: halfulp's name of the entry point]
    #[arg(long)]
    symbol: Option<String>,

    /// The rounding mode
    #[arg(long, default_value = "rn")]
    mode: Modes,

    /// Compare digests alone, and compute errors only in blocks whose digest differs from the golden one
    #[arg(long)]
    quick: bool,

    /// With --faithful: sweep everything, and write verify/golden/FUNCTION_faithful.digests anew, in this source tree
    #[arg(long, requires = "faithful", conflicts_with_all = ["mode", "quick", "sample", "offset", "blocks"])]
    make_golden: bool,

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
    let library = arguments.target.open()?;
    let entry = arguments.entry.entry();
    let name = arguments.symbol.clone().unwrap_or_else(|| entry.symbol(arguments.function));
    let modes = arguments.mode.list();
    if let Entry::Faithful = entry {
        let form = Form::of(&library, arguments.function, &name)?;
        println!("{}", library.describe(&name));
        if arguments.make_golden {
            return form.make_golden(library.level().as_deref());
        }
        let right = form.sweep(&modes, &arguments.selection, arguments.quick);
        return if right { Ok(()) } else { bail!("some results are not as promised, or not the golden ones") };
    }
    let call = library.call(entry, &name)?;
    println!("{}", library.describe(&name));
    let golden = Golden::of(arguments.function)?;
    let right = sweep(arguments.function, &call, &modes, &arguments.selection, arguments.quick, &golden);
    if right { Ok(()) } else { bail!("some results are not correctly rounded") }
}

/// Sweeps the selected blocks in each mode, prints a line a mode, and tells whether every result was right.
pub fn sweep(
    function: Function,
    call: &Call,
    modes: &[Mode],
    selection: &Selection,
    quick: bool,
    golden: &Golden,
) -> bool {
    let blocks = selection.blocks();
    let mut right = true;
    for &mode in modes {
        let start = Instant::now();
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
        let hard: Vec<_> = golden.hard.iter().map(|&(x, results)| (x, results[mode as usize])).collect();
        let is_right = |x, result| function.exact(x).judge(result, mode).0;
        let (hard, beside) = wrong_among_special(call, mode, &hard, is_right);
        let total = tallies.into_iter().reduce(Tally::join).unwrap_or_default();
        let seconds = start.elapsed().as_secs_f64();
        let beside_text = if beside > 0 { format!(", beside them {beside}") } else { String::new() };
        println!(
            "{mode}  {}, hard inputs wrong {hard}{beside_text}, {seconds:.1} s",
            total.describe(blocks.len(), quick)
        );
        right &= total.wrong == 0 && total.matches && hard == 0 && beside == 0;
    }
    right
}

pub fn digest(call: &Call, mode: Mode, block: u32) -> u64 {
    let mut digest = Digest::default();
    let mut results = [0.0; CHUNK];
    for chunk in blocks::chunks(block) {
        blocks::results(call, mode, chunk, &mut results);
        digest.add(&results);
    }
    digest.value()
}

/// Inputs that kernels treat apart: NaNs, infinities, zeros, subnormals, what saturates, overflows and underflows.
const SPECIAL: [u32; 13] = [
    0x7fc1_2345,
    0xff81_2345,
    0x7f80_0000,
    0xff80_0000,
    0,
    0x8000_0000,
    1,
    0x807f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x42c8_0000,
    0xc2ca_0000,
];

/// Counts the inputs that give another result than theirs in any place of a vector or array, and the wrong results of special
/// inputs beside them. Without these a call has inputs of one kind alone, nearly always: consecutive ones.
pub fn wrong_among_special(
    call: &Call,
    mode: Mode,
    hard: &[(f32, f32)],
    is_right: impl Fn(f32, f32) -> bool,
) -> (usize, usize) {
    let (mut wrong, mut wrong_beside) = (vec![false; hard.len()], 0);
    for place in 0..call.places() {
        let mut special = SPECIAL.map(f32::from_bits).into_iter().cycle().skip(place);
        let mut inputs: Vec<_> = special.by_ref().take(place).collect();
        inputs.extend(hard.iter().zip(special).flat_map(|(&(hard, _), special)| [hard, special]));
        let mut results = vec![0.0; inputs.len()];
        with_mode(mode, || call.sweep(place as u64, &inputs, &mut results));
        let results = results[place..].as_chunks().0;
        for (i, (&[_, special], &[result, beside])) in inputs[place..].as_chunks().0.iter().zip(results).enumerate() {
            wrong[i] |= result.to_bits() != hard[i].1.to_bits();
            wrong_beside += usize::from(!is_right(special, beside));
        }
    }
    (wrong.into_iter().filter(|&wrong| wrong).count(), wrong_beside)
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
    fn of(function: Function, call: &Call, mode: Mode, block: u32) -> Self {
        let mut tally = Tally::default();
        let mut digest = Digest::default();
        let mut results = [0.0; CHUNK];
        for chunk in blocks::chunks(block) {
            blocks::results(call, mode, chunk.clone(), &mut results);
            digest.add(&results);
            for (&result, x) in results.iter().zip(blocks::inputs(chunk)) {
                tally.add(function, mode, x, result);
            }
        }
        Tally { digest: digest.value(), ..tally }
    }

    fn add(&mut self, function: Function, mode: Mode, x: f32, result: f32) {
        let (right, error) = function.exact(x).judge(result, mode);
        if !right {
            if error == 0.0 && result.is_nan() {
                self.other_nans += 1;
            } else {
                self.wrong += 1;
                self.first_wrong.get_or_insert(x);
            }
        }
        if error > self.worst {
            (self.worst, self.witness) = (error, x);
        }
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
