//! The results and flags of what ships, through every entry point at every level, in every mode: sampled blocks of 2^24 inputs
//! and all hard inputs. And that a sweep fails where it should.

mod common;
#[path = "common/faulty.rs"]
mod faulty;
#[path = "common/levels.rs"]
mod levels;

use std::path::{Path, PathBuf};

use common::{library_folder, verify, written};
use faulty::library_with;
use levels::{available, levels};
use tempfile::TempDir;

const FUNCTIONS: [&str; 6] = ["erff", "expf", "erfcf", "normcdff", "geluf", "geluf_grad"];
/// Those of the functions that have vector functions.
const WITH_VECTORS: usize = 3;
/// The one that has no faithful form.
const EXACT_ALONE: &str = "erfcf";

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

/// The options for each level, and for each entry point but the scalar one at each level: those of array functions, of their
/// faithful forms, and of vector functions.
fn options() -> [Vec<Vec<&'static str>>; 4] {
    let levels: Vec<_> = available(levels()).into_iter().map(|level| vec!["--level", level]).collect();
    let with = |more: &[&'static str]| levels.iter().map(|level| [&level[..], more].concat()).collect::<Vec<_>>();
    let vectors = available(letters()).into_iter().flat_map(|letter| with(&["--vector", letter])).collect();
    let [bulk, mut faithful] = ["--bulk", "--faithful"].map(|option| with(&[option]));
    // Elsewhere they are the exact ones.
    faithful.retain(|options| !["scalar", "sse2"].contains(&options[1]));
    [levels, bulk, faithful, vectors]
}

/// The options for each entry point of a function but the scalar one.
fn others(function: &str) -> Vec<Vec<&'static str>> {
    let [_, bulk, faithful, vectors] = options();
    let faithful = if function == EXACT_ALONE { vec![] } else { faithful };
    let vectors = if FUNCTIONS[..WITH_VECTORS].contains(&function) { vectors } else { vec![] };
    [bulk, faithful, vectors].concat()
}

/// The levels whose scalar code is not another's.
fn has_own_scalar_code(options: &[&str]) -> bool {
    ["scalar", "fma"].contains(&options[1])
}

/// Subnormals, the results that differ most, and where results saturate, overflow and underflow.
fn blocks(function: &str) -> &'static str {
    match function {
        "erff" => "0,63,64,191",
        "expf" => "0,63,66,194",
        "erfcf" => "63,64,65",
        _ => "191,192,193",
    }
}

fn check(subcommand: &str, function: &str, options: &[&str]) {
    let library = library_folder().join("libhalfulp.so");
    let mut command = verify(subcommand);
    let blocks = blocks(function);
    command.args([function, "--mode", "all", "--blocks", blocks]).args(options);
    let text = written(command.arg("--library").arg(library), true);
    let flags = format!("wrong flags 0 in {} blocks, ", blocks.split(',').count());
    let right = ["wrong 0, digest ", "not as promised 0, digest ", &flags];
    assert_eq!(right.map(|words| text.matches(words).count()).iter().sum::<usize>(), 4, "{text}");
}

#[test]
fn results_are_the_golden_ones() {
    let [levels, ..] = options();
    for function in FUNCTIONS {
        for options in levels.iter().filter(|options| has_own_scalar_code(options)).chain(&others(function)) {
            check("sweep", function, &[&options[..], &["--quick"]].concat());
        }
    }
}

#[test]
fn flags_are_the_promised_ones() {
    let [levels, ..] = options();
    for function in FUNCTIONS {
        for options in levels.iter().filter(|options| has_own_scalar_code(options)) {
            let every = if ["erff", "expf"].contains(&function) { "1" } else { "16" };
            check("flags", function, &[&options[..], &["--every", every]].concat());
        }
        for options in others(function) {
            let every = if ["erff", "expf"].contains(&function) { "256" } else { "4096" };
            check("flags", function, &[&options[..], &["--every", every]].concat());
        }
    }
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

fn arrays(faulty: &str) -> String {
    ARRAYS.replace("FAULTY", faulty).replace("VECTOR", VECTOR[2])
}

fn arrays_with(faulty: &str) -> (TempDir, PathBuf) {
    library_with(&arrays(faulty))
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
    let all = ["--quick", "--blocks", "64", "--every", "4096", "--library"];
    let text = written(verify("all").args(all).arg(library_folder().join("libhalfulp.so")), true);
    let [levels, letters] = [levels(), letters()].map(available);
    // With scalar and array functions of doubles, and those of halves, whose lines go on behind the level.
    let faithful = FUNCTIONS.len() - 1;
    let (swept, doubles, halves) = (FUNCTIONS.len() * 2 + faithful + WITH_VECTORS * letters.len(), 3 * 2, 4 * 2);
    let count = levels.len() * (swept + doubles + halves);
    assert!(text.contains(&format!("as promised: {count} entry points, ")), "{text}");
    for level in levels {
        let names = text.lines().filter(|line| line.ends_with(&format!(", level {level}")));
        assert_eq!(names.count(), swept + doubles, "{text}");
        assert_eq!(text.matches(&format!(", level {level}: wrong RN 0, RU 0, RD 0, RZ 0\n")).count(), halves, "{text}");
    }
    // It has one level only, so that it is soon done.
    let levels = "int halfulp_set_level(const char *name) { return name[0] != 's' || name[1] != 'c'; }";
    let (_folder, library) = library_with(&format!("{levels} {}", arrays("i == 0 && n == 4")));
    let text = written(verify("all").args(all).arg(library), false);
    assert!(text.contains("not: 2; ") && text.contains("error: not everything is as promised"), "{text}");
    let text = written(verify("all").args(all).arg("libm.so.6"), false);
    assert!(text.contains("skipped: libm.so.6 has no symbol halfulp_set_level\n"), "{text}");
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
        !unknown.status.success()
            && String::from_utf8_lossy(&unknown.stderr).contains("[possible values: erff, expf, erfcf, ")
    );
}
