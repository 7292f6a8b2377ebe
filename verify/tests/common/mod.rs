//! What the tests share: the library as it ships, a C compiler, and runs of halfulp-verify.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// The folder of libhalfulp.so and libhalfulp.a, built now, so that they are never stale ones.
pub fn library_folder() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("cargo makes it inside the target folder");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--release", "--package", "halfulp", "--target-dir"]).arg(target);
    succeed(cargo.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")));
    target.join("release")
}

/// Compiles a C program or library, written into `folder` with `source` as its text, and returns its path.
pub fn compile(folder: &Path, name: &str, source: &str, options: &[&str]) -> PathBuf {
    compile_with(env::var_os("CC").unwrap_or("cc".into()), folder, name, source, options)
}

/// The same by another compiler than this machine's.
pub fn compile_with(compiler: impl AsRef<OsStr>, folder: &Path, name: &str, source: &str, options: &[&str]) -> PathBuf {
    let [text, product] = [folder.join(format!("{name}.c")), folder.join(name)];
    fs::write(&text, source).unwrap();
    succeed(Command::new(compiler).arg("-o").arg(&product).arg(text).args(options).current_dir(folder));
    product
}

/// Runs a command that must succeed.
pub fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A command line of halfulp-verify.
pub fn verify(subcommand: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halfulp-verify"));
    command.arg(subcommand);
    command
}

/// Runs halfulp-verify, and returns all that it wrote if it ended as expected.
pub fn written(command: &mut Command, success: bool) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    assert_eq!(status.code(), Some(if success { 0 } else { 1 }), "{command:?}: {text}");
    text
}
