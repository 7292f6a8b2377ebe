//! What the benches share: the shipped library, arguments, and the ways of calling a function.

#![allow(dead_code, unused_imports, reason = "each bench takes what it needs")]

pub mod arrays;
pub mod chart;
pub mod comparison;
pub mod name;
pub mod number;
pub mod vector;

use std::ffi::{CString, c_char, c_int};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use libloading::Library;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use tempfile::NamedTempFile;

use name::{Kind, Name};
use number::{Number, Scalar};

/// Arguments in a buffer: long enough that the branch predictor can't learn them by heart.
pub const ARGUMENTS: usize = 1 << 16;
/// Arguments in a row by one function; they and their results fit in the first-level cache.
pub const WINDOW: usize = 1 << 12;

/// A C function of a number, called through its address.
pub struct Function<T>(pub unsafe extern "C" fn(T) -> T);

impl<T> Clone for Function<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Function<T> {}

impl<T: 'static> Function<T> {
    pub fn find(library: &Library, name: &str) -> Result<Self> {
        // SAFETY: every name that the benches look up here is a C function from that type to the same.
        Ok(Function(*unsafe { library.get(name) }?))
    }

    #[inline(always)]
    pub fn call(self, x: T) -> T {
        // SAFETY: C's mathematical functions take any argument; their libraries are never unloaded.
        unsafe { (self.0)(x) }
    }
}

/// Opens a shared library for as long as the process lives.
pub fn open(path: impl AsRef<Path>) -> Result<&'static Library> {
    // SAFETY: the libraries opened here have no constructors that do harm.
    Ok(Box::leak(Box::new(unsafe { Library::new(path.as_ref()) }?)))
}

/// Brings a release build up to date.
pub fn cargo_build(manifest: &Path, target: &Path, rust_flags: Option<&str>) -> Result<()> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(["build", "--release", "--quiet", "--manifest-path"]).arg(manifest).arg("--target-dir").arg(target);
    if let Some(flags) = rust_flags {
        cargo.env("RUSTFLAGS", flags);
    }
    ensure!(cargo.status()?.success(), "cargo build --manifest-path {} failed", manifest.display());
    Ok(())
}

/// halfulp as it ships, at a level or at the one it chooses itself: the shared library of a release build, brought up to
/// date first. Each call opens a copy of its own, so that the jump to the level always leads to the same place, as it
/// does in a program; the processor predicts it better then.
pub fn halfulp(level: Option<&str>) -> Result<&'static Library> {
    // Where cargo builds, with or without CARGO_TARGET_DIR.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().context("cargo's folder has no parent")?;
    cargo_build(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"), target, None)?;
    let copy = NamedTempFile::new()?;
    fs::copy(target.join("release/libhalfulp.so"), copy.path())?;
    let library = open(copy.path())?;
    if let Some(level) = level {
        let name = CString::new(level)?;
        type SetLevel = unsafe extern "C" fn(*const c_char) -> c_int;
        // SAFETY: the prototype is the header's, and the name ends in a zero byte.
        let status = unsafe { library.get::<SetLevel>("halfulp_set_level")?(name.as_ptr()) };
        ensure!(status == 0, "this CPU has no level {level}");
    }
    Ok(library)
}

/// halfulp's results for these arguments, as scalar calls at its best level give them. There are none for half precision:
/// those are double precision's, rounded.
pub fn right_results<T: Number>(name: Name, x: &[T]) -> Result<Vec<T>> {
    let name = name.exact();
    let library = halfulp(None)?;
    let double = |name: Name| Function::<f64>::find(library, &name.symbol());
    let function: Box<dyn Fn(f64) -> f64> = match (name.kind(), name) {
        (Kind::Single, _) => {
            let function = Function::<f32>::find(library, &name.symbol())?;
            Box::new(move |x| function.call(x as f32).into())
        }
        (Kind::Double, _) => {
            let function = double(name)?;
            Box::new(move |x| function.call(x))
        }
        (_, Name::ErfF16 | Name::ErfBf16) => {
            let erf = double(Name::Erf)?;
            Box::new(move |x| erf.call(x))
        }
        (_, Name::ExpF16 | Name::ExpBf16) => Box::new(f64::exp),
        (_, Name::NormcdfF16 | Name::NormcdfBf16) => {
            let normcdf = double(Name::Normcdf)?;
            Box::new(move |x| normcdf.call(x))
        }
        _ => {
            let normcdf = double(Name::Normcdf)?;
            Box::new(move |x| x * normcdf.call(x))
        }
    };
    Ok(x.iter().map(|&x| T::from_f64(function(x.to_f64()))).collect())
}

/// Arguments, and what they are called.
pub type Distribution<T> = (&'static str, Vec<T>);

/// A buffer of arguments, the same ones in every run.
pub fn arguments<T: Number>(mut draw: impl FnMut(&mut StdRng) -> f64) -> Vec<T> {
    let mut random = StdRng::seed_from_u64(2);
    (0..ARGUMENTS).map(|_| T::from_f64(draw(&mut random))).collect()
}

/// Arguments spread evenly.
pub fn uniform<T: Number>(from: f64, to: f64) -> Vec<T> {
    arguments(|random| random.random_range(from..=to))
}

/// The two kinds of arguments on which a function is mostly compared.
pub fn distributions<T: Number>(name: Name) -> Vec<Distribution<T>> {
    match name.exact() {
        Name::Expf | Name::ExpBf16 => {
            vec![("uniform -87..88", uniform(-87.0, 88.0)), ("uniform -10..0", uniform(-10.0, 0.0))]
        }
        Name::ExpF16 => vec![("uniform -17..11", uniform(-17.0, 11.0)), ("uniform -10..0", uniform(-10.0, 0.0))],
        _ => vec![("uniform -4..4", uniform(-4.0, 4.0)), ("normal", arguments(|random| random.sample(StandardNormal)))],
    }
}

/// Calls that don't wait for each other. Each result is stored: adding them up would make every call wait for the sum.
#[inline(never)]
pub fn throughput<T: Scalar>(function: Function<T>, x: &[T], y: &mut [T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y = function.call(x);
    }
}

/// Calls of which each waits for the one before, since its argument depends on that one's result.
#[inline(never)]
pub fn latency<T: Scalar>(function: Function<T>, x: &[T]) -> T {
    let zero = black_box(T::default());
    x.iter().fold(T::default(), |y, &x| function.call(x.after(y, zero)))
}
