//! `double`: the functions in double precision, of whose inputs no sweep can see all: the hardest ones that are known, and
//! random ones.

#[cfg(feature = "judges")]
pub mod random;

use std::io::Read;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use flate2::read::GzDecoder;
use xxhash_rust::xxh3::Xxh3;

use crate::entry::{Bulk, Unary, over_array, over_pieces};
use crate::environment::{Flags, Mode, flags, with_mode};
use crate::library::{Library, Target};
use crate::sweep::Modes;

/// Check the functions in double precision: on the hardest inputs that are known, or on random ones.
#[derive(Subcommand)]
pub enum Command {
    Hard(Hard),
    #[cfg(feature = "judges")]
    Random(random::Arguments),
}

/// Check the results and flags of the inputs whose values lie nearest to a rounding boundary, and of special inputs.
///
/// The inputs of erf and erfc are those that the CORE-MATH project found by exhaustive search: all whose value agrees with a
/// boundary for 43 bits or more beyond the result's last but one. For normcdf no such list is known; its inputs are
/// those of erfc, times -sqrt(2).
#[derive(Args)]
pub struct Hard {
    /// The function
    function: Function,

    #[command(flatten)]
    target: Target,

    /// Call the array function, halfulp_FUNCTION_n
    #[arg(long)]
    bulk: bool,

    /// The rounding mode
    #[arg(long, default_value = "all")]
    mode: Modes,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Function {
    Erf,
    Erfc,
    Normcdf,
}

impl Function {
    pub const ALL: [Function; 3] = [Function::Erf, Function::Erfc, Function::Normcdf];

    pub fn name(self) -> &'static str {
        match self {
            Function::Erf => "erf",
            Function::Erfc => "erfc",
            Function::Normcdf => "normcdf",
        }
    }

    /// What is no rounded value: at zeros, infinities and NaNs.
    pub fn special(self, x: f64) -> Option<f64> {
        const QUIET: u64 = 1 << 51;
        match self {
            _ if x.is_nan() => Some(f64::from_bits(x.to_bits() | QUIET)),
            _ if x != 0.0 && x.is_finite() => None,
            Function::Erf if x == 0.0 => Some(x),
            Function::Erf => Some(1f64.copysign(x)),
            Function::Erfc => Some(if x == 0.0 { 1.0 } else { 1.0 - 1f64.copysign(x) }),
            Function::Normcdf => Some(if x == 0.0 { 0.5 } else { 0.5 + 0.5f64.copysign(x) }),
        }
    }

    /// The flags of a scalar call with this right result: two sets, where the result does not tell whether it was tiny.
    fn flags(self, x: f64, right: f64) -> [Flags; 2] {
        if self.special(x).is_some() {
            let is_signalling = x.is_nan() && x.to_bits() != right.to_bits();
            return [Flags::default().with(Flags::INVALID, is_signalling); 2];
        }
        let is_tiny = right.abs() < f64::MIN_POSITIVE;
        // What is rounded to the border itself may be tiny or not, as the machine tells it.
        [is_tiny, is_tiny || right.abs() == f64::MIN_POSITIVE].map(|tiny| Flags::INEXACT.with(Flags::UNDERFLOW, tiny))
    }

    fn hard_inputs(self) -> Result<Vec<f64>> {
        let erf = include_bytes!("../golden/erf.inputs.gz").as_slice();
        let erfc = include_bytes!("../golden/erfc.inputs.gz").as_slice();
        let list = match self {
            Function::Erf => unpacked(erf)?.into_iter().flat_map(|x| [x, -x]).collect(),
            Function::Erfc => unpacked(erfc)?,
            Function::Normcdf => unpacked(erfc)?.into_iter().map(|x| x * -std::f64::consts::SQRT_2).collect(),
        };
        Ok(list)
    }

    /// The hard inputs with special ones among them, so that a call over an array has inputs of all kinds.
    pub fn inputs(self) -> Result<Vec<f64>> {
        let mut special = SPECIAL.map(f64::from_bits).into_iter().cycle();
        let hard = self.hard_inputs()?;
        let mut inputs = Vec::with_capacity(hard.len() + hard.len() / 4);
        for group in hard.chunks(5) {
            inputs.extend(group);
            inputs.extend(special.next());
        }
        Ok(inputs)
    }

