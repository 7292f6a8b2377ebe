"""The cells of a function for a fast phase in single precision.

The widths of the cells follow from how a magnitude finds its cell: the leading bits of start + scale·abs(x), so that a cell
beyond a power of two is twice as wide as one before. A centre is a float near the middle at which the function is nearly a
float, and so is its second coefficient: neither has a low word. Coefficients are a least-squares fit; as one is rounded to
single precision, those that are still free are fitted again.

What is fitted is f·(1 + floor + bend·h²), more than f by the largest error of the kernel's result. Its lower bound is as
much less than f, so f lies between the two.
"""

import math

from mpmath import cos, lu_solve, matrix, mp, mpf, pi, taylor

from common import Some, Table, log2, polynomial, single_bits, single_near

mp.prec = 120

# Results this near to each other in the tables' arithmetic are the same.
NOTHING = mpf(2) ** -37


class Cut:
    """How [0, end] is cut into cells: the index of one is the leading bits of start + scale·abs(x), so many of them from one
    power of two to the next."""

    def __init__(self, entries, cells_a_binade, start, end):
        self.entries, self.start = entries, start
        self.shift = 23 - int(math.log2(cells_a_binade))
        # As sums, and as arguments.
        self.sums = [start]
        for _ in range(entries):
            width = 2.0 ** math.floor(math.log2(self.sums[-1])) / cells_a_binade
            self.sums.append((math.floor(self.sums[-1] / width) + 1) * width)
        self.scale = single_near((self.sums[-1] - start) / end)
        self.edges = [(sum - start) / self.scale for sum in self.sums]

    def index(self, cell):
        """The entry of a cell in each table."""
        middle = (self.edges[cell] + self.edges[cell + 1]) / 2 * self.scale + self.start
        return (single_bits(middle) >> self.shift) % self.entries


