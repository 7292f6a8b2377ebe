"""Writes kernel/src/data/erfc.rs, the cells of erfcx, which erfcf, normcdff and geluf share, and kernel/src/data/normal.rs,
those of geluf_grad.

Each cell's polynomial is a near-minimax fit in relative error. The hard inputs of the functions (verify/golden/*.hard,
decided by MPFR) are then run through the kernels' arithmetic in all modes, fused and not; where one rounds wrong, the
leading coefficients of its cell are moved, by some ulp, until all round right. The sweep over all inputs proves it.
"""

import os
import re
import struct
from fractions import Fraction

from mpmath import erfc, exp, findroot, mpf, pi, sqrt

import exp as exponential
from common import ARITHMETICS, ROOT, closeness, double, fit, fraction, hard_inputs, log2, moved, nearest_first, polynomial
from common import real, single, single_near, write_rust

BINADES = 4
DEGREE = 7
# So many ulps of the first coefficients make about one ulp of the value at the end of the first cell.
STEPS = [1, 64, 64**2]
INFINITY = 0x7F800000
# As in kernel/src/erfc.rs and normal.rs: where results are those of other arguments.
NEAREST = Fraction(1, 2**40)
TINY = Fraction(1, 2**12)
ROOT_HALF = Fraction(float(single_near(1 / sqrt(2)))), Fraction(double(1 / sqrt(2)))
HALF = Fraction(1, 2)


def erfcx(a):
    return exp(a * a) * erfc(a)


def root():
    """The only zero of Φ(-a) - a·φ(a)."""
    return findroot(lambda a: erfcx(a / sqrt(2)) / 2 - a / sqrt(2 * pi), mpf("0.75"))


ZERO = [double(root()), double(root() - mpf(double(root())))]


def gradient_factor(a):
    """(Φ(-a) - a·φ(a))/(exp(-a²/2)·(root - a))."""
    return (erfcx(a / sqrt(2)) / 2 - a / sqrt(2 * pi)) / (root() - a)


def numbers(path, name):
    """The numbers of an item of a data file."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = re.search(name + r":[^=]*=([^;]*);", file.read())[1]
    return [int(word, 16) if word.startswith("0x") else float(word) for word in re.findall(r"0x[0-9a-f]+|[0-9.]+", text)]


POWERS = numbers("kernel/src/data/exp.rs", "POWERS")
C2, C3 = map(Fraction, numbers("kernel/src/data/exp.rs", "CUBIC"))


def power_and_rest(arithmetic, near, x):
    """That of kernel/src/exp.rs."""
    k = exponential.index_of(arithmetic, near)
    index = k + exponential.INDEX_OF_ZERO
    bits = (POWERS[index % exponential.POWERS] + (index << 52) // exponential.POWERS) % 2**64
    power = Fraction(struct.unpack("<d", struct.pack("<Q", bits))[0])
    return power, exponential.rest(arithmetic, x, k, C2, C3)


def bell(arithmetic, a, exponent, factor):
    """exp(-exponent·a²), times a factor."""
    power, rest = power_and_rest(arithmetic, arithmetic.f32(-exponent * a * a), -exponent * a * a)
    return arithmetic.mul_add(power * factor, rest, power * factor)


class Cells:
    """A function by cells: of its argument a plus 1, so many a binade."""

    def __init__(self, function, a_binade):
        self.function, self.a_binade = function, a_binade
        self.count = BINADES * a_binade
        rows = [self.fitted(i) for i in range(self.count)]
        self.rows, self.error = [row for row, _ in rows], max(error for _, error in rows)
        self.moves = 0

    def centre(self, index):
        binade, place = divmod(index, self.a_binade)
        return 2**binade * (1 + Fraction(2 * place + 1, 2 * self.a_binade)) - 1

    def fitted(self, index):
        centre = real(self.centre(index))
        half = mpf(2) ** (index // self.a_binade) / (2 * self.a_binade) + mpf(2) ** -20
        # Divided by the value at the centre, so that the error is nearly relative.
        row = [double(mpf(e)) for e in fit(lambda h: self.function(centre + h), -half, half, DEGREE)]
        points = [half * i / 50 for i in range(-50, 51)]
        return row, max(abs(polynomial(row, h) / self.function(centre + h) - 1) for h in points)

    def index(self, arithmetic, near):
        shifted = arithmetic.f32(near + 1)
        binade = int(shifted).bit_length() - 1
        return binade * self.a_binade + int((shifted / 2**binade - 1) * self.a_binade)

    def tune(self, cases):
        """Moves what makes a case (arithmetic, index, h, rest of the function, right result) wrong."""
        of_index = [[] for _ in range(self.count)]
        for case in cases:
            of_index[case[1]].append(case)
        for index in range(self.count):
            self.rows[index], move = self.search(self.rows[index], of_index[index], index)
            self.moves += any(move)

    @staticmethod
    def search(row, cases, index):
        """The nearest row that serves all cases, and its leading coefficients' moves in their steps."""
        cases = list(cases)
        for steps in moves_by_size(40):
            candidate = [moved(c, step * unit) for c, step, unit in zip(row, steps, STEPS)] + row[len(STEPS) :]
            exact = [Fraction(e) for e in candidate]
            wrong = next((i for i, case in enumerate(cases) if not serves(exact, case)), None)
            if wrong is None:
                return candidate, steps
            # What ruled out the last row is asked first.
            cases.insert(0, cases.pop(wrong))
        raise SystemExit(f"erfc: cell {index}: no coefficients serve all hard inputs")

    def rotated(self):
        """The rows in the order of the leading bits of 1 + a, which for a = 0 are those of 1."""
        first = 0x3F800000 >> (23 - self.a_binade.bit_length() + 1)
        return [self.rows[(i - first) % self.count] for i in range(self.count)]


