//! A sweep of a faithful form finds what breaks its promise, and tells what is faithful from what is correctly rounded.

mod common;
#[path = "common/faulty.rs"]
mod faulty;

use common::{verify, written};
use faulty::library_with;

/// The faithful form of a function that is the exact one, but where FAULT says so: that may change y[i].
/// `up` gives the float above, `down` the one below.
const FAITHFUL: &str = "
    #include <stddef.h>
    #include <string.h>
    extern void EXACT(size_t n, const float *x, float *y);
    static volatile float huge = 0x1p127f, result;
    static float from(unsigned bits) { float x; memcpy(&x, &bits, 4); return x; }
    static unsigned bits(float x) { unsigned bits; memcpy(&bits, &x, 4); return bits; }
    static const float HARD = 0x1.0359cp+1f; /* of expf */
    static float up(float y) { return from(bits(y) + 1); }
    static float down(float y) { return from(bits(y) - 1); }
    void NAME(size_t n, const float *arguments, float *y)
    {
        float all[64]; /* the results may take the arguments' place */
        for (size_t start = 0; start < n; start += 64) {
            size_t length = n - start < 64 ? n - start : 64;
            memcpy(all, arguments + start, length * sizeof *all);
            EXACT(length, all, y + start);
            for (size_t i = start; i < start + length; i++) {
                float x = all[i - start];
                FAULT;
            }
        }
    }
";

/// What the verifier says of the faithful form with this fault, which must not pass.
fn says(subcommand: &str, function: &str, fault: &str, options: &str) -> String {
    let [exact, name] = ["", "_faithful"].map(|form| format!("halfulp_{function}{form}_n"));
    let source = FAITHFUL.replace("EXACT", &exact).replace("NAME", &name).replace("FAULT", fault);
    let (_folder, library) = library_with(&source);
    let options = ["--faithful"].into_iter().chain(options.split(' '));
    written(verify(subcommand).arg(function).args(options).arg("--library").arg(library), false)
}

/// Function, fault, options, and what the sweep says.
fn expect_of_sweeps(cases: &[[&str; 4]]) {
    for [function, fault, options, expected] in cases {
        let text = says("sweep", function, fault, options);
        assert!(text.contains(expected), "{expected:?} expected of {function} with {fault}: {text}");
    }
}

#[test]
fn what_breaks_the_promise_is_found_and_named() {
    expect_of_sweeps(&[
        // Two floats off; the value lies above the middle, so the one below is faithful and the one above is not.
        ["expf", "if (x == 0.5f) y[i] = up(up(y[i]))", "--blocks 63", "promised 1, first at 0x1p-1, unfaithful 1"],
        ["expf", "if (x == 0.5f) y[i] = x - x + 2", "--blocks 63", "largest error 2946"],
        ["expf", "if (x == 0.5f) y[i] = x / 0", "--blocks 63", "promised 1, first at 0x1p-1, unfaithful 1"],
        // Special values have no other.
        ["expf", "if (x == 0) y[i] = up(y[i])", "--blocks 0", "promised 1, first at 0x0p+0, unfaithful 1"],
        ["erff", "if (x == 0) y[i] = 0", "--blocks 128", "promised 1, first at -0x0p+0, unfaithful 1"],
        [
            "geluf",
            "if (x != x) y[i] = from(0x7fc00000)",
            "--blocks 127",
            "promised 8388606, first at nan, unfaithful 8388606",
        ],
        // Saturation is as that of the exact form, though a finite number, or one below 1, may be one of the two floats.
        ["expf", "if (x == 100) y[i] = down(y[i])", "--blocks 66", "promised 1, first at 0x1.9p+6, unfaithful 0"],
        ["erff", "if (x == 4) y[i] = down(y[i])", "--blocks 64", "promised 1, first at 0x1p+2, unfaithful 0"],
        ["erff", "if (x == 4) y[i] = up(y[i])", "--blocks 64", "promised 1, first at 0x1p+2, unfaithful 1"],
        // The range.
        ["erff", "if (x == 4) y[i] = up(y[i])", "--blocks 64", "out of range 1, descents 1, not odd 1, "],
        [
            "normcdff",
            "if (x == -20) y[i] = -y[i]",
            "--blocks 193",
            "largest error 0.12500 ulp at -0x1.4p+4, out of range 1",
        ],
        [
            "normcdff",
            "if (x == -20) y[i] = -0.0f",
            "--blocks 193 --mode ru",
            "promised 1, first at -0x1.4p+4, unfaithful 1",
        ],
        // In other modes there is a bound.
        ["expf", "if (x == 0.5f) y[i] = 2", "--blocks 63 --mode ru", "promised 1, first at 0x1p-1, unfaithful 1"],
        ["geluf", "if (x == 0) y[i] = 0x1p-149f", "--blocks 0 --mode rd", "promised 1, first at 0x0p+0, unfaithful 1"],
    ]);
}

