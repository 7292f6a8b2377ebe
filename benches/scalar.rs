//! halfulp's scalar functions beside everybody else's, in one run: `cargo bench --bench scalar -- --help`.
//!
//! All subjects take turns on each window of arguments, so that a change of clock or a noisy neighbour hits them alike,
//! and the shortest of many rounds counts for each window. Absolute times hold for one machine and one run: compare
//! ratios.

mod common;
mod peers;

use std::cmp::Reverse;
use std::hint::black_box;
use std::io::Read;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use flate2::read::GzDecoder;
use rand::RngExt;

use common::comparison::{self, Candidate, Column, Comparison, Load, Tolerance, timed};
use common::name::{Kind, Name};
use common::number::Scalar;
use common::{
    Distribution, Function, WINDOW, arguments, distributions, halfulp, latency, right_results, throughput, uniform,
};
use peers::{Options, scalar};

/// How and on what arguments a function is timed.
struct Way<T> {
    measure: Measure,
    distribution: &'static str,
    x: Vec<T>,
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
    let compare = |name: Name| match name.kind() {
        Kind::Double => compare::<f64>(name, &options),
        _ => compare::<f32>(name, &options),
    };
    comparison::finish(options.common.compare("measure,distribution", Name::has_scalar, compare))
}

fn compare<T: Scalar>(name: Name, options: &Options) -> Result<String> {
    let ways = ways(name)?;
    let subjects = subjects(name, options, &ways)?;
    let loads: Vec<Load<T>> = ways.iter().map(|way| way.x.chunks(WINDOW).collect()).collect();
    let mut results = [T::default(); WINDOW];
    let times = comparison::take_turns(options.common.rounds, subjects.len(), &loads, |way, subject, x| {
        let function = subjects[subject].1;
        Ok(match ways[way].measure {
            Measure::Throughput | Measure::Sorted => timed(|| throughput(function, x, &mut results)),
            Measure::Latency => timed(|| _ = black_box(latency(function, x))),
        })
    })?;
    let column =
        |(way, times): (&Way<T>, _)| Column { keys: vec![way.measure.text().into(), way.distribution.into()], times };
    let columns = ways.iter().zip(times).map(column).collect();
    let names = subjects.iter().map(|(subject, _)| subject.clone()).collect();
    let comparison = Comparison { function: name.text(), subjects: names, columns };
    println!("{}\n", comparison.table("a call"));
    print_targets(name, &comparison, &ways);
    let mut rows = comparison.csv_rows();
    if name.kind() == Kind::Double {
        rows += &print_slowest(&comparison, &subjects, &ways, options.common.rounds)?;
    }
    Ok(rows)
}

fn ways<T: Scalar>(name: Name) -> Result<Vec<Way<T>>> {
    let mut distributions = distributions::<T>(name);
    distributions.push(match name {
        Name::Expf => ("bits 2^-20..2^6", any_exponent(-20, 6)),
        _ => ("bits 2^-20..2^8", any_exponent(-20, 8)),
    });
    let mut sorted = distributions[0].1.clone();
    sorted.sort_by_key(|x| x.place());
    distributions.extend(tail(name));
    let way = |measure| move |(distribution, x)| Way { measure, distribution, x };
    let mut ways: Vec<_> = distributions.iter().cloned().map(way(Measure::Throughput)).collect();
    ways.extend(hard_inputs(name)?.map(way(Measure::Throughput)));
    ways.push(way(Measure::Sorted)((distributions[0].0, sorted)));
    ways.extend(distributions.into_iter().map(way(Measure::Latency)));
    Ok(ways)
}

/// Inputs whose values lie nearest to a rounding boundary: most need the accurate phase.
fn hard_inputs<T: Scalar>(name: Name) -> Result<Option<Distribution<T>>> {
    let list = match name {
        Name::Erf => include_bytes!("../verify/golden/erf.inputs.gz").as_slice(),
        Name::Erfc => include_bytes!("../verify/golden/erfc.inputs.gz"),
        _ => return Ok(None),
    };
    // The differences of the sorted bit patterns, as halfulp-verify reads them.
    let mut bytes = vec![];
    GzDecoder::new(list).read_to_end(&mut bytes)?;
    let mut bits = 0;
    let next = |&difference: &[u8; 8]| {
        bits += u64::from_le_bytes(difference);
        f64::from_bits(bits)
    };
    let inputs: Vec<_> = bytes.as_chunks().0.iter().map(next).collect();
    Ok(Some(("hard inputs", arguments(|random| inputs[random.random_range(0..inputs.len())]))))
}

/// Where the results become small, down to the least.
fn tail<T: Scalar>(name: Name) -> Option<Distribution<T>> {
    Some(match name {
        Name::Erfcf => ("uniform 4..10", uniform(4.0, 10.0)),
        Name::Normcdff | Name::Geluf | Name::GelufGrad => ("uniform -14..-4", uniform(-14.0, -4.0)),
        Name::Erfc => ("uniform 4..27", uniform(4.0, 27.0)),
        Name::Normcdf => ("uniform -38..-4", uniform(-38.0, -4.0)),
        _ => return None,
    })
}

/// Random bits under a random sign, with magnitudes from 2^from to 2^to.
fn any_exponent<T: Scalar>(from: i32, to: i32) -> Vec<T> {
    arguments(|random| {
        let magnitude = random.random_range(1.0..2.0) * f64::from(random.random_range(from..to)).exp2();
        if random.random() { magnitude } else { -magnitude }
    })
}

