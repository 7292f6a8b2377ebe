//! halfulp's scalar functions beside everybody else's, in one run: `cargo bench --bench scalar -- --help`.
//!
//! All subjects take turns on each window of arguments, so that a change of clock or a noisy neighbour hits them alike,
//! and the shortest of many rounds counts for each window. Absolute times hold for one machine and one run: compare
//! ratios.

mod common;
mod peers;

use std::fs::File;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{self, Command, ExitCode};
use std::time::{Duration, Instant, SystemTime};
use std::{fs, iter};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};
use rand::RngExt;
use rand_distr::StandardNormal;

use common::{ARGUMENTS, Function, WINDOW, arguments, halfulp, latency, throughput, uniform};
use peers::Name;

/// Compares the time of halfulp's erff and expf with that of other libraries.
#[derive(Parser)]
struct Options {
    /// Only this function
    #[arg(long, value_enum)]
    function: Option<Name>,
    /// How many times everything is timed; the shortest time counts
    #[arg(long, default_value_t = 31, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Also write the times to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Intel's libimf.so, where pip has not put it in a usual place
    #[arg(long, value_name = "FILE", env = "HALFULP_LIBIMF")]
    libimf: Option<PathBuf>,
    /// What `cargo bench` tells every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// What is timed.
struct Subject {
    name: String,
    kind: Kind,
    function: Function,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Halfulp,
    Peer,
    Empty,
}

/// How and on what arguments it is timed.
struct Load {
    measure: Measure,
    distribution: &'static str,
    x: Vec<f32>,
}

#[derive(Clone, Copy, PartialEq)]
enum Measure {
    Throughput,
    /// Throughput on the same arguments in ascending order: no branch is mispredicted then.
    Sorted,
    Latency,
}

impl Measure {
    fn text(self) -> &'static str {
        match self {
            Measure::Throughput => "throughput",
            Measure::Sorted => "sorted",
            Measure::Latency => "latency",
        }
    }
}

/// Times in nanoseconds a call, one a subject.
struct Timed {
    load: Load,
    times: Vec<f64>,
}

/// All that was found about one function. The first subject is halfulp at its best level.
struct Comparison {
    function: Name,
    subjects: Vec<Subject>,
    timed: Vec<Timed>,
}

