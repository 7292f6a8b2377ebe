//! `halfulp-verify doctor` tells where a program's functions come from, for each way of linking them.

mod common;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use common::{compile, library_folder, verify, written};
use tempfile::TempDir;

const PROGRAM: &str = "
    #include <math.h>
    int main(int count, char **arguments) { (void)arguments; return (int)(erff((float)count) + expf((float)count)); }
";
/// The compiler computes no call itself, and the program needs every library named, in that order.
const OPTIONS: [&str; 2] = ["-fno-builtin", "-Wl,--no-as-needed"];

/// A folder with the library in it as a system has it, under its SONAME and as a link for the linker.
fn installed() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["libhalfulp.so", "libhalfulp.so.0"] {
        symlink(library_folder().join("libhalfulp.so"), folder.path().join(name)).unwrap();
    }
    folder
}

/// Links a program with the libraries named.
fn program(folder: &Path, source: &str, libraries: &[&str]) -> PathBuf {
    let path = format!("-Wl,-rpath,{0},-L{0}", folder.display());
    compile(folder, "program", source, &[&OPTIONS[..], &[&path], libraries].concat())
}

/// Asserts what is said of erff and expf alike: all of `parts` in a line.
fn says_of_both(text: &str, parts: &[&str]) {
    for function in ["erff", "expf"] {
        let says =
            |line: &str| line.starts_with(&format!("{function}: ")) && parts.iter().all(|part| line.contains(part));
        assert!(text.lines().any(says), "{function} with {parts:?} expected: {text}");
    }
}

#[test]
fn halfulp_before_libm() {
    let folder = installed();
    let program = program(folder.path(), PROGRAM, &["-lhalfulp", "-lm"]);
    let text = written(verify("doctor").arg(program), true);
    says_of_both(&text, &["libhalfulp.so.0, halfulp ", ", level "]);
}

#[test]
fn libm_before_halfulp() {
    let folder = installed();
    let program = program(folder.path(), PROGRAM, &["-lm", "-lhalfulp"]);
    let text = written(verify("doctor").arg(program), false);
    says_of_both(&text, &["libm.so.6, not halfulp"]);
    assert!(text.contains("error: erff and expf not from halfulp: put -lhalfulp"), "{text}");
}

#[test]
fn archive() {
    let folder = tempfile::tempdir().unwrap();
    let archive = library_folder().join("libhalfulp.a");
    let archive = archive.to_str().unwrap();
    for libraries in [&[archive, "-lm"][..], &["-static", archive, "-lm"]] {
        let program = program(folder.path(), PROGRAM, libraries);
        let text = written(verify("doctor").arg(program), true);
        says_of_both(&text, &["program, halfulp, linked statically"]);
    }
    let program = program(folder.path(), PROGRAM, &["-static", "-lm", archive]);
    says_of_both(&written(verify("doctor").arg(program), false), &["program, not halfulp"]);
}

#[test]
fn preloaded() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path(), PROGRAM, &["-lm"]);
    let library = library_folder().join("libhalfulp.so");
    says_of_both(&written(verify("doctor").arg(&program), false), &["libm.so.6, not halfulp"]);
    let text = written(verify("doctor").arg(&program).env("LD_PRELOAD", &library), true);
    says_of_both(&text, &["libhalfulp.so, halfulp "]);
}

#[test]
fn environment() {
    says_of_both(&written(&mut verify("doctor"), false), &["not halfulp"]);
    let library = library_folder().join("libhalfulp.so");
    let text = written(verify("doctor").env("LD_PRELOAD", &library), true);
    says_of_both(&text, &["libhalfulp.so, halfulp "]);
    assert!(text.contains("libhalfulp.so.0: the loader finds "), "{text}");
}

/// A function that a library of the program calls.
#[test]
fn called_by_a_library() {
    let folder = tempfile::tempdir().unwrap();
    let source = "extern float expf(float); float twice(float x) { return expf(x + x); }";
    compile(folder.path(), "libtwice.so", source, &["-shared", "-fPIC", "-fno-builtin", "-lm"]);
    let source = "extern float twice(float); int main(void) { return (int)twice(1.0f); }";
    let program = program(folder.path(), source, &["-ltwice"]);
    let text = written(verify("doctor").arg(program), false);
    assert!(text.contains("expf called by ") && text.contains("/libtwice.so: "), "{text}");
    assert!(text.contains("error: expf not from halfulp"), "{text}");
}

/// A vector function, as a compiler calls it, first from the C library's libmvec.
#[cfg(target_arch = "x86_64")]
#[test]
fn vector_functions() {
    let folder = installed();
    let source = "typedef float vector __attribute__((vector_size(16)));
        extern vector _ZGVbN4v_expf(vector);
        int main(int count, char **arguments) {
            (void)arguments;
            return (int)_ZGVbN4v_expf((vector){ (float)count })[0];
        }";
    let theirs = program(folder.path(), source, &["-lmvec", "-lm"]);
    let text = written(verify("doctor").arg(theirs), false);
    assert!(text.contains("_ZGVbN4v_expf: ") && text.contains("libmvec.so.1, not halfulp"), "{text}");
    let ours = program(folder.path(), source, &["-lhalfulp", "-lmvec", "-lm"]);
    let text = written(verify("doctor").arg(ours), true);
    assert!(text.contains("_ZGVbN4v_expf: ") && text.contains("libhalfulp.so.0, halfulp "), "{text}");
}

#[test]
fn uses_neither() {
    let folder = tempfile::tempdir().unwrap();
    for libraries in [&["-lm"][..], &["-static"]] {
        let program = program(folder.path(), "int main(void) { return 0; }", libraries);
        let text = written(verify("doctor").arg(program), true);
        assert!(text.contains("none of halfulp's functions is linked"), "{text}");
    }
}

#[test]
fn library_not_installed() {
    let folder = installed();
    let program = program(folder.path(), PROGRAM, &["-lhalfulp", "-lm"]);
    std::fs::remove_file(folder.path().join("libhalfulp.so.0")).unwrap();
    let text = written(verify("doctor").arg(program), false);
    assert!(text.contains("error: libhalfulp.so.0 is not found"), "{text}");
}

#[test]
fn not_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/bin/sh\n").unwrap();
    let library = compile(folder.path(), "library.so", "int number;", &["-shared", "-fPIC"]);
    for (file, fault) in [
        (folder.path().join("nothing"), "cannot read"),
        (script, "is a script"),
        (folder.path().join("library.so.c"), "is not a 64-bit ELF file"),
        (library, "is not a program"),
    ] {
        let text = written(verify("doctor").arg(file), false);
        assert!(text.starts_with("error: ") && text.contains(fault), "{text}");
    }
}
