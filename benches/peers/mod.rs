//! The libraries that halfulp is compared with. All are optional: what is absent is left out, by name.

use std::env;
use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use libloading::Library;

use crate::common::{Function, cargo_build, open};

/// What is compared.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Name {
    Erff,
    Expf,
}

impl Name {
    pub fn text(self) -> &'static str {
        match self {
            Name::Erff => "erff",
            Name::Expf => "expf",
        }
    }
}

/// Everybody's function of that name, with the library's name, or why there is none.
pub fn peers(name: Name, libimf: Option<&Path>) -> Vec<(String, Result<Function>)> {
    vec![
        (format!("glibc {}", glibc_version().unwrap_or_default()), glibc(name)),
        ("musl".into(), archive("musl", Ok("/usr/lib/x86_64-linux-musl/libc.a".into()), name)),
        ("LLVM libc".into(), archive("llvm", llvm_archive(), name)),
        ("Intel libimf".into(), intel(libimf, name)),
        (format!("CORE-MATH {}", crate_version("core-math-sys")), of_crate("core_math", name)),
        (format!("pxfm {}", crate_version("pxfm")), of_crate("pxfm", name)),
        (format!("libm crate {}", crate_version("libm")), of_crate("libm", name)),
    ]
}

/// A function that returns its argument, in a shared library of its own.
pub fn empty() -> Result<Function> {
    Function::find(compile("empty.c", "no", None)?, "empty")
}

fn glibc(name: Name) -> Result<Function> {
    Function::find(open("libm.so.6")?, name.text())
}

fn glibc_version() -> Result<String> {
    let library = open("libc.so.6")?;
    // SAFETY: the prototype is that of <gnu/libc-version.h>; the function returns a constant string.
    let version = unsafe { CStr::from_ptr(library.get::<extern "C" fn() -> *const c_char>("gnu_get_libc_version")?()) };
    Ok(version.to_str()?.into())
}

/// A function of the crates in `crates/`, which are built for this machine's CPU, so with FMA where it has it.
fn of_crate(prefix: &str, name: Name) -> Result<Function> {
    let target = scratch("crates");
    cargo_build(&folder().join("crates/Cargo.toml"), &target, Some("-Ctarget-cpu=native"))?;
    let library = open(target.join("release/libhalfulp_bench_peers.so"))?;
    address_in(library, &format!("{prefix}_{}", name.text()).to_uppercase())
}

/// libimf.so at `path`, or where pip puts the package intel-cmplr-lib-rt.
fn intel(path: Option<&Path>, name: Name) -> Result<Function> {
    let home = env::home_dir().map(|home| home.join(".local"));
    let prefixes = [env::var_os("VIRTUAL_ENV").map(PathBuf::from), home, Some("/usr/local".into())];
    let installed =
        || prefixes.into_iter().flatten().map(|prefix| prefix.join("lib/libimf.so")).find(|path| path.is_file());
    let path = path.map(Path::to_path_buf).or_else(installed).context("no libimf.so")?;
    // libimf.so needs this neighbour and does not know where it lies.
    open(path.with_file_name("libintlc.so.5"))?;
    Function::find(open(path)?, name.text())
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
    let library = compile("archive.c", output, Some(&archive))?;
    address_in(library, &format!("address_of_{}", name.text()))
}

/// The function whose address is in a variable.
fn address_in(library: &Library, variable: &str) -> Result<Function> {
    // SAFETY: archive.c and crates/lib.rs have variables of that type.
    Ok(Function(unsafe { **library.get::<*const unsafe extern "C" fn(f32) -> f32>(variable)? }))
}

/// Makes one of the C files beside this one, and an archive, a shared library.
fn compile(source: &str, output: &str, archive: Option<&Path>) -> Result<&'static Library> {
    let library = scratch(&format!("lib{output}-peer.so"));
    let status = Command::new("cc")
        // Bsymbolic: within the library a name means the archive's function, whatever libm the process has.
        .args(["-O2", "-fPIC", "-shared", "-Wl,-Bsymbolic", "-o"])
        .arg(&library)
        .arg(folder().join(source))
        .args(archive)
        .status()
        .context("cc")?;
    ensure!(status.success(), "cc failed on {source}");
    open(library)
}

/// The version of a crate in `crates/`.
fn crate_version(name: &str) -> &'static str {
    const LOCK: &str = include_str!("crates/Cargo.lock");
    let entry = LOCK.split_once(&format!("name = \"{name}\"\nversion = \""));
    entry.and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default()
}

/// The folder of this file.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers")
}

/// A place for what is built here.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
