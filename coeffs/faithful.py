"""Writes kernel/src/data/faithful.rs: the tables of the faithful tier, of 8 or 16 entries, the same for every instruction set.

Minimax fits are the start. Then a search under the kernels' own roundings chooses among centres of cells and among factors
of powers, and moves coefficients. Its objective is the largest error of a result in ulps, over a sample."""

import math

import numpy
from mpmath import cos, erf, erfc, exp, findroot, log, lu_solve, matrix, mp, mpf, pi, sqrt

from cells import Cut
from common import Single, Table, fraction, round_to, single, single_bits, single_near, write_rust

mp.prec = 120

ENTRIES = 16
# Of one cell's sample, and of a 16th of the exponential's.
POINTS = 4096
# How many centres and how many factors are tried, in how many steps of half the size each, and how often with each.
CENTRES, FACTORS, HALVINGS, TRIALS = 6, 16, 6, 150
# Of the kernels.
MAGIC = float(3 << 18)
LOG2_E = single_near(1 / log(2))
LAST, LIMIT = 3.93, 7.0
LEAST, MOST = -87.29, 88.72
# From here on erff is 1.
ONE = float.fromhex("0x1.f5a88ap+1")


def floats(value, digits):
    """A number rounded to so many significant bits, as a float."""
    return single_near(round_to(fraction(value), digits))


def words(value, *high):
    """A number as these floats and the one nearest to the rest."""
    return [*high, single_near(value - sum(mpf(word) for word in high))]


def fitted(function, base, reach, degree):
    """Coefficients c1, c2, ... of base(h) + c1*h + c2*h^2 + ..., rounded to single precision one after the other, with the
    least error relative to the function on the interval `reach`."""
    low, high = reach
    count = 4 * (degree + 1)
    points = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    values = [function(h) for h in points]
    rest = [(value - base(h)) / value for h, value in zip(points, values)]
    coefficients = []
    for first in range(1, degree + 1):
        rows = matrix(count, degree + 1 - first)
        for i, h in enumerate(points):
            for j in range(first, degree + 1):
                rows[i, j - first] = h**j / values[i]
        c = single_near(lu_solve(rows, matrix(rest))[0])
        coefficients.append(c)
        rest = [r - mpf(c) * h**first / value for r, h, value in zip(rest, points, values)]
    return coefficients


# Arithmetic in single precision on arrays of doubles, and the search.


def rounded(x):
    return x.astype(numpy.float32).astype(float)


def mul_add(a, b, c):
    """The product is exact in a double, and so is the sum but for cases too rare to matter."""
    return rounded(a * b + c)


def polynomial(coefficients, h):
    total = coefficients[-1]
    for c in coefficients[-2::-1]:
        total = mul_add(h, total, c)
    return total


def bit_patterns(x):
    return x.astype(numpy.float32).view(numpy.uint32)


def with_octaves(power, octaves):
    return numpy.ldexp(power, numpy.floor(octaves).astype(int))


def exactly(function, x):
    return numpy.array([float(function(mpf(v))) for v in x])


def ulp(exact):
    return numpy.ldexp(1.0, numpy.maximum(numpy.frexp(exact)[1], -125) - 24)


def errors_rounded(exact, error, last):
    """The largest errors possible once `last`, which is off by an error, is rounded: half an ulp more, if that does anything."""
    return error + ulp(exact) / 2 * (rounded(last) != last)


def largest(exact, last):
    """The largest error, in ulps, of results that are `last` rounded."""
    return (errors_rounded(exact, abs(last - exact), last) / ulp(exact)).max()


def improved(coefficients, sizes, objective):
    """Coefficients after random moves, ever smaller ones, of which those are kept that lower the objective; and the objective.
    `sizes` are the first moves. Of NumPy's generators this is the one whose numbers never change."""
    random = numpy.random.RandomState(6)
    least = objective(coefficients)
    for halvings in range(HALVINGS):
        for _ in range(TRIALS):
            moves = random.randint(-1, 2, len(sizes))
            trial = [single_near(c + move * size / 2**halvings) for c, move, size in zip(coefficients, moves, sizes)]
            error = objective(trial)
            if error < least:
                least, coefficients = error, trial
    return coefficients, least


