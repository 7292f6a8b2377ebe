//! What the benches share: the shipped library, arguments, and the ways of calling a function.

#![allow(dead_code, unused_imports, reason = "each bench takes what it needs")]

pub mod arrays;
pub mod chart;
pub mod comparison;
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

use comparison::Name;

/// Arguments in a buffer: long enough that the branch predictor can't learn them by heart.
pub const ARGUMENTS: usize = 1 << 16;
/// Arguments in a row by one function; they and their results fit in the first-level cache.
pub const WINDOW: usize = 1 << 12;

/// A C function, called through its address.
#[derive(Clone, Copy)]
pub struct Function(pub unsafe extern "C" fn(f32) -> f32);

impl Function {
    pub fn find(library: &Library, name: &str) -> Result<Function> {
        // SAFETY: every name that the benches look up here is a C function from float to float.
        Ok(Function(*unsafe { library.get(name) }?))
    }

    #[inline(always)]
    pub fn call(self, x: f32) -> f32 {
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

/// A buffer of arguments, the same ones in every run.
pub fn arguments(mut draw: impl FnMut(&mut StdRng) -> f32) -> Vec<f32> {
    let mut random = StdRng::seed_from_u64(2);
    (0..ARGUMENTS).map(|_| draw(&mut random)).collect()
}

/// Arguments spread evenly.
pub fn uniform(from: f32, to: f32) -> Vec<f32> {
    arguments(|random| random.random_range(from..=to))
}

/// The two kinds of arguments on which a function is mostly compared.
pub fn distributions(function: Name) -> Vec<(&'static str, Vec<f32>)> {
    match function {
        Name::Erff => {
            vec![("uniform -4..4", uniform(-4.0, 4.0)), ("normal", arguments(|random| random.sample(StandardNormal)))]
        }
        Name::Expf => {
            vec![("uniform -87..88", uniform(-87.0, 88.0)), ("uniform -10..0", uniform(-10.0, 0.0))]
        }
    }
}

/// Calls that don't wait for each other. Each result is stored: adding them up would make every call wait for the sum.
#[inline(never)]
pub fn throughput(function: Function, x: &[f32], y: &mut [f32]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y = function.call(x);
    }
}

/// Calls of which each waits for the one before, since its argument depends on that one's result.
#[inline(never)]
pub fn latency(function: Function, x: &[f32]) -> f32 {
    let zero = black_box(0f32);
    x.iter().fold(0.0, |y, &x| function.call(depend(x, y, zero)))
}

/// `x`, after `y` is known: the bits of `y` AND a zero that the compiler can't see, OR those of `x`. That takes two
/// cycles in a register for vectors, where floats are passed. The compiler alone would use an integer register, and
/// going there and back takes some cycles more.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn depend(x: f32, y: f32, zero: f32) -> f32 {
    use std::arch::x86_64::{_mm_and_ps, _mm_cvtss_f32, _mm_or_ps, _mm_set_ss};
    // SAFETY: every x86-64 CPU has SSE.
    unsafe { _mm_cvtss_f32(_mm_or_ps(_mm_and_ps(_mm_set_ss(y), _mm_set_ss(zero)), _mm_set_ss(x))) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn depend(x: f32, y: f32, zero: f32) -> f32 {
    f32::from_bits(y.to_bits() & zero.to_bits() | x.to_bits())
}
