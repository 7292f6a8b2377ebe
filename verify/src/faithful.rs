//! The faithful forms in a `sweep`: to nearest every result is one of the two floats around the value; in the other modes
//! its error stays below a bound.
//!
//! The floats around the values come from the exact form in the same library, block by block, where its digests are the
//! golden ones; anywhere else from the oracle, which takes many times as long.

use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::blocks::{self, BLOCKS, CHUNK, Digest, Selection};
use crate::contract::Function;
use crate::entry::{Call, Entry};
use crate::environment::{Mode, with_mode};
use crate::exact::Around;
use crate::golden::{Golden, is_fused};
use crate::library::Library;
use crate::sweep::{digest, hexadecimal, wrong_among_special};

const SIGN: u32 = 1 << 31;

/// A function's faithful form, as a library has it at a level.
pub struct Form {
    function: Function,
    call: Call,
    golden: Golden,
    /// The exact form, and its golden files.
    exact: Option<Call>,
    exact_golden: Golden,
}

impl Form {
    pub fn of(library: &Library, function: Function, symbol: &str) -> Result<Self> {
        Ok(Form {
            function,
            call: library.call(Entry::Faithful, symbol)?,
            golden: Golden::of_faithful(function, library.level().as_deref())?,
            exact: library.call(Entry::Bulk, &Entry::Bulk.symbol(function)).ok(),
            exact_golden: Golden::of(function)?,
        })
    }

    pub fn into_call(self) -> Call {
        self.call
    }

    /// Sweeps the selected blocks in each mode, prints a line a mode, and tells whether every result was as promised, with
    /// the golden bits.
    pub fn sweep(&self, modes: &[Mode], selection: &Selection, quick: bool) -> bool {
        let blocks = selection.blocks();
        let mut right = true;
        for &mode in modes {
            let start = Instant::now();
            let tallies = self.tallies(mode, &blocks, quick);
            let matches = tallies.iter().all(|tally| tally.matches);
            right &= self.report(mode, tallies, start) && matches;
        }
        right
    }

    /// Prints a line of the blocks' tallies, and tells whether all is as promised, whatever the golden file says.
    fn report(&self, mode: Mode, tallies: Vec<Tally>, start: Instant) -> bool {
        let blocks = tallies.len();
        let total = tallies.into_iter().reduce(Tally::join).unwrap_or_default();
        let (hard, elsewhere, beside) = self.wrong_hard_inputs(mode);
        println!(
            "{mode}  {}, hard inputs not as promised {hard}, other in another place {elsewhere}, beside them {beside}, \
             {:.1} s",
            total.describe(self.function, mode, blocks),
            start.elapsed().as_secs_f64()
        );
        total.broken == 0 && total.not_odd == 0 && [hard, elsewhere, beside] == [0; 3]
    }

