//! Programs that are compiled, linked or loaded in other ways than most: what is promised holds for them too.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::toolchain::{LIBRARY, Program, Way, compiler, is_installed, root, run};

/// Compiles the program with these flags, in addition to the usual ones, and runs it.
fn run_with(compiler: Command, flags: &[&str], source: &str, way: Way) {
    println!("{source}: {flags:?}, {way:?}");
    let arguments: Vec<OsString> = flags.iter().map(OsString::from).chain(way.arguments()).collect();
    run(&mut way.command(&Program::compile_with(compiler, source, &arguments)));
}

#[test]
fn programs_with_fast_math() {
    for way in Way::ALL {
        // In the place of __expf_finite a preloaded library serves old programs alone: no libm to link against has it.
        if way != Way::Preloaded {
            run_with(compiler("fast_math.c", None), &["-ffast-math", "-fbuiltin"], "fast_math.c", way);
        }
    }
}

#[test]
fn programs_optimised_as_a_whole() {
    let mut compilers = vec![("cc", None, vec!["-flto"])];
    if is_installed("clang-19") && is_installed("ld.lld-19") {
        compilers.push(("clang-19", Some("clang-19"), vec!["-flto", "-fuse-ld=lld-19"]));
    }
    for (name, compiler_name, flags) in compilers {
        for way in [Way::LinkedShared, Way::LinkedStatic] {
            println!("{name}");
            run_with(compiler("values.c", compiler_name), &flags, "values.c", way);
        }
    }
    println!("skipped: the library optimised with the program, for which clang and rustc must have the same LLVM");
}

#[test]
fn programs_whose_toolchain_has_no_math_h() {
    for way in [Way::LinkedShared, Way::LinkedStatic] {
        run_with(compiler("no_math_h.c", None), &["-pedantic-errors"], "no_math_h.c", way);
    }
}

/// The same files serve another C library than the one they are built beside.
#[test]
fn programs_of_musl() {
    if !is_installed("musl-gcc") {
        return;
    }
    for source in ["values.c", "errno.c", "bulk.c", "threads.c"] {
        for way in Way::ALL {
            run_with(compiler(source, Some("musl-gcc")), &[], source, way);
        }
    }
    run_with(compiler("no_math_h.c", Some("musl-gcc")), &["-static"], "no_math_h.c", Way::LinkedStatic);
}

#[test]
fn programs_bound_at_once() {
    for source in ["values.c", "interposition.c"] {
        for way in [Way::LinkedShared, Way::Preloaded] {
            if source == "values.c" || way == Way::Preloaded {
                println!("{source}: {way:?}");
                let program = Program::compile(source, &way.arguments());
                run(way.command(&program).env("LD_BIND_NOW", "1"));
            }
        }
    }
}

/// The archive that is installed, laid down in this folder.
fn slimmed(folder: &Path) -> PathBuf {
    let mut install = Command::new(root().join("packaging/install.sh"));
    install.arg("--prefix=/usr").arg("--destdir").arg(folder);
    run(install.arg("--built").arg(LIBRARY.archive.parent().expect("a file lies in a folder")));
    folder.join("usr/lib/libhalfulp.a")
}

/// The function of two_archives.c, in a library without std and in one with it.
const OTHER: &str = "
    static TABLE: [f32; 4] = [0.25, 0.5, 0.75, 1.0];
    #[unsafe(no_mangle)] pub extern \"C\" fn third_of_table(index: f32) -> f32 { TABLE[index as usize % 4] }
";
const WITHOUT_STD: &str = "
    #![no_std]
    #[panic_handler] fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
";
const WITH_STD: &str = "
    #[unsafe(no_mangle)] pub extern \"C\" fn said(x: f32) -> usize { format!(\"{x} {}\", x.sqrt().mul_add(x, x)).len() }
";

#[test]
fn programs_of_two_rust_archives() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("the target folder is writable");
    let slimmed = slimmed(folder.path());
    for (name, begin) in [("without std", WITHOUT_STD), ("with std", WITH_STD)] {
        let [text, other] = ["other.rs", "libother.a"].map(|file| folder.path().join(file));
        std::fs::write(&text, [begin, OTHER].concat()).expect("a fresh folder is writable");
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition=2024", "--crate-type=staticlib", "-Copt-level=2", "-Clto=fat", "-Cpanic=abort", "-o"]);
        run(rustc.arg(&other).arg(&text));
        for archive in [&LIBRARY.archive, &slimmed] {
            for archives in [[&other, archive], [archive, &other]] {
                println!("{name}: {archives:?}");
                let mut arguments = vec![OsString::from("-Wl,--export-dynamic")];
                arguments.extend(archives.map(OsString::from));
                // What std takes beside what all programs are linked with.
                arguments.push("-lgcc_s".into());
                let program = Program::compile("two_archives.c", &arguments);
                run(&mut program.command());
            }
        }
    }
}
