//! halfulp beside its own past: `cargo bench --bench history`. Criterion keeps the times of the last run and tells
//! what has changed since.

mod common;

use std::time::Duration;

use anyhow::Result;
use criterion::{Criterion, Throughput};

use common::{Function, WINDOW, halfulp, latency, throughput, uniform};

fn main() -> Result<()> {
    let mut criterion = Criterion::default().measurement_time(Duration::from_secs(2)).configure_from_args();
    for level in ["scalar", "fma"] {
        let library = match halfulp(Some(level)) {
            Ok(library) => library,
            Err(reason) => {
                eprintln!("{level} is left out: {reason:#}");
                continue;
            }
        };
        for (name, x) in [("erff", uniform(-4.0, 4.0)), ("expf", uniform(-87.0, 88.0))] {
            let function = Function::find(library, name)?;
            let mut group = criterion.benchmark_group(format!("{name} {level}"));
            group.throughput(Throughput::Elements(WINDOW as u64));
            // A new window each time, so that the branch predictor can't learn the arguments by heart.
            let mut windows = x.chunks(WINDOW).cycle();
            let mut results = [0.0; WINDOW];
            group.bench_function("throughput", |timer| {
                timer.iter(|| throughput(function, windows.next().expect("endless"), &mut results))
            });
            group.bench_function("latency", |timer| timer.iter(|| latency(function, windows.next().expect("endless"))));
            group.finish();
        }
    }
    criterion.final_summary();
    Ok(())
}