    /// Sweeps all in all modes, and writes the golden file from what it finds, if that is as promised.
    pub fn make_golden(&self, level: Option<&str>) -> Result<()> {
        let name = self.function.name();
        if !level.is_some_and(is_fused) {
            bail!("the golden file is made at a level with fused multiply-add");
        }
        let blocks: Vec<_> = (0..BLOCKS).collect();
        let mut rows: Vec<_> = blocks.iter().map(|block| format!("{block:02x}")).collect();
        for mode in Mode::ALL {
            let start = Instant::now();
            let tallies = self.tallies(mode, &blocks, false);
            for (row, tally) in rows.iter_mut().zip(&tallies) {
                write!(row, " {:016x}", tally.digest)?;
            }
            if !self.report(mode, tallies, start) {
                bail!("nothing is written: some results are not as promised");
            }
        }
        let text = format!(
            "# {name}_faithful: XXH3 (64 bits) of the library's own results, as little-endian floats, for the 2^24 inputs\n\
             # whose bits begin with the block's byte: block, RN, RU, RD, RZ. They say that the bits are the same as ever;\n\
             # that these are faithful says the sweep that wrote them: halfulp-verify sweep {name} --faithful --make-golden.\n\
             {}\n",
            rows.join("\n")
        );
        let file = format!("golden/{name}_faithful.digests");
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file), text)?;
        println!("written: {file}");
        Ok(())
    }

    fn tallies(&self, mode: Mode, blocks: &[u32], quick: bool) -> Vec<Tally> {
        blocks::each(&format!("{}_faithful {mode}", self.function.name()), blocks, |block| {
            let golden = self.golden.digest(block, mode);
            if quick {
                let digest = digest(&self.call, mode, block);
                if golden == Some(digest) {
                    return Tally { digest, matches: true, ..Tally::default() };
                }
            }
            let tally = self.by_exact_form(mode, block).unwrap_or_else(|| self.by_oracle(mode, block));
            Tally { matches: golden == Some(tally.digest), ..tally }
        })
    }

    /// None where the exact form is not there, or not right.
    fn by_exact_form(&self, mode: Mode, block: u32) -> Option<Tally> {
        let exact = self.exact.as_ref()?;
        let modes = &Mode::ALL[..3];
        let mut digests = [(); 3].map(|()| Digest::default());
        let tally = self.tally(mode, block, |chunk, around| {
            for ((&mode, digest), results) in modes.iter().zip(&mut digests).zip(around) {
                blocks::results(exact, mode, chunk.clone(), results);
                digest.add(results);
            }
        });
        let golden = |mode| self.exact_golden.digest(block, mode);
        modes.iter().zip(digests).all(|(&mode, digest)| golden(mode) == Some(digest.value())).then_some(tally)
    }

    fn by_oracle(&self, mode: Mode, block: u32) -> Tally {
        self.tally(mode, block, |chunk, around| {
            for (i, x) in blocks::inputs(chunk).enumerate() {
                let Around(rounded) = self.function.exact(x).around();
                for (results, result) in around.iter_mut().zip(rounded) {
                    results[i] = result;
                }
            }
        })
    }

    /// What a block's results are, where `round` gives the roundings of a chunk's values, as [`Around`] has them.
    fn tally(&self, mode: Mode, block: u32, mut round: impl FnMut(Range<u64>, &mut [[f32; CHUNK]; 3])) -> Tally {
        let (function, negative) = (self.function, block >= BLOCKS / 2);
        let mut tally = Tally::default();
        let mut digest = Digest::default();
        let mut around = [[0.0; CHUNK]; 3];
        let mut results = [0.0; CHUNK];
        for chunk in blocks::chunks(block) {
            blocks::results(&self.call, mode, chunk.clone(), &mut results);
            digest.add(&results);
            round(chunk.clone(), &mut around);
            let [nearest, above, below] = &around;
            for (i, &result) in results.iter().enumerate() {
                let around = Around([nearest[i], above[i], below[i]]);
                tally.wrong += u64::from(result.to_bits() != around.rounded(mode).to_bits());
                // Of the others the errors are below what is asked for, and too many to be computed.
                if result.to_bits() != nearest[i].to_bits() && (mode == Mode::Rn || !around.holds(result)) {
                    let x = f32::from_bits(chunk.start as u32 + i as u32);
                    tally.add(function, mode, x, result, &around);
                }
            }
            tally.descents += descents(&results, negative);
            tally.continue_with(Ends::of(&chunk, &results));
            if function.is_odd() && mode == Mode::Rn {
                let there = u64::from(chunk.start as u32 ^ SIGN);
                let mut mirrored = [0.0; CHUNK];
                blocks::results(&self.call, mode, there..there + CHUNK as u64, &mut mirrored);
                let is_odd = |(a, b): (f32, &f32)| a.to_bits() ^ b.to_bits() == SIGN;
                tally.not_odd += results.into_iter().zip(&mirrored).filter(|&pair| !is_odd(pair)).count() as u64;
            }
        }
        Tally { digest: digest.value(), ..tally }
    }

    /// Counts the hard inputs whose result is not as promised, those that have another result in some place of an array
    /// than alone, and the results of special inputs beside them that are not as promised.
    fn wrong_hard_inputs(&self, mode: Mode) -> (usize, usize, usize) {
        let inputs: Vec<_> = self.golden.hard.iter().map(|&(x, _)| x).collect();
        let mut alone = vec![0.0; inputs.len()];
        with_mode(mode, || {
            for (x, result) in inputs.chunks(1).zip(alone.chunks_mut(1)) {
                self.call.run(x, result);
            }
        });
        let is_kept = |x, result| {
            let exact = self.function.exact(x);
            is_kept(self.function, mode, x, result, &exact.around(), exact.judge(result, mode).1)
        };
        let alone: Vec<_> = inputs.into_iter().zip(alone).collect();
        let broken = alone.iter().filter(|&&(x, result)| !is_kept(x, result)).count();
        let (elsewhere, beside) = wrong_among_special(&self.call, mode, &alone, is_kept);
        (broken, elsewhere, beside)
    }
}

/// Whether a result with this error is as promised.
fn is_kept(function: Function, mode: Mode, x: f32, result: f32, around: &Around, error: f64) -> bool {
    let Around([nearest, above, below]) = *around;
    if result.to_bits() == nearest.to_bits() {
        return true;
    }
    // In the other modes expf(0) and erff(inf) may be beside 1; but zeros, infinities and NaNs have no other.
    let has_other = above.to_bits() != below.to_bits() || (mode != Mode::Rn && nearest.is_normal());
    let is_near = match mode {
        Mode::Rn => around.holds(result) && !function.is_saturated(x),
        _ => error < function.faithful_bound(),
    };
    has_other && is_near && is_in_range(function, result)
}

