//! What the library promises, checked in C: each test compiles a program of c_tests/ against the library that ships and
//! runs it. The program's exit code is the result, and what it prints says which call broke the promise.

mod levels;
mod linking;
#[cfg(target_arch = "x86_64")]
mod loops;
mod toolchain;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use object::{Object, ObjectSymbol, ObjectSymbolTable, RelocationTarget};

use toolchain::{LIBRARY, Program, Way, root, run};

fn run_in_every_way(source: &str) {
    for way in Way::ALL {
        way.run(source);
    }
}

#[test]
fn results_are_correctly_rounded_in_every_mode() {
    run_in_every_way("values.c");
}

#[test]
fn nans_keep_sign_and_payload() {
    run_in_every_way("nans.c");
}

#[test]
fn flags_are_those_of_the_result() {
    run_in_every_way("flags.c");
}

#[test]
fn errno_reports_range_errors_alone() {
    run_in_every_way("errno.c");
}

#[test]
fn the_floating_point_environment_is_left_alone() {
    run_in_every_way("environment.c");
}

#[test]
fn arrays_are_right_and_nothing_beside_them_is_touched() {
    run_in_every_way("bulk.c");
}

#[test]
fn the_scaled_normal_distribution_is_close() {
    run_in_every_way("scaled.c");
}

#[test]
fn faithful_results_are_those_around_the_value() {
    run_in_every_way("faithful.c");
}

#[test]
fn lanes_of_a_call_do_not_depend_on_each_other() {
    run_in_every_way("lanes.c");
}

#[test]
fn upper_halves_of_registers_do_not_matter() {
    run_in_every_way("upper_halves.c");
}

#[test]
fn registers_are_kept() {
    run_in_every_way("kept_registers.c");
}

#[test]
fn signals_may_interrupt_calls() {
    run_in_every_way("signals.c");
}

#[test]
fn threads_may_make_the_first_call_together() {
    run_in_every_way("threads.c");
}

#[test]
fn processes_may_fork() {
    run_in_every_way("forks.c");
}

/// Else the tests above could pass on libm's functions.
#[test]
fn programs_fail_without_the_library() {
    for source in [
        "values.c",
        "bulk.c",
        "scaled.c",
        "faithful.c",
        "lanes.c",
        "upper_halves.c",
        "kept_registers.c",
        "signals.c",
        "threads.c",
        "forks.c",
        "interposition.c",
    ] {
        let program = Program::compile(source, &[]);
        let output = program.command().output().expect("the program starts");
        assert_eq!(output.status.code(), Some(1), "{source} passes on libm alone");
    }
}

#[test]
fn levels_are_chosen_by_name() {
    for way in [Way::LinkedShared, Way::LinkedStatic] {
        way.run("level.c");
    }
}

#[test]
fn names_of_cpp_lead_to_the_library() {
    for way in [Way::LinkedShared, Way::LinkedStatic] {
        way.run("names.cpp");
    }
}

#[test]
fn a_preloaded_library_serves_dlsym_and_old_programs() {
    Way::Preloaded.run("interposition.c");
}

#[test]
fn the_first_library_on_the_link_line_serves() {
    // The archive's functions become the program's own.
    for (way, file) in [(Way::LinkedShared, "libhalfulp.so"), (Way::LinkedStatic, "program")] {
        let before = way.arguments();
        let after = [vec!["-lm".into()], way.arguments()].concat();
        for (arguments, file) in [(before, file), (after, "libm.so")] {
            let program = Program::compile("link_order.c", &arguments);
            run(program.command().arg(file));
        }
    }
}

#[test]
fn calls_inside_the_library_cannot_be_preempted() {
    // The program exports its own erff and the like, as a library linked before ours would.
    let exporting = vec!["-Wl,--export-dynamic".into()];
    let linked = [exporting.clone(), vec!["-Wl,--no-as-needed".into()], Way::LinkedShared.arguments()].concat();
    for arguments in [exporting, linked] {
        let program = Program::compile("shadowing.c", &arguments);
        let exported = ["erff", "expf", "__expf_finite", "erfcf", "erf", "erfc"];
        let always = ["erff", "expf", "erfcf", "normcdff", "geluf", "geluf_grad", "erf", "erfc", "normcdf"];
        for first in exported.map(String::from).into_iter().chain(always.map(|name| format!("halfulp_{name}"))) {
            run(program.command().arg(first));
        }
    }
}

#[test]
fn the_library_may_be_loaded_and_unloaded() {
    run(&mut Program::compile("reload.c", &[]).command());
}

#[test]
fn the_loader_fills_in_nothing_but_errno() {
    let file = fs::read(&LIBRARY.shared).expect("the library is readable");
    let library = object::File::parse(file.as_slice()).expect("the library is an object file");
    let symbols = library.dynamic_symbol_table().expect("a shared library has dynamic symbols");
    let names: BTreeSet<_> = library
        .dynamic_relocations()
        .expect("a shared library has dynamic relocations")
        .filter_map(|(_, relocation)| match relocation.target() {
            RelocationTarget::Symbol(index) => Some(symbols.symbol_by_index(index).and_then(|symbol| symbol.name())),
            _ => None,
        })
        .map(|name| name.expect("the symbol table is sound"))
        .collect();
    assert_eq!(names, BTreeSet::from(["__errno_location"]));
}

/// Compiles the header alone, and before and after each of `math_headers`, with and without the ISO names, and with the
/// vector functions. The first compiler is required.
fn compile_header(compilers: &[&str], language: &str, standards: &[&str], math_headers: &[&str]) {
    let mut variants = vec![vec!["-DHALFULP_NO_MATH_H".to_string()]];
    for header in math_headers {
        let included = format!("-DMATH_HEADER={header}");
        for order in ["-DMATH_FIRST", "-UMATH_FIRST"] {
            for names in ["-DHALFULP_DECLARE_C99", "-UHALFULP_DECLARE_C99", "-DHALFULP_SIMD"] {
                variants.push(vec![included.clone(), order.to_string(), names.to_string()]);
            }
        }
    }
    for compiler in compilers {
        if compiler != &compilers[0] && Command::new(compiler).arg("--version").output().is_err() {
            println!("skipped: {compiler} is not installed");
            continue;
        }
        for standard in standards {
            for variant in &variants {
                let mut compile = Command::new(compiler);
                compile.args(["-x", language, "-fsyntax-only", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"]);
                compile.arg(format!("-std={standard}")).args(variant).arg("-I").arg(root().join("include"));
                run(compile.arg(root().join("c_tests/header.c")));
            }
        }
    }
}

#[test]
fn the_header_is_c_of_every_standard() {
    let standards = ["c89", "c99", "c11", "c17", "c2x"];
    compile_header(&["gcc", "clang", "clang-19"], "c", &standards, &["<math.h>"]);
}

#[test]
fn the_header_is_cpp_of_every_standard() {
    let standards = ["c++98", "c++03", "c++11", "c++14", "c++17", "c++20"];
    compile_header(&["g++", "clang++", "clang++-19"], "c++", &standards, &["<math.h>", "<cmath>"]);
}

#[test]
fn the_header_is_what_cbindgen_generates() {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).expect("cbindgen.toml is well formed");
    let mut generated = Vec::new();
    cbindgen::Builder::new()
        .with_config(config)
        .with_src(root().join("src/lib.rs"))
        .generate()
        .expect("src/lib.rs declares the C interface")
        .write(&mut generated);
    let header = fs::read_to_string(root().join("include/halfulp.h")).expect("the header is readable");
    assert_eq!(header, String::from_utf8(generated).expect("the header is text"));
}
