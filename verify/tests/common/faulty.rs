//! What the tests of faults share: libraries that have them.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::common::{compile, library_folder};

/// A library made from C source, with all that it does not define from halfulp.
pub fn library_with(source: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let libraries = library_folder();
    let search = format!("-L{}", libraries.display());
    let path = format!("-Wl,-rpath,{}", libraries.display());
    let soname = folder.path().join("libhalfulp.so.0");
    std::os::unix::fs::symlink(libraries.join("libhalfulp.so"), soname).unwrap();
    let own = format!("-Wl,-rpath,{}", folder.path().display());
    let options = ["-shared", "-fPIC", "-fno-builtin", "-O1", &search, &path, &own, "-lhalfulp", "-lm"];
    let library = compile(folder.path(), "faulty.so", source, &options);
    (folder, library)
}
