//! halfulp's scalar functions beside everybody else's, in one run: `cargo bench --bench scalar -- --help`.
//!
//! All subjects take turns on each window of arguments, so that a change of clock or a noisy neighbour hits them alike,
//! and the shortest of many rounds counts for each window. Absolute times hold for one machine and one run: compare
//! ratios.

mod common;
mod peers;

use std::hint::black_box;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;
use rand::RngExt;

use common::comparison::{self, Candidate, Column, Comparison, Load, Name};
use common::{Function, WINDOW, arguments, distributions, halfulp, latency, throughput};
use peers::{Intel, Options, scalar};

/// How and on what arguments a function is timed.
struct Way {
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

fn main() -> ExitCode {
    let options = Options::parse();
    let compare = |name| compare(name, &options);
    comparison::finish(options.common.compare("measure,distribution", compare))
}

fn compare(name: Name, options: &Options) -> Result<String> {
    let ways = ways(name);
    let subjects = subjects(name, &options.intel, &ways)?;
    let loads: Vec<Load> = ways.iter().map(|way| way.x.chunks(WINDOW).collect()).collect();
    let mut results = [0.0; WINDOW];
    let times = comparison::take_turns(options.common.rounds, subjects.len(), &loads, |way, subject, x| {
        let function = subjects[subject].1;
        match ways[way].measure {
            Measure::Throughput | Measure::Sorted => throughput(function, x, &mut results),
            Measure::Latency => _ = black_box(latency(function, x)),
        }
    });
    let column =
        |(way, times): (&Way, _)| Column { keys: vec![way.measure.text().into(), way.distribution.into()], times };
    let columns = ways.iter().zip(times).map(column).collect();
    let subjects = subjects.into_iter().map(|(subject, _)| subject).collect();
    let comparison = Comparison { function: name.text().into(), subjects, columns };
    println!("{}\n", comparison.table("a call"));
    print_targets(name, &comparison, &ways);
    Ok(comparison.csv_rows())
}

fn ways(name: Name) -> Vec<Way> {
    let mut distributions = distributions(name);
    distributions.push(match name {
        Name::Erff => ("bits 2^-20..2^8", any_exponent(-20, 8)),
        Name::Expf => ("bits 2^-20..2^6", any_exponent(-20, 6)),
    });
    let mut sorted = distributions[0].1.clone();
    sorted.sort_by(f32::total_cmp);
    let way = |measure| move |(distribution, x)| Way { measure, distribution, x };
    let mut ways: Vec<_> = distributions.iter().cloned().map(way(Measure::Throughput)).collect();
    ways.push(way(Measure::Sorted)((distributions[0].0, sorted)));
    ways.extend(distributions.into_iter().map(way(Measure::Latency)));
    ways
}

/// Random bits under a random sign, with magnitudes from 2^from to 2^to.
fn any_exponent(from: i32, to: i32) -> Vec<f32> {
    let bits = |exponent| 2f32.powi(exponent).to_bits();
    arguments(|random| {
        let magnitude = f32::from_bits(random.random_range(bits(from)..bits(to)));
        if random.random() { magnitude } else { -magnitude }
    })
}

/// What the call of a function alone costs.
const EMPTY: &str = "an empty function";

/// Everything that can be timed here, halfulp at its best level first.
fn subjects(name: Name, intel: &Intel, ways: &[Way]) -> Result<Vec<(String, Function)>> {
    let ours = ["fma", "scalar"].map(|level| {
        let function = halfulp(Some(level)).and_then(|library| Function::find(library, name.text()));
        Candidate::new(format!("halfulp {level}"), function, 0)
    });
    let empty = Candidate::new(EMPTY, scalar::empty(), None);
    let candidates = ours.into_iter().chain(scalar::peers(name, intel)).chain([empty]);
    let x: Vec<_> = ways.iter().flat_map(|way| &way.x[..WINDOW]).copied().collect();
    let subjects = comparison::subjects(name, candidates, &x, |&function, x, y| throughput(function, x, y))?;
    ensure!(subjects.first().is_some_and(|(first, _)| first.starts_with("halfulp")), "halfulp does not run here");
    Ok(subjects)
}

/// What the project has set itself.
fn print_targets(name: Name, comparison: &Comparison, ways: &[Way]) {
    let Comparison { function, subjects, columns } = comparison;
    for (way, Column { times, .. }) in ways.iter().zip(columns) {
        let what = format!("{function} {}, {}", way.measure.text(), way.distribution);
        let target = match (name, way.measure) {
            (_, Measure::Sorted) => {
                println!("{what} / the same shuffled = {:.2} (target 0.97 to 1.03)", times[0] / columns[0].times[0]);
                continue;
            }
            (Name::Erff, Measure::Latency) if way.distribution == ways[0].distribution => 0.9,
            (Name::Erff, Measure::Latency) => continue,
            _ => 1.0,
        };
        let is_rival = |subject: &str| match name {
            Name::Erff => !subject.starts_with("halfulp") && subject != EMPTY,
            Name::Expf => subject.starts_with("glibc"),
        };
        let rivals = subjects.iter().zip(times).filter(|(subject, _)| is_rival(subject));
        if let Some((rival, time)) = rivals.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
            println!("{what} / {rival} = {:.2} (target {target:.2})", times[0] / time);
        }
    }
    println!();
}
