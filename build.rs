//! Links the shared library the way C libraries are linked, and writes include/halfulp.h from the rustdoc of src/.

use std::env;
use std::path::PathBuf;

fn main() {
    link();
    header();
}

fn link() {
    let var = |name: &str| env::var(name).expect("cargo sets it");
    if var("CARGO_CFG_TARGET_OS") == "windows" && var("CARGO_CFG_TARGET_ENV") == "gnu" {
        // The names of the DLL, for linkers that don't read its import library: beside it, above build/halfulp-…/out.
        let out = PathBuf::from(var("OUT_DIR"));
        let definitions = out.ancestors().nth(3).expect("cargo's folders lie so deep").join("halfulp.def");
        println!("cargo::rustc-cdylib-link-arg=-Wl,--output-def,{}", definitions.display());
    }
    if var("CARGO_CFG_TARGET_OS") != "linux" {
        return;
    }
    for argument in [
        &format!("-Wl,-soname,libhalfulp.so.{}", var("CARGO_PKG_VERSION_MAJOR")),
        // Our own code never calls through a symbol that another library may preempt.
        "-Wl,-Bsymbolic-functions",
        // No constructors, hence no C runtime's start files, hence no dependency on a C library.
        "-nostartfiles",
        "-Wl,-z,noexecstack",
    ] {
        println!("cargo::rustc-cdylib-link-arg={argument}");
    }
}

fn header() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    for input in ["src", "cbindgen.toml"] {
        println!("cargo::rerun-if-changed={input}");
    }
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is well formed");
    cbindgen::Builder::new()
        .with_config(config)
        .with_src(root.join("src/lib.rs"))
        .generate()
        .expect("src/lib.rs declares the C interface")
        .write_to_file(root.join("include/halfulp.h")); // only if it differs
}
