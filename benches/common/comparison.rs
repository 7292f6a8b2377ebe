//! Comparing: subjects take turns on the same arguments, so that a change of clock or a noisy neighbour hits them alike,
//! and the shortest of many rounds counts. Absolute times hold for one machine and one run: compare ratios.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::{self, Command, ExitCode};
use std::time::{Duration, Instant, SystemTime};
use std::{fs, iter};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, Table, presets};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};

use super::{Function, halfulp, throughput};

/// What is compared.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Name {
    Erff,
    Expf,
}

impl Name {
    pub fn text(self) -> &'static str {
        match self {
            Name::Erff => "erff",
            Name::Expf => "expf",
        }
    }
}

/// The options that every comparison has.
#[derive(Args)]
pub struct Options {
    /// Only this function
    #[arg(long, value_enum)]
    function: Option<Name>,
    /// How many times everything is timed; the shortest time counts
    #[arg(long, default_value_t = 31, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Also write the times to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// What `cargo bench` tells every bench
    #[arg(long, hide = true)]
    bench: bool,
}

impl Options {
    /// The functions that are asked for.
    pub fn functions(&self) -> impl Iterator<Item = Name> {
        [Name::Erff, Name::Expf].into_iter().filter(|&function| self.function.is_none_or(|only| only == function))
    }

    /// Runs a comparison of each function on one core, and writes the rows it returns to the CSV file. `columns` are the
    /// names of the CSV file's columns between function and subject.
    pub fn compare(&self, columns: &str, mut compare: impl FnMut(Name) -> Result<String>) -> Result<()> {
        let create = |path: &PathBuf| File::create(path).with_context(|| format!("cannot write {}", path.display()));
        // Now, so that a wrong name shows before the work is done.
        let file = self.csv.as_ref().map(create).transpose()?;
        pin()?;
        let mut csv = heading(self.rounds)? + &format!("function,{columns},subject,nanoseconds,ratio\n");
        for function in self.functions() {
            csv += &compare(function)?;
        }
        if let Some(mut file) = file {
            file.write_all(csv.as_bytes())?;
        }
        Ok(())
    }
}

/// What `main` returns.
pub fn finish(result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason:#}");
            ExitCode::FAILURE
        }
    }
}

/// Keeps the process on one core, the last one that it may use.
pub fn pin() -> Result<()> {
    let this = Pid::from_raw(0);
    let allowed = sched_getaffinity(this)?;
    let last = (0..CpuSet::count()).rev().find(|&core| allowed.is_set(core).unwrap_or(false));
    let mut only = CpuSet::new();
    only.set(last.context("no core is allowed")?)?;
    Ok(sched_setaffinity(this, &only)?)
}

/// What may be timed, or why it can't.
pub struct Candidate<T> {
    pub name: String,
    pub subject: Result<T>,
    /// How many ulp its results may lie off halfulp's; none for what computes something else.
    pub tolerance: Option<u64>,
}

impl<T> Candidate<T> {
    pub fn new(name: impl Into<String>, subject: Result<T>, tolerance: impl Into<Option<u64>>) -> Candidate<T> {
        Candidate { name: name.into(), subject, tolerance: tolerance.into() }
    }
}

/// The candidates that can be timed and that `call` finds to agree with halfulp on these arguments, with their names.
/// The others are named on standard error.
pub fn subjects<T>(
    function: Name,
    candidates: impl IntoIterator<Item = Candidate<T>>,
    x: &[f32],
    call: impl Fn(&T, &[f32], &mut [f32]),
) -> Result<Vec<(String, T)>> {
    let reference = Function::find(halfulp(None)?, function.text())?;
    let mut right = vec![0.0; x.len()];
    throughput(reference, x, &mut right);
    let mut subjects = Vec::new();
    for Candidate { name, subject, tolerance } in candidates {
        let checked = subject.and_then(|subject| {
            if let Some(tolerance) = tolerance {
                check(&right, tolerance, |y| call(&subject, x, y))?;
            }
            Ok(subject)
        });
        match checked {
            Ok(subject) => subjects.push((name, subject)),
            Err(reason) => eprintln!("{name} is left out: {reason:#}"),
        }
    }
    Ok(subjects)
}

