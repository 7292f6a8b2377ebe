//! What one pass over memory saves: halfulp's normcdff and geluf of an array beside the same done in several, and beside
//! torch: `cargo bench --bench fused -- --help`.

mod common;
mod peers;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};

use common::arrays::{Aligned, ArrayFunction, of_each_array, repeated, rounds_of};
use common::comparison::{self, Column, Comparison, timed};
use common::name::Name;
use common::number::Number;
use common::vector::Letter;
use common::{distributions, halfulp, right_results, uniform};
use peers::passes::chain;
use peers::torch::Torch;
use peers::{array, vector};

/// Compares the time of halfulp's normcdff and geluf with that of the same in several passes over memory.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    common: comparison::Options,
    /// Elements of an array; may be given several times
    #[arg(long = "size", value_name = "N", default_values_t = [1 << 10, 1 << 16, 1 << 20, 1 << 24])]
    sizes: Vec<usize>,
    /// A Python interpreter that has torch
    #[arg(long, value_name = "FILE", env = "HALFULP_TORCH_PYTHON", default_value = "python3")]
    torch_python: PathBuf,
}

/// What is timed.
enum Way {
    Here(ArrayFunction<f32>),
    Torch(&'static str),
}

fn main() -> ExitCode {
    let options = Options::parse();
    let has = |name: Name| matches!(name.exact(), Name::Normcdff | Name::Geluf);
    comparison::finish(options.common.compare("distribution,elements", has, |name| compare(name, &options)))
}

fn compare(name: Name, options: &Options) -> Result<String> {
    let mut torch =
        Torch::start(&options.torch_python).inspect_err(|reason| eprintln!("torch is left out: {reason:#}"));
    let mut torch = torch.as_mut().ok();
    let candidates = match name.is_faithful() {
        true => vec![("the exact function in one pass".into(), array::bulk(halfulp(None)?, name.exact()))],
        false => chains(name)?,
    };
    let mut ways = vec![(OURS.into(), Way::Here(array::bulk(halfulp(None)?, name)?))];
    for (subject, function) in candidates {
        match function {
            Ok(function) => ways.push((subject, Way::Here(function))),
            Err(reason) => eprintln!("{subject} is left out: {reason:#}"),
        }
    }
    if let Some(torch) = &torch {
        let of_torch = |function| (format!("torch {} {function}", torch.version), Way::Torch(function));
        ways.extend([GELU, NDTR].map(of_torch));
    }
    check(name, &ways, &mut torch)?;
    let comparison = measure(name, ways, &mut torch, options)?;
    println!("{}\n", comparison.table("an element"));
    print_targets(name, &comparison);
    Ok(comparison.csv_rows())
}

/// halfulp's function in several passes over memory.
fn chains(name: Name) -> Result<Vec<(String, Result<ArrayFunction<f32>>)>> {
    let mut candidates = Vec::new();
    for (passes, inner) in [("four passes with", Name::Erff), ("three passes with", Name::Erfcf)] {
        let chain = |function: Result<_>| function.and_then(|function| chain(name, inner, function));
        let ours = array::bulk(halfulp(None)?, inner);
        candidates.push((format!("{passes} halfulp's {}", inner.text()), chain(ours)));
        for letter in [Letter::E, Letter::D] {
            let libmvec = vector::libmvec(inner, letter).map(array::looped);
            let subject = format!("{passes} libmvec {}'s {}", letter.text(), inner.text());
            candidates.push((subject, chain(libmvec.subject)));
        }
    }
    Ok(candidates)
}

const OURS: &str = "halfulp in one pass";
const GELU: &str = "gelu";
const NDTR: &str = "special.ndtr";

/// Where results are compared: all subjects are right in the first range, within this many ulp.
const RANGES: [(&str, f64, f64); 4] =
    [("-1 to 6", -1.0, 6.0), ("-4 to -1", -4.0, -1.0), ("-6 to -4", -6.0, -4.0), ("-14 to -6", -14.0, -6.0)];
const TOLERANCE: u64 = 16;

/// Prints how far everybody is off the right results, and makes sure that all compute the same where it is no tail.
fn check(name: Name, ways: &[(String, Way)], torch: &mut Option<&mut Torch>) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    let title = format!("{}: largest error, x from", name.text());
    table.set_header([title].into_iter().chain(RANGES.map(|(range, ..)| range.into())));
    for (subject, way) in ways {
        if matches!(way, Way::Torch(function) if *function != torch_name(name)) {
            continue;
        }
        let mut row = vec![subject.clone()];
        for (index, (_, from, to)) in RANGES.into_iter().enumerate() {
            let x: Vec<f32> = uniform(from, to);
            let right = right_results(name, &x)?;
            let y = match (way, &mut *torch) {
                (Way::Here(function), _) => {
                    let mut y = vec![f32::NAN; x.len()];
                    function(&x, &mut y);
                    y
                }
                (Way::Torch(function), torch) => {
                    let torch = torch.as_mut().context("no torch")?;
                    torch.load(&x, x.len())?;
                    torch.time(function)?;
                    torch.results()?
                }
            };
            let pairs = || right.iter().zip(&y);
            let ulps = pairs().map(|(right, &y)| right.distance(y)).max().unwrap_or_default();
            let relative = pairs().map(|(right, y)| f64::from((y - right) / right).abs()).fold(0.0, f64::max);
            let promised = if name.is_faithful() { 1 } else { 0 };
            ensure!(subject != OURS || ulps <= promised, "halfulp's arrays are off its scalar results by {ulps} ulp");
            ensure!(index > 0 || ulps <= TOLERANCE, "{subject} is off by {ulps} ulp for x from {from} to {to}");
            row.push(if ulps < 1000 { format!("{ulps} ulp") } else { format!("{:.3} %", 100.0 * relative) });
        }
        table.add_row(row);
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    println!("{table}\n");
    Ok(())
}

/// What torch calls it.
fn torch_name(name: Name) -> &'static str {
    if name.exact() == Name::Normcdff { NDTR } else { GELU }
}