    /// The digests of the right results at all inputs, in the order of [`Mode::ALL`].
    fn digests(self) -> Result<[u64; 4]> {
        let row = DIGESTS.lines().filter_map(|line| line.strip_prefix(self.name())?.strip_prefix(' ')).next();
        let words = row.context("no golden digests")?.split(' ').map(|word| u64::from_str_radix(word, 16));
        let words: Vec<_> = words.collect::<Result<_, _>>()?;
        words.try_into().map_err(|_| anyhow::anyhow!("not four golden digests"))
    }
}

/// The digests of each function.
pub const DIGESTS: &str = include_str!("../golden/double.digests");

/// Zeros, infinities and NaNs, quiet and signalling; the smallest and the largest; what saturates or underflows.
const SPECIAL: [u64; 22] = [
    0x0000_0000_0000_0000,
    0x8000_0000_0000_0000,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0123_4567,
    0xfff8_0000_0123_4567,
    0x7ff0_0000_0123_4567,
    0xfff0_0000_0123_4567,
    0x0000_0000_0000_0001,
    0x8000_0000_0000_0001,
    0x000f_ffff_ffff_ffff,
    0x800f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x8010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0xffef_ffff_ffff_ffff,
    // 26.6 and 27.3, and -37.6 and -38.6: erfc and normcdf are subnormal, and too small for that.
    0x403a_999a_0000_0000,
    0x403b_4ccd_0000_0000,
    0xc042_cccd_0000_0000,
    0xc043_4ccd_0000_0000,
    // 9 and -9: all functions are next to 0, 1 or 2.
    0x4022_0000_0000_0000,
    0xc022_0000_0000_0000,
];

/// A list of inputs: the sorted bit patterns' differences, eight bytes each, little-endian, compressed.
fn unpacked(list: &[u8]) -> Result<Vec<f64>> {
    let mut bytes = vec![];
    GzDecoder::new(list).read_to_end(&mut bytes)?;
    let differences = bytes.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes));
    let sums = differences.scan(0, |sum, difference| {
        *sum += difference;
        Some(f64::from_bits(*sum))
    });
    Ok(sums.collect())
}

/// XXH3 (64 bits) of the bit patterns, little-endian.
pub fn digest(results: impl IntoIterator<Item = f64>) -> u64 {
    let mut digest = Xxh3::default();
    for result in results {
        digest.update(&result.to_bits().to_le_bytes());
    }
    digest.digest()
}

/// A function of a library, with the way into it.
pub enum Call {
    Scalar(Unary<f64>),
    Bulk(Bulk<f64>),
}

impl Call {
    /// The function of the library, and its name.
    pub fn of(library: &Library, function: Function, bulk: bool) -> Result<(Self, String)> {
        let name = match function {
            _ if bulk => format!("halfulp_{}_n", function.name()),
            Function::Normcdf => "halfulp_normcdf".into(),
            _ => function.name().into(),
        };
        let call = if bulk { Call::Bulk(library.bulk(&name)?) } else { Call::Scalar(library.unary(&name)?) };
        Ok((call, name))
    }

    /// Calls for all inputs, one after the other, or over pieces of many lengths as the turn has it.
    pub fn sweep(&self, turn: u64, inputs: &[f64], results: &mut [f64]) {
        match self {
            Call::Scalar(function) => {
                for (result, &x) in results.iter_mut().zip(inputs) {
                    *result = function(x);
                }
            }
            Call::Bulk(function) => over_pieces(*function, turn, inputs, results),
        }
    }

