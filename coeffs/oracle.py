"""Writes verify/src/data/oracle.rs: the tables of the verifier's own functions, which share nothing with the kernels."""

from mpmath import erf, erfc, exp, findroot, log, mp, mpf, pi, sqrt, workprec

from common import double, round_to, fraction, write_rust

ERF_CELLS_A_UNIT = 32
ERF_LAST = 6  # erfc(6) < 2^-55: beyond, the value is 1 to the oracle's accuracy
TAIL_CELLS_A_UNIT = 16
ERFC_LAST = 11  # erfc(11) < 2^-177
NORMAL_LAST = 15  # Phi(-15) < 2^-163
TOP = 12  # the highest power in the series of a tail
EXP_POWERS = 64


def pair(value):
    """A value as the double nearest to it and the double nearest to the rest."""
    high = double(value)
    return [high, double(value - mpf(high))]


class Tail:
    """factor·erfc(x·sqrt(scale)) without its decay, exp(-scale·x^2): y' = 2·scale·x·y - decline."""

    def __init__(self, factor, scale):
        self.factor, self.scale = mpf(factor), mpf(scale)
        self.decline = 2 * self.factor * sqrt(self.scale / pi)

    def value(self, x):
        return self.factor * erfc(x * sqrt(self.scale)) * exp(self.scale * x * x)

    def slope(self, x):
        return 2 * self.scale * x * self.value(x) - self.decline

    def last(self, centre):
        """The last two coefficients of Taylor's series: (n+1)·a[n+1] = 2·scale·(centre·a[n] + a[n-1])."""
        a, b = self.value(centre), self.slope(centre)
        for n in range(1, TOP):
            a, b = b, 2 * self.scale * (centre * b + a) / (n + 1)
        return [double(a), double(b)]

    def rows(self, last):
        centres = [mpf(k) / TAIL_CELLS_A_UNIT for k in range(last * TAIL_CELLS_A_UNIT + 1)]
        return [pair(self.value(c)) + pair(self.slope(c)) + self.last(c) for c in centres]


def main():
    centres = [mpf(k) / ERF_CELLS_A_UNIT for k in range(ERF_LAST * ERF_CELLS_A_UNIT + 1)]
    erf_rows = [pair(erf(c)) + pair(2 / sqrt(pi) * exp(-c * c)) for c in centres]
    step = log(2) / EXP_POWERS
    head = float(round_to(fraction(step), 38))  # k has 14 bits: k·head is exact
    with workprec(2 * mp.prec):  # the series' recurrence loses up to 80 bits
        complement, normal = Tail(1, 1), Tail(mpf(1) / 2, mpf(1) / 2)
        complement_rows, normal_rows = complement.rows(ERFC_LAST), normal.rows(NORMAL_LAST)
        density = normal.decline
        zero = findroot(lambda x: normal.value(x) - x * density, 0.75)
        zero_row = [0.0, 0.0] + pair(normal.slope(zero) - density) + normal.last(zero)
        density, zero = pair(density), pair(zero)
    write_rust(
        "verify/src/data/oracle.rs",
        "oracle.py",
        [
            "Every pair is a value as the double nearest to it and the double nearest to the rest: relative error 2^-107.",
        ],
        [
            ("erf at k/32 and its derivative there, each as a pair", "ERF", "[[f64; 4]; %d]" % len(erf_rows), erf_rows),
            (
                f"erfc(x)·exp(x^2) at k/16 and its derivative there, each as a pair, and Taylor's coefficients {TOP - 1} and {TOP}",
                "ERFC", "[[f64; 6]; %d]" % len(complement_rows), complement_rows,
            ),
            (
                f"Phi(-x)·exp(x^2/2) at k/16 and its derivative there, each as a pair, and Taylor's coefficients {TOP - 1} and {TOP}",
                "NORMAL", "[[f64; 6]; %d]" % len(normal_rows), normal_rows,
            ),
            ("1/sqrt(2·pi) as a pair", "DENSITY", "[f64; 2]", density),
            ("Where Phi(-x) = x·phi(x), as a pair", "ZERO", "[f64; 2]", zero),
            ("(Phi(-x) - x·phi(x))·exp(x^2/2) there, as a row of `NORMAL`", "ZERO_ROW", "[f64; 6]", zero_row),
            ("2^(i/64) as a pair", "EXP", f"[[f64; 2]; {EXP_POWERS}]", [pair(mpf(2) ** (mpf(i) / EXP_POWERS)) for i in range(EXP_POWERS)]),
            ("ln(2)/64: 38 bits, and the rest", "EXP_STEP", "[f64; 2]", [head, double(step - mpf(head))]),
        ],
    )


if __name__ == "__main__":
    main()
