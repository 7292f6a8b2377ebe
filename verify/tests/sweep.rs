//! The results and flags of what ships, through every entry point at every level, in every mode: four blocks of 2^24 inputs
//! and all hard inputs. And that a sweep fails where it should.

mod common;

use std::path::{Path, PathBuf};

use common::{compile, library_folder, verify, written};
use tempfile::TempDir;

const FUNCTIONS: [&str; 2] = ["erff", "expf"];

/// Levels, and whether this CPU has them.
#[cfg(target_arch = "x86_64")]
fn levels() -> Vec<(&'static str, bool)> {
    use std::arch::is_x86_feature_detected as has;
    let fma = has!("fma");
    let avx2 = fma && has!("avx2");
    vec![("scalar", true), ("sse2", true), ("fma", fma), ("avx2", avx2), ("avx512", avx2 && has!("avx512f"))]
}
#[cfg(target_arch = "aarch64")]
fn levels() -> Vec<(&'static str, bool)> {
    vec![("scalar", true), ("fma", true), ("neon", true)]
}

/// Letters of vector functions, and whether this CPU can run them.
#[cfg(target_arch = "x86_64")]
fn letters() -> Vec<(&'static str, bool)> {
    use std::arch::is_x86_feature_detected as has;
    vec![("b", true), ("c", has!("avx")), ("d", has!("avx2")), ("e", has!("avx512f"))]
}
#[cfg(target_arch = "aarch64")]
fn letters() -> Vec<(&'static str, bool)> {
    vec![("n2", true), ("n4", true)]
}