def moves_by_size(limit):
    """Three numbers of steps, those with few in all first."""
    for total in range(limit):
        for first in nearest_first(total):
            rest = total - abs(first)
            for second in nearest_first(rest):
                for third in {rest - abs(second), abs(second) - rest}:
                    yield first, second, third


def serves(row, case):
    arithmetic, _, h, finish, right = case
    return arithmetic.f32(finish(arithmetic.polynomial(row, h))) == right


def located(cells, arithmetic, near, a):
    index = cells.index(arithmetic, near)
    return index, arithmetic.f64(a - cells.centre(index))


def erfcf(arithmetic, x, cells):
    """Index, h, and what becomes of the polynomial's value, as in kernel/src/erfc.rs."""
    a = abs(x)
    index, h = located(cells, arithmetic, a, a)
    scale = bell(arithmetic, a, 1, 1)
    return index, h, lambda value: arithmetic.mul_add(scale, value, 0) if x > 0 else arithmetic.mul_add(-scale, value, 2)


def normcdff(arithmetic, x, cells, factor=1):
    """The same of kernel/src/normal.rs."""
    a = abs(x)
    near, far = arithmetic.f32(a * ROOT_HALF[0]), arithmetic.f64(a * ROOT_HALF[1])
    index, h = located(cells, arithmetic, near, far)
    scale = bell(arithmetic, a, HALF, -HALF)
    def finish(value):
        cdf = arithmetic.mul_add(scale, value, 1) if x > 0 else arithmetic.mul_add(-scale, value, 0)
        return cdf if factor == 1 else arithmetic.f64(factor * cdf)
    return index, h, finish


def geluf(arithmetic, x, cells):
    return normcdff(arithmetic, x, cells, x)


def geluf_grad(arithmetic, x, cells):
    a = abs(x)
    index, h = located(cells, arithmetic, a, a)
    distance = arithmetic.f64(arithmetic.f64(a - Fraction(ZERO[0])) - Fraction(ZERO[1]))
    scale = bell(arithmetic, a, HALF, 1)
    # Positive x leaves the sign of the bell.
    return index, h, lambda value: arithmetic.mul_add(
        arithmetic.f64((scale if x > 0 else -scale) * distance), value, 1 if x > 0 else 0
    )


