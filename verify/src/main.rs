//! `halfulp-verify`: checks a library's functions against the exact values.

mod blocks;
mod contract;
mod doctor;
mod double;
mod entry;
mod environment;
mod exact;
mod faithful;
mod flags;
mod golden;
mod halves;
#[cfg(feature = "judges")]
mod judges;
mod library;
mod matrix;
#[cfg(feature = "judges")]
mod mpfr;
mod oracle;
#[cfg(feature = "judges")]
mod scaled;
mod sweep;
mod symbols;

// Written by coeffs/. A value may come near a constant that has a name, and is not it.
#[rustfmt::skip]
#[expect(clippy::approx_constant)]
mod data {
    pub mod oracle;
}

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Checks a library's error functions, normal distribution, GELU and expf against the exact values.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Sweep(sweep::Arguments),
    Flags(flags::Arguments),
    #[command(subcommand)]
    Double(double::Command),
    Halves(halves::Arguments),
    #[cfg(feature = "judges")]
    Scaled(scaled::Arguments),
    All(matrix::Arguments),
    Symbols(symbols::Arguments),
    Doctor(doctor::Arguments),
    #[cfg(feature = "judges")]
    #[command(subcommand)]
    Golden(judges::Command),
}

fn main() -> ExitCode {
    let command = Program::parse().command;
    // This thread works too. With RAYON_NUM_THREADS=1 it is the only one: not every emulator of another CPU has threads.
    rayon::ThreadPoolBuilder::new().use_current_thread().build_global().expect("there is no other pool yet");
    let result = match &command {
        Command::Sweep(arguments) => sweep::run(arguments),
        Command::Flags(arguments) => flags::run(arguments),
        Command::Double(command) => double::run(command),
        Command::Halves(arguments) => halves::run(arguments),
        #[cfg(feature = "judges")]
        Command::Scaled(arguments) => scaled::run(arguments),
        Command::All(arguments) => matrix::run(arguments),
        Command::Symbols(arguments) => symbols::run(arguments),
        Command::Doctor(arguments) => doctor::run(arguments),
        #[cfg(feature = "judges")]
        Command::Golden(command) => judges::run(command),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