    /// Calls for inputs together, one or a short array, and tells what is wrong with the flags, if anything is.
    pub fn wrong_flags(&self, function: Function, mode: Mode, inputs: &[f64], right: &[f64]) -> Option<String> {
        let mut results = [0.0; LONGEST];
        let results = &mut results[..inputs.len()];
        let raised = with_mode(mode, || {
            self.sweep_once(inputs, results);
            flags()
        });
        let mut promised = [Flags::default(); 2];
        for (&x, &right) in inputs.iter().zip(right) {
            for (promised, flags) in promised.iter_mut().zip(function.flags(x, right)) {
                *promised = promised.with(flags, true);
            }
        }
        let is_bulk = matches!(self, Call::Bulk(_));
        let fits = |promised: Flags| raised == promised || (is_bulk && raised == promised.with(Flags::INEXACT, true));
        let name = function.name();
        (!promised.into_iter().any(fits))
            .then(|| format!("{mode}  {name} of {inputs:?} raises {raised}, promised {}", promised[0]))
    }

    fn sweep_once(&self, inputs: &[f64], results: &mut [f64]) {
        match self {
            Call::Scalar(_) => self.sweep(0, inputs, results),
            Call::Bulk(function) => over_array(*function, inputs, results),
        }
    }

    /// How many inputs are given together when flags are looked at.
    pub fn together(&self, turn: usize) -> usize {
        match self {
            Call::Scalar(_) => 1,
            Call::Bulk(_) => 1 + turn % LONGEST,
        }
    }
}

/// The longest array whose flags are looked at.
const LONGEST: usize = 23;

pub fn run(command: &Command) -> Result<()> {
    match command {
        Command::Hard(arguments) => arguments.run(),
        #[cfg(feature = "judges")]
        Command::Random(arguments) => arguments.run(),
    }
}

impl Hard {
    fn run(&self) -> Result<()> {
        let library = self.target.open()?;
        let (call, name) = Call::of(&library, self.function, self.bulk)?;
        println!("{}", library.describe(&name));
        if !hard(self.function, &call, &self.mode.list())? {
            bail!("some results or flags are not as promised");
        }
        Ok(())
    }
}

/// Checks the hard and special inputs in each mode, prints a line a mode, and tells whether all was right.
pub fn hard(function: Function, call: &Call, modes: &[Mode]) -> Result<bool> {
    let inputs = function.inputs()?;
    let golden = function.digests()?;
    let mut results = vec![0.0; inputs.len()];
    let mut right = true;
    for &mode in modes {
        with_mode(mode, || call.sweep(mode as u64, &inputs, &mut results));
        if digest(results.iter().copied()) == golden[mode as usize] {
            let faults = wrong_flags(function, call, mode, &inputs, &results);
            let first = faults.first().map(|first| format!(", first: {first}")).unwrap_or_default();
            println!("{mode}  {} inputs, wrong 0, wrong flags {}{first}", inputs.len(), faults.len());
            right &= faults.is_empty();
        } else {
            println!("{mode}  {} inputs, {}", inputs.len(), what_is_wrong(function, mode, &inputs, &results));
            right = false;
        }
    }
    Ok(right)
}

fn wrong_flags(function: Function, call: &Call, mode: Mode, inputs: &[f64], right: &[f64]) -> Vec<String> {
    let (mut faults, mut start) = (vec![], 0);
    for turn in 0.. {
        let together = start..inputs.len().min(start + call.together(turn));
        if together.is_empty() {
            break;
        }
        start = together.end;
        faults.extend(call.wrong_flags(function, mode, &inputs[together.clone()], &right[together]));
    }
    faults
}

#[cfg(not(feature = "judges"))]
fn what_is_wrong(_: Function, _: Mode, _: &[f64], _: &[f64]) -> String {
    "not the golden results; which, is told if this program is built with its judges".into()
}

#[cfg(feature = "judges")]
fn what_is_wrong(function: Function, mode: Mode, inputs: &[f64], results: &[f64]) -> String {
    let right = crate::mpfr::double_results(function, inputs);
    let pairs = inputs.iter().zip(results).zip(right.iter().map(|right| right[mode as usize]));
    let wrong: Vec<_> = pairs.filter(|((_, result), right)| result.to_bits() != right.to_bits()).collect();
    match wrong.first() {
        None => "all as MPFR has them, and not the golden ones".into(),
        Some(((x, result), right)) => {
            format!("wrong {}, first: {}({x:?}) is {right:?}, not {result:?}", wrong.len(), function.name())
        }
    }
}