FUNCTIONS = {
    erfcf: lambda x: erfc(x),
    normcdff: lambda x: erfc(-x / sqrt(2)) / 2,
    geluf: lambda x: x * erfc(-x / sqrt(2)) / 2,
    geluf_grad: lambda x: erfc(-x / sqrt(2)) / 2 + x * exp(-x * x / 2) / sqrt(2 * pi),
}


# From where to where the path that takes the polynomial goes.
RANGES = {erfcf: (NEAREST, 10.5), normcdff: (TINY, 15), geluf: (NEAREST, 15), geluf_grad: (TINY, 15)}


def close_inputs(function, least, limit):
    """The hard inputs that an error of 2^-46 could make wrong, with their right results."""
    inputs = [(single(bits), results) for bits, results in hard_inputs(function.__name__)]
    return [
        (x, [single(result) for result in results])
        for x, results in inputs
        if least <= abs(x) < limit and closeness(FUNCTIONS[function](real(x))) <= mpf(2) ** -46
    ]


def cases_of(function, cells):
    cases = []
    for x, results in close_inputs(function, *RANGES[function]):
        for arithmetic in ARITHMETICS:
            index, h, finish = function(arithmetic, x, cells)
            cases.append((arithmetic, index, h, finish, results[arithmetic.mode]))
    return cases


def check_near_half():
    """Whether near_half of kernel/src/normal.rs serves the hard inputs nearer to 0 than TINY."""
    density = 1 / sqrt(2 * pi)
    for function, slope, cubic in [(normcdff, density, -density / 6), (geluf_grad, 2 * density, -2 * density / 3)]:
        for x, results in close_inputs(function, 0, TINY):
            base = HALF + Fraction(1 if x > 0 else -1, 2**53)
            for arithmetic in ARITHMETICS:
                slope_at_x = arithmetic.mul_add(arithmetic.f64(x * x), Fraction(double(cubic)), Fraction(double(slope)))
                assert arithmetic.f32(arithmetic.mul_add(x, slope_at_x, base)) == results[arithmetic.mode], x


def header(what, cells):
    return [
        f"{what} in {cells.count} cells of 1 + a, {cells.a_binade} a binade: degree {DEGREE}, largest relative error",
        f"2^{log2(cells.error):.1f} before rounding; {cells.moves} cells moved by some ulp for the sake of a hard input.",
    ]


def main():
    cells = Cells(erfcx, 32)
    cells.tune([case for function in (erfcf, normcdff, geluf) for case in cases_of(function, cells)])
    text = header("erfcx(a)", cells)
    rows = ("The coefficients of each cell, constant term first, in the order of the leading bits of 1 + a", "ROWS")
    print("\n".join(text))
    kind = f"[[f64; {DEGREE + 1}]; {cells.count}]"
    write_rust("kernel/src/data/erfc.rs", "erfc.py", text, [(*rows, kind, cells.rotated())])

    cells = Cells(gradient_factor, 16)
    cells.tune(cases_of(geluf_grad, cells))
    text = header("(Φ(-a) - a·φ(a))/(exp(-a²/2)·(zero - a))", cells)
    print("\n".join(text))
    kind = f"[[f64; {DEGREE + 1}]; {cells.count}]"
    check_near_half()
    zero = ("Minus the zero of Φ(x) + x·φ(x), in two doubles", "ZERO", "[f64; 2]", ZERO)
    density = ("φ(0)", "DENSITY", "f64", double(1 / sqrt(2 * pi)))
    items = [density, zero, (*rows, kind, cells.rotated())]
    write_rust("kernel/src/data/normal.rs", "erfc.py", text, items)


if __name__ == "__main__":
    main()