class Layout(Cut):
    """The cells of a function. Where it is odd, the first cell's polynomial is; it is flat from `flat` on. The first cell's
    centre is 0 anyway, so that h is exact. Without `biased` the floor is left to others.

    `roundings` of the cubic term count, with a relative error of 2^-23 each. It has more, but they don't all go one way; the
    sweeps of the array functions over all inputs in all modes show that these suffice."""

    def __init__(self, function, end, entries, start, degree, floor, bends, odd=False, flat=math.inf, roundings=3.2, biased=True):
        super().__init__(entries, entries // 2, start, end)
        self.function, self.odd, self.flat, self.degree = function, odd, flat, degree
        self.roundings, self.biased = roundings, biased
        # The relative error that is allowed for in a whole cell, and whether more is towards its ends.
        self.floor, self.bends = mpf(2) ** floor, bends
        self.bias = self.floor if biased else mpf(0)


def distance(value):
    """From a double to the nearest float."""
    unit = 2.0 ** (math.frexp(value)[1] - 24)
    return abs(value - round(value / unit) * unit)


def centre(layout, low, high, bend):
    """A float near the middle of a cell where the value and the second coefficient are nearly floats."""
    middle = single_near((low + high) / 2)
    series = [float(c * (1 + layout.bias)) for c in taylor(layout.function, mpf(middle), 12)]
    unit, half = math.ulp(middle) * 2**29, (high - low) / 2
    best = (math.inf, middle)
    for step in range(int(half / 2 / unit) if high > layout.flat else 1 << 16):
        for offset in (step * unit, -step * unit):
            value = second = 0.0
            for n in range(12, -1, -1):
                value = value * offset + series[n]
                if n >= 2:
                    second = second * offset + n * (n - 1) / 2 * series[n]
            second += bend * value
            cost = max(distance(value), distance(second) * (half + abs(offset)) ** 2 / 2) / abs(value)
            best = min(best, (cost, middle + offset))
    return best[1]


def fitted(target, free, fixed, points):
    """Coefficients of these degrees that go with the fixed ones (degree: coefficient), by relative error."""
    rows, right = matrix(len(points), len(free)), matrix(len(points), 1)
    for i, h in enumerate(points):
        value = target(h)
        for j, degree in enumerate(free):
            rows[i, j] = h**degree / value
        right[i] = 1 - sum(c * h**degree for degree, c in fixed.items()) / value
    return list(lu_solve(rows, right))


def cell(layout, i):
    """Centre, bend, low word of the slope, coefficients, and the largest relative error of the polynomial."""
    low, high = layout.edges[i], layout.edges[i + 1]
    # The rounding errors: the cubic term, with a relative error of 2^-23 each.
    odd = layout.odd and i == 0
    middle, reach = (0, high) if i == 0 else ((low + high) / 2, (high - low) / 2)
    ends = (0, reach / 2, reach) if i == 0 else (-reach, -reach/2, 0, reach/2, reach)
    series = taylor(layout.function, mpf(middle), 12)
    third = max(abs(polynomial(series[3:], e) * e**3 / layout.function(middle + e)) for e in ends if e) / reach**2
    rounding = layout.roundings * mpf(2) ** -23 * third
    bend = single_near(rounding) if layout.bends else 0
    x = 0.0 if i == 0 else centre(layout, low, high, bend)
    # The mode moves an edge by an ulp of 4.
    begin, end = (mpf(0) if i == 0 else mpf(low - x) - mpf(2) ** -20), mpf(high - x) + mpf(2) ** -20
    count = 4 * layout.degree
    points = [(begin + end) / 2 + (end - begin) / 2 * cos(pi * (2 * k + 1) / (2 * count)) for k in range(count)]

    def target(h):
        return layout.function(x + h) * (1 + layout.bias + bend * h * h)

    fixed = {0: mpf(0) if odd else mpf(single_near(target(mpf(0))))}
    free = list(range(1, layout.degree + 1, 2 if odd else 1))
    while len(free) > 1:
        # The slope, which has two words, is the last.
        fixed[free[1]] = mpf(single_near(fitted(target, free, fixed, points)[1]))
        del free[1]
    [slope] = fitted(target, free, fixed, points)
    fixed[1] = mpf(single_near(slope))
    slope_low = single_near(slope - fixed[1])
    coefficients = [single_near(fixed.get(n, 0)) for n in range(layout.degree + 1)]
    whole = [mpf(c) for c in coefficients]
    whole[1] += slope_low
    error = max(abs(polynomial(whole, h) / target(h) - 1) for h in points if x + h > 0)
    allowed = layout.floor - NOTHING - (0 if layout.bends else rounding * reach**2)
    assert error < allowed, f"cell {i}: {log2(error)} of {log2(allowed)}"
    return single_near(x), single_near(-2 * bend), slope_low, coefficients, error


def cells(layout):
    """The fields of the tables, and the largest relative error of a cell."""
    rows = [None] * layout.entries
    for i in range(layout.entries):
        rows[layout.index(i)] = cell(layout, i)
    centres, bends, slopes_low, polynomials, errors = zip(*rows)
    coefficients = list(zip(*polynomials))
    fields = {
        "start": single_near(layout.start),
        "scale": layout.scale,
        "floor": single_near(-2 * layout.bias),
        "bend": Some([Table(bends)]) if layout.bends else None,
        "centre": Table(centres),
        "value": Table(coefficients[0]),
        "slope": Table(coefficients[1]),
        "slope_low": Table(slopes_low),
        "curvature": Table(coefficients[2]),
        "higher": [Table(c) for c in coefficients[3:]],
    }
    return fields, max(errors)


def items(layouts, name=""):
    """The header's lines and the items of a data file."""
    header, items = [], []
    for layout in layouts:
        fields, error = cells(layout)
        header.append(
            f"{name}{layout.entries} cells, degree {layout.degree}: largest relative error 2^{log2(error):.1f} before rounding."
        )
        items.append(
            (
                f"For look-ups of {layout.entries} floats",
                f"{name.upper().replace(': ', '_')}CELLS_{layout.entries}",
                f"Cells<Table<{layout.entries}>, {layout.degree - 2}>",
                fields,
            )
        )
    return header, items
