//! What the two phases of a function of an array take by themselves, and what the fast one leaves to the other:
//! `cargo bench --bench phases -- --help`. Unlike the other benches it times the kernel crate, not the library.

mod common;

use std::process::ExitCode;

use clap::Parser;

use common::comparison;

/// Times the phases of halfulp's functions of arrays.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    common: comparison::Options,
}

fn main() -> ExitCode {
    comparison::finish(phases::run(&Options::parse().common))
}

#[cfg(not(target_arch = "x86_64"))]
mod phases {
    pub fn run(_: &super::comparison::Options) -> anyhow::Result<()> {
        anyhow::bail!("only x86-64 has a fast phase");
    }
}

#[cfg(target_arch = "x86_64")]
mod phases {
    use std::cell::Cell;
    use std::fmt::Write;
    use std::hint::black_box;

    use anyhow::{Result, ensure};
    use halfulp_kernel::arrays::{Unsettled, each, each_fast, repair};
    use halfulp_kernel::isa::{Avx2, Avx512, Fma, Sse2};
    use halfulp_kernel::{erf, erfc, exp, normal, tail};

    use super::common::arrays::{ArrayFunction, measure};
    use super::common::comparison::{Candidate, Options, Tolerance};
    use super::common::distributions;
    use super::common::name::Name;

    /// Large enough that no branch predictor learns its elements by heart, small enough for the second-level cache.
    const ELEMENTS: usize = 1 << 16;

    type Raw = unsafe fn(usize, *const f32, *mut f32);
    /// Returns how many elements and how many registers are left open.
    type Counted = unsafe fn(&[f32], &mut [f32]) -> (u32, u32);

    /// The phases of one function in one instruction set.
    struct Phases {
        level: &'static str,
        /// What it leaves open is left out.
        fast: Raw,
        left_open: Counted,
        both: Raw,
    }

    fn count(unsettled: &Unsettled, width: usize) -> (u32, u32) {
        let bytes: Vec<u8> = unsettled.words().flat_map(u64::to_le_bytes).collect();
        let registers = bytes.chunks(width / 8).filter(|register| register.iter().any(|&byte| byte != 0)).count();
        (unsettled.words().map(u64::count_ones).sum(), registers as u32)
    }

    macro_rules! instances {
        ($fast:expr, $sure:path, $level:literal, $features:literal, $width:literal, $lanes:expr) => {{
            #[target_feature(enable = $features)]
            unsafe fn fast(n: usize, x: *const f32, y: *mut f32) {
                unsafe { each_fast($fast($lanes), |_, unsettled| _ = black_box(unsettled), n, x, y) }
            }
            #[target_feature(enable = $features)]
            fn left_open(x: &[f32], y: &mut [f32]) -> (u32, u32) {
                let open = Cell::new((0, 0));
                let tally = |_, unsettled: &Unsettled| {
                    let ((elements, registers), (more, and_more)) = (open.get(), count(unsettled, $width));
                    open.set((elements + more, registers + and_more));
                };
                // SAFETY: both slices have that length.
                unsafe { each_fast($fast($lanes), tally, x.len().min(y.len()), x.as_ptr(), y.as_mut_ptr()) };
                open.get()
            }
            #[target_feature(enable = $features)]
            unsafe fn both(n: usize, x: *const f32, y: *mut f32) {
                #[target_feature(enable = $features)]
                #[inline(never)]
                unsafe fn rest(y: *mut f32, unsettled: &Unsettled) {
                    let isa = Avx2::new();
                    unsafe { repair(isa, |x| $sure(isa, x), y, unsettled) }
                }
                unsafe { each_fast($fast($lanes), |y, unsettled| rest(y, unsettled), n, x, y) }
            }
            Phases { level: $level, fast, left_open, both }
        }};
    }

