//! `golden`: makes the golden files, and checks them against judges that are not ours: MPFR and CORE-MATH.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Result, bail, ensure};
use clap::{Args, Subcommand, ValueEnum};

use crate::blocks::{self, BLOCKS, CHUNK, Digest, Selection};
use crate::contract::Function;
use crate::double;
use crate::entry::{Call, Unary};
use crate::environment::Mode;
use crate::exact::Exact;
use crate::golden::Golden;
use crate::mpfr;

/// Make the golden files, or check them against another judge.
#[derive(Subcommand)]
pub enum Command {
    /// Write verify/golden/FUNCTION.digests and .hard anew, in this source tree
    Make {
        /// The function
        function: Function,
    },
    /// Recompute the digests of the selected blocks and compare
    Check(Check),
    /// Recompute verify/golden/double.digests by MPFR and compare
    Double {
        /// Write the file anew, in this source tree
        #[arg(long)]
        make: bool,
    },
}

#[derive(Args)]
pub struct Check {
    /// The function
    function: Function,

    /// Who computes the results
    #[arg(long)]
    judge: Judge,

    /// The rounding mode; MPFR always does all four
    #[arg(long, default_value = "rn")]
    mode: Mode,

    #[command(flatten)]
    selection: Selection,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Judge {
    Mpfr,
    CoreMath,
}

/// A value nearer to a rounding boundary than this, relative to itself, is hard: MPFR decides it. The oracle's error is
/// below 2^-58.
const HARD: f64 = 1.0 / (1u64 << 44) as f64;

pub fn run(command: &Command) -> Result<()> {
    match command {
        Command::Make { function } => make(*function),
        Command::Check(check) => check.run(),
        Command::Double { make } => double(*make),
    }
}

fn double(make: bool) -> Result<()> {
    let mut text = String::from(
        "# XXH3 (64 bits) of the right results, as little-endian doubles, for all inputs of halfulp-verify double hard:\n\
         # function, RN, RU, RD, RZ. Written by halfulp-verify golden double --make.\n",
    );
    for function in double::Function::ALL {
        let inputs = function.inputs()?;
        let pieces: Vec<_> = (0..inputs.len().div_ceil(CHUNK) as u32).collect();
        let right = blocks::each(function.name(), &pieces, |piece| {
            let piece = inputs.chunks(CHUNK).nth(piece as usize).expect("there are so many");
            mpfr::double_results(function, piece)
        });
        let right = right.concat();
        let digests = Mode::ALL.map(|mode| double::digest(right.iter().map(|results| results[mode as usize])));
        writeln!(text, "{} {}", function.name(), digests.map(|digest| format!("{digest:016x}")).join(" "))?;
    }
    if make {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/double.digests"), text)?;
    } else if text != double::DIGESTS {
        bail!("the golden file and MPFR disagree: {text}");
    }
    println!("the results of {} functions", double::Function::ALL.len());
    Ok(())
}

impl Check {
    fn run(&self) -> Result<()> {
        let golden = Golden::of(self.function)?;
        let blocks = self.selection.blocks();
        let (modes, digests) = match self.judge {
            Judge::Mpfr => (Mode::ALL.to_vec(), by_mpfr(self.function, &blocks)),
            Judge::CoreMath => (vec![self.mode], by_core_math(self.function, &blocks, self.mode)?),
        };
        let mut wrong = 0;
        for (block, digests) in blocks.iter().zip(digests) {
            for (&mode, digest) in modes.iter().zip(digests) {
                if golden.digest(*block, mode) != Some(digest) {
                    println!("{} {mode} block {block}: {digest:016x} is not the golden digest", self.function.name());
                    wrong += 1;
                }
            }
        }
        let done = blocks.len() * modes.len();
        let list = if blocks.len() < 10 { format!(" of the blocks {blocks:?}") } else { String::new() };
        println!("{}: {} of {done} digests{list} agree", self.function.name(), done - wrong);
        if wrong > 0 { bail!("the golden file and the judge disagree") } else { Ok(()) }
    }
}

fn make(function: Function) -> Result<()> {
    let blocks: Vec<_> = (0..BLOCKS).collect();
    let made = blocks::each(function.name(), &blocks, |block| {
        let mut hard = vec![];
        let digests = digests(block, |x| {
            let exact = function.exact(x);
            let rounded = exact.rounded();
            match exact {
                Exact::Real(value) if value.bracket().closeness(value) < HARD && !function.settled(x) => {
                    let right = mpfr::rounded(function, x);
                    hard.push((x, right, right.map(f32::to_bits) == rounded.map(f32::to_bits)));
                    right
                }
                _ => rounded,
            }
        });
        (digests, hard)
    });

    let mut digests = format!(
        "# {}: XXH3 (64 bits) of the right results, as little-endian floats, for the 2^24 inputs whose bits begin\n\
         # with the block's byte: block, RN, RU, RD, RZ. Written by halfulp-verify golden make.\n",
        function.name()
    );
    let mut hard = format!(
        "# {}: the inputs whose values lie within 2^-44 of a float or of a midpoint between two, and the right\n\
         # results by MPFR: bits of input, RN, RU, RD, RZ. Written by halfulp-verify golden make.\n",
        function.name()
    );
    let mut count = 0;
    for (block, (modes, inputs)) in blocks.iter().zip(made) {
        let words = modes.map(|digest| format!("{digest:016x}"));
        writeln!(digests, "{block:02x} {}", words.join(" "))?;
        for (x, results, agrees) in inputs {
            ensure!(agrees, "MPFR and the oracle disagree at {x:e}: the oracle is wrong");
            let words = results.map(|result| format!("{:08x}", result.to_bits()));
            writeln!(hard, "{:08x} {}", x.to_bits(), words.join(" "))?;
            count += 1;
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    fs::write(folder.join(format!("{}.digests", function.name())), digests)?;
    fs::write(folder.join(format!("{}.hard", function.name())), hard)?;
    println!("{}: {} blocks, {count} hard inputs decided by MPFR", function.name(), blocks.len());
    Ok(())
}

fn by_mpfr(function: Function, blocks: &[u32]) -> Vec<Vec<u64>> {
    blocks::each("MPFR", blocks, |block| {
        let digests = digests(block, |x| match function.exact(x) {
            Exact::Float { result, .. } => [result; 4],
            Exact::Real(_) => mpfr::rounded(function, x),
        });
        digests.to_vec()
    })
}

/// The digests of a block in the four modes.
fn digests(block: u32, mut right: impl FnMut(f32) -> [f32; 4]) -> [u64; 4] {
    let mut digests = Mode::ALL.map(|_| Digest::default());
    for chunk in blocks::chunks(block) {
        let mut results = [[0.0; CHUNK]; 4];
        for (i, x) in blocks::inputs(chunk).enumerate() {
            for (results, result) in results.iter_mut().zip(right(x)) {
                results[i] = result;
            }
        }
        for (digest, results) in digests.iter_mut().zip(&results) {
            digest.add(results);
        }
    }
    digests.map(|digest| digest.value())
}

/// CORE-MATH is C code, compiled for all rounding modes. Its NaNs are as the compiler left them, so ours stand in.
fn by_core_math(function: Function, blocks: &[u32], mode: Mode) -> Result<Vec<Vec<u64>>> {
    extern "C" fn erff(x: f32) -> f32 {
        core_math::erff(x)
    }
    extern "C" fn expf(x: f32) -> f32 {
        core_math::expf(x)
    }
    extern "C" fn erfcf(x: f32) -> f32 {
        core_math::erfcf(x)
    }
    // Through a pointer that the compiler can't see through, so that no call moves across the change of mode.
    let call: Unary = match function {
        Function::Erff => erff,
        Function::Expf => expf,
        Function::Erfcf if mode == Mode::Rn => erfcf,
        Function::Erfcf => bail!("some of CORE-MATH's results of erfcf were computed by its compiler, to nearest"),
        _ => bail!("CORE-MATH has no {}", function.name()),
    };
    let call = Call::Scalar(std::hint::black_box(call));
    let digests = blocks::each("CORE-MATH", blocks, |block| {
        let mut digest = Digest::default();
        let mut results = [0.0; CHUNK];
        for chunk in blocks::chunks(block) {
            blocks::results(&call, mode, chunk.clone(), &mut results);
            for (result, x) in results.iter_mut().zip(blocks::inputs(chunk)) {
                if x.is_nan() {
                    *result = function.exact(x).rounded()[0];
                }
            }
            digest.add(&results);
        }
        vec![digest.value()]
    });
    Ok(digests)
}
