//! Programs whose loops compilers turn into calls of vector functions: they bind to the library's, before libmvec's.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::Command;

use crate::toolchain::{Program, Way, compiler, is_installed, run};

/// Vector functions of one letter of the ABI, and how gcc and clang come to call them.
struct Letter {
    prefix: &'static str,
    flags: &'static [&'static str],
    available: bool,
}

/// Those that this CPU can call.
fn letters() -> Vec<Letter> {
    let letter = |prefix, flags, available| Letter { prefix, flags, available };
    let all = [
        letter("_ZGVbN4v_", &["-msse2"], true),
        letter("_ZGVcN8v_", &["-mavx"], is_x86_feature_detected!("avx")),
        letter("_ZGVdN8v_", &["-mavx2"], is_x86_feature_detected!("avx2")),
        letter("_ZGVeN16v_", &["-mavx512f", "-mprefer-vector-width=512"], is_x86_feature_detected!("avx512f")),
    ];
    let (available, missing): (Vec<_>, Vec<_>) = all.into_iter().partition(|letter| letter.available);
    for letter in missing {
        println!("skipped: this CPU cannot call {}", letter.prefix);
    }
    available
}

/// Which file the loader takes each vector function from that the program calls.
fn bindings(mut command: Command) -> BTreeMap<String, String> {
    let output = command.envs([("LD_DEBUG", "bindings"), ("LD_BIND_NOW", "1")]).output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stderr);
    // binding file PROGRAM [0] to FILE [0]: normal symbol `NAME' [VERSION]
    let vector_functions = text.lines().filter_map(|line| {
        let (files, symbol) = line.split_once(" [0]: normal symbol `")?;
        let (_, file) = files.split_once(" [0] to ")?;
        let (name, _) = symbol.split_once('\'')?;
        name.starts_with("_ZGV").then(|| (name.to_string(), file.to_string()))
    });
    vector_functions.collect()
}

/// Compiles the program, for each letter and way, and expects that it calls that letter's vector function of each of
/// `functions`, and that the library serves whichever it calls.
fn expect_served(source: &str, compiler: impl Fn() -> Command, flags: &[&str], letters: &[Letter], functions: &[&str]) {
    for letter in letters {
        for way in Way::ALL {
            println!("{source}: {flags:?}, {:?}, {way:?}", letter.flags);
            let program = compile(source, &compiler, &[flags, letter.flags].concat(), way);
            run(&mut way.command(&program));
            let bindings = bindings(way.command(&program));
            if way == Way::LinkedStatic {
                // They are the program's own.
                assert_eq!(bindings, BTreeMap::new());
                continue;
            }
            for function in functions {
                let name = format!("{}{function}", letter.prefix);
                assert!(bindings.contains_key(&name), "no loop calls {name}: {bindings:?}");
            }
            assert!(bindings.values().all(|file| file.contains("/libhalfulp.so")), "{bindings:?}");
        }
    }
}

fn compile(source: &str, compiler: impl Fn() -> Command, flags: &[&str], way: Way) -> Program {
    let arguments: Vec<OsString> = flags.iter().map(OsString::from).chain(way.arguments()).collect();
    Program::compile_with(compiler(), source, &arguments)
}

/// What gcc and gfortran call vector functions of.
const FUNCTIONS: [&str; 3] = ["erff", "expf", "erfcf"];

/// gcc, optimising as it does for users: it knows what the functions are.
fn gcc(sources: &[&str], flags: &[&str]) {
    let flags = [&["-O3", "-fbuiltin"], flags].concat();
    for source in sources {
        expect_served(source, || compiler(source, None), &flags, &letters(), &FUNCTIONS);
    }
}

#[test]
fn loops_with_the_header() {
    gcc(&["loops.c", "loops.cpp"], &["-DHALFULP_SIMD"]);
}

#[test]
fn loops_with_declare_simd() {
    gcc(&["loops.c"], &["-DDECLARE_SIMD", "-fopenmp-simd"]);
}

#[test]
fn loops_with_fast_math() {
    gcc(&["loops.c", "loops.cpp"], &["-ffast-math"]);
}

/// clang 19 knows libmvec's expf, but not its erff and erfcf, and the letters b and d alone.
#[test]
fn loops_compiled_by_clang() {
    if is_installed("clang-19") {
        let flags = ["-O3", "-fbuiltin", "-ffast-math", "-fveclib=libmvec"];
        let mut letters = letters();
        letters.retain(|letter| ["_ZGVbN4v_", "_ZGVdN8v_"].contains(&letter.prefix));
        expect_served("loops.c", || compiler("loops.c", Some("clang-19")), &flags, &letters, &["expf"]);
    }
}

#[test]
fn loops_of_fortran() {
    if is_installed("gfortran") {
        expect_served("loops.f90", || Command::new("gfortran"), &["-O3"], &letters(), &FUNCTIONS);
    }
}

/// Else the tests above could pass on libmvec's functions.
#[test]
fn loops_fail_without_the_library() {
    let flags = ["-O3", "-fbuiltin", "-ffast-math", "-msse2"];
    let program = compile("loops.c", || compiler("loops.c", None), &flags, Way::Preloaded);
    let output = program.command().output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1), "passes on libmvec alone");
    let bindings = bindings(program.command());
    assert!(!bindings.is_empty() && bindings.values().all(|file| file.contains("/libmvec.so")), "{bindings:?}");
}
