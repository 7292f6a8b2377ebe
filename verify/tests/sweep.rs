//! The results and flags of what ships, at every level, in every mode: four blocks of 2^24 inputs and all hard inputs.
//! And that a sweep fails where it should.

mod common;

use common::{compile, library_folder, verify, written};

const LEVELS: [&str; 2] = ["scalar", "fma"];

/// Subnormals, the results that differ most, and where results saturate, overflow and underflow.
fn blocks(function: &str) -> &'static str {
    match function {
        "erff" => "0,63,64,191",
        _ => "0,63,66,194",
    }
}

fn check(subcommand: &str, function: &str, level: &str, options: &[&str]) {
    let library = library_folder().join("libhalfulp.so");
    let mut command = verify(subcommand);
    command.args([function, "--mode", "all", "--level", level, "--blocks", blocks(function)]).args(options);
    let text = written(command.arg("--library").arg(library), true);
    assert_eq!(text.matches("wrong").count(), text.matches("wrong 0").count() + text.matches("wrong flags 0").count());
}

fn available(level: &str) -> bool {
    #[cfg(target_arch = "x86_64")]
    let has_fma = std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    let has_fma = cfg!(target_arch = "aarch64");
    let has = level == "scalar" || has_fma;
    if !has {
        println!("skipped: this CPU has no level {level}");
    }
    has
}

#[test]
fn results_are_the_golden_ones() {
    for level in LEVELS.into_iter().filter(|level| available(level)) {
        for function in ["erff", "expf"] {
            check("sweep", function, level, &["--quick"]);
        }
    }
}

#[test]
fn flags_are_the_promised_ones() {
    for level in LEVELS.into_iter().filter(|level| available(level)) {
        for function in ["erff", "expf"] {
            check("flags", function, level, &[]);
        }
    }
}

/// A library that is right but for one input, and rounds as if the mode were to nearest.
const NEARLY: &str = "
    extern float halfulp_expf(float);
    extern int fegetround(void), fesetround(int);
    float expf(float x)
    {
        int mode = fegetround();
        fesetround(0);
        float y = halfulp_expf(x);
        fesetround(mode);
        return x == 0.5f ? y - 0x1p-23f : y;
    }
";

#[test]
fn one_wrong_result_is_found_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let libraries = library_folder();
    let search = format!("-L{}", libraries.display());
    let path = format!("-Wl,-rpath,{}", libraries.display());
    let soname = folder.path().join("libhalfulp.so.0");
    std::os::unix::fs::symlink(libraries.join("libhalfulp.so"), soname).unwrap();
    let own = format!("-Wl,-rpath,{}", folder.path().display());
    let options = ["-shared", "-fPIC", "-fno-builtin", &search, &path, &own, "-lhalfulp", "-lm"];
    let library = compile(folder.path(), "nearly.so", NEARLY, &options);
    let sweep = |mode| {
        written(verify("sweep").args(["expf", "--blocks", "63", "--mode", mode, "--library"]).arg(&library), false)
    };
    let nearest = sweep("rn");
    assert!(nearest.contains("wrong 1, first at 0x1p-1, largest error 1."), "{nearest}");
    let upward = sweep("ru");
    assert!(!upward.contains("wrong 0") && upward.contains("not the golden ones"), "{upward}");
}

#[test]
fn bad_arguments_are_named() {
    let error = |arguments: &[&str]| written(verify("sweep").args(arguments), false);
    assert!(error(&["erff", "--library", "/nowhere/lib.so"]).contains("no such file: /nowhere/lib.so"));
    assert!(error(&["erff", "--library", "/dev/null"]).contains("cannot load /dev/null"));
    assert!(error(&["erff", "--library", "libm.so.6", "--symbol", "frobnicate"]).contains("has no symbol frobnicate"));
    assert!(error(&["erff", "--library", "libm.so.6", "--level", "fma"]).contains("has no symbol halfulp_set_level"));
    let library = library_folder().join("libhalfulp.so");
    let library = library.to_str().unwrap();
    assert!(error(&["erff", "--library", library, "--level", "avx9000"]).contains("level avx9000 is unknown"));
    let unknown = verify("sweep").arg("sinf").output().unwrap();
    assert!(
        !unknown.status.success() && String::from_utf8_lossy(&unknown.stderr).contains("[possible values: erff, expf]")
    );
}
