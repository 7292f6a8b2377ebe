//! `flags`: the exception flags of every call, compared with the promised ones.

use std::ops::Range;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;

use crate::blocks::{self, CHUNK, Selection};
use crate::contract::Function;
use crate::entry::{Call, Choice};
use crate::environment::{Flags, Mode, clear_flags, flags, raise_all_flags, with_mode};
use crate::library::Target;
use crate::sweep::{Modes, hexadecimal};

/// Compare the exception flags that every call raises with the promised ones, over all inputs.
///
/// Array and vector functions are called with one input among zeros, and with consecutive inputs; they may raise
/// inexact where no element does.
#[derive(Args)]
pub struct Arguments {
    /// The function
    function: Function,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    entry: Choice,

    /// The rounding mode
    #[arg(long, default_value = "all")]
    mode: Modes,

    #[command(flatten)]
    thinning: Thinning,

    #[command(flatten)]
    selection: Selection,
}

/// Which inputs get a call of their own.
#[derive(Args)]
pub struct Thinning {
    /// Give one input in N a flag check of its own; --offset moves on which [default: 1, and 256 for arrays and vectors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=CHUNK as u64))]
    every: Option<u64>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let library = arguments.target.open()?;
    let entry = arguments.entry.entry();
    let name = entry.symbol(arguments.function);
    let call = library.call(entry, &name)?;
    println!("flags of {}", library.describe(&name));
    if !modes(arguments.function, &call, &arguments.mode.list(), &arguments.selection, &arguments.thinning) {
        bail!("some calls raise other flags than promised");
    }
    Ok(())
}

/// Checks the selected blocks in each mode, prints a line a mode, and tells whether all flags were as promised.
pub fn modes(function: Function, call: &Call, modes: &[Mode], selection: &Selection, thinning: &Thinning) -> bool {
    let blocks = selection.blocks();
    let every = thinning.every.unwrap_or(if matches!(call, Call::Scalar(_)) { 1 } else { 256 });
    let turn = u64::from(selection.turn());
    let mut right = true;
    for &mode in modes {
        let start = Instant::now();
        let title = format!("{} {mode} flags", function.name());
        let found = blocks::each(&title, &blocks, |block| {
            let mut examination = Examination { function, call, mode, wrong: 0, first: None };
            for chunk in blocks::chunks(block) {
                examination.alone(chunk.clone(), every, turn);
                // With all promised flags to be computed, these are dear.
                if chunk.start / CHUNK as u64 % every.min(16) == turn % every.min(16) {
                    examination.together(chunk);
                }
            }
            (examination.wrong, examination.first)
        });
        let wrong: u64 = found.iter().map(|(wrong, _)| wrong).sum();
        let first = found.into_iter().find_map(|(_, first)| first).map(|first| format!(", first {first}"));
        let seconds = start.elapsed().as_secs_f64();
        println!("{mode}  wrong flags {wrong} in {} blocks{}, {seconds:.1} s", blocks.len(), first.unwrap_or_default());
        right &= wrong == 0;
    }
    right
}

/// What calls raise, in one mode.
struct Examination<'a> {
    function: Function,
    call: &'a Call,
    mode: Mode,
    wrong: u64,
    first: Option<String>,
}

impl Examination<'_> {
    /// One input in `every`, each in a call of its own, among zeros, which raise nothing.
    fn alone(&mut self, chunk: Range<u64>, every: u64, offset: u64) {
        /// One input in so many gets a second call, with all flags raised before it.
        const AGAIN: u64 = 256;
        let first = chunk.start + (offset % every + every - chunk.start % every) % every;
        let tested = (first..chunk.end).step_by(every as usize);
        let (mut inputs, mut results) = ([0.0; CHUNK], [0.0; CHUNK]);
        let mut raised = [(Flags::default(), Flags::ALL); CHUNK];
        with_mode(self.mode, || {
            for ((raised, left), bits) in raised.iter_mut().zip(tested.clone()) {
                let (length, place) = self.call.among_zeros((bits / every) as usize);
                inputs[place] = f32::from_bits(bits as u32);
                clear_flags();
                self.call.run(&inputs[..length], &mut results[..length]);
                *raised = flags();
                if bits % AGAIN == offset % AGAIN {
                    raise_all_flags();
                    self.call.run(&inputs[..length], &mut results[..length]);
                    *left = flags();
                }
                inputs[place] = 0.0;
            }
        });
        let (function, entry) = (self.function.name(), self.call);
        for ((raised, left), bits) in raised.into_iter().zip(tested) {
            let x = f32::from_bits(bits as u32);
            let call = || {
                let (length, place) = entry.among_zeros((bits / every) as usize);
                let among = if length > 1 { format!(" at {place} of {length}") } else { String::new() };
                format!("{function}({}){among}", hexadecimal(x))
            };
            let promised = self.function.flags(x, self.mode);
            self.check(raised, promised, call);
            if left != Flags::ALL {
                self.fault(|| format!("{} leaves only {left} of all flags", call()));
            }
        }
    }

    /// The inputs of a chunk, several in a call.
    fn together(&mut self, chunk: Range<u64>) {
        if self.call.together().is_empty() {
            return;
        }
        let inputs: Vec<_> = blocks::inputs(chunk).collect();
        let promised: Vec<_> = inputs.iter().map(|&x| self.function.flags(x, self.mode)).collect();
        let (function, mut results) = (self.function.name(), [0.0; CHUNK]);
        for &length in self.call.together() {
            let mut raised = Vec::with_capacity(CHUNK / length);
            with_mode(self.mode, || {
                for inputs in inputs.chunks(length) {
                    clear_flags();
                    self.call.run(inputs, &mut results[..length]);
                    raised.push(flags());
                }
            });
            for ((raised, promised), inputs) in
                raised.into_iter().zip(promised.chunks(length)).zip(inputs.chunks(length))
            {
                let promised = promised.iter().fold(Flags::default(), |union, &flags| union.with(flags, true));
                let call = || format!("{function} of {length} inputs from {}", hexadecimal(inputs[0]));
                self.check(raised, promised, call);
            }
        }
    }

    fn check(&mut self, raised: Flags, promised: Flags, call: impl Fn() -> String) {
        if !self.call.may_raise(raised, promised) {
            self.fault(|| format!("{} raises {raised}, promised {promised}", call()));
        }
    }

    fn fault(&mut self, describe: impl FnOnce() -> String) {
        self.wrong += 1;
        self.first.get_or_insert_with(describe);
    }
}