/// What may be, and is told all the same; other bits than ever may not be.
#[test]
fn faithful_results_are_told_from_exact_ones() {
    expect_of_sweeps(&[
        // exp(2^-11) lies just above a float.
        [
            "expf",
            "if (x == 0x1p-11f) y[i] = up(y[i])",
            "--blocks 58",
            "promised 0, unfaithful 0, wrong 1, largest error 0.99984 ulp at 0x1p-11,",
        ],
        // Where blocks meet; they are looked at together.
        ["expf", "if (x == 0x1.fffffep-12f) y[i] = up(y[i])", "--blocks 57,58", "out of range 0, descents 1, "],
        ["expf", "if (x == 0x1.fffffep-12f) y[i] = up(y[i])", "--blocks 57", "out of range 0, descents 0, "],
        ["expf", "if (x == -0x1p-11f) y[i] = up(up(y[i]))", "--blocks 185,186", "out of range 0, descents 1, "],
        // In another place of an array than alone. The golden digests at this level are those of the exact form.
        [
            "expf",
            "if (i == n - 1 && n % 16 == 9) y[i] = up(y[i])",
            "--blocks 58 --quick --level scalar",
            "not the golden ones, ",
        ],
        [
            "expf",
            "if (i && x == HARD) y[i] = up(y[i])",
            "--blocks 0 --level scalar",
            "all golden, hard inputs not as promised 0, other in another place 1",
        ],
        [
            "expf",
            "if (i && x == HARD) y[i] = up(y[i])",
            "--blocks 0 --quick --level scalar",
            "all golden, hard inputs not as promised 0, other in another place 1",
        ],
        ["erff", "if (x == -0.5f) y[i] = down(y[i])", "--blocks 63", "promised 0, unfaithful 0, wrong 0, "],
        ["erff", "if (x == -0.5f) y[i] = down(y[i])", "--blocks 63", "descents 0, not odd 1, "],
    ]);
}

/// The exact form's results are what those of the faithful form are held against, if they are right.
#[test]
fn a_fault_of_both_forms_is_found() {
    let source = "
        #include <stddef.h>
        extern float halfulp_expf(float);
        void halfulp_expf_n(size_t n, const float *x, float *y)
        {
            for (size_t i = 0; i < n; i++)
                y[i] = halfulp_expf(x[i]) + (x[i] == 0.5f ? 0x1p-22f : 0);
        }
        void halfulp_expf_faithful_n(size_t n, const float *x, float *y) { halfulp_expf_n(n, x, y); }
    ";
    let (_folder, library) = library_with(source);
    let text = written(verify("sweep").args(["expf", "--faithful", "--blocks", "63", "--library"]).arg(library), false);
    assert!(text.contains("promised 1, first at 0x1p-1, unfaithful 1"), "{text}");
}

#[test]
fn wrong_flags_are_found() {
    let text = says("flags", "expf", "if (n == 7) result = huge * huge", "--mode rn --blocks 63");
    assert!(text.contains("raises OF+NX, promised NX"), "{text}");
}

#[test]
fn what_there_is_not_is_named() {
    let error = |arguments: &[&str]| written(verify("sweep").arg("--faithful").args(arguments), false);
    let library = common::library_folder().join("libhalfulp.so");
    let library = library.to_str().unwrap();
    assert!(error(&["erfcf", "--library", library]).contains("has no symbol halfulp_erfcf_faithful_n"));
    assert!(
        error(&["erfcf", "--library", library, "--symbol", "halfulp_erfcf_n"]).contains("there is no faithful erfcf")
    );
    let unfused = ["erff", "--library", library, "--level", "scalar", "--make-golden"];
    assert!(error(&unfused).contains("at a level with fused multiply-add"));
}
