"""Writes verify/src/data/oracle.rs: the tables of the verifier's own erf and exp, which share nothing with the kernels."""

from mpmath import erf, exp, log, mpf, pi, sqrt

from common import double, round_to, fraction, write_rust

ERF_CELLS_A_UNIT = 32
ERF_LAST = 6  # erfc(6) < 2^-55: beyond, the value is 1 to the oracle's accuracy
EXP_POWERS = 64


def pair(value):
    """A value as the double nearest to it and the double nearest to the rest."""
    high = double(value)
    return [high, double(value - mpf(high))]


def main():
    centres = [mpf(k) / ERF_CELLS_A_UNIT for k in range(ERF_LAST * ERF_CELLS_A_UNIT + 1)]
    erf_rows = [pair(erf(c)) + pair(2 / sqrt(pi) * exp(-c * c)) for c in centres]
    step = log(2) / EXP_POWERS
    head = float(round_to(fraction(step), 38))  # k has 14 bits: k·head is exact
    write_rust(
        "verify/src/data/oracle.rs",
        "oracle.py",
        [
            "Every pair is a value as the double nearest to it and the double nearest to the rest: relative error 2^-107.",
        ],
        [
            ("erf at k/32 and its derivative there, each as a pair", "ERF", "[[f64; 4]; %d]" % len(erf_rows), erf_rows),
            ("2^(i/64) as a pair", "EXP", f"[[f64; 2]; {EXP_POWERS}]", [pair(mpf(2) ** (mpf(i) / EXP_POWERS)) for i in range(EXP_POWERS)]),
            ("ln(2)/64: 38 bits, and the rest", "EXP_STEP", "[f64; 2]", [head, double(step - mpf(head))]),
        ],
    )


if __name__ == "__main__":
    main()
