//! The functions in double precision, on the hardest inputs that are known, and those over arrays of half-precision numbers,
//! on all inputs: at every level, in every mode. And that the checks fail where they should.

mod common;
#[path = "common/faulty.rs"]
mod faulty;
#[path = "common/levels.rs"]
mod levels;

use std::path::Path;

use common::{library_folder, verify, written};
use faulty::library_with;
use levels::{available, levels};

fn hard(function: &str, library: &Path, options: &[&str], success: bool) -> String {
    written(verify("double").args(["hard", function, "--library"]).arg(library).args(options), success)
}

#[test]
fn hard_inputs() {
    let library = library_folder().join("libhalfulp.so");
    for level in available(levels()) {
        for function in ["erf", "erfc", "normcdf"] {
            for entry in [&[][..], &["--bulk"]] {
                let text = hard(function, &library, &[&["--level", level], entry].concat(), true);
                assert_eq!(text.matches(" inputs, wrong 0, wrong flags 0\n").count(), 4, "{text}");
            }
        }
    }
}

#[test]
fn halves() {
    let library = library_folder().join("libhalfulp.so");
    for level in available(levels()) {
        let text = written(verify("halves").args(["--level", level, "--library"]).arg(&library), true);
        assert_eq!(text.matches(": wrong RN 0, RU 0, RD 0, RZ 0\n").count(), 8, "{text}");
    }
}

/// erf with one result of many that is another in one mode.
#[test]
fn one_wrong_double_is_found() {
    let source = "
        extern double halfulp_erf(double);
        static volatile double one = 1, little = 0x1p-60;
        double erf(double x)
        {
            double y = halfulp_erf(x);
            return x == 0x1.1ac99f85bb094p-17 && one + little > 1 ? y + 0x1p-69 : y;
        }
    ";
    let (_folder, library) = library_with(source);
    let text = hard("erf", &library, &[], false);
    assert!(text.contains("RN  ") && text.matches("wrong 0, wrong flags 0\n").count() == 3, "{text}");
    assert!(text.lines().any(|line| line.starts_with("RU  ") && !line.contains("wrong 0")), "{text}");
}

/// An array function that raises what no element does, or loses what one raises, or takes some arrays' last element ill.
#[test]
fn faults_of_arrays_of_doubles_are_found() {
    for (fault, mode, says) in [
        ("if (n == 7) result = huge * huge", "rn", "] raises OF+NX, promised NX"),
        ("if (n == 5) feclearexcept(FE_INVALID)", "rz", "raises NX, promised NV+NX"),
        ("if (n == 6) feclearexcept(FE_UNDERFLOW)", "rd", "raises NX, promised UF+NX"),
        ("if (n % 16 == 9) y[n - 1] *= 1 + 0x1p-52", "rn", "not the golden results"),
    ] {
        let source = format!(
            "
            #include <fenv.h>
            #include <stddef.h>
            extern double halfulp_erfc(double);
            static volatile double huge = 0x1p1023, result;
            void halfulp_erfc_n(size_t n, const double *x, double *y)
            {{
                for (size_t i = 0; i < n; i++)
                    y[i] = halfulp_erfc(x[i]);
                {fault};
            }}
        "
        );
        let (_folder, library) = library_with(&source);
        let text = hard("erfc", &library, &["--bulk", "--mode", mode], false);
        assert!(
            text.contains(says) || (says.contains("golden") && text.contains("wrong ")),
            "{says:?} expected: {text}"
        );
    }
}

#[test]
fn wrong_halves_are_found() {
    let source = "
        #include <stddef.h>
        #include <stdint.h>
        extern void halfulp_normcdf_bf16_n(size_t n, const uint16_t *x, uint16_t *y);
        void halfulp_gelu_bf16_n(size_t n, const uint16_t *x, uint16_t *y)
        {
            halfulp_normcdf_bf16_n(n, x, y);
        }
    ";
    let (_folder, library) = library_with(source);
    let text = written(verify("halves").args(["--mode", "rn", "--library"]).arg(library), false);
    let is_wrong = |line: &&str| !line.contains(": wrong RN 0");
    let wrong: Vec<_> = text.lines().filter(|line| line.starts_with("halfulp_")).filter(is_wrong).collect();
    assert!(wrong.len() == 1 && wrong[0].starts_with("halfulp_gelu_bf16_n of "), "{text}");
    assert!(wrong[0].contains(", first: of 0x0000 it is 0x0000, not 0x3f00"), "{text}");
}