/// Lets a function prove, in a process of its own since it may crash, that it is what it is taken for.
fn check(right: &[f32], tolerance: u64, results: impl FnOnce(&mut [f32])) -> Result<()> {
    // Neighbouring floats have neighbouring numbers.
    let number = |y: f32| (y.abs().to_bits() as i64) * if y.is_sign_negative() { -1 } else { 1 };
    // SAFETY: this process has one thread.
    match unsafe { fork() }? {
        ForkResult::Child => {
            let mut y = vec![f32::NAN; right.len()];
            results(&mut y);
            let agree = right.iter().zip(&y).all(|(&a, &b)| number(a).abs_diff(number(b)) <= tolerance);
            process::exit(if agree { 0 } else { 1 });
        }
        ForkResult::Parent { child } => match waitpid(child, None)? {
            WaitStatus::Exited(_, 0) => Ok(()),
            WaitStatus::Signaled(_, signal, _) => bail!("it ends in {signal:?}"),
            _ => bail!("its results are not those of halfulp"),
        },
    }
}

/// A load is what one figure of a subject says: the time that these windows of arguments take.
pub type Load<'a> = Vec<&'a [f32]>;

/// Nanoseconds an argument, for each load and subject. `run` is told which load, which subject, and the window.
pub fn take_turns(
    rounds: u32,
    subjects: usize,
    loads: &[Load],
    mut run: impl FnMut(usize, usize, &[f32]),
) -> Vec<Vec<f64>> {
    // For each load, window and subject.
    let mut shortest: Vec<_> = loads.iter().map(|load| vec![vec![Duration::MAX; subjects]; load.len()]).collect();
    for round in 0..rounds as usize {
        for (load, windows) in shortest.iter_mut().enumerate() {
            for (x, window) in loads[load].iter().zip(windows) {
                for turn in 0..subjects {
                    let subject = (round + turn) % subjects;
                    let start = Instant::now();
                    run(load, subject, x);
                    window[subject] = window[subject].min(start.elapsed());
                }
            }
        }
    }
    let an_argument = |load: &Load, windows: &[Vec<Duration>], subject: usize| {
        let arguments: usize = load.iter().map(|window| window.len()).sum();
        windows.iter().map(|window| window[subject]).sum::<Duration>().as_secs_f64() * 1e9 / arguments as f64
    };
    let of_load = |(load, windows): (_, &Vec<_>)| {
        (0..subjects).map(|subject| an_argument(load, windows, subject)).collect::<Vec<_>>()
    };
    loads.iter().zip(&shortest).map(of_load).collect()
}

/// All that was found about one function. The first subject is the one that the others are measured by.
pub struct Comparison {
    /// The function's name.
    pub function: String,
    pub subjects: Vec<String>,
    pub columns: Vec<Column>,
}

pub struct Column {
    /// What makes it differ from the other columns.
    pub keys: Vec<String>,
    /// Nanoseconds, one a subject.
    pub times: Vec<f64>,
}

impl Comparison {
    pub fn table(&self, unit: &str) -> Table {
        let mut table = Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY);
        let title = format!("{}: ns {unit}\n(ratio to the first)", self.function);
        table.set_header(iter::once(title).chain(self.columns.iter().map(|column| column.keys.join("\n"))));
        for (index, subject) in self.subjects.iter().enumerate() {
            let cell = |Column { times, .. }: &Column| format!("{:.3} ({:.2})", times[index], times[index] / times[0]);
            table.add_row(iter::once(subject.clone()).chain(self.columns.iter().map(cell)));
        }
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        table
    }

    pub fn csv_rows(&self) -> String {
        let mut rows = String::new();
        for Column { keys, times } in &self.columns {
            for (subject, time) in self.subjects.iter().zip(times) {
                let (function, keys, ratio) = (&self.function, keys.join(","), time / times[0]);
                rows += &format!("{function},{keys},{subject},{time:.3},{ratio:.3}\n");
            }
        }
        rows
    }
}

/// When, where and with what the times of a CSV file were measured.
fn heading(rounds: u32) -> Result<String> {
    let date = humantime::format_rfc3339_seconds(SystemTime::now());
    let information = fs::read_to_string("/proc/cpuinfo")?;
    let model =
        information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map(|(_, model)| model);
    let compiler = Command::new("rustc").arg("--version").output().context("rustc")?.stdout;
    Ok(format!(
        "# {date}, {}, {}, halfulp {}, {rounds} rounds\n",
        model.unwrap_or("unknown CPU"),
        String::from_utf8_lossy(&compiler).trim(),
        env!("CARGO_PKG_VERSION"),
    ))
}