    macro_rules! sure {
        ($sure:path, $features:literal, $isa:expr) => {{
            #[target_feature(enable = $features)]
            unsafe fn sure(n: usize, x: *const f32, y: *mut f32) {
                let isa = $isa;
                unsafe { each(isa, |x| $sure(isa, x), n, x, y) }
            }
            sure as Raw
        }};
    }

    macro_rules! of_function {
        ($fast:expr, $sure:path) => {
            (
                [
                    instances!($fast, $sure, "avx512", "avx512f,avx2,bmi1,fma,popcnt", 16, Avx512::new()),
                    instances!($fast, $sure, "avx2", "avx2,bmi1,fma,popcnt", 8, Avx2::new()),
                ],
                [
                    ("sure in the lanes of avx2", sure!($sure, "avx2,bmi1,fma,popcnt", Avx2::new())),
                    ("sure in the lanes of sse2", sure!($sure, "sse2", Sse2)),
                    ("sure in one lane with fma", sure!($sure, "fma", Fma::new())),
                ],
            )
        };
    }

    pub fn run(options: &Options) -> Result<()> {
        let features =
            [is_x86_feature_detected!("avx512f"), is_x86_feature_detected!("avx2"), is_x86_feature_detected!("fma")];
        ensure!(features == [true; 3], "this CPU lacks AVX-512F, AVX2 or FMA");
        let has = |name| matches!(name, Name::Erff | Name::Expf | Name::Erfcf | Name::Normcdff | Name::Geluf);
        options.compare("distribution,elements", has, |name| {
            let (wide, sure) = match name {
                Name::Erff => of_function!(erf::Fast::from, erf::erff),
                Name::Expf => of_function!(exp::Fast::from, exp::expf),
                Name::Erfcf => of_function!(tail::Fast::<_, tail::Erfc, _, _>::from, erfc::erfcf),
                Name::Normcdff => of_function!(tail::Fast::<_, tail::Normal<false>, _, _>::from, normal::normcdff),
                _ => of_function!(tail::Fast::<_, tail::Normal<true>, _, _>::from, normal::geluf),
            };
            let candidate = |name: String, function: Raw, tolerance: Tolerance| {
                // SAFETY: both slices have that length; `run` has seen that the CPU has the instructions.
                let call = move |x: &[f32], y: &mut [f32]| unsafe {
                    function(x.len().min(y.len()), x.as_ptr(), y.as_mut_ptr())
                };
                Candidate::new(name, Ok(Box::new(call) as ArrayFunction<f32>), tolerance)
            };
            let mut candidates = Vec::new();
            for &Phases { level, fast, both, .. } in &wide {
                candidates.push(candidate(format!("{level}: fast and sure"), both, Tolerance::Ulps(0)));
                candidates.push(candidate(format!("{level}: fast alone"), fast, Tolerance::Any));
            }
            candidates.extend(sure.into_iter().map(|(name, function)| candidate(name.into(), function, Tolerance::Ulps(0))));
            let distributions = distributions(name);
            let comparison = measure(name, candidates, vec![], &distributions, &[ELEMENTS], options.rounds)?;
            println!("{}\n", comparison.table("an element"));

            let mut rows = comparison.csv_rows();
            let mut y = vec![0.0; ELEMENTS];
            for (distribution, x) in &distributions {
                for Phases { level, left_open, .. } in &wide {
                    // SAFETY: `run` has seen that the CPU has the instructions.
                    let (elements, registers) = unsafe { left_open(x, &mut y) };
                    let percent = |open: u32, of: usize| 100.0 * f64::from(open) / of as f64;
                    let width = if *level == "avx512" { 16 } else { 8 };
                    let line = format!(
                        "{}, {distribution}, {level}: fast leaves {:.2} % of the elements open, in {:.1} % of the registers",
                        name.text(),
                        percent(elements, x.len()),
                        percent(registers, x.len() / width),
                    );
                    println!("{line}");
                    writeln!(rows, "# {line}")?;
                }
            }
            println!();
            Ok(rows)
        })
    }
}
