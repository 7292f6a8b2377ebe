//! halfulp's functions of an array at each level beside everybody else's, in one run: `cargo bench --bench bulk -- --help`.

mod common;
mod peers;

use std::iter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;
use half::{bf16, f16};

use common::arrays::{ArrayFunction, measure};
use common::chart;
use common::comparison::{self, Candidate, Column, Comparison, Tolerance};
use common::name::{Kind, Name};
use common::number::{Number, Scalar};
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
    let compare = |name: Name| {
        let mkl = options.mkl.as_deref();
        match name.kind() {
            Kind::Single => {
                let peers = array::peers(name.exact(), &options.peers.intel, mkl);
                let loops = (!name.is_faithful()).then(|| loops(name)).into_iter().flatten();
                compare::<f32>(name, peers.into_iter().chain(loops).chain(ours_beside(name)), vec![], &options)
            }
            Kind::Double => {
                compare::<f64>(name, array::mkl_peers(name, mkl).into_iter().chain(loops(name)), vec![], &options)
            }
            Kind::F16 => compare::<f16>(name, [], in_single(name), &options),
            Kind::Bf16 => compare::<bf16>(name, [], in_single(name), &options),
        }
    };
    comparison::finish(match &options.plot {
        Some(path) => plot(path, &options),
        None => options.peers.common.compare("distribution,elements", |_| true, compare),
    })
}

fn compare<T: Number>(
    name: Name,
    peers: impl IntoIterator<Item = Candidate<ArrayFunction<T>>>,
    beside: Vec<(String, ArrayFunction<f32>)>,
    options: &Options,
) -> Result<String> {
    let rounds = options.peers.common.rounds;
    let copy = Candidate::new(COPY, Ok(array::copy()), Tolerance::Any);
    let candidates = ours(name).into_iter().chain(peers).chain([copy]);
    let comparison = measure(name, candidates, beside, &distributions::<T>(name), &options.sizes, rounds)?;
    ensure!(comparison.subjects[0].starts_with("halfulp"), "no level of halfulp can be timed");
    println!("{}\n", comparison.table("an element"));
    print_targets(name, &comparison);
    let mut rows = comparison.csv_rows();
    if let Some((distribution, x)) = left_open(name) {
        let distributions = [(distribution, vec![T::from_f64(x); ARGUMENTS])];
        let open = measure(name, ours(name), vec![], &distributions, &[ARGUMENTS], rounds)?;
        println!("{}\n", open.table("an element"));
        rows += &open.csv_rows();
    }
    Ok(rows)
}

/// What the fast phase always leaves open, to be timed by itself.
fn left_open(name: Name) -> Option<(&'static str, f64)> {
    match name.exact() {
        Name::Erff | Name::Erfcf | Name::Normcdff | Name::Geluf => Some(("nothing but 0", 0.0)),
        Name::Expf => Some(("nothing but -inf", f64::NEG_INFINITY)),
        _ => None,
    }
}

const COPY: &str = "memcpy";
const LOOP_OVER_OURS: &str = "a loop over halfulp's scalar function";
const LOOP_OVER_GLIBC: &str = "a loop over glibc's scalar function";

/// halfulp's levels, the best first. The faithful functions are themselves only where there is fused multiply-add.
fn levels(name: Name) -> &'static [&'static str] {
    match (cfg!(target_arch = "aarch64"), name.is_faithful()) {
        (true, false) => &["neon", "fma", "scalar"],
        (true, true) => &["neon", "fma"],
        (false, false) => &["avx512", "avx2", "sse2", "scalar"],
        (false, true) => &["avx512", "avx2", "fma"],
    }
}

/// halfulp's function of an array at each level.
fn ours<T: Number>(name: Name) -> Vec<Candidate<ArrayFunction<T>>> {
    // Half precision's right results are those of double precision, rounded once more.
    let exact = matches!(name.kind(), Kind::Single | Kind::Double) && !name.is_faithful();
    let tolerance = Tolerance::Ulps(if exact { 0 } else { 1 });
    let at = |level: &&str| Candidate::new(format!("halfulp {level}"), array::halfulp_at(level, name), tolerance);
    levels(name).iter().map(at).collect()
}

/// Scalar functions, called for each element.
fn loops<T: Scalar>(name: Name) -> [Candidate<ArrayFunction<T>>; 2] {
    let glibc = scalar::glibc(name).map(array::scalar_loop);
    let ours = halfulp(None).and_then(|library| Function::find(library, &name.symbol())).map(array::scalar_loop);
    [Candidate { name: LOOP_OVER_GLIBC.into(), ..glibc }, Candidate::new(LOOP_OVER_OURS, ours, Tolerance::Ulps(0))]
}

/// halfulp's function of an array of floats at these levels, as something else to compare with.
fn beside(name: Name, levels: &[&str]) -> impl Iterator<Item = (String, Result<ArrayFunction<f32>>)> {
    levels.iter().map(move |level| (format!("{}_n {level}", name.text()), array::halfulp_at(level, name)))
}

/// halfulp's own functions beside one: the exact one beside the faithful one, and erff beside those that came after expf.
fn ours_beside(name: Name) -> impl Iterator<Item = Candidate<ArrayFunction<f32>>> {
    let exact = name.is_faithful().then(|| name.exact());
    let erff = if name.is_faithful() { Name::ErffFaithful } else { Name::Erff };
    let erff = (!matches!(name.exact(), Name::Erff | Name::Expf)).then_some(erff);
    let candidate = |(name, function)| Candidate::new(name, function, Tolerance::Any);
    exact.into_iter().chain(erff).flat_map(move |other| beside(other, levels(name))).map(candidate)
}

