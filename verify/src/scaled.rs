//! `scaled`: halfulp_normcdff_scaled_n, whose results are no correctly rounded ones, against MPFR.

use std::time::Instant;

use anyhow::{Result, bail, ensure};
use clap::Args;
use fastrand::Rng;

use crate::blocks;
use crate::environment::{Flags, Mode, flags, with_mode};
use crate::exact::Exact;
use crate::library::{Library, Target};
use crate::mpfr;
use crate::sweep::{Modes, hexadecimal};

/// Find the largest error of halfulp_normcdff_scaled_n, Phi((x - mean)/sd), on random numbers: it may be 0.5001 ulp to nearest,
/// and 1.0001 ulp in the other modes.
///
/// Most are drawn so that the result is neither 0 nor 1: down into the lower tail, and some next to the mean; one call in
/// eight has numbers of all exponents.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    target: Target,

    /// How many numbers, rounded up to a multiple of 2^14
    #[arg(long, default_value_t = 1 << 20)]
    count: u64,

    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The rounding mode
    #[arg(long, default_value = "all")]
    mode: Modes,
}

/// The C function: length, mean, standard deviation, inputs, results.
pub type Scaled = unsafe extern "C" fn(usize, f32, f32, *const f32, *mut f32);

const SYMBOL: &str = "halfulp_normcdff_scaled_n";
const PIECE: u64 = 1 << 14;
const LONGEST: usize = 67;

pub fn run(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    let library = arguments.target.open()?;
    println!("{}", library.describe(SYMBOL));
    let modes = arguments.mode.list();
    refusals(&library, &modes)?;
    let function = library.scaled(SYMBOL)?;
    let pieces: Vec<_> = (0..u32::try_from(arguments.count.div_ceil(PIECE))?).collect();
    let worst = blocks::each(SYMBOL, &pieces, |piece| {
        let mut random = Rng::with_seed(arguments.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(piece));
        random.u64(..);
        let mut worst = vec![Worst::default(); modes.len()];
        let mut left = PIECE as usize;
        while left > 0 {
            let call = Draw::new(random.usize(1..=left.min(LONGEST)), &mut random);
            left -= call.inputs.len();
            call.examine(function, &modes, &mut worst);
        }
        worst
    });
    let mut right = true;
    for (i, &mode) in modes.iter().enumerate() {
        let worst = worst.iter().map(|worst| worst[i]).reduce(Worst::larger).unwrap_or_default();
        let [mean, sd, x] = worst.witness.map(hexadecimal);
        println!("{mode}  largest error {:.6} ulp at mean {mean}, sd {sd}, x {x}", worst.error);
        right &= worst.error <= if mode == Mode::Rn { 0.5001 } else { 1.0001 };
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{} numbers from seed {}, {seconds:.1} s", pieces.len() as u64 * PIECE, arguments.seed);
    if right { Ok(()) } else { bail!("the error is larger than promised") }
}

#[derive(Clone, Copy, Default)]
struct Worst {
    error: f64,
    witness: [f32; 3],
}

impl Worst {
    fn larger(self, other: Self) -> Self {
        if other.error > self.error { other } else { self }
    }
}

/// What one call takes.
struct Draw {
    mean: f32,
    sd: f32,
    inputs: Vec<f32>,
}

impl Draw {
    fn new(length: usize, random: &mut Rng) -> Self {
        let any = |random: &mut Rng| loop {
            let x = f32::from_bits(random.u32(..));
            if x.is_finite() {
                return x;
            }
        };
        if random.u32(..8) == 0 {
            let [mean, sd] = [any(random), any(random).abs()];
            return Draw { mean, sd, inputs: (0..length).map(|_| any(random)).collect() };
        }
        let mut power = |size: f64| 2f64.powf(size * (2.0 * random.f64() - 1.0));
        let (sd, mean) = (power(30.0), power(30.0));
        let mean = (mean * f64::from(random.i32(-1..=1))) as f32;
        let next_to = random.u32(..4) == 0;
        let mut deviation = || if next_to { (random.f64() - 0.5) / 1024.0 } else { 22.0 * random.f64() - 15.0 };
        let inputs = (0..length).map(|_| (f64::from(mean) + sd * deviation()) as f32).collect();
        Draw { mean, sd: sd as f32, inputs }
    }

    fn examine(&self, function: Scaled, modes: &[Mode], worst: &mut [Worst]) {
        let Draw { mean, sd, inputs } = self;
        let values: Vec<_> = inputs.iter().map(|&x| mpfr::scaled_normcdf(*mean, *sd, x)).collect();
        let mut results = vec![0.0; inputs.len()];
        for (&mode, worst) in modes.iter().zip(worst) {
            // SAFETY: both arrays have this length.
            with_mode(mode, || unsafe { function(inputs.len(), *mean, *sd, inputs.as_ptr(), results.as_mut_ptr()) });
            for ((&x, &value), &result) in inputs.iter().zip(&values).zip(&results) {
                let (_, error) = Exact::Real(value).judge(result, mode);
                *worst = worst.larger(Worst { error, witness: [*mean, *sd, x] });
            }
        }
    }
}

/// Where sd is not positive all results are NaNs, and invalid is raised, if there are any.
fn refusals(library: &Library, modes: &[Mode]) -> Result<()> {
    let function = library.scaled(SYMBOL)?;
    for &mode in modes {
        for sd in [0.0, -0.0, -1.0, -1e-45, f32::MIN, f32::NEG_INFINITY, f32::NAN] {
            for length in [0, 1, 2, 7, 16, 67, 1000] {
                let (inputs, mut results) = (vec![0.5; length], vec![0.25; length]);
                let raised = with_mode(mode, || {
                    // SAFETY: both arrays have this length.
                    unsafe { function(length, 1.0, sd, inputs.as_ptr(), results.as_mut_ptr()) };
                    flags()
                });
                let promised = Flags::default().with(Flags::INVALID, length > 0);
                ensure!(results.iter().all(|result| result.is_nan()), "{mode}: sd = {sd:?} gives a number");
                // As of every function of arrays, inexact may be spurious.
                let is_promised = raised == promised || (length > 0 && raised == promised.with(Flags::INEXACT, true));
                ensure!(is_promised, "{mode}: sd = {sd:?} raises {raised}, promised {promised}");
            }
        }
    }
    Ok(())
}