class Layout(Cut):
    """Cells for every instruction set: 8 from one power of two to the next, however many there are."""

    def __init__(self, entries, start, end):
        super().__init__(entries, 8, start, end)
        # The last sum in the first cell.
        self.edge = single_near(self.sums[1] * (1 - 2.0**-24))

    def sample(self, cell):
        """Floats of a cell: evenly spaced ones, those at its ends, and in the first cell as many on the way to 0."""
        low, high = self.edges[cell], self.edges[cell + 1]
        ends = 1 + numpy.arange(-64, 65) * 2.0**-24
        to_zero = numpy.ldexp(high * (64 + numpy.arange(POINTS) % 64), -7 - numpy.arange(POINTS) // 64) if cell == 0 else []
        a = rounded(numpy.concatenate([numpy.linspace(low, high, POINTS), low * ends, high * ends, to_zero]))
        index = bit_patterns(mul_add(a, self.scale, self.start)) >> 20
        return a[(index % self.entries == self.index(cell)) & (a > 0)]


def centres(function, low, high, digits):
    """The best few: floats near the middle of a cell at which the function is nearly a number of so many significant bits, and
    these numbers."""
    middle = (low + high) / 2
    there = function(mpf(middle))
    slope = mp.diff(function, mpf(middle))
    unit = mpf(2) ** (math.frexp(float(there))[1] - digits)
    # Where the function is so flat that few such numbers are near, all of the cell is.
    near = mpf(high - low) / 16
    most = int(min(1500, max(near * abs(slope) / unit, 3)))
    found = []
    for step in range(-most, most + 1):
        value = (mp.nint(there / unit) + step) * unit
        if abs(value) >= 1 and abs(there) < 1:
            continue
        x = middle + (value - there) / slope
        for _ in range(4):
            x = x - (function(x) - value) / mp.diff(function, x)
        x = single_near(x)
        if low < x < high:
            found.append((abs(value / function(mpf(x)) - 1), x, single_near(value)))
    return [(x, value) for _, x, value in sorted(found)[:CENTRES]]


class Kernel:
    """Evaluates one cell with any row: its centre, the value there, and the coefficients."""

    def objective(self, row):
        return max(self.errors(row))


def cells(function, layout, degree, digits, kernel, first=None):
    """The fields of the tables and the largest errors, by function, before and after the search. `first` is what is added to
    in cell 0, if its centre is 0."""
    before, after, rows = [], [], []
    for cell in range(layout.entries):
        low, high = layout.edges[cell], layout.edges[cell + 1]
        here = kernel(layout, cell)
        around_zero = cell == 0 and first
        choices = []
        # Less -0 a zero is +0 in every rounding mode.
        for x, value in [(Single(-0.0), Single(0))] if around_zero else centres(function, low, high, digits):
            base = first if around_zero else lambda h, value=value: mpf(value)
            reach = (mpf(low - x) + (mpf(2) ** -30 if cell == 0 else -mpf(2) ** -20), mpf(high - x) + mpf(2) ** -20)
            choices.append([x, value] + fitted(lambda h, x=x: function(x + h), base, reach, degree))
        found = []
        for x, value, *c in choices:
            unit, far = 2.0**-24 * abs(float(function(mpf(high)))), max(x - low, high - x)
            sizes = [unit / far**power for power in range(1, degree + 1)]
            c, error = improved(c, sizes, lambda c, x=x, value=value: here.objective([x, value] + c))
            found.append((error, [x, value] + c))
        rows.append(min(found)[1])
        before.append(here.errors(choices[0]))
        after.append(here.errors(rows[-1]))
    order = sorted(range(layout.entries), key=layout.index)
    columns = [Table(rows[cell][i] for cell in order) for i in range(degree + 2)]
    fields = {
        "start": single_near(layout.start),
        "scale": layout.scale,
        "edge": layout.edge,
        "centre": columns[0],
        "value": columns[1],
        "coefficients": columns[2:],
    }
    return fields, [max(errors) for errors in zip(*before)], [max(errors) for errors in zip(*after)]


class Erf(Kernel):
    """kernel/src/faithful/erf.rs."""

    def __init__(self, layout, cell):
        a = layout.sample(cell)
        if a.max() > ONE:
            a = numpy.append(a, ONE + numpy.arange(64) * 2.0**-22)
        self.a = a[a <= LAST]
        self.around_zero = cell == 0
        self.exact = exactly(erf, self.a)

    def errors(self, row):
        h = rounded(self.a - row[0])
        last = h * polynomial(row[2:], h) + (self.a if self.around_zero else row[1])
        ends = (rounded(last)[self.a >= ONE] == 1).all()
        return (largest(self.exact, last) if ends else math.inf,)


POWERS = [mpf(2) ** (mpf(i) / ENTRIES) for i in range(ENTRIES)]


class Bell:
    """The bell of kernel/src/faithful/tail.rs at some magnitudes: `power`, and `r`, in which q is a polynomial."""

    LN2 = words(2 * log(2), floats(2 * log(2), 12))
    SHORT = [floats(power, 12) for power in POWERS]
    LOW = [single_near(-2 * log(power / mpf(short))) for power, short in zip(POWERS, SHORT)]

    def __init__(self, a):
        shifted = mul_add(rounded(a * a), -LOG2_E / 2, MAGIC)
        octaves = shifted - MAGIC
        index = bit_patterns(shifted) % ENTRIES
        self.power = with_octaves(numpy.array(self.SHORT)[index], octaves)
        r = mul_add(a, a, rounded(octaves * self.LN2[0]))
        self.r = rounded(r + mul_add(octaves, self.LN2[1], numpy.array(self.LOW)[index]))

    def q(self, coefficients):
        return rounded(polynomial(coefficients, self.r) * self.r)


def bell():
    """The coefficients of q, and the largest errors of the bell before and after the search."""
    half = log(2) / ENTRIES + mpf(2) ** -11
    start = fitted(lambda r: exp(-r / 2), lambda r: mpf(1), (-half, half), 3)
    a = rounded(numpy.linspace(0, LIMIT, ENTRIES * POINTS))
    here, exact = Bell(a), exactly(lambda a: exp(-a * a / 2), a)

    def objective(c):
        return largest(exact, here.power * (1 + here.q(c)))

    c, after = improved(start, [2.0**-26 / float(half) ** power for power in range(1, 4)], objective)
    return c, [objective(start)], [after]


class Tail(Kernel):
    """kernel/src/faithful/tail.rs. `coefficients` are those of q."""

    coefficients = None

    def __init__(self, layout, cell):
        a = layout.sample(cell)
        self.a = a[a < LIMIT]
        self.bell = Bell(self.a)
        self.exact = exactly(self.tail, self.a)

    def errors(self, row):
        value = row[1]
        h = rounded(self.a - row[0])
        d = rounded(h * polynomial(row[2:], h))
        return self.results(value, mul_add(self.bell.q(self.coefficients), rounded(value + d), d))

    def both(self, base, exact, tail):
        """The largest error of two results, the tail and the base with the tail added, which is negative."""
        errors = errors_rounded(exact, abs(tail + exact), tail)
        sums = errors_rounded(base - exact, errors, base + rounded(tail))
        return max((errors / ulp(exact)).max(), (sums / ulp(base - exact)).max())


class Ratio(Tail):
    """The distribution function and GELU."""

    @staticmethod
    def tail(a):
        return erfc(a / sqrt(2)) / 2

    def results(self, value, small):
        a, t = self.a, self.bell.power
        gelu = self.both(a, a * self.exact, a * (t * value) + rounded(rounded(a * t) * small))
        return self.both(1, self.exact, t * small + t * value), gelu


class Slope(Tail):
    """The derivative of GELU."""

    @staticmethod
    def tail(a):
        return erfc(a / sqrt(2)) / 2 - a * exp(-a * a / 2) / sqrt(2 * pi)

    def results(self, value, small):
        near = rounded(self.a - ZERO_SUM[0])
        lost = rounded(self.a - rounded(near + ZERO_SUM[0]))
        distance = rounded(near - ZERO_SUM[1])
        lost = rounded(rounded(rounded(near - distance) - ZERO_SUM[1]) + rounded(lost - ZERO_SUM[2]))
        large = self.bell.power * value
        rest = mul_add(distance, rounded(self.bell.power * small), rounded(lost * large))
        return (self.both(1, self.exact, distance * large + rest),)


def ratio(a):
    """Minus Phi(-a)/exp(-a^2/2)."""
    return -exp(a * a / 2) * Ratio.tail(a)


ZERO = findroot(Slope.tail, 0.75)
# No float is so near to it that the third word would not do.
ZERO_SUM = words(ZERO, *words(ZERO, single_near(mp.nint(ZERO * 2**20) / 2**20)))


def slope_ratio(a):
    """What (ZERO - a) has for a factor in GELU's derivative at -a, without exp(-a^2/2)."""
    if abs(a - ZERO) < mpf(2) ** -40:
        return (slope_ratio(ZERO + mpf(2) ** -39) + slope_ratio(ZERO - mpf(2) ** -39)) / 2
    return exp(a * a / 2) * Slope.tail(a) / (ZERO - a)


class Exp:
    """kernel/src/faithful/exp.rs, but for powers and coefficients."""

    LN2 = words(log(2), single_near(log(2)))

    def __init__(self):
        x = [numpy.linspace(-0.7, 0.7, 8 * POINTS), numpy.linspace(LEAST, MOST, 8 * POINTS)]
        self.x = rounded(numpy.concatenate(x))
        self.exact = exactly(exp, self.x)
        shifted = mul_add(self.x, LOG2_E, MAGIC)
        self.octaves = shifted - MAGIC
        self.index = bit_patterns(shifted) % ENTRIES
        self.r = mul_add(self.octaves, -self.LN2[0], self.x)

    def error(self, powers, coefficients):
        power = with_octaves(numpy.array(powers)[self.index], self.octaves)
        low = mul_add(self.octaves, -self.LN2[1], coefficients[0])
        return largest(self.exact, power * mul_add(polynomial(coefficients[1:], self.r), self.r, low) + power)


def factors():
    """The best few numbers just below 1 whose products with all powers are near to floats, the nearest first."""
    found = []
    for start in range(0, 2**23, 2**16):
        factor = 1 - numpy.arange(start + 1, start + 2**16) * 2.0**-30
        distance = numpy.zeros(len(factor))
        for i, power in enumerate(POWERS):
            # The first product is below 1 as results around are, the others are not.
            in_ulps = factor * float(power) * 2.0 ** (24 if i == 0 else 23)
            distance = numpy.maximum(distance, abs(in_ulps - numpy.rint(in_ulps)))
        best = distance.argmin()
        found.append((distance[best], factor[best]))
    return [mpf(factor) for _, factor in sorted(found)[:FACTORS]]


def exponential():
    """Powers times a factor, coefficients, and the largest errors before and after the search."""
    here, found = Exp(), []
    half = log(2) / ENTRIES / 2 + mpf(2) ** -18
    for factor in factors():
        powers = [single_near(power * factor) for power in POWERS]
        constant = single_near(1 / factor - 1)
        c = [constant] + fitted(lambda r, factor=factor: exp(r) / factor, lambda r, c=constant: 1 + mpf(c), (-half, half), 3)
        before = here.error(powers, c)
        c, after = improved(c, [2.0**-26 / float(half) ** power for power in range(4)], lambda c, p=powers: here.error(p, c))
        found.append((after, before, powers, c))
    after, _, powers, c = min(found)
    return powers, c, [found[0][1]], [after]


def without_index(values):
    """Floats whose bits are less by those that adding the index, shifted into place, sets."""
    patterns = [(single_bits(value) - (i << 19)) % 2**32 for i, value in enumerate(values)]
    return Table(Single(single(pattern)) for pattern in patterns)


def main():
    header = ["Largest errors in ulps over samples, before and after the search over coefficients, centres and factors:"]
    items = []

    def found(names, before, after):
        for name, first, last in zip(names, before, after):
            header.append(f"{name}: {first:.4f}, {last:.4f}.")
            print(header[-1])

    def table(comment, name, results, function, layout, degree, *kernel):
        fields, *errors = cells(function, layout, degree, *kernel)
        found(results, *errors)
        items.append((comment, name, f"Cells<Table<{layout.entries}>, {degree}>", fields))

    Tail.coefficients, *errors = bell()
    found(["the bell of the tails"], *errors)
    table("erf(a); in cell 0 erf(a) - a", "ERF", ["erff"], erf, Layout(8, 1.1875, 3.9375), 6, 24, Erf, lambda h: h)
    layout = Layout(16, 1.15625, 7.03125)
    table("Minus the ratio of the tail to the bell", "RATIO", ["normcdff", "geluf"], ratio, layout, 5, 12, Ratio)
    comment = "The same of the derivative of GELU, without the zero"
    table(comment, "SLOPE_RATIO", ["geluf_grad"], slope_ratio, layout, 5, 12, Slope)
    powers, coefficients, *errors = exponential()
    found(["expf"], *errors)
    items += [
        ("The zero of GELU's derivative, negated, as a sum", "ZERO", "[f32; 3]", ZERO_SUM),
        ("2^(i/16) times a factor", "POWERS", "Table<16>", without_index(powers)),
        ("exp(r) over the factor, less 1, constant term first", "EXP", "[f32; 4]", coefficients),
        ("2*ln2 as a float of 12 bits and the float nearest to the rest", "TWO_LN2", "[f32; 2]", Bell.LN2),
        ("2^(i/16) to 12 bits", "SHORT_POWERS", "Table<16>", without_index(Bell.SHORT)),
        ("-2 times the logarithm of what the short power lacks", "SHORT_LOW", "Table<16>", Table(Bell.LOW)),
        ("Coefficients of exp(-r/2) - 1, from the first on", "BELL", "[f32; 3]", Tail.coefficients),
    ]
    write_rust("kernel/src/data/faithful.rs", "faithful.py", header, items, {"Cells": "faithful", "Table": "isa"})


if __name__ == "__main__":
    main()