/// halfulp's functions in single precision beside that in half precision, at the levels that this CPU has.
fn in_single(name: Name) -> Vec<(String, ArrayFunction<f32>)> {
    let single = name.in_single();
    let both = iter::once(single).chain(single.faithful()).flat_map(|single| beside(single, levels(single)));
    both.filter_map(|(name, function)| Some((name, function.ok()?))).collect()
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
        (Name::Erfcf, "uniform -4..4", "65536") => &[
            ("avx512", "erff_n avx512", 2.0),
            ("avx2", "erff_n avx2", 2.0),
            ("sse2", "erff_n sse2", 2.0),
            ("neon", "erff_n neon", 2.0),
        ],
        (Name::GeluBf16, _, "65536") => &[
            ("avx512", "geluf_n avx512", 1.0),
            ("avx2", "geluf_n avx2", 1.0),
            ("sse2", "geluf_n sse2", 1.0),
            ("neon", "geluf_n neon", 1.0),
            ("avx512", "geluf_faithful_n avx512", 0.8),
            ("avx2", "geluf_faithful_n avx2", 0.8),
            ("neon", "geluf_faithful_n neon", 0.8),
        ],
        (Name::ErffFaithful, "uniform -4..4", "65536") => &[
            ("avx512", "single-precision FMA e (clang", 0.5),
            ("avx512", "libmvec e", 0.42),
            ("avx2", "libmvec d", 0.75),
            ("avx2", "single-precision FMA d (gcc", 0.5),
        ],
        (Name::ExpfFaithful, "uniform -87..88", "65536") => {
            &[("avx512", "SVML LA e", 0.9), ("avx512", "libmvec e", 0.4)]
        }
        (Name::ExpfFaithful, "uniform -10..0", "65536") => {
            &[("avx512", "SVML LA e", 0.9), ("avx512", "libmvec e", 0.65), ("avx2", "libmvec d", 0.8)]
        }
        (Name::GelufFaithful, "normal", "65536") => &[("avx2", "erff_faithful_n avx2", 2.2)],
        (Name::Erff | Name::Expf, _, "16777216") => &[("avx512", "libmvec e", 1.3), ("avx2", "libmvec d", 1.3)],
        _ => &[],
    }
}

fn print_targets(name: Name, comparison: &Comparison) {
    let Comparison { function, subjects, columns } = comparison;
    let place = |name: &str| subjects.iter().position(|subject| subject.starts_with(name));
    for Column { keys, times } in columns {
        let [distribution, elements] = keys.as_slice() else { unreachable!("two keys a column") };
        let print = |level: &str, ours: usize, rival: &str, theirs: f64, target: f64| {
            let what = format!("{function}, {distribution}, {elements} elements: {level}");
            println!("{what} / {rival} = {:.2} (target {target:.2})", times[ours] / theirs);
        };
        for (level, rival, target) in targets(name, distribution, elements) {
            if let (Some(ours), Some(theirs)) = (place(&format!("halfulp {level}")), place(rival)) {
                print(level, ours, &subjects[theirs], times[theirs], *target);
            }
        }
        let cached = columns.iter().find(|other| other.keys == [distribution, "65536"]);
        if name.is_faithful()
            && elements == "16777216"
            && let (Some(cached), Some(copy)) = (cached, place(COPY))
        {
            for level in levels(name) {
                let Some(ours) = place(&format!("halfulp {level}")) else { continue };
                let sum = times[copy] + cached.times[ours];
                print(level, ours, "the sum of memcpy and its own time on 65536", sum, 1.3);
            }
        }
    }
    println!();
}

/// halfulp beside the vector functions that Linux programs use now, and beside a copy.
fn plot(path: &Path, options: &Options) -> Result<()> {
    comparison::pin()?;
    let sizes: Vec<_> = (4..=24).step_by(2).map(|power| 1 << power).collect();
    let measure = |name: Name| {
        let libmvec = [Letter::E, Letter::D].map(|letter| vector::libmvec(name, letter).map(array::looped));
        let libmvec = libmvec.into_iter().filter(|_| name.has_vectors());
        let copy = Candidate::new(COPY, Ok(array::copy()), Tolerance::Any);
        // One lane at a time would make the picture of the others flat.
        let ours_drawn = ours(name).into_iter().filter(|ours| !ours.name.ends_with("scalar"));
        let faithful = name.faithful().into_iter().flat_map(ours).filter(|ours| !ours.name.ends_with("fma"));
        let faithful = faithful.map(|ours| Candidate { name: format!("{}, faithful", ours.name), ..ours });
        let candidates = ours_drawn.chain(faithful).chain(libmvec).chain([copy]);
        measure(name, candidates, vec![], &distributions::<f32>(name)[..1], &sizes, options.peers.common.rounds)
    };
    let functions = options.peers.common.functions(|name| name.kind() == Kind::Single && !name.is_faithful());
    let panels = functions.map(measure).collect::<Result<Vec<_>>>()?;
    ensure!(!panels.is_empty(), "only functions of arrays of floats are drawn");
    chart::draw(path, &sizes, &panels)
}
