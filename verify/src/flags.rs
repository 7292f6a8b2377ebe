//! `flags`: the exception flags of every call, compared with the promised ones.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::blocks::{self, CHUNK, Selection};
use crate::contract::Function;
use crate::environment::{Flags, Mode, clear_flags, flags, with_mode};
use crate::library::{Library, Unary};
use crate::sweep::{Modes, hexadecimal};

/// Compare the exception flags that every call raises with the promised ones, over all inputs.
#[derive(Args)]
pub struct Arguments {
    /// The function
    function: Function,

    /// The shared library that exports it [default: libhalfulp.so beside this program, else libhalfulp.so.0]
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,

    /// The rounding mode
    #[arg(long, default_value = "all")]
    mode: Modes,

    /// The level to force, such as scalar or fma (halfulp only) [default: what the library chooses]
    #[arg(long)]
    level: Option<String>,

    #[command(flatten)]
    selection: Selection,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let library = Library::open(arguments.library.as_deref())?;
    let call = library.unary(arguments.function.name())?;
    if let Some(level) = &arguments.level {
        library.set_level(level)?;
    }
    println!("flags of {}", library.describe(arguments.function.name()));
    if !modes(arguments.function, call, &arguments.mode.list(), &arguments.selection) {
        bail!("some calls raise other flags than promised");
    }
    Ok(())
}

/// Checks the selected blocks in each mode, prints a line a mode, and tells whether all flags were as promised.
pub fn modes(function: Function, call: Unary, modes: &[Mode], selection: &Selection) -> bool {
    let blocks = selection.blocks();
    let mut right = true;
    for &mode in modes {
        let title = format!("{} {mode} flags", function.name());
        let found = blocks::each(&title, &blocks, |block| examine(function, call, mode, block));
        let wrong: u64 = found.iter().map(|block| block.wrong).sum();
        let first = found.into_iter().find_map(|block| block.first).map(|first| format!(", first {first}"));
        println!("{mode}  wrong flags {wrong} in {} blocks{}", blocks.len(), first.unwrap_or_default());
        right &= wrong == 0;
    }
    right
}

#[derive(Default)]
struct Found {
    wrong: u64,
    first: Option<String>,
}

fn examine(function: Function, call: Unary, mode: Mode, block: u32) -> Found {
    let mut found = Found::default();
    let mut raised = [Flags::default(); CHUNK];
    for chunk in blocks::chunks(block) {
        with_mode(mode, || {
            for (raised, x) in raised.iter_mut().zip(blocks::inputs(chunk.clone())) {
                clear_flags();
                call(x);
                *raised = flags();
            }
        });
        for (&raised, x) in raised.iter().zip(blocks::inputs(chunk)) {
            let promised = function.flags(x, mode);
            if raised != promised {
                found.wrong += 1;
                found.first.get_or_insert_with(|| {
                    format!("{}({}) raises {raised}, promised {promised}", function.name(), hexadecimal(x))
                });
            }
        }
    }
    found
}
