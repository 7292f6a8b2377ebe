//! halfulp beside its own past: `cargo bench --bench history`. Criterion keeps the times of the last run and tells
//! what has changed since.

mod common;

use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;
use criterion::{Criterion, Throughput};
use libloading::Library;

use common::name::{Kind, Name};
use common::number::Scalar;
use common::{Function, WINDOW, distributions, halfulp, latency, throughput};

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
        for &name in Name::value_variants().iter().filter(|name| name.has_scalar()) {
            match name.kind() {
                Kind::Double => time::<f64>(&mut criterion, name, level, library)?,
                _ => time::<f32>(&mut criterion, name, level, library)?,
            }
        }
    }
    criterion.final_summary();
    Ok(())
}

fn time<T: Scalar>(criterion: &mut Criterion, name: Name, level: &str, library: &Library) -> Result<()> {
    let function = Function::<T>::find(library, &name.symbol())?;
    let mut group = criterion.benchmark_group(format!("{} {level}", name.text()));
    group.throughput(Throughput::Elements(WINDOW as u64));
    // A new window each time, so that the branch predictor can't learn the arguments by heart.
    let (_, x) = &distributions(name)[0];
    let mut windows = x.chunks(WINDOW).cycle();
    let mut results = [T::default(); WINDOW];
    group.bench_function("throughput", |timer| {
        timer.iter(|| throughput(function, windows.next().expect("endless"), &mut results))
    });
    group.bench_function("latency", |timer| timer.iter(|| latency(function, windows.next().expect("endless"))));
    group.finish();
    Ok(())
}
