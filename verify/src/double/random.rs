//! `double random`: random inputs against another correctly rounded library, or against MPFR.

use std::ops::AddAssign;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use fastrand::Rng;

use super::{Call, Function};
use crate::blocks;
use crate::entry::Unary;
use crate::environment::{Mode, with_mode};
use crate::library::Target;
use crate::mpfr;
use crate::sweep::Modes;

/// Check the results of random inputs, and the flags of one in 64 of them.
///
/// Most are drawn by turns from all exponents above 2^-70, uniformly from where the function is neither constant nor zero,
/// and beside hard inputs; one in sixteen from all bit patterns. CORE-MATH's results of inputs far out are those of its
/// compiler's mode, so MPFR decides where a result is not CORE-MATH's.
#[derive(Args)]
pub struct Arguments {
    /// The function
    function: Function,

    #[command(flatten)]
    target: Target,

    /// Call the array function, halfulp_FUNCTION_n
    #[arg(long)]
    bulk: bool,

    /// The rounding mode
    #[arg(long, default_value = "rn")]
    mode: Modes,

    /// How many inputs, rounded up to a multiple of 2^16
    #[arg(long, default_value_t = 1 << 24)]
    count: u64,

    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Who computes the right results [default: CORE-MATH where it has the function, else MPFR]
    #[arg(long)]
    judge: Option<Judge>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Judge {
    Mpfr,
    CoreMath,
}

/// Inputs are drawn and judged so many at a time.
const CHUNK: usize = 1 << 12;
/// And so many make a piece of work for a core.
const PIECE: u64 = 1 << 16;

impl Arguments {
    pub fn run(&self) -> Result<()> {
        let start = Instant::now();
        let library = self.target.open()?;
        let (call, name) = Call::of(&library, self.function, self.bulk)?;
        println!("{}", library.describe(&name));
        let judge = core_math(self.function).filter(|_| self.judge != Some(Judge::Mpfr));
        if self.judge == Some(Judge::CoreMath) && judge.is_none() {
            bail!("CORE-MATH has no {}", self.function.name());
        }
        let hard = self.function.inputs()?;
        let modes = self.mode.list();
        let pieces: Vec<_> = (0..u32::try_from(self.count.div_ceil(PIECE))?).collect();
        let tallies = blocks::each(self.function.name(), &pieces, |piece| {
            // Neighbouring seeds give unrelated numbers only after some mixing.
            let mut random = Rng::with_seed(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(piece));
            random.u64(..);
            let mut tallies = vec![Tally::default(); modes.len()];
            for turn in 0..PIECE as usize / CHUNK {
                let inputs: Vec<_> = (0..CHUNK).map(|_| draw(self.function, turn, &hard, &mut random)).collect();
                examine(self.function, &call, judge, &modes, turn, &inputs, &mut tallies);
            }
            tallies
        });
        let mut total = vec![Tally::default(); modes.len()];
        for tallies in tallies {
            total.iter_mut().zip(tallies).for_each(|(total, tally)| *total += tally);
        }
        let count = pieces.len() as u64 * PIECE;
        for (mode, Tally { wrong, wrong_flags, first, judge_wrong }) in modes.iter().zip(&total) {
            let first = first.as_ref().map(|first| format!(", first: {first}")).unwrap_or_default();
            let judge = if judge.is_some() { format!("CORE-MATH (itself wrong {judge_wrong})") } else { "MPFR".into() };
            println!(
                "{mode}  {count} inputs from seed {} judged by {judge}, wrong {wrong}, wrong flags {wrong_flags}{first}",
                self.seed
            );
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{seconds:.1} s, {:.2} million inputs a second", (count * modes.len() as u64) as f64 / seconds / 1e6);
        if total.iter().any(|tally| tally.wrong + tally.wrong_flags > 0) {
            bail!("some results or flags are not as promised");
        }
        Ok(())
    }
}

fn draw(function: Function, turn: usize, hard: &[f64], random: &mut Rng) -> f64 {
    let x = match turn % 16 {
        0 => f64::from_bits(random.u64(..)),
        1..6 => {
            let exponent = random.u64(1023 - 70..1023 + 6);
            f64::from_bits(random.u64(..) >> 63 << 63 | exponent << 52 | random.u64(..) >> 12)
        }
        6..11 => {
            let (low, high) = match function {
                Function::Erf => (-6.0, 6.0),
                Function::Erfc => (-6.0, 27.3),
                Function::Normcdf => (-38.6, 8.4),
            };
            low + (high - low) * random.f64()
        }
        _ => {
            const BESIDE: i64 = 64;
            let near = hard[random.usize(..hard.len())].to_bits();
            f64::from_bits(near.wrapping_add_signed(random.i64(-BESIDE..=BESIDE)))
        }
    };
    // CORE-MATH's NaNs are as its compiler left them.
    if x.is_nan() { 1.0 } else { x }
}

/// What was found in one mode.
#[derive(Clone, Default)]
struct Tally {
    wrong: u64,
    wrong_flags: u64,
    first: Option<String>,
    judge_wrong: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wrong += other.wrong;
        self.wrong_flags += other.wrong_flags;
        self.judge_wrong += other.judge_wrong;
        self.first = self.first.take().or(other.first);
    }
}

fn examine(
    function: Function,
    call: &Call,
    judge: Option<Unary<f64>>,
    modes: &[Mode],
    turn: usize,
    inputs: &[f64],
    tallies: &mut [Tally],
) {
    let mut results = [0.0; CHUNK];
    let mut right = [0.0; CHUNK];
    let by_mpfr = if judge.is_none() { mpfr::double_results(function, inputs) } else { vec![] };
    for (&mode, tally) in modes.iter().zip(tallies) {
        with_mode(mode, || call.sweep(turn as u64, inputs, &mut results));
        match judge {
            Some(judge) => with_mode(mode, || Call::Scalar(judge).sweep(0, inputs, &mut right)),
            None => right.iter_mut().zip(&by_mpfr).for_each(|(right, all)| *right = all[mode as usize]),
        }
        for ((&x, result), right) in inputs.iter().zip(&results).zip(&mut right) {
            if judge.is_some() && result.to_bits() != right.to_bits() {
                let mpfr = mpfr::double_rounded(function, x)[mode as usize];
                tally.judge_wrong += u64::from(right.to_bits() != mpfr.to_bits());
                *right = mpfr;
            }
            if result.to_bits() != right.to_bits() {
                tally.wrong += 1;
                tally.first.get_or_insert_with(|| format!("{}({x:?}) is {right:?}, not {result:?}", function.name()));
            }
        }
        for start in (0..CHUNK).step_by(64) {
            let together = start..start + call.together(start / 64);
            if let Some(fault) = call.wrong_flags(function, mode, &inputs[together.clone()], &right[together]) {
                tally.wrong_flags += 1;
                tally.first.get_or_insert(fault);
            }
        }
    }
}

/// CORE-MATH's function, through a pointer that the compiler can't see through, so that no call moves across a change of mode.
fn core_math(function: Function) -> Option<Unary<f64>> {
    extern "C" fn erf(x: f64) -> f64 {
        core_math::erf(x)
    }
    extern "C" fn erfc(x: f64) -> f64 {
        core_math::erfc(x)
    }
    let judge: Option<Unary<f64>> = match function {
        Function::Erf => Some(erf),
        Function::Erfc => Some(erfc),
        Function::Normcdf => None,
    };
    std::hint::black_box(judge)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CORE-MATH takes the rounding mode from the machine: on some hard inputs its results are MPFR's in every mode, where
    /// its compiler has not computed them beforehand: far out.
    #[test]
    fn core_math_rounds_in_the_mode_in_force() {
        for function in [Function::Erf, Function::Erfc] {
            let judge = core_math(function).unwrap();
            let inputs: Vec<_> = function.inputs().unwrap().into_iter().step_by(97).filter(|x| x.abs() < 5.9).collect();
            let right = mpfr::double_results(function, &inputs);
            for mode in Mode::ALL {
                let mut results = vec![0.0; inputs.len()];
                with_mode(mode, || Call::Scalar(judge).sweep(0, &inputs, &mut results));
                for ((x, result), right) in inputs.iter().zip(results).zip(&right) {
                    assert_eq!(result.to_bits(), right[mode as usize].to_bits(), "{function:?}({x:?}) in {mode}");
                }
            }
        }
    }
}