fn main() -> ExitCode {
    match run(Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: Options) -> Result<()> {
    let create = |path: &PathBuf| File::create(path).with_context(|| format!("cannot write {}", path.display()));
    // Now, so that a wrong name shows before the work is done.
    let file = options.csv.as_ref().map(create).transpose()?;
    pin()?;
    let mut csv = heading(options.rounds)?;
    for function in [Name::Erff, Name::Expf] {
        if options.function.is_some_and(|only| only != function) {
            continue;
        }
        let loads = loads(function);
        let subjects = subjects(function, options.libimf.as_deref(), &loads)?;
        let timed = time(&subjects, loads, options.rounds);
        let comparison = Comparison { function, subjects, timed };
        println!("{}\n", comparison.table());
        comparison.print_targets();
        csv += &comparison.csv_rows();
    }
    if let Some(mut file) = file {
        file.write_all(csv.as_bytes())?;
    }
    Ok(())
}

/// Keeps the process on one core, the last one that it may use.
fn pin() -> Result<()> {
    let this = Pid::from_raw(0);
    let allowed = sched_getaffinity(this)?;
    let last = (0..CpuSet::count()).rev().find(|&core| allowed.is_set(core).unwrap_or(false));
    let mut only = CpuSet::new();
    only.set(last.context("no core is allowed")?)?;
    Ok(sched_setaffinity(this, &only)?)
}

fn loads(name: Name) -> Vec<Load> {
    let distributions = match name {
        Name::Erff => vec![
            ("uniform -4..4", uniform(-4.0, 4.0)),
            ("normal", arguments(|random| random.sample(StandardNormal))),
            ("bits 2^-20..2^8", any_exponent(-20, 8)),
        ],
        Name::Expf => vec![
            ("uniform -87..88", uniform(-87.0, 88.0)),
            ("uniform -10..0", uniform(-10.0, 0.0)),
            ("bits 2^-20..2^6", any_exponent(-20, 6)),
        ],
    };
    let mut sorted = distributions[0].1.clone();
    sorted.sort_by(f32::total_cmp);
    let load = |measure| move |(distribution, x)| Load { measure, distribution, x };
    let mut loads: Vec<_> = distributions.iter().cloned().map(load(Measure::Throughput)).collect();
    loads.push(load(Measure::Sorted)((distributions[0].0, sorted)));
    loads.extend(distributions.into_iter().map(load(Measure::Latency)));
    loads
}

/// Random bits under a random sign, with magnitudes from 2^from to 2^to.
fn any_exponent(from: i32, to: i32) -> Vec<f32> {
    let bits = |exponent| 2f32.powi(exponent).to_bits();
    arguments(|random| {
        let magnitude = f32::from_bits(random.random_range(bits(from)..bits(to)));
        if random.random() { magnitude } else { -magnitude }
    })
}

/// Everything that can be timed here, halfulp at its best level first. What can't is named on standard error.
fn subjects(name: Name, libimf: Option<&Path>, loads: &[Load]) -> Result<Vec<Subject>> {
    let ours = ["fma", "scalar"].map(|level| {
        let function = halfulp(level).and_then(|library| Function::find(library, name.text()));
        (format!("halfulp {level}"), Kind::Halfulp, function)
    });
    let theirs = peers::peers(name, libimf).into_iter().map(|(peer, function)| (peer, Kind::Peer, function));
    let empty = ("an empty function".into(), Kind::Empty, peers::empty());
    let mut subjects: Vec<Subject> = Vec::new();
    for (name, kind, function) in ours.into_iter().chain(theirs).chain([empty]) {
        let checked = function.and_then(|function| {
            let reference = subjects.first().map_or(function, |first| first.function);
            if kind != Kind::Empty {
                check(function, reference, loads)?;
            }
            Ok(Subject { name: name.clone(), kind, function })
        });
        match checked {
            Ok(subject) => subjects.push(subject),
            Err(reason) => eprintln!("{name} is left out: {reason:#}"),
        }
    }
    ensure!(subjects.first().is_some_and(|first| first.kind == Kind::Halfulp), "halfulp does not run here");
    Ok(subjects)
}

/// Lets a function prove, in a process of its own since it may crash, that it is what it is taken for.
fn check(function: Function, reference: Function, loads: &[Load]) -> Result<()> {
    // SAFETY: this process has one thread.
    match unsafe { fork() }? {
        ForkResult::Child => {
            process::exit(if agree(function, reference, loads) { 0 } else { 1 });
        }
        ForkResult::Parent { child } => match waitpid(child, None)? {
            WaitStatus::Exited(_, 0) => Ok(()),
            WaitStatus::Signaled(_, signal, _) => bail!("it ends in {signal:?}"),
            _ => bail!("its results are not those of halfulp"),
        },
    }
}

/// Whether their results lie within 2 ulp of each other.
fn agree(one: Function, other: Function, loads: &[Load]) -> bool {
    // Neighbouring floats have neighbouring numbers.
    let number = |y: f32| (y.abs().to_bits() as i64) * if y.is_sign_negative() { -1 } else { 1 };
    let mut arguments = loads.iter().flat_map(|load| &load.x[..WINDOW]);
    arguments.all(|&x| number(one.call(x)).abs_diff(number(other.call(x))) <= 2)
}

fn time(subjects: &[Subject], loads: Vec<Load>, rounds: u32) -> Vec<Timed> {
    let mut results = [0.0; WINDOW];
    // For each load, window and subject.
    let mut shortest = vec![vec![vec![Duration::MAX; subjects.len()]; ARGUMENTS / WINDOW]; loads.len()];
    for round in 0..rounds as usize {
        for (load, windows) in loads.iter().zip(&mut shortest) {
            for (x, window) in load.x.chunks(WINDOW).zip(windows) {
                for turn in 0..subjects.len() {
                    let index = (round + turn) % subjects.len();
                    let function = subjects[index].function;
                    let start = Instant::now();
                    match load.measure {
                        Measure::Throughput | Measure::Sorted => throughput(function, x, &mut results),
                        Measure::Latency => _ = black_box(latency(function, x)),
                    }
                    window[index] = window[index].min(start.elapsed());
                }
            }
        }
    }
    let a_call = |windows: &[Vec<Duration>], subject: usize| {
        windows.iter().map(|window| window[subject]).sum::<Duration>().as_secs_f64() * 1e9 / ARGUMENTS as f64
    };
    let timed = |(load, windows): (_, Vec<_>)| Timed {
        load,
        times: (0..subjects.len()).map(|subject| a_call(&windows, subject)).collect(),
    };
    loads.into_iter().zip(shortest).map(timed).collect()
}

impl Comparison {
    fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY);
        let title = format!("{}: ns a call\n(ratio to the first)", self.function.text());
        let columns =
            self.timed.iter().map(|Timed { load, .. }| format!("{}\n{}", load.measure.text(), load.distribution));
        table.set_header(iter::once(title).chain(columns));
        for (index, subject) in self.subjects.iter().enumerate() {
            let cell =
                |timed: &Timed| format!("{:.2} ({:.2})", timed.times[index], timed.times[index] / timed.times[0]);
            table.add_row(iter::once(subject.name.clone()).chain(self.timed.iter().map(cell)));
        }
        table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        table
    }

    /// What the project has set itself.
    fn print_targets(&self) {
        let first = &self.timed[0];
        for Timed { load, times } in &self.timed {
            let what = format!("{} {}, {}", self.function.text(), load.measure.text(), load.distribution);
            let target = match (self.function, load.measure) {
                (_, Measure::Sorted) => {
                    println!("{what} / the same shuffled = {:.2} (target 0.97 to 1.03)", times[0] / first.times[0]);
                    continue;
                }
                (Name::Erff, Measure::Latency) if load.distribution == first.load.distribution => 0.9,
                (Name::Erff, Measure::Latency) => continue,
                _ => 1.0,
            };
            let is_rival = |subject: &Subject| match self.function {
                Name::Erff => subject.kind == Kind::Peer,
                Name::Expf => subject.name.starts_with("glibc"),
            };
            let rivals = self.subjects.iter().zip(times).filter(|(subject, _)| is_rival(subject));
            if let Some((rival, time)) = rivals.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
                println!("{what} / {} = {:.2} (target {target:.2})", rival.name, times[0] / time);
            }
        }
        println!();
    }

    fn csv_rows(&self) -> String {
        let mut rows = String::new();
        for Timed { load, times } in &self.timed {
            for (subject, time) in self.subjects.iter().zip(times) {
                let (function, measure, distribution) = (self.function.text(), load.measure.text(), load.distribution);
                let ratio = time / times[0];
                rows += &format!("{function},{measure},{distribution},{},{time:.3},{ratio:.3}\n", subject.name);
            }
        }
        rows
    }
}

/// When, where and with what the times of a CSV file were measured, and the names of its columns.
fn heading(rounds: u32) -> Result<String> {
    let date = humantime::format_rfc3339_seconds(SystemTime::now());
    let information = fs::read_to_string("/proc/cpuinfo")?;
    let model =
        information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map(|(_, model)| model);
    let compiler = Command::new("rustc").arg("--version").output().context("rustc")?.stdout;
    Ok(format!(
        "# {date}, {}, {}, halfulp {}, {rounds} rounds\nfunction,measure,distribution,subject,nanoseconds,ratio\n",
        model.unwrap_or("unknown CPU"),
        String::from_utf8_lossy(&compiler).trim(),
        env!("CARGO_PKG_VERSION"),
    ))
}