/// The names of those that this CPU has; the others are said to be skipped.
fn available(all: Vec<(&'static str, bool)>) -> Vec<&'static str> {
    for (name, _) in all.iter().filter(|(_, has)| !has) {
        println!("skipped: this CPU lacks what {name} takes");
    }
    all.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
}

/// The options for each level, and for each entry point but the scalar one at each level.
fn scalar_and_others() -> (Vec<Vec<&'static str>>, Vec<Vec<&'static str>>) {
    let levels: Vec<_> = available(levels()).into_iter().map(|level| vec!["--level", level]).collect();
    let vectors = available(letters()).into_iter().map(|letter| vec!["--vector", letter]);
    let others: Vec<_> = vectors.chain([vec!["--bulk"]]).collect();
    let others = levels.iter().flat_map(|level| others.iter().map(|other| [&level[..], other].concat())).collect();
    (levels, others)
}

/// Subnormals, the results that differ most, and where results saturate, overflow and underflow.
fn blocks(function: &str) -> &'static str {
    match function {
        "erff" => "0,63,64,191",
        _ => "0,63,66,194",
    }
}

fn check(subcommand: &str, function: &str, options: &[&str]) {
    let library = library_folder().join("libhalfulp.so");
    let mut command = verify(subcommand);
    command.args([function, "--mode", "all", "--blocks", blocks(function)]).args(options);
    let text = written(command.arg("--library").arg(library), true);
    assert_eq!(
        text.matches("wrong 0, digest ").count() + text.matches("wrong flags 0 in 4 blocks, ").count(),
        4,
        "{text}"
    );
}

#[test]
fn results_are_the_golden_ones() {
    let (scalar, others) = scalar_and_others();
    for options in scalar.into_iter().chain(others) {
        for function in FUNCTIONS {
            check("sweep", function, &[&options[..], &["--quick"]].concat());
        }
    }
}

#[test]
fn flags_are_the_promised_ones() {
    let (scalar, others) = scalar_and_others();
    for function in FUNCTIONS {
        for options in &scalar {
            // The scalar functions of the other levels are those of these two.
            let every = if ["scalar", "fma"].contains(&options[1]) { "1" } else { "256" };
            check("flags", function, &[&options[..], &["--every", every]].concat());
        }
        for options in &others {
            check("flags", function, options);
        }
    }
}

/// A library made from C source, with all that it does not define from halfulp.
fn library_with(source: &str) -> (TempDir, PathBuf) {
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

/// What a sweep or flag check of expf in some blocks says about a library that must fail.
fn fault(subcommand: &str, library: &Path, options: &[&str]) -> String {
    written(verify(subcommand).arg("expf").args(options).arg("--library").arg(library), false)
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
    let (_folder, library) = library_with(NEARLY);
    let sweep = |mode| fault("sweep", &library, &["--blocks", "63", "--mode", mode]);
    let nearest = sweep("rn");
    assert!(nearest.contains("wrong 1, first at 0x1p-1, largest error 1."), "{nearest}");
    let upward = sweep("ru");
    assert!(!upward.contains("wrong 0") && upward.contains("not the golden ones"), "{upward}");
}

/// Array and vector functions that are right but where FAULTY says so: there the last bit of the result is another.
const ARRAYS: &str = "
    #include <stddef.h>
    extern float halfulp_expf(float);
    static float with_fault(float x, int faulty)
    {
        union { float number; unsigned bits; } y = { halfulp_expf(x) };
        y.bits ^= (unsigned)faulty;
        return y.number;
    }
    void halfulp_expf_n(size_t n, const float *x, float *y)
    {
        for (size_t i = 0; i < n; i++)
            y[i] = with_fault(x[i], FAULTY);
    }
    typedef float vector __attribute__((vector_size(16)));
    VECTOR
    {
        vector y;
        size_t n = 4;
        for (size_t i = 0; i < n; i++)
            y[i] = with_fault(x[i], FAULTY);
        return y;
    }
";
#[cfg(target_arch = "x86_64")]
const VECTOR: [&str; 3] = ["--vector", "b", "vector _ZGVbN4v_expf(vector x)"];
#[cfg(target_arch = "aarch64")]
const VECTOR: [&str; 3] = ["--vector", "n4", "__attribute__((aarch64_vector_pcs)) vector _ZGVnN4v_expf(vector x)"];

fn arrays_with(faulty: &str) -> (TempDir, PathBuf) {
    library_with(&ARRAYS.replace("FAULTY", faulty).replace("VECTOR", VECTOR[2]))
}

#[test]
fn a_fault_in_the_tail_or_in_one_lane_is_found() {
    let [tail, lane] = ["i == n - 1 && n % 16 == 9", "i == 2 && n == 4"];
    // Ordinary inputs, subnormals, NaNs, and those that overflow or underflow.
    for (inputs, block) in [
        ("x[i] != 0.5f", "63"),
        ("x[i] != 0 && x[i] < 0x1p-126f", "0"),
        ("x[i] != x[i]", "127"),
        ("x[i] > 89", "66"),
        ("x[i] < -104", "195"),
    ] {
        for (place, options) in [(tail, &["--bulk"][..]), (lane, &VECTOR[..2])] {
            let (_folder, library) = arrays_with(&format!("{place} && {inputs}"));
            let text = fault("sweep", &library, &[&["--blocks", block, "--quick"], options].concat());
            assert!(text.contains("not the golden ones"), "{text}");
        }
    }
}

#[test]
fn a_result_spoilt_by_its_neighbour_is_found() {
    // In the blocks no NaN stands among others.
    let (_folder, library) = arrays_with("i % 16 == 3 && x[i] != x[i] && x[i - 1] == x[i - 1]");
    for options in [&["--bulk"][..], &VECTOR[..2]] {
        let text = fault("sweep", &library, &[&["--blocks", "127"], options].concat());
        assert!(text.contains("wrong 0, ") && text.contains("hard inputs wrong 0, beside them "), "{text}");
    }
}

/// An array function that does something before and something after its work.
const FLAGS: &str = "
    #include <fenv.h>
    #include <stddef.h>
    extern float halfulp_expf(float);
    static volatile float zero = 0, one = 1, three = 3, huge = 0x1p127f, tiny = 0x1p-127f, result;
    void halfulp_expf_n(size_t n, const float *x, float *y)
    {
        BEFORE;
        for (size_t i = 0; i < n; i++)
            y[i] = halfulp_expf(x[i]);
        AFTER;
    }
";

#[test]
fn wrong_flags_of_arrays_are_found() {
    let flags = |before, after| library_with(&FLAGS.replace("BEFORE", before).replace("AFTER", after));
    for (before, after, says) in [
        ("", "if (n == 7) result = huge * huge", ["raises OF+NX, promised NX", "wrong flags "]),
        ("", "if (n == 6 && x[5] != 0) result = huge * huge", ["raises OF+NX, promised NX", " at 5 of 6 "]),
        ("", "if (n > 8192) result = tiny * tiny", ["raises UF+NX, promised NX, ", " of 8705 "]),
        ("", "if (n == 5) result = one / zero", ["raises NX+DZ, promised NX", "wrong flags "]),
        ("", "if (n == 3) result = zero / zero", ["raises NV+NX, promised NX", "wrong flags "]),
        ("", "if (n == 9) feclearexcept(FE_INEXACT)", ["raises none, promised NX", " of 9"]),
        ("feclearexcept(FE_DIVBYZERO)", "", ["leaves only NV+OF+UF+NX of all flags", "wrong flags 65536 "]),
        ("if (n == 47) feclearexcept(FE_ALL_EXCEPT)", "", ["leaves only NX of all flags", " of 47"]),
    ] {
        let (_folder, library) = flags(before, after);
        let text = fault("flags", &library, &["--bulk", "--mode", "rn", "--blocks", "63"]);
        assert!(says.iter().all(|part| text.contains(part)), "{says:?} expected: {text}");
    }
    // A flag that is lost where many inputs are given at once.
    let (_folder, library) = flags("", "if (n == 2048) feclearexcept(FE_OVERFLOW)");
    let text = fault("flags", &library, &["--bulk", "--mode", "rn", "--blocks", "66"]);
    assert!(text.contains("expf of 2048 inputs from 0x1.") && text.contains("raises NX, promised OF+NX"), "{text}");
    // Only inexact may be raised for nothing.
    let (_folder, library) = flags("", "result = one / three");
    written(verify("flags").args(["expf", "--bulk", "--blocks", "127", "--library"]).arg(library), true);
}

#[test]
fn all_goes_through_every_entry_point() {
    let all = ["--quick", "--blocks", "127", "--every", "4096", "--library"];
    let text = written(verify("all").args(all).arg(library_folder().join("libhalfulp.so")), true);
    let [levels, letters] = [levels(), letters()].map(available);
    let count = levels.len() * FUNCTIONS.len() * (2 + letters.len());
    assert!(text.contains(&format!("as promised: {count} entry points, ")), "{text}");
    for level in levels {
        let names = text.lines().filter(|line| line.ends_with(&format!(", level {level}")));
        assert_eq!(names.count(), FUNCTIONS.len() * (2 + letters.len()), "{text}");
    }
    let (_folder, library) = arrays_with("i == 0 && n == 4");
    let text = written(verify("all").args(all).arg(library), false);
    assert!(text.contains("error: not everything is as promised"), "{text}");
    let text = written(verify("all").args(all).arg("libm.so.6"), false);
    assert!(text.contains("skipped: libm.so.6 has no symbol halfulp_set_level; "), "{text}");
}

#[test]
fn bad_arguments_are_named() {
    let error = |arguments: &[&str]| written(verify("sweep").args(arguments), false);
    assert!(error(&["erff", "--library", "/nowhere/lib.so"]).contains("no such file: /nowhere/lib.so"));
    assert!(error(&["erff", "--library", "/dev/null"]).contains("cannot load /dev/null"));
    assert!(error(&["erff", "--library", "libm.so.6", "--symbol", "frobnicate"]).contains("has no symbol frobnicate"));
    assert!(error(&["erff", "--library", "libm.so.6", "--bulk"]).contains("has no symbol halfulp_erff_n"));
    assert!(error(&["erff", "--library", "libm.so.6", "--level", "fma"]).contains("has no symbol halfulp_set_level"));
    let library = library_folder().join("libhalfulp.so");
    let library = library.to_str().unwrap();
    assert!(error(&["erff", "--library", library, "--level", "avx9000"]).contains("level avx9000 is unknown"));
    let unknown = verify("sweep").arg("sinf").output().unwrap();
    assert!(
        !unknown.status.success() && String::from_utf8_lossy(&unknown.stderr).contains("[possible values: erff, expf]")
    );
}