/// A negative zero is below 0 here.
fn is_in_range(function: Function, result: f32) -> bool {
    let range = function.range();
    range.contains(&result) && (*range.start() < 0.0 || result.is_sign_positive())
}

/// How often a result is less than that of the next smaller input, which lies before it, or behind it if they are negative.
fn descents(results: &[f32], negative: bool) -> u64 {
    let pairs = results.iter().zip(&results[1..]);
    let count = if negative { pairs.filter(|(a, b)| a < b).count() } else { pairs.filter(|(a, b)| a > b).count() };
    count as u64
}

/// The first and the last input of some that lie together, and their results.
#[derive(Clone, Copy)]
struct Ends {
    first: (u32, f32),
    last: (u32, f32),
}

impl Ends {
    fn of(chunk: &Range<u64>, results: &[f32; CHUNK]) -> Self {
        Ends { first: (chunk.start as u32, results[0]), last: ((chunk.end - 1) as u32, results[CHUNK - 1]) }
    }
}

/// What a sweep found in some blocks, in one mode.
#[derive(Default)]
struct Tally {
    /// Not as promised.
    broken: u64,
    first_broken: Option<f32>,
    /// Neither of the two floats around the value, or not the value where that is a float.
    unfaithful: u64,
    /// Not correctly rounded.
    wrong: u64,
    out_of_range: u64,
    /// Less than the result of the next smaller input.
    descents: u64,
    not_odd: u64,
    /// Of results that are not the nearest float, or in other modes neither of the two around the value: 0 if there are none.
    worst: f64,
    witness: f32,
    /// None where only digests were looked at.
    ends: Option<Ends>,
    /// Of one block; of several, the exclusive or of their digests.
    digest: u64,
    matches: bool,
}

impl Tally {
    /// A result that is not certainly as promised.
    fn add(&mut self, function: Function, mode: Mode, x: f32, result: f32, around: &Around) {
        let error = function.exact(x).judge(result, mode).1;
        self.unfaithful += u64::from(!around.holds(result));
        self.out_of_range += u64::from(!x.is_nan() && !is_in_range(function, result));
        if !is_kept(function, mode, x, result, around, error) {
            self.broken += 1;
            self.first_broken.get_or_insert(x);
        }
        if error > self.worst {
            (self.worst, self.witness) = (error, x);
        }
    }

    /// Takes what lies behind, and looks at the two results where they meet.
    fn continue_with(&mut self, next: Ends) {
        let Some(ends) = &mut self.ends else {
            self.ends = Some(next);
            return;
        };
        let ((x, y), (next_x, next_y)) = (ends.last, next.first);
        if x + 1 == next_x && x & SIGN == next_x & SIGN {
            self.descents += descents(&[y, next_y], x & SIGN != 0);
        }
        ends.last = next.last;
    }

    fn join(mut self, other: Self) -> Self {
        let (worst, witness) =
            if other.worst > self.worst { (other.worst, other.witness) } else { (self.worst, self.witness) };
        other.ends.into_iter().for_each(|ends| self.continue_with(ends));
        Tally {
            broken: self.broken + other.broken,
            first_broken: self.first_broken.or(other.first_broken),
            unfaithful: self.unfaithful + other.unfaithful,
            wrong: self.wrong + other.wrong,
            out_of_range: self.out_of_range + other.out_of_range,
            descents: self.descents + other.descents,
            not_odd: self.not_odd + other.not_odd,
            worst,
            witness,
            ends: self.ends,
            digest: self.digest ^ other.digest,
            matches: self.matches && other.matches,
        }
    }

    fn describe(&self, function: Function, mode: Mode, blocks: usize) -> String {
        let mut line = format!("not as promised {}", self.broken);
        if let Some(x) = self.first_broken {
            line += &format!(", first at {}", hexadecimal(x));
        }
        if self.ends.is_some() {
            line += &format!(", unfaithful {}, wrong {}", self.unfaithful, self.wrong);
            line += &match self.worst {
                0.0 if mode == Mode::Rn => ", largest error 0.5 ulp".into(),
                0.0 => ", largest error below 1 ulp".into(),
                worst => format!(", largest error {worst:.5} ulp at {}", hexadecimal(self.witness)),
            };
            if function.range() != (f32::NEG_INFINITY..=f32::INFINITY) {
                line += &format!(", out of range {}", self.out_of_range);
            }
            if function.is_increasing() {
                line += &format!(", descents {}", self.descents);
            }
            if function.is_odd() && mode == Mode::Rn {
                line += &format!(", not odd {}", self.not_odd);
            }
        }
        let golden = if self.matches { "all golden" } else { "not the golden ones" };
        line + &format!(", digest {:016x} of {blocks} blocks: {golden}", self.digest)
    }
}
