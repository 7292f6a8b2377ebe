//! halfulp's functions of an array at each level beside everybody else's, in one run: `cargo bench --bench bulk -- --help`.

mod common;
mod peers;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;

use common::arrays::{ArrayFunction, measure};
use common::chart;
use common::comparison::{self, Candidate, Column, Comparison, Name};
use common::vector::Letter;
use common::{ARGUMENTS, Function, distributions, halfulp};
use peers::{array, scalar, vector};

/// Compares the time of halfulp's functions of arrays with that of other libraries.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    peers: peers::Options,
    /// Elements of an array; may be given several times
    #[arg(long = "size", value_name = "N", default_values_t = [1 << 10, 1 << 16, 1 << 20, 1 << 24])]
    sizes: Vec<usize>,
    /// Draw the time against the size, from 16 elements to 16 Mi, to this SVG file instead of comparing everybody
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "sizes"])]
    plot: Option<PathBuf>,
    /// MKL's libmkl_rt.so.3, with its neighbours, where pip has not put it in a usual place
    #[arg(long, value_name = "FILE", env = "HALFULP_MKL")]
    mkl: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    comparison::finish(match &options.plot {
        Some(path) => plot(path, &options),
        None => options.peers.common.compare("distribution,elements", |name| compare(name, &options)),
    })
}

fn compare(name: Name, options: &Options) -> Result<String> {
    let peers = array::peers(name, &options.peers.intel, options.mkl.as_deref());
    let loops = [
        Candidate::new(LOOP_OVER_GLIBC, scalar::glibc(name).map(array::scalar_loop), 5),
        Candidate::new(LOOP_OVER_OURS, looped(name), 0),
    ];
    let copy = Candidate::new(COPY, Ok(array::copy()), None);
    let candidates = ours(name).into_iter().chain(peers).chain(loops).chain([copy]);
    let comparison = measure(name, candidates, &distributions(name), &options.sizes, options.peers.common.rounds)?;
    ensure!(comparison.subjects[0].starts_with("halfulp"), "halfulp does not run here");
    println!("{}\n", comparison.table("an element"));
    print_targets(name, &comparison);
    // What the fast phase always leaves open, by itself.
    let (distribution, x) = match name {
        Name::Erff => ("nothing but 0", 0.0),
        Name::Expf => ("nothing but -inf", f32::NEG_INFINITY),
    };
    let distributions = [(distribution, vec![x; ARGUMENTS])];
    let open = measure(name, ours(name), &distributions, &[ARGUMENTS], options.peers.common.rounds)?;
    println!("{}\n", open.table("an element"));
    Ok(comparison.csv_rows() + &open.csv_rows())
}

const COPY: &str = "memcpy";
const LOOP_OVER_OURS: &str = "a loop over halfulp's scalar function";
const LOOP_OVER_GLIBC: &str = "a loop over glibc's scalar function";

/// halfulp's levels, the best first.
const LEVELS: &[&str] =
    if cfg!(target_arch = "aarch64") { &["neon", "fma", "scalar"] } else { &["avx512", "avx2", "sse2", "scalar"] };

/// halfulp's function of an array at each level.
fn ours(name: Name) -> Vec<Candidate<ArrayFunction>> {
    let at = |level: &&str| {
        let function = halfulp(Some(level)).and_then(|library| array::bulk(library, name));
        Candidate::new(format!("halfulp {level}"), function, 0)
    };
    LEVELS.iter().map(at).collect()
}

/// halfulp's function of one float, called for each element.
fn looped(name: Name) -> Result<ArrayFunction> {
    Ok(array::scalar_loop(Function::find(halfulp(None)?, name.text())?))
}

/// What the project has set itself: a level of halfulp, whom it is compared with, and the largest ratio.
fn targets(function: Name, distribution: &str, elements: &str) -> &'static [(&'static str, &'static str, f64)] {
    match (function, distribution, elements) {
        (Name::Erff, _, "65536") => &[
            ("avx512", "libmvec e", 0.85),
            ("avx512", "MKL HA e", 0.7),
            ("avx2", "libmvec d", 1.25),
            ("avx2", "SVML HA d", 0.8),
            ("sse2", LOOP_OVER_OURS, 1.0),
            ("sse2", LOOP_OVER_GLIBC, 1.0),
        ],
        (Name::Expf, "uniform -87..88", "65536") => &[
            ("avx512", "libmvec e", 0.8),
            ("avx2", "libmvec d", 1.15),
            ("sse2", LOOP_OVER_OURS, 1.0),
            ("sse2", LOOP_OVER_GLIBC, 1.0),
        ],
        (Name::Expf, _, "65536") => &[("avx512", "libmvec e", 1.25), ("avx2", "libmvec d", 1.3)],
        (_, _, "16777216") => &[("avx512", "libmvec e", 1.3), ("avx2", "libmvec d", 1.3)],
        _ => &[],
    }
}

fn print_targets(name: Name, comparison: &Comparison) {
    let Comparison { function, subjects, columns } = comparison;
    for Column { keys, times } in columns {
        let [distribution, elements] = keys.as_slice() else { unreachable!("two keys a column") };
        for (level, rival, target) in targets(name, distribution, elements) {
            let time = |name: &str| Some(times[subjects.iter().position(|subject| subject.starts_with(name))?]);
            if let (Some(ours), Some(theirs)) = (time(&format!("halfulp {level}")), time(rival)) {
                let what = format!("{function}, {distribution}, {elements} elements: {level}");
                println!("{what} / {rival} = {:.2} (target {target:.2})", ours / theirs);
            }
        }
    }
    println!();
}

/// halfulp beside the vector functions that Linux programs use now, and beside a copy.
fn plot(path: &Path, options: &Options) -> Result<()> {
    comparison::pin()?;
    let sizes: Vec<_> = (4..=24).step_by(2).map(|power| 1 << power).collect();
    let measure = |name| {
        let libmvec = [Letter::E, Letter::D].map(|letter| array::looped(vector::libmvec(name, letter)));
        let copy = Candidate::new(COPY, Ok(array::copy()), None);
        // One lane at a time would make the picture of the others flat.
        let ours = ours(name).into_iter().filter(|ours| !ours.name.ends_with("scalar"));
        let candidates = ours.chain(libmvec).chain([copy]);
        measure(name, candidates, &distributions(name)[..1], &sizes, options.peers.common.rounds)
    };
    let panels = options.peers.common.functions().map(measure).collect::<Result<Vec<_>>>()?;
    chart::draw(path, &sizes, &panels)
}