/// Nanoseconds an element. All have done the same arrays once before they are timed, since torch's are its own.
fn measure(
    name: Name,
    ways: Vec<(String, Way)>,
    torch: &mut Option<&mut Torch>,
    options: &Options,
) -> Result<Comparison> {
    let mut columns = Vec::new();
    for &size in &options.sizes {
        for (distribution, x) in distributions::<f32>(name) {
            let x = repeated(&x, size)?;
            let mut results: Aligned<f32> = x.clone();
            if let Some(torch) = torch {
                torch.load(x.elements(), size)?;
            }
            let loads = [vec![x.elements()]];
            let rounds = rounds_of(size, options.common.rounds);
            let mut times =
                comparison::take_turns(rounds, ways.len(), &loads, |_, subject, x| match &ways[subject].1 {
                    Way::Here(function) => {
                        let mut run = || of_each_array(function, size, x, results.elements_mut());
                        run();
                        Ok(timed(run))
                    }
                    Way::Torch(function) => torch.as_mut().context("no torch")?.time(function),
                })?;
            columns.push(Column { keys: vec![distribution.into(), size.to_string()], times: times.remove(0) });
        }
    }
    let subjects = ways.into_iter().map(|(subject, _)| subject).collect();
    Ok(Comparison { function: name.text(), subjects, columns })
}

/// What the project has set itself, with AVX-512.
fn print_targets(name: Name, comparison: &Comparison) {
    let Comparison { function, subjects, columns } = comparison;
    for Column { keys, times } in columns.iter().filter(|column| column.keys[1] == "65536") {
        let targets: &[_] = match (name, keys[0].as_str()) {
            (Name::GelufFaithful, "normal") => &[(GELU, 0.8)],
            (name, _) if name.is_faithful() => &[],
            _ => &[(NDTR, 0.6), (GELU, 2.0)],
        };
        for (rival, target) in targets {
            if let Some(index) = subjects.iter().position(|subject| subject.ends_with(&format!(" {rival}"))) {
                let ratio = times[0] / times[index];
                println!("{function}, {}: {OURS} / {} = {ratio:.2} (target {target:.2})", keys[0], subjects[index]);
            }
        }
    }
    println!();
}
