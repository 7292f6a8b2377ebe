//! Other libraries' functions of one number.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::{Intel, compile, folder, glibc_version, intel_name, scratch};
use crate::common::comparison::{Candidate, Tolerance};
use crate::common::name::{Kind, Name};
use crate::common::number::Scalar;
use crate::common::{Function, cargo_build, open};

/// Everybody's function of that name, and what programs write where <math.h> has none.
pub fn peers<T: Scalar>(name: Name, intel: &Intel) -> Vec<Candidate<Function<T>>> {
    let version = |name: &str, version: &str| format!("{name} {version}");
    let peers = if name.is_iso() {
        vec![
            (version("glibc", &glibc_version().unwrap_or_default()), Library::Glibc.function(name)),
            ("musl".into(), archive("musl", Ok("/usr/lib/x86_64-linux-musl/libc.a".into()), name)),
            ("LLVM libc".into(), archive("llvm", llvm_archive(), name)),
            ("Intel libimf".into(), Library::Libimf(intel).function(name)),
            (version("CORE-MATH", crate_version("core-math-sys")), Library::CoreMath.function(name)),
            (version("pxfm", crate_version("pxfm")), of_crate("pxfm", name)),
            (version("libm crate", crate_version("libm")), of_crate("libm", name)),
        ]
    } else if matches!(name, Name::Normcdff | Name::Normcdf) {
        vec![("Intel libimf".into(), Library::Libimf(intel).function(name))]
    } else {
        vec![]
    };
    let peers = peers.into_iter().map(|(peer, function)| Candidate::new(peer, function, Tolerance::Ulps(5)));
    let libraries = [Library::Glibc, Library::CoreMath, Library::Libimf(intel)];
    let formulas = libraries.into_iter().filter(|_| !name.is_iso()).map(|library| formula(name, library));
    peers.chain(formulas).collect()
}

/// glibc's function, or the formula over glibc's functions.
pub fn glibc<T: Scalar>(name: Name) -> Candidate<Function<T>> {
    match name.is_iso() {
        true => Candidate::new("glibc", Library::Glibc.function(name), Tolerance::Ulps(5)),
        false => formula(name, Library::Glibc),
    }
}

/// A function that returns its argument, in a shared library of its own.
pub fn empty<T: Scalar>(kind: Kind) -> Result<Function<T>> {
    let name = if kind == Kind::Single { "empty_single" } else { "empty_double" };
    Function::find(compile("cc", &["-O2"], "empty.c", "no", None)?, name)
}

/// The libraries over whose functions formulas are timed.
#[derive(Clone, Copy)]
enum Library<'a> {
    Glibc,
    CoreMath,
    Libimf(&'a Intel),
}

impl Library<'_> {
    fn text(self) -> &'static str {
        match self {
            Library::Glibc => "glibc",
            Library::CoreMath => "CORE-MATH",
            Library::Libimf(_) => "Intel libimf",
        }
    }

    fn function<T: Scalar>(self, name: Name) -> Result<Function<T>> {
        match self {
            Library::Glibc => Function::find(open("libm.so.6")?, &name.text()),
            Library::CoreMath => of_crate("core_math", name),
            Library::Libimf(intel) => Function::find(intel.open("libimf.so")?, &intel_name(name)),
        }
    }
}

/// What programs write for a function that <math.h> lacks, in a shared library of its own.
fn formula<T: Scalar>(name: Name, library: Library) -> Candidate<Function<T>> {
    let make = || {
        let output = format!("{}-over-{}", name.text(), library.text().replace(' ', "-"));
        let formulas = compile("cc", &["-O2"], "formulas.c", &output, None)?;
        match name {
            Name::Normcdff => set_inner::<f32>(formulas, library, Name::Erfcf)?,
            Name::Normcdf => set_inner::<f64>(formulas, library, Name::Erfc)?,
            _ => {
                set_inner::<f32>(formulas, library, Name::Erff)?;
                set_inner::<f32>(formulas, library, Name::Expf)?;
            }
        }
        Function::find(formulas, &name.text())
    };
    Candidate::new(format!("the formula over {}", library.text()), make(), Tolerance::Absolute(1e-6))
}

/// Tells formulas.c which function of a library to call.
fn set_inner<T: Scalar>(formulas: &libloading::Library, library: Library, inner: Name) -> Result<()> {
    let function = library.function::<T>(inner)?;
    // SAFETY: formulas.c has variables of that type, and nothing reads them now.
    unsafe { **formulas.get::<*mut unsafe extern "C" fn(T) -> T>(&format!("inner_{}", inner.text()))? = function.0 };
    Ok(())
}

/// A function of the crates in `crates/`, which are built for this machine's CPU, so with FMA where it has it.
fn of_crate<T: Scalar>(prefix: &str, name: Name) -> Result<Function<T>> {
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

/// A function of a static archive, in a shared library.
fn archive<T: Scalar>(peer: &str, archive: Result<PathBuf>, name: Name) -> Result<Function<T>> {
    let archive = archive?;
    ensure!(archive.is_file(), "no {}", archive.display());
    let function = format!("-DFUNCTION={}", name.text());
    let number = if name.kind() == Kind::Single { "-DTYPE=float" } else { "-DTYPE=double" };
    let output = format!("{peer}-{}", name.text());
    address_in(compile("cc", &["-O2", &function, number], "archive.c", &output, Some(&archive))?, "address")
}

/// The function whose address is in a variable.
fn address_in<T: Scalar>(library: &libloading::Library, variable: &str) -> Result<Function<T>> {
    // SAFETY: archive.c and crates/lib.rs have variables of that type.
    Ok(Function(unsafe { **library.get::<*const unsafe extern "C" fn(T) -> T>(variable)? }))
}

/// The version of a crate in `crates/`.
fn crate_version(name: &str) -> &'static str {
    const LOCK: &str = include_str!("crates/Cargo.lock");
    let entry = LOCK.split_once(&format!("name = \"{name}\"\nversion = \""));
    entry.and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default()
}
