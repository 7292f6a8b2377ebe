//! Functions of an array: those that are such, and loops over the others.

use std::ffi::c_int;
use std::path::Path;

use anyhow::Result;
use libloading::Library;

use super::{Intel, compile, installed, vector};
use crate::common::arrays::ArrayFunction;
use crate::common::comparison::{Candidate, Tolerance};
use crate::common::name::{Kind, Name};
use crate::common::number::{Number, Scalar};
use crate::common::vector::{Letter, VectorFunction};
use crate::common::{Function, halfulp, open, throughput};

/// halfulp's function of an array at a level.
pub fn halfulp_at<T: Number>(level: &str, name: Name) -> Result<ArrayFunction<T>> {
    halfulp(Some(level)).and_then(|library| bulk(library, name))
}

/// halfulp_erff_n and its siblings.
pub fn bulk<T: Number>(library: &Library, name: Name) -> Result<ArrayFunction<T>> {
    array_function(library, &format!("halfulp_{}_n", name.text()))
}

/// What no function can be faster than.
pub fn copy<T: Number>() -> ArrayFunction<T> {
    Box::new(|x, y| y.copy_from_slice(x))
}

/// Calls of a function of one number, one after the other.
pub fn scalar_loop<T: Scalar>(function: Function<T>) -> ArrayFunction<T> {
    Box::new(move |x, y| throughput(function, x, y))
}

/// Calls of a function of a register, as a compiler makes them from a loop.
pub fn looped(function: VectorFunction) -> ArrayFunction<f32> {
    Box::new(move |x, y| function.throughput(x, y))
}

/// Everybody's function of that name over arrays of floats.
pub fn peers(name: Name, intel: &Intel, mkl: Option<&Path>) -> Vec<Candidate<ArrayFunction<f32>>> {
    let mut peers = vec![];
    if name.has_vectors() || name == Name::Normcdff {
        let vectors =
            [Letter::E, Letter::D, Letter::B].into_iter().flat_map(|letter| vector::peers(name, letter, intel));
        peers.extend(vectors.map(|candidate| candidate.map(looped)));
    }
    peers.extend(mkl_peers(name, mkl));
    if matches!(name, Name::Erff | Name::Expf) {
        peers.extend(single_precision(name));
    }
    peers
}

/// MKL's functions of that name over arrays.
pub fn mkl_peers<T: Number>(name: Name, path: Option<&Path>) -> Vec<Candidate<ArrayFunction<T>>> {
    let Some(mkl_name) = mkl_name(name) else { return vec![] };
    let precision = if name.kind() == Kind::Single { "s" } else { "d" };
    let function = format!("{precision}{mkl_name}");
    let mut peers = vec![("MKL", mkl_as_it_dispatches(&function, path))];
    // What MKL chooses on Intel's CPUs, by the names of its kernels.
    for (peer, code) in [("MKL HA e", "Z0HAynn"), ("MKL LA e", "Z0LAynn"), ("MKL HA d", "L9HAynn")] {
        peers.push((peer, mkl_kernel(&function, code, path)));
    }
    peers.into_iter().map(|(peer, function)| Candidate::new(peer, function, Tolerance::Ulps(5))).collect()
}

fn mkl_name(name: Name) -> Option<&'static str> {
    match name {
        Name::Erff | Name::Erf => Some("Erf"),
        Name::Expf => Some("Exp"),
        Name::Erfcf | Name::Erfc => Some("Erfc"),
        Name::Normcdff | Name::Normcdf => Some("CdfNorm"),
        _ => None,
    }
}

/// MKL's function, on one thread and in its highest accuracy, as this CPU gets it.
fn mkl_as_it_dispatches<T: Number>(function: &str, path: Option<&Path>) -> Result<ArrayFunction<T>> {
    let library = open(installed(path, MKL)?)?;
    const SEQUENTIAL: c_int = 1;
    // SAFETY: the prototype is that of <mkl_service.h>.
    unsafe { library.get::<unsafe extern "C" fn(c_int) -> c_int>("MKL_Set_Threading_Layer")?(SEQUENTIAL) };
    mkl_function(library, &format!("v{function}"))
}

/// The code of one of MKL's functions for an instruction set (Z0 is AVX-512, L9 AVX2) and an accuracy.
fn mkl_kernel<T: Number>(function: &str, code: &str, path: Option<&Path>) -> Result<ArrayFunction<T>> {
    let (library, letter) = match code.starts_with("Z0") {
        true => ("libmkl_vml_avx512.so.3", Letter::E),
        false => ("libmkl_vml_avx2.so.3", Letter::D),
    };
    letter.runs()?;
    let path = installed(path, MKL)?;
    // The others need this neighbour and don't know where it lies.
    open(path.with_file_name("libmkl_core.so.3"))?;
    mkl_function(open(path.with_file_name(library))?, &format!("mkl_vml_kernel_{function}_{code}"))
}

const MKL: &str = "libmkl_rt.so.3";

fn mkl_function<T: Number>(library: &Library, symbol: &str) -> Result<ArrayFunction<T>> {
    // SAFETY: the prototype is that of <mkl_vml_functions.h>, and the kernels have the same.
    let function = unsafe { *library.get::<unsafe extern "C" fn(c_int, *const T, *mut T)>(symbol)? };
    // SAFETY: both slices have that length, and they don't overlap.
    Ok(Box::new(move |x, y| unsafe { function(same_length(x, y) as c_int, x.as_ptr(), y.as_mut_ptr()) }))
}

/// The algorithm that halfulp began with, in a loop of which each compiler makes vector code, for each set of registers.
fn single_precision(name: Name) -> impl Iterator<Item = Candidate<ArrayFunction<f32>>> {
    let machines = [(Letter::E, "-march=x86-64-v4"), (Letter::D, "-march=x86-64-v3")];
    machines.into_iter().flat_map(move |(letter, machine)| {
        ["clang-19", "clang", "gcc"].map(|compiler| {
            let subject = format!("single-precision FMA {} ({compiler})", letter.text());
            let function = letter.runs().and_then(|()| vectorised(name, compiler, machine));
            Candidate::new(subject, function, Tolerance::Ulps(1))
        })
    })
}

fn vectorised(name: Name, compiler: &str, machine: &str) -> Result<ArrayFunction<f32>> {
    let flags =
        ["-O3", machine, "-mprefer-vector-width=512", "-ffp-contract=off", "-fno-trapping-math", "-fno-math-errno"];
    let library = compile(compiler, &flags, "single_precision.c", &format!("single-{compiler}{machine}"), None)?;
    array_function(library, &format!("{}_n", name.text()))
}

/// A function with the prototype of halfulp's for arrays.
fn array_function<T: Number>(library: &Library, symbol: &str) -> Result<ArrayFunction<T>> {
    // SAFETY: halfulp.h and single_precision.c have that prototype.
    let function = unsafe { *library.get::<unsafe extern "C" fn(usize, *const T, *mut T)>(symbol)? };
    // SAFETY: both slices have that length, and they don't overlap.
    Ok(Box::new(move |x, y| unsafe { function(same_length(x, y), x.as_ptr(), y.as_mut_ptr()) }))
}

fn same_length<T>(x: &[T], y: &[T]) -> usize {
    assert_eq!(x.len(), y.len(), "a result for each argument");
    x.len()
}
