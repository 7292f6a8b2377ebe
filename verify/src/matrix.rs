//! `all`: every promise that a sweep can prove, for every function and level.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;

use crate::blocks::Selection;
use crate::contract::Function;
use crate::entry::Entry;
use crate::environment::Mode;
use crate::faithful::Form;
use crate::flags::Thinning;
use crate::golden::Golden;
use crate::library::Library;
use crate::{double, flags, halves, sweep};

/// Check every function through every entry point at every level that this CPU has: results and flags, in all four modes.
///
/// Functions of floats are swept as by `sweep` and `flags`, those of doubles checked as by `double hard`, those of
/// half-precision numbers as by `halves`.
#[derive(Args)]
pub struct Arguments {
    /// The shared library [default: libhalfulp.so beside this program, else libhalfulp.so.0]
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,

    /// Compare digests alone, and compute errors only in blocks whose digest differs from the golden one
    #[arg(long)]
    quick: bool,

    #[command(flatten)]
    thinning: Thinning,

    #[command(flatten)]
    selection: Selection,
}

/// The names of all levels, on whatever CPU.
const LEVELS: &[&str] = if cfg!(target_arch = "x86_64") {
    &["scalar", "sse2", "fma", "avx2", "avx512"]
} else {
    &["scalar", "fma", "neon"]
};

pub fn run(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    let Arguments { library, quick, thinning, selection } = arguments;
    let library = Library::open(library.as_deref())?;
    let mut skipped = vec![];
    let mut can = |result: Result<()>| result.map_err(|error| skipped.push(error.to_string())).is_ok();
    let (mut right, mut wrong) = (0, 0);
    let mut tally = |is_right: bool| *(if is_right { &mut right } else { &mut wrong }) += 1;
    for level in LEVELS {
        if !can(library.set_level(level)) {
            continue;
        }
        for function in Function::ALL {
            let golden = Golden::of(function)?;
            for entry in Entry::all(function).filter(|entry| can(entry.check())) {
                let name = entry.symbol(function);
                println!("{}", library.describe(&name));
                let (call, results);
                if let Entry::Faithful = entry {
                    let form = Form::of(&library, function, &name)?;
                    results = form.sweep(&Mode::ALL, selection, *quick);
                    call = form.into_call();
                } else {
                    call = library.call(entry, &name)?;
                    results = sweep::sweep(function, &call, &Mode::ALL, selection, *quick, &golden);
                }
                let flags = flags::modes(function, &call, &Mode::ALL, selection, thinning);
                tally(results && flags);
            }
        }
        for (function, bulk) in double::Function::ALL.into_iter().flat_map(|f| [(f, false), (f, true)]) {
            let (call, name) = double::Call::of(&library, function, bulk)?;
            println!("{}", library.describe(&name));
            tally(double::hard(function, &call, &Mode::ALL)?);
        }
        for (name, format) in halves::symbols() {
            tally(halves::check(&library, name, format, &Mode::ALL)?);
        }
    }
    skipped.sort();
    skipped.dedup();
    let (blocks, seconds) = (selection.blocks().len(), start.elapsed().as_secs());
    println!("as promised: {right} entry points, in 4 modes and {blocks} blocks each; not: {wrong}; {seconds} s");
    println!("skipped: {}", if skipped.is_empty() { "nothing".into() } else { skipped.join("; ") });
    if wrong == 0 && right > 0 { Ok(()) } else { bail!("not everything is as promised") }
}
