//! Builds libhalfulp.a with the instrumentation that the fuzz target is built with, and links it.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    let var = |name: &str| env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"));
    let root = PathBuf::from(var("CARGO_MANIFEST_DIR")).join("..");
    let target_folder = PathBuf::from(var("OUT_DIR")).join("library");
    let target = var("TARGET");
    // The archive alone, which needs no loader. Without the ISO names: libFuzzer may call libm's functions itself.
    // Instrumented for coverage alone: with the address sanitizer it compiles for ten minutes, and debug assertions are
    // not in what ships.
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let of_library = |flag: &&str| !["-Zsanitizer=address", "-Cdebug-assertions"].contains(flag);
    let flags = flags.split('\x1f').filter(of_library).collect::<Vec<_>>().join("\x1f");
    let status = Command::new(var("CARGO"))
        .args(["rustc", "--release", "--package", "halfulp", "--lib", "--crate-type", "staticlib"])
        .args(["--no-default-features", "--target", &target])
        .arg("--target-dir")
        .arg(&target_folder)
        .arg("--manifest-path")
        .arg(root.join("Cargo.toml"))
        .env("CARGO_ENCODED_RUSTFLAGS", flags)
        .status()
        .expect("cargo starts");
    assert!(status.success(), "cargo rustc --release --package halfulp fails");
    println!("cargo::rustc-link-search=native={}", target_folder.join(&target).join("release").display());
    println!("cargo::rustc-link-lib=static=halfulp");
    for input in ["src", "kernel/src", "Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", root.join(input).display());
    }
}
