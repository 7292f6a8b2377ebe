//! Entry points: the ways that C has into a function. Sweeps of results and of flags take any of them.

use std::mem::transmute;
use std::ops::Range;

#[cfg(target_arch = "aarch64")]
use std::arch::{aarch64 as machine, is_aarch64_feature_detected as is_detected};
#[cfg(target_arch = "x86_64")]
use std::arch::{is_x86_feature_detected as is_detected, x86_64 as machine};

use anyhow::{Result, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::blocks::CHUNK;
use crate::contract::Function;
use crate::environment::Flags;

/// The entry point that is called.
#[derive(Args)]
pub struct Choice {
    /// Call the array function, halfulp_FUNCTION_n
    #[arg(long, conflicts_with = "vector")]
    bulk: bool,

    /// Call the faithful array function, halfulp_FUNCTION_faithful_n
    #[arg(long, conflicts_with_all = ["bulk", "vector"])]
    faithful: bool,

    /// Call the vector function of this letter of the vector function ABI, such as _ZGVdN8v_erff for d
    #[arg(long, value_name = "LETTER", value_parser = letters())]
    vector: Option<&'static Letter>,
}

impl Choice {
    pub fn entry(&self) -> Entry {
        match self.vector {
            Some(letter) => Entry::Vector(letter),
            None if self.bulk => Entry::Bulk,
            None if self.faithful => Entry::Faithful,
            None => Entry::Scalar,
        }
    }
}

#[derive(Clone, Copy)]
pub enum Entry {
    Scalar,
    Bulk,
    Faithful,
    Vector(&'static Letter),
}

impl Entry {
    /// The ways into a function.
    pub fn all(function: Function) -> impl Iterator<Item = Entry> {
        let letters = LETTERS.iter().filter(move |_| function.is_iso());
        let faithful = Function::FAITHFUL.contains(&function).then_some(Entry::Faithful);
        [Entry::Scalar, Entry::Bulk].into_iter().chain(faithful).chain(letters.map(Entry::Vector))
    }

    /// Fails where this CPU can't run it.
    pub fn check(self) -> Result<()> {
        match self {
            Entry::Vector(Letter { name, feature, is_available, .. }) if !is_available() => {
                bail!("letter {name} takes {feature}, which this CPU lacks")
            }
            _ => Ok(()),
        }
    }

    /// The name that halfulp exports it by.
    pub fn symbol(self, function: Function) -> String {
        let is_iso = function.is_iso();
        let function = function.name();
        match self {
            Entry::Scalar if is_iso => function.into(),
            Entry::Scalar => format!("halfulp_{function}"),
            Entry::Bulk => format!("halfulp_{function}_n"),
            Entry::Faithful => format!("halfulp_{function}_faithful_n"),
            Entry::Vector(Letter { name, lanes, .. }) => format!("_ZGV{}N{lanes}v_{function}", &name[..1]),
        }
    }
}

/// A letter of the vector function ABI: a vector type and the instruction set that its callers must have.
pub struct Letter {
    name: &'static str,
    lanes: usize,
    feature: &'static str,
    is_available: fn() -> bool,
    /// Calls a function for each vector of inputs; zeros fill the last one.
    call: unsafe fn(Symbol, &[f32], &mut [f32]),
}

macro_rules! letter {
    ($name:literal, $vector:ty, $feature:tt) => {{
        const LANES: usize = size_of::<$vector>() / size_of::<f32>();

        // A vector is passed in one register only between functions that are compiled for the registers of its size.
        #[target_feature(enable = $feature)]
        fn call(symbol: Symbol, inputs: &[f32], results: &mut [f32]) {
            // SAFETY: the name of the symbol says that this is its type.
            let function: extern "C" fn($vector) -> $vector = unsafe { transmute(symbol) };
            for (inputs, results) in inputs.chunks(LANES).zip(results.chunks_mut(LANES)) {
                let mut lanes = [0.0; LANES];
                lanes[..inputs.len()].copy_from_slice(inputs);
                // SAFETY: a vector is as many floats as it has lanes.
                let lanes: [f32; LANES] = unsafe { transmute(function(transmute::<[f32; LANES], $vector>(lanes))) };
                results.copy_from_slice(&lanes[..results.len()]);
            }
        }
        Letter { name: $name, lanes: LANES, feature: $feature, is_available: || is_detected!($feature), call }
    }};
}

#[cfg(target_arch = "x86_64")]
static LETTERS: [Letter; 4] = [
    letter!("b", machine::__m128, "sse2"),
    letter!("c", machine::__m256, "avx"),
    letter!("d", machine::__m256, "avx2"),
    letter!("e", machine::__m512, "avx512f"),
];
#[cfg(target_arch = "aarch64")]
static LETTERS: [Letter; 2] =
    [letter!("n2", machine::float32x2_t, "neon"), letter!("n4", machine::float32x4_t, "neon")];

fn letters() -> impl TypedValueParser<Value = &'static Letter> {
    let named = |name: String| LETTERS.iter().find(|letter| letter.name == name).expect("clap knows the names");
    PossibleValuesParser::new(LETTERS.iter().map(|letter| letter.name)).map(named)
}

/// A C function from a number to a number.
pub type Unary<T = f32> = extern "C" fn(T) -> T;
/// A C function over arrays: length, inputs, results.
pub type Bulk<T = f32> = unsafe extern "C" fn(usize, *const T, *mut T);
/// A C function whose type the entry point tells.
pub type Symbol = unsafe extern "C" fn();

/// A function of a library, with the way into it.
pub enum Call {
    Scalar(Unary),
    Bulk(Bulk),
    /// On a CPU that has what the letter takes.
    Vector(&'static Letter, Symbol),
}

/// The bulk calls of a sweep are at most so long, by turns: many short ones, and some that are longer than whatever blocks
/// the library works in.
const LONGEST: [usize; 4] = [23, 199, 2999, CHUNK];

impl Call {
    /// Calls for all inputs, one after the other or all at once. Nothing of our own is arithmetic on floats here, since the
    /// rounding mode may be any.
    pub fn run(&self, inputs: &[f32], results: &mut [f32]) {
        match self {
            Call::Scalar(function) => {
                for (result, &x) in results.iter_mut().zip(inputs) {
                    *result = function(x);
                }
            }
            Call::Bulk(function) => over_array(*function, inputs, results),
            // SAFETY: the CPU has what the letter takes.
            Call::Vector(letter, symbol) => unsafe { (letter.call)(*symbol, inputs, results) },
        }
    }

    /// Calls for all inputs; a bulk function for pieces of them of many lengths, as the turn has it, and for every other
    /// piece in place.
    pub fn sweep(&self, turn: u64, inputs: &[f32], results: &mut [f32]) {
        match self {
            Call::Bulk(function) => over_pieces(*function, turn, inputs, results),
            _ => self.run(inputs, results),
        }
    }

    /// In how many places among its neighbours an input can stand.
    pub fn places(&self) -> usize {
        match self {
            Call::Scalar(_) => 1,
            // The lanes of the widest vectors.
            Call::Bulk(_) => 16,
            Call::Vector(letter, _) => letter.lanes,
        }
    }

    /// How many inputs the call with one input among zeros takes, and where that one stands, as the turn has it.
    pub fn among_zeros(&self, turn: usize) -> (usize, usize) {
        const SHORT: usize = 47;
        let length = match self {
            Call::Bulk(_) if turn.is_multiple_of(64) => 8193 + turn / 64 % 1000,
            Call::Bulk(_) => 1 + turn % SHORT,
            _ => self.places(),
        };
        (length, turn / SHORT % length)
    }

    /// How many inputs are given together where the flags of several are looked at.
    pub fn together(&self) -> &[usize] {
        match self {
            Call::Scalar(_) => &[],
            Call::Bulk(_) => &[2048, CHUNK],
            Call::Vector(letter, _) => std::slice::from_ref(&letter.lanes),
        }
    }

    /// Whether a call may raise these flags where its inputs promise those.
    pub fn may_raise(&self, raised: Flags, promised: Flags) -> bool {
        let is_spurious = || raised == promised.with(Flags::INEXACT, true);
        raised == promised || (!matches!(self, Call::Scalar(_)) && is_spurious())
    }
}

/// Calls an array function once, for as many inputs as there are results.
pub fn over_array<T>(function: Bulk<T>, inputs: &[T], results: &mut [T]) {
    // SAFETY: both arrays have the length of the results.
    unsafe { function(results.len(), inputs[..results.len()].as_ptr(), results.as_mut_ptr()) };
}

/// Calls an array function for pieces of an array, of many lengths, as the turn has it, and for every other one in place.
pub fn over_pieces<T: Copy>(function: Bulk<T>, turn: u64, inputs: &[T], results: &mut [T]) {
    for (piece, place) in pieces(turn as usize, inputs.len()).enumerate() {
        let (inputs, results) = (&inputs[place.clone()], &mut results[place]);
        if (turn as usize / LONGEST.len() + piece).is_multiple_of(2) {
            results.copy_from_slice(inputs);
            let array = results.as_mut_ptr();
            // SAFETY: it has this length, and the results may take the inputs' place.
            unsafe { function(results.len(), array, array) };
        } else {
            over_array(function, inputs, results);
        }
    }
}

/// Cuts an array into pieces, each shorter by one than the last.
fn pieces(turn: usize, length: usize) -> impl Iterator<Item = Range<usize>> {
    let longest = LONGEST[turn % LONGEST.len()];
    let mut shorter = turn / LONGEST.len() % longest;
    let mut start = 0;
    std::iter::from_fn(move || {
        let piece = start..length.min(start + longest - shorter);
        start = piece.end;
        shorter = (shorter + 1) % longest;
        (!piece.is_empty()).then_some(piece)
    })
}
