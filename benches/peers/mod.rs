//! The libraries that halfulp is compared with. All are optional: what is absent is left out, by name.

#![allow(dead_code, reason = "each bench takes what it needs")]

pub mod array;
pub mod passes;
pub mod scalar;
pub mod torch;
pub mod vector;

use std::env;
use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser};
use libloading::Library;

use crate::common::name::Name;
use crate::common::{comparison, open};

/// Compares the time of halfulp's functions with that of other libraries.
#[derive(Parser)]
pub struct Options {
    #[command(flatten)]
    pub common: comparison::Options,
    #[command(flatten)]
    pub intel: Intel,
}

/// Where Intel's libraries are.
#[derive(Args)]
pub struct Intel {
    /// Intel's libimf.so, with its neighbours, where pip has not put it in a usual place
    #[arg(long, value_name = "FILE", env = "HALFULP_LIBIMF")]
    libimf: Option<PathBuf>,
}

impl Intel {
    /// A library of the package intel-cmplr-lib-rt.
    fn open(&self, name: &str) -> Result<&'static Library> {
        let path = installed(self.libimf.as_deref(), "libimf.so")?;
        // Both libimf.so and libsvml.so need this neighbour and don't know where it lies.
        open(path.with_file_name("libintlc.so.5"))?;
        open(path.with_file_name(name))
    }
}

/// The name that libimf and SVML have for a function.
fn intel_name(name: Name) -> String {
    match name {
        Name::Normcdff => "cdfnormf".into(),
        Name::Normcdf => "cdfnorm".into(),
        other => other.text(),
    }
}

/// The file at `path`, or where pip puts libraries.
fn installed(path: Option<&Path>, name: &str) -> Result<PathBuf> {
    let home = env::home_dir().map(|home| home.join(".local"));
    let prefixes = [env::var_os("VIRTUAL_ENV").map(PathBuf::from), home, Some("/usr/local".into())];
    let usual = || {
        let paths = prefixes.into_iter().flatten().map(|prefix| prefix.join("lib").join(name));
        paths.into_iter().find(|path| path.is_file())
    };
    path.map(Path::to_path_buf).or_else(usual).with_context(|| format!("no {name}"))
}

fn glibc_version() -> Result<String> {
    let library = open("libc.so.6")?;
    // SAFETY: the prototype is that of <gnu/libc-version.h>; the function returns a constant string.
    let version = unsafe { CStr::from_ptr(library.get::<extern "C" fn() -> *const c_char>("gnu_get_libc_version")?()) };
    Ok(version.to_str()?.into())
}

/// Makes one of the C files beside this one, and more input, a shared library called `output`.
fn compile(
    compiler: &str,
    flags: &[&str],
    source: &str,
    output: &str,
    more: Option<&Path>,
) -> Result<&'static Library> {
    let library = scratch(&format!("lib{output}-peer.so"));
    let run = Command::new(compiler)
        // Bsymbolic: within the library a name means the library's own function, whatever libm the process has.
        .args(["-fPIC", "-shared", "-Wl,-Bsymbolic", "-o"])
        .arg(&library)
        .args(flags)
        .arg(folder().join(source))
        .args(more)
        .output()
        .with_context(|| compiler.to_string())?;
    let complaint = String::from_utf8_lossy(&run.stderr);
    ensure!(run.status.success(), "{compiler} failed on {source}: {}", complaint.lines().next().unwrap_or_default());
    open(library)
}

/// The folder of this file.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers")
}

/// A place for what is built here.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
