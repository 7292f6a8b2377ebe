//! halfulp's functions of a register of floats, which compilers call from loops, beside everybody else's, in one run:
//! `cargo bench --bench vector -- --help`.

mod common;
mod peers;

use std::hint::black_box;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use common::comparison::{self, Candidate, Column, Comparison, Load, Tolerance, timed};
use common::name::Name;
use common::vector::{Letter, VectorFunction};
use common::{WINDOW, distributions, halfulp, right_results};
use peers::{Options, vector};

fn main() -> ExitCode {
    let options = Options::parse();
    let compare = |name| {
        let rows = Letter::ALL.map(|letter| compare(name, letter, &options));
        rows.into_iter().collect::<Result<String>>()
    };
    comparison::finish(options.common.compare("measure,distribution", Name::has_vectors, compare))
}

fn compare(name: Name, letter: Letter, options: &Options) -> Result<String> {
    let distributions = distributions(name);
    let symbol = vector::symbol(name, letter);
    let ours = halfulp(None).and_then(|library| VectorFunction::find(library, &symbol, letter));
    let ours = Candidate::new(format!("halfulp {}", letter.text()), ours, Tolerance::Ulps(0));
    let candidates = [ours].into_iter().chain(vector::peers(name, letter, &options.intel));
    let x: Vec<_> = distributions.iter().flat_map(|(_, x)| &x[..WINDOW]).copied().collect();
    let right = right_results(name, &x)?;
    let subjects = comparison::subjects(name, candidates, &x, &right, |function, x, y| function.throughput(x, y));
    if subjects.is_empty() {
        return Ok(String::new());
    }
    let loads: Vec<Load<f32>> = distributions.iter().map(|(_, x)| x.chunks(WINDOW).collect()).collect();
    let mut results = [0.0; WINDOW];
    let mut columns = Vec::new();
    for measure in ["throughput", "latency"] {
        let times = comparison::take_turns(options.common.rounds, subjects.len(), &loads, |_, subject, x| {
            let function = subjects[subject].1;
            Ok(match measure {
                "latency" => timed(|| _ = black_box(function.latency(x))),
                _ => timed(|| function.throughput(x, &mut results)),
            })
        })?;
        for ((distribution, _), an_element) in distributions.iter().zip(times) {
            let a_call = an_element.iter().map(|time| time * letter.lanes() as f64).collect();
            let column = |measure: String, times| Column { keys: vec![measure, distribution.to_string()], times };
            columns.push(column(format!("{measure} a call"), a_call));
            if measure == "throughput" {
                columns.push(column(format!("{measure} an element"), an_element));
            }
        }
    }
    let subjects = subjects.into_iter().map(|(subject, _)| subject).collect();
    let comparison = Comparison { function: symbol, subjects, columns };
    println!("{}\n", comparison.table("a call or an element"));
    Ok(comparison.csv_rows())
}
