//! Functions of an array of floats: those that are such, and loops over the others.

use std::ffi::c_int;
use std::path::Path;

use anyhow::Result;
use libloading::Library;

use super::{Intel, compile, installed, vector};
use crate::common::arrays::ArrayFunction;
use crate::common::comparison::{Candidate, Name};
use crate::common::vector::{Letter, VectorFunction};
use crate::common::{Function, open, throughput};

/// halfulp_erff_n or halfulp_expf_n.
pub fn bulk(library: &Library, name: Name) -> Result<ArrayFunction> {
    array_function(library, &format!("halfulp_{}_n", name.text()))
}

/// What no function can be faster than.
pub fn copy() -> ArrayFunction {
    Box::new(|x, y| y.copy_from_slice(x))
}

/// Calls of a function of one float, one after the other.
pub fn scalar_loop(function: Function) -> ArrayFunction {
    Box::new(move |x, y| throughput(function, x, y))
}

/// Calls of a function of a register, as a compiler makes them from a loop.
pub fn looped(Candidate { name, subject, tolerance }: Candidate<VectorFunction>) -> Candidate<ArrayFunction> {
    let array = |function: VectorFunction| -> ArrayFunction { Box::new(move |x, y| function.throughput(x, y)) };
    Candidate { name, subject: subject.map(array), tolerance }
}

/// Everybody's function of that name over arrays.
pub fn peers(name: Name, intel: &Intel, mkl: Option<&Path>) -> Vec<Candidate<ArrayFunction>> {
    let vectors = [Letter::E, Letter::D, Letter::B].into_iter().flat_map(|letter| vector::peers(name, letter, intel));
    let mut peers: Vec<_> = vectors.map(looped).collect();
    peers.push(Candidate::new("MKL", mkl_as_it_dispatches(name, mkl), 5));
    // What MKL chooses on Intel's CPUs, by the names of its kernels.
    for (peer, code) in [("MKL HA e", "Z0HAynn"), ("MKL LA e", "Z0LAynn"), ("MKL HA d", "L9HAynn")] {
        peers.push(Candidate::new(peer, mkl_kernel(name, code, mkl), 5));
    }
    let (compiler, formula) = single_precision(name);
    peers.push(Candidate::new(format!("single-precision FMA, {compiler}"), formula, 5));
    peers
}

/// MKL's function, on one thread and in its highest accuracy, as this CPU gets it.
fn mkl_as_it_dispatches(name: Name, path: Option<&Path>) -> Result<ArrayFunction> {
    let library = open(installed(path, MKL)?)?;
    const SEQUENTIAL: c_int = 1;
    // SAFETY: the prototype is that of <mkl_service.h>.
    unsafe { library.get::<unsafe extern "C" fn(c_int) -> c_int>("MKL_Set_Threading_Layer")?(SEQUENTIAL) };
    mkl_function(
        library,
        match name {
            Name::Erff => "vsErf",
            Name::Expf => "vsExp",
        },
    )
}

/// The code of one of MKL's functions for an instruction set (Z0 is AVX-512, L9 AVX2) and an accuracy.
fn mkl_kernel(name: Name, code: &str, path: Option<&Path>) -> Result<ArrayFunction> {
    let (library, letter) = match code.starts_with("Z0") {
        true => ("libmkl_vml_avx512.so.3", Letter::E),
        false => ("libmkl_vml_avx2.so.3", Letter::D),
    };
    letter.runs()?;
    let path = installed(path, MKL)?;
    // The others need this neighbour and don't know where it lies.
    open(path.with_file_name("libmkl_core.so.3"))?;
    let function = match name {
        Name::Erff => "sErf",
        Name::Expf => "sExp",
    };
    mkl_function(open(path.with_file_name(library))?, &format!("mkl_vml_kernel_{function}_{code}"))
}

const MKL: &str = "libmkl_rt.so.3";

fn mkl_function(library: &Library, symbol: &str) -> Result<ArrayFunction> {
    // SAFETY: the prototype is that of <mkl_vml_functions.h>, and the kernels have the same.
    let function = unsafe { *library.get::<unsafe extern "C" fn(c_int, *const f32, *mut f32)>(symbol)? };
    // SAFETY: both slices have that length, and they don't overlap.
    Ok(Box::new(move |x, y| unsafe { function(same_length(x, y) as c_int, x.as_ptr(), y.as_mut_ptr()) }))
}

/// The algorithm that halfulp began with, in a loop of which clang, or else gcc, makes vector code; and which of them.
fn single_precision(name: Name) -> (&'static str, Result<ArrayFunction>) {
    let flags = [
        "-O3",
        "-march=native",
        "-mprefer-vector-width=512",
        "-ffp-contract=off",
        "-fno-trapping-math",
        "-fno-math-errno",
    ];
    let compiled = |compiler| compile(compiler, &flags, "single_precision.c", &format!("single-{compiler}"), None);
    let (compiler, library) = match compiled("clang") {
        Ok(library) => ("clang", Ok(library)),
        Err(_) => ("gcc", compiled("gcc")),
    };
    (compiler, library.and_then(|library| array_function(library, &format!("{}_n", name.text()))))
}

/// A function with the prototype of halfulp's for arrays.
fn array_function(library: &Library, symbol: &str) -> Result<ArrayFunction> {
    // SAFETY: halfulp.h and single_precision.c have that prototype.
    let function = unsafe { *library.get::<unsafe extern "C" fn(usize, *const f32, *mut f32)>(symbol)? };
    // SAFETY: both slices have that length, and they don't overlap.
    Ok(Box::new(move |x, y| unsafe { function(same_length(x, y), x.as_ptr(), y.as_mut_ptr()) }))
}

fn same_length(x: &[f32], y: &[f32]) -> usize {
    assert_eq!(x.len(), y.len(), "a result for each argument");
    x.len()
}
