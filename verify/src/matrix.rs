//! `all`: every promise that a sweep can prove, for every function and level.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::blocks::Selection;
use crate::contract::Function;
use crate::environment::Mode;
use crate::golden::Golden;
use crate::library::Library;
use crate::{flags, sweep};

/// Sweep every function at every level that this CPU has: results and flags, in all four modes.
#[derive(Args)]
pub struct Arguments {
    /// The shared library [default: libhalfulp.so beside this program, else libhalfulp.so.0]
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,

    /// Compare digests alone, and compute errors only in blocks whose digest differs from the golden one
    #[arg(long)]
    quick: bool,

    #[command(flatten)]
    selection: Selection,
}

/// The names of all levels, on whatever CPU.
const LEVELS: [&str; 2] = ["scalar", "fma"];

pub fn run(arguments: &Arguments) -> Result<()> {
    let library = Library::open(arguments.library.as_deref())?;
    let mut right = true;
    for level in LEVELS {
        if let Err(error) = library.set_level(level) {
            println!("skipped: {error}");
            continue;
        }
        for function in Function::ALL {
            let call = library.unary(function.name())?;
            let golden = Golden::of(function)?;
            println!("{}", library.describe(function.name()));
            right &= sweep::modes(function, call, &Mode::ALL, &arguments.selection, arguments.quick, &golden);
            right &= flags::modes(function, call, &Mode::ALL, &arguments.selection);
        }
    }
    if right { Ok(()) } else { bail!("not everything is as promised") }
}
