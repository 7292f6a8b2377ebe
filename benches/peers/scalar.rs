//! Other libraries' functions of one float.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use libloading::Library;

use super::{Intel, compile, folder, glibc_version, scratch};
use crate::common::comparison::{Candidate, Name};
use crate::common::{Function, cargo_build, open};

/// How many ulp a library's results may lie off halfulp's.
const TOLERANCE: u64 = 2;

/// Everybody's function of that name.
pub fn peers(name: Name, intel: &Intel) -> Vec<Candidate<Function>> {
    let libimf = || Function::find(intel.open("libimf.so")?, name.text());
    [
        (format!("glibc {}", glibc_version().unwrap_or_default()), glibc(name)),
        ("musl".into(), archive("musl", Ok("/usr/lib/x86_64-linux-musl/libc.a".into()), name)),
        ("LLVM libc".into(), archive("llvm", llvm_archive(), name)),
        ("Intel libimf".into(), libimf()),
        (format!("CORE-MATH {}", crate_version("core-math-sys")), of_crate("core_math", name)),
        (format!("pxfm {}", crate_version("pxfm")), of_crate("pxfm", name)),
        (format!("libm crate {}", crate_version("libm")), of_crate("libm", name)),
    ]
    .map(|(peer, function)| Candidate::new(peer, function, TOLERANCE))
    .into()
}

/// A function that returns its argument, in a shared library of its own.
pub fn empty() -> Result<Function> {
    Function::find(compile("cc", &["-O2"], "empty.c", "no", None)?, "empty")
}

pub fn glibc(name: Name) -> Result<Function> {
    Function::find(open("libm.so.6")?, name.text())
}

/// A function of the crates in `crates/`, which are built for this machine's CPU, so with FMA where it has it.
fn of_crate(prefix: &str, name: Name) -> Result<Function> {
    let target = scratch("crates");
    cargo_build(&folder().join("crates/Cargo.toml"), &target, Some("-Ctarget-cpu=native"))?;
    let library = open(target.join("release/libhalfulp_bench_peers.so"))?;
    address_in(library, &format!("{prefix}_{}", name.text()).to_uppercase())
}

/// The newest of Debian's libllvmlibc packages.
fn llvm_archive() -> Result<PathBuf> {
    let version = |folder: &Path| folder.file_name()?.to_str()?.strip_prefix("llvm-")?.parse::<u32>().ok();
    Path::new("/usr/lib")
        .read_dir()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|folder| folder.join("lib/libllvmlibc.a").is_file())
        .max_by_key(|folder| version(folder))
        .map(|folder| folder.join("lib/libllvmlibc.a"))
        .context("no /usr/lib/llvm-*/lib/libllvmlibc.a")
}

/// A function of a static archive, in a shared library called `output`.
fn archive(output: &str, archive: Result<PathBuf>, name: Name) -> Result<Function> {
    let archive = archive?;
    ensure!(archive.is_file(), "no {}", archive.display());
    let library = compile("cc", &["-O2"], "archive.c", output, Some(&archive))?;
    address_in(library, &format!("address_of_{}", name.text()))
}

/// The function whose address is in a variable.
fn address_in(library: &Library, variable: &str) -> Result<Function> {
    // SAFETY: archive.c and crates/lib.rs have variables of that type.
    Ok(Function(unsafe { **library.get::<*const unsafe extern "C" fn(f32) -> f32>(variable)? }))
}

/// The version of a crate in `crates/`.
fn crate_version(name: &str) -> &'static str {
    const LOCK: &str = include_str!("crates/Cargo.lock");
    let entry = LOCK.split_once(&format!("name = \"{name}\"\nversion = \""));
    entry.and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default()
}