/// What the call of a function alone costs.
const EMPTY: &str = "an empty function";

/// Everything that can be timed here, halfulp at its best level first.
fn subjects<T: Scalar>(name: Name, options: &Options, ways: &[Way<T>]) -> Result<Vec<(String, Function<T>)>> {
    let ours = ["fma", "scalar"].map(|level| {
        let function = halfulp(Some(level)).and_then(|library| Function::find(library, &name.symbol()));
        Candidate::new(format!("halfulp {level}"), function, Tolerance::Ulps(0))
    });
    let empty = Candidate::new(EMPTY, scalar::empty(name.kind()), Tolerance::Any);
    let candidates = ours.into_iter().chain(scalar::peers(name, &options.intel)).chain([empty]);
    let x: Vec<_> = ways.iter().flat_map(|way| &way.x[..WINDOW]).copied().collect();
    let right = right_results(name, &x)?;
    let subjects = comparison::subjects(name, candidates, &x, &right, |&function, x, y| throughput(function, x, y));
    ensure!(
        subjects.first().is_some_and(|(first, _)| first.starts_with("halfulp")),
        "no level of halfulp can be timed"
    );
    Ok(subjects)
}

/// What the project has set itself: a level of halfulp, whom it is compared with, and the largest ratio. An
/// empty name is the fastest of all.
fn targets(name: Name, measure: Measure, on_even_arguments: bool) -> &'static [(&'static str, &'static str, f64)] {
    match (name, measure) {
        (_, Measure::Sorted) => &[],
        (Name::Erff, Measure::Throughput) => &[("halfulp fma", "", 1.0)],
        (Name::Erff, Measure::Latency) if on_even_arguments => &[("halfulp fma", "", 0.9)],
        (Name::Expf, _) => &[("halfulp fma", "glibc", 1.0)],
        (Name::Erfcf, _) => &[("halfulp fma", "CORE-MATH", 1.0)],
        (Name::Erf | Name::Erfc, _) => &[("halfulp fma", "CORE-MATH", 0.9), ("halfulp scalar", "CORE-MATH", 1.0)],
        _ => &[],
    }
}

fn print_targets<T>(name: Name, comparison: &Comparison, ways: &[Way<T>]) {
    let Comparison { function, subjects, columns } = comparison;
    for (way, Column { times, .. }) in ways.iter().zip(columns) {
        let what = format!("{function} {}, {}", way.measure.text(), way.distribution);
        if way.measure == Measure::Sorted {
            println!("{what} / the same shuffled = {:.2} (target 0.97 to 1.03)", times[0] / columns[0].times[0]);
        }
        for &(ours, rival, target) in targets(name, way.measure, way.distribution == ways[0].distribution) {
            let is_rival =
                |subject: &str| !subject.starts_with("halfulp") && subject != EMPTY && subject.starts_with(rival);
            let rivals = subjects.iter().zip(times).filter(|(subject, _)| is_rival(subject));
            let ours = subjects.iter().position(|subject| subject == ours);
            if let (Some(ours), Some((rival, time))) = (ours, rivals.min_by(|(_, a), (_, b)| a.total_cmp(b))) {
                let ratio = times[ours] / time;
                println!("{what}: {} / {rival} = {ratio:.2} (target {target:.2})", subjects[ours]);
            }
        }
    }
    println!();
}

/// The slowest of all arguments beside the average of the first distribution.
fn print_slowest<T: Scalar>(
    comparison: &Comparison,
    subjects: &[(String, Function<T>)],
    ways: &[Way<T>],
    rounds: u32,
) -> Result<String> {
    let mut rows = String::new();
    let function = &comparison.function;
    for way in ways.iter().filter(|way| way.measure == Measure::Throughput) {
        for ((name, subject), average) in subjects.iter().zip(&comparison.columns[0].times) {
            if !name.starts_with("halfulp") && !name.starts_with("CORE-MATH") {
                continue;
            }
            let (x, slowest) = slowest(*subject, &way.x, rounds)?;
            let (x, distribution, ratio) = (x.to_f64(), way.distribution, slowest / average);
            print!("{function} throughput, {distribution}: {name} takes up to {slowest:.1} ns, at {x:e}");
            println!(
                ", {ratio:.1} times the average over {}{}",
                ways[0].distribution,
                if name.starts_with("halfulp") { " (target 20)" } else { "" }
            );
            rows += &format!("{function},slowest,{distribution},{name},{slowest:.3},{ratio:.3}\n");
        }
    }
    println!();
    Ok(rows)
}

/// The argument that takes longest, and how long, in calls that don't wait for each other.
fn slowest<T: Scalar>(function: Function<T>, x: &[T], rounds: u32) -> Result<(T, f64)> {
    const CALLS: usize = 64;
    let mut results = [T::default(); CALLS];
    let mut time = |&x: &T| {
        let calls = [x; CALLS];
        (x, (0..rounds).map(|_| timed(|| throughput(function, &calls, &mut results))).min().unwrap_or_default())
    };
    let mut times: Vec<_> = x.iter().map(&mut time).collect();
    // Once more, since something else may have come between.
    times.sort_by_key(|&(_, time)| Reverse(time));
    let again = times.iter().take(CALLS).map(|(x, _)| time(x));
    let (x, time) = again.max_by_key(|&(_, time)| time).context("no arguments")?;
    Ok((x, time.as_secs_f64() * 1e9 / CALLS as f64))
}
