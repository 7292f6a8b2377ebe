//! Comparing: subjects take turns on the same arguments, so that a change of clock or a noisy neighbour hits them alike,
//! and the shortest of many rounds counts. Absolute times hold for one machine and one run: compare ratios.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::{self, Command, ExitCode};
use std::time::{Duration, Instant, SystemTime};
use std::{fs, iter};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, Table, presets};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};

use super::name::Name;
use super::number::Number;

/// The options that every comparison has.
#[derive(Args)]
pub struct Options {
    /// Only this function; may be given several times, or as names with commas between
    #[arg(long = "function", value_name = "NAME", value_enum, value_delimiter = ',')]
    functions: Vec<Name>,
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
    /// The functions that are asked for, of those that a bench has.
    pub fn functions(&self, has: impl Fn(Name) -> bool) -> impl Iterator<Item = Name> {
        let asked = |function: &Name| self.functions.is_empty() || self.functions.contains(function);
        Name::value_variants().iter().copied().filter(move |name| asked(name) && has(*name))
    }

    /// Runs a comparison of each function that the bench has, on one core, and writes the rows it returns to the CSV file.
    /// `columns` are the names of the CSV file's columns between function and subject.
    pub fn compare(
        &self,
        columns: &str,
        has: impl Fn(Name) -> bool,
        mut compare: impl FnMut(Name) -> Result<String>,
    ) -> Result<()> {
        let create = |path: &PathBuf| File::create(path).with_context(|| format!("cannot write {}", path.display()));
        // Now, so that a wrong name shows before the work is done.
        let file = self.csv.as_ref().map(create).transpose()?;
        let functions: Vec<_> = self.functions(has).collect();
        ensure!(!functions.is_empty(), "this bench does not have that function");
        pin()?;
        let mut csv = heading(self.rounds)? + &format!("function,{columns},subject,nanoseconds,ratio\n");
        for function in functions {
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
    pub tolerance: Tolerance,
}

/// How far results may lie off halfulp's.
#[derive(Clone, Copy)]
pub enum Tolerance {
    Ulps(u64),
    /// For formulas, which have no accuracy but this one: an error relative to the result, or to 1 if that is larger.
    Absolute(f64),
    /// It computes something else.
    Any,
}

impl Tolerance {
    fn allows<T: Number>(self, right: T, y: T) -> bool {
        match self {
            Tolerance::Ulps(limit) => right.distance(y) <= limit,
            Tolerance::Absolute(limit) => {
                let (right, y) = (right.to_f64(), y.to_f64());
                right == y || (right - y).abs() <= limit * right.abs().max(1.0)
            }
            Tolerance::Any => true,
        }
    }
}

impl<T> Candidate<T> {
    pub fn new(name: impl Into<String>, subject: Result<T>, tolerance: Tolerance) -> Candidate<T> {
        Candidate { name: name.into(), subject, tolerance }
    }

    /// The same as another kind of subject.
    pub fn map<Other>(self, change: impl FnOnce(T) -> Other) -> Candidate<Other> {
        Candidate { name: self.name, subject: self.subject.map(change), tolerance: self.tolerance }
    }
}

/// The candidates for a function that can be timed and that `call` finds to agree with the right results for these arguments,
/// with their names. The others are named on standard error.
pub fn subjects<T: Number, Subject>(
    function: Name,
    candidates: impl IntoIterator<Item = Candidate<Subject>>,
    x: &[T],
    right: &[T],
    call: impl Fn(&Subject, &[T], &mut [T]),
) -> Vec<(String, Subject)> {
    let mut subjects = Vec::new();
    for Candidate { name, subject, tolerance } in candidates {
        let checked = subject.and_then(|subject| {
            check(right, tolerance, |y| call(&subject, x, y))?;
            Ok(subject)
        });
        match checked {
            Ok(subject) => subjects.push((name, subject)),
            Err(reason) => eprintln!("{}: {name} is left out: {reason:#}", function.text()),
        }
    }
    subjects
}

/// Lets a function prove, in a process of its own since it may crash, that it is what it is taken for.
fn check<T: Number>(right: &[T], tolerance: Tolerance, results: impl FnOnce(&mut [T])) -> Result<()> {
    // SAFETY: this process has one thread.
    match unsafe { fork() }? {
        ForkResult::Child => {
            let mut y = vec![T::from_f64(f64::NAN); right.len()];
            results(&mut y);
            let agree = right.iter().zip(&y).all(|(&right, &y)| tolerance.allows(right, y));
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
pub type Load<'a, T> = Vec<&'a [T]>;

/// Nanoseconds an argument, for each load and subject. `run` is told which load, which subject, and the window, and returns
/// what it took.
pub fn take_turns<T>(
    rounds: u32,
    subjects: usize,
    loads: &[Load<T>],
    mut run: impl FnMut(usize, usize, &[T]) -> Result<Duration>,
) -> Result<Vec<Vec<f64>>> {
    // For each load, window and subject.
    let mut shortest: Vec<_> = loads.iter().map(|load| vec![vec![Duration::MAX; subjects]; load.len()]).collect();
    for round in 0..rounds as usize {
        for (load, windows) in shortest.iter_mut().enumerate() {
            for (x, window) in loads[load].iter().zip(windows) {
                for turn in 0..subjects {
                    let subject = (round + turn) % subjects;
                    window[subject] = window[subject].min(run(load, subject, x)?);
                }
            }
        }
    }
    let an_argument = |load: &Load<T>, windows: &[Vec<Duration>], subject: usize| {
        let arguments: usize = load.iter().map(|window| window.len()).sum();
        windows.iter().map(|window| window[subject]).sum::<Duration>().as_secs_f64() * 1e9 / arguments as f64
    };
    let of_load = |(load, windows): (_, &Vec<_>)| {
        (0..subjects).map(|subject| an_argument(load, windows, subject)).collect::<Vec<_>>()
    };
    Ok(loads.iter().zip(&shortest).map(of_load).collect())
}

/// How long it takes.
pub fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
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
